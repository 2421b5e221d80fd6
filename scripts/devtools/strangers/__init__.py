"""`dev.py strangers`: models that nobody here made, through every capability of the local engine, judged by numbers."""
