"""Shapes made in code, each with a trait that has misled the engine: what anybody can run the command on."""
