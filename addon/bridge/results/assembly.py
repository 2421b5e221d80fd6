"""Reads a result into the file before it is placed, a large one piece by piece: some ms each time the pump comes by.

Blender reads a mesh of a million triangles in one go, and most of that time its memory is on its way from the system.
So the objects come first, with meshes that are nearly empty (:mod:`...headless.mesh_slices` made them), and then one
array after the other; what is small is one piece. Nothing of it is in a scene until :func:`take` hands it to what
places it, in the step of undo that the result has, and at another time than the last piece. Whatever comes in between,
an undo above all, ends it, and the result is read when it is placed. So does saving: no file of a user's shall have
half a result in it.

Where all meshes are made, Blender has only a small rest to read. That has it build the graph of the scene anew, which
it does anyway when the result is placed, so the rest is read at that time.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
from bpy.app.handlers import persistent

from ...core.log import logger
from ...headless.mesh_slices import ACTIVE_KEY, EMPTY_KEY, FORMAT, INDEX, LAYOUT, WEIGHTS, slices_of
from . import datablocks, made_objects, mesh_arrays
from .made_objects import STARTS, Made

if TYPE_CHECKING:
    from concurrent.futures import Future
    from io import FileIO

STEP_SECONDS = 0.003  # another piece is begun only within this time; the largest ones take several times as long
_MOST_OBJECTS = 50
"""What has more of them, and is not large, is read when it is placed: that takes a multiple of reading it anyway."""
_AT_ONCE = 4096  # vertices that get a weight of 0 at once: Blender takes them one by one
_WEIGHTS = "asset_generation_weights"


class Table(NamedTuple):
    """What a worker has read.

    Attributes:
        meshes: The description of the emptied meshes.
        arrays: What each of them lacks.
        made: The objects that are made.
        is_rest: Whether Blender has nothing to read beside these but empties and materials.
    """

    meshes: list[dict[str, Any]]
    arrays: list[dict[str, Any]]
    made: Made
    is_rest: bool


class _NotAhead(LookupError):
    """It is read when it is placed."""


class Assembly:
    """A result on its way into the file. For the main thread only.

    Args:
        blend: The prepared file.
        table: What a worker reads of it; None in the end where it is one piece.
        titles: See :func:`.naming.likely_titles`.
    """

    def __init__(self, blend: Path, table: Future[Table | None], titles: Callable[[str], Any]) -> None:
        self.blend = blend
        self.is_over = False
        self._table = table
        self._titles = titles
        self._collections: set[int] = set()
        self._uids: set[int] = set()
        self._steps: Iterator[None] | None = None
        self._making: made_objects.Making | None = None
        self._loaded: datablocks.Loaded | None = None
        self._done = False

    @property
    def is_reading(self) -> bool:
        """Whether a worker still reads."""
        return not self._table.done()

    @property
    def uids(self) -> set[int]:
        """The session ids of the datablocks that it has brought into the file."""
        return self._uids

    def step(self) -> bool:
        """Does the next pieces, if any are left; False when nothing was read, so that it can be placed at once."""
        if self.is_over or self._done:
            return False
        try:
            if self._steps is None:
                self._steps = self._build(self._table.result())
            until = time.perf_counter() + STEP_SECONDS
            while time.perf_counter() < until:
                next(self._steps)
        except StopIteration:
            self._done = True
        except _NotAhead:
            self.end()
            return False
        except OSError as error:  # the file is gone or is none: what places the result says so
            logger(__name__).info("bringing in %s: %s", self.blend, error)
            self.end()
        except Exception:  # whatever it is: the result comes in all the same, in one piece
            logger(__name__).exception("bringing in %s piece by piece", self.blend)
            self.end()
        return True

    def take(self) -> list[bpy.types.Collection] | None:
        """The collections that hold the whole result; None when it did not come to that."""
        if not self._done or self.is_over:
            return None
        try:
            if self._making is not None:
                self._join(self._making)
        except (ReferenceError, OSError, RuntimeError, LookupError) as error:
            logger(__name__).info("joining %s: %s", self.blend, error)
            self.end()
            return None
        found = [item for item in bpy.data.collections if item.session_uid in self._collections]
        if len(found) != len(self._collections):
            self.end()
            return None
        self._forget()
        return found

    def end(self) -> None:
        """Gives it up: what has come is removed again."""
        if self.is_over:
            return
        uids = self._uids
        self._forget()
        bpy.data.batch_remove(datablocks.with_uids(uids))

    def interrupt(self) -> None:
        """The file is another one, was changed or is about to be saved: what has come may be gone or be there in an
        earlier state, or is not for the disk.
        """
        if not self.is_over and self._steps is not None:
            self.end()

    def _forget(self) -> None:
        self.is_over = True
        self._steps = self._making = None
        if _state.current is self:
            _state.current = None  # the arrays go with it
        for handlers in _interrupting():
            if _on_interruption in handlers:
                handlers.remove(_on_interruption)

    def _build(self, table: Table | None) -> Iterator[None]:
        for handlers in _interrupting():
            handlers.append(_on_interruption)
        if table is None or not table.is_rest:
            self._load(table)
        if table is None:
            return
        meshes = {mesh[INDEX]: mesh.session_uid for mesh in bpy.data.meshes if self._has_brought(mesh)}
        if sorted(meshes) != list(range(len(table.meshes))):
            raise LookupError("the meshes are not those that the table tells of")
        yield
        for index, description in enumerate(table.meshes):
            for _ in _fill(meshes[index], description, table.arrays[index]):
                yield
        if table.made.rows:
            self._making = made_objects.Making(table.made, self._titles)
            for item in self._making.steps():
                self._uids |= {item.session_uid, item.data.session_uid}
                yield

    def _load(self, table: Table | None) -> datablocks.Loaded:
        """Has Blender read what is not made.

        Raises:
            OSError: The file cannot be opened.
            RuntimeError: The same, as some Blenders say it.
            LookupError: It does not have what the table says.
        """
        known = datablocks.known_blocks()
        if table is None:
            loaded = datablocks.load_collections(self.blend, _MOST_OBJECTS)
        else:
            loaded = datablocks.load_collections(slices_of(self.blend)[0], materials=table.made.materials)
        if loaded.left:
            bpy.data.batch_remove(loaded.left)
        if not loaded.collections:
            raise _NotAhead
        self._loaded = loaded
        self._uids |= {block.session_uid for block in datablocks.added_blocks(known)}
        self._collections = {item.session_uid for item in loaded.collections}
        return loaded

    def _join(self, making: made_objects.Making) -> None:
        """Joins what is made with the rest."""
        loaded = self._loaded or self._load(self._table.result())
        parents = {item[INDEX]: item for item in bpy.data.objects if self._has_brought(item)}
        making.join(loaded, parents)
        for item in parents.values():
            del item[INDEX]

    def _has_brought(self, block: bpy.types.ID) -> bool:
        """Whether a datablock with a number is a part of this result."""
        return INDEX in block and block.session_uid in self._uids


def _fill(uid: int, description: dict[str, Any], arrays: dict[str, Any]) -> Iterator[None]:
    """Gives a mesh its arrays, one at a time; those that are in the file may be dropped then."""
    mesh = _mesh(uid)
    mesh.vertices.add(description["vertices"])
    yield
    mesh = _mesh(uid)
    mesh.edges.add(description["edges"])
    yield
    mesh = _mesh(uid)
    mesh.loops.add(description["corners"] - len(mesh.loops))
    yield
    for row in description["attributes"]:
        mesh_arrays.set_attribute(_mesh(uid), row, arrays.pop(row["name"]))
        yield
    for number, row in enumerate(description["groups"]):
        vertices, weights, zeros = arrays.pop(_group_name(number))
        _add_group(_mesh(uid), number, row, vertices, weights)
        yield
        for first in range(0, len(zeros), _AT_ONCE):
            group = _user_of(_mesh(uid)).vertex_groups[number]
            group.add(zeros[first : first + _AT_ONCE].tolist(), 0.0, "REPLACE")
            yield
    for number, row in enumerate(description["keys"]):
        _add_key(_mesh(uid), row, arrays.pop(_key_name(number)))
        yield
    mesh = _mesh(uid)
    if description["groups"]:
        _user_of(mesh).vertex_groups.active_index = description["active_group"]
    if description["keys"]:
        _end_keys(mesh, description["keys"])
    mesh_arrays.choose_layers(mesh, description)
    del mesh[INDEX]
    mesh.update()


def _add_group(mesh: bpy.types.Mesh, number: int, row: dict[str, Any], vertices: Any, weights: Any) -> None:
    """Gives a mesh the next one of its vertex groups.

    As an attribute its weights come in at once, and Blender makes a group of that twenty times as quickly as it takes
    them one by one.
    """
    import numpy as np

    item = _user_of(mesh)
    if len(vertices):
        values = np.zeros(len(mesh.vertices), dtype=np.float32)
        values[vertices] = weights
        attribute = mesh.attributes.new(_WEIGHTS, "FLOAT", "POINT")
        attribute.data.foreach_set("value", values)
        mesh.attributes.active = attribute
        with bpy.context.temp_override(object=item, active_object=item):
            bpy.ops.geometry.attribute_convert(mode="VERTEX_GROUP")
        item.vertex_groups[number].name = row["name"]
    else:
        item.vertex_groups.new(name=row["name"])
    if item.vertex_groups.find(row["name"]) != number or _WEIGHTS in mesh.attributes:
        raise LookupError("the vertex groups are not those that the table tells of")
    item.vertex_groups[number].lock_weight = row["lock"]


def _user_of(mesh: bpy.types.Mesh) -> bpy.types.Object:
    """One of the objects that show a mesh; which of them does not matter."""
    return next(item for item in bpy.data.objects if item.data == mesh)


def _add_key(mesh: bpy.types.Mesh, row: dict[str, Any], points: Any) -> None:
    """Gives a mesh the next one of its shape keys."""
    item = _user_of(mesh)
    key = item.shape_key_add(name=row["name"], from_mix=False)
    empty = mesh.shape_keys.key_blocks.get(EMPTY_KEY)
    if empty is not None:
        item.shape_key_remove(empty)
        key = mesh.shape_keys.key_blocks[0]
    key.points.foreach_set("co", points)
    for name, value in row["settings"].items():
        setattr(key, name, value)


def _end_keys(mesh: bpy.types.Mesh, rows: list[dict[str, Any]]) -> None:
    """Has the shape keys refer to each other and to their objects as they did."""
    keys = mesh.shape_keys.key_blocks
    if [key.name for key in keys] != [row["name"] for row in rows]:
        raise LookupError("the shape keys are not those that the table tells of")
    for key, row in zip(keys, rows, strict=True):
        if row["relative"] != 0:
            key.relative_key = keys[row["relative"]]
    for item in bpy.data.objects:
        if item.data == mesh and ACTIVE_KEY in item:
            item.active_shape_key_index = item.pop(ACTIVE_KEY)


def _mesh(uid: int) -> bpy.types.Mesh:
    """A mesh by its session id: what is held over ticks may be gone."""
    return next(mesh for mesh in bpy.data.meshes if mesh.session_uid == uid)


def read_table(blend: Path, blender: tuple[int, ...]) -> Table | None:
    """Reads what lies beside a .blend that this version of Blender prepared, and the arrays; None where there is none.
    For a worker thread.
    """
    table = slices_of(blend)[1]
    try:
        first, *others = table.read_text(encoding="utf-8").splitlines()
        facts = json.loads(first)
        state = blend.stat()
        is_ours = facts["format"] == FORMAT and tuple(facts["blender"]) == blender
        if not is_ours or (facts["bytes"], facts["written"]) != (state.st_size, state.st_mtime_ns):
            return None
        meshes = facts["meshes"]
        rows = list(map(json.loads, others))  # line by line: no other thread goes on while one text is read
        with blend.open("rb", buffering=0) as file:
            arrays = [{**_arrays(file, mesh), **_weights(blend, mesh["groups"])} for mesh in meshes]
            made = Made(rows, [_own_arrays(file, row.get("own")) for row in rows], facts["materials"])
        return Table(meshes, arrays, made, facts["is_rest"])
    except FileNotFoundError:
        return None
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:  # of another version, cut off, or not ours
        logger(__name__).warning("what lies beside %s is not usable: %s", blend, error)
        return None


def _own_arrays(file: FileIO, mesh: dict[str, Any] | None) -> dict[str, Any]:
    """The arrays of a mesh that is made; none where another object has it."""
    if mesh is None:
        return {}
    return {STARTS: _read(file, mesh["starts"], "i4", mesh["faces"] + 1), **_arrays(file, mesh)}


def _arrays(file: FileIO, mesh: dict[str, Any]) -> dict[str, Any]:
    import numpy as np

    sizes = {"POINT": mesh["vertices"], "EDGE": mesh["edges"], "FACE": mesh["faces"], "CORNER": mesh["corners"]}
    found = {}
    for row in mesh["attributes"]:
        _, kind, width = LAYOUT[row["type"]]
        count = sizes[row["domain"]] * width
        if "constant" in row:
            found[row["name"]] = np.full(count, row["constant"], dtype=kind)
        else:
            found[row["name"]] = _read(file, row["at"], kind, count)
    for number, row in enumerate(mesh["keys"]):
        found[_key_name(number)] = _read(file, row["at"], "f4", 3 * mesh["vertices"])
    return found


def _read(file: FileIO, at: int, kind: str, count: int) -> Any:
    """``count`` numbers from a place in a file.

    Raises:
        EOFError: There are not so many.
    """
    import numpy as np

    file.seek(at)
    values = np.fromfile(file, dtype=kind, count=count)
    if len(values) != count:
        raise EOFError(str(at))
    return values


def _weights(blend: Path, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The vertices, the weights and the vertices without a weight of each vertex group."""
    import numpy as np

    found = {}
    for number, row in enumerate(rows):
        at, arrays = row["at"], []
        for name, count in zip(WEIGHTS, row["counts"], strict=True):
            kind = "f4" if name == "weights" else "i4"
            arrays.append(np.fromfile(slices_of(blend)[2], dtype=kind, count=count, offset=at))
            if len(arrays[-1]) != count:
                raise EOFError(row["name"])
            at += 4 * count
        found[_group_name(number)] = tuple(arrays)
    return found


