"""`dev.py pictures`: the pictures of the documentation, taken in a window."""
