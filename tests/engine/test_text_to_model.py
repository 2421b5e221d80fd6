from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine.engine_run import LESS, WIDTH, needs_bpy, run_engine
from support.models.meshes import Glb, fbx_face_sizes, read_glb, read_png, uv_overlap
from support.models.surfaces import row_numbers

pytestmark = needs_bpy

ENGINE = "asset_generation.vendor.assetgen_local.engine"


def shapes(module: str) -> Any:
    return importlib.import_module(f"{ENGINE}.shapes.{module}")


def built(prompt: str, negative: str = "", seed: int | None = None, detail: float = 1.0) -> list[Any]:
    return list(shapes("catalog").build_parts(shapes("prompt_spec").read_prompt(prompt, negative, seed).finer(detail)))


def names(parts: list[Any]) -> list[str]:
    return [part.name for part in parts]


def starting(parts: list[Any], start: str) -> int:
    return sum(part.name.startswith(start) for part in parts)


def box(parts: list[Any]) -> Any:
    points = np.concatenate([part.solid.points for part in parts])
    return np.array((points.min(axis=0), points.max(axis=0)))


def assert_clean(part: Any) -> None:
    """Closed, every edge between two faces that agree about the outside, no face without area."""
    solid = part.solid
    starts = np.repeat(np.cumsum(solid.sizes) - solid.sizes, solid.sizes)
    here = np.arange(len(solid.corners))
    after = np.where(here + 1 < starts + np.repeat(solid.sizes, solid.sizes), here + 1, starts)
    ways = np.stack((solid.corners, solid.corners[after]), axis=1)
    assert len(np.unique(row_numbers(ways))) == len(ways), f"{part.name}: two faces run along an edge in one direction"
    _, count = np.unique(row_numbers(np.sort(ways, axis=1)), return_counts=True)
    assert (count == 2).all(), f"{part.name} is open or shares an edge"
    points = solid.points
    fans = np.cross(points[solid.corners] - points[solid.corners[starts]], points[solid.corners[after]])
    fans -= np.cross(points[solid.corners] - points[solid.corners[starts]], points[solid.corners[starts]])
    areas = np.zeros((len(solid.sizes), 3))
    np.add.at(areas, np.repeat(np.arange(len(solid.sizes)), solid.sizes), fans)
    assert np.linalg.norm(areas, axis=1).min() > 1e-12, f"{part.name} has a face without area"
    assert shapes("solid").volume(solid) > 0, f"{part.name} is inside out"


def families() -> list[str]:
    return [
        "chair", "table", "lamp", "mug", "bottle", "barrel", "tree", "rock", "crystal", "mushroom", "house", "tower",
        "sword", "shield", "crate", "car", "rocket", "character", "robot", "animal", "fish", "bird", "",
    ]  # fmt: skip


@pytest.mark.each_python
@pytest.mark.slow
@pytest.mark.parametrize("family", families())
def test_every_noun_gives_closed_clean_parts_on_the_floor(family: str) -> None:
    nouns = shapes("names").FAMILIES[family] if family else ("blorb", "qwerty", "something nice")
    for noun in nouns:
        spec = shapes("prompt_spec").read_prompt(noun)
        assert spec.family == family
        parts = shapes("catalog").build_parts(spec)
        for part in parts:
            assert_clean(part)
        low, high = box(parts)
        assert abs(low[2]) < 1e-9 and abs((high - low).max() - 1) < 1e-9, noun
        assert len(set(names(parts))) == len(parts), "names of parts are their own"


@pytest.mark.parametrize("detail", [0.35, 0.3])
def test_a_coarse_fish_keeps_its_bands(detail: float) -> None:
    parts = built("clownfish", detail=detail)
    assert starting(parts, "band") == 3
    for part in parts:
        assert_clean(part)


def test_all_families_are_tested() -> None:
    assert {*families()} == {*shapes("catalog").BUILDERS, ""}


