"""Files of glTF that Blender's importer does not read as they are, such as those that meshopt has packed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender.readable_gltf import readable_gltf
from support.models import meshopt
from support.models.animated import (
    read_animations,
    with_hidden_scene,
    with_idle_joint,
    with_idle_weights,
    write_animated_glb,
)
from support.models.meshes import (
    Array,
    accessor_of,
    cube_sphere,
    glb_blob,
    glb_document,
    pack_glb,
    png,
    read_glb,
    write_glb,
)


def shapes() -> list[Any]:
    return [cube_sphere(9, 1, (x, 0, 0), name) for x, name in ((0, "one"), (3, "two"))]


def parts_of(path: Path) -> list[tuple[Array, Array]]:
    with readable_gltf(path) as plain:
        return [(part.positions, part.triangles) for part in read_glb(plain).parts]


def assert_alike(parts: list[tuple[Array, Array]], others: list[tuple[Array, Array]]) -> None:
    for (points, corners), (there, ones) in zip(parts, others, strict=True):
        assert np.array_equal(points, there) and np.array_equal(corners, ones)


def test_a_file_comes_back_as_it_was(tmp_path: Path) -> None:
    picture = png(np.full((8, 8, 3), 90, np.uint8))
    path = write_glb(tmp_path / "in.glb", shapes(), texture=picture)
    before, content = parts_of(path), path.read_bytes()
    with readable_gltf(path) as same:
        assert same == path, "what is not compressed is read as it is"
    size = len(content)
    meshopt.compress_glb(path)
    assert path.stat().st_size < 0.8 * size
    assert_alike(parts_of(path), before)
    with readable_gltf(path) as plain:
        document = read_glb(plain).document
        assert read_glb(plain).images["color"] == picture
    assert not plain.exists()
    assert meshopt.EXTENSION not in str(document)


def test_what_lies_in_files_beside_it_is_found(tmp_path: Path) -> None:
    picture = png(np.full((8, 8, 3), 90, np.uint8))
    before = parts_of(path := write_glb(tmp_path / "in.glb", shapes(), texture=picture))
    meshopt.compress_glb(path)
    document = glb_document(path)
    document["buffers"][0]["uri"] = "some%20bytes.bin"
    document["images"] = [{"uri": "a%20picture.png"}, {"uri": "none.png"}]
    (tmp_path / "some bytes.bin").write_bytes(glb_blob(path))
    (tmp_path / "a picture.png").write_bytes(picture)
    there = tmp_path / "in.gltf"
    there.write_text(json.dumps(document), "utf-8")
    with readable_gltf(there) as plain:
        found, content = glb_document(plain), glb_blob(plain)
    assert found["images"][1] == {"uri": "none.png"}, "whoever reads it says that it is not there"
    assert found["images"].pop()
    path.write_bytes(pack_glb(found, content))
    assert read_glb(path).images["color"] == picture and found["images"][0]["mimeType"] == "image/png"
    assert_alike(parts_of(path), before)
    (tmp_path / "some bytes.bin").unlink()
    with (
        pytest.raises(ValueError, match=r"^it needs some bytes\.bin, which is not where it says$"),
        readable_gltf(there),
    ):
        pass


def cut_short(document: dict[str, Any]) -> None:
    document["bufferViews"][0]["extensions"][meshopt.EXTENSION]["byteLength"] += 10**6


def too_many(document: dict[str, Any]) -> None:
    document["bufferViews"][0]["byteLength"] += 12


def endless(document: dict[str, Any]) -> None:
    view = document["bufferViews"][0]
    view["extensions"][meshopt.EXTENSION]["count"] = count = 1 << 30
    view["byteLength"] = count * view["extensions"][meshopt.EXTENSION]["byteStride"]


def of_no_buffer(document: dict[str, Any]) -> None:
    document["bufferViews"][0]["extensions"][meshopt.EXTENSION]["buffer"] = 7


def without_a_mode(document: dict[str, Any]) -> None:
    del document["bufferViews"][0]["extensions"][meshopt.EXTENSION]["mode"]


@pytest.mark.parametrize("change", [cut_short, too_many, endless, of_no_buffer, without_a_mode])
def test_a_file_that_says_something_wrong_is_refused(tmp_path: Path, change: Any) -> None:
    words = "unpacks to more than 2 GB" if change is endless else "it names something that is not in it"
    path = meshopt.compress_glb(write_glb(tmp_path / "in.glb", shapes()))
    document = glb_document(path)
    change(document)
    path.write_bytes(pack_glb(document, glb_blob(path)))
    with pytest.raises(ValueError, match=words), readable_gltf(path):
        pass


def test_weights_of_what_has_no_shapes_are_left_out(tmp_path: Path) -> None:
    path = with_idle_weights(write_animated_glb(tmp_path / "in.glb", widening=True))
    before, content = read_animations(path), path.read_bytes()
    assert ("post", "weights") in before["walk"] and before.keys() == {"walk", "wave", "widen"}
    with readable_gltf(path) as plain:
        after = read_animations(plain)
        assert_alike(parts_of(plain), [(part.positions, part.triangles) for part in read_glb(path).parts])
    assert after.keys() == {"walk", "wave"}, "the one that moved nothing else is none"
    for name, channels in after.items():
        assert channels.keys() == before[name].keys() - {("post", "weights")}
        assert all(np.array_equal(values, before[name][key]) for key, values in channels.items())
    assert path.read_bytes() == content


def of_a_bone(document: dict[str, Any]) -> None:
    document["animations"][2]["channels"][0]["target"]["node"] = 1


def of_normals(document: dict[str, Any]) -> None:
    primitive = document["meshes"][0]["primitives"][0]
    primitive["targets"] = [{"NORMAL": shape["POSITION"]} for shape in primitive["targets"]]


@pytest.mark.parametrize("change", [of_a_bone, of_normals])
def test_weights_that_blender_has_no_shape_for_are_left_out(tmp_path: Path, change: Any) -> None:
    path = write_animated_glb(tmp_path / "in.glb", widening=True)
    document = glb_document(path)
    change(document)
    path.write_bytes(pack_glb(document, glb_blob(path)))
    with readable_gltf(path) as plain:
        assert read_animations(plain).keys() == {"walk", "wave"}


def test_weights_of_shapes_stay(tmp_path: Path) -> None:
    path = write_animated_glb(tmp_path / "in.glb", widening=True)
    with readable_gltf(path) as same:
        assert same == path
    meshopt.compress_glb(path)
    with readable_gltf(path) as plain:
        assert "widen" in read_animations(plain)


def test_weights_of_a_node_that_is_not_there_are_said(tmp_path: Path) -> None:
    path = write_animated_glb(tmp_path / "in.glb", widening=True)
    document = glb_document(path)
    document["animations"][2]["channels"][0]["target"]["node"] = 70
    path.write_bytes(pack_glb(document, glb_blob(path)))
    with pytest.raises(ValueError, match=r"^it names something that is not in it$"), readable_gltf(path):
        pass


@pytest.mark.parametrize("packed", [False, True])
def test_of_several_scenes_the_one_that_is_shown_is_left(tmp_path: Path, packed: bool) -> None:
    path = write_animated_glb(tmp_path / "in.glb", widening=True)
    before, motions, document = parts_of(path), read_animations(path), glb_document(path)
    with_hidden_scene(path)
    with readable_gltf(meshopt.compress_glb(path) if packed else path) as plain:
        after = glb_document(plain)
        assert_alike(parts_of(plain), before)
        assert {key: after[key] for key in ("nodes", "skins")} == {key: document[key] for key in ("nodes", "skins")}
        assert (after["scene"], after["scenes"]) == (0, [{"nodes": document["scenes"][0]["nodes"]}])
        for name, channels in read_animations(plain).items():
            assert all(np.array_equal(values, motions[name][key]) for key, values in channels.items())


def test_scenes_of_the_same_nodes_are_read_as_they_are(tmp_path: Path) -> None:
    path = write_glb(tmp_path / "in.glb", shapes())
    document = glb_document(path)
    document["scenes"].append({"nodes": [0, 1]})
    path.write_bytes(pack_glb(document, glb_blob(path)))
    with readable_gltf(path) as same:
        assert same == path


def test_a_scene_of_a_node_that_is_not_there_is_said(tmp_path: Path) -> None:
    path = write_glb(tmp_path / "in.glb", shapes())
    document = glb_document(path)
    document["scenes"] = [{"nodes": [7]}, {"nodes": [0]}]
    path.write_bytes(pack_glb(document, glb_blob(path)))
    with pytest.raises(ValueError, match=r"^it names something that is not in it$"), readable_gltf(path):
        pass


def binds_of(path: Path) -> Array:
    """The inverse bind matrices of the first skin, (joints, 4, 4)."""
    document = glb_document(path)
    found = accessor_of(document, glb_blob(path), document["skins"][0]["inverseBindMatrices"])
    return found.reshape(-1, 4, 4).transpose(0, 2, 1)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("size", [100.0, 0.01, 0.0])
def test_a_joint_that_bends_nothing_is_bound_where_it_hangs(tmp_path: Path, size: float, packed: bool) -> None:
    path = with_idle_joint(write_animated_glb(tmp_path / "in.glb", widening=True), size)
    before, parts = binds_of(path), parts_of(path)
    with readable_gltf(meshopt.compress_glb(path) if packed else path) as plain:
        after = binds_of(plain)
        assert_alike(parts_of(plain), parts)
    assert np.array_equal(after[:2], before[:2]), "what bends something stays"
    place = np.eye(4)
    place[1, 3] = -1.0  # one above the lower joint, as its node is
    assert np.allclose(after[2], place)


def test_so_it_is_where_draco_has_packed_who_bends_what(tmp_path: Path) -> None:
    path = with_idle_joint(write_animated_glb(tmp_path / "in.glb"))
    document = glb_document(path)
    skin, (primitive,) = document["skins"][0], document["meshes"][0]["primitives"]
    primitive["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {}}}
    for number in primitive["attributes"].values():
        del document["accessors"][number]["bufferView"]
    path.write_bytes(pack_glb(document, glb_blob(path)))
    before = binds_of(path)
    with readable_gltf(path) as plain:
        after = binds_of(plain)
        assert glb_document(plain)["meshes"][0]["primitives"][0]["extensions"] == primitive["extensions"]
    assert len(skin["joints"]) == 3 and np.array_equal(after[:2], before[:2])
    assert np.linalg.det(after[2, :3, :3]) == pytest.approx(1.0)


def of_the_same_size(path: Path) -> None:
    with_idle_joint(path, 1.0)


def that_bends(path: Path) -> None:
    """Its vertices would stand elsewhere if it were bound otherwise."""
    document, blob = glb_document(with_idle_joint(path)), bytearray(glb_blob(path))
    joints = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"]]
    start = document["bufferViews"][joints["bufferView"]]["byteOffset"]
    blob[start : start + 2] = (2).to_bytes(2, "little")
    path.write_bytes(pack_glb(document, bytes(blob)))


def out_of_order(path: Path) -> None:
    """Blender says what it makes of it."""
    document = glb_document(with_idle_joint(path))
    document["accessors"][document["skins"][0]["inverseBindMatrices"]]["count"] = 10**6
    path.write_bytes(pack_glb(document, glb_blob(path)))


def of_a_node_without_a_size(path: Path) -> None:
    """What is hidden so has no place among the others."""
    document = glb_document(with_idle_joint(path))
    document["nodes"][-1]["scale"] = [0, 0, 0]
    path.write_bytes(pack_glb(document, glb_blob(path)))


@pytest.mark.parametrize("change", [of_the_same_size, that_bends, out_of_order, of_a_node_without_a_size])
def test_other_joints_are_bound_as_they_are(tmp_path: Path, change: Any) -> None:
    change(path := write_animated_glb(tmp_path / "in.glb"))
    with readable_gltf(path) as same:
        assert same == path
