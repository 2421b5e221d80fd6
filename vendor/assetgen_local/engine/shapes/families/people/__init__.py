"""People and robots."""
