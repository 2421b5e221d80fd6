"""Things to hold, fill and carry, and the sculpture for what is no known thing."""
