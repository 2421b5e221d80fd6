"""What is said of fields before anything is sent: all that is wrong, each with its field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from asset_generation.addon.core.requests.field_troubles import FieldTrouble, field_troubles
from asset_generation.addon.core.settings import Region

P2 = "P2-20260801"
ANIMATIONS = "idle, walk, run, jump, turn, climb, slash, shoot, hurt, fall, dive, quadruped:walk"


@pytest.mark.parametrize(
    ("name", "fields", "field", "sentence"),
    [
        ("decimate", {"face_limit": 100}, "face_limit", "Face Limit is 100; allowed: 500 to 20000"),
        (
            "decimate",
            {"face_limit": 15_000, "quad": True},
            "face_limit",
            "Face Limit is 15000; allowed: 500 to 10000 with quad",
        ),
        (
            "texture",
            {"text": "oak", "image": "file_x"},
            "text",
            "Give exactly one of text, image and images; given: text, image",
        ),
        ("image_to_model", {"model_version": P2, "file": "/nowhere.png"}, "file", "There is no file /nowhere.png"),
        (
            "text_to_model",
            {"prompt": "x" * 2000, "model_version": P2},
            "prompt",
            "Prompt is a text of 2000 characters; ",
        ),
    ],
)
def test_what_the_declaration_knows_is_said_of_its_field(
    name: str, fields: dict[str, Any], field: str, sentence: str
) -> None:
    (trouble,) = field_troubles(name, fields)
    assert trouble.field == field
    assert not trouble.is_missing
    assert trouble.sentence.startswith(sentence)


@pytest.mark.parametrize("name", ["texture", "decimate"])
def test_what_is_right_is_not_spoken_of(name: str) -> None:
    fields = {"texture": {"text": "oak"}, "decimate": {"face_limit": 500}}[name]
    assert field_troubles(name, fields, region=Region.LOCAL) == ()


def test_what_is_missing_does_not_hide_what_is_wrong(tmp_path: Path) -> None:
    missing, wrong = field_troubles("text_to_model", {"model_version": P2, "face_limit": 10})
    assert (missing.field, missing.is_missing) == ("prompt", True)
    assert (wrong.field, wrong.is_missing) == ("face_limit", False)
    assert wrong.sentence == f"Face Limit is 10; allowed: 48 to 50000 for {P2}"


def test_two_wrong_fields_are_both_named(tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("words")
    fields = {"model_version": P2, "face_limit": 10, "file": str(text)}
    found = {trouble.field: trouble.sentence for trouble in field_troubles("image_to_model", fields)}
    assert found.keys() == {"face_limit", "file"}
    assert found["file"].startswith("'a.txt' is a .txt file; this takes")


def test_the_local_engine_paints_nothing_without_words_or_an_image() -> None:
    assert field_troubles("texture", {}, region=Region.LOCAL) == (
        FieldTrouble("text", "Text is missing; give words or an image of the look", is_missing=True),
    )
    # The API asks for neither, so its service is only doubted.
    for region in (Region.INTERNATIONAL, Region.CUSTOM):
        (advice,) = field_troubles("texture", {}, region=region)
        assert advice == FieldTrouble("text", "Without words or an image the service chooses the look", is_advice=True)
    (wrong,) = field_troubles("texture", {"texture_seed": "red"})
    assert wrong.field == "texture_seed"
    assert not wrong.is_advice, "what is refused comes first"


@pytest.mark.parametrize("fields", [{"animation": "preset:wave"}, {"animations": ["walk", "preset:wave"]}])
def test_an_animation_that_the_local_engine_does_not_have_is_named_with_those_it_has(fields: dict[str, Any]) -> None:
    (trouble,) = field_troubles("retarget", fields, region=Region.LOCAL)
    (field,) = fields
    assert trouble == FieldTrouble(
        field, f'{field.capitalize()} is "preset:wave"; the local engine has {ANIMATIONS}', is_missing=False
    )
    assert field_troubles("retarget", fields, region=Region.CHINA) == (), "the API takes any name"


@pytest.mark.parametrize("name", ["preset:walk", "walk", " Preset:Walk ", "quadruped:walk"])
def test_an_animation_may_be_named_as_the_local_engine_reads_it(name: str) -> None:
    assert field_troubles("retarget", {"animation": name}, region=Region.LOCAL) == ()
