from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine.engine_run import needs_bpy, run_engine
from support.models.meshes import png, read_png

pytestmark = needs_bpy

SIDES = ("front", "left", "back", "right")
RED, BLUE = (205, 40, 35), (40, 60, 200)


def picture(folder: Path, name: str = "image.png") -> Any:
    """The pixels of a result, top row first, as RGBA integers."""
    return read_png((folder / name).read_bytes()).astype(int)


def draw(kind: str, folder: Path, images: dict[str, Any] | None = None, *, alone: bool = False, **body: Any) -> Any:
    answer = run_engine(kind, folder, body, images=images, alone=alone)
    assert answer["files"] == {"generated_image_url": "image.png"}
    pixels = picture(folder)
    assert answer["values"]["size"] == f"{pixels.shape[1]}x{pixels.shape[0]}"
    return pixels


def shown(pixels: Any) -> Any:
    return pixels[..., 3] > 127


def mean_color(pixels: Any) -> Any:
    return pixels[shown(pixels)][:, :3].mean(axis=0)


def box(mask: Any) -> tuple[int, int]:
    """Height and width of what is there."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(np.ptp(rows)) + 1, int(np.ptp(columns)) + 1


def overlap(first: Any, second: Any) -> float:
    """Of two masks: the common part of what either has."""
    return float((first & second).sum() / (first | second).sum())


@pytest.fixture(scope="module")
def lopsided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A figure on white: a red body with a round head, and one blue arm at its left in the picture."""
    pixels = np.full((200, 160, 3), 250, np.uint8)
    y, x = np.mgrid[:200, :160]
    pixels[(x > 60) & (x < 100) & (y > 70) & (y < 180)] = RED
    pixels[(x - 80) ** 2 + (y - 45) ** 2 < 26**2] = RED
    pixels[(x > 25) & (x < 62) & (y > 85) & (y < 100)] = BLUE
    path = tmp_path_factory.mktemp("lopsided") / "figure.png"
    path.write_bytes(png(pixels))
    return path


@pytest.mark.slow
def test_words_are_rendered_at_the_asked_size_and_the_same_every_time(tmp_path: Path) -> None:
    red = draw("text_to_image", tmp_path / "red", prompt="a red car --no spoiler", size="320x200")
    assert red.shape == (200, 320, 4)
    assert 0.1 < shown(red).mean() < 0.7 and not shown(red)[0].any(), "the thing in front of nothing"
    assert mean_color(red)[0] > 1.5 * mean_color(red)[2]
    draw("text_to_image", tmp_path / "again", prompt="a red car --no spoiler", size="320x200", alone=True)
    assert (tmp_path / "red" / "image.png").read_bytes() == (tmp_path / "again" / "image.png").read_bytes()
    blue = draw("text_to_image", tmp_path / "blue", prompt="a blue car", size="320x200")
    assert mean_color(blue)[2] > 1.3 * mean_color(blue)[0]


@pytest.mark.once
def test_words_of_size_spread_over_the_ratio_and_jpegs_are_jpegs(tmp_path: Path) -> None:
    body = {"prompt": "mug", "size": "1K", "aspect_ratio": "16:9", "model": "banana", "output_format": "jpeg"}
    answer = run_engine("text_to_image", tmp_path, body)
    width, height = map(int, answer["values"]["size"].split("x"))
    assert width / height == pytest.approx(16 / 9, rel=0.02) and width * height == pytest.approx(1024**2, rel=0.03)
    content = (tmp_path / answer["files"]["generated_image_url"]).read_bytes()
    assert content[:3] == b"\xff\xd8\xff"


@pytest.mark.once
@pytest.mark.parametrize(("size", "side"), [("0.5K", 512), ("HD", 1024)])
def test_words_of_size_may_be_any_that_the_service_has(tmp_path: Path, size: str, side: int) -> None:
    assert draw("text_to_image", tmp_path, prompt="mug", size=size).shape[:2] == (side, side)


