"""What the engine raises when it cannot do what was asked."""

from __future__ import annotations


class EngineError(ValueError):
    """The input cannot be processed, or an option cannot be honoured. The message is a sentence for the user."""
