from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from devtools.strangers.made import bodies as made
from support.engine.engine_run import needs_bpy, run_engine
from support.models.bodies import BIPEDS, OTHERS, QUADRUPEDS
from support.models.figures import beast, limb, person
from support.models.gowns import IN_GOWNS, LIKE_GOWNS
from support.models.meshes import Shape, box, cube_sphere, png, read_glb, read_png, write_glb
from support.models.rigged import Rigged, rotation_matrix

pytestmark = needs_bpy

MODELS = Path(__file__).parents[3] / "shared" / "data" / "models"
needs_models = pytest.mark.skipif(not MODELS.is_dir(), reason="the shared models are not on this machine")


def table(thickness: float) -> list[Shape]:
    legs = [box((0.1, 0.8, 0.1), (x, 0.4, z), name=f"leg{x}{z}") for x in (-0.5, 0.5) for z in (-0.8, 0.8)]
    return [box((1.2, thickness, 1.8), (0, 0.8 + thickness / 2, 0), name="top"), *legs]


@pytest.mark.each_python
@pytest.mark.parametrize(
    ("shapes", "kind"),
    [
        (person(0), "biped"),
        (person(3), "biped"),
        (beast(0), "quadruped"),
        (beast(1), "quadruped"),
        ([box((1, 1, 1))], "others"),
        ([cube_sphere(12)], "others"),
        (table(0.1), "others"),
        (table(0.5), "others"),
    ],
    ids=["person", "person turned", "beast", "beast turned", "box", "ball", "table", "chest"],
)
def test_what_can_be_rigged_is_told_from_its_shape(tmp_path: Path, shapes: list[Shape], kind: str) -> None:
    answer = run_engine("rig_check", tmp_path, model=write_glb(tmp_path / "in.glb", shapes))
    reason = answer["values"].pop("reason", "")
    note = answer["values"].pop("local_engine", {"note": ""})["note"]
    assert bool(re.fullmatch(r"The confidence is \d+%", note)) is (kind != "others")
    assert answer["values"] == {"riggable": kind != "others", "rig_type": kind}
    assert bool(reason) is (kind == "others")
    assert answer["files"] == {}


MADE = [
    *((name, make, "biped") for name, make in BIPEDS.items()),
    *((name, make, "quadruped") for name, make in QUADRUPEDS.items()),
    *((name, make, "others") for name, make in OTHERS.items()),
    *((f"in a gown, {name}", make, "biped") for name, make in IN_GOWNS.items()),
    *((name, make, "others") for name, make in LIKE_GOWNS.items()),
]


@pytest.mark.each_python
@pytest.mark.parametrize(("name", "make", "kind"), MADE, ids=[name for name, _, _ in MADE])
def test_limbs_are_found_whatever_touches_them(
    tmp_path: Path, name: str, make: Callable[[], list[Shape]], kind: str
) -> None:
    answer = run_engine("rig_check", tmp_path, model=write_glb(tmp_path / "in.glb", make()))
    assert answer["values"]["rig_type"] == kind, name
    assert ("reason" in answer["values"]) is (kind == "others")
    assert (answer["facts"]["confidence"] >= 0.3) is (kind != "others")


@pytest.mark.each_python
@pytest.mark.parametrize("size", [(1, 0.02, 1), (1, 0, 1), (1, 1, 0), (0.01, 1, 0.01)], ids=str)
def test_what_has_hardly_any_slices_is_told_to_be_none(tmp_path: Path, size: tuple[float, float, float]) -> None:
    answer = run_engine("rig_check", tmp_path, model=write_glb(tmp_path / "in.glb", [box(size)]))
    assert answer["values"]["rig_type"] == "others"


@pytest.mark.each_python
def test_under_a_gown_one_leg_is_on_each_side(tmp_path: Path) -> None:
    model = write_glb(tmp_path / "in.glb", IN_GOWNS["arms half down"]())
    answer = run_engine("rig", tmp_path / "out", {"spec": "mixamo"}, model=model)
    assert answer["facts"]["confidence"] <= 0.6, "what is not seen is not sure"
    result = Rigged(tmp_path / "out" / "model.glb")
    world = result.world(result.local())
    left, right = (world[result.node(f"mixamorig:{side}Foot")][:3, 3] for side in ("Left", "Right"))
    assert left[0] > 0.04 and right[0] == pytest.approx(-left[0], abs=0.02)


