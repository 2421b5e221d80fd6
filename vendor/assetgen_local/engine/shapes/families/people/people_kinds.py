"""How kinds of people are dressed, as data."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of person looks: surfaces, and what it wears."""

    skin: str = "skin"
    top: str = "blue matte silk"
    legs: str = "navy matte silk"
    shoes: str = "brown leather"
    hair: str = "brown fur"
    girth: float = 1.0
    head: float = 1.0
    hat: str = ""
    beard: bool = False
    cape: bool = False
    robe: bool = False
    ears: bool = False


_ARMOUR = Kind(top="steel", legs="steel", shoes="dark steel", hat="helmet", girth=1.1)


KINDS: dict[str, Kind] = {
    "woman": Kind(top="red matte silk", hair="dark fur", girth=0.88),
    "girl": Kind(top="pink matte silk", hair="orange fur", girth=0.86, head=1.25),
    "boy": Kind(top="green matte silk", head=1.25, girth=0.92),
    "child": Kind(top="yellow matte silk", head=1.28, girth=0.92),
    "knight": _ARMOUR,
    "guard": _ARMOUR,
    "warrior": replace(_ARMOUR, top="brown matte silk", legs="brown matte silk", hat="helmet"),
    "soldier": Kind(top="olive matte silk", legs="olive matte silk", shoes="black leather", hat="helmet"),
    "wizard": Kind(top="blue velvet", legs="blue velvet", hat="pointed", beard=True, hair="white fur", robe=True),
    "mage": Kind(top="purple velvet", legs="purple velvet", hat="pointed", robe=True),
    "witch": Kind(top="black velvet", legs="black velvet", hat="pointed", robe=True, hair="orange fur", girth=0.9),
    "hero": Kind(top="red matte silk", legs="blue matte silk", shoes="red leather", cape=True),
    "superhero": Kind(top="blue silk", legs="blue silk", shoes="red leather", cape=True, girth=1.12),
    "elf": Kind(top="green matte silk", legs="brown matte silk", hair="yellow fur", girth=0.88, ears=True),
    "hobbit": Kind(top="olive matte silk", legs="brown matte silk", head=1.2, ears=True),
    "dwarf": Kind(top="brown matte silk", legs="brown matte silk", hair="orange fur", beard=True, girth=1.35, head=1.3,
                  hat="helmet"),
    "zombie": Kind(skin="green skin", top="dirty grey matte silk", legs="dirty brown matte silk", hair="black fur"),
    "goblin": Kind(skin="green skin", top="brown matte silk", legs="dark brown matte silk", head=1.3, ears=True,
                   girth=0.9),
    "orc": Kind(skin="olive skin", top="brown matte silk", legs="dark brown matte silk", girth=1.4, hair="black fur"),
    "alien": Kind(skin="green skin", top="silver", legs="silver", head=1.35, girth=0.8, hair=""),
    "astronaut": Kind(top="white matte silk", legs="white matte silk", shoes="grey rubber", girth=1.28, head=1.12,
                      hat="bubble"),
    "princess": Kind(top="pink silk", legs="pink silk", hair="yellow fur", girth=0.85, hat="crown", robe=True),
    "queen": Kind(top="purple velvet", legs="purple velvet", girth=0.88, hat="crown", robe=True, cape=True),
    "king": Kind(top="red velvet", legs="purple velvet", hat="crown", beard=True, cape=True, girth=1.1),
    "pirate": Kind(top="white matte silk", legs="black matte silk", shoes="black leather", beard=True, hat="cap"),
    "ninja": Kind(top="black matte silk", legs="black matte silk", shoes="black cloth", hat="hood"),
    "farmer": Kind(top="red matte silk", hat="brim"),
    "chef": Kind(top="white matte silk", legs="dark matte silk", hat="toque"),
}  # fmt: skip