def test_words_choose_counts_parts_and_proportions() -> None:
    assert [starting(built(f"{n}-legged stool"), "leg_") for n in ("three", "four", "six")] == [3, 4, 6]
    assert starting(built("a table with 5 legs"), "leg_") == 5
    assert starting(built("a mug with two handles"), "handle") == 2
    assert "handle" not in names(built("a mug with no handle")), "as the prompt says"
    assert "handle" not in names(built("a mug", "handle")), "as the negative prompt says"
    assert starting(built("a robot with three antennas"), "antenna_tip") == 3
    assert starting(built("three rocks"), "rock_") == 3
    assert sum(starting(built("a three-headed dog"), side) for side in ("nose", "nose_")) >= 3
    bare = names(built("a knight with no helmet"))
    assert "hair" in bare and "helmet" not in bare and "helmet" in names(built("a knight"))
    windows = [
        len(next(p for p in built(f"house with {n} windows") if p.name == "windows").solid.points) for n in (2, 6)
    ]
    assert windows[1] == 3 * windows[0]
    wide, tall, plain = (np.diff(box(built(f"{word} vase")), axis=0)[0] for word in ("wide", "tall", ""))
    assert wide[0] / wide[2] > 1.2 * plain[0] / plain[2] and tall[2] / tall[0] > 1.2 * plain[2] / plain[0]
    assert np.diff(box(built("tiny vase")), axis=0).max() < 0.5 < np.diff(box(built("huge vase")), axis=0).max()


def test_words_choose_surfaces_part_by_part() -> None:
    chair = {part.name: part.surface for part in built("a red wooden chair with golden legs")}
    assert chair["leg_1"] == "golden" and chair["seat"] == "red wooden"
    assert {part.surface for part in built("a blue car") if part.name == "body"} == {"blue shiny paint"}
    house = {part.name: part.surface for part in built("a house with a green roof and a red door")}
    assert house["roof"].startswith("green") and house["door"].startswith("red") and house["walls"] == "white plaster"
    assert "marble" not in {part.surface for part in built("a marble mug", "marble") if part.name == "body"}
    read = shapes("prompt_spec").read_prompt
    prompts = ("a stone tower", "sword of crystal", "dog in a house")
    assert [read(prompt).family for prompt in prompts] == ["tower", "sword", "animal"]
    assert read("a chair beside a table", "chair").family == "table", "unwanted things are not made"


def heard(prompt: str, negative: str = "") -> dict[str, Any]:
    spec = shapes("prompt_spec").read_prompt(prompt, negative)
    shapes("catalog").build_parts(spec)
    words = importlib.import_module(f"{ENGINE}.output.understood").of_thing(spec)
    return dict(words["local_engine"])


@pytest.mark.parametrize(
    ("prompt", "others"),
    [
        ("A wooden table with a lamp", ["lamp"]),
        ("a lamp on a wooden table", ["wooden", "table"]),
        ("a red chair with four thin legs and blue cushions", []),
        ("three mushrooms", []),
        ("a four legged mushroom", ["four", "legged"]),
        ("a golden knight without a helmet", []),
        ("a spotted dog with 9 wheels", ["spotted", "9", "wheels"]),
        ("a red blue car", ["blue"]),
        ("a large treasure chest, highly detailed, 4k", ["highly", "detailed", "4k"]),
        ("a gold shield with blue enamel", []),
        ("a low-poly green tree", ["low", "poly"]),
    ],
)
def test_it_says_which_words_changed_nothing(prompt: str, others: list[str]) -> None:
    words = heard(prompt)
    assert words["not_understood"] == others
    assert words["understood"] and not {*words["understood"]} & {*others, "a", "with", "and"}
    assert "note" not in words


