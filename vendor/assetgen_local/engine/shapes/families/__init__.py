"""The families of things that the engine can build, each from a :class:`..prompt_spec.PromptSpec`."""
