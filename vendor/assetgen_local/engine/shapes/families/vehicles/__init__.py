"""Cars and rockets."""