@pytest.mark.each_python
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("sword", "biped"),
        ("arms down", "biped"),
        ("sleeves", "biped"),
        ("waving", "biped"),
        ("thighs touching", "biped"),
        ("legs touching", "biped"),
        ("knees bent", "biped"),
        ("antlers", "quadruped"),
    ],
)
def test_the_joints_lie_in_the_body_and_not_in_what_it_holds(tmp_path: Path, name: str, kind: str) -> None:
    shapes = (BIPEDS | QUADRUPEDS)[name]()
    run_engine("rig", tmp_path, {"rig_type": kind}, model=write_glb(tmp_path / "in.glb", shapes))
    result = Rigged(tmp_path / "model.glb")
    world = result.world(result.local())
    at = {bone: world[result.node(bone)][:3, 3] for bone in result.bones}
    if name == "antlers":
        assert at["Head"][1] < 1.3, "the antlers are no head"
        assert at["Head"][2] > 0.5 > 0 > at["Tail01"][2], "it faces +Z"
        return
    for side, sign in (("L", 1), ("R", -1)):
        hand = sign * at[f"{side}_Hand"]
        upper, lower = at[f"{side}_Upperarm"], at[f"{side}_Forearm"]
        if name == "waving" and side == "R":
            assert upper[1] < lower[1] < 1.65 < sign * hand[1], "it is raised"
        else:
            assert 0.12 < hand[0] < 0.26 if name == "arms down" else 0.55 < hand[0] < 0.8, "a hand ends the arm"
        assert upper[1] == pytest.approx(1.38, abs=0.06), "the shoulder is no armpit"
        assert sign * upper[0] < 0.25, "nor an elbow"
        assert at[f"{side}_Foot"][2] < at[f"{side}_ToeBase"][2], "it faces +Z"
        assert sign * at[f"{side}_Calf"][0] == pytest.approx(0.05 if name == "legs touching" else 0.1, abs=0.05)
        assert at[f"{side}_Thigh"][1] > 0.8, "legs that touch are legs still"


_FAT = [made.Line((0, 0, 1.05), (0, 0, 1.3), 0.22, 0.22)]  # it touches the arms down to the elbows
_SLEEVES = [made.Line((0.2 * side, 0, 1.4), (0.5 * side, 0, 1.4), 0.12, 0.1) for side in (1, -1)]


@pytest.mark.each_python
@pytest.mark.slow
@pytest.mark.parametrize(
    ("arms", "stance", "worn"),
    [(0, 0.13, []), (30, 0.06, []), (78, 0.13, _FAT), (0, 0.13, _SLEEVES)],
    ids=["apart", "legs touching", "arms on a trunk", "wide sleeves"],
)
def test_joints_are_where_a_body_was_built_with_them(
    tmp_path: Path, arms: float, stance: float, worn: list[made.Line]
) -> None:
    points, quads = made.surface([*made.person(arms, stance), *worn])
    triangles = np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))
    shape = Shape(points[:, [0, 2, 1]] * (1, 1, -1), triangles)
    run_engine("rig", tmp_path, model=write_glb(tmp_path / "in.glb", [shape]))
    result = Rigged(tmp_path / "model.glb")
    world = result.world(result.local())
    for name, (x, y, z) in made.joints_of(arms, stance).items():
        off = np.linalg.norm(world[result.node(name)][:3, 3] - (x, z, -y)) / np.ptp(points[:, 2])
        assert off < 0.08, name