def _group_name(number: int) -> str:
    """What the weights of a vertex group are called among the arrays."""
    return f"group\n{number}"


def _key_name(number: int) -> str:
    """What the points of a shape key are called among the arrays; no attribute has a line break in its name."""
    return f"key\n{number}"


class _State:
    """The one that is on its way."""

    def __init__(self) -> None:
        self.current: Assembly | None = None


_state = _State()


def current() -> Assembly | None:
    """The one that is on its way or waits to be placed."""
    return _state.current


def begin(blend: Path, table: Future[Table | None], titles: Callable[[str], Any]) -> Assembly:
    """Begins with one; there is one at a time. See :class:`Assembly`."""
    stop()
    _state.current = Assembly(blend, table, titles)
    return _state.current


def uids_of_current() -> set[int]:
    """The session ids of what has come piece by piece and was not placed yet."""
    return set(_state.current.uids) if _state.current is not None else set()


def take(blend: Path) -> list[bpy.types.Collection] | None:
    """The collections that hold a result that has come piece by piece; None where none has."""
    coming = current()
    return coming.take() if coming is not None and coming.blend == blend else None


def stop() -> None:
    """Gives up the one that is on its way."""
    if _state.current is not None:
        _state.current.end()


def _interrupting() -> tuple[list[Callable[..., None]], ...]:
    """What Blender calls when one cannot go on."""
    handlers = bpy.app.handlers
    return handlers.undo_post, handlers.redo_post, handlers.save_pre


@persistent
def _on_interruption(*_arguments: object) -> None:
    if _state.current is not None:
        _state.current.interrupt()
