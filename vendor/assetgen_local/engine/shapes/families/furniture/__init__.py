"""Chairs, tables and lamps."""
