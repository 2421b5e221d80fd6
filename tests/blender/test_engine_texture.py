from __future__ import annotations

import colorsys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine_run import needs_bpy, run_engine
from support.meshes import Glb, box, cube_sphere, png, read_glb, uv_overlap, write_glb

pytestmark = needs_bpy


@pytest.fixture(scope="module")
def ball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_glb(tmp_path_factory.mktemp("ball") / "ball.glb", [cube_sphere(12)])


def texture(folder: Path, model: Path, text: str | None, images: dict[str, Any] | None = None, **body: Any) -> Glb:
    prompt: dict[str, Any] = {"text": text} if text else dict.fromkeys(images or {}, "file_x")
    run_engine("texture", folder, {"texture_prompt": prompt, **body}, model=model, images=images)
    return read_glb(folder / "model.glb")


def mean_hls(glb: Glb) -> tuple[float, float, float]:
    """Hue (0..1, red is 0), lightness and saturation of the mean colour."""
    red, green, blue = glb.picture("color")[..., :3].reshape(-1, 3).mean(axis=0) / 255
    return colorsys.rgb_to_hls(red, green, blue)


def test_words_become_pbr_maps_on_the_unchanged_shape(tmp_path: Path, ball: Path) -> None:
    result = texture(tmp_path, ball, "red plastic")
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


def test_other_words_other_material_and_the_same_seed_the_same_picture(tmp_path: Path, ball: Path) -> None:
    gold = texture(tmp_path / "gold", ball, "polished gold", texture_seed=7)
    again = texture(tmp_path / "again", ball, "polished gold", texture_seed=7)
    other = texture(tmp_path / "other", ball, "polished gold", texture_seed=8, pbr=False)
    hue, _, saturation = mean_hls(gold)
    assert 0.08 < hue < 0.16 and saturation > 0.4
    assert gold.picture("metallic_roughness")[..., 2].mean() > 250, "metal"
    assert gold.images == again.images
    assert not np.array_equal(gold.picture("color"), other.picture("color"))


def test_wear_adds_a_layer(tmp_path: Path, ball: Path) -> None:
    result = texture(tmp_path, ball, "rusty iron")
    metal = result.picture("metallic_roughness")[..., 2]
    assert 0.1 < (metal > 230).mean() < 0.9, "iron here,"
    assert 0.1 < (metal < 60).mean() < 0.9, "rust there"
    colors = result.picture("color").astype(int)
    rust = colors[metal < 60]
    assert (rust[:, 0] - rust[:, 2]).mean() > 40


def test_quality_is_the_size_and_pbr_off_leaves_the_colour_alone(tmp_path: Path, ball: Path) -> None:
    result = texture(tmp_path, ball, "blue ceramic", texture_quality="detailed", pbr=False)
    assert set(result.images) == {"color"}
    assert result.picture("color").shape[:2] == (2048, 2048)
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


def test_only_the_named_parts_are_painted(tmp_path: Path) -> None:
    red = png(np.full((8, 8, 3), (200, 20, 20), np.uint8))
    source = write_glb(tmp_path / "in.glb", [cube_sphere(4), box((1, 1, 1), (4, 0, 0))], texture=red)
    result = texture(tmp_path / "out", source, "grass", part_names=["box"])
    names = {material.get("name") for material in result.document["materials"]}
    assert len(names) == 2 and "Texture" in names


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"texture": False, "pbr": False}, "nothing to do"),
        ({"return_multiview": True}, "return_multiview"),
        ({"asset_map": {"a": 1}}, "asset_map"),
    ],
)
def test_what_it_cannot_do_is_refused(tmp_path: Path, ball: Path, body: dict[str, Any], words: str) -> None:
    with pytest.raises(BlenderFailed, match=words) as caught:
        texture(tmp_path, ball, "wood", **body)
    assert caught.value.kind == "EngineError"
