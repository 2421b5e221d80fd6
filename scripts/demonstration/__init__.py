"""The parts of ``scripts/demo.py``: what it works on, the picture and the table it makes."""
