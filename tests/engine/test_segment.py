from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine.engine_run import needs_bpy, run_engine
from support.models.animated import write_turned_glb
from support.models.bodies import bird_of_one_surface, feet_apart, on_stilts, one_armed, with_straps
from support.models.figures import beast, limb, person
from support.models.gowns import IN_GOWNS
from support.models.meshes import Array, Glb, Shape, box, cube_sphere, png, read_glb, write_glb
from support.models.surfaces import row_numbers

pytestmark = needs_bpy

MODELS = Path(__file__).parents[3] / "shared" / "data" / "models"
needs_models = pytest.mark.skipif(not MODELS.is_dir(), reason="the shared models are not on this machine")


def triangles_of(glb: Glb) -> Any:
    """Corners of all triangles, (n, 3, 3)."""
    return np.concatenate([part.positions[part.triangles] for part in glb.parts])


def missing(wanted: Any, there: Any) -> int:
    """How many triangles of one model the other has not, each as often as it is wanted."""
    size = np.ptp(wanted.reshape(-1, 3), axis=0).max()
    for shift in (0.0, 0.3, 0.6):  # places at the border of two roundings are on the same side of another one
        rounded = [np.floor(rows / size * 2e4 + shift).astype(int).tolist() for rows in (wanted, there)]
        keys = [[tuple(sorted(map(tuple, triangle))) for triangle in rows] for rows in rounded]
        left = Counter(keys[0]) - Counter(keys[1])
        kept = []
        for index, key in enumerate(keys[0]):
            if left[key] > 0:
                left[key] -= 1
                kept.append(index)
        found = Counter(keys[1]) - Counter(keys[0])
        others = [index for index, key in enumerate(keys[1]) if found[key] > 0]
        wanted, there = wanted[kept], there[others]
    return len(wanted)


def names_of(glb: Glb) -> list[str]:
    return sorted({part.name for part in glb.parts})


def open_edges(glb: Glb, name: str) -> int:
    """Edges of a part that belong to an odd number of its triangles; vertices at one place are one."""
    points = np.concatenate([part.positions[part.triangles].reshape(-1, 3) for part in glb.parts if part.name == name])
    size = max(float(np.ptp(np.concatenate([part.positions for part in glb.parts]), axis=0).max()), 1e-9)
    _, place = np.unique(row_numbers(np.round(points / (size * 2e-6)).astype(np.int64)), return_inverse=True)
    place = place.reshape(-1, 3)
    edges = np.sort(np.concatenate((place[:, :2], place[:, 1:], place[:, ::2])), axis=1)
    edges = edges[edges[:, 0] != edges[:, 1]]
    return int((np.unique(row_numbers(edges), return_counts=True)[1] % 2).sum())


def assert_same_triangles(result: Glb, source: Glb) -> None:
    assert result.triangles == source.triangles
    assert missing(triangles_of(source), triangles_of(result)) == 0, "every triangle is in exactly one part"


def dumbbell() -> Shape:
    """One closed surface: two balls on a rod."""
    ball = cube_sphere(16)
    x = ball.positions[:, 0]
    thin = 0.25 + 0.75 * np.clip(np.abs(x) * 1.6 - 0.25, 0, 1)
    positions = ball.positions * np.stack((np.full(len(x), 2.5), thin, thin), axis=1)
    return Shape(positions, ball.triangles, ball.uvs, name="dumbbell")


def of_height(profile: Any, width: Any, name: str) -> Shape:
    """One closed surface around the Y axis: a ball, stretched so that it has these radii at these heights."""
    ball = cube_sphere(20)
    height = np.interp(ball.positions[:, 1], np.linspace(-1, 1, len(profile)), profile)
    radius = np.interp(height, profile, width)
    flat = np.linalg.norm(ball.positions[:, ::2], axis=1)
    around = ball.positions[:, ::2] / np.maximum(flat, 1e-9)[:, None] * (radius * np.minimum(flat * 8, 1))[:, None]
    return Shape(np.stack((around[:, 0], height, around[:, 1]), axis=1), ball.triangles, name=name)


