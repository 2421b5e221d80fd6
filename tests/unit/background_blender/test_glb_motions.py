"""Animations that a GLB takes from another one: when it does, what it gets, and when it must not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender.glb_motions import carry_over
from support.models.animated import read_animations, write_animated_glb
from support.models.meshes import Array, accessor_of, glb_blob, glb_document, pack_glb
from support.models.rigged import Rigged

Change = Callable[[dict[str, Any], bytearray], None]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A post of two bones with three clips, of which none moves everything."""
    return write_animated_glb(tmp_path / "in.glb", widening=True)


def changed(path: Path, name: str, *changes: Change) -> Path:
    """Another GLB like one, with changes to its document and its numbers."""
    document, blob = glb_document(path), bytearray(glb_blob(path))
    for change in changes:
        change(document, blob)
    result = path.with_name(name)
    result.write_bytes(pack_glb(document, bytes(blob)))
    return result


def without_clips(document: dict[str, Any], _blob: bytearray) -> None:
    """As an exporter writes it that was asked for no animations."""
    del document["animations"]


def renumbered(document: dict[str, Any], _blob: bytearray) -> None:
    """Its nodes in another order, under one more that lies nowhere else."""
    post, hips, top = document["nodes"]
    hips["children"] = [0]
    document["nodes"] = [top, hips, post, {"name": "root", "children": [1, 2]}]
    document["scenes"][0]["nodes"] = [3]
    document["skins"][0]["joints"] = [1, 0]


def under_its_mesh_s_own_node(document: dict[str, Any], _blob: bytearray) -> None:
    """As Blender writes it: what bones bend is below a node of its own."""
    post = document["nodes"][0]
    document["nodes"].append({**post, "name": "post.001"})
    del post["mesh"], post["skin"]
    document["scenes"][0]["nodes"].append(3)


def resting_elsewhere(document: dict[str, Any], _blob: bytearray) -> None:
    """Its joints lie elsewhere, as Blender writes them; the mesh is bound as it was."""
    document["nodes"][1]["translation"] = [0.1, 0.0, 0.0]
    document["nodes"][2] |= {"rotation": [0.0, 0.6, 0.0, 0.8], "scale": [1.0, 2.0, 1.0]}


def numbers(document: dict[str, Any], blob: bytearray, accessor: int) -> Array:
    """The numbers of an accessor, to be changed where they are."""
    view = document["bufferViews"][document["accessors"][accessor]["bufferView"]]
    return np.frombuffer(blob, "<f4", view["byteLength"] // 4, view["byteOffset"])


def bindings(document: dict[str, Any], blob: bytearray) -> Array:
    """The inverse bind matrices, (2, 4, 4), column by column."""
    return numbers(document, blob, document["skins"][0]["inverseBindMatrices"]).reshape(2, 4, 4)


def in_a_space_of_its_own(document: dict[str, Any], blob: bytearray) -> None:
    """The mesh twice as large and beside itself, which its bones undo."""
    points = numbers(document, blob, document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]).reshape(-1, 3)
    points[:] = points * 2 + np.array([3, 0, 0])
    back = np.diag([0.5, 0.5, 0.5, 1.0])
    back[:3, 3] = -1.5, 0, 0
    binds = bindings(document, blob)
    binds[:] = np.transpose(binds.transpose(0, 2, 1) @ back, (0, 2, 1))


@pytest.mark.parametrize("change", [renumbered, under_its_mesh_s_own_node, resting_elsewhere, in_a_space_of_its_own])
def test_a_file_that_bends_as_before_moves_as_before(source: Path, change: Change) -> None:
    path = changed(source, "out.glb", without_clips, change)
    assert carry_over(source, path)
    before, after = Rigged(source), Rigged(path)
    for clip in ("walk", "wave"):
        for time in (0.0, 0.2, 0.5, 1.0):
            moved, expected = (model.skinned(model.local(clip, time))[0] for model in (after, before))
            assert np.allclose(moved, expected, atol=1e-6), (clip, time)


