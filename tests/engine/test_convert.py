from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine.engine_run import needs_bpy, run_engine
from support.models.animated import FPS, WALK_SECONDS, WAVE_SECONDS, read_animations, write_animated_glb
from support.models.inspected import fbx_key_counts, fbx_setting, fbx_transform, inspect
from support.models.meshes import (
    Array,
    Glb,
    Shape,
    box,
    cube_sphere,
    glb_blob,
    glb_document,
    pack_glb,
    png,
    read_glb,
    torus,
    uv_overlap,
    write_glb,
)

pytestmark = needs_bpy

ORANGE = (230, 120, 20)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A textured ball of radius 1 around (3, 5, -2)."""
    texture = png(np.full((64, 64, 3), ORANGE, np.uint8))
    path = tmp_path_factory.mktemp("source") / "in.glb"
    return write_glb(path, [cube_sphere(8)], texture=texture, offset=(3, 5, -2))


def convert(folder: Path, model: Path, **body: Any) -> Path:
    answer = run_engine("convert", folder, body, model=model)
    return folder / answer["files"]["model_url"]


def back(folder: Path, model: Path) -> Glb:
    """What the engine itself reads from the converted file."""
    run_engine("import_model", folder, model=model)
    return read_glb(folder / "model.glb")


FORMATS = {"GLTF": b"glTF", "USDZ": b"PK", "FBX": b"Kaydara", "OBJ": b"PK", "STL": None, "3MF": b"PK"}


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_holds_the_shape_where_it_was(tmp_path: Path, source: Path, kind: str) -> None:
    result = convert(tmp_path / "out", source, format=kind, scale_factor=2)
    magic = FORMATS[kind]
    assert magic is None or result.read_bytes().startswith(magic)
    assert (tmp_path / "out" / "model.glb").is_file(), "what later tasks work on"
    if kind == "OBJ":
        with zipfile.ZipFile(result) as archive:
            assert sorted(archive.namelist()) == ["colors.png", "model.mtl", "model.obj"]
            assert b"map_Kd colors.png" in archive.read("model.mtl")
            archive.extract("model.obj", tmp_path)
        result = tmp_path / "model.obj"
    again = back(tmp_path / "again", result)
    assert again.triangles == 12 * 64
    assert np.allclose(again.bounds, read_glb(source).bounds * 2, atol=2e-3)
    assert ("color" in again.images) == (kind in ("GLTF", "USDZ", "FBX")), "textures, where the file holds them"


def test_pivot_orientation_texture_size_and_format(tmp_path: Path, source: Path) -> None:
    result = convert(
        tmp_path,
        source,
        format="gltf",
        pivot_to_center_bottom=True,
        export_orientation="+y",
        texture_size=16,
        texture_format="JPEG",
    )
    glb = read_glb(result)
    assert np.allclose(glb.bounds, [[-1, 0, -1], [1, 2, 1]], atol=1e-3)
    assert glb.images["color"].startswith(b"\xff\xd8"), "a JPEG"
    assert not any(node.get("translation") for node in glb.document["nodes"]), "the part's own origin moved as well"


def test_orientation_turns_around_the_up_axis(tmp_path: Path) -> None:
    model = write_glb(tmp_path / "in.glb", [box((4, 1, 1), (2, 0, 0))])
    glb = read_glb(convert(tmp_path / "out", model, format="GLTF", export_orientation="+y"))
    # What pointed to +X points to Blender's +Y now, which is glTF's -Z.
    assert np.allclose(glb.bounds, [[-0.5, -0.5, -4], [0.5, 0.5, 0]], atol=1e-5)


def test_fewer_faces_and_one_packed_texture(tmp_path: Path) -> None:
    shapes = [cube_sphere(12), cube_sphere(12, centre=(3, 0, 0), name="second")]
    model = write_glb(tmp_path / "in.glb", shapes, texture=png(np.full((8, 8, 3), ORANGE, np.uint8)))
    result = read_glb(convert(tmp_path / "out", model, format="GLTF", face_limit=1500, pack_uv=True, texture_size=512))
    assert 1200 <= result.triangles <= 1500
    assert uv_overlap(result.parts) < 0.01
    assert result.picture("color").shape[:2] == (512, 512)
    assert np.abs(result.picture("color")[..., :3].reshape(-1, 3).mean(axis=0) - ORANGE).max() < 8
    assert len(result.document["materials"]) == 1


def test_a_flat_bottom_and_symmetry(tmp_path: Path) -> None:
    model = write_glb(tmp_path / "in.glb", [cube_sphere(8)])
    glb = read_glb(convert(tmp_path / "flat", model, format="GLTF", flatten_bottom=True, flatten_bottom_threshold=0.25))
    assert np.allclose(glb.bounds[:, 1], [-0.5, 1], atol=1e-3)
    low = glb.parts[0].positions[glb.parts[0].triangles][:, :, 1]
    assert (np.abs(low + 0.5) < 1e-4).all(axis=1).any(), "the cut is closed"

    lopsided = cube_sphere(8)
    lopsided.positions[lopsided.positions[:, 0] < 0] *= (0.5, 0.8, 1)
    model = write_glb(tmp_path / "lopsided.glb", [lopsided])
    glb = read_glb(convert(tmp_path / "symmetric", model, format="GLTF", force_symmetry=True))
    points = glb.parts[0].positions
    middle = glb.bounds[:, 0].mean()
    mirrored = points * (-1, 1, 1) + (2 * middle, 0, 0)
    nearest = np.linalg.norm(points[None] - mirrored[:, None], axis=2).min(axis=1)
    assert nearest.max() < 1e-3


def test_vertex_colors_are_made_from_the_texture_where_there_are_none(tmp_path: Path, source: Path) -> None:
    result = convert(tmp_path, source, format="OBJ", export_vertex_colors=True)
    with zipfile.ZipFile(result) as archive:
        lines = archive.read("model.obj").decode().splitlines()
    vertices = np.array([line.split()[1:] for line in lines if line.startswith("v ")], float)
    assert vertices.shape[1] == 6
    assert np.abs(vertices[:, 3:].mean(axis=0) * 255 - ORANGE).max() < 8


@pytest.mark.slow
@pytest.mark.parametrize(("size", "opacity", "pixels"), [(256, 1, 256), (512, 1, 256), (512, 0.4, 512)])
def test_roughness_and_metal_are_baked_where_they_were(tmp_path: Path, size: int, opacity: float, pixels: int) -> None:
    """Alone they get half of the pixels along a side of a large texture; what is seen through is in the same bake."""
    balls = [cube_sphere(8, 1, (-1.2, 0, 0), "steel"), cube_sphere(8, 1, (1.2, 0, 0), "chalk")]
    model = write_glb(tmp_path / "in.glb", balls)
    document, blob = glb_document(model), glb_blob(model)
    document["materials"] = [
        {"pbrMetallicRoughness": {"metallicFactor": 1, "roughnessFactor": 0.2, "baseColorFactor": [1, 1, 1, 1]}},
        {"pbrMetallicRoughness": {"metallicFactor": 0, "roughnessFactor": 0.8, "baseColorFactor": [1, 1, 1, opacity]}},
    ]
    document["materials"][1] |= {"alphaMode": "BLEND"} if opacity < 1 else {}
    for number, mesh in enumerate(document["meshes"]):
        mesh["primitives"][0]["material"] = number
    model.write_bytes(pack_glb(document, blob))
    result = read_glb(convert(tmp_path / "out", model, format="GLTF", bake=True, texture_size=size))
    assert len(result.picture("color")) == size
    picture = result.picture("metallic_roughness")
    assert len(picture) == pixels
    for part in result.parts:
        assert part.uvs is not None
        columns, rows = (part.uvs[part.triangles].mean(axis=1) * pixels).astype(int).T
        seen = np.median(picture[rows, columns, :3], axis=0)
        wanted = (255, 0.2 * 255, 255) if part.name == "steel" else (255, 0.8 * 255, 0)
        assert np.abs(seen - wanted).max() <= 1, part.name


def test_quads(tmp_path: Path) -> None:
    model = write_glb(tmp_path / "in.glb", [torus(40, (0.2, 0.4, 0.9))])
    result = convert(tmp_path / "out", model, format="OBJ", quad=True, face_limit=600, texture_size=256)
    with zipfile.ZipFile(result) as archive:
        faces = [line.split()[1:] for line in archive.read("model.obj").decode().splitlines() if line.startswith("f ")]
    assert 480 <= len(faces) <= 600
    assert sum(len(face) == 4 for face in faces) >= 0.95 * len(faces)


def quads_of(result: Path) -> Array:
    """The corners' places of the faces of an OBJ in a zip, all quads, (n, 4, 3)."""
    with zipfile.ZipFile(result) as archive:
        lines = [line.split() for line in archive.read("model.obj").decode().splitlines()]
    places = np.array([line[1:4] for line in lines if line[:1] == ["v"]], float)
    faces = [[int(corner.partition("/")[0]) - 1 for corner in line[1:]] for line in lines if line[:1] == ["f"]]
    return places[np.array(faces)]


