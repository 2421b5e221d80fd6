"""All capabilities, by name. The order is the order in which they are offered."""

from __future__ import annotations

from .mesh import Decimate
from .models import Convert, ImportModel, Texture
from .request import TaskRequest

CAPABILITIES: dict[str, type[TaskRequest]] = {model.name: model for model in (Texture, Decimate, Convert, ImportModel)}


def capability(name: str) -> type[TaskRequest]:
    """The declaration of a capability.

    Raises:
        LookupError: No capability has this name; the message lists those there are.
    """
    try:
        return CAPABILITIES[name]
    except KeyError:
        raise LookupError(f"no capability is called {name!r}; there are {', '.join(CAPABILITIES)}") from None