def test_every_key_is_the_same_to_the_last_bit(source: Path) -> None:
    path = changed(source, "out.glb", without_clips)
    assert carry_over(source, path)
    before, after = read_animations(source), read_animations(path)
    assert {clip: {*channels} for clip, channels in before.items()} == {clip: {*after[clip]} for clip in after}
    for clip, channels in before.items():
        for channel, keys in channels.items():
            assert np.array_equal(after[clip][channel], keys), (clip, channel)


def _of_zeros_alone(document: dict[str, Any], _blob: bytearray) -> None:
    """As optimisers leave them: what has no bytes is zeros."""
    output = document["accessors"][document["animations"][0]["samplers"][0]["output"]]
    del output["bufferView"]


def test_keys_that_are_nothing_but_zeros_have_no_bytes(source: Path) -> None:
    """One of them, and a knight's 76 clips were all written anew by Blender: 19 s instead of 0.1."""
    zeros = changed(source, "zeros.glb", _of_zeros_alone)
    path = changed(source, "out.glb", without_clips)
    assert carry_over(zeros, path)
    (zero, turns), (other, turned) = (outputs_of(file) for file in (zeros, path))
    assert other == zero and "bufferView" not in other
    assert np.array_equal(turned, turns)


def outputs_of(path: Path) -> tuple[dict[str, Any], Array]:
    """The accessor of what ``walk`` moves, and the numbers of what ``wave`` does."""
    document = glb_document(path)
    walk, wave = (clip["samplers"][0]["output"] for clip in document["animations"][:2])
    return document["accessors"][walk], accessor_of(document, glb_blob(path), wave)


def test_forms_move_where_the_mesh_is(source: Path) -> None:
    path = changed(source, "out.glb", without_clips, under_its_mesh_s_own_node)
    assert carry_over(source, path)
    before, after = (read_animations(file)["widen"] for file in (source, path))
    assert np.array_equal(after["post.001", "weights"], before["post", "weights"])


@pytest.mark.parametrize("change", [resting_elsewhere, in_a_space_of_its_own])
def test_without_a_clip_it_stands_as_before(source: Path, change: Change) -> None:
    bent = changed(source, "bent.glb", _bent)
    path = changed(source, "out.glb", without_clips, change)
    assert carry_over(bent, path)
    before, after = (Rigged(file) for file in (bent, path))
    assert np.allclose(after.skinned(after.local())[0], before.skinned(before.local())[0], atol=1e-6)


def _bent(document: dict[str, Any], _blob: bytearray) -> None:
    """In another pose than the one that it was bound in."""
    document["nodes"][2]["rotation"] = [0.0, 0.0, 0.6, 0.8]


@pytest.mark.parametrize("time", [0.0, 0.25, 1.0])
def test_a_clip_leaves_joints_that_it_does_not_move_where_they_were(source: Path, time: float) -> None:
    bent = changed(source, "bent.glb", _bent)
    path = changed(source, "out.glb", without_clips)
    assert carry_over(bent, path)
    before, after = (Rigged(file) for file in (bent, path))
    moved, expected = (model.skinned(model.local("walk", time))[0] for model in (after, before))
    assert np.allclose(moved, expected, atol=1e-6)


def _renamed(document: dict[str, Any], _blob: bytearray) -> None:
    document["nodes"][2]["name"] = "head"


def _twice(document: dict[str, Any], _blob: bytearray) -> None:
    document["nodes"].append({"name": "top"})
    document["skins"][0]["joints"].append(3)


def _hung_elsewhere(document: dict[str, Any], _blob: bytearray) -> None:
    del document["nodes"][1]["children"]
    document["scenes"][0]["nodes"] = [0, 1, 2]


def _under_what_lies_elsewhere(document: dict[str, Any], _blob: bytearray) -> None:
    document["nodes"].append({"name": "root", "translation": [0, 0.01, 0], "children": [1]})
    document["scenes"][0]["nodes"] = [0, 3]


def _with_other_forms(document: dict[str, Any], _blob: bytearray) -> None:
    del document["meshes"][0]["primitives"][0]["targets"]