def test_what_was_made_of_quads_gets_them_back(tmp_path: Path) -> None:
    ball = cube_sphere(8)
    model = write_glb(tmp_path / "in.glb", [ball])
    quads = quads_of(convert(tmp_path / "out", model, format="OBJ", quad=True, texture_size=256))
    assert len(quads) == len(ball.triangles) // 2
    places = {tuple(place) for place in np.round(quads.reshape(-1, 3), 4) + 0.0}
    assert places == {tuple(place) for place in np.round(ball.positions, 4).astype(float) + 0.0}


def test_a_few_triangles_among_the_quads_are_no_reason_for_a_new_surface(tmp_path: Path) -> None:
    """Left over they are more than half as many faces as there are triangles, as Blender's monkey showed."""
    crumbs = [Shape(np.array([(x, 0, 0), (x + 0.1, 0, 0), (x, 0.1, 0)]), np.array([(0, 1, 2)])) for x in range(2, 12)]
    model = write_glb(tmp_path / "in.glb", [cube_sphere(8), *crumbs])
    result = convert(tmp_path / "out", model, format="OBJ", quad=True, texture_size=256)
    with zipfile.ZipFile(result) as archive:
        faces = [line.split()[1:] for line in archive.read("model.obj").decode().splitlines() if line.startswith("f ")]
    assert sorted(len(face) for face in faces) == [3] * 10 + [4] * (len(cube_sphere(8).triangles) // 2)


def test_quads_of_what_no_remesher_takes_are_square_where_the_triangles_were_halves_of_squares(tmp_path: Path) -> None:
    """Pages of a book: triangles that are cut in three have corners of 30 degrees and less."""
    out, up = (steps.ravel() for steps in np.meshgrid(np.arange(7), np.arange(7), indexing="ij"))
    turns = np.linspace(0, 5, 9)[:, None]
    points = np.stack((out * np.cos(turns), np.tile(up, (9, 1)), out * np.sin(turns)), axis=2)
    first = np.add.outer(np.arange(6) * 7, np.arange(6)).ravel()
    halves = np.concatenate((np.stack((first, first + 7, first + 8), 1), np.stack((first, first + 8, first + 1), 1)))
    book = Shape(points.reshape(-1, 3), (np.arange(9)[:, None, None] * 49 + halves).reshape(-1, 3))
    model = write_glb(tmp_path / "in.glb", [book])
    quads = quads_of(convert(tmp_path / "out", model, format="OBJ", quad=True, face_limit=2500, texture_size=256))
    ways = np.roll(quads, -1, axis=1) - quads
    ways /= np.linalg.norm(ways, axis=2, keepdims=True)
    assert np.abs((ways * np.roll(ways, 1, axis=1)).sum(axis=2)).max() < 0.01


@pytest.mark.parametrize("count", [1, 3, 5, 8])
def test_a_few_triangles_that_make_no_pairs_become_quads_all_the_same(tmp_path: Path, count: int) -> None:
    """Half as many quads as triangles, Convert's number, do not hold them."""
    along = np.arange(count + 2)
    band = Shape(np.stack((along / 2, along % 2, along % 3 / 20), 1), along[:count, None] + (0, 1, 2))
    turned = band.triangles.copy()
    turned[1::2] = turned[1::2, ::-1]
    model = write_glb(tmp_path / "in.glb", [Shape(band.positions, turned)])
    quads = quads_of(convert(tmp_path / "out", model, format="OBJ", quad=True, texture_size=256))
    assert quads.shape[1] == 4
    assert np.abs(np.sort(quads.reshape(-1, 3).max(axis=0)) - np.sort(band.positions.max(axis=0))).max() < 1e-4
    halves = np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))
    area, before = (
        np.linalg.norm(np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0]), axis=1).sum() / 2
        for sides in (halves, band.positions[turned])
    )
    assert area == pytest.approx(before, rel=0.01)


