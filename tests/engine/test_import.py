from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine.engine_run import needs_bpy, run_engine
from support.models import meshopt
from support.models.animated import (
    read_animations,
    with_hidden_scene,
    with_idle_joint,
    with_idle_weights,
    write_animated_glb,
)
from support.models.meshes import (
    Shape,
    box,
    cube_sphere,
    glb_blob,
    glb_document,
    pack_glb,
    png,
    read_glb,
    read_png,
    write_glb,
    write_obj,
    write_stl,
)

pytestmark = needs_bpy


def colored_png() -> bytes:
    pixels = np.zeros((32, 32, 3), np.uint8)
    pixels[:16] = (220, 30, 30)
    pixels[16:] = (30, 60, 200)
    return png(pixels)


@pytest.mark.slow
def test_a_textured_glb_keeps_its_size_place_parts_and_texture_and_gets_a_picture(tmp_path: Path) -> None:
    shapes = [cube_sphere(6), box((1, 2, 3), (4, 0, 0))]
    source = write_glb(tmp_path / "in.glb", shapes, texture=colored_png(), offset=(0, 5, 0))
    before = source.read_bytes()

    answer = run_engine("import_model", tmp_path / "out", model=source, preview=True, full_size=True)

    assert answer["files"] == {"model_url": "model.glb", "rendered_image_url": "preview.png"}
    assert answer["facts"]["triangles"] == 12 * 6 * 6 + 12
    glb = read_glb(tmp_path / "out" / "model.glb")
    assert glb.triangles == 12 * 6 * 6 + 12
    assert sorted(part.name for part in glb.parts) == ["box", "sphere"]
    assert np.allclose(glb.bounds, read_glb(source).bounds, atol=1e-4)
    assert np.array_equal(glb.picture("color"), read_png(colored_png()))
    picture = read_png((tmp_path / "out" / "preview.png").read_bytes())[..., :3].astype(int)
    assert picture.shape == (512, 512, 3)
    picture = picture[4:-4, 4:-4]  # the denoiser leaves specks in the very corners
    shown = np.abs(picture - picture[0, 0]).max(axis=2) > 12
    assert 0.05 < shown.mean() < 0.8, "the model is in the picture, and has room around it"
    assert not (shown[0].any() or shown[-1].any() or shown[:, 0].any() or shown[:, -1].any()), "and is not cut off"
    assert source.read_bytes() == before


CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"


def in_3mf(resources: str, build: str = "") -> str:
    """A part of a 3MF file, in millimetres, as printing programs write it."""
    model = f'<model unit="millimeter" xmlns="{CORE}" xmlns:p="{PRODUCTION}" requiredextensions="p">'
    return f"{model}<resources>{resources}</resources><build>{build}</build></model>"


def object_3mf(number: int, shape: Shape, name: str) -> str:
    vertices = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in (shape.positions * 1000).round(4))
    triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in shape.triangles)
    mesh = f"<mesh><vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh>"
    return f'<object id="{number}" type="model" name="{name}">{mesh}</object>'


