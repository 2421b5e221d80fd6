"""Towers of all kinds."""

from __future__ import annotations

from ...model import ModelPart
from ...prompt_spec import PromptSpec
from .castles import castle
from .landmarks import lighthouse, skyscraper
from .masonry import round_tower


def tower(spec: PromptSpec) -> list[ModelPart]:
    """Round towers with battlements or a pointed roof, castles, lighthouses, skyscrapers."""
    if spec.noun == "skyscraper":
        return skyscraper(spec)
    if spec.noun == "lighthouse":
        return lighthouse(spec)
    stone = spec.surface("tower", "stone", main=True)
    if spec.noun in ("castle", "fortress"):
        return castle(spec, stone)
    pointed = spec.says("wizard", "pointed", "cone", "fairy", "magic", "witch") or (spec.has("roof", False))
    return round_tower(spec, stone, "", 1.6, 8.0, pointed, spec.count("window", 5, 24))