def test_quads_leave_no_rig_that_nothing_hangs_on(tmp_path: Path, moving: Path) -> None:
    convert(tmp_path, moving, format="FBX", quad=True, texture_size=256, assemble_animation=True)
    document = glb_document(tmp_path / "model.glb")
    assert [node["name"] for node in document["nodes"]] == ["model"]
    assert not document.get("animations") and not document.get("skins")


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_animated_glb(tmp_path_factory.mktemp("moving") / "in.glb")


def test_a_glb_keeps_rig_morph_targets_and_animations_that_move(tmp_path: Path, moving: Path) -> None:
    result = convert(tmp_path, moving, format="GLTF")
    before, after = read_animations(moving), read_animations(result)
    assert set(after) == {"walk", "wave"}
    for clip, channel in (("walk", ("hips", "translation")), ("wave", ("top", "rotation"))):
        assert np.allclose(np.ptp(after[clip][channel], axis=0), np.ptp(before[clip][channel], axis=0), atol=0.01)
    seen = inspect(result)
    assert seen["bones"] == ["hips", "top"] and seen["shape_keys"] == ["Basis", "wide"]


def test_animations_are_left_out_joined_and_held_in_place(tmp_path: Path, moving: Path) -> None:
    assert read_animations(convert(tmp_path / "none", moving, format="GLTF", with_animation=False)) == {}
    joined = read_animations(convert(tmp_path / "one", moving, format="GLTF", assemble_animation=True))
    (clip,) = joined.values()
    assert np.isclose(clip["hips", "translation"][-1, 0], WALK_SECONDS + WAVE_SECONDS + 1 / FPS, atol=0.01)
    way, bend = clip["hips", "translation"], clip["top", "rotation"]
    walking = way[:, 0] <= WALK_SECONDS + 1e-3
    assert np.isclose(np.ptp(way[walking, 3]), 2, atol=0.01) and np.ptp(bend[walking, 1:]) - 1 < 1e-3
    assert np.abs(way[~walking, 1:]).max() < 1e-3, "at rest while it waves"
    assert np.ptp(bend[~walking, 3]) > 0.25
    still = read_animations(convert(tmp_path / "still", moving, format="GLTF", animate_in_place=True))
    assert np.allclose(np.ptp(still["walk"]["hips", "translation"], axis=0), (WALK_SECONDS, 0, 0.2, 0), atol=0.01)
    assert set(still) == {"walk", "wave"}