@pytest.mark.slow
def test_feet_alone_are_no_legs_where_a_remesh_has_joined_them(tmp_path: Path) -> None:
    import bpy  # not at the top: without it, these tests are left out

    points, quads = made.surface(made.person(30, 0.06))
    lines = bpy.data.meshes.new("lines")
    lines.from_pydata(points.tolist(), [], quads.tolist())
    whole = bpy.data.objects.new("whole", lines).modifiers.new("whole", "REMESH")
    whole.mode, whole.voxel_size = "VOXEL", 0.02
    bpy.context.scene.collection.objects.link(whole.id_data)
    mesh = whole.id_data.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    mesh.calc_loop_triangles()
    points = np.array([vertex.co for vertex in mesh.vertices])
    shape = Shape(points[:, [0, 2, 1]] * (1, 1, -1), np.array([face.vertices for face in mesh.loop_triangles]))
    answer = run_engine("rig_check", tmp_path, model=write_glb(tmp_path / "in.glb", [shape]))
    assert answer["values"]["rig_type"] == "biped", answer["values"].get("reason")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["running", "striding"])
def test_a_body_in_motion_faces_where_its_feet_point(tmp_path: Path, name: str) -> None:
    run_engine("rig", tmp_path, model=write_glb(tmp_path / "in.glb", BIPEDS[name]()))
    result = Rigged(tmp_path / "model.glb")
    world = result.world(result.local())
    left, right = (world[result.node(f"{side}_Thigh")][:3, 3] for side in "LR")
    assert left[0] > 0.03, "its left is the left of what faces +Z"
    assert right[0] < -0.03


@pytest.mark.each_python
@pytest.mark.slow
@pytest.mark.parametrize(("name", "legs"), [("head on legs", 0.37), ("broad hips", 0.5)])
def test_a_beast_faces_where_its_face_is(tmp_path: Path, name: str, legs: float) -> None:
    run_engine("rig", tmp_path, {"rig_type": "quadruped"}, model=write_glb(tmp_path / "in.glb", QUADRUPEDS[name]()))
    result = Rigged(tmp_path / "model.glb")
    world = result.world(result.local())
    head, tail = (world[result.node(bone)][:3, 3] for bone in ("Head", "Tail01"))
    assert head[2] > legs > -legs > tail[2], "it faces +Z, with its head before its fore legs and its tail behind it"


@pytest.mark.slow
def test_a_body_that_stands_askew_is_rigged_as_it_stands(tmp_path: Path) -> None:
    run_engine("rig", tmp_path, model=write_glb(tmp_path / "in.glb", BIPEDS["askew"]()))
    result = Rigged(tmp_path / "model.glb")
    world = result.world(result.local())
    left, right = (world[result.node(f"{side}_Hand")][:3, 3] for side in "LR")
    across = (left - right)[[0, 2]] / np.linalg.norm(left - right)
    assert np.degrees(np.arctan2(-across[1], across[0])) == pytest.approx(33, abs=5)


@pytest.mark.each_python
@pytest.mark.slow
@needs_models
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("characters/knight_with_sword.glb", "biped"),
        ("characters/man_in_suit.glb", "biped"),
        ("characters/man_standing.fbx", "biped"),
        ("characters/stag.glb", "quadruped"),
        ("characters/triceratops.glb", "quadruped"),  # at rest it stands on its tail
        ("spot.glb", "quadruped"),
        ("robot_expressive.glb", "biped"),
        ("box_textured.glb", "others"),
        ("stanford-bunny.obj", "others"),  # it sits: no legs are apart
    ],
)
def test_what_can_be_rigged_of_real_models(tmp_path: Path, name: str, kind: str) -> None:
    answer = run_engine("rig_check", tmp_path, model=MODELS / name)
    assert bool(answer["values"].pop("reason", "")) is (kind == "others")
    answer["values"].pop("local_engine", None)
    assert answer["values"] == {"riggable": kind != "others", "rig_type": kind}


@pytest.mark.each_python
def test_rig_check_gives_the_reason_that_rig_gives(tmp_path: Path) -> None:
    model = write_glb(tmp_path / "in.glb", OTHERS["scissors"]())
    reason = run_engine("rig_check", tmp_path / "check", model=model)["values"]["reason"]
    with pytest.raises(BlenderFailed, match=re.escape(f"The model cannot be rigged: {reason}.")):
        run_engine("rig", tmp_path / "rig", model=model)


