"""What the words of a texture prompt become, measured on small bakes of all of them at once."""

from __future__ import annotations

import colorsys
import re
from pathlib import Path

import numpy as np
import pytest
from support.engine.engine_run import needs_bpy
from support.engine.surfaces_baked import Baked, bake_surfaces

pytestmark = needs_bpy

WORDS = re.findall(
    r"[a-z]+",
    """
    oak pine walnut mahogany ebony bamboo plank bark cork wicker
    stone rock marble granite sandstone slate limestone brick concrete cobblestone
    iron steel copper brass bronze gold silver chrome aluminium rust
    fabric denim linen velvet silk wool leather carpet fur feather
    ceramic terracotta tile glass plastic rubber paper cardboard wax bone
    skin scale sand snow ice lava moss grass soil water crystal jade
""",
)

SYNONYMS = {
    "wooden": "wood", "timber": "wood", "cement": "concrete", "aluminum": "aluminium", "golden": "gold",
    "cloth": "fabric", "woolen": "wool", "knitted": "wool", "jeans": "denim", "magma": "lava", "rattan": "wicker",
    "latex": "rubber", "furry": "fur", "stones": "stone", "bricks": "brick", "porcelain": "porcelain",
}  # fmt: skip

HUES = {
    "red": 0, "orange": 32, "yellow": 60, "green": 120, "cyan": 180, "teal": 180, "turquoise": 174, "blue": 236,
    "navy": 240, "purple": 285, "violet": 272, "magenta": 300, "pink": 345, "crimson": 348, "brown": 25, "olive": 60,
}  # fmt: skip
"""Degrees on the colour circle, as most tables of colour names have them."""

TINTED = ("plastic", "ceramic", "leather", "fabric", "steel", "")

WEAR = re.findall(
    r"[a-z]+",
    """
    worn scratched dirty dusty polished wet mossy rusty chipped cracked muddy burnt dented peeling snowy frosty patina
    tarnished sooty bloody overgrown matte dark
""",
)

PHRASES = {
    "covered": "stone covered in moss", "mossy": "mossy stone", "with rust": "iron with rust", "rusty": "rusty iron",
    "denied": "iron without rust", "clean": "iron", "both": "gold and marble", "rose": "rose gold", "gold": "gold",
    "red gold": "red gold", "unknown": "xyzzy", "pale": "light blue plastic", "deep": "dark blue plastic",
    "blue": "blue plastic", "glass": "glass", "lava": "lava", "dirty glass": "dirty glass",
    "enamelled": "polished gold with blue enamel",
}  # fmt: skip


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Baked], dict[str, str]]:
    prompts = {f"{color} {base}": f"a {color} {base} thing" for color in HUES for base in TINTED}
    prompts |= {f"wear {word}": f"{word} blue metal" for word in WEAR} | {"wear": "blue metal"}
    prompts |= {f"phrase {key}": words for key, words in PHRASES.items()}
    return bake_surfaces(tmp_path_factory.mktemp("sheet"), prompts, materials=True)


def phrase(sheet: tuple[dict[str, Baked], dict[str, str]], key: str) -> Baked:
    return sheet[0][f"phrase {key}"]


@pytest.mark.slow
def test_it_knows_these_words_and_more(sheet: tuple[dict[str, Baked], dict[str, str]]) -> None:
    _, materials = sheet
    assert not [word for word in WORDS if word not in materials]
    assert len(set(materials.values())) > 80
    for word, same in SYNONYMS.items():
        plain = word.removesuffix("s") if word not in materials else word
        assert materials[plain] == materials[same], word


@pytest.mark.slow
def test_no_two_materials_look_alike(sheet: tuple[dict[str, Baked], dict[str, str]]) -> None:
    baked, materials = sheet

    def too_near(names: list[str], least: float) -> list[str]:
        values = np.array([baked[name].statistics() for name in names])
        apart = np.linalg.norm(values[:, None] - values[None], axis=2)
        return [f"{names[i]} and {names[j]}: {apart[i, j]:.3f}" for i, j in np.argwhere(apart < least) if i < j]

    assert not too_near(sorted(set(materials.values())), 0.08)
    assert not too_near(sorted({materials[word] for word in WORDS}), 0.1)


def test_metals_are_metal_and_nothing_else_is(sheet: tuple[dict[str, Baked], dict[str, str]]) -> None:
    looks, materials = sheet
    baked = {word: looks[materials[word]] for word in WORDS}
    metals = ("iron", "steel", "copper", "brass", "bronze", "gold", "silver", "chrome", "aluminium")
    for name in WORDS:
        mean = baked[name].metallic.mean()
        assert mean > 0.95 if name in metals else mean < 0.3, f"{name}: {mean:.2f}"
    rough = {name: baked[name].roughness.mean() for name in WORDS}
    assert max(rough[name] for name in ("chrome", "glass", "ceramic", "marble", "water")) < 0.2
    assert min(rough[name] for name in ("brick", "wool", "concrete", "rubber", "moss", "soil", "sandstone")) > 0.8