@pytest.mark.parametrize(("kind", "clips"), [("FBX", 2), ("USDZ", 1)])
def test_fbx_and_usdz_carry_animations(tmp_path: Path, moving: Path, kind: str, clips: int) -> None:
    plain = inspect(convert(tmp_path / "all", moving, format=kind))
    assert plain["bones"] == ["hips", "top"] and plain["shape_keys"] == ["Basis", "wide"]
    assert len(plain["clips"]) == clips, "USDZ has one timeline: the first animation"
    walk = next(clip for name, clip in plain["clips"].items() if "walk" in name or kind == "USDZ")
    assert walk["frames"] == FPS and np.allclose(walk["travel"], (0, 2, 0.2), atol=0.01)
    (joined,) = inspect(convert(tmp_path / "one", moving, format=kind, assemble_animation=True))["clips"].values()
    assert joined["frames"] == FPS * (WALK_SECONDS + WAVE_SECONDS) + 1
    still = inspect(convert(tmp_path / "still", moving, format=kind, animate_in_place=True))["clips"]
    walk = next(clip for name, clip in still.items() if "walk" in name or kind == "USDZ")
    assert np.allclose(walk["travel"], (0, 0, 0.2), atol=0.01)
    assert inspect(convert(tmp_path / "none", moving, format=kind, with_animation=False))["clips"] == {}


