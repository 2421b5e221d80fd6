from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asset_generation.vendor.background_blender import BlenderFailed
from support.engine.engine_run import needs_bpy, run_engine
from support.models.bodies import BIPEDS
from support.models.figures import beast, person
from support.models.meshes import Shape, box, write_glb
from support.models.rigged import Rigged, angle_between

pytestmark = needs_bpy

MODELS = Path(__file__).parents[3] / "shared" / "data" / "models"

ONE = ["preset:idle", "preset:walk", "preset:run", "preset:jump", "preset:turn"]
TWO = ["climb", "slash", "shoot", "hurt", "fall"]
BACK_TO_THE_START = ("idle", "walk", "run", "climb", "jump", "slash", "shoot", "hurt")


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A rigged figure that faces +X, in both conventions."""
    folder = tmp_path_factory.mktemp("people")
    source = write_glb(folder / "in.glb", person(1))
    for spec in ("mixamo", "tripo"):
        run_engine("rig", folder / spec, {"spec": spec}, model=source)
    return {spec: folder / spec / "model.glb" for spec in ("mixamo", "tripo")}


@pytest.fixture(scope="module")
def moving(people: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rigged]:
    """All motions of bipeds, by name: those of ``ONE`` on their way, those of ``TWO`` and dive on the spot."""
    folder = tmp_path_factory.mktemp("moving")
    answer = run_engine("retarget", folder / "one", {"animations": ONE}, model=people["tripo"])
    assert answer["files"] == {"model_url": "model.glb"}
    assert answer["facts"]["animations"] == [name.removeprefix("preset:") for name in ONE]
    run_engine("retarget", folder / "two", {"animations": TWO, "animate_in_place": True}, model=people["mixamo"])
    run_engine("retarget", folder / "dive", {"animation": "preset:dive"}, model=people["mixamo"])
    results = [Rigged(folder / name / "model.glb") for name in ("one", "two", "dive")]
    return {name: result for result in results for name in result.animations}


def heights(result: Rigged, name: str) -> np.ndarray:
    """The lowest point of the skin at every time."""
    return np.array(
        [min(part[:, 1].min() for part in result.skinned(result.local(name, t))) for t in result.times(name)]
    )


def root_of(result: Rigged) -> int:
    return next(result.node(name) for name in ("Hip", "mixamorig:Hips") if name in result.bones)


def root_way(result: Rigged, name: str) -> np.ndarray:
    """Where the root is at every time, shape (times, 3)."""
    root = root_of(result)
    return np.array([result.world(result.local(name, time))[root][:3, 3] for time in result.times(name)])


@pytest.mark.slow
def test_every_preset_is_an_animation_of_its_own_that_moves(moving: dict[str, Rigged]) -> None:
    expected = {name.removeprefix("preset:") for name in (*ONE, *TWO, "dive")}
    assert set(moving) == expected
    for name, result in moving.items():
        times = result.times(name)
        assert times[0] == 0 and 0.5 < times[-1] < 4
        assert len(times) > 12, "a key on every frame"
        first, later = (np.concatenate(result.skinned(result.local(name, time))) for time in (0.0, times[-1] * 0.4))
        assert np.linalg.norm(first - later, axis=1).max() > 0.01, name


@pytest.mark.slow
def test_what_repeats_ends_as_it_began(moving: dict[str, Rigged]) -> None:
    for name in BACK_TO_THE_START:
        result = moving[name]
        first, last = result.local(name, 0.0), result.local(name, result.times(name)[-1])
        apart = [angle_between(first[node]["rotation"], last[node]["rotation"]) for node in first]
        assert max(apart) < 1.0, name


def test_nothing_sinks_into_the_floor_and_what_stands_does_not_float(moving: dict[str, Rigged]) -> None:
    for name, result in moving.items():
        rest = result.skinned(result.local())
        floor = min(part[:, 1].min() for part in rest)
        size = max(part[:, 1].max() for part in rest) - floor
        low = heights(result, name) - floor
        assert low.min() > -0.02 * size, name
        if name in ("idle", "walk", "turn"):
            assert np.abs(low).max() < 0.01 * size, name
        if name in ("slash", "shoot", "hurt", "fall"):
            assert low.max() < 0.04 * size, name
        assert low.max() > 0.2 * size if name == "jump" else low.max() < 0.5 * size, name


def test_walk_and_run_go_forwards_as_fast_as_the_feet_go_back(moving: dict[str, Rigged]) -> None:
    for name in ("walk", "run"):
        way = root_way(moving[name], name)
        assert way[-1, 0] - way[0, 0] > 0.6, "it faces +X"
        assert abs(way[-1, 2] - way[0, 2]) < 0.02
    result = moving["walk"]
    times = result.times("walk")
    feet = [
        np.array([result.world(result.local("walk", time))[result.node(f"{side}_Foot")][:3, 3] for time in times])
        for side in "LR"
    ]
    # At every moment one of the ankles is nearly still: no skating.
    speed = [np.linalg.norm(np.diff(foot, axis=0), axis=1) * 24 for foot in feet]
    root = np.linalg.norm(way[-1] - way[0]) / times[-1]
    assert np.minimum(*speed).max() < 0.45 * root and np.median(np.minimum(*speed)) < 0.15 * root


def test_arms_and_legs_swing_against_each_other(moving: dict[str, Rigged]) -> None:
    result = moving["walk"]
    apart = []
    for time in result.times("walk"):
        world = result.world(result.local("walk", time))
        at = {name: world[result.node(name)][0, 3] for name in ("L_Hand", "R_Hand", "L_Foot", "R_Foot")}
        apart.append((at["L_Hand"] - at["R_Hand"], at["L_Foot"] - at["R_Foot"]))
    hands, feet = np.array(apart).T
    assert np.corrcoef(hands, feet)[0, 1] < -0.7


def test_in_place_the_root_stays_where_it_is_seen_from_above(
    moving: dict[str, Rigged], people: dict[str, Path], tmp_path: Path
) -> None:
    run_engine("retarget", tmp_path, {"animations": ["walk", "dive"], "animate_in_place": True}, model=people["tripo"])
    result = Rigged(tmp_path / "model.glb")
    for name, moved in [("walk", result), ("dive", result), *((name, moving[name]) for name in TWO)]:
        assert np.ptp(root_way(moved, name)[:, [0, 2]], axis=0).max() < 1e-4, name


def test_without_geometry_only_bones_and_animations_are_written(people: dict[str, Path], tmp_path: Path) -> None:
    body = {"animations": ["idle", "preset:idle"], "export_with_geometry": False, "bake_animation": False}
    answer = run_engine("retarget", tmp_path, body, model=people["mixamo"])
    result = Rigged(tmp_path / "model.glb")
    assert "meshes" not in result.document
    assert list(result.animations) == ["idle"] == answer["facts"]["animations"], "asked for twice, made once"
    assert result.node("mixamorig:LeftForeArm")
    assert 10 < len(result.times("idle")) < 40, "keys on every third frame"


@pytest.mark.slow
def test_a_video_and_an_fbx(people: dict[str, Path], tmp_path: Path) -> None:
    body = {"animation": "preset:run", "render_video": True, "out_format": "fbx"}
    answer = run_engine("retarget", tmp_path, body, model=people["tripo"], preview=True)
    assert answer["files"] == {
        "model_url": "model.fbx",
        "rendered_image_url": "preview.png",
        "rendered_video_url": "animation.mp4",
    }
    video = (tmp_path / "animation.mp4").read_bytes()
    assert video[4:8] == b"ftyp" and b"moov" in video and len(video) > 2000
    assert (tmp_path / "model.fbx").read_bytes().startswith(b"Kaydara")
    result = Rigged(tmp_path / "model.glb")
    assert 0.65 < result.times("run")[-1] < 0.75, "the video's own frame rate is not the animation's"
    run_engine("import_model", tmp_path / "back", model=tmp_path / "model.fbx")
    back = Rigged(tmp_path / "back" / "model.glb")
    (name,) = back.animations
    ways = [max(part[:, 0].max() for part in back.skinned(back.local(name, time))) for time in (0.0, 0.7)]
    assert ways[1] - ways[0] > 0.6, "it runs in the FBX as well"


@pytest.mark.each_python
@pytest.mark.slow
def test_a_quadruped_walks_with_its_feet_on_the_floor(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "in.glb", beast(0))
    run_engine("rig", tmp_path / "rig", {"rig_type": "quadruped"}, model=source)
    rigged = tmp_path / "rig" / "model.glb"
    run_engine("retarget", tmp_path / "out", {"animation": "quadruped:walk"}, model=rigged)
    result = Rigged(tmp_path / "out" / "model.glb")
    name = "quadruped_walk"
    rest = result.skinned(result.local())[0]
    low = heights(result, name) - rest[:, 1].min()
    assert np.abs(low).max() < 0.01 * np.ptp(rest[:, 1])
    way = root_way(result, name)
    assert way[-1, 2] - way[0, 2] > 0.2, "it faces +Z"
    first, last = result.local(name, 0.0), result.local(name, result.times(name)[-1])
    assert max(angle_between(first[node]["rotation"], last[node]["rotation"]) for node in first) < 1.0
    with pytest.raises(BlenderFailed, match=r"preset:walk moves a biped, .* it takes preset:quadruped:walk\."):
        run_engine("retarget", tmp_path / "no", {"animation": "walk"}, model=rigged)


def stretches(result: Rigged, name: str, skin: int) -> np.ndarray:
    """How many times as long or as short the edges of a skin become, shape (times, edges)."""
    triangles = result.skins[skin].triangles
    edges = np.unique(
        np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), 1), axis=0
    )

    def lengths(points: np.ndarray) -> np.ndarray:
        return np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)

    rest = lengths(result.skinned(result.local())[skin])
    ratios = np.array([lengths(result.skinned(result.local(name, t))[skin]) for t in result.times(name)]) / rest
    return np.maximum(ratios, 1 / ratios)


def trousers() -> Shape:
    """A tube around the legs of a :func:`person`: up the one, through the crotch and down the other."""
    up = np.stack((np.full(20, 0.1), np.linspace(0.3, 0.85, 20)), axis=1)
    turns = np.linspace(0, np.pi, 12)[1:-1, None]
    path = np.concatenate((up, (0, 0.85) + 0.1 * np.concatenate((np.cos(turns), np.sin(turns)), 1), up[::-1] * (-1, 1)))
    along = np.gradient(path, axis=0)
    across = np.stack((along[:, 1], -along[:, 0]), axis=1) / np.linalg.norm(along, axis=1)[:, None]
    around = np.arange(16)[:, None] * np.pi / 8
    rings = path[:, None] + 0.095 * np.cos(around) * across[:, None]
    points = np.concatenate((rings, np.broadcast_to(0.005 + 0.095 * np.sin(around), (len(path), 16, 1))), axis=2)
    here = np.arange(len(path) - 1)[:, None] * 16 + np.arange(16)
    beside = np.roll(here, -1, axis=1)
    rows = [(here, beside, here + 16), (beside, beside + 16, here + 16)]
    triangles = np.concatenate([np.stack([part.ravel() for part in row], axis=1) for row in rows])
    return Shape(points.reshape(-1, 3), triangles, name="trousers")


@pytest.mark.slow
def test_trousers_follow_both_legs_and_are_not_torn_between_them(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "in.glb", [*person(), trousers()])
    run_engine("rig", tmp_path / "rig", model=source)
    run_engine("retarget", tmp_path, {"animation": "walk"}, model=tmp_path / "rig" / "model.glb")
    result = Rigged(tmp_path / "model.glb")
    (number,) = [index for index, skin in enumerate(result.skins) if skin.name == "trousers"]
    assert np.percentile(stretches(result, "walk", number), 99.9) < 3
    rest = result.skins[number].positions
    for side, sign in (("L", 1), ("R", -1)):
        ways = []
        for time in result.times("walk"):
            local = result.local("walk", time)
            world = result.world(local)
            hem = result.skinned(local)[number][(rest[:, 1] < 0.31) & (sign * rest[:, 0] > 0)].mean(axis=0)
            knee, ankle, hips = (
                world[node][:3, 3]
                for node in (result.node(f"{side}_Calf"), result.node(f"{side}_Foot"), root_of(result))
            )
            ways.append((hem[2] - hips[2], (knee + ankle)[2] / 2 - hips[2]))
        swung, leg = np.ptp(ways, axis=0)
        assert swung > 0.3 * leg, "they swing with the thigh and not with the hips"


@pytest.mark.slow
def test_legs_that_are_bent_backwards_at_rest_stay_so(tmp_path: Path) -> None:
    source = write_glb(tmp_path / "in.glb", BIPEDS["knees backwards"]())
    run_engine("rig", tmp_path / "rig", model=source)
    run_engine("retarget", tmp_path, {"animation": "walk"}, model=tmp_path / "rig" / "model.glb")
    result = Rigged(tmp_path / "model.glb")
    for time in result.times("walk"):
        world = result.world(result.local("walk", time))
        for side in "LR":
            hip, knee, ankle = (world[result.node(f"{side}_{part}")][:3, 3] for part in ("Thigh", "Calf", "Foot"))
            share = (knee - hip) @ (ankle - hip) / ((ankle - hip) @ (ankle - hip))
            assert (knee - hip - share * (ankle - hip))[2] < 0, "it faces +Z"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"animation": "preset:moonwalk"}, r"no animation 'preset:moonwalk'; it has idle, .*quadruped:walk\."),
        ({"animation": "preset:quadruped:walk"}, r"moves a quadruped, and this rig is a biped's"),
    ],
    ids=["unknown", "other body"],
)
def test_what_cannot_be_played_fails_in_a_sentence(
    people: dict[str, Path], tmp_path: Path, body: dict[str, Any], words: str
) -> None:
    with pytest.raises(BlenderFailed, match=words) as caught:
        run_engine("retarget", tmp_path, body, model=people["tripo"])
    assert caught.value.kind == "EngineError" and str(caught.value).endswith(".")


def test_a_model_without_our_skeleton_is_refused(tmp_path: Path) -> None:
    plain = write_glb(tmp_path / "in.glb", [box((1, 1, 1))])
    with pytest.raises(BlenderFailed, match=r"no skeleton; rig it first\."):
        run_engine("retarget", tmp_path / "out", {"animation": "idle"}, model=plain)


@pytest.mark.skipif(not MODELS.is_dir(), reason="the shared models are not on this machine")
def test_a_skeleton_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BlenderFailed, match=r"no skeleton of a rig task; rig it first\."):
        run_engine("retarget", tmp_path, {"animation": "idle"}, model=MODELS / "robot_expressive.glb")