@pytest.fixture(scope="module")
def rigged_person(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Rigged]:
    """A figure with a texture, facing -X, rigged for Mixamo; its source and the result."""
    folder = tmp_path_factory.mktemp("person")
    texture = png(np.full((8, 8, 3), (200, 60, 40), np.uint8))
    body, hat = person(3)
    marks = cube_sphere(4, 0.03, (0.13, 1.2, 0), name="badge")
    source = write_glb(folder / "in.glb", [body, hat, marks], texture=texture)
    answer = run_engine("rig", folder / "out", {"spec": "mixamo"}, model=source, preview=True)
    assert answer["values"] == {"rig_type": "biped"}
    assert answer["files"] == {"model_url": "model.glb", "rendered_image_url": "preview.png"}
    return source, Rigged(folder / "out" / "model.glb")


def corner_places(parts: Any, positions: list[Any]) -> dict[str, Any]:
    return {
        part.name: np.sort(points[part.triangles].reshape(-1, 9).round(5), axis=0)
        for part, points in zip(parts, positions, strict=True)
    }


@pytest.mark.slow
def test_at_rest_the_skin_is_where_the_model_was(rigged_person: tuple[Path, Rigged]) -> None:
    source, result = rigged_person
    before = read_glb(source).parts
    theirs = corner_places(before, [part.positions for part in before])
    ours = corner_places(result.skins, result.skinned(result.local()))
    assert sorted(ours) == ["badge", "body", "hat"], "the parts keep their names"
    for name, places in theirs.items():
        assert np.abs(ours[name] - places).max() < 1e-4, name


@pytest.mark.slow
def test_the_bones_have_the_names_of_the_convention(rigged_person: tuple[Path, Rigged]) -> None:
    _, result = rigged_person
    names = {name.removeprefix("mixamorig:") for name in result.bones if name.startswith("mixamorig:")}
    assert len(names) == len(result.bones)
    sides = ("Shoulder", "Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot", "ToeBase")
    expected = {"Hips", "Spine", "Spine1", "Spine2", "Neck", "Head"}
    assert names == expected | {side + name for side in ("Left", "Right") for name in sides}


def test_the_bones_lie_in_the_limbs_that_they_are_named_for(rigged_person: tuple[Path, Rigged]) -> None:
    _, result = rigged_person
    world = result.world(result.local())
    at = {name: world[result.node(name)][:3, 3] for name in result.bones}
    # It faces -X, so its left is +Z.
    for side, sign in (("Left", 1), ("Right", -1)):
        assert np.allclose(at[f"mixamorig:{side}ForeArm"], (0, 1.38, sign * 0.42), atol=0.08)
        assert np.allclose(at[f"mixamorig:{side}Hand"], (0, 1.38, sign * 0.68), atol=0.08)
        assert np.allclose(at[f"mixamorig:{side}UpLeg"], (0, 0.9, sign * 0.1), atol=0.1)
        assert np.allclose(at[f"mixamorig:{side}Leg"], (0, 0.5, sign * 0.1), atol=0.08)
        assert np.allclose(at[f"mixamorig:{side}Foot"], (0, 0.1, sign * 0.1), atol=0.08)
        assert at[f"mixamorig:{side}ToeBase"][0] < at[f"mixamorig:{side}Foot"][0] - 0.03, "the foot points forwards"
    assert at["mixamorig:Hips"][1] < at["mixamorig:Spine1"][1] < at["mixamorig:Neck"][1] < at["mixamorig:Head"][1]


def test_every_vertex_has_weights_of_at_most_four_bones(rigged_person: tuple[Path, Rigged]) -> None:
    _, result = rigged_person
    for skin in result.skins:
        assert skin.sets == 1
        assert np.abs(skin.weights.sum(axis=1) - 1).max() < 1e-5
        assert skin.weights.min() >= 0


