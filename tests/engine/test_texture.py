from __future__ import annotations

import colorsys
import importlib.util
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderCommand, BlenderFailed, run
from load_extension import ROOT
from support.engine.engine_run import LESS, WIDTH, needs_bpy, run_engine
from support.models.meshes import (
    Glb,
    Part,
    Shape,
    box,
    cube_sphere,
    glb_document,
    many_boxes,
    png,
    read_glb,
    read_png,
    uv_overlap,
    write_glb,
)

pytestmark = needs_bpy


WELD_MANY_POINTS = ROOT / "tests" / "support" / "engine" / "weld_many_points.py"
LAID_APART = ROOT / "tests" / "support" / "engine" / "laid_apart.py"


@pytest.fixture(scope="module")
def ball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_glb(tmp_path_factory.mktemp("ball") / "ball.glb", [cube_sphere(12)])


def texture(
    folder: Path,
    model: Path,
    text: str | None,
    images: dict[str, Any] | None = None,
    *,
    alone: bool = False,
    full_size: bool = False,
    **body: Any,
) -> Glb:
    prompt: dict[str, Any] = {"text": text} if text else dict.fromkeys(images or {}, "file_x")
    whole = {"texture_prompt": prompt, **body}
    run_engine("texture", folder, whole, model=model, images=images, alone=alone, full_size=full_size)
    return read_glb(folder / "model.glb")


def mean_hls(glb: Glb) -> tuple[float, float, float]:
    """Hue (0..1, red is 0), lightness and saturation of the mean colour."""
    red, green, blue = glb.picture("color")[..., :3].reshape(-1, 3).mean(axis=0) / 255
    return colorsys.rgb_to_hls(red, green, blue)


@pytest.mark.slow
def test_words_become_pbr_maps_on_the_unchanged_shape(tmp_path: Path, ball: Path) -> None:
    result = texture(tmp_path, ball, "red plastic", full_size=True)
    source = read_glb(ball)
    assert result.triangles == source.triangles
    assert np.allclose(result.bounds, source.bounds, atol=1e-4)
    assert uv_overlap(result.parts) < 0.002
    assert set(result.images) == {"color", "metallic_roughness", "normal"}
    assert {result.picture(use).shape[:2] for use in result.images} == {(1024, 1024)}
    hue, _lightness, saturation = mean_hls(result)
    assert min(hue, 1 - hue) < 0.04 and saturation > 0.5, "red"
    rough, metal = result.picture("metallic_roughness")[..., 1:3].reshape(-1, 2).mean(axis=0)
    assert metal < 3 and 40 < rough < 140
    normal = result.picture("normal").reshape(-1, 3).mean(axis=0)
    assert np.abs(normal - (127.5, 127.5, 255)).max() < 12, "pointing outwards"


@pytest.mark.slow
def test_other_words_other_material_and_the_same_seed_the_same_picture(tmp_path: Path, ball: Path) -> None:
    gold = texture(tmp_path / "gold", ball, "polished gold", texture_seed=7)
    again = texture(tmp_path / "again", ball, "polished gold", texture_seed=7, alone=True)
    other = texture(tmp_path / "other", ball, "polished gold", texture_seed=8, pbr=False)
    hue, _, saturation = mean_hls(gold)
    assert 0.08 < hue < 0.16 and saturation > 0.4
    assert gold.picture("metallic_roughness")[..., 2].mean() > 250, "metal"
    assert gold.images == again.images
    files = [(tmp_path / name / "model.glb").read_bytes() for name in ("gold", "again", "other")]
    assert files[0] == files[1] and files[0] != files[2]
    assert not np.array_equal(gold.picture("color"), other.picture("color"))


@pytest.mark.slow
def test_wear_adds_a_layer(tmp_path: Path, ball: Path) -> None:
    result = texture(tmp_path, ball, "rusty iron")
    metal = result.picture("metallic_roughness")[..., 2]
    assert 0.1 < (metal > 230).mean() < 0.9, "iron here,"
    assert 0.05 < (metal < 60).mean() < 0.9, "rust there"
    colors = result.picture("color").astype(int)
    rust = colors[metal < 60]
    assert (rust[:, 0] - rust[:, 2]).mean() > 40


