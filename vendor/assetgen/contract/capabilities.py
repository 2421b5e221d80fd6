"""All capabilities, by name. The order is the order in which they are offered."""

from __future__ import annotations

from .endpoints.animation import Retarget, Rig, RigCheck
from .endpoints.generation import ImageToModel, ImageToSplat, MultiviewToModel, TextToModel
from .endpoints.images import EditMultiview, ImageToImage, ImageToMultiview, TextToImage
from .endpoints.mesh import Complete, Decimate, Segment, SmartSegment
from .endpoints.models import Convert, ImportModel, Refine, Stylize, Texture
from .request import TaskRequest

_CREATE = (TextToModel, ImageToModel, MultiviewToModel, ImageToSplat)
_PROCESS = (Texture, Refine, Stylize, Convert, ImportModel)
_ANIMATE = (RigCheck, Rig, Retarget)
_MESH = (Decimate, Segment, Complete, SmartSegment)
_IMAGES = (TextToImage, ImageToImage, ImageToMultiview, EditMultiview)

CAPABILITIES: dict[str, type[TaskRequest]] = {
    model.name: model for model in (*_CREATE, *_PROCESS, *_ANIMATE, *_MESH, *_IMAGES)
}


def capability(name: str) -> type[TaskRequest]:
    """The declaration of a capability.

    Raises:
        LookupError: No capability has this name; the message lists those there are.
    """
    try:
        return CAPABILITIES[name]
    except KeyError:
        raise LookupError(f"no capability is called {name!r}; there are {', '.join(CAPABILITIES)}") from None