def test_turning_an_arm_moves_the_arm_and_nothing_of_the_legs(rigged_person: tuple[Path, Rigged]) -> None:
    _, result = rigged_person
    rest = np.concatenate(result.skinned(result.local()))
    local = result.local()
    arm = result.node("mixamorig:LeftArm")
    x, y, z, w = local[arm]["rotation"]
    half = np.sqrt(0.5)  # a quarter turn around the bone's own x axis
    local[arm]["rotation"] = np.array(
        [w * half + x * half, y * half + z * half, z * half - y * half, w * half - x * half]
    )
    moved = np.linalg.norm(np.concatenate(result.skinned(local)) - rest, axis=1)
    assert moved[rest[:, 1] < 0.9].max() < 1e-6, "legs"
    assert moved[rest[:, 2] < -0.2].max() < 1e-6, "the other arm"
    hand = rest[:, 2] > 0.6
    assert hand.any() and moved[hand].min() > 0.3


def test_no_edge_goes_from_an_arm_to_the_leg_that_it_touches(tmp_path: Path) -> None:
    run_engine("rig", tmp_path / "out", model=write_glb(tmp_path / "in.glb", BIPEDS["arms down"]()))
    result = Rigged(tmp_path / "out" / "model.glb")
    arms = np.array([bool(re.search("arm|Hand", name)) for name in result.bones])
    legs = np.array([bool(re.search("Thigh|Calf|Foot", name)) for name in result.bones])
    for skin in result.skins:
        own = np.take_along_axis(skin.joints, skin.weights.argmax(axis=1)[:, None], axis=1)[:, 0][skin.triangles]
        assert arms[own].any() and legs[own].any()
        assert not (arms[own].any(axis=1) & legs[own].any(axis=1)).any()


def arm_weights(result: Rigged, trunk: Shape) -> np.ndarray:
    """What the vertices of a trunk have of forearms and hands."""
    arms = np.array([bool(re.search("Forearm|Hand", name)) for name in result.bones])
    (skin,) = result.skins
    squares = [np.square(points).sum(axis=1) for points in (skin.positions, trunk.positions)]
    apart = (np.add.outer(*squares) - 2 * skin.positions @ trunk.positions.T).min(axis=1)
    assert (apart < 1e-10).sum() > 100
    return (skin.weights * arms[skin.joints]).sum(axis=1)[apart < 1e-10]


def test_a_trunk_does_not_follow_the_hands_that_lie_on_it(tmp_path: Path) -> None:
    run_engine("rig", tmp_path / "out", model=write_glb(tmp_path / "in.glb", BIPEDS["hands on hips"]()))
    trunk = limb((0, 0.95, 0), (0, 1.35, 0), 0.15)
    assert arm_weights(Rigged(tmp_path / "out" / "model.glb"), trunk).max() < 0.05


def test_arms_that_are_not_seen_move_nothing(tmp_path: Path) -> None:
    run_engine("rig", tmp_path / "rig", model=write_glb(tmp_path / "in.glb", BIPEDS["turret"]()))
    result = Rigged(tmp_path / "rig" / "model.glb")
    assert {"L_Upperarm", "R_Hand"} <= set(result.bones), "it has the bones that motions need"
    arms = np.array([bool(re.search("arm|Hand|Clavicle", name)) for name in result.bones])
    assert (result.skins[0].weights * arms[result.skins[0].joints]).max() == 0
    run_engine("retarget", tmp_path, {"animation": "walk"}, model=tmp_path / "rig" / "model.glb")


def test_textures_and_uvs_stay(rigged_person: tuple[Path, Rigged]) -> None:
    source, result = rigged_person
    (badge,) = [skin for skin in result.skins if skin.name == "badge"]
    (before,) = [part for part in read_glb(source).parts if part.name == "badge"]
    assert badge.uvs is not None and before.uvs is not None
    ours = np.sort(badge.uvs[badge.triangles].reshape(-1, 6).round(4), axis=0)
    assert np.allclose(ours, np.sort(before.uvs[before.triangles].reshape(-1, 6).round(4), axis=0), atol=1e-4)
    assert result.document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] is not None


def test_the_picture_shows_the_model(rigged_person: tuple[Path, Rigged]) -> None:
    source, _ = rigged_person
    picture = read_png((source.parent / "out" / "preview.png").read_bytes())[..., :3].astype(int)[4:-4, 4:-4]
    assert (np.abs(picture - picture[0, 0]).max(axis=2) > 12).mean() > 0.03


