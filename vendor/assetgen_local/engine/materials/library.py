"""What the words of a texture prompt look like: materials, as data.

A material is a pattern (see :mod:`.patterns`) with two colours, roughness and relief. To teach the engine a new word,
add a row. Colours are written as sRGB hex, as one picks them from a photo.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Swatch:
    """A material.

    Attributes:
        pattern: A key of :data:`.shading.PATTERNS`.
        dark: Colour where the pattern is 0, sRGB hex.
        light: Colour where the pattern is 1.
        accent: Colour of what the pattern sets apart (joints, veins, knots).
        scale: Size of the pattern: features over the model's largest side, relative to the pattern's own default.
        roughness: Where the pattern is 0 and where it is 1.
        metallic: 0 for everything but metals.
        relief: Strength of the bumps, 0 to 1.
        tinted: Whether a colour word changes it wholly; otherwise it is mixed in (a "red brick" stays a brick).
        opacity: Below 1 for what one sees through. The accent is always opaque.
        glow: Light that the accent gives off by itself, relative to its colour.
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
    opacity: float = 1.0
    glow: float = 0.0


_IRON = Swatch("forged", "#232427", "#64676b", roughness=(0.62, 0.4), metallic=1.0, relief=0.3)
_STEEL = Swatch("brushed", "#8b8e92", "#c2c5c8", roughness=(0.22, 0.38), metallic=1.0, relief=0.08)
_GOLD = Swatch("hammered", "#d99b2b", "#ffd36b", roughness=(0.16, 0.3), metallic=1.0, relief=0.12)
_OAK = Swatch("wood", "#6b4423", "#b98a55", roughness=(0.6, 0.45), relief=0.25)
_WALNUT = Swatch("fine_wood", "#2a180d", "#74502f", roughness=(0.55, 0.4), relief=0.15)
_BIRCH = Swatch("birch", "#c9a878", "#ecd9b4", accent="#7d5c3a", roughness=(0.6, 0.5), relief=0.1)
_STONE = Swatch("stone", "#5e5b56", "#a39d93", roughness=(0.95, 0.8), relief=0.6)
_CLOTH = Swatch("weave", "#7d7464", "#d3cab8", roughness=(0.95, 0.85), relief=0.4)
_LEATHER = Swatch("leather", "#2c170c", "#85522e", roughness=(0.72, 0.4), relief=0.4)
_PLASTIC = Swatch("smooth", "#c9c9c9", "#d6d6d6", roughness=(0.32, 0.4), relief=0.03)
_CERAMIC = Swatch("smooth", "#dfdcd2", "#f2efe6", roughness=(0.1, 0.16), relief=0.04)
_CLAY = Swatch("stone", "#9a8f83", "#c2b8ab", scale=0.7, roughness=(0.8, 0.7), relief=0.2)
_SKIN = Swatch("skin", "#b8785c", "#e3b094", accent="#c4604f", roughness=(0.6, 0.42), relief=0.2)
_GEM = Swatch("facets", "#7fa6d6", "#d6e6fb", roughness=(0.03, 0.1), relief=0.6, opacity=0.6)
_FUR = Swatch("fur", "#3a2818", "#a8825c", roughness=(0.95, 0.8), relief=0.7)
_FELT = Swatch("felt", "#5e5a58", "#9a9592", roughness=(1.0, 0.95), relief=0.35)
_JADE = Swatch("banded", "#2d6b46", "#7db88a", accent="#a8d4ac", roughness=(0.14, 0.22), relief=0.03)

