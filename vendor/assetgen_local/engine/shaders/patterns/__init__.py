"""Procedural patterns, by the kind of material that they are for."""