def _with_its_mesh_twice(document: dict[str, Any], _blob: bytearray) -> None:
    document["nodes"].append(dict(document["nodes"][0]))
    document["scenes"][0]["nodes"].append(3)


def _bound_otherwise(document: dict[str, Any], blob: bytearray) -> None:
    """One joint has its axes turned, as importers do that want bones along them."""
    bindings(document, blob)[1, :3] = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, -1, 0]])


def _without_a_skin(document: dict[str, Any], _blob: bytearray) -> None:
    del document["skins"], document["nodes"][0]["skin"]


def _with_compressed_views(document: dict[str, Any], _blob: bytearray) -> None:
    document["bufferViews"][0]["extensions"] = {"EXT_meshopt_compression": {}}


@pytest.mark.parametrize(
    "change",
    [_renamed, _twice, _hung_elsewhere, _under_what_lies_elsewhere, _with_other_forms, _with_its_mesh_twice,
     _bound_otherwise, _without_a_skin, _with_compressed_views],
)  # fmt: skip
def test_a_file_in_which_anything_is_otherwise_stays_as_it_is(source: Path, change: Change) -> None:
    path = changed(source, "out.glb", without_clips, change)
    content = path.read_bytes()
    assert not carry_over(source, path)
    assert path.read_bytes() == content


def _of_a_pointer(document: dict[str, Any], _blob: bytearray) -> None:
    pointer = {"KHR_animation_pointer": {"pointer": "/materials/0/alphaCutoff"}}
    document["animations"][0]["channels"][0]["target"] = {"path": "pointer", "extensions": pointer}


def _of_a_node_that_is_not_there(document: dict[str, Any], _blob: bytearray) -> None:
    document["animations"][0]["channels"][0]["target"]["node"] = 7


def _of_keys_that_are_not_there(document: dict[str, Any], _blob: bytearray) -> None:
    document["accessors"][document["animations"][0]["samplers"][0]["output"]]["count"] = 10**6


def _of_keys_among_others(document: dict[str, Any], _blob: bytearray) -> None:
    number = document["animations"][0]["samplers"][0]["output"]
    document["bufferViews"][document["accessors"][number]["bufferView"]]["byteStride"] = 16


def _of_a_node_on_itself(document: dict[str, Any], _blob: bytearray) -> None:
    document["nodes"][2]["children"] = [1]


def _of_none(document: dict[str, Any], _blob: bytearray) -> None:
    document["animations"] = []


def _of_words(document: dict[str, Any], _blob: bytearray) -> None:
    document["animations"] = ["walk"]


@pytest.mark.parametrize(
    "change",
    [_of_a_pointer, _of_a_node_that_is_not_there, _of_keys_that_are_not_there, _of_keys_among_others,
     _of_a_node_on_itself, _of_words, _of_none, without_clips],
)  # fmt: skip
def test_clips_that_cannot_be_taken_are_not(source: Path, change: Change) -> None:
    path = changed(source, "out.glb", without_clips)
    content = path.read_bytes()
    assert not carry_over(changed(source, "other.glb", change), path)
    assert path.read_bytes() == content


def _on_one_joint(document: dict[str, Any], _blob: bytearray) -> None:
    document["skins"][0]["joints"] = [1]


def test_one_joint_does_not_tell_what_was_moved(source: Path) -> None:
    """With several, a mesh in a space of its own shows in all of them."""
    single = changed(source, "single.glb", _on_one_joint)
    assert carry_over(single, changed(single, "out.glb", without_clips))
    assert not carry_over(single, changed(single, "out.glb", without_clips, in_a_space_of_its_own))


def test_what_is_no_glb_has_none(source: Path, tmp_path: Path) -> None:
    path = changed(source, "out.glb", without_clips)
    for name, content in {"fbx": b"Kaydara FBX Binary", "short": b"gl", "cut": source.read_bytes()[:300]}.items():
        other = tmp_path / name
        other.write_bytes(content)
        assert not carry_over(other, path), name