def in_a_coat() -> list[Shape]:
    """A :func:`person` whose trunk and arms are inside of one closed surface, which nothing of the arms shows below."""
    ball = cube_sphere(24)
    x = ball.positions[:, 0] * 0.8
    trunk = np.clip((0.24 - np.abs(x)) / 0.04, 0, 1)
    out = np.linalg.norm(ball.positions[:, 1:], axis=1)
    across = ball.positions[:, 1:] * (np.minimum(out * 6, 1) / np.maximum(out, 1e-9))[:, None]
    y = 1.38 - 0.27 * trunk + across[:, 0] * (0.05 + 0.29 * trunk)
    coat = Shape(np.stack((x, y, across[:, 1] * (0.05 + 0.13 * trunk)), axis=1), ball.triangles, name="coat")
    body, _ = person()
    hat = limb((0, 1.68, 0.01), (0, 1.72, 0.01), 0.33, name="hat")
    middles = body.positions[body.triangles].mean(axis=1)
    arms = (np.abs(middles[:, 0]) > 0.04) & (middles[:, 1] > 1.3) & (middles[:, 1] < 1.46)
    return [Shape(body.positions, body.triangles[~arms], name="body"), hat, coat]


def reaches(glb: Glb, axis: int) -> dict[str, tuple[float, float]]:
    """From where to where each part goes along an axis."""
    places = {name: [part.positions for part in glb.parts if part.name == name] for name in names_of(glb)}
    return {
        name: (float(points[:, axis].min()), float(points[:, axis].max()))
        for name, points in ((name, np.concatenate(rows)) for name, rows in places.items())
    }


@pytest.fixture(scope="module")
def person_in_a_coat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_glb(tmp_path_factory.mktemp("coat") / "in.glb", in_a_coat())


@pytest.mark.each_python
def test_a_coat_is_cut_with_the_arms_below_it(person_in_a_coat: Path, tmp_path: Path) -> None:
    run_engine("segment", tmp_path, model=person_in_a_coat)
    result = read_glb(tmp_path / "model.glb")
    assert names_of(result) == ["arm_left", "arm_right", "head", "leg_left", "leg_right", "torso"]
    across = reaches(result, 0)
    assert across["arm_left"][1] > 0.79 and across["arm_right"][0] < -0.79
    assert 0.1 < across["arm_left"][0] < 0.35 and -0.35 < across["arm_right"][1] < -0.1, "they begin at the shoulders"
    assert -0.35 < across["torso"][0] < -0.2 and 0.2 < across["torso"][1] < 0.35, "and the torso ends there"
    assert_same_triangles(result, read_glb(person_in_a_coat))


@pytest.mark.each_python
def test_a_person_in_six_parts_has_head_torso_arms_and_legs(person_in_a_coat: Path, tmp_path: Path) -> None:
    run_engine("smart_segment", tmp_path, {"parts": 6}, model=person_in_a_coat)
    sides = [low > -0.02 or high < 0.02 for low, high in reaches(read_glb(tmp_path / "model.glb"), 0).values()]
    assert sides.count(True) == 4, "two arms and two legs lie on one side each"
    assert sides.count(False) == 2, "head and torso are halved by nothing"


@pytest.mark.each_python
def test_a_hood_that_reaches_down_to_the_chest_is_cut_at_the_neck(tmp_path: Path) -> None:
    hood = of_height([1.1, 1.11, 1.33, 1.41, 1.5, 1.6, 1.8, 1.86], [0, 0.17, 0.17, 0.09, 0.2, 0.3, 0.26, 0], "hood")
    run_engine("segment", tmp_path / "out", model=write_glb(tmp_path / "in.glb", [person()[0], hood]))
    upright = reaches(read_glb(tmp_path / "out" / "model.glb"), 1)
    assert upright["head"][0] > 1.3 and upright["torso"][1] < 1.55


def test_a_cape_that_hangs_from_a_hood_is_no_head_down_to_the_ground(tmp_path: Path) -> None:
    cape = [box((0.5, 1.25, 0.06), (0, 0.95, -0.32)), limb((0, 1.57, 0), (0, 1.54, -0.32), 0.1)]
    run_engine("segment", tmp_path / "out", model=write_glb(tmp_path / "in.glb", [*person(), *cape]))
    upright = reaches(read_glb(tmp_path / "out" / "model.glb"), 1)
    assert upright["head"][0] > 0.8 and upright["head"][1] > 1.7
    assert upright["torso"][0] < 0.35


