"""Photographs with the masks that another network gives them, and variations of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image, ImageOps

SIZE = 256  # pixels along both sides of what the network sees
_KEPT = SIZE + 32  # of what is held, so that parts can be cut out of it
_TEACHER_SIZE = 320
_MEAN, _SPREAD = np.array([0.485, 0.456, 0.406], np.float32), np.array([0.229, 0.224, 0.225], np.float32)

Array = np.ndarray


class Samples:
    """Pictures, (count, rows, columns, 3), and masks, (count, rows, columns), both 0 to 255.

    Args:
        photographs: Files of pictures.
        teacher: U2-Net as ONNX.
    """

    def __init__(self, photographs: list[Path], teacher: Path) -> None:
        session = onnxruntime.InferenceSession(str(teacher), providers=["CPUExecutionProvider"])
        pairs = [_labelled(file, session) for file in photographs]
        self.pictures = np.array([picture for picture, _ in pairs])
        self.masks = np.array([mask for _, mask in pairs])

    def __len__(self) -> int:
        return len(self.pictures)

    def varied(self, number: int, random: np.random.Generator) -> tuple[Array, Array]:
        """A picture of SIZE, -1 to 1, and its mask of a fourth, 0 to 1.

        Now and then with another picture's subject on it; a part of it, mirrored, in other light, without colours.
        """
        picture, mask = self.pictures[number], self.masks[number]
        if random.random() < 0.25:
            picture, mask = self._with_another(picture, mask, random)
        picture, mask = _part(picture, mask, random)
        if random.random() < 0.5:
            picture, mask = picture[:, ::-1], mask[:, ::-1]
        light = random.uniform(-25, 25) + random.uniform(-12, 12, 3)
        picture = (picture - 128) * random.uniform(0.7, 1.3) + 128 + light
        if random.random() < 0.1:
            picture = picture.mean(axis=2, keepdims=True).repeat(3, axis=2)
        return (np.clip(picture, 0, 255).astype(np.float32) - 127) / 128, mask

    def _with_another(self, picture: Array, mask: Array, random: np.random.Generator) -> tuple[Array, Array]:
        """Where both subjects are small enough; what is left of the one below belongs to the subject if it is much."""
        other = int(random.integers(len(self)))
        share = self.masks[other].astype(np.float32) / 255
        if not 0.05 < share.mean() < 0.5 or mask.mean() > 0.4 * 255:
            return picture, mask
        left = mask * (1 - share)
        joined = (picture * (1 - share[..., None]) + self.pictures[other] * share[..., None]).astype(np.uint8)
        above = (share * 255).astype(np.uint8)
        return joined, above if left.sum() < 0.3 * mask.sum() + 50 * 255 else np.maximum(mask, above)


def _labelled(file: Path, session: onnxruntime.InferenceSession) -> tuple[Array, Array]:
    with Image.open(file) as opened:
        picture = ImageOps.exif_transpose(opened).convert("RGB").resize((_TEACHER_SIZE, _TEACHER_SIZE), Image.LANCZOS)
    values = np.asarray(picture, np.float32)
    values = (values / values.max() - _MEAN) / _SPREAD
    told = session.run(None, {session.get_inputs()[0].name: values.transpose(2, 0, 1)[None]})[0][0, 0]
    mask = Image.fromarray((told * 255).clip(0, 255).astype(np.uint8))
    held = (_KEPT, _KEPT)
    return np.asarray(picture.resize(held, Image.BICUBIC)), np.asarray(mask.resize(held, Image.BILINEAR))


def _part(picture: Array, mask: Array, random: np.random.Generator) -> tuple[Array, Array]:
    """A part in which most of the subject is, or all of it."""
    height = width = _KEPT
    top = left = 0
    if random.random() < 0.65:
        side, shape = random.uniform(0.6, 1) * _KEPT, random.uniform(0.85, 1.18)
        height, width = min(int(side / shape), _KEPT), min(int(side * shape), _KEPT)
        top, left = int(random.integers(_KEPT + 1 - height)), int(random.integers(_KEPT + 1 - width))
        if mask[top : top + height, left : left + width].sum() < 0.7 * mask.sum():
            height, width, top, left = _KEPT, _KEPT, 0, 0
    inside = np.s_[top : top + height, left : left + width]
    seen = Image.fromarray(picture[inside]).resize((SIZE, SIZE), Image.BILINEAR)
    told = Image.fromarray(mask[inside]).resize((SIZE // 4, SIZE // 4), Image.BOX)
    return np.asarray(seen, np.float32), np.asarray(told, np.float32) / 255
