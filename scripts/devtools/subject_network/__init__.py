"""How the network that finds the subject of a photograph was trained: docs/subject-network.md says with what.

Not part of the set-up: it needs torch, onnxruntime and Pillow, in an environment of its own.
"""
