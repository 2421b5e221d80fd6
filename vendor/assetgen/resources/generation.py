"""Generation of models and images (docs/api.md, 8.2 and 8.3)."""

from __future__ import annotations

from typing import Any

from ..contract.answers.tasks import TaskCreated
from ..contract.endpoints.generation import ImageToModel, ImageToSplat, MultiviewToModel, TextToModel
from ..contract.endpoints.images import EditMultiview, ImageToImage, ImageToMultiview, TextToImage
from .tasks import Tasks


class Generation:
    """Creates tasks that make models and images. See :meth:`.tasks.Tasks.create` for what creating means.

    The fields are those of the declarations in :mod:`..contract.generation` and :mod:`..contract.images`; a field that
    breaks their rules raises pydantic's ValidationError before anything is sent. Images are given as file tokens (see
    :meth:`.files.Files.upload`) or https addresses.
    """

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks

    def text_to_model(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Makes a model from words."""
        return self._tasks.create(TextToModel(**fields), request_id=request_id)

    def image_to_model(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Makes a model from one image."""
        return self._tasks.create(ImageToModel(**fields), request_id=request_id)

    def multiview_to_model(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Makes a model from images of two to four sides."""
        return self._tasks.create(MultiviewToModel(**fields), request_id=request_id)

    def image_to_splat(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Makes a Gaussian splat from one image."""
        return self._tasks.create(ImageToSplat(**fields), request_id=request_id)

    def text_to_image(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Makes an image from words."""
        return self._tasks.create(TextToImage(**fields), request_id=request_id)

    def image_to_image(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Makes an image from words and reference images."""
        return self._tasks.create(ImageToImage(**fields), request_id=request_id)

    def image_to_multiview(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Makes the four views of an object from one image of it."""
        return self._tasks.create(ImageToMultiview(**fields), request_id=request_id)

    def edit_multiview(self, *, request_id: str | None = None, **fields: Any) -> TaskCreated:
        """Changes some of the views that a multiview task made."""
        return self._tasks.create(EditMultiview(**fields), request_id=request_id)
