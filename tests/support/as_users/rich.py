"""Users have no rich. Here it came with the tests' tools, and httpx loads it for its own command line wherever it is."""

raise ImportError("this stands for a Python without rich")
