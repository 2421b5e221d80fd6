"""No module of the client imports itself by way of others, be it within a function or for type checkers only."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from devtools.paths import ROOT

CLIENT = ROOT / "vendor" / "assetgen"


Module = tuple[str, ...]


def imports_of(source: str, package: Module, modules: Collection[Module]) -> Iterator[Module]:
    """The modules that a source imports by relative imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = (*package[: len(package) - node.level + 1], *(node.module.split(".") if node.module else ()))
            for alias in node.names:
                target = (*base, alias.name)
                yield target if target in modules else base


def graph_of(sources: Mapping[Module, str]) -> dict[Module, set[Module]]:
    """The modules that each module imports. A package is its ``__init__``; that importing a module runs the packages
    above it first is no circle, as long as nobody asks them for a name.
    """
    packages = {module[:-1] for module in sources}
    return {
        module: set(imports_of(source, module if module in packages else module[:-1], sources))
        for module, source in sources.items()
    }


def circle_in(sources: Mapping[Module, str]) -> list[str]:
    """The first circle that there is; empty where there is none."""
    try:
        TopologicalSorter(graph_of(sources)).prepare()
    except CycleError as error:
        return [".".join(module) for module in error.args[1]]
    return []


def module_of(path: Path) -> Module:
    parts = path.relative_to(CLIENT.parent).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def test_the_client_has_no_circle() -> None:
    sources = {module_of(path): path.read_text(encoding="utf-8") for path in CLIENT.glob("**/*.py")}
    assert len(sources) > 30
    assert circle_in(sources) == []


@pytest.mark.parametrize(
    "back",
    [
        "from .b import x",
        "from . import b",
        "def f():\n    from .b import x",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..p.b import x",
    ],
)
def test_a_circle_is_noticed_wherever_it_is_hidden(back: str) -> None:
    sources = {("p",): "", ("p", "a"): back, ("p", "b"): "from .a import f"}
    assert sorted(set(circle_in(sources))) == ["p.a", "p.b"]
    assert circle_in(sources | {("p", "b"): "from .c import f"}) == []
