"""Which fields of a request the local engine reads: told from its sources, which are read and not run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from asset_generation.vendor import assetgen_local
from asset_generation.vendor.assetgen.contract import FieldKind, FieldSpec

ENGINE = Path(assetgen_local.__file__).resolve().parent / "engine"

Function = tuple[Path, str]


def parsed(file: Path) -> ast.Module:
    """A file's syntax tree."""
    return ast.parse(file.read_text(encoding="utf-8"))


def targets(file: Path, node: ast.ImportFrom) -> dict[str, tuple[Path, str]]:
    """What a relative import binds: a name to a file, and to what is taken from that file ("" for the file itself)."""
    folder = file.parents[node.level - 1].joinpath(*(node.module or "").split("."))
    bound = {}
    for alias in node.names:
        module = (folder / alias.name).with_suffix(".py")
        bound[alias.asname or alias.name] = (
            (module, "") if module.is_file() else (folder.with_suffix(".py"), alias.name)
        )
    return bound


class Calls:
    """Which functions and constants of some sources mention which, by their names."""

    def __init__(self, root: Path) -> None:
        self.defined: dict[Path, dict[str, ast.AST]] = {}
        self._bound: dict[Path, dict[str, tuple[Path, str]]] = {}
        self._constants: dict[Path, dict[str, ast.expr]] = {}
        self._mentions: dict[Function, frozenset[Function]] = {}
        for file in root.rglob("*.py"):
            tree = parsed(file)
            plain = {ast.unparse(n.targets[0]): n.value for n in tree.body if isinstance(n, ast.Assign)}
            typed = {ast.unparse(n.target): n.value for n in tree.body if isinstance(n, ast.AnnAssign) and n.value}
            self._constants[file] = plain | typed
            functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
            self.defined[file] = {**self._constants[file], **functions}  # a table of functions leads to them, too
            relative = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level]
            self._bound[file] = {name: target for node in relative for name, target in targets(file, node).items()}

    def reached(self, start: Function, *, through_others: bool = False) -> set[Function]:
        """Everything that a function leads to.

        Args:
            start: The function.
            through_others: Also through what other capabilities do with a body of their own.
        """
        seen: set[Function] = set()
        left = [start]
        while left:
            file, name = function = left.pop()
            another = file.parent == start[0].parent and file != start[0] and not through_others
            if function not in seen and not another and name in self.defined.get(file, {}):
                seen.add(function)
                if function not in self._mentions:  # most lead to the same helpers
                    self._mentions[function] = frozenset(self._mentioned(function))
                left += self._mentions[function]
        return seen

    def _mentioned(self, function: Function) -> Iterator[Function]:
        file, name = function
        bound = self._bound[file]
        for node in ast.walk(self.defined[file][name]):
            if isinstance(node, ast.Name):
                yield bound.get(node.id, (file, node.id))
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in bound:
                yield bound[node.value.id][0], node.attr

    def fields_read(self, function: Function) -> Iterator[str]:
        """The fields of the request's body that a function reads; the source text of a name that is not in it."""
        file, name = function
        whole = self.defined[file][name]
        loops = [n for n in ast.walk(whole) if isinstance(n, ast.For | ast.comprehension)]
        for node in ast.walk(whole):
            key = _key(node)
            if key is None:
                continue
            sources = [loop.iter for loop in loops if ast.unparse(loop.target) == ast.unparse(key)] or [key]
            for source in sources:
                literal = self._constants[file].get(ast.unparse(source), source)
                try:
                    value = ast.literal_eval(literal)
                except ValueError:
                    value = f"<{ast.unparse(node)}>"
                yield from [value] if isinstance(value, str) else value

    def texts(self, function: Function) -> Iterator[str]:
        """Every text that stands in a function or a constant."""
        file, name = function
        for node in ast.walk(self.defined[file][name]):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def _key(node: ast.AST) -> ast.expr | None:
    """What is asked of the body: ``task.flag(key)``, ``body.get(key)`` or ``body[key]``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        asks = node.func.attr == "flag" or (node.func.attr == "get" and _is_body(node.func.value))
        return node.args[0] if asks else None
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and _is_body(node.value):
        return node.slice
    return None


def _is_body(node: ast.expr) -> bool:
    return ast.unparse(node) in {"body", "task.body"}


@cache
def _calls() -> Calls:
    return Calls(ENGINE)


@cache
def _fields_of(capability: str) -> frozenset[str]:
    """The fields of its request that a capability reads."""
    reached = _calls().reached((ENGINE / "capabilities" / f"{capability}.py", "run"))
    return frozenset(field for each in reached for field in _fields_in(each))


@cache
def _fields_in(function: Function) -> frozenset[str]:
    return frozenset(_calls().fields_read(function))


@cache
def _texts_of(capability: str) -> frozenset[str]:
    """Every text in what a capability does, also by means of another one."""
    reached = _calls().reached((ENGINE / "capabilities" / f"{capability}.py", "run"), through_others=True)
    return frozenset(text for each in reached for text in _calls().texts(each))


def is_read(capability: str, spec: FieldSpec) -> bool:
    """Whether the local engine does anything with a field of a capability.

    What the engine works on comes to it as paths, by the names of the fields, so for files their names have to stand
    somewhere in what it does.
    """
    if spec.path[0] in _fields_of(capability):
        return True
    return spec.kind in (FieldKind.FILE, FieldKind.FILES) and spec.name in _texts_of(capability)
