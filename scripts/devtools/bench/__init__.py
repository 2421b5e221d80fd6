"""`dev.py bench`: measures what design and README promise, always against a named reference in the same run."""

from .runner import run_benchmarks

__all__ = ["run_benchmarks"]
