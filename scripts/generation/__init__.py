"""What is generated from the contract's declarations, a module for each file. Made by ``scripts/generate.py``."""