_METALS = {
    "iron": _IRON,
    "cast iron": replace(_IRON, pattern="pitted", dark="#1f2022", light="#434548", scale=1.6, relief=0.3),
    "steel": _STEEL, "stainless steel": replace(_STEEL, dark="#a5a8ac", light="#dadcdf", roughness=(0.16, 0.3)),
    "metal": replace(_STEEL, dark="#6d7074", light="#a5a8ac"),
    "aluminium": replace(_STEEL, dark="#b3b5b8", light="#e4e5e7", scale=1.6, roughness=(0.3, 0.46)),
    "titanium": replace(_STEEL, dark="#77736e", light="#a8a39c", roughness=(0.3, 0.45)),
    "galvanized steel": Swatch("spangled", "#868c92", "#c3c9ce", roughness=(0.5, 0.3), metallic=1.0, relief=0.05),
    "chrome": Swatch("smooth", "#d4d6d9", "#e6e8ea", roughness=(0.04, 0.08), metallic=1.0, relief=0.0),
    "silver": replace(_GOLD, dark="#b8b8b6", light="#f2f1ec"),
    "platinum": replace(_GOLD, pattern="smooth", dark="#b9b6b0", light="#dedbd4", roughness=(0.1, 0.18), relief=0.02),
    "pewter": replace(_IRON, dark="#5d5f62", light="#8f9195", roughness=(0.45, 0.6), relief=0.15),
    "gold": _GOLD,
    "rose gold": replace(_GOLD, dark="#b9705c", light="#f0b8a4"),
    "brass": replace(_GOLD, pattern="brushed", dark="#8a6a24", light="#d9b356", roughness=(0.24, 0.42), relief=0.08),
    "bronze": replace(_GOLD, pattern="forged", dark="#472c14", light="#a9743a", roughness=(0.55, 0.3), relief=0.2),
    "copper": replace(_GOLD, dark="#8c3f20", light="#de8a5c", roughness=(0.2, 0.38)),
    "lead": replace(_IRON, dark="#4b4e53", light="#74777c", roughness=(0.5, 0.7), scale=0.7),
    "rust": Swatch("patchy", "#4a1f0c", "#b5602a", accent="#7c3414", roughness=(0.95, 0.8), metallic=0.1, relief=0.6),
    "carbon fiber": Swatch("carbon", "#0b0c0d", "#3a3d40", roughness=(0.3, 0.18), metallic=0.4, relief=0.05),
}  # fmt: skip

_WOODS = {
    "wood": _OAK, "oak": _OAK,
    "pine": replace(_OAK, dark="#b07d43", light="#e3bd84"),
    "cedar": replace(_OAK, dark="#80381f", light="#c4764a", scale=1.3),
    "ash wood": replace(_OAK, dark="#a58a62", light="#dcc7a0"),
    "driftwood": replace(_OAK, dark="#6f6a62", light="#b5aea2"),
    "birch": _BIRCH, "beech": replace(_BIRCH, dark="#a8683f", light="#d99f78"),
    "maple": replace(_BIRCH, dark="#cf9d58", light="#efd094", accent="#a87440"),
    "walnut": _WALNUT, "rosewood": replace(_WALNUT, dark="#2a0f0c", light="#6e2f22", roughness=(0.4, 0.3)),
    "mahogany": replace(_WALNUT, dark="#3b120b", light="#8a381f", roughness=(0.4, 0.28)),
    "cherry": replace(_WALNUT, dark="#6e3018", light="#b8683c", roughness=(0.45, 0.32)),
    "teak": replace(_WALNUT, dark="#6b4420", light="#b07d44"),
    "ebony": replace(_WALNUT, dark="#0e0a08", light="#2e241f", roughness=(0.38, 0.26)),
    "plank": Swatch("planks", "#5d3d22", "#a97c4c", accent="#20140b", roughness=(0.75, 0.55), relief=0.5),
    "bark": Swatch("bark", "#2b1d13", "#6e543d", roughness=(1.0, 0.85), relief=1.0),
    "bamboo": Swatch("bamboo", "#8f7a34", "#dcc47c", accent="#7a6228", roughness=(0.5, 0.35), relief=0.5),
    "cork": Swatch("patchy", "#7a5130", "#c99a66", accent="#4e311b", scale=2.5, roughness=(0.9, 0.8), relief=0.3),
    "wicker": Swatch("plaited", "#6e4a24", "#cda067", roughness=(0.75, 0.6), relief=0.8),
}  # fmt: skip