@pytest.mark.slow
def test_templates_arrange_the_rendered_thing(tmp_path: Path) -> None:
    plain = draw("text_to_image", tmp_path / "plain", prompt="knight", size="160x160")
    pose = draw("text_to_image", tmp_path / "pose", prompt="knight", size="160x160", template="t_pose")
    assert overlap(shown(pose), shown(pose)[:, ::-1]) > 0.9 > overlap(shown(plain), shown(plain)[:, ::-1])
    assert box(shown(pose))[1] > 0.8 * box(shown(pose))[0], "arms out"
    based = draw("text_to_image", tmp_path / "based", prompt="knight", size="160x160", template="figure")
    assert shown(based)[-30:].sum() > 2 * shown(plain)[-30:].sum(), "a base below"
    sheet = draw("text_to_image", tmp_path / "sheet", prompt="vase", size="160x160", template="variants")
    quarters = [shown(sheet)[y : y + 80, x : x + 80] for y in (0, 80) for x in (0, 80)]
    assert min(quarter.mean() for quarter in quarters) > 0.05
    assert len({quarter.tobytes() for quarter in quarters}) == 4
    alone = draw("text_to_image", tmp_path / "alone", prompt="knight", size="160x160", template="asset_extraction")
    assert max(box(shown(alone))) >= 150 > max(box(shown(plain)))


def test_colour_and_material_words_repaint_the_subject_only(tmp_path: Path, lopsided: Path) -> None:
    images = {"file": str(lopsided)}
    green = draw("image_to_image", tmp_path / "green", images, prompt="make it green", size="160x200")
    red, leaf, blue = green[130, 80, :3]
    assert leaf > 1.5 * max(red, blue)
    assert green[5, 5, :3].min() > 240, "the background stays"
    wood = draw("image_to_image", tmp_path / "wood", images, prompt="oak wood", size="160x200")
    body = wood[90:170, 65:95, :3]
    assert body[..., 0].mean() > body[..., 2].mean() + 30 and body.std(axis=(0, 1)).min() > 5, "brown, with a grain"
    again = draw("image_to_image", tmp_path / "again", images, prompt="oak wood", size="160x200", alone=True)
    assert np.array_equal(wood, again)
    vague = draw("image_to_image", tmp_path / "vague", images, prompt="more beautiful", size="160x200")
    assert np.abs(vague[130, 80, :3] - RED).max() > 5


def test_a_material_wears_in_a_picture_as_on_a_model(tmp_path: Path, lopsided: Path) -> None:
    body = {"prompt": "rusty iron", "size": "160x200"}
    answer = run_engine("image_to_image", tmp_path, body, images={"file": str(lopsided)})
    assert answer["values"]["local_engine"] == {"understood": ["rusty", "iron"], "not_understood": []}
    shirt = picture(tmp_path)[80:175, 64:97, :3]
    redness = shirt[..., 0] - shirt[..., 2]
    assert redness.max() > 40 and redness.min() < 10, "rust in some places, and iron in others"


def test_templates_change_the_subject(tmp_path: Path, lopsided: Path) -> None:
    images = {"files": [str(lopsided)]}
    whole = draw("image_to_image", tmp_path / "whole", images, template="character_completion", size="200x200")
    assert overlap(shown(whole), shown(whole)[:, ::-1]) > 0.97, "the missing arm is there"
    arm = whole[80:110][shown(whole)[80:110]]
    assert (arm[:, 2] > arm[:, 0] + 60).mean() > 0.1, "and blue"
    pose = draw("image_to_image", tmp_path / "pose", images, template="t_pose", size="200x200")
    height, width = box(shown(pose))
    assert width > 0.9 * height
    lit = draw("image_to_image", tmp_path / "lit", images, template="3d_enhance", size="200x200")
    shades = [len(np.unique(one[shown(one)], axis=0)) for one in (whole, lit)]
    assert shades[1] > 4 * shades[0], "flat areas got light and shade"
    based = draw("image_to_image", tmp_path / "based", images, template="figure", size="200x200")
    assert box(shown(based))[1] > 1.2 * box(shown(whole))[1] * box(shown(based))[0] / box(shown(whole))[0] * 0.5
    assert based[160:, 60:140][shown(based)[160:, 60:140]][:, :3].mean() < 110, "a dark base"
    sheet = draw("image_to_image", tmp_path / "sheet", images, template="variants", size="200x200")
    hues = [mean_color(sheet[y : y + 100, x : x + 100]) for y in (0, 100) for x in (0, 100)]
    assert min(np.abs(a - b).max() for i, a in enumerate(hues) for b in hues[:i]) > 40


