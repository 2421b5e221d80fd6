"""The panels in Chinese, with nothing left in English: what is drawn is written down as Blender would show it."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

bpy = pytest.importorskip("bpy", reason="this Python has no bpy")

from support.addon import add_mesh  # noqa: E402
from support.drawn_texts import DrawnTexts  # noqa: E402

OWN = "kulfi zorn"
"""A user's own words, which are in no dictionary."""

KEPT = re.compile(
    r"\b(?:Asset Gen(?:eration)?|AI|API|PBR|UVs?|JSON|PEM|ID|HTTP|GLTF|GLB|FBX|OBJ|STL|USDZ?|3MF|PLY|PNG|JPE?G|WEBP)\b"
    r"|\b(?:TIFF?|BMP|kB|MB|GB|GiB|TB|2K|3D|N|T|x|X|Shift|Blender|Mixamo|Tripo|Minecraft|Vxc|Sources|zip|blend)\b"
    r"|3dsmax|DPX|HDR|OPEN_EXR|TARGA|Knight(?: \w+)?|Suzanne"
    r"|[Ss]eedream(?:[ _]v\d)?|[Bb]anana(?: pro)?|Chat image [\d.]+|\bv\d[\d.]*|\bP[12]\b|preset:\w+|https?(?:://\S*)?"
    rf"|\{{?task_id\}}?|--no|{OWN}|/[\w./…-]+|[\w-]+\.[\w.]+|[0-9a-f]{{8}}[\w-]*|[+-][XYZ]\b|ASSETGEN_\w+|offline-mode"
)
"""What stays as it is in Chinese: names, formats, units, and what is a user's own."""

LATIN = re.compile(r"[A-Za-z]{2,}")


@pytest.fixture
def said(addon: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The interface in Chinese, and what it says. The bpy module has no languages, so it is told of this one."""
    interface = importlib.import_module(f"{addon.package}.addon.translation.interface")
    catalogue = interface.load("zh_HANS")
    monkeypatch.setattr(interface, "_current", lambda: catalogue)
    texts: list[str] = []
    monkeypatch.setattr(
        addon, "layout", DrawnTexts(texts, lambda text: catalogue.messages.get(text, text)), raising=False
    )
    layout = importlib.import_module(f"{addon.package}.addon.text_layout")
    monkeypatch.setattr(layout, "lines_of", lambda text, _width, _points: (text,))
    yield texts


@pytest.fixture
def context(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A context with a side bar, which the bpy module has none of."""
    region = SimpleNamespace(width=400, height=800, type="UI")

    real = bpy.context.preferences
    preferences = SimpleNamespace(
        system=SimpleNamespace(ui_scale=1.0), ui_styles=real.ui_styles, view=real.view, filepaths=real.filepaths
    )
    ours = {"region": region, "space_data": None, "preferences": preferences}

    class Context:
        def __getattr__(self, name: str) -> Any:
            return ours[name] if name in ours else getattr(bpy.context, name)

    return Context()


def english(texts: list[str]) -> list[str]:
    return sorted({text for text in texts if LATIN.search(KEPT.sub("", text))})


def panel(addon: Any, module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"{addon.package}.addon.ui.{module}"), name)


def draw(addon: Any, context: Any, cls: Any) -> None:
    drawn = SimpleNamespace(layout=addon.layout)
    cls.draw(drawn, context)


def draw_all(addon: Any, context: Any) -> None:
    """Every panel and menu of the 3D viewport, and the preferences."""
    for module, name in PANELS:
        draw(addon, context, panel(addon, module, name))
    preferences = bpy.context.preferences.addons[addon.package].preferences
    cls = importlib.import_module(f"{addon.package}.addon.preferences").ASSETGEN_AP_preferences
    cls.draw(DrawnPreferences(preferences, addon.layout), context)


class DrawnPreferences:
    """Preferences whose layout is ours."""

    def __init__(self, values: Any, layout: Any) -> None:
        self._values, self.layout = values, layout

    def __getattr__(self, name: str) -> Any:
        return getattr(self._values, name)


PANELS = (
    ("main_panel", "ASSETGEN_PT_main"),
    ("job_panel", "ASSETGEN_PT_jobs"),
    ("history_panel", "ASSETGEN_PT_history"),
    ("credits_panel", "ASSETGEN_PT_credits"),
    ("image_panel", "ASSETGEN_PT_image"),
    ("menus", "ASSETGEN_MT_add"),
    ("menus", "ASSETGEN_MT_object"),
    ("menus", "ASSETGEN_MT_image"),
    ("status_bar", "ASSETGEN_MT_running_jobs"),
)


@pytest.mark.parametrize("address", ["", "https://api.service.example"], ids=["local", "online"])
def test_every_form_is_chinese(
    addon: Any, said: list[str], context: Any, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("ASSETGEN_BASE_URL", address)
    add_mesh("Suzanne")
    settings = importlib.import_module(f"{addon.package}.addon.props.scene_settings")
    table = importlib.import_module(f"{addon.package}.addon.props.task_properties").CAPABILITIES
    chosen = bpy.context.scene.asset_generation
    chosen.text_to_model.prompt = OWN
    for name in table:
        settings.choose_capability(chosen, name)
        draw(addon, context, panel(addon, "main_panel", "ASSETGEN_PT_main"))
    draw_all(addon, context)
    assert len(set(said)) > 150 and "Suzanne" in said
    assert english(said) == [], "\n".join(english(said))


def test_jobs_in_every_state_are_chinese(addon: Any, said: list[str], context: Any) -> None:
    job = importlib.import_module(f"{addon.package}.addon.core.jobs.job")
    details = importlib.import_module(f"{addon.package}.addon.ui.job_details")
    rows = importlib.import_module(f"{addon.package}.addon.ui.job_list")
    step = job.StepPlan("texture", {"text": OWN, "face_limit": 500, "bake": True})
    plan = job.JobPlan(f"Texture: {OWN}", job.Source(job.SourceKind.NOTHING, title=OWN), (step,), job.Delivery())
    for number, stage in enumerate(job.Stage):
        task = job.StepView("texture", f"{number:08d}-0000-0000-0000-000000000000", "success", 1.0, "10", 75.0)
        view = job.JobView(
            str(stage), plan.name, stage, 0.43, SAYS.get(str(stage), "Texture: 43%"), created_at=1e9, ends_at=4e9,
            error=ERROR if stage is job.Stage.FAILED else "", advice="It was not charged. Try another image",
            actions=frozenset(job.Action), plan=plan, steps=(task,), service_id="local", seconds=4000.0,
        )  # fmt: skip
        addon.state.jobs[view.id] = view
        details.draw(addon.layout, view, context)
        rows.draw_row(addon.layout, view, context)
    draw_all(addon, context)
    assert english(said) == [], "\n".join(english(said))
    assert OWN in said and f"纹理：{OWN}" in said


ERROR = "The task failed: The picture is fully transparent: there is nothing to make a model of. (code 2002)"
SAYS = {
    "snapshot": "Waiting for a free slot (2nd in line)",
    "upload": "Preparing the selection",
    "download": "Fetching the result",
    "ready": "Ready",
    "applied": "Done",
    "failed": "Failed",
    "stopped": "Stopped. No task was started and nothing is charged",
    "uncertain": "The answer to the request was lost, and the service has 2 tasks that it could be",
}
"""What jobs say of themselves, by their stage."""
