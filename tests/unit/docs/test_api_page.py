"""Comments name sections of the page on the API, and those sections are there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from load_extension import ROOT

PAGE = "docs/api.md"
FOLDERS = ("addon", "vendor", "scripts", "tests", "docs")
SUFFIXES = frozenset({".py", ".md", ".toml"})

_HEADING = re.compile(r"^##+ (\d+(?:\.\d+)?)\.? \S", re.MULTILINE)
_NUMBER = r"\d+(?:\.\d+)?"
# Also where a comment goes on in the next line.
_GAP = r"\s+(?:#\s+)?"
_CITATION = re.compile(rf"{re.escape(PAGE)},{_GAP}({_NUMBER}(?:(?:,|{_GAP}and){_GAP}{_NUMBER})*)")


def headings(page: str) -> list[str]:
    """The numbers of a page's sections, in their order."""
    return _HEADING.findall(page)


def cited(text: str) -> list[str]:
    """The sections of the page that a text names."""
    return [number for citation in _CITATION.findall(text) for number in re.findall(_NUMBER, citation)]


def missing(page: str, text: str) -> list[str]:
    """The sections that a text names and the page does not have."""
    return [number for number in cited(text) if number not in headings(page)]


def texts() -> Iterator[tuple[str, str]]:
    """Every source and page of the project, by its path."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def test_every_section_that_is_named_is_there() -> None:
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    assert {path: gone for path, text in texts() if (gone := missing(page, text))} == {}


def test_sections_are_numbered_without_gap() -> None:
    numbers = [tuple(map(int, number.split("."))) for number in headings((ROOT / PAGE).read_text(encoding="utf-8"))]
    chapters = [number[0] for number in numbers if len(number) == 1]
    assert chapters == list(range(1, len(chapters) + 1)) and chapters
    assert numbers == sorted(numbers)
    for chapter in chapters:
        sections = [number[1] for number in numbers if len(number) == 2 and number[0] == chapter]
        assert sections == list(range(1, len(sections) + 1))


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        (f'"""Limits ({PAGE}, 1.1)."""', []),
        (f"# see {PAGE}, 1", []),
        (f"# see {PAGE}, 1.2", ["1.2"]),
        (f"# see {PAGE}, 1.1, 1.3 and 2", ["1.3", "2"]),
        (f"# a comment that goes on, see {PAGE},\n    # 1.1 and\n    # 1.4: there", ["1.4"]),
        (f"# {PAGE} as a whole, version 3.7", []),
    ],
)
def test_a_section_that_is_not_there_is_noticed(text: str, gone: list[str]) -> None:
    assert missing("# Page\n\n## 1. One\n\n### 1.1 Of one\n", text) == gone