@pytest.mark.slow
def test_quality_is_the_size_and_pbr_off_leaves_the_colour_alone(tmp_path: Path, ball: Path) -> None:
    result = texture(tmp_path, ball, "blue ceramic", texture_quality="detailed", pbr=False)
    assert set(result.images) == {"color"}
    assert result.picture("color").shape[0] == 2 * WIDTH
    hue, _, _ = mean_hls(result)
    assert 0.55 < hue < 0.7


def color_at(glb: Glb, direction: tuple[float, float, float]) -> np.ndarray[Any, Any]:
    """The colour of the triangle that lies furthest in a direction (glTF axes)."""
    part = glb.parts[0]
    assert part.uvs is not None
    middles = part.positions[part.triangles].mean(axis=1)
    best = int((middles @ np.array(direction)).argmax())
    picture = glb.picture("color")
    x, y = (part.uvs[part.triangles[best]].mean(axis=0) * picture.shape[0]).astype(int)
    return picture[y, x, :3].astype(int)


RED, GREEN, BLUE, YELLOW = (210, 30, 30), (30, 200, 40), (30, 50, 210), (220, 210, 30)


def is_near(color: np.ndarray[Any, Any], expected: tuple[int, int, int]) -> bool:
    return bool(np.abs(color - expected).max() < 40)


def test_an_image_is_projected_from_the_front_and_through_to_the_back(tmp_path: Path, ball: Path) -> None:
    pixels = np.full((64, 64, 3), 255, np.uint8)
    pixels[8:56, 8:32] = RED
    pixels[8:56, 32:56] = BLUE
    image = tmp_path / "prompt.png"
    image.write_bytes(png(pixels))
    result = texture(tmp_path / "out", ball, None, {"image": str(image)})
    # Seen from the front (+Z in glTF), left is -X.
    assert is_near(color_at(result, (-0.5, 0, 1)), RED)
    assert is_near(color_at(result, (0.5, 0, 1)), BLUE)
    assert is_near(color_at(result, (-0.5, 0, -1)), RED), "the back is seen through the front"
    assert is_near(color_at(result, (-1, 0, 0)), RED)
    assert result.picture("color").min(axis=2).max() < 200, "the white background is not painted onto the model"


@pytest.mark.slow
def test_four_views_are_projected_from_their_sides(tmp_path: Path, ball: Path) -> None:
    paths = []
    for index, color in enumerate((RED, GREEN, BLUE, YELLOW)):
        paths.append(tmp_path / f"{index}.png")
        paths[-1].write_bytes(png(np.full((32, 32, 3), color, np.uint8)))
    result = texture(tmp_path / "out", ball, None, {"images": [str(path) for path in paths]})
    assert is_near(color_at(result, (0, 0, 1)), RED), "front"
    assert is_near(color_at(result, (1, 0, 0)), GREEN), "the model's own left"
    assert is_near(color_at(result, (0, 0, -1)), BLUE), "back"
    assert is_near(color_at(result, (-1, 0, 0)), YELLOW), "right"


@pytest.mark.slow
def test_details_stay_off_what_another_part_hides(tmp_path: Path) -> None:
    plates = [box((2, 2, 0.1), (0, 0, 1), "near"), box((2, 2, 0.1), (0, 0, -1), "far")]
    source = write_glb(tmp_path / "in.glb", plates)
    rows, columns = np.indices((256, 256)) // 4
    pixels = np.where(((rows + columns) % 2 == 0)[..., None], RED, BLUE).astype(np.uint8)
    (tmp_path / "checks.png").write_bytes(png(pixels))
    result = texture(tmp_path / "out", source, None, {"image": str(tmp_path / "checks.png")}, full_size=True, pbr=False)
    picture = result.picture("color").astype(int)

    def contrast(part: Part, towards: float) -> float:
        """How much the colours vary on the side of a plate that faces front or back."""
        assert part.uvs is not None
        corners = part.positions[part.triangles]
        turned = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] * towards > 0
        flat = np.ptp(corners[..., 2], axis=1) < 1e-4
        weights = np.random.default_rng(1).dirichlet((1, 1, 1), 400)
        places = np.einsum("wk,tkc->twc", weights, part.uvs[part.triangles[turned & flat]]).reshape(-1, 2) * (
            len(picture) - 1
        )
        return float(picture[places[:, 1].astype(int), places[:, 0].astype(int), 0].std())

    near, far = sorted(result.parts, key=lambda part: -part.positions[:, 2].mean())
    assert contrast(near, 1) > 70 and contrast(far, -1) > 70, "what can be seen from the front and from behind"
    assert contrast(near, -1) < 30 and contrast(far, 1) < 30, "what faces the other plate"


