"""What `dev.py strangers` measures, on shapes whose numbers are known by hand, and how it judges."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from devtools.strangers import page, plan, table
from devtools.strangers.expected import Expected, read_expected
from devtools.strangers.in_blender import measures
from devtools.strangers.judge import misses_of
from devtools.strangers.made import bodies
from devtools.strangers.one_model import keep, kept, key_of
from devtools.strangers.table import Row
from devtools.terminal import Trouble
from support.models.meshes import Shape, box, cube_sphere


def triangles_of(*shapes: Shape) -> Any:
    return np.concatenate([shape.positions[shape.triangles] for shape in shapes])


CUBE = box((1, 1, 1), (0.5, 0.5, 0.5))


def test_points_are_spread_by_area() -> None:
    large, small = box((3, 3, 3)), box((1, 1, 1), (10, 0, 0))
    points, chosen = measures.spread_points(triangles_of(large, small), 10_000)
    assert (points[:, 0] > 5).mean() == pytest.approx(0.1, abs=0.001)
    assert ((chosen >= 12) == (points[:, 0] > 5)).all()


def test_points_at_random_are_spread_by_area_and_are_others() -> None:
    triangles = triangles_of(box((3, 3, 3)), box((1, 1, 1), (10, 0, 0)))
    points, chosen = measures.random_points(triangles, 10_000, 1)
    assert (points[:, 0] > 5).mean() == pytest.approx(0.1, abs=0.01)
    assert ((chosen >= 12) == (points[:, 0] > 5)).all()
    assert not np.isin(points, measures.spread_points(triangles, 10_000)[0]).all(axis=1).any()
    assert not np.isin(points, measures.random_points(triangles, 10_000, 2)[0]).all(axis=1).any()


def test_pieces_hang_together_where_corners_are_in_the_same_place() -> None:
    loose = triangles_of(CUBE, box((1, 1, 1), (5, 0, 0)))
    assert len(set(measures.pieces_of(np.arange(len(loose) * 3).reshape(-1, 3)))) == 24
    assert measures.pieces_of(measures.welded(loose)).tolist() == [0] * 12 + [1] * 12


def test_a_long_strip_is_one_piece() -> None:
    faces = np.stack([np.arange(5000) + corner for corner in range(3)], axis=1)
    assert set(measures.pieces_of(faces[::-1])) == {0}


def test_a_model_is_compared_with_the_pose_that_it_has_and_not_with_another_in_the_same_box() -> None:
    tail = box((1, 8, 1), (0, 6, 0))
    rest = triangles_of(box((2, 4, 2)), tail)
    turned = rest * (1, -1, 1) + (0, 8, 0)
    worn = rest * (1, 0.998, 1)  # what few faces leave of it
    assert np.abs(measures.box_of(turned) - measures.box_of(worn)).max() < 0.1, "or this tests nothing"
    assert measures.likest_of([turned, rest], worn) is rest


def test_what_touches_itself_along_an_edge_is_not_turned_over_there() -> None:
    cells = [(1, 0), (0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1)]  # its ends meet in an edge
    boxes = [(x, y, 0) for x, y in cells]
    sides = []
    for place in boxes:
        for axis in range(3):
            for way in (1, -1):
                step = np.eye(3, dtype=int)[axis] * way
                if tuple((np.array(place) + step).tolist()) in boxes:
                    continue
                u, v = (np.eye(3)[(axis + turn) % 3] / 2 for turn in ((1, 2) if way > 0 else (2, 1)))
                middle = np.array(place) + step / 2
                a, b, c, d = middle - u - v, middle + u - v, middle + u + v, middle - u + v
                sides += [(a, b, c), (a, c, d)]
    for seed in range(6):
        mixed = np.random.default_rng(seed).permutation(np.array(sides))
        assert not measures.looking_back(measures.welded(mixed)).any()
        assert measures.are_inside(np.array(boxes, float), mixed).all()


def test_open_edges_are_those_of_one_triangle() -> None:
    assert measures.open_length(triangles_of(CUBE)) == 0
    assert measures.open_length(triangles_of(CUBE)[2:]) == pytest.approx(4)


def test_what_has_one_side_in_place_of_two_or_two_in_place_of_a_box_was_not_opened() -> None:
    box, bowl = triangles_of(CUBE), triangles_of(CUBE)[2:]
    both_sides = np.concatenate((bowl, bowl[:, ::-1]))
    assert measures.open_length(both_sides) == 0
    assert measures.open_length(both_sides, once=True) == pytest.approx(4)
    assert measures.opened(bowl, both_sides) == measures.opened(both_sides, box) == 0
    assert measures.opened(bowl[:-2], both_sides) == pytest.approx(2), "another side is gone, and an edge with it"
    assert measures.opened(bowl, box) == pytest.approx(4)


def test_inside_is_inside_of_any_of_several_pieces() -> None:
    balls = triangles_of(cube_sphere(8), cube_sphere(8, centre=(1, 0, 0)))
    points = np.array([(0.5, 0.0, 0.0), (-0.5, 0, 0), (3, 0, 0)])
    numbers = measures.winding_numbers(points, balls, np.repeat([0, 1], len(balls) // 2))
    assert numbers == pytest.approx(np.array([(1, 1), (1, 0), (0, 0)]), abs=0.01)
    assert measures.are_inside(points, balls).tolist() == [True, True, False]


def test_a_body_without_a_lid_has_an_inside() -> None:
    cut = triangles_of(CUBE)[2:]
    middle = np.array([(0.5, 0.5, 0.5)])
    assert measures.winding_numbers(middle, cut, np.zeros(len(cut), int))[0, 0] == pytest.approx(5 / 6, abs=0.01)
    assert measures.are_inside(middle, cut).all()


def test_a_coat_whose_faces_look_inwards_takes_nothing_from_the_body_in_it() -> None:
    coat = triangles_of(box((3, 3, 3), (0.5, 0.5, 0.5)))[2:, ::-1]
    points = np.array([(0.5, 0.5, 0.5), (9, 9, 9)])
    assert measures.are_inside(points, np.concatenate((triangles_of(CUBE), coat))).tolist() == [True, False]


def test_faces_that_look_both_ways_have_an_inside() -> None:
    """Of a file with every face twice, one of both is kept by chance: nothing was inside of it."""
    balls = triangles_of(cube_sphere(8), cube_sphere(8, centre=(3, 0, 0)))
    turned = np.random.default_rng(1).random(len(balls)) < 0.4
    mixed = np.where(turned[:, None, None], balls[:, ::-1], balls)
    assert (measures.looking_back(measures.welded(mixed)) == turned).all()
    points = np.array([(0, 0, 0), (3, 0.2, 0), (1.5, 0, 0)])
    assert measures.are_inside(points, mixed).tolist() == [True, True, False]


def test_pieces_that_close_each_other_have_an_inside_together() -> None:
    halves = triangles_of(CUBE)
    apart = np.concatenate((halves[:6], halves[6:] + np.array((1e-3, 0, 0))))
    assert measures.are_inside(np.array([(0.5, 0.5, 0.5)]), apart).all()


def test_a_point_on_a_triangle_shares_its_corners() -> None:
    triangle = np.array([[(0, 0, 0), (2, 0, 0), (0, 2, 0)]], float)
    assert measures.shares_of(np.array([(1.0, 0.5, 0)]), triangle)[0] == pytest.approx([0.25, 0.5, 0.25])


def test_uv_area_and_overlap_are_what_the_triangles_cover() -> None:
    square = np.array([[(0, 0), (0.5, 0), (0.5, 0.5)], [(0, 0), (0.5, 0.5), (0, 0.5)]], float)
    alone = measures.coverage_of(square)
    assert (alone > 0).mean() == pytest.approx(0.25, abs=0.002)
    assert (alone > 1).sum() == 0
    twice = measures.coverage_of(np.concatenate((square, square[:1])))
    assert (twice > 1).mean() == pytest.approx(0.125, abs=0.002)


def test_uv_triangles_of_any_size_and_turn_are_counted_once() -> None:
    count = 150
    line = np.linspace(0, 1, count + 1)
    x, y = np.meshgrid(line[:-1], line[:-1], indexing="ij")
    low = np.stack((x.ravel(), y.ravel()), axis=1)
    right, up, step = (low + np.array(way) / count for way in ((1, 0), (0, 1), (1, 1)))
    grid = np.concatenate((np.stack((low, right, step), 1), np.stack((low, up, step), 1)))
    assert (measures.coverage_of(grid) == 1).mean() > 0.999
    beyond = np.array([[(-3.0, -3), (9, -3), (-3, 9)]])
    assert (measures.coverage_of(beyond) == 1).all()


def test_stretch_counts_shrinking_alike_and_leaves_short_edges_out() -> None:
    rest = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1.001, 0)], float)
    posed = rest * (2, 0.25, 1)
    edges = np.array([(0, 1), (1, 2), (2, 3)])
    assert measures.stretch_of(edges, rest, posed, 0.01) == pytest.approx([2, 4])


@pytest.mark.parametrize(
    ("way", "axis"), [((0.1, -2, 5), "-Y"), ((3, 1, 0), "+X"), ((-3, 1, 0), "-X"), ((0, 0, 9), "")]
)
def test_a_way_goes_along_an_axis_seen_from_above(way: tuple[float, float, float], axis: str) -> None:
    assert measures.axis_of(np.array(way)) == axis


def test_the_farthest_joint_is_the_one_to_mend() -> None:
    found = {"Neck": np.array((0, 0, 1.4)), "Hip": np.array((0, 0.3, 1.0)), "Head": np.array((9, 9, 9))}
    expected = {"Neck": (0, 0.1, 1.4), "Hip": (0, 0, 1.4)}
    assert measures.farthest_joint(found, expected, 2.0) == {"joints": pytest.approx(0.25), "farthest": "Hip"}
    lost = measures.farthest_joint(found, {**expected, "Tail": (0, 0, 0)}, 2.0)
    assert lost == {"joints": np.inf, "farthest": "Tail"}


def test_a_made_person_bends_where_its_limbs_meet() -> None:
    lines, joints = bodies.person(arms=40, stance=0.06), bodies.joints_of(arms=40, stance=0.06)
    ends = {point for line in lines for point in (line.start, line.end)}
    assert len(joints) == 9
    assert all(min(np.linalg.norm(np.subtract(place, end)) for end in ends) < 1e-9 for place in joints.values())


def test_a_thick_line_is_closed_and_faces_outwards() -> None:
    points, quads = bodies.surface([bodies.Line((0, 0, 0), (0, 0, 1), 0.2, 0.1)])
    triangles = np.concatenate((points[quads[:, [0, 1, 2]]], points[quads[:, [0, 2, 3]]]))
    assert measures.winding_numbers(np.array([(0, 0, 0.5)]), triangles, np.zeros(len(triangles), int)) == pytest.approx(
        1, abs=0.02
    )


def test_the_table_of_a_folder_leaves_out_what_is_in_doubt(tmp_path: Path) -> None:
    path = tmp_path / "expected.csv"
    head = "model,kind,front,joints,deviation:decimate\n"
    path.write_text(head + "a.glb,biped,-Y,L_Hand 1 0 -2.5;,\nb.glb,others?,,,0.02\n")
    expected = read_expected(path)
    assert expected["a.glb"] == Expected("biped", "-Y", joints={"L_Hand": (1, 0, -2.5)})
    assert expected["b.glb"] == Expected(limits={"deviation:decimate": 0.02})
    assert read_expected(tmp_path / "none.csv") == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("model,kind\na.glb,bird\n", "'bird'"),
        ("model,front\na.glb,up\n", "'up'"),
        ("model,shine\na.glb,1\n", "'shine'"),
        ("model,refused\na.glb,dance;walk\n", "dance"),
        ("model,feet:walk\na.glb,low\n", "'low'"),
        ("model,joints\na.glb,Neck 0 1\n", "'Neck 0 1'"),
    ],
)
def test_a_table_that_cannot_be_meant_is_refused_by_name(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "expected.csv"
    path.write_text(text)
    with pytest.raises(Trouble, match=words):
        read_expected(path)


def record(**changes: Any) -> dict[str, Any]:
    return {
        **{"seconds": 1.0, "error": "", "skipped": "", "values": {}, "figures": {}, "trouble": ""},
        **changes,
    }


def sentences(steps: dict[str, Any], expected: Expected, seconds: float = 20) -> list[str]:
    return [f"{miss.step}: {miss.sentence}" for miss in misses_of(steps, expected, seconds)]


def test_what_is_as_expected_is_not_mentioned() -> None:
    steps = {
        plan.CHECK: record(values={"kind": "biped"}),
        plan.WALK: record(figures={"front": "-Y", "stretch": 1.2, "feet": 0.0}),
        plan.RIG: record(figures={"inside": 0.9, "influences": 4, "outside": ["Hip"]}),
    }
    assert sentences(steps, Expected("biped", "-Y")) == []


def test_each_thing_that_is_not_as_expected_is_a_sentence() -> None:
    steps = {
        plan.CHECK: record(values={"kind": "others"}),
        plan.WALK: record(figures={"front": "+Y", "feet": float("nan")}),
        plan.RIG: record(figures={"inside": 0.5, "joints": 0.2, "influences": 5}),
        plan.SEGMENT: record(figures={"names": ["head", "leg_left", "leg_right", "torso"]}),
        plan.TEXTURE: record(error="It went wrong."),
        plan.CONVERT: record(seconds=21.0),
        plan.DECIMATE: record(trouble="no file"),
    }
    assert sentences(steps, Expected("biped", "-Y")) == [
        "rig check: expected biped, taken for others",
        "walk: faces -Y and walks towards +Y",
        "walk: feet is nan; at most 0.03 is expected",
        "rig: inside is 0.5; at least 0.8 is expected",
        "rig: joints is 0.2; at most 0.08 is expected",
        "rig: influences is 5; at most 4 is expected",
        "segment: has no arm_left, arm_right",
        "texture: It went wrong.",
        "convert: took 21 s; 20 s are allowed",
        "decimate: could not be measured: no file",
    ]


def test_a_refusal_that_is_expected_is_none_to_mention() -> None:
    steps = {plan.RIG: record(error="The model is a chair."), plan.CONVERT: record(error="No.")}
    assert sentences(steps, Expected(refused=(plan.RIG,))) == ["convert: No."]


def test_what_was_not_done_is_missed_by_bodies_alone() -> None:
    steps = {plan.RIG: record(skipped="taken for no body that can be rigged")}
    assert sentences(steps, Expected("others")) == []
    assert sentences(steps, Expected("quadruped")) == ["rig: not done: taken for no body that can be rigged"]


def test_models_of_many_pieces_may_deviate_more_and_a_row_may_say_otherwise() -> None:
    def steps(pieces: int) -> dict[str, Any]:
        return {
            plan.IMPORT: record(figures={"pieces": pieces}),
            plan.DECIMATE: record(figures={"deviation": 0.008}),
        }

    assert sentences(steps(1), Expected()) == ["decimate: deviation is 0.008; at most 0.005 is expected"]
    assert sentences(steps(5000), Expected()) == []
    assert sentences(steps(1), Expected(limits={"deviation:decimate": 0.01})) == []
    assert sentences(steps(5000), Expected(limits={"deviation:decimate": 0.001}))


def test_a_limit_of_a_row_for_what_must_be_at_least_is_one_from_below() -> None:
    steps = {plan.RIG: record(figures={"inside": 0.7})}
    assert sentences(steps, Expected(limits={"inside:rig": 0.6})) == []


def test_a_capability_brings_what_it_needs() -> None:
    assert [step.key for step in plan.with_what_they_need((plan.WALK,))] == [
        *(plan.IMPORT, plan.CHECK, plan.RIG, plan.WALK)
    ]
    assert plan.with_what_they_need(()) == plan.STEPS


def test_the_table_has_every_model_and_what_it_missed(tmp_path: Path) -> None:
    steps = {plan.CHECK: record(values={"kind": "others", "reason": "no legs"})}
    row = Row("a.glb", Expected("biped"), steps, misses_of(steps, Expected("biped"), 20))
    table.write([row], [plan.CHECK], tmp_path, "One model")
    text = (tmp_path / "table.md").read_text()
    assert "| a.glb | biped  | **others** (1.0 s) |" in text
    assert "- a.glb, rig check: expected biped, taken for others" in text
    assert "biped          0 of   1 recognised" in text
    with (tmp_path / "table.csv").open() as file:
        rows = {(line["step"], line["measure"]): line["value"] for line in csv.DictReader(file)}
    assert rows["rig check", "kind"] == "others"
    assert json.loads((tmp_path / "figures.json").read_text())["a.glb"]["misses"][0]["step"] == plan.CHECK


def test_what_is_kept_is_of_the_same_model_and_code_and_has_all_steps(tmp_path: Path) -> None:
    check, decimate = (next(step for step in plan.STEPS if step.key == key) for key in (plan.CHECK, plan.DECIMATE))
    assert kept(tmp_path, "key", [check]) is None
    keep(tmp_path, "key", {plan.CHECK: record()})
    assert kept(tmp_path, "key", [check]) == {plan.CHECK: record()}
    assert kept(tmp_path, "other", [check]) is None
    assert kept(tmp_path, "key", [check, decimate]) is None


def _run_of(missed: bool, seconds: float) -> page.Run:
    miss = {"step": plan.IMPORT, "sentence": "it lost a | leg"}
    step = {"seconds": seconds, "error": "", "skipped": "", "values": {}, "figures": {"faces": 12}, "trouble": ""}
    expected = {"kind": plan.BIPED, "front": "-Y", "refused": [], "limits": {}}
    row = {"expected": expected, "steps": {plan.IMPORT: step}, "misses": [miss] if missed else []}
    return page.Run({"Commit": "old" if missed else "new"}, {"man.glb": row})


def _part(heading: str, now: page.Run, before: page.Run | None = None) -> str:
    rows = [table.row_of(name, values) for name, values in now.figures.items()]
    was = page.before_of(before) if before is not None else None
    return page.part(heading, list(table.models(rows, [plan.IMPORT])), ["pictures/a.webp"], now, was)


def test_what_is_kept_was_measured_against_the_same_joints(tmp_path: Path) -> None:
    model = tmp_path / "a.glb"
    model.write_bytes(b"a model")
    wanted = (Expected(), Expected("biped"), Expected(joints={"Hip": (0, 0, 1)}))
    keys = [key_of(model, expected) for expected in wanted]
    assert keys[0] == keys[1] != keys[2]


def test_a_run_stands_on_the_page_beside_an_earlier_one() -> None:
    text = _part("Made shapes", _run_of(False, 1.25), _run_of(True, 30.0))
    assert "| import | 0 of 1 | 1 of 1 | 30.0 | 1.2 |" in text
    assert "- Commit: new\n- Commit, before: old\n" in text
    assert "| man.glb | biped -Y | 12 faces (1.2 s) |" in text
    assert "(pictures/a.webp)" in text


def test_a_page_keeps_the_earlier_run_that_it_has() -> None:
    made = _part("Made shapes", _run_of(False, 1.25), _run_of(True, 30.0))
    text = page.with_part(page.with_part("", made), _part("Models of a folder", _run_of(False, 2.0)))
    was = page.before_on(text, "Made shapes")
    assert was == page.Before({"Commit": "old"}, {plan.IMPORT: ("0 of 1", "30.0")})
    assert page.before_on(text, "Models of a folder") is None, "it had no earlier one"
    assert page.before_on("", "Made shapes") is None


def test_what_is_not_as_expected_is_bold_and_said() -> None:
    text = _part("Made shapes", _run_of(True, 30.0))
    assert "| import |  | 0 of 1 |  | 30.0 |" in text
    assert "| **12 faces** (30.0 s) |" in text
    assert "- man.glb, import: it lost a / leg" in text


def test_a_part_of_the_page_replaces_the_one_with_its_heading() -> None:
    first, second = _part("Made shapes", _run_of(True, 1.0)), _part("Models of a folder", _run_of(True, 2.0))
    both = page.with_part(page.with_part("", first), second)
    assert both.index("## Made shapes") < both.index("## Models of a folder")
    again = page.with_part(both, _part("Made shapes", _run_of(False, 1.0)))
    assert again.count("## ") == 2
    assert again.index("## Made shapes") < again.index("## Models of a folder")
    assert "Commit: new" in again.split("## Models of a folder")[0]
    assert page.with_part(again, second) == again


def test_a_folder_that_no_run_has_left_is_told(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="is not what an earlier run has left"):
        page.read_run(tmp_path)
