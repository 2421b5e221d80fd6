"""Users have no rich. It came here with the tests' tools, and httpx loads it for its own program wherever it is."""

raise ImportError("this stands for a Python without rich")
