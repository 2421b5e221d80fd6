"""The words of a texture prompt that change a material, as data: colours, wear, gloss and brightness."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Wear:
    """A layer over the material.

    Attributes:
        pattern: How it is spread: ``patches``, ``scratches``, ``edges``, ``tops``, ``cracks``, ``chips`` or ``dents``,
            which are methods of :class:`.shading.Shader`.
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


COLORS: dict[str, str] = {
    "red": "#c4161c", "crimson": "#a3122f", "scarlet": "#d4220f", "maroon": "#5e1016", "burgundy": "#5a1024",
    "ruby": "#9b1036", "pink": "#ee85a4", "rose": "#d8607f", "magenta": "#c21ba6",
    "fuchsia": "#d022a8", "purple": "#7c1fa2", "plum": "#6a2a66", "violet": "#7d31cf", "lavender": "#b3a3e0",
    "lilac": "#c3a3da", "indigo": "#47208f", "blue": "#1637c0", "royal blue": "#2143c4", "sky blue": "#6fb4e6",
    "navy": "#0d1650", "navy blue": "#0d1650", "cobalt": "#12379e",
    "sapphire": "#123c9c", "azure": "#2f8fe0", "cyan": "#16b4c4", "aqua": "#2cc4cc", "turquoise": "#25b5a5",
    "teal": "#0f7474", "mint": "#95dcb6", "green": "#23842c", "forest green": "#1c5a26",
    "lime": "#5ccf1c", "olive": "#6a6a1e", "emerald": "#0f8a50", "khaki": "#a89a62", "yellow": "#edd61e",
    "lemon": "#f2e04a", "amber": "#e8980f", "mustard": "#c99a1e", "orange": "#ea7a0c", "peach": "#f5b890",
    "coral": "#ee6f58", "brown": "#64381b", "chestnut": "#6e3320", "tan": "#c09a68", "beige": "#d8c7a3",
    "cream": "#f2e8cd", "white": "#f1f1ef", "black": "#141415", "grey": "#7f8082", "gray": "#7f8082",
    "charcoal": "#2f3134",
}  # fmt: skip
"""Colour word → sRGB hex. Hues as most people name them: blue, purple and lime lie where CSS and paint boxes agree."""

_RUST = Wear("patches", "#8a421b", 0.45, roughness=0.92, metallic=0.1, relief=0.25)
_PATINA = Wear("patches", "#4f9c86", 0.5, roughness=0.85)
_DIRT = Wear("patches", "#3d3226", 0.35, roughness=0.95, relief=0.05)
_DUST = Wear("tops", "#b3a68c", 0.5, roughness=0.95, relief=0.02)
_MUD = replace(_DIRT, amount=0.5, relief=0.3)
_STAIN = replace(_DIRT, amount=0.25)
_SOOT = replace(_DIRT, color="#0d0b0a", amount=0.5)
_MOSS = Wear("tops", "#4c6320", 0.4, roughness=1.0, relief=0.4)
_SNOW = Wear("tops", "#f3f7fb", 0.45, roughness=0.6, relief=0.4)
_EDGES = Wear("edges", "", 0.35, roughness=0.55, relief=-0.1)
_SCRATCHES = Wear("scratches", "", 0.4, roughness=0.65, relief=-0.25)
_CRACKS = Wear("cracks", "#1d1916", 0.3, roughness=0.95, relief=-0.6)
_CHIPS = Wear("chips", "#bdb4a6", 0.35, roughness=0.9, relief=-0.7)
_DENTS = Wear("dents", "", 0.4, roughness=0.5, relief=-1.0)

WEAR: dict[str, Wear] = {
    "rusty": _RUST, "rusted": _RUST, "rusting": _RUST, "corroded": replace(_RUST, amount=0.6), "corrosion": _RUST,
    "oxidized": _PATINA, "oxidised": _PATINA, "verdigris": replace(_PATINA, amount=0.55), "patina": _PATINA,
    "patinated": _PATINA, "tarnished": Wear("patches", "#2e2a22", 0.4, roughness=0.6, metallic=0.6, relief=0.0),
    "dirty": _DIRT, "dirt": _DIRT, "filthy": replace(_DIRT, amount=0.55), "grimy": _DIRT, "grime": _DIRT,
    "greasy": Wear("patches", "#2a2118", 0.3, roughness=0.2, relief=0.0), "stained": _STAIN, "stain": _STAIN,
    "dusty": _DUST, "dust": _DUST, "sandy": replace(_DUST, color="#d3b67e", roughness=0.95, relief=0.15),
    "muddy": _MUD, "burnt": _SOOT, "burned": _SOOT, "charred": replace(_SOOT, amount=0.65), "sooty": _SOOT,
    "soot": _SOOT, "scorched": _SOOT, "bloody": Wear("patches", "#5e0a0a", 0.3, roughness=0.25, relief=0.05),
    "mossy": _MOSS, "overgrown": replace(_MOSS, amount=0.6), "mouldy": replace(_MOSS, pattern="patches", amount=0.3),
    "snowy": _SNOW, "frosty": replace(_SNOW, color="#dcebf5", amount=0.35, relief=0.1),
    "frozen": replace(_SNOW, color="#cfe6f2"), "icy": replace(_SNOW, color="#cfe6f2", roughness=0.15),
    "worn": _EDGES, "worn out": replace(_EDGES, amount=0.6), "old": _EDGES, "ancient": replace(_EDGES, amount=0.7),
    "weathered": replace(_EDGES, amount=0.7), "antique": _EDGES, "used": _EDGES, "aged": _EDGES, "vintage": _EDGES,
    "scratched": _SCRATCHES, "scratch": _SCRATCHES, "scratches": _SCRATCHES, "scuffed": _SCRATCHES,
    "scuff": _SCRATCHES, "damaged": _SCRATCHES, "battered": _DENTS, "dented": _DENTS, "dent": _DENTS,
    "cracked": _CRACKS, "crack": _CRACKS, "broken": _CRACKS, "crackled": replace(_CRACKS, amount=0.1, relief=-0.2),
    "chipped": _CHIPS, "chip": _CHIPS, "chipping": _CHIPS, "peeling": replace(_CHIPS, amount=0.55), "flaking": _CHIPS,
    "flaked": _CHIPS,
}  # fmt: skip

COVERS: dict[str, str] = {
    "rust": "rusty", "moss": "mossy", "lichen": "mossy", "snow": "snowy", "mud": "muddy", "soil": "dirty",
    "frost": "frosty",
}  # fmt: skip
"""Materials that, named beside another one, lie on it ("stone covered in moss") → the wear that they are then."""

FINISH: dict[str, float] = {
    "polished": 0.35, "shiny": 0.35, "glossy": 0.3, "lacquered": 0.3, "varnished": 0.4, "glazed": 0.3, "wet": 0.25,
    "smooth": 0.7, "satin": 0.9, "oiled": 0.6, "unpolished": 1.4, "matte": 1.7, "matt": 1.7, "rough": 1.6, "dull": 1.5,
}  # fmt: skip
"""Words that multiply the roughness."""

TONE: dict[str, float] = {
    "dark": 0.5, "deep": 0.65, "light": 1.35, "bright": 1.25, "pale": 1.35, "faded": 1.25, "bleached": 1.45,
    "wet": 0.72, "oiled": 0.85,
}  # fmt: skip
"""Words that multiply the brightness: a wet surface is glossy and darker."""