@pytest.mark.slow
def test_an_fbx_has_a_glb_beside_it_and_holds_the_model(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "in.glb", beast(2))
    answer = run_engine("rig", tmp_path / "out", {"out_format": "fbx", "rig_type": "quadruped"}, model=source)
    assert answer["files"] == {"model_url": "model.fbx"}
    assert (tmp_path / "out" / "model.fbx").read_bytes().startswith(b"Kaydara")
    result = Rigged(tmp_path / "out" / "model.glb")
    assert {"Hip", "Neck", "Head", "Tail01", "L_FrontUpperleg", "R_HindFoot"} <= set(result.bones)
    head, tail = (result.world(result.local())[result.node(name)][:3, 3] for name in ("Head", "Tail01"))
    assert head[2] < -0.4 < 0.4 < tail[2], "it faces -Z"
    run_engine("import_model", tmp_path / "back", model=tmp_path / "out" / "model.fbx")
    back = Rigged(tmp_path / "back" / "model.glb")
    assert set(back.bones) == set(result.bones)
    ours = np.concatenate(back.skinned(back.local()))
    assert np.allclose((ours.min(axis=0), ours.max(axis=0)), read_glb(source).bounds, atol=2e-3)


@pytest.mark.slow
@needs_models
def test_a_model_with_an_old_rig_gets_a_new_one(tmp_path: Path) -> None:
    run_engine("rig", tmp_path, {"spec": "tripo"}, model=MODELS / "robot_expressive.glb")
    result = Rigged(tmp_path / "model.glb")
    assert {"Hip", "L_Upperarm", "R_Calf"} <= set(result.bones) and len(result.document["skins"]) == 1
    names = {skin.name.split("_")[0] for skin in result.skins}
    assert {"Head", "Torso", "Arm.L", "Foot.R"} <= names
    assert {material["name"] for material in result.document["materials"]} >= {"Main", "Grey", "Black"}
    assert "animations" not in result.document
    assert any("targets" in primitive for mesh in result.document["meshes"] for primitive in mesh["primitives"])


@pytest.mark.each_python
@pytest.mark.parametrize(
    ("shapes", "body", "words"),
    [
        ([box((0.3, 1, 0.3))], {}, "cannot be rigged: it has no separate legs"),
        (beast(), {}, "is a quadruped, not a biped; set rig_type to quadruped"),
        (person(), {"rig_type": "quadruped"}, "is a biped, not a quadruped"),
        (beast(), {"rig_type": "quadruped", "spec": "mixamo"}, "Mixamo's skeleton is for bipeds"),
        (person(), {"rig_type": "octopod"}, "rigs biped and quadruped models, not octopod"),
    ],
    ids=["box", "beast as biped", "person as quadruped", "mixamo", "octopod"],
)
def test_what_cannot_be_rigged_fails_in_a_sentence(
    tmp_path: Path, shapes: list[Shape], body: dict[str, Any], words: str
) -> None:
    with pytest.raises(BlenderFailed, match=words) as caught:
        run_engine("rig", tmp_path / "out", body, model=write_glb(tmp_path / "in.glb", shapes))
    assert caught.value.kind == "EngineError" and str(caught.value).endswith(".")


THINGS = {
    "a willow under snow": {"legs": 0.57, "mirror": 0.67, "trunk": 0.84, "head": 0.85},
    "a helmet": {"legs": 0.5, "arms": 0.73, "mirror": 0.69},
    "a fir": {"legs": 0.65, "arms": 0.5, "neck": 0.89, "mirror": 0.86},
    "a planet with spikes": {"slender": 0.8, "arms": 0.79, "neck": 0.5, "mirror": 0.7, "upright": 0.94},
    "two arms": {"legs": 0.78, "arms": 0.5, "neck": 0.84, "mirror": 0.63},
    "a robot's upper leg": {"arms": 0.5, "neck": 0.5, "mirror": 0.88},
    "a robot's frame": {"alone": 0.31},
}
BODIES = {
    "a rabbit on stubs": {"slender": 0.25},
    "a skeleton in boots": {"slender": 0.29, "trunk": 0.71},
    "an old man in a robe": {"slender": 0.42, "arms": 0.75, "neck": 0.72, "mirror": 0.97},
    "a dwarf with a beard": {"slender": 0.42, "arms": 0.9, "neck": 0.5, "mirror": 0.83},
    "a wraith": {"legs": 0.97, "neck": 0.84, "mirror": 0.7, "upright": 0.6},
}