@pytest.mark.each_python
@pytest.mark.slow
def test_smart_segment_cuts_a_surface_where_it_is_narrow(tmp_path: Path) -> None:
    pin = of_height([0, 0.02, 0.7, 1.4, 2.0, 2.5, 2.8, 2.82], [0, 0.4, 0.5, 0.45, 0.33, 0.42, 0.3, 0], "pin")
    run_engine("smart_segment", tmp_path / "out", {"parts": 2}, model=write_glb(tmp_path / "in.glb", [pin]))
    upright = reaches(read_glb(tmp_path / "out" / "model.glb"), 1)
    assert abs(upright["part_0"][1] - 2.0) < 0.2 and abs(upright["part_1"][0] - 2.0) < 0.2


@pytest.mark.each_python
@pytest.mark.slow
def test_a_sitting_thing_in_four_parts_is_body_head_and_ears(tmp_path: Path) -> None:
    profile = [0, 0.02, 0.35, 0.7, 0.9, 1.2, 1.42, 1.44], [0, 0.45, 0.55, 0.42, 0.25, 0.4, 0.2, 0]
    ears = [limb((x, 1.35, 0), (1.6 * x, 1.9, 0), 0.07, name="ear") for x in (-0.15, 0.15)]
    source = write_glb(tmp_path / "in.glb", [of_height(*profile, "sitting"), *ears])
    run_engine("smart_segment", tmp_path / "out", {"parts": 4}, model=source)
    body, head, *both = sorted(reaches(read_glb(tmp_path / "out" / "model.glb"), 1).values())
    assert body[1] < 1.0 and 0.75 < head[0] < 1.0 and min(both)[0] > 1.3


@pytest.fixture(scope="module")
def person_in_parts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], Path]:
    """A textured figure that faces +X, taken apart: its source, the answer, the result."""
    folder = tmp_path_factory.mktemp("person")
    body, hat = person(1)
    texture = png(np.full((8, 8, 3), (40, 160, 60), np.uint8))
    badge = cube_sphere(4, 0.04, (0.14, 1.2, 0), name="badge")
    source = write_glb(folder / "in.glb", [body, hat, badge], texture=texture)
    answer = run_engine("segment", folder / "out", model=source)
    return source, answer, folder / "out" / "model.glb"


def test_the_parts_of_a_body_are_named_for_what_they_are(person_in_parts: tuple[Path, dict[str, Any], Path]) -> None:
    source, answer, path = person_in_parts
    result = read_glb(path)
    expected = ["arm_left", "arm_right", "head", "leg_left", "leg_right", "torso"]
    assert names_of(result) == expected == sorted(answer["facts"]["part_names"])
    assert_same_triangles(result, read_glb(source))
    low = {name: min(part.positions[:, 1].min() for part in result.parts if part.name == name) for name in expected}
    assert low["head"] > 1.3 and low["arm_left"] > 1.2 and low["torso"] > 0.6
    left = np.concatenate([part.positions for part in result.parts if part.name == "arm_left"])
    assert left[:, 2].max() < 0, "it faces +X, so its left is -Z"


def test_materials_stay_on_the_parts(person_in_parts: tuple[Path, dict[str, Any], Path]) -> None:
    _, _, path = person_in_parts
    result = read_glb(path)
    assert set(result.images) == {"color"}
    textured = [
        (node["name"], primitive)
        for node in result.document["nodes"]
        if "mesh" in node
        for primitive in result.document["meshes"][node["mesh"]]["primitives"]
        if "material" in primitive
        and "baseColorTexture" in result.document["materials"][primitive["material"]].get("pbrMetallicRoughness", {})
    ]
    assert {name for name, _ in textured} == {"torso"}, "where the badge is"
    badge = cube_sphere(4, 0.04, (0.14, 1.2, 0))
    ((_, primitive),) = textured
    count = result.document["accessors"][primitive["indices"]]["count"]
    assert count == badge.triangles.size


@pytest.mark.each_python
def test_the_same_model_is_taken_apart_the_same_way_again(
    person_in_parts: tuple[Path, dict[str, Any], Path], tmp_path: Path
) -> None:
    source, answer, path = person_in_parts
    again = run_engine("segment", tmp_path, model=source, alone=True)
    assert again["facts"] == answer["facts"]
    assert (tmp_path / "model.glb").read_bytes() == path.read_bytes()


