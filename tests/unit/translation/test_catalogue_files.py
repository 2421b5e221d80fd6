"""The catalogues have every text that can be seen, and nothing else; translators' tools can read them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from asset_generation.addon.translation import catalogue, po_file
from generation import catalogues, messages
from load_extension import ROOT

FILES = sorted((ROOT / catalogues.FOLDER).glob("*.po"))
TEXTS = messages.messages(ROOT)
CONSTANTS = messages.constants(ROOT)
ENGLISH_ONLY = frozenset({"article"})
"""Places that other languages leave out."""


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def file(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def entries_of(file: Path) -> tuple[po_file.Entry, ...]:
    return po_file.read(file.read_text(encoding="utf-8")).entries


def test_there_is_a_chinese_catalogue() -> None:
    assert "zh_HANS" in [path.stem for path in FILES]


def test_every_text_has_a_translation(file: Path) -> None:
    translations = {entry.text: entry.translation for entry in entries_of(file) if not entry.context}
    missing = [f"{place}: {text}" for text, place in TEXTS.items() if not translations.get(text, "").strip()]
    assert not missing, "run scripts/dev.py generate, and fill in:\n" + "\n".join(missing)


def test_no_entry_is_of_a_text_that_is_gone(file: Path) -> None:
    gone = [entry.text for entry in entries_of(file) if not entry.context and entry.text not in {*TEXTS, *CONSTANTS}]
    assert not gone, "run scripts/dev.py generate"


def test_what_is_filled_in_is_filled_in_everywhere(file: Path) -> None:
    for entry in entries_of(file):
        places, translated = (catalogue.PLACE.findall(text) for text in (entry.text, entry.translation))
        assert sorted(translated) == sorted(set(places) - ENGLISH_ONLY), entry.text


def test_a_file_is_written_as_it_is_read(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    found = po_file.read(text)
    assert po_file.written(found.comment, found.header, found.entries) == text
    assert len({(entry.context, entry.text) for entry in found.entries}) == len(found.entries)


def test_chinese_has_the_signs_of_chinese() -> None:
    """A half-width sign after a Chinese one is a slip of the hand."""
    for entry in entries_of(ROOT / catalogues.FOLDER / "zh_HANS.po"):
        assert not re.search(r"[\u4e00-\u9fff][,;:!?]", entry.translation), entry.translation
        assert not re.search(r"[\u4e00-\u9fff]\.(?!\.|[a-z{])", entry.translation), entry.translation


def test_a_new_text_gets_an_empty_entry_and_one_that_is_gone_goes() -> None:
    old = po_file.written("# A comment", "Language: xx\n", [po_file.Entry("Old", "a"), po_file.Entry("Both", 'b\n"c"')])
    new = po_file.read(catalogues.updated(old, {"New": "a.py", "Both": "b.py"}, set()))
    assert [(entry.text, entry.translation, entry.places) for entry in new.entries] == [
        ("New", "", "a.py"),
        ("Both", 'b\n"c"', "b.py"),
    ]
    assert new.comment == "# A comment"


def texts_in(source: str, tmp_path: Path) -> list[str]:
    folder = tmp_path / "addon/ui"
    folder.mkdir(parents=True)
    (folder / "x.py").write_text(source, encoding="utf-8")
    for other in (*messages.SHOWN, *messages.RAISED, *messages.SUGGESTIONS):
        target = tmp_path / other
        if target.suffix == ".py":
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("", encoding="utf-8")
        else:
            target.mkdir(parents=True, exist_ok=True)
    return [text for text, place in messages.messages(tmp_path).items() if place]


def test_texts_are_found_wherever_they_stand(tmp_path: Path) -> None:
    source = '''
"""A docstring is none."""
_log.info("not for users at all")
WORDS = {"not_a_key": "Is a text", "x": "icon_name"}
layout.label(text=f"{len(jobs)} jobs")
layout.label(text="Run" if here else "Run it again")
words = f"{job.name} stops" + (" at once" if soon else "")
report(f"{'about ' if guess else ''}{price.credits:f} credits")
raise LookupError(f"no {name} in the table")
raise Refused(f"Choose {name} first")
size: FloatProperty(name="Size", description="How large it is", items=[("A", "All", "All of them")])
'''
    assert texts_in(source, tmp_path) == [
        "Is a text",
        "{jobs_count} jobs",
        "Run",
        "Run it again",
        "{job_name} stops at once",
        "{job_name} stops",
        "about {price_credits} credits",
        "{price_credits} credits",
        "Choose {name} first",
        "Size",
        "How large it is",
        "All",
        "All of them",
    ]