_MINERALS = {
    "stone": _STONE,
    "rock": Swatch("rocky", "#37332f", "#8f877c", roughness=(0.98, 0.85), relief=0.9),
    "granite": Swatch("speckled", "#4a4848", "#cbc5bf", accent="#a0665a", roughness=(0.4, 0.3), relief=0.06),
    "marble": Swatch("marble", "#e9e6e1", "#faf8f4", accent="#6d6b70", roughness=(0.18, 0.12), relief=0.02),
    "slate": Swatch("cleft", "#20262c", "#5a646d", roughness=(0.85, 0.65), relief=0.4),
    "sandstone": Swatch("strata", "#9c6b3c", "#e2c292", roughness=(0.98, 0.9), relief=0.45),
    "limestone": Swatch("pitted", "#b0a488", "#ded6c2", roughness=(0.95, 0.85), relief=0.3),
    "travertine": Swatch("strata", "#b79b78", "#e6d8c0", scale=0.7, roughness=(0.5, 0.35), relief=0.2),
    "basalt": Swatch("rocky", "#141517", "#484a4e", scale=1.6, roughness=(0.95, 0.8), relief=0.6),
    "obsidian": Swatch("smooth", "#060608", "#141318", roughness=(0.05, 0.12), relief=0.1),
    "coal": Swatch("facets", "#070707", "#2a2a2d", scale=1.8, roughness=(0.5, 0.22), relief=0.8),
    "concrete": Swatch("pitted", "#7d7d78", "#b4b3ad", roughness=(0.95, 0.85), relief=0.2),
    "asphalt": Swatch("aggregate", "#2a2b2c", "#57585a", accent="#121213", scale=4.0, roughness=(0.95, 0.8),
                      relief=0.3),
    "gravel": Swatch("aggregate", "#5c574f", "#b3aa9c", accent="#37322b", scale=1.2, roughness=(0.95, 0.85),
                     relief=0.9),
    "cobblestone": Swatch("aggregate", "#4c4a48", "#8f8b86", accent="#2a2723", scale=0.5, roughness=(0.9, 0.7),
                          relief=1),
    "brick": Swatch("bricks", "#6e2f1e", "#b0593c", accent="#b9b0a2", roughness=(0.95, 0.85), relief=0.7, tinted=False),
    "terracotta": replace(_CLAY, dark="#96482c", light="#c9734d"),
    "clay": _CLAY,
    "plaster": replace(_CLAY, dark="#cfc9be", light="#ece8df"),
    "stucco": replace(_CLAY, dark="#c8b894", light="#e9dfc6", scale=2.2, roughness=(0.98, 0.9), relief=0.6),
    "chalk": replace(_CLAY, dark="#e2e0da", light="#f6f5f1", roughness=(1.0, 0.95), relief=0.1),
    "salt": Swatch("drifted", "#e4e2dd", "#fbfaf8", accent="#ffffff", roughness=(0.6, 0.45), relief=0.3),
    "ceramic": _CERAMIC,
    "porcelain": replace(_CERAMIC, dark="#eceae6", light="#fbfaf7", roughness=(0.06, 0.1)),
    "tile": Swatch("tiles", "#d8d5cc", "#efece4", accent="#77736b", roughness=(0.15, 0.22), relief=0.4, tinted=False),
    "glass": Swatch("smooth", "#a9cdd3", "#d3ebee", roughness=(0.02, 0.06), relief=0.02, opacity=0.32),
    "ice": Swatch("frosted", "#8fbdd6", "#dff2fa", accent="#f7fcff", roughness=(0.08, 0.25), relief=0.2, opacity=0.8),
    "crystal": _GEM, "diamond": replace(_GEM, dark="#d9e4ee", light="#f8fbff", roughness=(0.0, 0.04), opacity=0.5),
    "quartz": replace(_GEM, dark="#cfc6c8", light="#f4eeee", opacity=0.7),
    "amethyst": replace(_GEM, dark="#4a1f86", light="#a577dc"),
    "jade": _JADE, "malachite": replace(_JADE, dark="#06402a", light="#2f9a68", accent="#7fd0a4"),
    "agate": replace(_JADE, dark="#7a3a1e", light="#e0a878", accent="#f6e8d8"),
    "pearl": replace(_CERAMIC, dark="#e2dad6", light="#f8f3f0", roughness=(0.12, 0.2), metallic=0.25),
    "lava": Swatch("veins", "#120a08", "#33201a", accent="#ff6a12", roughness=(0.95, 0.7), relief=0.8, tinted=False,
                   glow=2.5),
    "water": Swatch("smooth", "#123c52", "#2b7a94", roughness=(0.03, 0.08), relief=0.2, opacity=0.75),
    "sand": Swatch("sand", "#b8935c", "#e6cd9c", roughness=(0.95, 0.9), relief=0.35),
    "snow": Swatch("drifted", "#d3e2f0", "#fbfdff", accent="#ffffff", roughness=(0.75, 0.5), relief=0.4),
    "soil": Swatch("patchy", "#2a1c12", "#5f452f", accent="#3a281a", scale=1.6, roughness=(1.0, 0.95), relief=0.8),
    "mud": Swatch("patchy", "#2c2015", "#5d4732", accent="#3a2c1e", roughness=(0.7, 0.35), relief=0.5),
}  # fmt: skip

