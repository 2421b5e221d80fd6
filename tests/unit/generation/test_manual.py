"""The documentation as pages: complete in themselves, with every link leading somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from generation import manual
from load_extension import ROOT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target: Path = tmp_path_factory.mktemp("manual")
    manual.write(ROOT / "docs", target)
    return target


def test_every_link_and_picture_is_there(folder: Path) -> None:
    for page in folder.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert lost(text, page) == []


def test_nothing_is_fetched(folder: Path) -> None:
    for page in folder.glob("*.html"):
        assert not re.search(r'(?:src|href)="(?:https?:)?//', page.read_text(encoding="utf-8"))


def test_a_picture_that_is_not_there_is_found(tmp_path: Path) -> None:
    for name in manual.PAGES:
        (tmp_path / f"{name}.md").write_text("# Words\n\n![A chair](pictures/chair.webp)\n")
    manual.write(tmp_path, tmp_path / "manual")
    page = tmp_path / "manual" / "guide.html"
    assert lost(page.read_text(encoding="utf-8"), page) == ["pictures/chair.webp"]


def test_links_lead_to_pages_and_sections() -> None:
    html, pictures = manual.page("guide", "# A b\n\n[x](reference.md#texture) [y](#a-b) ![z](pictures/z.webp)\n")
    assert 'href="reference.html#texture"' in html
    assert '<h1 id="a-b">' in html
    assert pictures == ["pictures/z.webp"]


def lost(text: str, page: Path) -> list[str]:
    """What a page leads to that is not there."""
    wrong = []
    for target in re.findall(r'(?:src|href)="([^"]+)"', text):
        file, _, section = target.partition("#")
        path = page.parent / file if file else page
        there = path.exists() and (not section or f'id="{section}"' in path.read_text(encoding="utf-8"))
        wrong += [] if there else [target]
    return wrong
