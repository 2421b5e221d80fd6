"""The catalogues of translations, ``addon/translation/*.po``, kept in step with the texts of the sources.

A text that is new gets an entry with nothing in it, which a test then names; one that is gone goes.
"""

from __future__ import annotations

from pathlib import Path

from asset_generation.addon.translation import po_file

from generation import messages

FOLDER = "addon/translation"


def catalogues(root: Path) -> dict[str, str]:
    """Every catalogue as it has to be: path from the root, and content."""
    files = sorted((root / FOLDER).glob("*.po"))
    texts, constants = messages.messages(root), messages.constants(root)
    return {
        path.relative_to(root).as_posix(): updated(path.read_text(encoding="utf-8"), texts, constants) for path in files
    }


def updated(catalogue: str, texts: dict[str, str], constants: set[str]) -> str:
    """A catalogue with an entry for each text, in their order.

    Args:
        catalogue: The file as it is.
        texts: All that it has to have, each with the file that it is in.
        constants: What it may have beside them: single words, which do not show that they are for people.
    """
    known = po_file.read(catalogue)
    translations = {entry.text: entry.translation for entry in known.entries if not entry.context}
    signs = [entry._replace(places="") for entry in known.entries if entry.context]
    needed = [po_file.Entry(text, translations.get(text, ""), places=place) for text, place in texts.items()]
    others = [
        po_file.Entry(text, translation)
        for text, translation in sorted(translations.items())
        if text not in texts and text in constants and translation
    ]
    return po_file.written(known.comment, known.header, [*signs, *needed, *others])