def test_loose_pieces_are_parts_and_small_ones_go_with_them(tmp_path: Path) -> None:
    shapes = [
        cube_sphere(8, 1.0, (0, 0, 0), name="planet"),
        cube_sphere(8, 0.6, (3, 0, 0), name="moon"),
        box((0.05, 0.05, 0.05), (3.7, 0, 0), name="satellite"),
    ]
    source = write_glb(tmp_path / "in.glb", shapes)
    answer = run_engine("segment", tmp_path / "out", model=source)
    result = read_glb(tmp_path / "out" / "model.glb")
    assert answer["facts"]["part_names"] == ["part_0", "part_1"] == names_of(result)
    sizes = {name: sum(len(p.triangles) for p in result.parts if p.name == name) for name in names_of(result)}
    assert sizes == {"part_0": 12 * 64, "part_1": 12 * 64 + 12}
    assert_same_triangles(result, read_glb(source))


@pytest.mark.each_python
def test_a_heap_of_crumbs_is_cut_as_one_thing(tmp_path: Path) -> None:
    """None of its pieces has a hundredth of the surface; the engine broke down on it."""
    random, crumbs = np.random.default_rng(5), []
    for end in (-1.0, 1.0):  # two clouds, and a few between them
        crumbs += [box((0.1, 0.1, 0.1), (end + x, y, z)) for x, y, z in random.uniform(-0.3, 0.3, (200, 3))]
    crumbs += [box((0.1, 0.1, 0.1), (x, 0, 0)) for x in np.linspace(-0.6, 0.6, 7)]
    starts = np.arange(len(crumbs))[:, None, None] * len(crumbs[0].positions)
    faces = np.concatenate(np.stack([crumb.triangles for crumb in crumbs]) + starts)
    heap = write_glb(tmp_path / "in.glb", [Shape(np.concatenate([crumb.positions for crumb in crumbs]), faces)])
    whole = run_engine("segment", tmp_path / "segment", model=heap)
    assert whole["facts"]["triangles"] == len(faces)
    run_engine("smart_segment", tmp_path / "two", {"parts": 2}, model=heap)
    parts = read_glb(tmp_path / "two" / "model.glb").parts
    assert [np.sign(part.positions[:, 0].mean()) for part in parts] in ([-1.0, 1.0], [1.0, -1.0])
    assert min(len(part.triangles) for part in parts) > 0.4 * len(faces)


@pytest.mark.each_python
def test_one_surface_is_cut_where_it_is_thin(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "in.glb", [dumbbell()])
    run_engine("segment", tmp_path / "out", model=source)
    result = read_glb(tmp_path / "out" / "model.glb")
    assert 2 <= len(names_of(result)) <= 3
    assert_same_triangles(result, read_glb(source))
    middles = {part.name: part.positions[part.triangles].reshape(-1, 3)[:, 0].mean() for part in result.parts}
    assert min(middles.values()) < -1 and max(middles.values()) > 1, "each ball is a part"


@pytest.mark.each_python
def test_a_model_of_which_nothing_stands_out_is_one_part(tmp_path: Path) -> None:
    answer = run_engine("segment", tmp_path, model=write_glb(tmp_path / "in.glb", [box((1, 2, 1))]))
    assert answer["facts"]["part_names"] == ["part_0"]


@pytest.mark.each_python
@pytest.mark.slow
def test_trousers_that_are_a_piece_of_their_own_are_two_legs_and_hips(tmp_path: Path) -> None:
    body = {"prompt": "a knight", "texture": False, "pbr": False, "model_seed": 1}
    run_engine("text_to_model", tmp_path, body)
    run_engine("segment", tmp_path / "out", model=tmp_path / "model.glb")
    glb = read_glb(tmp_path / "out" / "model.glb")
    assert names_of(glb) == ["arm_left", "arm_right", "head", "leg_left", "leg_right", "torso"]
    height = {part.name: np.ptp(part.positions[:, 1]) for part in glb.parts}
    width = {part.name: np.ptp(part.positions[:, 0]) for part in glb.parts}
    for part in (height, width):
        assert abs(part["leg_left"] - part["leg_right"]) < 0.1 * part["leg_left"]


@pytest.mark.parametrize("make", [feet_apart, with_straps])
def test_neither_a_leg_nor_what_hangs_behind_the_shoulders_is_an_arm(
    tmp_path: Path, make: Callable[[], list[Shape]]
) -> None:
    run_engine("segment", tmp_path / "out", model=write_glb(tmp_path / "in.glb", make()))
    result = read_glb(tmp_path / "out" / "model.glb")
    across, upright = reaches(result, 0), reaches(result, 1)
    assert across["arm_left"][1] > 0.45 and across["arm_right"][0] < -0.7
    assert min(upright["arm_left"][0], upright["arm_right"][0]) > 1.0


