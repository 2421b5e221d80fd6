"""An upload in which a body is looked for has the rigs of what is selected: it is seen as it was, and is at rest."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import numpy as np
import pytest
from asset_generation.addon.core.jobs.job import plain
from asset_generation.addon.core.paths import Locations
from asset_generation.vendor.background_blender import run
from mathutils import Matrix, Vector
from support.addon import add_mesh, select, world_box
from support.fork_server.command import forked_python
from support.panels.drawing import NarrowContext, panel
from support.panels.measured_layout import MeasuredLayout

HEADLESS = Path(__file__).resolve().parents[2] / "addon" / "headless"
VENDOR = HEADLESS.parents[1] / "vendor"
BONES = {
    "hip": ("", (0, 0, 0.2), (0, 0, 1)),
    "knee": ("hip", (0, 0, 1), (0, 0, 2)),
    "toe": ("knee", (0, 0, 2), (0, 0, 3)),
}


class Upload(NamedTuple):
    """What came of a selection: points as they are seen and at rest, (n, 3) each; the box at rest; fingerprints."""

    seen: Any
    rest: Any
    rest_box: tuple[float, ...]
    prints: tuple[str, ...]


def rigged_column(name: str = "Column") -> tuple[bpy.types.Object, bpy.types.Object]:
    """A column on three bones, bent by the upper two, and its armature, which is turned and small."""
    item = add_mesh(name, "cube")
    item.data.transform(Matrix.Diagonal((0.3, 0.3, 1.5, 1)) @ Matrix.Translation((0, 0, 1)))
    select(item)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=9)
    bpy.ops.object.mode_set(mode="OBJECT")
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.scene.collection.objects.link(rig)
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    for bone, (parent, head, tail) in BONES.items():
        made = rig.data.edit_bones.new(bone)
        made.head, made.tail, made.parent = head, tail, rig.data.edit_bones.get(parent)
    bpy.ops.object.mode_set(mode="OBJECT")
    groups = [item.vertex_groups.new(name=bone) for bone in BONES]
    for vertex in item.data.vertices:
        for number, group in enumerate(groups):
            if (weight := 1 - abs(vertex.co.z - number - 0.5) / 1.5) > 0:
                group.add([vertex.index], weight, "REPLACE")
    item.parent = rig
    item.modifiers.new("Armature", "ARMATURE").object = rig
    rig.rotation_euler, rig.scale, rig.location = (0, 0, 0.7), (0.4, 0.4, 0.4), (3, 1, 0)
    for bone, angle in (("knee", 0.9), ("toe", 0.7)):
        rig.pose.bones[bone].rotation_mode = "XYZ"
        rig.pose.bones[bone].rotation_euler = (angle, 0, 0)
    bpy.context.view_layer.update()
    return item, rig


def points_of(objects: Sequence[bpy.types.Object], position: str) -> Any:
    for armature in bpy.data.armatures:
        armature.pose_position = position
    graph = bpy.context.evaluated_depsgraph_get()
    seen = [item.evaluated_get(graph) for item in objects]
    return np.array([tuple(item.matrix_world @ vertex.co) for item in seen for vertex in item.data.vertices])


def gap(points: Any, others: Any) -> float:
    """How far the farthest of some points is from the nearest of the others, and the other way round."""
    apart = np.linalg.norm(points[:, None] - others[None], axis=2)
    return float(max(apart.min(axis=0).max(), apart.min(axis=1).max()))


@pytest.fixture
def upload(addon: Any, tmp_path: Path) -> Callable[..., Upload]:
    """Makes the upload of some objects and opens it; in the frame of the world."""
    bridge = f"{addon.package}.addon.bridge.objects"
    snapshot, selection = (importlib.import_module(f"{bridge}.{name}") for name in ("snapshot", "selection"))

    def made(*objects: bpy.types.Object, rigged: bool = True) -> Upload:
        source = snapshot.write(bpy.context, selection.Selection(objects), Locations(tmp_path), rigged=rigged)
        out = tmp_path / "out.glb"
        identity = [float(value) for row in Matrix.Identity(4) for value in row]
        request = {**plain(source.snapshot), "blend": source.path, "out": str(out), "frame": identity}
        answer = run(forked_python(), HEADLESS / "to_glb.py", request)
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=str(out), bone_heuristic="BLENDER", guess_original_bind_pose=True)
        for armature in (item for item in bpy.data.objects if item.type == "ARMATURE"):
            for bone in armature.pose.bones:
                bone.custom_shape = None
        shapes = bpy.data.collections.get("glTF_not_exported")
        meshes = [
            item
            for item in bpy.data.objects
            if item.type == "MESH" and (shapes is None or item.name not in shapes.objects)
        ]
        bpy.context.view_layer.update()
        return Upload(
            points_of(meshes, "POSE"),
            points_of(meshes, "REST"),
            tuple(answer["rest_box"]),
            tuple(answer["fingerprints"]),
        )

    return made


def with_bone_hung(item: bpy.types.Object, rig: bpy.types.Object) -> list[bpy.types.Object]:
    """A thing that hangs on the last bone."""
    held = add_mesh("Held", "cube", scale=(0.1, 0.2, 0.3), location=(3, 1, 1.3))
    bpy.context.view_layer.update()
    world = held.matrix_world.copy()
    held.parent, held.parent_type, held.parent_bone = rig, "BONE", "toe"
    bpy.context.view_layer.update()
    held.matrix_world = world
    return [item, held]


def with_other_modifiers(item: bpy.types.Object, rig: bpy.types.Object) -> list[bpy.types.Object]:
    """What is before the armature and makes more of the mesh, and a shape key that is half on."""
    item.shape_key_add(name="Basis")
    key = item.shape_key_add(name="Wide")
    for point in key.data:
        point.co.x *= 2
    key.value = 0.5
    mirror = item.modifiers.new("Mirror", "MIRROR")
    mirror.use_mirror_vertex_groups = False
    mirror.use_axis[0], mirror.use_axis[1] = False, True
    item.modifiers.move(1, 0)
    return [item]


def with_constraint(item: bpy.types.Object, rig: bpy.types.Object) -> list[bpy.types.Object]:
    """A bone that looks at something, which is in no upload."""
    aim = bpy.data.objects.new("Aim", None)
    bpy.context.scene.collection.objects.link(aim)
    aim.location = (4, 1, 0.2)
    rig.pose.bones["toe"].constraints.new("DAMPED_TRACK").target = aim
    return [item]


def with_bone_that_does_not_deform(item: bpy.types.Object, rig: bpy.types.Object) -> list[bpy.types.Object]:
    rig.data.bones["toe"].use_deform = False
    return [item]


def with_clip(item: bpy.types.Object, rig: bpy.types.Object) -> list[bpy.types.Object]:
    """The pose is one of a motion."""
    bone = rig.pose.bones["knee"]
    for frame, angle in ((1, 0.2), (20, 1.2)):
        bone.rotation_euler = (angle, 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(14)
    return [item]


def with_first_bone_turned(item: bpy.types.Object, rig: bpy.types.Object) -> list[bpy.types.Object]:
    """It lies down as a whole."""
    rig.pose.bones["hip"].rotation_mode = "XYZ"
    rig.pose.bones["hip"].rotation_euler = (1.4, 0, 0)
    return [item]


def with_nothing_else(item: bpy.types.Object, rig: bpy.types.Object) -> list[bpy.types.Object]:
    return [item]


@pytest.mark.parametrize(
    "scene",
    [
        with_nothing_else,
        with_first_bone_turned,
        with_bone_hung,
        with_other_modifiers,
        with_constraint,
        with_bone_that_does_not_deform,
        with_clip,
    ],
)
def test_it_is_seen_as_it_was_and_can_be_had_at_rest(addon: Any, upload: Any, scene: Any) -> None:
    objects = scene(*rigged_column())
    bpy.context.view_layer.update()
    rest, seen = points_of(objects, "REST"), points_of(objects, "POSE")
    assert gap(rest, seen) > 0.1, "or there is nothing to be told apart"
    came = upload(*objects)
    assert gap(came.seen, seen) < 1e-4
    assert gap(came.rest, rest) < 1e-4
    low, high = rest.min(axis=0), rest.max(axis=0)
    assert np.array(came.rest_box[3:]) - came.rest_box[:3] == pytest.approx(high - low, abs=1e-4)
    assert came.rest_box[2] == pytest.approx(seen[:, 2].min(), abs=1e-4), "on the floor of what is seen"


def with_preserved_volume(item: bpy.types.Object, rig: bpy.types.Object) -> None:
    item.modifiers["Armature"].use_deform_preserve_volume = True
    rig.pose.bones["toe"].rotation_euler = (0, 2.5, 0)


def with_bone_that_bends(item: bpy.types.Object, rig: bpy.types.Object) -> None:
    rig.data.bones["knee"].bbone_segments = 8


def with_faces_that_depend_on_the_pose(item: bpy.types.Object, rig: bpy.types.Object) -> None:
    item.modifiers.new("Weld", "WELD").merge_threshold = 0.12


def at_rest(item: bpy.types.Object, rig: bpy.types.Object) -> None:
    rig.data.pose_position = "REST"


@pytest.mark.parametrize(
    "scene", [with_preserved_volume, with_bone_that_bends, with_faces_that_depend_on_the_pose, at_rest]
)
def test_what_an_armature_alone_would_not_show_goes_out_as_it_is_seen(addon: Any, upload: Any, scene: Any) -> None:
    item, rig = rigged_column()
    scene(item, rig)
    bpy.context.view_layer.update()
    seen = points_of([item], rig.data.pose_position)
    came = upload(item)
    assert gap(came.seen, seen) < 1e-4
    assert np.array_equal(came.seen, came.rest) and came.rest_box == ()


def test_nobody_else_gets_a_rig(addon: Any, upload: Any) -> None:
    item, _ = rigged_column()
    seen = points_of([item], "POSE")
    came = upload(item, rigged=False)
    assert gap(came.seen, seen) < 1e-4
    assert np.array_equal(came.seen, came.rest) and came.rest_box == ()


@pytest.mark.parametrize(("capability", "is_rigged"), [("rig", True), ("rig_check", True), ("decimate", False)])
def test_only_the_own_engine_gets_one_for_a_body(addon: Any, capability: str, is_rigged: bool) -> None:
    planning = importlib.import_module(f"{addon.package}.addon.ops.planning")
    info = importlib.import_module(f"{addon.package}.addon.props.task_properties").CAPABILITIES[capability]
    select(add_mesh("Thing", "cube"))
    local = addon.session.settings
    other = local._replace(base_url="http://127.0.0.1:1", api_key="key")
    for settings, wanted in ((local, is_rigged), (other, False)):
        plan = planning.plan(bpy.context, info, {}, settings, addon.data, is_checked=True)
        assert plan.source.snapshot.rigged is wanted


@pytest.mark.parametrize(
    ("capability", "words"),
    [
        ("convert", ["As posed, without the armature"]),
        ("texture", ["As posed, without the armature"]),
        ("rig", ["Its rest position is tried as well"]),
        ("text_to_model", []),
    ],
)
def test_the_panel_says_what_becomes_of_an_armature(addon: Any, capability: str, words: list[str]) -> None:
    item, _ = rigged_column()
    select(item)
    settings, main_panel = (
        importlib.import_module(f"{addon.package}.addon.{name}") for name in ("props.scene_settings", "ui.main_panel")
    )
    settings.choose_capability(bpy.context.scene.asset_generation, capability)

    def said() -> set[str]:
        layout = MeasuredLayout(1.0)
        panel(main_panel.ASSETGEN_PT_main)(layout, NarrowContext(400))
        return set(layout.texts())

    about_rigs = {"As posed, without the armature", "Its rest position is tried as well"}
    assert said() & about_rigs == set(words)
    item.modifiers.clear()
    item.parent = None
    bpy.context.view_layer.update()
    assert not said() & about_rigs


def test_a_result_is_fitted_to_the_box_that_it_is_like(addon: Any) -> None:
    fit = importlib.import_module(f"{addon.package}.addon.headless.fitting").fit_matrix
    seen, rest = (0, 0, 0, 2, 1, 1), (0.5, 0, 0, 1.5, 0.5, 2)
    assert fit(rest, seen, rest) == Matrix.Identity(4)
    assert fit(seen, seen, rest) == Matrix.Identity(4)
    assert fit(seen, seen, ()) == Matrix.Identity(4)
    assert fit(rest, (), ()) == Matrix.Identity(4)
    half = fit((0, 0, 0, 0.25, 0.5, 1), seen, rest)  # turned by a quarter, and half as large
    assert tuple(half.to_scale()) == pytest.approx((2, 2, 2))
    assert tuple(half @ Vector((0.125, 0.25, 0.5))) == pytest.approx((1, 0.25, 1))


def test_an_upload_with_a_rig_serves_nothing_else(addon: Any, upload: Any) -> None:
    """What hangs on a bone has no modifier by which it could be told that its look depends on more than itself."""
    _, held = with_bone_hung(*rigged_column())
    assert addon.provenance.fingerprint_if_lasting(held)
    assert upload(held, rigged=False).prints != ("",)
    bpy.ops.wm.read_homefile(use_empty=True)
    _, held = with_bone_hung(*rigged_column())
    came = upload(held)
    assert came.rest_box and came.prints == ("",)


@pytest.mark.slow
def test_a_body_that_lies_down_is_rigged_as_it_stands_at_rest(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(VENDOR))
    bodies = importlib.import_module("devtools.strangers.made.bodies")
    scenes = importlib.import_module("devtools.strangers.made.scenes")
    item = scenes.add_body("Person", bodies.person())
    size = item.dimensions.copy()
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.scene.collection.objects.link(rig)
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones.new("root").tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    item.vertex_groups.new(name="root").add(range(len(item.data.vertices)), 1.0, "REPLACE")
    item.modifiers.new("Armature", "ARMATURE").object = rig
    rig.pose.bones["root"].rotation_mode = "XYZ"
    rig.pose.bones["root"].rotation_euler = (-1.57, 0, 0)
    bpy.context.view_layer.update()
    lying = world_box(item)
    assert lying[1].z - lying[0].z < 0.6
    select(item)
    assert bpy.ops.assetgen.rig() == {"FINISHED"}
    bpy.context.view_layer.update()
    (result,) = [came for came in addon.scripting.result_objects() if came.type == "MESH"]
    low, high = world_box(result)
    assert tuple(high - low) == pytest.approx(tuple(size), abs=0.02), "it is neither shrunk nor grown"
    assert low.z == pytest.approx(lying[0].z, abs=0.02)
    assert tuple(((low + high) / 2).xy) == pytest.approx(tuple(((lying[0] + lying[1]) / 2).xy), abs=0.02)
