"""Every text that can reach the user, found in the sources: what a catalogue of translations has to have.

A text that is put together becomes a template, with a place for whatever changes, named after the expression. Whether a
string is meant for people is told by its form (words with a space between them, or one word with a large first letter)
and by where it stands; what is for programs only and looks like words stands in :data:`NO_TEXTS`.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

SHOWN = (
    *("addon/bridge", "addon/core", "addon/ops", "addon/preferences.py", "addon/props", "addon/ui"),
    *("vendor/assetgen/contract/constraints.py", "vendor/assetgen/contract/references.py"),
)
"""Whose strings are shown."""

RAISED = (
    "vendor/assetgen",
    "vendor/assetgen_local/api",
    "vendor/assetgen_local/backend.py",
    "vendor/assetgen_local/background",
    "vendor/assetgen_local/engine",
    "vendor/assetgen_local/rules",
)
"""Whose errors are shown; of what else they have, only what their declarations say, which is generated into
``addon/props``.
"""

SUGGESTIONS = ("vendor/assetgen_local/errors.py",)
"""Whose strings are shown as well, without a form of their own."""

PASSED_OVER = (
    "addon/core/batches",
    "addon/core/jobs/rows.py",
    "addon/bridge/objects/fingerprint.py",
    "addon/bridge/objects/image_content.py",
    "addon/bridge/results/naming.py",
    "vendor/assetgen/webhooks.py",
    "vendor/assetgen_local/api/faults",
    "vendor/assetgen_local/api/openapi",
)
"""What only programs and programmers read, or people on the command line, which is English."""

_MARKED = frozenset(
    {
        "text",
        "name",
        "title",
        "label",
        "description",
        "confirm_text",
        "placeholder",
        "empty",
        "summary",
        "image_action",
        "local",
        "message",
        "bl_label",
        "bl_description",
        "info",
    }
)
"""What is given by these names is shown, whatever its form."""

_PLAIN = frozenset(
    {
        "strip",
        "rstrip",
        "lstrip",
        "lower",
        "upper",
        "removeprefix",
        "removesuffix",
        "normalize",
        "replace",
        "split",
        "join",
        "get",
        "str",
        "int",
        "round",
        "ceil",
        "quote",
        "as_posix",
        "partition",
        "words_of",
    }
)
"""Calls that a place is not named after, but after what they are given."""

_PROGRAM_CALLS = re.compile(
    r"^(re\.|getattr|hasattr|setattr|cast|logger|log\.|_log|Path$|PurePath$|open$|isinstance)|"
    r"\.(execute|executescript|executemany|add_argument|startswith|endswith|encode|debug|info|warning|exception|"
    r"get_logger|strptime|strftime|removeprefix|removesuffix|split|keymaps\.new|new)$"
)
_PROGRAM_ERRORS = frozenset(
    {"LookupError", "TypeError", "KeyError", "AssertionError", "AttributeError", "RuntimeError"}
)
_PROSE = re.compile(r"[A-Za-z0-9,;:.'\"\)] +[A-Za-z(]")
_TITLE = re.compile(r"[A-Z][a-z]+|[A-Z][a-z]+(?:\.\.\.)")
_PROGRAM = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE FROM|CREATE|PRAGMA|CASE WHEN)\b|AND \{|= \?|AS has_|^# |^\nimport "
)
_MOST_VARIANTS = 16


def messages(root: Path) -> dict[str, str]:
    """All texts, each with the file that has it first, from the root; in the order of the files."""
    found: dict[str, str] = {}
    for folders, kind in ((SHOWN, _Shown), (RAISED, _Raised), (SUGGESTIONS, _Shown)):
        for file in _files(root, folders):
            place = file.relative_to(root).as_posix()
            if place.startswith(PASSED_OVER) or (kind is _Raised and place in SUGGESTIONS):
                continue
            visitor = kind()
            visitor.visit(_tree(file))
            for text in visitor.texts:
                if text not in NO_TEXTS:
                    found.setdefault(text, place)
    return found | dict.fromkeys(ALSO, "")


def constants(root: Path) -> set[str]:
    """Every string in those sources, whatever it is for: a catalogue may have them all."""
    files = _files(root, [*SHOWN, *RAISED, *SUGGESTIONS])
    trees = map(_tree, files)
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)} - NO_TEXTS


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _files(root: Path, folders: Iterable[str]) -> Iterator[Path]:
    for folder in folders:
        path = root / folder
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


class _Shown(ast.NodeVisitor):
    """Collects the texts of a module of the extension."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._marked = False

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # docstrings
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func)
        if _PROGRAM_CALLS.search(name.partition("(")[0]) or name.startswith("logger("):
            return
        self._visit(node.func, marked=False)
        for argument in node.args:
            self._visit(argument, marked=False)
        for keyword in node.keywords:
            self._visit(keyword.value, marked=keyword.arg in _MARKED)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        self._visit(node.value, marked=any(name in _MARKED for name in names))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if isinstance(node.annotation, ast.Call):  # a property of Blender's
            self._visit(node.annotation, marked=False)
        if node.value is not None:
            self._visit(node.value, marked=False)

    def visit_Raise(self, node: ast.Raise) -> None:
        if isinstance(node.exc, ast.Call) and ast.unparse(node.exc.func) in _PROGRAM_ERRORS:
            return
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for default in [*node.args.defaults, *node.args.kw_defaults, *node.body]:
            if default is not None:
                self._visit(default, marked=False)

    def visit_Dict(self, node: ast.Dict) -> None:
        for value in node.values:
            self._visit(value, marked=False)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self._visit(node.value, marked=False)

    def visit_Compare(self, node: ast.Compare) -> None:
        return

    def visit_Constant(self, node: ast.Constant) -> None:
        self._take(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._take(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if not self._take(node):
            self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        for branch in (node.body, node.orelse):
            self._visit(branch, marked=self._marked)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for value in node.values:
            self._visit(value, marked=self._marked)

    def _visit(self, node: ast.AST, *, marked: bool) -> None:
        before, self._marked = self._marked, marked
        self.visit(node)
        self._marked = before

    def _take(self, node: ast.expr) -> bool:
        """Keeps the texts that an expression can be, and those inside of it; whether it is a text at all."""
        variants = _variants(node)
        if variants is None:
            return False
        self.texts += [text.strip(" ") for text in variants if _is_text(text, marked=self._marked)]
        for inner in ast.walk(node):
            if isinstance(inner, ast.FormattedValue) and not isinstance(inner.value, ast.Name | ast.Attribute):
                self._visit(inner.value, marked=False)
        return True


class _Raised(_Shown):
    """Collects the texts of the errors that a module raises."""

    def __init__(self) -> None:
        super().__init__()
        self._raising = False

    def visit_Raise(self, node: ast.Raise) -> None:
        before, self._raising = self._raising, True
        super().visit_Raise(node)
        self._raising = before

    def visit_Call(self, node: ast.Call) -> None:
        before = self._raising
        self._raising = before or bool(re.search(r"(Error|Failed|Complaint|Refused)$", ast.unparse(node.func)))
        super().visit_Call(node)
        self._raising = before

    def _take(self, node: ast.expr) -> bool:
        return super()._take(node) if self._raising else _variants(node) is not None


def _is_text(text: str, *, marked: bool) -> bool:
    """Whether a string, or a template, is words for people."""
    literal = re.sub(r"\{[a-z_][a-z_0-9]*\}", "0", text)
    if not re.search(r"[A-Za-z]{2}", literal) or _PROGRAM.search(text) or "://" in text.split(" ")[0]:
        return False
    if marked:
        return bool(re.search(r"[A-Z]|\s", literal))
    if literal != text:
        return bool(re.search(r"(^|[ (])[A-Za-z]{2,}([ ,.:;)?]|$)", literal)) or bool(re.search(r"0 [a-z]+\b", literal))
    return bool(_PROSE.search(text)) or bool(_TITLE.fullmatch(text))


def _variants(node: ast.expr) -> list[str] | None:
    """The strings that an expression can give, with places for what is not known; None where it is no string."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return _numbered([_part(part) for part in node.values])
    if isinstance(node, ast.IfExp):
        return _both(node.body, node.orelse)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _variants(node.left), _variants(node.right)
        if left is None and right is None:
            return None
        return _numbered([left or _inserted(node.left), right or _inserted(node.right)])
    return None


def _part(node: ast.expr) -> list[str]:
    """What a part of an f-string can be."""
    return _inserted(node.value if isinstance(node, ast.FormattedValue) else node)


def _both(first: ast.expr, second: ast.expr) -> list[str] | None:
    one, other = _variants(first), _variants(second)
    return None if one is None or other is None else [*one, *other]


def _inserted(node: ast.expr) -> list[str]:
    """What stands for an expression in a template."""
    known = _variants(node) if isinstance(node, ast.IfExp | ast.Constant) else None
    return known if known is not None else ["{" + _place(node) + "}"]


def _numbered(parts: list[list[str]]) -> list[str]:
    """The combinations of parts; places of one name are told apart by a number."""
    texts = []
    for combination in itertools.islice(itertools.product(*parts), _MOST_VARIANTS):
        seen: dict[str, int] = {}

        def numbered(match: re.Match[str], seen: dict[str, int] = seen) -> str:
            name = re.sub(r"\d+$", "", match.group(1))
            seen[name] = seen.get(name, 0) + 1
            return "{" + name + (str(seen[name]) if seen[name] > 1 else "") + "}"

        texts.append(re.sub(r"\{([a-z_][a-z_0-9]*)\}", numbered, "".join(combination)))
    return texts


def _place(node: ast.expr) -> str:
    """What a place is called: the last name in its expression, with that of what it belongs to."""
    match node:
        case ast.Name():
            return node.id.strip("_").lower()
        case ast.Attribute(value=ast.Name(id=owner)) if owner not in {"self", "cls"}:
            return f"{owner.strip('_')}_{node.attr}".lower()
        case ast.Attribute(value=ast.Attribute(attr=owner) | ast.Subscript(value=ast.Attribute(attr=owner))):
            return f"{owner.strip('_')}_{node.attr}".lower()
        case ast.Attribute():
            return node.attr.strip("_").lower()
        case ast.Subscript():
            return _place(node.value)
        case ast.Call(func=ast.Name(id="len"), args=[counted, *_]):
            return f"{_place(counted)}_count"
        case ast.Call(func=ast.Attribute() as function, args=arguments) if function.attr in _PLAIN:
            return _place(arguments[0] if function.attr in {"join", "ceil"} and arguments else function.value)
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _PLAIN:
            return _place(first)
        case ast.Call():
            return _place(node.func).removesuffix("_text")
        case ast.BinOp():
            return _place(node.left)
        case ast.BoolOp():
            return _place(node.values[0])
        case ast.IfExp():
            return _place(node.body)
        case _:
            return "value"


NO_TEXTS: frozenset[str] = frozenset(
    {
        "Refused",
        "[Action Stash]",
        "assetgen.{name}",
        "bpy.context.scene.{scene_settings_attribute}.{info_name}",
        "Bearer",
        "changed_at = ?, revision = revision + 1",
        "owner = '' AND removed_at = 0",
        "{job_columns}, plan",
        "asked for before the imports were waited for",
        "The runtime has not been started",
        "This result was not claimed by this process",
        "no file",
        "a red wooden chair",
        "oak planks",
        "a lighthouse",
        "assetgen.{info_name}",
    }
)
"""What looks like a text and is none: names of Blender's own data, prompts, parts of files."""

ALSO = (
    *("{seconds} s", "{hours} h", "{number} day", "{number} days", "{number} hour", "{number} hours"),
    *("{number} minute", "{number} minutes", "1 result", "1 byte", "{size} kB", "{size} MB", "{size} GB", "{size} TB"),
    *("Last 7 Days", "Last 30 Days", "used", "failed", "stopped", "done", "running", "queued", "success", "yes", "no"),
    *("nothing", "none", "{number} object", "{number} objects", "{number} hidden object", "{number} hidden objects"),
    *("{number} mesh", "{number} meshes", "{number} armature", "{number} armatures", "{number} material"),
    *("{number} materials", "{number} image", "{number} images", "{number} action", "{number} actions"),
    *("armature", "empty", "camera", "light", "curve", "curves", "lattice", "speaker", "volume", "font", "meta"),
    *("surface", "pointcloud", "biped", "quadruped", "local", "3d_enhance", "allowed", "given"),
    *("waits to be brought in", "waits for your decision", "still running", "not in the folder of results"),
    "not there any more",
    # Of the recipes that come along.
    *("Game Asset", "Character", "Level of Detail", "Level Of Detail", "Print"),
    *("Few faces with the look baked onto them, as GLB and FBX", "A skeleton, and an FBX for each motion"),
    *("A flat underside and the wanted scale, as STL and 3MF", "The same model with ever fewer faces"),
)
"""What is for people and does not look so: single words, and numbers with their units."""