def test_a_head_with_ears_is_no_arm_where_one_is_missing(tmp_path: Path) -> None:
    run_engine("segment", tmp_path / "out", model=write_glb(tmp_path / "in.glb", one_armed()))
    result = read_glb(tmp_path / "out" / "model.glb")
    across, upright = reaches(result, 0), reaches(result, 1)
    assert across["arm_right"][0] < -0.7 and upright["head"][1] > 1.9
    assert all(high < 1.6 for name, (_, high) in upright.items() if name.startswith("arm"))


def test_a_body_that_cannot_be_rigged_has_named_limbs_where_they_are_clear(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "in.glb", on_stilts())
    assert not run_engine("rig_check", tmp_path / "check", model=source)["values"]["riggable"]
    answer = run_engine("segment", tmp_path / "out", model=source)
    assert sorted(answer["facts"]["part_names"]) == ["arm_left", "arm_right", "head", "leg_left", "leg_right", "torso"]


@pytest.mark.each_python
def test_a_bird_of_one_surface_is_body_head_and_thin_legs(tmp_path: Path) -> None:
    run_engine("segment", tmp_path / "out", model=write_glb(tmp_path / "in.glb", bird_of_one_surface()))
    result = read_glb(tmp_path / "out" / "model.glb")
    upright = reaches(result, 1)
    feet = [name for name, (low, _) in upright.items() if low < 0.02]
    assert len(feet) == 2 and all(upright[name][1] < 0.35 for name in feet), "one at the left, one at the right"
    heads = [name for name, (_, high) in upright.items() if high > 0.7]
    assert len(heads) == 1 and upright[heads[0]][0] > 0.5, "the head ends at the neck"
    largest = max(sum(len(part.triangles) for part in result.parts if part.name == name) for name in upright)
    assert largest < 0.7 * result.triangles


@pytest.mark.each_python
def test_a_beast_has_legs_and_a_tail(tmp_path: Path) -> None:
    answer = run_engine("segment", tmp_path, model=write_glb(tmp_path / "in.glb", beast(3)))
    legs = [f"leg_{pair}_{side}" for pair in ("front", "hind") for side in ("left", "right")]
    assert sorted(answer["facts"]["part_names"]) == sorted(["body", "head", "tail", *legs])


@pytest.mark.each_python
def test_a_beast_that_stands_on_its_tail_at_rest_is_cut_as_one_sees_it(tmp_path: Path) -> None:
    (standing,) = beast()
    source = write_turned_glb(tmp_path / "in.glb", standing, np.pi / 2)
    answer = run_engine("segment", tmp_path / "out", model=source)
    assert {"head", "tail", "leg_front_left", "leg_hind_right"} < set(answer["facts"]["part_names"])
    result = triangles_of(read_glb(tmp_path / "out" / "model.glb")).reshape(-1, 3)
    seen = standing.positions
    assert np.allclose((result.min(axis=0), result.max(axis=0)), (seen.min(axis=0), seen.max(axis=0)), atol=2e-3)


@pytest.mark.each_python
@pytest.mark.slow
@needs_models
@pytest.mark.parametrize(
    ("name", "parts"),
    [("spot.glb", range(6, 9)), ("robot_expressive.glb", range(6, 7)), ("stanford-bunny.obj", range(3, 9))],
)
def test_real_models_lose_no_triangle(tmp_path: Path, name: str, parts: range) -> None:
    run_engine("import_model", tmp_path / "in", model=MODELS / name)
    source = tmp_path / "in" / "model.glb"
    run_engine("segment", tmp_path / "out", model=source)
    result = read_glb(tmp_path / "out" / "model.glb")
    assert len(names_of(result)) in parts
    assert result.triangles == read_glb(source).triangles
    if name == "spot.glb":
        assert_same_triangles(result, read_glb(source))
        assert result.images["color"] == read_glb(source).images["color"]
        run_engine("complete", tmp_path / "closed", model=tmp_path / "out" / "model.glb")
        closed = read_glb(tmp_path / "closed" / "model.glb")
        assert names_of(closed) == names_of(result)
        assert {part: open_edges(closed, part) for part in names_of(closed)} == dict.fromkeys(names_of(closed), 0)