@pytest.mark.parametrize("color", HUES)
def test_a_colour_word_gives_its_hue_on_every_material_that_takes_it(
    sheet: tuple[dict[str, Baked], dict[str, str]], color: str
) -> None:
    for base in TINTED:
        hue, _lightness, saturation = sheet[0][f"{color} {base}"].hls
        off = abs((hue - HUES[color] + 180) % 360 - 180)
        assert off < 20, f"{color} {base}: hue {hue:.0f}, not {HUES[color]}"
        assert saturation > 0.25, f"{color} {base}"


def test_every_word_for_wear_changes_the_surface(sheet: tuple[dict[str, Baked], dict[str, str]]) -> None:
    baked, _ = sheet
    clean = baked["wear"]
    for word in WEAR:
        worn = baked[f"wear {word}"]
        change = np.abs(worn.color - clean.color).mean() + np.abs(worn.roughness - clean.roughness).mean()
        assert change > (0.004 if word == "scratched" else 0.015), f"{word}: {change:.4f}"
    assert baked["wear polished"].roughness.mean() < 0.6 * clean.roughness.mean() < baked["wear matte"].roughness.mean()
    wet = baked["wear wet"]
    assert wet.roughness.mean() < 0.5 * clean.roughness.mean() and wet.color.mean() < 0.9 * clean.color.mean()
    tops, bottoms = np.s_[40:], np.s_[:16]  # bottom row first
    moss = np.abs(baked["wear mossy"].color - clean.color).mean(axis=2)
    assert moss[tops].mean() > 3 * moss[bottoms].mean(), "moss grows on top"
    assert baked["wear rusty"].metallic.std() > 0.2, "rust is no metal, what lies beneath is"


def test_what_lies_on_a_material_what_is_denied_and_what_stands_beside(
    sheet: tuple[dict[str, Baked], dict[str, str]],
) -> None:
    for first, second in (("covered", "mossy"), ("with rust", "rusty"), ("denied", "clean")):
        assert np.allclose(phrase(sheet, first).color, phrase(sheet, second).color, atol=0.005), first
    metal = phrase(sheet, "both").metallic
    assert 0.1 < (metal > 0.9).mean() < 0.9 and 0.1 < (metal < 0.1).mean() < 0.9, "gold here, marble there"
    inlay = phrase(sheet, "enamelled")
    for metal, hue in ((True, 43), (False, 236)):  # the metal is golden, what is no metal blue
        here = inlay.metallic > 0.95 if metal else inlay.metallic < 0.05
        red, green, blue = inlay.color[here].mean(axis=0)
        assert 0.2 < here.mean() < 0.8
        assert abs(colorsys.rgb_to_hls(red, green, blue)[0] * 360 - hue) < 12
    assert phrase(sheet, "rose").hls[0] > 8, "rose gold is a metal, not gold in the colour rose"
    assert phrase(sheet, "red gold").hls[0] > 350
    assert np.ptp([phrase(sheet, name).hls[1] for name in ("deep", "blue", "pale")]) > 0.2
    deep, plain, pale = (phrase(sheet, name).hls[1] for name in ("deep", "blue", "pale"))
    assert deep < plain < pale
    assert phrase(sheet, "unknown").roughness.mean() > 0.6, "a pale clay where no word is known"


def test_one_sees_through_glass_but_not_through_the_dirt_on_it(
    sheet: tuple[dict[str, Baked], dict[str, str]],
) -> None:
    assert phrase(sheet, "glass").opacity.max() < 0.5
    assert phrase(sheet, "lava").opacity.min() > 0.99
    dirty = phrase(sheet, "dirty glass").opacity
    assert dirty.min() < 0.5 and dirty.max() > 0.95


def test_another_seed_is_another_piece_of_the_same_material(tmp_path: Path) -> None:
    words = {name: name for name in ("oak", "marble", "granite", "leather", "rusty iron")}
    first, _ = bake_surfaces(tmp_path / "1", words, seed=1)
    again, _ = bake_surfaces(tmp_path / "2", words, seed=1, alone=True)
    other, _ = bake_surfaces(tmp_path / "3", words, seed=2)
    for name in words:
        assert np.array_equal(first[name].color, again[name].color)
        assert np.abs(first[name].color - other[name].color).mean() > 0.005, name
        assert np.abs(first[name].color.mean() - other[name].color.mean()) < 0.1, name
