"""The way to the user guide, which needs no network."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import addon_utils
import bpy
import pytest
from generation import manual
from load_extension import ROOT


@pytest.fixture
def open_guide(addon: Any) -> Any:
    return importlib.import_module(f"{addon.package}.addon.ops.open_guide")


def test_the_guide_of_a_clone_is_its_source(open_guide: Any) -> None:
    assert open_guide.guide_file().samefile(ROOT / "docs" / "guide.md")
    assert bpy.ops.assetgen.open_guide() == {"FINISHED"}


def test_an_installation_opens_its_page_at_the_section(
    open_guide: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manual.write(ROOT / "docs", tmp_path / "manual")
    monkeypatch.setattr(open_guide, "_ROOT", tmp_path)
    page = tmp_path / "manual" / "guide.html"
    assert open_guide.guide_url(open_guide.KEYS) == f"{page.as_uri()}#{open_guide.KEYS}"
    assert f'id="{open_guide.KEYS}"' in page.read_text(encoding="utf-8")


def test_without_a_guide_it_says_so(open_guide: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_guide, "_ROOT", tmp_path)
    with pytest.raises(RuntimeError, match="no user guide"):
        bpy.ops.assetgen.open_guide()


def test_blenders_online_manual_leads_to_sections_that_are_there(open_guide: Any, addon: Any, tmp_path: Path) -> None:
    links = importlib.import_module(f"{addon.package}.addon.ui.manual_links")
    assert links._manual in bpy.utils._manual_map
    manual.write(ROOT / "docs", tmp_path)
    page = (tmp_path / "guide.html").read_text(encoding="utf-8")
    prefix, sections = links._manual()
    assert prefix == open_guide.guide_url()
    assert [section for _, section in sections if f'id="{section[1:]}"' not in page] == []
    addon_utils.disable(addon.package)
    try:
        assert links._manual not in bpy.utils._manual_map
    finally:
        addon_utils.enable(addon.package)