def chair() -> list[Shape]:
    """Four legs, a seat and a back, each a box of its own."""
    legs = [box((0.06, 0.5, 0.06), (x, 0.25, z), name="leg") for x in (-0.22, 0.22) for z in (-0.22, 0.22)]
    return [
        *legs,
        box((0.5, 0.06, 0.5), (0, 0.53, 0), name="seat"),
        box((0.5, 0.6, 0.05), (0, 0.86, -0.22), name="back"),
    ]


@pytest.mark.each_python
@pytest.mark.parametrize(("count", "boxes"), [(2, [[2, 4], [1, 5]]), (3, [[1, 1, 4]]), (6, [[1] * 6])])
def test_the_legs_of_a_chair_are_one_part_until_there_is_one_for_each(
    tmp_path: Path, count: int, boxes: list[list[int]]
) -> None:
    source = write_glb(tmp_path / "in.glb", chair())
    run_engine("smart_segment", tmp_path / "out", {"parts": count}, model=source)
    result = read_glb(tmp_path / "out" / "model.glb")
    assert (
        sorted(sum(len(p.triangles) for p in result.parts if p.name == name) / 12 for name in names_of(result)) in boxes
    )


@pytest.mark.parametrize("count", [2, 3])
def test_what_is_as_large_as_a_leg_is_no_leg_where_it_is_higher(tmp_path: Path, count: int) -> None:
    back = [box((0.06, 0.8, 0.06), (x, 0.96, -0.22), name="post") for x in (-0.22, 0.22)]
    back += [box((0.38, 0.12, 0.06), (0, y, -0.22), name="slat") for y in (0.85, 1.2)]
    parts = heights_in_parts(tmp_path, [*chair()[:5], *back], count)
    assert not any((part < 0.4).any() and (part > 0.6).any() for part in parts)


@pytest.mark.each_python
def test_legs_are_one_part_though_parts_of_the_seat_between_them_are_nearest_to_them(tmp_path: Path) -> None:
    legs = [box((0.4, 0.4, 0.4), (x, 0.2, z), name="leg") for x in (-0.45, 0.45) for z in (-0.45, 0.45)]
    parts = heights_in_parts(tmp_path, [*legs, box((1.5, 0.4, 1.5), (0, 0.6, 0), name="seat")], 2)
    assert [part.min() for part in parts] == pytest.approx([0.4, 0.0], abs=1e-3)


def heights_in_parts(folder: Path, shapes: list[Shape], count: int) -> list[Array]:
    """The heights of the points of each part, of a thing in so many parts."""
    run_engine("smart_segment", folder / "out", {"parts": count}, model=write_glb(folder / "in.glb", shapes))
    result = read_glb(folder / "out" / "model.glb")
    heights = {name: [part.positions[:, 1] for part in result.parts if part.name == name] for name in names_of(result)}
    assert len(heights) == count
    return [np.concatenate(parts) for parts in heights.values()]


def test_a_large_piece_is_cut_where_it_is_thin_though_there_are_others(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "in.glb", [dumbbell(), cube_sphere(8, 0.6, (0, 3, 0), name="moon")])
    run_engine("segment", tmp_path / "out", model=source)
    result = read_glb(tmp_path / "out" / "model.glb")
    middles = np.array([part.positions[part.triangles].reshape(-1, 3).mean(axis=0) for part in result.parts])
    assert middles[:, 0].min() < -1 and middles[:, 0].max() > 1 and middles[:, 1].max() > 2.9
    assert_same_triangles(result, read_glb(source))


def test_complete_closes_every_part_and_keeps_what_was_there(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "in.glb", [dumbbell()])
    run_engine("smart_segment", tmp_path / "cut", {"parts": 3}, model=source)
    path = tmp_path / "cut" / "model.glb"
    before = read_glb(path)
    assert all(open_edges(before, name) > 0 for name in names_of(before))
    answer = run_engine("complete", tmp_path, model=path)
    after = read_glb(tmp_path / "model.glb")
    assert names_of(after) == names_of(before) == sorted(answer["facts"]["part_names"])
    assert all(open_edges(after, name) == 0 for name in names_of(after))
    assert missing(triangles_of(before), triangles_of(after)) == 0
    assert after.triangles == before.triangles + answer["facts"]["cap_triangles"]
    assert np.allclose(after.bounds, before.bounds, atol=1e-4), "caps stay inside"


