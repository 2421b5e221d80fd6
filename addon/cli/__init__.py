"""The command line: what runs without a window."""
