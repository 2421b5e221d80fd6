"""Texts that are put together are looked up in the catalogue, and not by Blender, which knows only whole ones.

Blender also looks up every text that it is given: an object called Cube would be shown under another name. So what is
not written out in the call itself has ``translate=False``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from load_extension import ROOT

FOLDERS = ("addon/ui", "addon/ops", "addon/preferences.py", "addon/text_layout.py")
SHOWING = frozenset({"label", "operator", "menu", "progress"})


def is_written_out(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.IfExp():
            return is_written_out(node.body) and is_written_out(node.orelse)
        case _:
            return False


def is_looked_up(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "translated"


def complaints(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        if node.func.attr in SHOWING and "text" in named and not is_written_out(named["text"]):
            keeps = named.get("translate")
            if not (isinstance(keeps, ast.Constant) and keeps.value is False):
                yield node.lineno, f"{ast.unparse(named['text'])} needs translate=False"
        if node.func.attr in ("report", "poll_message_set") and node.args:
            said = node.args[-1]
            if not is_written_out(said) and not is_looked_up(said):
                yield node.lineno, f"{ast.unparse(said)} needs translated(...)"


def test_what_is_put_together_is_looked_up() -> None:
    files = [path for name in FOLDERS for path in sorted((ROOT / name).rglob("*.py"))]
    files += [ROOT / name for name in FOLDERS if name.endswith(".py")]
    found = [f"{path.relative_to(ROOT)}:{line}: {words}" for path in files for line, words in all_of(path)]
    assert not found, "\n".join(found)


def all_of(path: Path) -> list[tuple[int, str]]:
    return sorted(complaints(path.read_text(encoding="utf-8")))


def test_a_slip_is_noticed() -> None:
    source = """
layout.label(text=f"{count} jobs")
layout.label(text=job.name)
layout.label(text="Jobs" if many else "Job")
layout.label(text=job.name, translate=False)
self.report({"INFO"}, f"{count} jobs")
self.report({"INFO"}, translated(f"{count} jobs"))
"""
    assert [line for line, _ in complaints(source)] == [2, 3, 6]