def test_complete_closes_only_the_named_parts_with_their_material(tmp_path: Path) -> None:
    texture = png(np.full((8, 8, 3), (180, 30, 30), np.uint8))
    ball = cube_sphere(10)
    middles = ball.positions[ball.triangles].mean(axis=1)
    halves = [
        Shape(ball.positions, ball.triangles[side], ball.uvs, name=name)
        for name, side in (("upper", middles[:, 1] > 0), ("lower", middles[:, 1] <= 0))
    ]
    source = write_glb(tmp_path / "in.glb", halves, texture=texture)
    answer = run_engine("complete", tmp_path / "out", {"part_names": ["upper"]}, model=source)
    result = read_glb(tmp_path / "out" / "model.glb")
    assert open_edges(result, "upper") == 0 and open_edges(result, "lower") == 40
    assert answer["facts"]["cap_triangles"] == 38
    (upper,) = [part for part in result.parts if part.name == "upper"]
    assert upper.uvs is not None and len(upper.triangles) == 600 + 38, "one material for shell and cap"
    corners = upper.positions[upper.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert np.isclose((corners[:, 0] * across).sum() / 6, 2 * np.pi / 3, rtol=0.05), "the cap faces outwards"
    with pytest.raises(BlenderFailed, match=r"no part named 'middle'; its parts are lower, upper\."):
        run_engine("complete", tmp_path / "no", {"part_names": ["middle"]}, model=source)


def test_what_is_already_closed_gets_no_cap(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "in.glb", [cube_sphere(6), box((1, 1, 1), (3, 0, 0))])
    answer = run_engine("complete", tmp_path / "out", model=source)
    assert answer["facts"]["cap_triangles"] == 0
    assert_same_triangles(read_glb(tmp_path / "out" / "model.glb"), read_glb(source))


@pytest.mark.each_python
@pytest.mark.parametrize("body", [{"parts": 3}, {"parameters": {"parts": 7}}], ids=["fewer", "more"])
def test_smart_segment_makes_as_many_parts_as_asked_for(tmp_path: Path, body: dict[str, Any]) -> None:
    source = write_glb(tmp_path / "in.glb", [dumbbell()])
    answer = run_engine("smart_segment", tmp_path / "out", body, model=source)
    count = body.get("parts") or body["parameters"]["parts"]
    result = read_glb(tmp_path / "out" / "model.glb")
    assert names_of(result) == [f"part_{number}" for number in range(count)] == sorted(answer["facts"]["part_names"])
    assert_same_triangles(result, read_glb(source))


@pytest.mark.each_python
def test_smart_segment_makes_parts_around_points(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "in.glb", [limb((0, 0, 0), (0, 0, 4), 0.5, steps=12)])
    points = [[0, 0, 4.0], [0, 0, 0.2], [0, 0, 2.1]]
    run_engine("smart_segment", tmp_path / "out", {"points": points}, model=source)
    result = read_glb(tmp_path / "out" / "model.glb")
    assert_same_triangles(result, read_glb(source))
    middles = {part.name: part.positions[part.triangles].reshape(-1, 3)[:, 2].mean() for part in result.parts}
    assert middles["part_1"] < 1 < middles["part_2"] < 3 < middles["part_0"]


@pytest.mark.each_python
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"parts": 1}, r"a whole number from 2 to 24"),
        ({"parts": "many"}, r"a whole number from 2 to 24, not 'many'"),
        ({"points": [[0, 0]]}, r"a list of \[x, y, z\]"),
        ({"points": [[0, 0, 0]]}, r"2 to 24 points, not 1"),
        ({"parts": 2, "points": [[0, 0, 0], [1, 1, 1]]}, r"either parts or points"),
        ({"parts": 20}, r"cannot be cut into 20 parts"),
    ],
    ids=["too few", "no number", "flat points", "one point", "both", "too many for a box"],
)
def test_wishes_that_cannot_be_met_are_refused(tmp_path: Path, body: dict[str, Any], words: str) -> None:
    source = write_glb(tmp_path / "in.glb", [box((1, 1, 1))])
    with pytest.raises(BlenderFailed, match=words) as caught:
        run_engine("smart_segment", tmp_path / "out", body, model=source)
    assert caught.value.kind == "EngineError"


@pytest.mark.each_python
def test_no_leg_is_cut_off_a_gown(tmp_path: Path) -> None:
    answer = run_engine("segment", tmp_path, model=write_glb(tmp_path / "in.glb", IN_GOWNS["arms half down"]()))
    assert not [name for name in answer["facts"]["part_names"] if "leg" in name]