@pytest.mark.parametrize("evidence", [*THINGS.values(), *BODIES.values()], ids=[*THINGS, *BODIES])
def test_wheels_and_necks_say_less_than_sides_that_are_no_mirror_images(evidence: dict[str, float]) -> None:
    """What was measured of bodies, and of things that walked as long as all counted alike."""
    from asset_generation.vendor.assetgen_local.engine.body.classify import weighted
    from asset_generation.vendor.assetgen_local.engine.body.templates import LEAST_CONFIDENCE

    confidence = float(np.prod(list(weighted(evidence).values())))
    assert (confidence >= LEAST_CONFIDENCE) == (evidence in BODIES.values()), confidence


@pytest.mark.each_python
def test_two_of_four_legs_make_a_biped_but_not_a_sure_one() -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import BIPED, OTHERS, QUADRUPED, Body
    from asset_generation.vendor.assetgen_local.engine.body.voxel_paths import VoxelGraph
    from asset_generation.vendor.assetgen_local.engine.body.voxels import Volume

    sphere = cube_sphere(4)
    inside = VoxelGraph.from_volume(Volume.from_triangles(sphere.positions[sphere.triangles], 12))

    def found(kind: str, confidence: float) -> Body:
        return Body(kind, "", np.eye(3), inside, confidence=confidence)

    nothing, beast_like = found(OTHERS, 0.2), found(QUADRUPED, 0.35)
    assert beast_like.is_surer(found(BIPED, 0.5)), "it may be both"
    assert not found(BIPED, 0.9).is_surer(beast_like)
    assert not beast_like.is_surer(found(BIPED, 0.75)), "it is surely a biped"
    assert beast_like.is_surer(nothing)
    assert not nothing.is_surer(beast_like)
    assert not nothing.is_surer(found(OTHERS, 0.0))
    assert not found(BIPED, 0.45).is_surer(found(BIPED, 0.4)), "a little is not enough"
    assert found(BIPED, 0.6).is_surer(found(BIPED, 0.4))


@pytest.mark.each_python
def test_an_arm_that_reaches_across_the_middle_is_of_the_side_that_it_begins_at() -> None:
    from asset_generation.vendor.assetgen_local.engine.body.classify import examine

    (figure,) = BIPEDS["aiming across"]()
    body = examine(figure.positions[figure.triangles] @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]))
    assert {name for name in body.unseen if name.startswith("arm.")} == {"arm.L"}
    assert body.joints["arm.R"][0] < 0 < body.joints["hand_tip.R"][0]


@pytest.mark.each_python
def test_an_arm_of_no_length_is_like_no_arm_and_is_no_round_limb() -> None:
    from asset_generation.vendor.assetgen_local.engine.body import arms
    from asset_generation.vendor.assetgen_local.engine.body.extremities import Tip
    from asset_generation.vendor.assetgen_local.engine.body.voxel_paths import VoxelGraph
    from asset_generation.vendor.assetgen_local.engine.body.voxels import Volume

    sphere = cube_sphere(4)
    inside = VoxelGraph.from_volume(Volume.from_triangles(sphere.positions[sphere.triangles], 12))
    trunk = arms.Trunk(np.zeros(len(inside.depth), bool), 0.0, np.zeros(3), 0.5)
    speck = arms.Arm(np.full((4, 3), 0.3), 0.05, 1.0)
    assert arms._likeness(inside, speck, speck.mirrored(0.0), trunk) == 0
    distance = inside.distances(np.array([0]))
    nothing = Tip(0, 0.0, 0.0)
    assert arms._flatness(inside, distance, distance > 0, nothing) == np.inf


def test_rotation_matrices_of_the_reader() -> None:
    assert np.allclose(rotation_matrix(np.array([0, 0, 1, 1.0])) @ (1, 0, 0), (0, 1, 0))
