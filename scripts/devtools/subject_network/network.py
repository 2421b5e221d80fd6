"""The network as torch trains it: the same layers, in the same order, as the engine's ``images/subject_network.py``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

_STAGES = ((3, 1, 1, 16, 1), (3, 2, 6, 24, 2), (5, 2, 6, 40, 2), (3, 2, 6, 80, 3), (5, 1, 6, 112, 3), (5, 2, 6, 192, 4))
"""EfficientNet-Lite0 without its last stage: kernel, first stride, growth inside, channels, blocks."""
_IN_PYRAMID = (1, 2, 4, 5)
_WIDTH = 32  # channels of the pyramid
_FROZEN = 3  # the first blocks stay as they are: they see edges and colours, which are the same in every picture
_VARIANCE = 1e-3  # added to each variance by batch normalisation, as the published weights have it


class _Convolution(nn.Module):
    """Pads as TensorFlow does: what is missing at a stride comes in at the end."""

    def __init__(self, channels: int, result: int, size: int = 1, stride: int = 1, *, apart: bool = False) -> None:
        super().__init__()
        self.inner = nn.Conv2d(channels, result, size, stride, groups=channels if apart else 1)
        self._size, self._stride = size, stride

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        padding: list[int] = []
        for count in reversed(values.shape[-2:]):
            few = max((-(-count // self._stride) - 1) * self._stride + self._size - count, 0)
            padding += [few // 2, few - few // 2]
        return self.inner(functional.pad(values, padding))


class _Block(nn.Module):
    def __init__(self, channels: int, result: int, size: int, stride: int, growth: int) -> None:
        super().__init__()
        inside = channels * growth
        self.grow = _Convolution(channels, inside) if growth > 1 else None
        self.blur = _Convolution(inside, inside, size, stride, apart=True)
        self.shrink = _Convolution(inside, result)
        self._adds = stride == 1 and channels == result

    def layers(self) -> Iterator[_Convolution]:
        yield from (layer for layer in (self.grow, self.blur, self.shrink) if layer is not None)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        inner = values
        for layer in list(self.layers())[:-1]:
            inner = functional.relu6(layer(inner))
        inner = self.shrink(inner)
        return values + inner if self._adds else inner


class _Mix(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blur = _Convolution(_WIDTH, _WIDTH, 5, apart=True)
        self.join = _Convolution(_WIDTH, _WIDTH)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        values = functional.relu6(values)
        return values + functional.relu6(self.join(functional.relu6(self.blur(values))))


class SubjectNetwork(nn.Module):
    """Pictures, (count, 3, height, width), -1 to 1, to the logarithm of the odds of every fourth place.

    Args:
        pretrained: The published weights of EfficientNet-Lite0; None where others are loaded.
    """

    def __init__(self, pretrained: Path | None = None) -> None:
        super().__init__()
        self.stem = _Convolution(3, 32, 3, 2)
        self.blocks = nn.ModuleList()
        self._taps: list[int] = []
        channels, widths = 32, []
        for number, (size, stride, growth, result, blocks) in enumerate(_STAGES):
            for block in range(blocks):
                self.blocks.append(_Block(channels, result, size, 1 if block else stride, growth))
                channels = result
            if number in _IN_PYRAMID:
                self._taps.append(len(self.blocks) - 1)
                widths.append(channels)
        self.sides = nn.ModuleList(_Convolution(width, _WIDTH) for width in reversed(widths))
        self.whole = _Convolution(channels, _WIDTH)
        self.mixes = nn.ModuleList(_Mix() for _ in widths)
        self.out = _Convolution(_WIDTH, 1, 3)
        if pretrained:
            self._take_over(pretrained)

    def heads(self) -> list[nn.Parameter]:
        """What has to be learned from nothing."""
        parts = (self.sides, self.whole, self.mixes, self.out)
        return [parameter for part in parts for parameter in part.parameters()]

    def backbone(self) -> list[nn.Parameter]:
        """What is pretrained and learns on."""
        return [parameter for block in self.blocks[_FROZEN:] for parameter in block.parameters()]

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """The odds, (count, height / 4, width / 4)."""
        with torch.no_grad():
            values = functional.relu6(self.stem(pictures))
        scales = []
        for number, block in enumerate(self.blocks):
            with torch.set_grad_enabled(torch.is_grad_enabled() and number >= _FROZEN):
                values = block(values)
            if number in self._taps:
                scales.append(values)
        levels = self.whole(values.mean((2, 3), keepdim=True))
        for scale, side, mix in zip(reversed(scales), self.sides, self.mixes, strict=True):
            grown = functional.interpolate(levels, size=scale.shape[-2:], mode="bilinear", align_corners=False)
            levels = mix(grown + side(scale))
        return self.out(levels)[:, 0]

    def store(self, file: Path) -> None:
        """Writes the weights as the engine reads them, each of many a whole number in its channel's unit."""
        layers = [self.stem, *(layer for block in self.blocks for layer in block.layers()), self.sides[0], self.whole]
        layers += [self.mixes[0].blur, self.mixes[0].join]
        for side, mix in zip(self.sides[1:], self.mixes[1:], strict=True):
            layers += [side, mix.blur, mix.join]
        stored: dict[str, np.ndarray] = {}
        for number, layer in enumerate([*layers, self.out]):
            weight = layer.inner.weight.detach().numpy()
            if layer.inner.groups > 1:  # few, and of very different sizes
                weight, unit = weight[:, 0].transpose(1, 2, 0).astype(np.float16), np.ones(len(weight), np.float32)
            else:
                weight = weight.transpose(2, 3, 1, 0)
                unit = np.abs(weight).max(axis=(0, 1, 2)) / 127
                weight = np.round(weight / unit).astype(np.int8)
            stored |= {f"{number:03}_weight": weight, f"{number:03}_scale": unit}
            stored[f"{number:03}_bias"] = layer.inner.bias.detach().numpy()
        np.savez_compressed(file, **stored)

    def _take_over(self, pretrained: Path) -> None:
        published = torch.load(pretrained, map_location="cpu")
        used = ("_expand_conv", "_bn0"), ("_depthwise_conv", "_bn1"), ("_project_conv", "_bn2")
        _fold(self.stem, published, "_conv_stem", "_bn0")
        for number, block in enumerate(self.blocks):
            names = used if block.grow is not None else used[1:]
            for layer, (convolution, normal) in zip(block.layers(), names, strict=True):
                _fold(layer, published, f"_blocks.{number}.{convolution}", f"_blocks.{number}.{normal}")


def _fold(layer: _Convolution, published: dict[str, torch.Tensor], convolution: str, normal: str) -> None:
    """One layer in place of a convolution and the normalisation after it."""
    factor = published[f"{normal}.weight"] / torch.sqrt(published[f"{normal}.running_var"] + _VARIANCE)
    layer.inner.weight.data = published[f"{convolution}.weight"] * factor[:, None, None, None]
    layer.inner.bias.data = published[f"{normal}.bias"] - published[f"{normal}.running_mean"] * factor
