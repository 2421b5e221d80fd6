"""Bodies and splats made from the outlines of what pictures show."""
