"""Meshes measured, built, reduced, remeshed, unwrapped and moved."""
