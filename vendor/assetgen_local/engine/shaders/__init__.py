"""Shader node trees, and the procedural patterns made of them."""