def test_colours_are_understood_only_where_they_are_painted() -> None:
    spec = shapes("prompt_spec").read_prompt("a red table with 5 golden legs")
    shapes("catalog").build_parts(spec)
    of_thing = importlib.import_module(f"{ENGINE}.output.understood").of_thing
    assert of_thing(spec)["local_engine"]["not_understood"] == []
    assert of_thing(spec, is_painted=False)["local_engine"]["not_understood"] == ["red", "golden"]


def test_low_poly_is_no_low_thing() -> None:
    assert np.allclose(box(built("a low poly crate", seed=1)), box(built("a crate", seed=1)))


def test_a_negative_prompt_is_understood_where_it_takes_something_away() -> None:
    assert heard("a mug", "handle")["understood"] == ["mug", "handle"]
    assert heard("a mug", "handle")["not_understood"] == []


@pytest.mark.parametrize(
    ("prompt", "note"),
    [
        (
            "a red dragon with wings",
            "No form is known for dragon: it is an abstract sculpture. The nearest: animal, bird",
        ),
        ("a small bicycle", "No form is known for bicycle: it is an abstract sculpture. The nearest: car"),
        ("hosue", "No form is known for hosue: it is an abstract sculpture. The nearest: house"),
        (
            "a blorb made of gold",
            "No form is known for blorb: it is an abstract sculpture. There are animal, barrel, ",
        ),
    ],
)
def test_a_noun_without_a_form_is_said_with_what_comes_nearest(prompt: str, note: str) -> None:
    words = heard(prompt)
    assert words["note"].startswith(note)
    assert words["note"].split()[5].rstrip(":") in words["not_understood"]


@pytest.mark.parametrize(
    "prompt", ["ein roter Drache aus Stein", "一把红色的椅子", "une chaise bleue en bois", "красный стул"]
)
def test_a_prompt_in_another_language_is_told_that_english_is_read(prompt: str) -> None:
    assert heard(prompt)["note"].endswith("The local engine reads English words only")
    assert heard(prompt)["understood"] == []


def test_every_related_noun_has_no_form_of_its_own_and_a_family() -> None:
    families, related = shapes("names").FAMILIES, shapes("names").RELATED
    assert {*related} <= {*families}
    known = {noun for nouns in families.values() for noun in nouns}
    assert not known & {noun for nouns in related.values() for noun in nouns.split()}


def test_dog_cat_and_horse_differ_in_build_and_none_is_knitted() -> None:
    built_as = {noun: {part.name: part for part in built(noun)} for noun in ("dog", "cat", "horse")}
    surfaces = {noun: parts["body"].surface for noun, parts in built_as.items()}
    assert not any("wool" in surface for surface in surfaces.values())
    shapes_of = {noun: np.diff(box([parts["body"]]), axis=0)[0] for noun, parts in built_as.items()}
    for one, other in (("dog", "cat"), ("dog", "horse"), ("cat", "horse")):
        proportions = [shapes_of[noun] / shapes_of[noun][1] for noun in (one, other)]
        assert np.linalg.norm(proportions[0] - proportions[1]) > 0.07, (one, other)
    assert "mane" in built_as["horse"] and "mane" not in built_as["dog"]


@pytest.mark.parametrize("noun", ["person", "knight", "robot"])
def test_people_and_robots_stand_in_t_pose(noun: str) -> None:
    parts = built(noun)
    points = np.concatenate([part.solid.points for part in parts])
    by_name = {part.name: part.solid.points for part in parts}
    low, high = box(parts)
    height, span = high[2] - low[2], high[0] - low[0]
    assert 0.8 < span / height < 1.15, "arms as long as people's"
    assert high[1] - low[1] < 0.35 * height
    left, right = points[points[:, 0] > 1e-6], points[points[:, 0] < -1e-6] * (-1, 1, 1)
    order = [side[np.lexsort(np.round(side, 4).T)] for side in (left, right)]
    assert abs(len(left) - len(right)) < 0.01 * len(left), "symmetric"
    assert np.allclose(order[0].mean(axis=0), order[1].mean(axis=0), atol=0.002)
    hand = by_name["left_hand"].mean(axis=0)
    assert hand[0] > 0.35 * span and 0.7 < hand[2] / height < 0.9, "its left hand, out at shoulder height"
    feet = by_name["left_foot"], by_name["right_foot"]
    assert min(foot[:, 2].min() for foot in feet) < 0.02 and feet[0][:, 0].min() > feet[1][:, 0].max()
    assert feet[0][:, 1].min() < -abs(feet[0][:, 1].max()), "toes to the front"
    at_knee = points[np.abs(points[:, 2] - 0.28 * height) < 0.03 * height, 0]
    assert np.abs(at_knee).min() > 0.01 * height, "a gap between the legs"


