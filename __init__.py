"""Asset Generation: an AI 3D asset service inside Blender.

Nothing is imported until Blender registers the extension: enabling it stays quick, and tests can import parts of it.
"""


def register() -> None:
    """Called by Blender when the extension is enabled."""
    from .addon import registration

    registration.register()


def unregister() -> None:
    """Called by Blender when the extension is disabled."""
    from .addon import registration

    registration.unregister()
