"""What the words of a texture prompt look like: materials, colours and wear, as data.

A material is a pattern (see :mod:`.patterns`) with two colours, roughness and relief. To teach the engine a new word,
add a row. Colours are written as sRGB hex, as one picks them from a photo.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Look:
    """A material.

    Attributes:
        pattern: A key of :data:`.patterns.PATTERNS`.
        dark: Colour where the pattern is 0, sRGB hex.
        light: Colour where the pattern is 1.
        accent: Colour of what the pattern sets apart (joints, veins, knots).
        scale: Size of the pattern: features over the model's largest side, relative to the pattern's own default.
        roughness: Where the pattern is 0 and where it is 1.
        metallic: 0 for everything but metals.
        relief: Strength of the bumps, 0 to 1.
        tinted: Whether a colour word changes it wholly; otherwise it is mixed in (a "red brick" stays a brick).
    """

    pattern: str
    dark: str
    light: str
    accent: str = ""
    scale: float = 1.0
    roughness: tuple[float, float] = (0.5, 0.7)
    metallic: float = 0.0
    relief: float = 0.3
    tinted: bool = True


@dataclass(frozen=True, slots=True)
class Wear:
    """A layer over the material.

    Attributes:
        pattern: How it is spread: ``patches``, ``scratches``, ``edges``, ``tops`` or ``cracks``.
        color: Its colour, sRGB hex; empty to keep the one below and change only the rest.
        amount: Part of the surface, roughly.
        roughness: Its roughness.
        metallic: Its metalness.
        relief: How far it stands out (or is sunk in, below zero).
    """

    pattern: str
    color: str
    amount: float
    roughness: float = 0.8
    metallic: float = 0.0
    relief: float = 0.2


_IRON = Look("brushed", "#3a3b3d", "#6f7275", roughness=(0.35, 0.55), metallic=1.0, relief=0.15)
_STEEL = Look("brushed", "#8b8e92", "#c2c5c8", roughness=(0.22, 0.38), metallic=1.0, relief=0.08)
_GOLD = Look("hammered", "#d99b2b", "#ffd36b", roughness=(0.16, 0.3), metallic=1.0, relief=0.12)
_OAK = Look("wood", "#6b4423", "#b98a55", roughness=(0.6, 0.45), relief=0.25)
_STONE = Look("stone", "#5e5b56", "#a39d93", roughness=(0.95, 0.8), relief=0.6)
_CLOTH = Look("weave", "#8d8474", "#cfc6b4", roughness=(0.95, 0.85), relief=0.4)
_LEATHER = Look("leather", "#3f2313", "#7a4a2a", roughness=(0.7, 0.42), relief=0.45)
_PLASTIC = Look("smooth", "#c9c9c9", "#d6d6d6", roughness=(0.32, 0.4), relief=0.03)
_CERAMIC = Look("smooth", "#dfdcd2", "#f2efe6", roughness=(0.1, 0.16), relief=0.04)
_CLAY = Look("stone", "#9a8f83", "#c2b8ab", scale=0.7, roughness=(0.8, 0.7), relief=0.2)
_SKIN = Look("skin", "#b8785c", "#e3b094", accent="#c4604f", roughness=(0.6, 0.42), relief=0.2)

MATERIALS: dict[str, Look] = {
    "iron": _IRON,
    "cast iron": replace(_IRON, pattern="stone", dark="#26272a", light="#4a4b4e", scale=2.0, relief=0.3),
    "steel": _STEEL,
    "stainless steel": _STEEL,
    "metal": replace(_STEEL, dark="#6d7074", light="#a5a8ac"),
    "aluminium": replace(_STEEL, dark="#b3b5b8", light="#dcdddf"),
    "aluminum": replace(_STEEL, dark="#b3b5b8", light="#dcdddf"),
    "titanium": replace(_STEEL, dark="#77736e", light="#a8a39c"),
    "chrome": Look("smooth", "#d4d6d9", "#e6e8ea", roughness=(0.04, 0.08), metallic=1.0, relief=0.0),
    "silver": replace(_GOLD, dark="#b8b8b6", light="#f2f1ec"),
    "gold": _GOLD,
    "golden": _GOLD,
    "rose gold": replace(_GOLD, dark="#b9705c", light="#f0b8a4"),
    "brass": replace(_GOLD, dark="#8a6a24", light="#d3ab4f", roughness=(0.22, 0.4)),
    "bronze": replace(_GOLD, dark="#5a3a1c", light="#a9743a", roughness=(0.28, 0.5)),
    "copper": replace(_GOLD, dark="#8c3f20", light="#de8a5c", roughness=(0.2, 0.38)),
    "lead": replace(_IRON, dark="#4b4e53", light="#74777c", roughness=(0.5, 0.7)),
    "rust": Look("patchy", "#4a1f0c", "#b5602a", accent="#7c3414", roughness=(0.95, 0.8), metallic=0.1, relief=0.6),
    "wood": _OAK,
    "wooden": _OAK,
    "oak": _OAK,
    "pine": replace(_OAK, dark="#b07d43", light="#e3bd84"),
    "birch": replace(_OAK, dark="#c2a878", light="#ecdcb8"),
    "walnut": replace(_OAK, dark="#2e1b10", light="#6d482d"),
    "mahogany": replace(_OAK, dark="#3b120b", light="#84351f", roughness=(0.4, 0.28)),
    "ebony": replace(_OAK, dark="#120d0b", light="#332722", roughness=(0.4, 0.3)),
    "plank": Look("planks", "#5d3d22", "#a97c4c", accent="#20140b", roughness=(0.75, 0.55), relief=0.5),
    "bark": Look("bark", "#2b1d13", "#6e543d", roughness=(1.0, 0.85), relief=1.0),
    "bamboo": replace(_OAK, dark="#a88a3f", light="#ddc27a", scale=0.6, roughness=(0.45, 0.35)),
    "cork": Look("patchy", "#7a5130", "#c99a66", accent="#4e311b", scale=2.5, roughness=(0.9, 0.8), relief=0.3),
    "stone": _STONE,
    "rock": replace(_STONE, dark="#4a4642", light="#8d857b", relief=0.9),
    "granite": Look("speckled", "#3c3a3a", "#b9b2ac", accent="#8f6f66", roughness=(0.4, 0.3), relief=0.08),
    "marble": Look("marble", "#e9e6e1", "#faf8f4", accent="#6d6b70", roughness=(0.18, 0.12), relief=0.02),
    "slate": replace(_STONE, dark="#2c3238", light="#525b63"),
    "sandstone": replace(_STONE, dark="#a57c4e", light="#dcb988"),
    "limestone": replace(_STONE, dark="#b5aa92", light="#ded6c2"),
    "basalt": replace(_STONE, dark="#1f2022", light="#44464a"),
    "obsidian": Look("smooth", "#060608", "#141318", roughness=(0.05, 0.12), relief=0.1),
    "concrete": Look("stone", "#85857f", "#b4b3ad", scale=1.4, roughness=(0.95, 0.85), relief=0.2),
    "brick": Look("bricks", "#6e2f1e", "#b0593c", accent="#b9b0a2", roughness=(0.95, 0.85), relief=0.7, tinted=False),
    "terracotta": replace(_CLAY, dark="#96482c", light="#c9734d"),
    "clay": _CLAY,
    "plaster": replace(_CLAY, dark="#cfc9be", light="#ece8df"),
    "ceramic": _CERAMIC,
    "porcelain": replace(_CERAMIC, dark="#eceae6", light="#fbfaf7", roughness=(0.06, 0.1)),
    "tile": Look("tiles", "#d8d5cc", "#efece4", accent="#77736b", roughness=(0.15, 0.22), relief=0.4, tinted=False),
    "glass": Look("smooth", "#a9cdd3", "#d3ebee", roughness=(0.02, 0.06), relief=0.02),
    "ice": Look("marble", "#9fc9dc", "#e4f4fa", accent="#f7fcff", roughness=(0.08, 0.25), relief=0.2),
    "crystal": Look("facets", "#7fa6d6", "#d6e6fb", roughness=(0.03, 0.1), relief=0.6),
    "plastic": _PLASTIC,
    "rubber": Look("smooth", "#1c1c1d", "#2b2b2c", roughness=(0.85, 0.9), relief=0.1),
    "paint": replace(_PLASTIC, roughness=(0.25, 0.35)),
    "painted": replace(_PLASTIC, roughness=(0.25, 0.35)),
    "fabric": _CLOTH,
    "cloth": _CLOTH,
    "cotton": replace(_CLOTH, dark="#c9c4ba", light="#efece5"),
    "linen": replace(_CLOTH, dark="#a3957a", light="#d9cdb4"),
    "denim": replace(_CLOTH, dark="#1c2c4c", light="#58749f"),
    "silk": Look("weave", "#a8324a", "#d85f75", scale=3.0, roughness=(0.35, 0.25), relief=0.05),
    "velvet": replace(_CLOTH, dark="#3d0f1f", light="#7d2440", scale=2.0, roughness=(1.0, 0.9), relief=0.1),
    "wool": Look("fur", "#b9ae9a", "#ece4d4", scale=0.6, roughness=(1.0, 0.95), relief=0.6),
    "fur": Look("fur", "#4a3524", "#a07c57", roughness=(0.95, 0.8), relief=0.6),
    "carpet": Look("fur", "#5e2630", "#96424f", scale=1.5, roughness=(1.0, 0.95), relief=0.5),
    "leather": _LEATHER,
    "paper": Look("smooth", "#e6e0d2", "#f5f1e7", roughness=(0.9, 0.95), relief=0.08),
    "cardboard": Look("weave", "#9c7648", "#c49c6b", scale=0.5, roughness=(0.95, 0.9), relief=0.15),
    "wax": Look("smooth", "#e7d8ae", "#f4ead0", roughness=(0.35, 0.45), relief=0.05),
    "bone": replace(_CLAY, dark="#c9b896", light="#efe6cf", roughness=(0.6, 0.45)),
    "ivory": replace(_CERAMIC, dark="#e5d9b8", light="#f6efdb", roughness=(0.25, 0.35)),
    "grass": Look("fur", "#23400f", "#79a63a", accent="#b6b04f", roughness=(0.95, 0.8), relief=0.7),
    "moss": Look("patchy", "#1f3209", "#75892f", accent="#3a4d12", scale=2.0, roughness=(1.0, 0.95), relief=0.7),
    "leaf": Look("cells", "#24491a", "#6a9a35", accent="#a3bf63", roughness=(0.55, 0.4), relief=0.3),
    "leaves": Look("cells", "#24491a", "#6a9a35", accent="#a3bf63", roughness=(0.7, 0.5), relief=0.6),
    "soil": Look("patchy", "#2a1c12", "#5f452f", accent="#3a281a", scale=1.6, roughness=(1.0, 0.95), relief=0.8),
    "mud": Look("patchy", "#2c2015", "#5d4732", accent="#3a2c1e", roughness=(0.7, 0.35), relief=0.5),
    "sand": Look("sand", "#b8935c", "#e6cd9c", roughness=(0.95, 0.9), relief=0.35),
    "snow": Look("stone", "#dce7f1", "#fbfdff", scale=0.7, roughness=(0.75, 0.55), relief=0.35),
    "lava": Look("veins", "#120a08", "#33201a", accent="#ff6a12", roughness=(0.95, 0.7), relief=0.8, tinted=False),
    "water": Look("smooth", "#123c52", "#2b7a94", roughness=(0.03, 0.08), relief=0.2),
    "skin": _SKIN,
    "scale": Look("scales", "#1f3d24", "#6a9450", accent="#101c10", roughness=(0.55, 0.3), relief=0.8),
    "dragon": Look("scales", "#3d120d", "#9a3420", accent="#140605", roughness=(0.5, 0.3), relief=0.9),
}

COLORS: dict[str, str] = {
    "red": "#c4161c", "crimson": "#a1122a", "scarlet": "#d4220f", "maroon": "#5e1016", "pink": "#ee8fb0",
    "magenta": "#c2187f", "purple": "#6a2396", "violet": "#7a45c4", "lavender": "#b6a3dc", "indigo": "#2f2480",
    "blue": "#1846b8", "navy": "#0f1f4b", "azure": "#2f8fe0", "cyan": "#18b4c8", "turquoise": "#25b5a5",
    "teal": "#0f7474", "green": "#23842c", "lime": "#86cc1c", "olive": "#6a6a1e", "emerald": "#0f8a58",
    "yellow": "#edc81e", "orange": "#e8720f", "brown": "#64391b", "beige": "#d8c7a3", "tan": "#c09a68",
    "cream": "#f2e8cd", "white": "#f1f1ef", "black": "#141415", "grey": "#7f8082", "gray": "#7f8082",
}  # fmt: skip

_RUST = Wear("patches", "#8a421b", 0.45, roughness=0.92, metallic=0.1, relief=0.25)
_DIRT = Wear("patches", "#3d3226", 0.35, roughness=0.95, relief=0.05)
_MOSS = Wear("tops", "#4c6320", 0.4, roughness=1.0, relief=0.4)
_SNOW = Wear("tops", "#f3f7fb", 0.45, roughness=0.6, relief=0.4)
_EDGES = Wear("edges", "", 0.35, roughness=0.55, relief=-0.1)
_SCRATCHES = Wear("scratches", "", 0.4, roughness=0.65, relief=-0.25)
_CRACKS = Wear("cracks", "#1d1916", 0.3, roughness=0.95, relief=-0.6)

WEAR: dict[str, Wear] = {
    "rusty": _RUST, "rusted": _RUST, "corroded": replace(_RUST, amount=0.6),
    "oxidized": replace(_RUST, color="#4f9c86"), "verdigris": Wear("patches", "#4f9c86", 0.55, roughness=0.85),
    "patina": Wear("patches", "#4f9c86", 0.5, roughness=0.85), "dirty": _DIRT,
    "dusty": Wear("tops", "#b3a68c", 0.5, relief=0.02), "muddy": replace(_DIRT, amount=0.5, relief=0.3),
    "stained": replace(_DIRT, amount=0.25), "grimy": _DIRT, "burnt": replace(_DIRT, color="#0d0b0a", amount=0.5),
    "mossy": _MOSS, "overgrown": replace(_MOSS, amount=0.6), "snowy": _SNOW, "frozen": replace(_SNOW, color="#cfe6f2"),
    "worn": _EDGES, "old": _EDGES, "ancient": replace(_EDGES, amount=0.7), "weathered": replace(_EDGES, amount=0.7),
    "antique": _EDGES, "used": _EDGES, "aged": _EDGES, "battered": _SCRATCHES, "scratched": _SCRATCHES,
    "damaged": _SCRATCHES, "cracked": _CRACKS, "broken": _CRACKS,
}  # fmt: skip

FINISH: dict[str, float] = {
    "polished": 0.35, "shiny": 0.35, "glossy": 0.3, "wet": 0.3, "smooth": 0.7, "satin": 0.9, "matte": 1.7, "matt": 1.7,
    "rough": 1.6, "dull": 1.5,
}  # fmt: skip
"""Words that multiply the roughness."""

TONE: dict[str, float] = {"dark": 0.5, "deep": 0.65, "light": 1.35, "bright": 1.25, "pale": 1.35}
"""Words that multiply the brightness."""