_FABRICS = {
    "fabric": _CLOTH,
    "cotton": replace(_CLOTH, dark="#b9b3a8", light="#f2eee6", scale=1.4, relief=0.25),
    "linen": replace(_CLOTH, dark="#8f7f60", light="#e0d4ba", scale=0.8),
    "canvas": replace(_CLOTH, dark="#8d8467", light="#c9bfa0", scale=0.9, relief=0.6),
    "denim": Swatch("twill", "#16233f", "#6682ad", roughness=(0.95, 0.88), relief=0.35),
    "silk": Swatch("brushed", "#98263f", "#e0677e", scale=0.25, roughness=(0.34, 0.22), metallic=0.15, relief=0.03),
    "velvet": replace(_FELT, dark="#2c0815", light="#84264a"),
    "felt": _FELT, "suede": replace(_FELT, dark="#6a4a30", light="#a9825c", scale=1.5, relief=0.2),
    "burlap": Swatch("plaited", "#6b5330", "#c2a26c", scale=2.4, roughness=(1.0, 0.95), relief=0.6),
    "wool": Swatch("knit", "#94876f", "#efe7d7", roughness=(1.0, 0.95), relief=0.8),
    "nylon": replace(_CLOTH, dark="#34383c", light="#5a6066", scale=2.0, roughness=(0.5, 0.4), relief=0.1),
    "carpet": Swatch("tufted", "#4e1f28", "#a04a58", roughness=(1.0, 0.95), relief=0.7),
    "leather": _LEATHER,
    "fur": _FUR, "pelt": replace(_FUR, dark="#8a7b68", light="#c2b29c", scale=1.8, relief=0.4),
    "feather": Swatch("feathers", "#5a5552", "#d8d2ca", roughness=(0.85, 0.7), relief=0.5),
}  # fmt: skip