def test_an_animal_has_four_legs_a_head_in_front_and_a_tail_behind() -> None:
    for noun in ("dog", "horse", "elephant"):
        parts = built(noun)
        body = next(part.solid.points for part in parts if part.name == "body")
        feet = body[body[:, 2] < 0.06 * body[:, 2].max()]
        middle = (feet[:, 1].min() + feet[:, 1].max()) / 2
        quarters = {(bool(x > 0), bool(y > middle)) for x, y in feet[:, :2]}
        assert len(quarters) == 4 and np.abs(feet[:, 0]).min() > 0.01
        eyes = np.concatenate([part.solid.points for part in parts if "eye" in part.name])
        assert eyes[:, 1].max() < feet[:, 1].min() + 0.15, "the head is in front"
    with_tail, without = built("dog"), built("dog with no tail")
    assert box(with_tail)[1][1] - box(with_tail)[0][1] > 0
    assert sum(len(p.solid.points) for p in without) < sum(len(p.solid.points) for p in with_tail)


def test_the_seed_decides_what_words_leave_open() -> None:
    first, again, other = (built("a tree", seed=seed) for seed in (7, 7, 8))
    assert all(np.array_equal(a.solid.points, b.solid.points) for a, b in zip(first, again, strict=True))
    assert any(len(a.solid.points) != len(b.solid.points) or not np.allclose(a.solid.points, b.solid.points)
               for a, b in zip(first, other, strict=True))  # fmt: skip
    fine = built("a tree", seed=7, detail=1.7)
    assert sum(part.solid.triangles for part in fine) > 1.7 * sum(part.solid.triangles for part in first)


def made(folder: Path, *, alone: bool = False, **body: Any) -> Glb:
    run_engine("text_to_model", folder, body, alone=alone)
    return read_glb(folder / "model.glb")


def mean_color(glb: Glb) -> Any:
    return glb.picture("color")[..., :3].reshape(-1, 3).mean(axis=0)


def test_words_of_other_languages_make_a_seed_as_well() -> None:
    read = shapes("prompt_spec").read_prompt
    seeds = {read(prompt).seed for prompt in ("стул", "椅子", "une théière", "?", "chair")}
    assert len(seeds) == 5 and read("椅子").seed == read("椅子").seed


@pytest.mark.slow
def test_a_textured_model_is_the_same_every_time(tmp_path: Path) -> None:
    answer = run_engine("text_to_model", tmp_path / "a", {"prompt": "a red mug"})
    first, again = read_glb(tmp_path / "a" / "model.glb"), made(tmp_path / "b", prompt="a red mug", alone=True)
    assert (tmp_path / "a" / "model.glb").read_bytes() == (tmp_path / "b" / "model.glb").read_bytes()
    assert answer["facts"]["triangles"] == first.triangles == again.triangles > 1000
    assert set(first.images) == {"color", "metallic_roughness", "normal"}
    assert first.picture("color").shape[:2] == (WIDTH, WIDTH)
    assert uv_overlap(first.parts) < 0.002
    red, green, blue = mean_color(first)
    assert red > 2 * max(green, blue)
    blue_one = made(tmp_path / "c", prompt="a blue mug", pbr=False)
    assert set(blue_one.images) == {"color"} and mean_color(blue_one)[2] > 2 * mean_color(blue_one)[0]