def test_things_that_move_without_a_rig_move_together_in_an_fbx_and_morphs_do_too(tmp_path: Path) -> None:
    """Blender writes a stack for every thing with every action, each alone, and none for shape keys."""
    model = write_animated_glb(tmp_path / "in.glb", widening=True)
    document, blob = glb_document(model), glb_blob(model)
    del document["skins"], document["nodes"][0]["skin"]
    model.write_bytes(pack_glb(document, blob))
    result = convert(tmp_path / "out", model, format="FBX")
    assert len(re.findall(rb"\x00\x01AnimStack", result.read_bytes())) == 1
    back(tmp_path / "back", result)
    moved: dict[tuple[str, str], float] = {}
    for clip in read_animations(tmp_path / "back" / "model.glb").values():
        moved |= {channel: float(np.ptp(values[:, 1:], axis=0).max()) for channel, values in clip.items()}
    assert moved["hips", "translation"] == pytest.approx(2, abs=0.01)
    assert moved["top", "rotation"] == pytest.approx(np.sin(0.3), abs=0.01)
    assert moved["post", "weights"] == pytest.approx(1, abs=0.05), "the widest is between two frames"


def test_the_first_clip_of_a_file_stays_the_first_whatever_it_moves_is_called(tmp_path: Path) -> None:
    """Who opens a result sees its first clip: it was that of what comes first by name."""
    model = write_animated_glb(tmp_path / "in.glb")
    document, blob = glb_document(model), glb_blob(model)
    del document["skins"], document["nodes"][0]["skin"]
    next(node for node in document["nodes"] if node["name"] == "top")["name"] = "arm"
    model.write_bytes(pack_glb(document, blob))
    assert list(read_animations(convert(tmp_path / "glb", model, format="GLTF", animate_in_place=True))) == [
        *("walk", "wave")
    ]
    back(tmp_path / "back", convert(tmp_path / "fbx", model, format="FBX"))
    moved = {
        name: values
        for clip in read_animations(tmp_path / "back" / "model.glb").values()
        for name, values in clip.items()
    }
    way, turn = moved["hips", "translation"], moved["arm", "rotation"]
    assert np.ptp(way[way[:, 0] < WALK_SECONDS, 1:], axis=0).max() == pytest.approx(2, abs=0.2)
    assert np.ptp(turn[turn[:, 0] < WALK_SECONDS, 1:], axis=0).max() < 1e-3


def test_an_fbx_has_no_keys_between_the_ends_of_what_does_not_move(tmp_path: Path, moving: Path) -> None:
    counts = fbx_key_counts(convert(tmp_path, moving, format="FBX"))
    still = sum(count <= 2 for count in counts)
    assert still > len(counts) / 2, "a clip moves one bone along two axes, or turns the other one"
    assert FPS * WALK_SECONDS + 1 in counts