_OTHERS = {
    "plastic": _PLASTIC,
    "rubber": Swatch("stippled", "#171718", "#2b2b2c", roughness=(0.85, 0.92), relief=0.12),
    "foam": Swatch("pitted", "#d2b640", "#f0df84", scale=1.5, roughness=(1.0, 0.95), relief=0.3),
    "paint": replace(_PLASTIC, dark="#dfe0e0", light="#ececeb", roughness=(0.2, 0.28)),
    "enamel": replace(_PLASTIC, dark="#cddaea", light="#e2ebf5", roughness=(0.06, 0.1)),
    "paper": Swatch("felt", "#dbd0b6", "#f4ecd9", scale=0.6, roughness=(0.9, 0.97), relief=0.06),
    "cardboard": Swatch("brushed", "#9c7648", "#c49c6b", scale=0.5, roughness=(0.95, 0.9), relief=0.15),
    "wax": Swatch("smooth", "#e7d8ae", "#f4ead0", roughness=(0.35, 0.45), relief=0.05),
    "chocolate": Swatch("smooth", "#2e170c", "#46240f", roughness=(0.32, 0.42), relief=0.08),
    "bone": Swatch("pitted", "#b8a378", "#efe6cf", scale=1.3, roughness=(0.62, 0.45), relief=0.2),
    "ivory": replace(_CERAMIC, dark="#e0d2ab", light="#f6efdb", roughness=(0.25, 0.35)),
    "grass": Swatch("fur", "#23400f", "#79a63a", accent="#b6b04f", roughness=(0.95, 0.8), relief=0.7),
    "straw": Swatch("fur", "#8f6d28", "#e2c46e", accent="#f0dc9c", scale=0.8, roughness=(0.85, 0.7), relief=0.7),
    "moss": Swatch("tufted", "#1c2f08", "#76902f", scale=1.6, roughness=(1.0, 0.95), relief=0.8),
    "leaf": Swatch("cells", "#24491a", "#6a9a35", accent="#a3bf63", roughness=(0.55, 0.4), relief=0.3),
    "foliage": Swatch("cells", "#24491a", "#6a9a35", accent="#a3bf63", scale=1.6, roughness=(0.7, 0.5), relief=0.6),
    "skin": _SKIN, "flesh": replace(_SKIN, dark="#a8503f", light="#d88f7c"),
    "scale": Swatch("scales", "#1f3d24", "#6a9450", accent="#101c10", roughness=(0.55, 0.3), relief=0.8),
    "dragon": Swatch("scales", "#3d120d", "#9a3420", accent="#140605", roughness=(0.5, 0.3), relief=0.9),
}  # fmt: skip

_SYNONYMS = {
    "wooden": "wood", "timber": "wood", "aluminum": "aluminium", "mirror": "chrome", "metallic": "metal",
    "zinc": "galvanized steel", "wrought iron": "iron", "golden": "gold", "gilded": "gold",
    "steely": "steel", "brazen": "brass", "stony": "stone",
    "planks": "plank", "floorboard": "plank", "rattan": "wicker", "rocky": "rock",
    "cement": "concrete", "tarmac": "asphalt", "cobble": "cobblestone", "brickwork": "brick", "masonry": "brick",
    "earthenware": "terracotta", "pottery": "terracotta",
    "magma": "lava", "molten": "lava", "gem": "crystal", "gemstone": "crystal", "earth": "soil", "dirt soil": "soil",
    "carbon fibre": "carbon fiber", "galvanised steel": "galvanized steel", "painted": "paint",
    "cloth": "fabric", "textile": "fabric", "woven": "fabric", "jeans": "denim", "knit": "wool", "knitted": "wool",
    "woolen": "wool", "woollen": "wool", "hessian": "burlap", "furry": "fur",
    "fluffy": "fur", "feathers": "feather", "hide": "leather", "vinyl": "plastic", "acrylic": "plastic",
    "latex": "rubber", "leaves": "foliage", "lawn": "grass", "hay": "straw", "thatch": "straw", "reptile": "scale",
    "scaly": "scale", "snakeskin": "scale", "parchment": "paper", "lichen": "moss", "frost": "snow",
}  # fmt: skip

MATERIALS: dict[str, Swatch] = {**_METALS, **_WOODS, **_MINERALS, **_FABRICS, **_OTHERS}
MATERIALS |= {word: MATERIALS[name] for word, name in _SYNONYMS.items()}
