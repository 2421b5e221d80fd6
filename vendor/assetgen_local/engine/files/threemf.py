"""3MF files, read and written by hand because Blender cannot: a zip with the meshes as XML. +Z up on both sides.

The core specification is covered: meshes, components, build items with transforms, and units; objects may be in parts
of their own, as slicers write them. What is written is in metres, so a model comes back in the size that it had.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ..errors import EngineError
from ..mesh.build import new_object
from ..mesh.measure import triangle_corners, world_coordinates

_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PATH = "{http://schemas.microsoft.com/3dmanufacturing/production/2015/06}path"
_METRES = {"micron": 1e-6, "millimeter": 1e-3, "centimeter": 1e-2, "inch": 0.0254, "foot": 0.3048, "meter": 1.0}
_MAX_DEPTH = 16
_CONTENT_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
)
_RELATIONSHIPS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Target="/3D/3dmodel.model" Id="rel0" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)


_Key = tuple[str, str]  # of an object: the part of the file that it is in, and its number there


@dataclass(slots=True)
class _Resource:
    """An object of the file: a mesh, or other objects put together."""

    name: str
    vertices: NDArray[np.float64]
    triangles: NDArray[np.int32]
    components: list[tuple[_Key, Matrix]]


def read(path: Path) -> None:
    """Adds the file's build items to the scene, scaled to metres.

    Raises:
        EngineError: It is broken or holds no mesh.
    """
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith(".model")]
        try:
            # Python's expat refuses entity bombs by itself, and never fetches external entities.
            roots = {f"/{name}": ElementTree.fromstring(archive.read(name)) for name in names}
        except ElementTree.ParseError as error:
            raise EngineError(f"The 3MF file is broken: {error}.") from error
    main = next((name for name in roots if name.lower().endswith("3dmodel.model")), f"/{names[0]}")
    unit = _METRES.get(roots[main].get("unit", "millimeter"), 1e-3)
    objects = [(name, element) for name, root in roots.items() for element in root.iter(f"{{{_CORE}}}object")]
    resources = {(name, element.get("id", "")): _resource(name, element) for name, element in objects}
    items = [_reference(main, item) for item in roots[main].iter(f"{{{_CORE}}}item")]
    for key, matrix in items or [(key, Matrix()) for key in resources]:
        for resource, placed in _meshes_of(resources, key, Matrix.Scale(unit, 4) @ matrix, 0):
            _add(resource, placed)


def _resource(part: str, element: ElementTree.Element) -> _Resource:
    vertices = [[float(v.get(axis, 0)) for axis in "xyz"] for v in element.iter(f"{{{_CORE}}}vertex")]
    triangles = [[int(t.get(corner, 0)) for corner in ("v1", "v2", "v3")] for t in element.iter(f"{{{_CORE}}}triangle")]
    corners = np.array(triangles, np.int32).reshape(-1, 3)
    if corners.size and (corners.min() < 0 or corners.max() >= len(vertices)):
        raise EngineError("The 3MF file is broken: a triangle names a point that is not there.")
    components = [_reference(part, child) for child in element.iter(f"{{{_CORE}}}component")]
    return _Resource(element.get("name") or "model", np.reshape(vertices, (-1, 3)), corners, components)


def _reference(part: str, element: ElementTree.Element) -> tuple[_Key, Matrix]:
    """The object that an element of a part names, in the same one unless it says otherwise, and where that goes."""
    return (element.get(_PATH, part), element.get("objectid", "")), _matrix(element.get("transform"))


def _matrix(text: str | None) -> Matrix:
    """The file's 4×3 row-vector matrix as Blender's column-vector one."""
    if not text:
        return Matrix()
    numbers = [float(number) for number in text.split()]
    if len(numbers) != 12:
        raise EngineError("The 3MF file is broken: a transform does not have twelve numbers.")
    return Matrix([*np.reshape(numbers, (4, 3)).T.tolist(), [0, 0, 0, 1]])


def _meshes_of(
    resources: dict[_Key, _Resource], key: _Key, matrix: Matrix, depth: int
) -> Iterator[tuple[_Resource, Matrix]]:
    if key not in resources or depth > _MAX_DEPTH:
        raise EngineError("The 3MF file is broken: it refers to an object that is not there, or to itself.")
    resource = resources[key]
    if len(resource.triangles):
        yield resource, matrix
    for child, placed in resource.components:
        yield from _meshes_of(resources, child, matrix @ placed, depth + 1)


def _add(resource: _Resource, matrix: Matrix) -> None:
    mesh = new_object(resource.name, resource.vertices, resource.triangles, smooth=False).data
    mesh.transform(matrix)
    if matrix.is_negative:
        mesh.flip_normals()
    mesh.update()


def write(path: Path, objects: Sequence[Any]) -> None:
    """Writes the objects as triangles in world space, one 3MF object each."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, text in (
            ("[Content_Types].xml", _CONTENT_TYPES),
            ("_rels/.rels", _RELATIONSHIPS),
            ("3D/3dmodel.model", "".join(_model(objects))),
        ):
            # Without the time of writing: the same input gives the same bytes.
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)


def _model(objects: Sequence[Any]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<model unit="meter" xml:lang="en-US" xmlns="{_CORE}"><resources>\n'
    for number, scene_object in enumerate(objects, 1):
        corners = triangle_corners(scene_object.data)
        if scene_object.matrix_world.is_negative:
            corners = corners[:, ::-1]
        name = escape("".join(character for character in scene_object.name if character >= " "), {'"': "&quot;"})
        yield f'<object id="{number}" type="model" name="{name}"><mesh><vertices>\n'
        yield "".join(f'<vertex x="{x:.7g}" y="{y:.7g}" z="{z:.7g}"/>\n' for x, y, z in world_coordinates(scene_object))
        yield "</vertices><triangles>\n"
        yield "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>\n' for a, b, c in corners)
        yield "</triangles></mesh></object>\n"
    yield "</resources><build>\n"
    yield "".join(f'<item objectid="{number}"/>\n' for number in range(1, len(objects) + 1))
    yield "</build></model>\n"