def test_fewer_faces_keep_morph_targets(tmp_path: Path) -> None:
    source = write_animated_glb(tmp_path / "in.glb", steps=80)
    seen = inspect(convert(tmp_path / "out", source, format="GLTF", face_limit=400))
    assert 320 <= seen["triangles"] <= 400
    assert seen["shape_keys"] == ["Basis", "wide"] and seen["bones"] == ["hips", "top"]


TURNS = {"+x": (4, 0), "+y": (0, 4), "-x": (-4, 0), "-y": (0, -4)}


@pytest.mark.parametrize("axis", TURNS)
def test_every_orientation_turns_the_front_to_its_axis(tmp_path: Path, axis: str) -> None:
    model = write_glb(tmp_path / "in.glb", [box((4, 1, 1), (2, 0, 0))])
    low, high = inspect(convert(tmp_path / "out", model, format="GLTF", export_orientation=axis))["bounds"]
    far = np.where(np.abs(low) > np.abs(high), low, high)[:2]
    assert np.allclose(far * (np.abs(far) > 1), TURNS[axis], atol=1e-4)


FBX_PRESETS = {
    "blender": ({"UpAxis": 1, "UnitScaleFactor": 1}, (-90, 0, 0), 100),
    "3dsmax": ({"UpAxis": 2, "FrontAxisSign": -1, "UnitScaleFactor": 100}, (0, 0, 0), 1),
    "mixamo": ({"UpAxis": 1, "UnitScaleFactor": 100}, (-90, 0, 0), 1),
    "bake_scale": ({"UpAxis": 1, "UnitScaleFactor": 100}, (0, 0, 0), 1),
}
"""Preset → settings of the file, rotation and scale of its objects."""


@pytest.mark.parametrize("preset", FBX_PRESETS)
def test_every_fbx_preset_has_axes_and_scale_of_its_own_and_the_same_size(tmp_path: Path, preset: str) -> None:
    model = write_glb(tmp_path / "in.glb", [box((1, 2, 3))])
    result = convert(tmp_path / "out", model, format="FBX", fbx_preset=preset)
    settings, rotation, scale = FBX_PRESETS[preset]
    assert {name: fbx_setting(result, name) for name in settings} == settings
    assert np.allclose(fbx_transform(result, "Lcl Rotation"), rotation, atol=1e-3)
    assert np.allclose(fbx_transform(result, "Lcl Scaling"), scale, atol=1e-3)
    low, high = inspect(result)["bounds"]
    assert np.allclose(np.subtract(high, low), (1, 3, 2), atol=1e-4), "Blender's importer gives the same size back"