def test_parts_are_objects_without_images(tmp_path: Path) -> None:
    result = made(tmp_path, prompt="a mug with two handles", generate_parts=True, texture=False, pbr=False)
    assert {part.name for part in result.parts} == {"body", "handle_1", "handle_2"}
    assert not result.images
    assert uv_overlap(result.parts) < 0.002, "unwrapped together"
    plain = made(tmp_path / "plain", prompt="a mug", texture=False, export_uv=False)
    assert not plain.images and all(part.uvs is None for part in plain.parts)


@pytest.mark.parametrize(("prompt", "limit"), [("a knight", 3000), ("a castle", 600), ("a chair", 48)])
def test_the_face_limit_is_kept(tmp_path: Path, prompt: str, limit: int) -> None:
    result = made(tmp_path, prompt=prompt, face_limit=limit, texture=False, export_uv=False)
    assert 0.5 * limit <= result.triangles <= limit
    assert np.ptp(result.bounds, axis=0).max() == pytest.approx(1, abs=0.06)


def test_quads_come_as_an_fbx_with_a_glb_beside_it(tmp_path: Path) -> None:
    body = {"prompt": "a barrel", "quad": True, "face_limit": 2500, "pbr": False, "compress": "geometry"}
    answer = run_engine("text_to_model", tmp_path, body)
    assert answer["files"]["model_url"] == "model.fbx"
    sizes = fbx_face_sizes(tmp_path / "model.fbx")
    assert 1000 < len(sizes) <= 2500 and (sizes == 4).mean() > 0.95
    assert b"\x89PNG" in (tmp_path / "model.fbx").read_bytes(), "the texture is inside"
    assert (tmp_path / "model.glb").is_file()


@pytest.mark.once
def test_views_and_a_turn_come_beside_the_model(tmp_path: Path) -> None:
    body = {"prompt": "a mug", "texture": False, "return_multiview": True, "render_sequence": True}
    answer = run_engine("text_to_model", tmp_path, body)
    views = {f"{side}_view_url" for side in ("front", "left", "back", "right")}
    assert set(answer["files"]) == {"model_url", "rendered_sequence_url", *views}
    front, left = (
        read_png((tmp_path / answer["files"][key]).read_bytes()) for key in ("front_view_url", "left_view_url")
    )
    assert not np.array_equal(front, left), "the handle is seen from the left"


@pytest.mark.once
def test_a_refined_draft_is_finer_and_in_the_same_place(tmp_path: Path) -> None:
    draft_body = {"prompt": "a bottle", "texture": False}
    draft = made(tmp_path / "draft", **draft_body)
    source = {"capability": "text_to_model", "body": draft_body, "facts": {}, "files": {}}
    run_engine("refine", tmp_path / "fine", {"draft_model_task_id": "x"}, source=source)
    fine = read_glb(tmp_path / "fine" / "model.glb")
    assert fine.triangles > 2 * draft.triangles
    assert set(fine.images) == {"color", "metallic_roughness", "normal"}
    assert fine.picture("normal").shape[:2] == (2048 // LESS, 2048 // LESS)
    diagonal = np.linalg.norm(np.diff(draft.bounds, axis=0))
    assert np.abs(fine.bounds - draft.bounds).max() < 0.02 * diagonal


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("text_to_model", {"prompt": " "}, "needs a prompt"),
        ("refine", {"draft_model_task_id": "x"}, "made from words"),
    ],
)
def test_what_it_cannot_do_is_refused(tmp_path: Path, kind: str, body: dict[str, Any], words: str) -> None:
    with pytest.raises(BlenderFailed, match=words) as caught:
        run_engine(kind, tmp_path, body)
    assert caught.value.kind == "EngineError"