def zip_3mf(path: Path, parts: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return path


def write_3mf(path: Path, shape: Shape) -> Path:
    return zip_3mf(path, {"3D/3dmodel.model": in_3mf(object_3mf(1, shape, "model"), '<item objectid="1"/>')})


def write_3mf_of_parts(path: Path, *, last: str = "b") -> Path:
    """A small box in a part of its own and twice a large one in another, both with the number 1, as slicers do it."""
    components = "".join(
        f'<component p:path="/3D/Objects/{part}.model" objectid="1" transform="1 0 0 0 1 0 0 0 1 {way}"/>'
        for part, way in zip("ab" + last, ("0 0 0", "20 0 0", "0 30 0"), strict=True)
    )
    return zip_3mf(
        path,
        {
            "3D/Objects/a.model": in_3mf(object_3mf(1, box((0.001, 0.001, 0.001)), "small")),
            "3D/Objects/b.model": in_3mf(object_3mf(1, box((0.01, 0.01, 0.01)), "large")),
            "3D/3dmodel.model": in_3mf(
                f'<object id="2" type="model"><components>{components}</components></object>',
                '<item objectid="2" transform="1 0 0 0 1 0 0 0 1 0 0 5"/>',
            ),
        },
    )


def converted(kind: str) -> Callable[[Path, Shape], Path]:
    """A writer of a format that only Blender has: our own conversion, which other tests open with Blender alone."""

    def write(path: Path, shape: Shape) -> Path:
        source = write_glb(path.with_suffix(".glb"), [shape], texture=colored_png())
        answer = run_engine("convert", path.parent / "converted", {"format": kind}, model=source)
        return path.parent / "converted" / answer["files"]["model_url"]

    return write


def to_y_up(positions: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What is +Z up in a file as glTF has it."""
    return np.stack((positions[:, 0], positions[:, 2], -positions[:, 1]), axis=1)


FORMATS: dict[str, tuple[Callable[[Path, Shape], Path], bool, bool]] = {
    "glb": (lambda path, shape: write_glb(path, [shape], texture=colored_png()), True, True),
    "obj": (write_obj, True, False),
    "fbx": (converted("FBX"), True, True),
    "stl": (write_stl, False, False),
    "3mf": (write_3mf, False, False),
    "usdz": (converted("USDZ"), True, True),
}
"""Format → how a file is made, whether it is +Y up, and whether it holds a texture."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_keeps_size_and_place_and_gets_a_picture(tmp_path: Path, kind: str) -> None:
    write, y_up, textured = FORMATS[kind]
    ball = cube_sphere(6, centre=(2, 5, -1))
    shape = replace(ball, positions=(ball.positions - (2, 5, -1)) * (0.5, 1, 1.5) + (2, 5, -1))
    model = write(tmp_path / f"in.{kind}", shape)
    answer = run_engine("import_model", tmp_path / "out", model=model, preview=True)
    result = read_glb(tmp_path / "out" / answer["files"]["model_url"])
    expected = shape if y_up else replace(shape, positions=to_y_up(shape.positions))
    assert np.allclose(result.bounds, expected.bounds, atol=2e-4)
    assert result.triangles == len(shape.triangles) == answer["facts"]["triangles"]
    assert ("color" in result.images) == textured
    picture = read_png((tmp_path / "out" / answer["files"]["rendered_image_url"]).read_bytes())[4:-4, 4:-4, :3]
    shown = np.abs(picture.astype(int) - picture[0, 0]).max(axis=2) > 12
    assert 0.05 < shown.mean() < 0.8
    colorful = np.ptp(picture[shown].astype(int), axis=1)
    assert ((colorful > 80).mean() > 0.3) == textured, "the texture is in the picture"


def test_a_3mf_with_objects_in_parts_of_their_own_is_read(tmp_path: Path) -> None:
    run_engine("import_model", tmp_path / "out", model=write_3mf_of_parts(tmp_path / "in.3mf"))
    result = read_glb(tmp_path / "out" / "model.glb")
    assert result.triangles == 36
    middles = sorted(tuple((part.positions.mean(axis=0) * 1000).round(2) + 0.0) for part in result.parts)
    assert middles == [(0, 5, -30), (0, 5, 0), (20, 5, 0)]
    sizes = sorted(round(1000 * float(np.ptp(part.positions[:, 0])), 3) for part in result.parts)
    assert sizes == [1, 10, 10]


def test_an_animated_model_still_moves(tmp_path: Path) -> None:
    source = write_animated_glb(tmp_path / "in.glb")
    run_engine("import_model", tmp_path / "out", model=source)
    before, after = read_animations(source), read_animations(tmp_path / "out" / "model.glb")
    assert set(after) == {"walk", "wave"}
    way = ("hips", "translation")
    assert np.allclose(np.ptp(after["walk"][way], axis=0), np.ptp(before["walk"][way], axis=0), atol=0.01)


@pytest.mark.each_python
def test_what_meshopt_compressed_is_read(tmp_path: Path) -> None:
    shapes = [cube_sphere(6), cube_sphere(3, 0.5, (4, 0, 0), "moon")]
    plain = read_glb(write_glb(tmp_path / "in.glb", shapes, texture=colored_png()))
    source = meshopt.compress_glb(tmp_path / "in.glb")
    run_engine("import_model", tmp_path / "out", model=source)
    result = read_glb(tmp_path / "out" / "model.glb")
    assert sorted(part.name for part in result.parts) == ["moon", "sphere"]
    assert result.triangles == plain.triangles
    assert np.allclose(result.bounds, plain.bounds, atol=1e-4)
    assert np.array_equal(result.picture("color"), read_png(colored_png()))


@pytest.mark.each_python
def test_a_motion_that_meshopt_compressed_is_read(tmp_path: Path) -> None:
    source = write_animated_glb(tmp_path / "in.glb")
    before = read_animations(source)
    run_engine("import_model", tmp_path / "out", model=meshopt.compress_glb(source))
    after = read_animations(tmp_path / "out" / "model.glb")
    way = ("hips", "translation")
    assert np.allclose(np.ptp(after["walk"][way], axis=0), np.ptp(before["walk"][way], axis=0), atol=0.01)


@pytest.mark.each_python
@pytest.mark.parametrize("packed", [False, True])
def test_weights_of_what_has_no_shapes_do_no_harm(tmp_path: Path, packed: bool) -> None:
    """Blender's importer fails on them, and said nothing that helps; with meshopt that was blamed."""
    source = with_idle_weights(write_animated_glb(tmp_path / "in.glb", widening=True))
    before = read_animations(source)
    run_engine("import_model", tmp_path / "out", model=meshopt.compress_glb(source) if packed else source)
    after = read_animations(tmp_path / "out" / "model.glb")
    way = ("hips", "translation")
    assert np.allclose(np.ptp(after["walk"][way], axis=0), np.ptp(before["walk"][way], axis=0), atol=0.01)
    assert "wave" in after and read_glb(tmp_path / "out" / "model.glb").triangles == 128


@pytest.mark.each_python
def test_what_another_scene_of_a_file_has_is_no_part_of_the_model(tmp_path: Path) -> None:
    """No viewer shows it. Blender's importer reads all scenes, and what it hides lost its place and its size."""
    source = write_glb(tmp_path / "in.glb", [cube_sphere(6), cube_sphere(3, 0.5, (4, 0, 0), "moon")])
    before = read_glb(source)
    run_engine("decimate", tmp_path / "out", {"face_limit": 1000}, model=with_hidden_scene(source))
    result = read_glb(tmp_path / "out" / "model.glb")
    assert sorted(part.name for part in result.parts) == ["moon", "sphere"]
    assert np.allclose(result.bounds, before.bounds, atol=1e-3)


@pytest.mark.each_python
def test_a_joint_that_bends_nothing_does_not_tear_the_mesh(tmp_path: Path) -> None:
    """Exporters bind it in another unit. Blender's importer flung away what hangs below it, at rest and as it is seen:
    three of some sixty rigged animals and people were spikes.
    """
    source = with_idle_joint(write_animated_glb(tmp_path / "in.glb"))
    run_engine("import_model", tmp_path / "out", {"animate_in_place": False}, model=source)
    run_engine("convert", tmp_path / "seen", {"format": "STL"}, model=source)
    content = (tmp_path / "seen" / "model.stl").read_bytes()[84:]
    corners = np.frombuffer(content, np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))["v"].reshape(
        -1, 3
    )
    seen = np.array([corners.min(axis=0), corners.max(axis=0)])
    assert np.allclose(seen, [[-0.2, -0.2, 0.0], [0.2, 0.2, 2.0]], atol=1e-3), seen
    after = read_animations(tmp_path / "out" / "model.glb")
    assert np.ptp(after["walk"]["hips", "translation"][:, 3]) == pytest.approx(2.0, abs=0.01)


def test_meshopt_is_not_blamed_for_what_else_is_broken(tmp_path: Path) -> None:
    """It is unpacked by then."""
    source = meshopt.compress_glb(write_animated_glb(tmp_path / "in.glb"))
    document = glb_document(source)
    document["animations"][0]["channels"][0]["sampler"] = 70
    source.write_bytes(pack_glb(document, glb_blob(source)))
    with pytest.raises(BlenderFailed, match=r"^The GLB file cannot be read: ") as failed:
        run_engine("import_model", tmp_path / "out", model=source)
    assert "meshopt" not in str(failed.value)


def test_a_file_without_its_extension_is_known_by_its_content(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "upload", [box((1, 1, 1))])
    run_engine("import_model", tmp_path / "out", model=source)
    assert read_glb(tmp_path / "out" / "model.glb").triangles == 12


FBX_OF_TEXT = """; FBX 7.4.0 project file
FBXHeaderExtension:  {
    FBXHeaderVersion: 1003
    FBXVersion: 7400
}
GlobalSettings:  {
    Version: 1000
    Properties70:  {
        P: "UpAxis", "int", "Integer", "",1
        P: "UpAxisSign", "int", "Integer", "",1
        P: "FrontAxis", "int", "Integer", "",2
        P: "FrontAxisSign", "int", "Integer", "",1
        P: "CoordAxis", "int", "Integer", "",0
        P: "CoordAxisSign", "int", "Integer", "",1
        P: "UnitScaleFactor", "double", "Number", "",100
    }
}
Objects:  {
    Geometry: 1001, "Geometry::crate", "Mesh" {
        Vertices: *24 {
            a: 0,0,0,1,0,0,1,2,0,0,2,0,0,0,3,1,0,3,1,2,3,0,2,3
        }
        PolygonVertexIndex: *24 {
            a: 0,3,2,-2,4,5,6,-8,0,1,5,-5,1,2,6,-6,2,3,7,-7,3,0,4,-8
        }
        GeometryVersion: 124
    }
    Model: 1002, "Model::crate", "Mesh" {
        Version: 232
    }
}
Connections:  {
    C: "OO",1001,1002
    C: "OO",1002,0
}
"""
"""A box of 1, 2 and 3 metres, +Y up."""


@pytest.mark.each_python
def test_an_fbx_of_text_is_read_where_blender_can(tmp_path: Path) -> None:
    import bpy

    source = tmp_path / "in.fbx"
    source.write_text(FBX_OF_TEXT, "utf-8")
    if bpy.app.version < (4, 5):
        with pytest.raises(BlenderFailed, match=r"^The FBX file cannot be read: ASCII FBX files are not supported\.$"):
            run_engine("import_model", tmp_path / "out", model=source)
        return
    run_engine("import_model", tmp_path / "out", model=source)
    result = read_glb(tmp_path / "out" / "model.glb")
    assert [part.name for part in result.parts] == ["crate"]
    assert result.triangles == 12
    assert np.allclose(result.bounds, [(0, 0, 0), (1, 2, 3)], atol=1e-5)


@pytest.mark.each_python
def test_what_one_take_of_an_fbx_moves_is_one_animation(tmp_path: Path) -> None:
    """It was one of each thing: a witch's body stood in its rest pose between a hat and a cape that were posed."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    for name, way in (("broom", 1.0), ("hat", -2.0), ("witch", 4.0)):
        bpy.ops.mesh.primitive_cube_add()
        thing = bpy.context.object
        thing.name = name
        for frame, share in ((1, 1.0), (11, 2.0)):
            thing.location.x = share * way
            thing.keyframe_insert("location", frame=frame)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 11
    source = tmp_path / "in.fbx"
    bpy.ops.export_scene.fbx(filepath=str(source), bake_anim_use_all_actions=False, bake_anim_use_nla_strips=False)
    run_engine("import_model", tmp_path / "out", model=source)
    (clip,) = read_animations(tmp_path / "out" / "model.glb").values()
    ends = {
        node: values[[0, -1], 1].round(3).tolist() for (node, path), values in clip.items() if path == "translation"
    }
    assert ends == {"broom": [1, 2], "hat": [-2, -4], "witch": [4, 8]}


@pytest.mark.each_python
def test_what_a_take_does_not_move_is_not_tied_to_it() -> None:
    import bpy
    from asset_generation.vendor.background_blender.fbx_takes import tie_takes

    bpy.ops.wm.read_factory_settings(use_empty=True)
    things = [bpy.data.objects.new(name, None) for name in ("still", "broom", "hat", "wand")]
    for thing, take in zip(things, ("Take", "Take", "Take", "Other"), strict=True):
        bpy.context.collection.objects.link(thing)
        thing.animation_data_create()
        if thing.name == "still":
            thing.animation_data.action = bpy.data.actions.new(f"{thing.name}|{take}")
            continue
        for frame in (1, 11):
            thing.location.x = frame
            thing.keyframe_insert("location", index=0, frame=frame)
        thing.animation_data.action.name = f"{thing.name}|{take}"
    tie_takes()
    owners = {thing.name: thing.animation_data for thing in things}
    assert (owners["still"].action.name, owners["wand"].action.name) == ("still|Take", "wand|Other")
    if hasattr(owners["hat"].action, "slots"):
        assert owners["hat"].action == owners["broom"].action and owners["hat"].action.name == "Take"
    else:
        assert [[track.name for track in owner.nla_tracks] for owner in owners.values()] == [[], ["Take"], ["Take"], []]
    for frame in (1, 6, 11):
        bpy.context.scene.frame_set(frame)
        assert [round(thing.location.x, 3) for thing in things[1:3]] == [frame, frame]


def test_an_fbx_that_old_exporters_call_invisible_is_seen(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "in.glb", [box((1, 1, 1))])
    document = glb_document(source)
    document["materials"] = [{"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0.2, 0]}}]
    document["meshes"][0]["primitives"][0]["material"] = 0
    source.write_bytes(pack_glb(document, glb_blob(source)))
    run_engine("convert", tmp_path / "fbx", {"format": "FBX"}, model=source)
    run_engine("import_model", tmp_path / "out", model=tmp_path / "fbx" / "model.fbx")
    material = glb_document(tmp_path / "out" / "model.glb")["materials"][0]
    assert material["pbrMetallicRoughness"]["baseColorFactor"][3:] in ([], [1])
    assert material.get("alphaMode", "OPAQUE") == "OPAQUE"


def test_vertex_colors_of_an_obj_are_kept(tmp_path: Path) -> None:
    shape = box((1, 1, 1))
    lines = ["v {} {} {} 0.9 0.1 0.1".format(*p) for p in shape.positions]
    lines += ["f {} {} {}".format(*(t + 1)) for t in shape.triangles]
    (tmp_path / "colors.obj").write_text("\n".join(lines), encoding="utf-8")
    run_engine("import_model", tmp_path / "out", model=tmp_path / "colors.obj")
    assert all(part.has_colors for part in read_glb(tmp_path / "out" / "model.glb").parts)


def test_a_material_library_named_by_an_obj_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.mtl"
    (tmp_path / "secret.png").write_bytes(colored_png())
    secret.write_text("newmtl shown\nKd 1 0 0\nmap_Kd secret.png\n", encoding="utf-8")
    shape = box((1, 1, 1))
    model = write_obj(tmp_path / "a.obj", shape, extra=f"mtllib {secret.name}\nusemtl shown")
    run_engine("import_model", tmp_path / "out", model=model)
    assert read_glb(tmp_path / "out" / "model.glb").images == {}


def cut_glb(path: Path) -> None:
    write_glb(path, [cube_sphere(4)])
    path.write_bytes(path.read_bytes()[:400])


def glb_with_an_external_buffer(path: Path) -> None:
    document = {"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": "file:///etc/passwd"}]}
    path.write_bytes(pack_glb(document, b""))


def glb_without_faces(path: Path) -> None:
    document = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"name": "empty"}]}
    path.write_bytes(pack_glb(document, b"\0\0\0\0"))


def glb_of_an_unknown_extension(path: Path) -> None:
    write_glb(path, [box((1, 1, 1))])
    names = ["EXT_from_nowhere", "KHR_draco_mesh_compression"]
    named = {"extensionsUsed": names, "extensionsRequired": names}
    path.write_bytes(pack_glb(glb_document(path) | named, glb_blob(path)))


def compressed_glb(path: Path) -> None:
    """Says that it is compressed in a way that came later."""
    write_glb(path, [box((1, 1, 1))])
    name = "KHR_meshopt_compression"
    path.write_bytes(pack_glb(glb_document(path) | {"extensionsRequired": [name]}, glb_blob(path)))


def glb_with_a_broken_stream(path: Path) -> None:
    meshopt.compress_glb(write_glb(path, [box((1, 1, 1))]))
    document, blob = glb_document(path), bytearray(glb_blob(path))
    blob[0] ^= 0xFF
    path.write_bytes(pack_glb(document, bytes(blob)))


def glb_with_nonsense_inside(path: Path) -> None:
    write_glb(path, [box((1, 1, 1))])
    content = path.read_bytes()
    length = int.from_bytes(content[12:16], "little")
    document = json.loads(content[20 : 20 + length])
    document["accessors"][0]["bufferView"] = 99
    path.write_bytes(pack_glb(document, content[28 + length :]))


def glb_of_zeros(path: Path) -> None:
    """Has four billion points, which take no byte of the file."""
    write_glb(path, [box((1, 1, 1))])
    document = glb_document(path)
    primitive = document["meshes"][0]["primitives"][0]
    del primitive["indices"]
    places = document["accessors"][primitive["attributes"]["POSITION"]]
    del places["bufferView"]
    places["count"] = 4_000_000_000
    path.write_bytes(pack_glb(document, glb_blob(path)))


def glb_of_an_unknown_count(path: Path) -> None:
    write_glb(path, [box((1, 1, 1))])
    document = glb_document(path)
    document["accessors"].append({"componentType": 5126, "count": "many", "type": "VEC3"})
    path.write_bytes(pack_glb(document, glb_blob(path)))


def fbx_of_nonsense(path: Path) -> None:
    path.write_bytes(b"Kaydara FBX Binary  \0\x1a\0" + bytes(range(200)))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path.write_bytes(b""), "is empty"),
        (lambda path: path.write_bytes(b"just some text, no model"), "not GLB"),
        (cut_glb, "cut off"),
        (glb_with_an_external_buffer, "needs another file"),
        (glb_without_faces, "no faces"),
        (glb_of_an_unknown_extension, "needs EXT_from_nowhere, which"),
        (compressed_glb, "export it again without compression"),
        (glb_with_a_broken_stream, "a view that is compressed with EXT_meshopt_compression is broken"),
        (glb_with_nonsense_inside, "cannot be read: IndexError: list index out of range."),
        (glb_of_zeros, "unpacks to more than 2 GB"),
        (glb_of_an_unknown_count, "does not say how much"),
        (fbx_of_nonsense, "cannot be read: "),
        (lambda path: write_3mf_of_parts(path, last="c"), "refers to an object that is not there"),
    ],
    ids=[
        "empty",
        "text",
        "cut",
        "external buffer",
        "no faces",
        "unknown extension",
        "compressed",
        "broken stream",
        "nonsense",
        "zeros",
        "unknown count",
        "fbx of nonsense",
        "3mf without a part",
    ],
)
def test_what_cannot_be_a_model_is_refused_in_a_sentence(tmp_path: Path, make, words: str) -> None:  # type: ignore[no-untyped-def]
    make(tmp_path / "in.glb")
    with pytest.raises(BlenderFailed) as caught:
        run_engine("import_model", tmp_path / "out", model=tmp_path / "in.glb")
    assert caught.value.kind == "EngineError"
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")
    assert str(tmp_path) not in str(caught.value) and ".py" not in str(caught.value), "no file of this machine"
    assert not (tmp_path / "out" / "model.glb").exists()
