"""What panels draw, without a window."""