@pytest.mark.slow
def test_the_image_follows_the_geometry_where_that_is_asked_for(tmp_path: Path) -> None:
    """A wedge, green at its left rim, blue at its right one, red inside, on a square plate."""
    pixels = np.full((128, 128, 3), 255, np.uint8)
    for row in range(4, 124):
        half = (row + 8) * 60 // 128
        pixels[row, 64 - half : 64 + half] = RED
        pixels[row, 64 - half : 64 - half // 2] = GREEN
        pixels[row, 64 + half // 2 : 64 + half] = BLUE
    image = tmp_path / "wedge.png"
    image.write_bytes(png(pixels))
    source = write_glb(tmp_path / "in.glb", [box((2, 2, 0.5))])

    def upper_row(alignment: str) -> list[Any]:
        body = {"texture_alignment": alignment, "pbr": False}
        result = texture(tmp_path / alignment, source, None, {"image": str(image)}, **body)
        return [color_on_front(result, x, 0.7) for x in (-0.8, -0.35, 0.0, 0.35, 0.8)]

    fitted = upper_row("geometry")
    assert is_near(fitted[0], GREEN) and is_near(fitted[2], RED) and is_near(fitted[4], BLUE)
    assert is_near(fitted[1], RED) and is_near(fitted[3], RED), "the narrow part of the picture is as wide as the plate"
    plain = upper_row("original_image")
    assert is_near(plain[2], RED) and not is_near(plain[1], RED) and not is_near(plain[3], RED)


@pytest.mark.slow
def test_detail_runs_over_slopes_as_the_image_has_it_unless_geometry_goes_before_it(tmp_path: Path) -> None:
    """A ramp that the viewer hardly looks onto, and an image of fine stripes."""
    corners = np.array([(-1, 0, 6), (1, 0, 6), (1, 1, 0), (-1, 1, 0)], float)
    source = write_glb(tmp_path / "ramp.glb", [Shape(corners, np.array([(0, 1, 2), (0, 2, 3)]))])
    stripes = np.zeros((512, 512, 3), np.uint8)
    stripes[np.arange(512) % 8 < 4] = 255
    image = tmp_path / "stripes.png"
    image.write_bytes(png(stripes))

    def contrast(alignment: str) -> float:
        body = {"texture_alignment": alignment, "pbr": False}
        result = texture(tmp_path / alignment, source, None, {"image": str(image)}, **body)
        return float(result.picture("color").astype(float).std())

    assert contrast("original_image") > 2 * contrast("geometry")


def color_on_front(glb: Glb, x: float, y: float) -> np.ndarray[Any, Any]:
    """The colour at a place of a plate's front (glTF axes, +Z)."""
    part = glb.parts[0]
    assert part.uvs is not None
    picture = glb.picture("color")
    for triangle in part.triangles:
        corners = part.positions[triangle]
        if np.ptp(corners[:, 2]) > 1e-4 or corners[0, 2] < 0:
            continue
        weights = np.linalg.solve(np.vstack((corners[:, :2].T, np.ones(3))), (x, y, 1))
        if weights.min() >= -1e-6:
            u, v = (weights @ part.uvs[triangle] * picture.shape[0]).astype(int)
            return np.asarray(picture[v, u, :3].astype(int))
    raise AssertionError("no triangle there")


@pytest.mark.slow
def test_only_the_named_parts_are_painted(tmp_path: Path) -> None:
    red = png(np.full((8, 8, 3), (200, 20, 20), np.uint8))
    source = write_glb(tmp_path / "in.glb", [cube_sphere(4), box((1, 1, 1), (4, 0, 0))], texture=red)
    result = texture(tmp_path / "out", source, "grass", part_names=["box"])
    by_part = {part.name: material_of(result, part.name) for part in result.parts}
    assert by_part["box"]["name"] == "Texture"
    kept = by_part["sphere"]
    assert kept["name"] != "Texture" and "normalTexture" not in kept
    image = image_of(result, kept["pbrMetallicRoughness"]["baseColorTexture"])
    assert np.array_equal(read_png(image)[..., :3], read_png(red)), "the other part keeps its texture"
    sphere = next(part for part in read_glb(source).parts if part.name == "sphere")
    after = next(part for part in result.parts if part.name == "sphere")
    assert sphere.uvs is not None and after.uvs is not None
    assert np.allclose(np.ptp(after.uvs, axis=0), np.ptp(sphere.uvs, axis=0), atol=1e-4), "and its UVs"


def material_of(glb: Glb, node: str) -> dict[str, Any]:
    mesh = next(entry["mesh"] for entry in glb.document["nodes"] if entry.get("name") == node)
    found: dict[str, Any] = glb.document["materials"][glb.document["meshes"][mesh]["primitives"][0]["material"]]
    return found


def image_of(glb: Glb, texture_info: dict[str, Any]) -> bytes:
    return glb.all_images[glb.document["textures"][texture_info["index"]]["source"]]


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shapes = [cube_sphere(6), box((1, 2, 1), (3, 0, 0)), cube_sphere(5, 0.5, (-3, 0, 0), "ball")]
    return write_glb(tmp_path_factory.mktemp("three") / "in.glb", shapes)


@pytest.mark.once
def test_parts_share_one_texture_set_or_have_one_each(tmp_path: Path, three: Path) -> None:
    shared = texture(tmp_path / "one", three, "oak", asset_map={"anything": 1})
    assert len(shared.document["materials"]) == 1 and len(shared.all_images) == 3
    assert uv_overlap(shared.parts) < 0.01
    apart = texture(tmp_path / "each", three, "oak", bake=False, texture_seed=4)
    assert len(apart.document["materials"]) == 3 and len(apart.all_images) == 9
    for part in apart.parts:
        assert uv_overlap([part]) < 0.01
        assert part.uvs is not None and np.ptp(part.uvs, axis=0).max() > 0.8, "each has the square for itself"


@pytest.mark.once
def test_views_and_compression_come_along_when_asked_for(tmp_path: Path, three: Path) -> None:
    body = {"texture_prompt": {"text": "red plastic"}, "return_multiview": True, "pbr": False}
    answer = run_engine("texture", tmp_path / "views", body, model=three)
    names = [f"{side}_view_url" for side in ("front", "left", "back", "right")]
    assert set(answer["files"]) == {"model_url", *names}
    views = [read_png((tmp_path / "views" / answer["files"][name]).read_bytes())[..., :3] for name in names]
    assert len({view.shape for view in views}) == 1
    wide = [width_to_height(view) for view in views]
    assert wide[0] > 2.5 and max(wide[1], wide[3]) < 1.5, "the row is wide from the front, and narrow from its side"
    assert abs(wide[0] - wide[2]) < 0.1, "from behind it is as wide"
    compressed = {"texture_prompt": {"text": "red plastic"}, "compress": "geometry", "pbr": False}
    run_engine("texture", tmp_path / "small", compressed, model=three)
    plain, small = (glb_document(tmp_path / folder / "model.glb") for folder in ("views", "small"))
    assert "extensionsUsed" not in plain
    if can_compress():
        assert "KHR_draco_mesh_compression" in small["extensionsUsed"]


def width_to_height(picture: np.ndarray[Any, Any]) -> float:
    """Of what a picture shows before its background."""
    shown = np.abs(picture[8:-8, 8:-8].astype(int) - picture[8, 8]).max(axis=2) > 25
    return float(np.ptp(np.flatnonzero(shown.any(axis=0))) / np.ptp(np.flatnonzero(shown.any(axis=1))))


def can_compress() -> bool:
    """Whether this bpy comes with the library for it; some wheels do not."""
    place = importlib.util.find_spec("bpy")
    assert place is not None and place.origin is not None
    folder = Path(place.origin).parent
    return any(any(folder.rglob(name)) for name in ("*extern_draco*", "*draco_bridge*"))


@pytest.mark.slow
def test_glass_is_clear_and_lava_glows(tmp_path: Path, ball: Path) -> None:
    glass = texture(tmp_path / "glass", ball, "clear glass")
    (material,) = glass.document["materials"]
    assert material["alphaMode"] == "BLEND"
    assert glass.picture("color").shape[2] == 4 and glass.picture("color")[..., 3].max() < 140
    lava = texture(tmp_path / "lava", ball, "lava", pbr=False)
    (material,) = lava.document["materials"]
    light = read_png(image_of(lava, material["emissiveTexture"])).astype(int)
    assert 0.03 < (light[..., 0] > 150).mean() < 0.6, "cracks glow, plates do not"
    assert (light.max(axis=2) < 8).mean() > 0.25
    assert material["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"] > 1


@pytest.mark.once
def test_the_highest_quality_has_maps_of_4096_pixels(tmp_path: Path, ball: Path) -> None:
    result = texture(tmp_path, ball, "granite", texture_quality="extreme")
    sizes = {struct.unpack_from(">II", image, 16) for image in result.images.values()}
    assert sizes == {(4096 // LESS, 4096 // LESS)} and len(result.images) == 3
    assert uv_overlap(result.parts) < 0.01


def test_nothing_to_do_is_refused(tmp_path: Path, ball: Path) -> None:
    with pytest.raises(BlenderFailed, match="nothing to do") as caught:
        texture(tmp_path, ball, "wood", texture=False, pbr=False)
    assert caught.value.kind == "EngineError"
    with pytest.raises(BlenderFailed, match="nothing to paint: give words or an image") as caught:
        texture(tmp_path, ball, None)
    assert caught.value.kind == "EngineError"


def uv_area(glb: Glb) -> float:
    """What part of the map the islands cover."""
    assert all(part.uvs is not None for part in glb.parts)
    corners = np.concatenate([part.uvs[part.triangles] for part in glb.parts if part.uvs is not None])
    first, second, third = np.moveaxis(corners, 1, 0)
    one, other = second - first, third - first
    return float(np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]).sum() / 2)


def test_thousands_of_pieces_have_room_in_the_texture(tmp_path: Path) -> None:
    model = write_glb(tmp_path / "in.glb", [many_boxes(700)])
    result = texture(tmp_path / "out", model, "red plastic", pbr=False)
    assert uv_area(result) > 0.3
    assert uv_overlap(result.parts) < 0.01
    hue, _lightness, saturation = mean_hls(result)
    assert min(hue, 1 - hue) < 0.04 and saturation > 0.5, "painted"


@pytest.mark.slow
def test_a_long_rail_has_room_in_the_texture(tmp_path: Path) -> None:
    model = write_glb(tmp_path / "in.glb", [box((1, 0.02, 0.05)), box((1, 0.02, 0.05), (0, 0, 0.2))])
    result = texture(tmp_path / "out", model, "red plastic", pbr=False)
    assert uv_area(result) > 0.3
    assert uv_overlap(result.parts) < 0.01


def ramp_with_plates() -> Shape:
    """A ramp that winds up three times, and plates at one place: two share their rims alone, and two everything."""
    turns = np.linspace(0, 6 * np.pi, 145)[:, None]
    rims = np.concatenate((np.cos(turns), turns / 30, np.sin(turns)), axis=1)
    ramp = np.stack((rims * (0.4, 1, 0.4), rims), axis=1).reshape(-1, 3)
    here = np.arange(0, 288, 2)[:, None]
    steps = (here + np.array([(0, 1, 2), (1, 3, 2)])[:, None]).reshape(-1, 3)
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    disc = np.stack((np.cos(angles), np.zeros(24), np.sin(angles)), axis=1)
    plate = np.concatenate((disc, [(0, 0, 0), (0.3, 0, 0.2)])) + np.array((2.5, 0, 0))
    around = np.arange(24)
    fans = [np.stack((around, np.full(24, middle), (around + 1) % 24), axis=1) for middle in (24, 25, 25)]
    return Shape(np.concatenate((ramp, plate)), np.concatenate((steps, *(fan + len(ramp) for fan in fans))))


def test_what_lies_over_itself_is_laid_apart_in_the_map(tmp_path: Path) -> None:
    model = write_glb(tmp_path / "in.glb", [ramp_with_plates()])
    result = texture(tmp_path / "out", model, "red plastic", pbr=False)
    assert uv_overlap(result.parts) < 0.01
    assert uv_area(result) > 0.3


@pytest.mark.parametrize(("over", "size"), [(3, 0.2), (60, 1.0)])
def test_faces_over_others_get_a_place_of_their_own(over: int, size: float) -> None:
    answer = run(BlenderCommand.of_python(), LAID_APART, {"over": over, "size": size}, timeout=120)
    assert answer == {"over": 0, "inside": True}


@pytest.mark.parametrize("without_area", [3, 60])
def test_faces_without_area_have_a_place_in_the_map(without_area: int) -> None:
    answer = run(BlenderCommand.of_python(), LAID_APART, {"over": without_area, "size": 0.0}, timeout=120)
    assert answer["inside"]


def frame() -> Shape:
    """Flat hoops of square wire: each is one island, and nearly all of that is hole."""
    inner, outer = (np.array([(-x, -y), (x, -y), (x, y), (-x, y)]) for x, y in ((0.97, 1.47), (1.0, 1.5)))
    hoop = np.concatenate((inner, outer))
    sides = [(n, 4 + n, 4 + (n + 1) % 4) for n in range(4)] + [(n, 4 + (n + 1) % 4, (n + 1) % 4) for n in range(4)]
    places = [np.column_stack((hoop[:, 0], np.full(8, depth), hoop[:, 1])) for depth in np.arange(6) * 0.4]
    return Shape(np.concatenate(places), np.concatenate([np.array(sides) + 8 * n for n in range(6)]), name="frame")


@pytest.mark.slow
def test_a_frame_that_is_nearly_all_hole_has_room_in_the_texture(tmp_path: Path) -> None:
    result = texture(tmp_path / "out", write_glb(tmp_path / "in.glb", [frame()]), "red plastic", pbr=False)
    assert uv_area(result) > 0.3
    assert uv_overlap(result.parts) < 0.01


def wires(count: int = 80, steps: int = 60, sides: int = 6, thickness: float = 0.002) -> Shape:
    """Thin wires, each bent to a half circle in a plane of its own: most of a map would be what is between them."""
    along = np.linspace(0, np.pi, steps)[:, None]
    around = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    reach = 1 + thickness * np.cos(around)
    high = np.broadcast_to(thickness * np.sin(around), (steps, sides))
    wire = np.stack((np.cos(along) * reach, np.sin(along) * reach, high), axis=2).reshape(-1, 3)
    first = np.arange(sides)
    ring = np.stack((first, (first + 1) % sides, (first + 1) % sides + sides, first + sides), axis=1)
    quads = (np.arange(steps - 1)[:, None, None] * sides + ring).reshape(-1, 4)
    triangles = np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))
    turns = np.arange(count) * np.pi / count
    points = [wire @ ((np.cos(t), 0, np.sin(t)), (0, 1, 0), (-np.sin(t), 0, np.cos(t))) * (1 + t / 10) for t in turns]
    return Shape(np.concatenate(points), np.concatenate([triangles + n * len(wire) for n in range(count)]))