PICTURES = {
    "BMP": (".bmp", b"BM"),
    "DPX": (".dpx", (b"SDPX", b"XPDS")),
    "HDR": (".hdr", b"#?RADIANCE"),
    "JPEG": (".jpg", b"\xff\xd8"),
    "OPEN_EXR": (".exr", b"\x76\x2f\x31\x01"),
    "PNG": (".png", b"\x89PNG"),
    "TARGA": (".tga", b"\0\0"),
    "TIFF": (".tif", (b"II*\0", b"MM\0*")),
    "WEBP": (".webp", b"RIFF"),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_textures_are_written_in_every_format(tmp_path: Path, source: Path, kind: str) -> None:
    suffix, magic = PICTURES[kind]
    with zipfile.ZipFile(convert(tmp_path, source, format="OBJ", texture_format=kind)) as archive:
        content = archive.read(f"colors{suffix}")
        assert content.startswith(magic)
        assert f"map_Kd colors{suffix}" in archive.read("model.mtl").decode()
    (tmp_path / f"colors{suffix}").write_bytes(content)
    assert np.abs(mean_color(tmp_path / f"colors{suffix}") - ORANGE).max() < 6, "the same colours"


def mean_color(path: Path) -> Any:
    import bpy

    image = bpy.data.images.load(str(path))
    pixels = np.array(image.pixels[:]).reshape(-1, image.channels)[:, :3].mean(axis=0)
    if image.is_float and image.colorspace_settings.name not in ("sRGB", "Non-Color"):  # held as linear light
        pixels = np.where(pixels < 0.0031308, pixels * 12.92, 1.055 * pixels ** (1 / 2.4) - 0.055)
    bpy.data.images.remove(image)
    return pixels * 255


def test_texture_formats_inside_one_file(tmp_path: Path, source: Path) -> None:
    webp = read_glb(convert(tmp_path / "webp", source, format="GLTF", texture_format="WEBP"))
    assert webp.all_images[0][8:12] == b"WEBP"
    assert (
        read_glb(convert(tmp_path / "tga", source, format="GLTF", texture_format="TARGA")).all_images[0][1:4] == b"PNG"
    )
    fbx = convert(tmp_path / "fbx", source, format="FBX", texture_format="JPEG").read_bytes()
    assert b"\xff\xd8\xff" in fbx and b"\x89PNG" not in fbx
    with zipfile.ZipFile(convert(tmp_path / "usdz", source, format="USDZ", texture_format="JPEG")) as archive:
        (picture,) = (name for name in archive.namelist() if not name.endswith((".usdc", ".usda", ".usd")))
        assert archive.read(picture).startswith(b"\xff\xd8")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two balls, the second in vertex colours, of which only the first has the texture."""
    texture = png(np.full((64, 64, 3), ORANGE, np.uint8))
    green = torus(12, (0.0, 0.5, 0.02))
    return write_glb(tmp_path_factory.mktemp("two") / "in.glb", [cube_sphere(6), green], texture=texture)


def test_parts_are_chosen_and_their_materials_baked_into_one(tmp_path: Path, two: Path) -> None:
    chosen = read_glb(convert(tmp_path / "chosen", two, format="GLTF", part_names=["torus"]))
    assert [part.name for part in chosen.parts] == ["torus"]
    with pytest.raises(BlenderFailed, match="no part named 'wheel'"):
        convert(tmp_path / "none", two, format="GLTF", part_names=["wheel"])

    apart = read_glb(convert(tmp_path / "apart", two, format="GLTF"))
    assert len(apart.document["materials"]) == 2
    one = read_glb(convert(tmp_path / "one", two, format="GLTF", bake=True, texture_size=256))
    assert len(one.document["materials"]) == 1 and one.picture("color").shape[:2] == (256, 256)
    assert uv_overlap(one.parts) < 0.01
    for part, expected in zip(sorted(one.parts, key=lambda part: part.name), (ORANGE, (0, 188, 39)), strict=True):
        assert part.uvs is not None
        places = (part.uvs[part.triangles].mean(axis=1) * 256).astype(int)
        colors = one.picture("color")[places[:, 1], places[:, 0], :3]
        assert np.abs(np.median(colors, axis=0) - expected).max() < 8


@pytest.mark.slow
@pytest.mark.parametrize(("width", "size"), [(64, 1024), (1100, 2048)])
def test_what_is_baked_anew_is_as_large_as_what_was_painted_needs(tmp_path: Path, width: int, size: int) -> None:
    """Two thousand pixels take four times as long; plain colours and few faces show nothing more in them."""
    texture = png(np.full((width, 1000, 3), ORANGE, np.uint8))
    model = write_glb(tmp_path / "in.glb", [cube_sphere(2)], texture=texture)
    answer = run_engine("convert", tmp_path / "out", {"format": "GLTF", "bake": True}, model=model, full_size=True)
    picture = read_glb(tmp_path / "out" / answer["files"]["model_url"]).picture("color")
    assert picture.shape[:2] == (size, size)


@pytest.mark.parametrize(
    "glass",
    [
        {"pbrMetallicRoughness": {"baseColorFactor": [0, 0, 1, 0.3]}, "alphaMode": "BLEND"},
        {"pbrMetallicRoughness": {"baseColorFactor": [0, 0, 1, 1]}, "extensions": {
            "KHR_materials_transmission": {"transmissionFactor": 0.9}}},
    ],
    ids=["alpha", "transmission"],
)  # fmt: skip
def test_what_is_behind_glass_keeps_its_look(tmp_path: Path, glass: dict[str, Any]) -> None:
    model = write_glb(tmp_path / "in.glb", [cube_sphere(8, 0.5, name="seat"), cube_sphere(8, name="pane")])
    document, blob = glb_document(model), glb_blob(model)
    red = {"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}
    document |= {"materials": [red, glass], "extensionsUsed": ["KHR_materials_transmission"]}
    for number, mesh in enumerate(document["meshes"]):
        mesh["primitives"][0]["material"] = number
    model.write_bytes(pack_glb(document, blob))
    result = read_glb(convert(tmp_path / "out", model, format="GLTF", bake=True, texture_size=256))
    picture = result.picture("color")
    (seat,) = (part for part in result.parts if part.name == "seat")
    assert seat.uvs is not None
    columns, rows = (seat.uvs[seat.triangles].mean(axis=1) * len(picture)).astype(int).T
    assert np.abs(picture[rows, columns, :3].astype(int) - (255, 0, 0)).max() < 8


def test_packing_keeps_the_islands_and_baking_cuts_new_ones(tmp_path: Path) -> None:
    texture = png(np.full((64, 64, 3), ORANGE, np.uint8))
    shapes = [cube_sphere(6), cube_sphere(6, 1.0, (3, 0, 0), "second")]
    model = write_glb(tmp_path / "in.glb", shapes, texture=texture)
    assert uv_overlap(read_glb(model).parts) > 0.9, "both parts use the whole square"
    packed = read_glb(convert(tmp_path / "out", model, format="GLTF", pack_uv=True, texture_size=128))
    assert uv_overlap(packed.parts) < 0.01
    assert islands(packed) == islands(read_glb(model)) == 12


def islands(glb: Glb) -> int:
    """Loose pieces of UV space."""
    total = 0
    for part in glb.parts:
        assert part.uvs is not None
        key = np.round(np.column_stack((part.uvs, part.positions)), 4)
        _, number = np.unique(key, axis=0, return_inverse=True)
        root = np.arange(number.max() + 1)
        corners = number.reshape(-1)[part.triangles]
        for _ in range(64):
            lowest = root[corners].min(axis=1)
            for column in range(3):
                np.minimum.at(root, corners[:, column], lowest)
        total += len(np.unique(root))
    return total


def test_vertex_colors_are_written_to_a_glb_too(tmp_path: Path, source: Path) -> None:
    assert all(
        part.has_colors for part in read_glb(convert(tmp_path, source, format="GLTF", export_vertex_colors=True)).parts
    )
    assert not any(part.has_colors for part in read_glb(source).parts)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"format": "STL", "with_animation": True}, "cannot hold animations"),
        ({"format": "OBJ", "animate_in_place": True}, "turn animate_in_place off"),
        ({"format": "3MF", "assemble_animation": True}, "turn assemble_animation off"),
        ({"format": "USDZ", "export_vertex_colors": True}, "OBJ and GLTF only"),
        ({"format": "GLTF", "flatten_bottom": True, "flatten_bottom_threshold": 3.0}, "below 1"),
        ({"format": "GLTF", "texture_size": 100_000}, "textures of 1 to 8192 pixels"),
        ({"format": "GLTF", "scale_factor": -1.0}, "scale_factor is -1; it has to be more than 0"),
        ({"format": "GLTF", "face_limit": 0}, "face_limit is 0"),
    ],
)
def test_what_it_cannot_do_is_refused(tmp_path: Path, source: Path, body: dict[str, Any], words: str) -> None:
    with pytest.raises(BlenderFailed, match=words) as caught:
        convert(tmp_path, source, **body)
    assert caught.value.kind == "EngineError"
