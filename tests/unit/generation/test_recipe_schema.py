"""The schema that editors read says the same of recipes as the extension does."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import jsonschema_rs
import pytest
from asset_generation.addon.core.recipes.shipped import SHIPPED
from asset_generation.vendor.assetgen.contract import CAPABILITIES
from load_extension import ROOT

SCHEMA = json.loads((ROOT / "docs" / "recipe.schema.json").read_text(encoding="utf-8"))
CHECK = jsonschema_rs.Draft7Validator(SCHEMA)


def errors(text: str) -> list[Any]:
    return list(CHECK.iter_errors(tomllib.loads(text)))


def test_it_is_a_schema() -> None:
    assert jsonschema_rs.meta.is_valid(SCHEMA)


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_the_recipes_that_come_along_are_right(path: Any) -> None:
    assert errors(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", CAPABILITIES)
def test_a_step_of_each_capability_is_known_with_its_fields(name: str) -> None:
    assert errors(f'[[step]]\nname = "a"\nuse = "{name}"\nfrom = "b"\npriority = 2') == []
    assert errors(f'[[step]]\nname = "a"\nuse = "{name}"\nnever = 2')


@pytest.mark.parametrize(
    ("rest", "is_right"),
    [
        ("face_limit = 900", True),
        ('face_limit = "{faces}"', True),
        ('face_limit = "many"', False),
        ("priority = 9", False),
        ('model_version = "v9"', False),
        ('out = "a.glb"', True),
        ('out = ["a.glb", "{x}.blend"]', True),
        ('out = "a.{ending}"', True),
        ('out = "a.dae"', False),
        ("each = { face_limit = [1, 2] }", True),
        ("each = [{ face_limit = 1 }]", True),
        ("each = { face_limit = 1 }", False),
        ("from = 5", False),
        ("extra = { x = 1 }", True),
    ],
)
def test_what_a_step_can_have(rest: str, is_right: bool) -> None:
    assert (errors(f'[[step]]\nname = "a"\nuse = "decimate"\n{rest}') == []) == is_right


@pytest.mark.parametrize("text", ["", "[recipes]", '[variables]\nstep = 1\n[[step]]\nname = "a"\nuse = "rig"'])
def test_what_is_no_recipe(text: str) -> None:
    assert errors(text)
