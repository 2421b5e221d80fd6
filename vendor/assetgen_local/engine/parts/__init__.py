"""Models cut into parts, and parts closed where they were cut."""
