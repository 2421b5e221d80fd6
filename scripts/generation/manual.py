"""The documentation as pages that any browser shows without a network; the extension's zip holds them as ``manual``."""

from __future__ import annotations

import re
import shutil
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

PAGES = {
    "guide": "User Guide",
    "reference": "Reference",
    "command_line": "Command Line",
    "coverage": "The Local Engine",
}
"""Pages of docs/ that ship, without their ending, and what leads to them."""

_STYLE = """\
:root { color-scheme: light dark; --line: #8886; --soft: #8882; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 1rem 1.5rem 6rem; }
nav { border-bottom: 1px solid var(--line); padding: .5rem 0; } nav a { margin-right: 1.5rem; }
h1, h2, h3 { line-height: 1.2; margin-top: 2em; } h1 { margin-top: 1em; }
code, kbd, pre { font: .88em ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code, kbd { padding: .1em .3em; } kbd { border: 1px solid var(--line); }
pre { padding: .8em 1em; overflow-x: auto; } pre code { background: none; padding: 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .35em .6em; text-align: left; vertical-align: top; }
img { max-width: 100%; height: auto; border-radius: 6px; }
"""

_LINK = re.compile(r"^([\w-]+)\.md(#.*)?$")


def write(docs: Path, target: Path) -> list[Path]:
    """Writes the pages and copies the pictures that they show.

    Args:
        docs: The folder with the sources.
        target: The folder to write into; it is made.

    Returns:
        The files that were written.
    """
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for name in PAGES:
        text, pictures = page(name, (docs / f"{name}.md").read_text(encoding="utf-8"))
        path = target / f"{name}.html"
        path.write_text(text, encoding="utf-8", newline="\n")
        written.append(path)
        for picture in pictures:
            if not (docs / picture).exists():
                continue  # it may be about to be taken, and for that the extension is built; a test finds what is lost
            copy = target / picture
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(docs / picture, copy)
            written.append(copy)
    return sorted(set(written))


def page(name: str, source: str) -> tuple[str, list[str]]:
    """One page as HTML, and the pictures that it shows, as paths from its own folder."""
    parser = MarkdownIt("commonmark").enable("table")
    tokens = parser.parse(source)
    pictures: list[str] = []
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor(tokens[number + 1].content))
        for part in token.children or ():
            _relink(part, pictures)
    links = "".join(f'<a href="{other}.html">{escape(label)}</a>' for other, label in PAGES.items())
    body = parser.renderer.render(tokens, parser.options, {})
    head = (
        f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(PAGES[name])}</title>'
    )
    html = f'<!DOCTYPE html>\n<html lang="en"><head>{head}\n<style>\n{_STYLE}</style></head>\n'
    return f"{html}<body>\n<nav>{links}</nav>\n{body}</body></html>\n", pictures


def anchor(heading: str) -> str:
    """What a heading is called in addresses, as code hosts call it."""
    words = re.sub(r"[^\w\- ]", "", heading.lower())
    return words.strip().replace(" ", "-")


def _relink(part: Token, pictures: list[str]) -> None:
    """Leads links to the pages that ship; notes the pictures."""
    if part.type == "image":
        pictures.append(str(part.attrs["src"]))
    elif part.type == "link_open":
        found = _LINK.match(str(part.attrs["href"]))
        if found is not None and found[1] in PAGES:
            part.attrSet("href", f"{found[1]}.html{found[2] or ''}")