def test_further_images_lend_their_colours_and_sketches_get_a_body(tmp_path: Path, lopsided: Path) -> None:
    other = tmp_path / "blue.png"
    pixels = np.full((60, 60, 3), 250, np.uint8)
    pixels[10:50, 10:50] = BLUE
    other.write_bytes(png(pixels))
    both = draw("image_to_image", tmp_path / "both", {"files": [str(lopsided), str(other)]}, prompt="x", size="160x200")
    assert both[130, 80, 2] > both[130, 80, 0] + 40
    sketch = tmp_path / "sketch.png"
    y, x = np.mgrid[:120, :120]
    ring = np.abs(np.hypot(x - 60, y - 60) - 40) < 3
    sketch.write_bytes(png(np.where(ring[..., None], 20, 255).repeat(3, axis=2).astype(np.uint8)))
    body = draw(
        "image_to_image", tmp_path / "body", {"file": str(sketch)}, prompt="x", sketch_to_render=True, size="120x120"
    )
    assert shown(body)[60, 60] and not shown(body)[3, 3], "what the line encloses is there"
    assert body[:, 60, :3][shown(body)[:, 60]].mean(axis=1).min() < body[60, 60, :3].mean() - 60, "and the line is dark"


@pytest.mark.once
def test_an_outline_becomes_four_views(tmp_path: Path, lopsided: Path) -> None:
    answer = run_engine("image_to_multiview", tmp_path, {}, images={"file": str(lopsided)}, full_size=True)
    assert set(answer["files"]) == {f"{side}_view_url" for side in SIDES}
    views = {side: picture(tmp_path, answer["files"][f"{side}_view_url"]) for side in SIDES}
    assert {view.shape for view in views.values()} == {(1024, 1024, 4)}
    front, back = shown(views["front"]), shown(views["back"])
    assert overlap(front, back[:, ::-1]) > 0.95, "the back is its mirror image"
    height, width = box(front)
    assert height / width == pytest.approx(160 / 80, rel=0.06), "the picture's outline"
    given = read_png(lopsided.read_bytes())[20:180, 26:106, :3].min(axis=2) < 240
    rows, columns = np.flatnonzero(front.any(axis=1)), np.flatnonzero(front.any(axis=0))
    cut = front[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    y, x = (np.arange(n) * size // n for n, size in zip(cut.shape, given.shape, strict=True))
    assert overlap(cut, given[np.ix_(y, x)]) > 0.93
    red, _, blue = views["front"][700, columns[-1] - 100, :3]
    assert red > blue + 80, "the body's own colour"
    thick = box(shown(views["left"]))[1]
    assert 0.05 * height < thick < width, "a body from the side"
    assert overlap(shown(views["left"]), shown(views["right"])[:, ::-1]) > 0.95


def test_only_the_named_views_are_edited(tmp_path: Path, lopsided: Path) -> None:
    images = {side: str(lopsided) for side in SIDES}
    body = {
        "original_task_id": "x",
        "prompts": [{"view": "left", "prompt": "green"}, {"view": "back", "prompt": "gold"}],
    }
    answer = run_engine("edit_multiview", tmp_path, body, images=images)
    files = {side: tmp_path / answer["files"][f"{side}_view_url"] for side in SIDES}
    assert files["front"].read_bytes() == files["right"].read_bytes() == lopsided.read_bytes()
    left, back = (read_png(files[side].read_bytes()).astype(int) for side in ("left", "back"))
    assert left.shape[:2] == (200, 160)
    assert left[130, 80, 1] > 1.5 * left[130, 80, 0] and back[130, 80, 0] > back[130, 80, 2] + 60


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("text_to_image", {"prompt": "--no mug"}, "needs a prompt"),
        ("text_to_image", {"prompt": "mug", "size": "99999x99999"}, "is the most"),
        ("text_to_image", {"prompt": "mug", "size": "0x512"}, "is no size"),
        ("text_to_image", {"prompt": "mug", "size": "huge"}, "is no size"),
        ("image_to_image", {"prompt": "red"}, "needs an image"),
        ("image_to_multiview", {}, "needs an image"),
        ("edit_multiview", {"prompts": [{"view": "front", "prompt": "red"}]}, "no front view"),
    ],
)
def test_what_it_cannot_do_is_refused(tmp_path: Path, kind: str, body: dict[str, Any], words: str) -> None:
    with pytest.raises(BlenderFailed, match=words) as caught:
        run_engine(kind, tmp_path, body)
    assert caught.value.kind == "EngineError"


def test_a_picture_of_one_pixel_is_one_to_enhance(tmp_path: Path) -> None:
    (tmp_path / "one.png").write_bytes(png(np.full((1, 1, 3), 200, np.uint8)))
    made = draw("image_to_image", tmp_path, {"file": str(tmp_path / "one.png")}, template="3d_enhance", size="16x16")
    assert made.shape[:2] == (16, 16)
