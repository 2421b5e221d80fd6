"""Parametric shapes: solids and fields in numpy, the reading of a prompt, and a builder for each family of things."""