@pytest.mark.slow
def test_thin_wires_have_room_in_the_texture(tmp_path: Path) -> None:
    model = write_glb(tmp_path / "in.glb", [wires()])
    result = texture(tmp_path / "out", model, "red plastic", full_size=True, pbr=False)
    assert uv_area(result) > 0.3
    assert uv_overlap(result.parts) < 0.05


def test_a_model_that_no_pixel_shows_is_an_error_and_no_success(tmp_path: Path) -> None:
    blob = cube_sphere(4)
    model = write_glb(tmp_path / "in.glb", [replace(blob, uvs=np.zeros((len(blob.positions), 2)))])
    with pytest.raises(BlenderFailed, match="The texture would be empty") as caught:
        run_engine("convert", tmp_path / "out", {"format": "GLTF", "pack_uv": True}, model=model)
    assert caught.value.kind == "EngineError"


@pytest.mark.slow
@pytest.mark.parametrize("apart", [1_000_003, 100_000])
def test_faces_of_a_large_mesh_are_joined_wherever_in_it_their_points_are(apart: int) -> None:
    """1,000,003 is a prime by which points were once told apart; a million triangles fell into 200,000 pieces then."""
    assert run(BlenderCommand.of_python(), WELD_MANY_POINTS, {"apart": apart}, timeout=120) == {"points": 7}
