"""Towers of all kinds."""

from __future__ import annotations

from ...model import Part
from ...prompt_spec import Wish
from .castles import castle
from .landmarks import lighthouse, skyscraper
from .masonry import round_tower


def tower(wish: Wish) -> list[Part]:
    """Round towers with battlements or a pointed roof, castles, lighthouses, skyscrapers."""
    if wish.noun == "skyscraper":
        return skyscraper(wish)
    if wish.noun == "lighthouse":
        return lighthouse(wish)
    stone = wish.surface("tower", "stone", main=True)
    if wish.noun in ("castle", "fortress"):
        return castle(wish, stone)
    pointed = wish.says("wizard", "pointed", "cone", "fairy", "magic", "witch") or (wish.has("roof", False))
    return round_tower(wish, stone, "", 1.6, 8.0, pointed, wish.count("window", 5, 24))
