"""The parts of ``scripts/dev.py``. They need nothing but the standard library, unless a module says otherwise."""
