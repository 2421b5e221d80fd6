"""Made-up files: lines are found whatever stands around them, and whatever is no recipe is refused as such."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from asset_generation.addon.core.recipes.planning import make_plan
from asset_generation.addon.core.recipes.recipe import RecipeError
from asset_generation.addon.core.recipes.recipe_file import RECIPE_KEYS, STEP_KEYS, TABLES, VARIABLE_KEYS, parse_recipe
from asset_generation.addon.core.recipes.toml_lines import Lines
from asset_generation.addon.core.recipes.variables import BadValue, filled, names_in
from asset_generation.vendor.assetgen.contract import CAPABILITIES
from hypothesis import given
from hypothesis import strategies as st

PATH = Path("/nowhere/recipe.toml").absolute()

KEYS = st.text("abcdefg_-019", min_size=1, max_size=5)
BARE = st.sampled_from(["1", "2.5", "true", '"#x"', "'[[y]]'", '"a = \\" b"', "1979-05-27", '""', "''"])
LONG = st.sampled_from(
    [
        '"""\n[table]\nkey = 1 # no\n"""',
        "'''\n\"a\"\n'''",
        "[\n 1, # ] \n 2,\n]",
        '[{ a = "]" },\n { a = 2 }]',
        '"""x\\""""',
    ]
)
VALUES = st.one_of(BARE, LONG)
BETWEEN = st.sampled_from(["", "\n", "# [no] = 5\n", "   \n\t# x\n"])


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict[tuple[str | int, ...], int]]:
    """A TOML file, and the lines of its keys."""
    text, lines = "", {}

    def keys(path: tuple[str | int, ...]) -> None:
        nonlocal text
        for key in draw(st.lists(KEYS, max_size=3, unique=True)):
            text += draw(BETWEEN)
            lines[(*path, key)] = text.count("\n") + 1
            quoted = draw(st.sampled_from([key, json.dumps(key), f"'{key}'"]))
            text += f"{draw(st.sampled_from(['', '  ']))}{quoted} = {draw(VALUES)} # {{\n"

    keys(())
    tables = {str(path[0]) for path in lines}
    for name in draw(st.lists(KEYS, max_size=3, unique=True)):
        if name in tables:
            continue
        if draw(st.booleans()):
            lines[(name,)] = text.count("\n") + 1
            text += f"[{name}]\n"
            keys((name,))
        else:
            for place in range(draw(st.integers(1, 3))):
                text += draw(BETWEEN)
                lines[(name, place)] = text.count("\n") + 1
                text += f"[[ {name} ]]\n"
                keys((name, place))
    return text, lines


@given(documents())
def test_every_key_is_found_in_its_line(made: tuple[str, dict[tuple[str | int, ...], int]]) -> None:
    text, lines = made
    tomllib.loads(text)  # else the test itself is wrong
    found = Lines(text)
    assert {path: found.of(*path) for path in lines} == lines
    assert found.of("never", "there") == 1


PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 99999), st.floats(allow_nan=False), st.text(max_size=9),
    st.sampled_from(["{x}", "{source}.glb", "a.glb", "base", "{", "preset:walk"]),
)  # fmt: skip
JSON = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=6
)
NAMES = st.sampled_from([*TABLES, *RECIPE_KEYS, *VARIABLE_KEYS, *STEP_KEYS, "x", "face_limit", "prompt", "extra"])
STEPS = st.fixed_dictionaries(
    {"name": st.sampled_from(["base", "other", "x y"]), "use": st.sampled_from([*CAPABILITIES, "fly"])},
    optional={
        name: JSON for name in ("from", "each", "out", "face_limit", "prompt", "model_version", "files", "extra")
    },
)
RECIPES = st.fixed_dictionaries(
    {},
    optional={
        "recipe": st.dictionaries(NAMES, JSON, max_size=3) | JSON,
        "variables": st.dictionaries(KEYS, st.dictionaries(NAMES, JSON, max_size=3) | JSON, max_size=3) | JSON,
        "step": st.lists(STEPS, max_size=3) | JSON,
    },
)


def toml(value: Any) -> str:
    """A value as TOML, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, float):
        return "inf" if value == float("inf") else "-inf" if value == -float("inf") else f"{value:.9f}"
    return json.dumps(value) if value is not None else '""'


@given(RECIPES, st.dictionaries(KEYS, PLAIN, max_size=2))
def test_whatever_is_no_recipe_is_refused_as_one(document: dict[str, Any], values: dict[str, Any]) -> None:
    text = "\n".join(f"{key} = {toml(value)}" for key, value in document.items()).replace("\x7f", "")
    try:
        plan = make_plan(parse_recipe(text, PATH), values, PATH.parent)
    except RecipeError as error:
        assert error.troubles
        assert all(1 <= line <= len(text.splitlines()) + 1 and sentence for line, sentence in error.troubles)
    else:
        assert plan.jobs


@given(st.text(max_size=40))
def test_a_text_with_doubled_braces_is_itself(text: str) -> None:
    doubled = text.replace("{", "{{").replace("}", "}}")
    assert names_in(doubled) == frozenset()
    assert filled(doubled, {}) == text


@given(st.text(max_size=20))
def test_any_text_has_names_or_is_refused(text: str) -> None:
    try:
        names = names_in(text)
    except BadValue:
        return
    assert isinstance(filled(text, dict.fromkeys(names, "value")), str)
