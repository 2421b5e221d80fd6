"""The families of things that the engine can build, each from a :class:`..spec.PromptSpec`."""
