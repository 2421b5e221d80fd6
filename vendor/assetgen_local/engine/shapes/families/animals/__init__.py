"""Animals on four legs, birds and fish."""
