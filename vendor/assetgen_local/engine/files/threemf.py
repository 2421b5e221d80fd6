"""3MF files, read and written by hand because Blender cannot: a zip with the meshes as XML. +Z up on both sides.

The core specification is covered: meshes, components, build items with transforms, units, and plain colours of base
materials. What is written is in metres, so a model comes back in the size that it had.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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


@dataclass(slots=True)
class _Resource:
    """An object of the file: a mesh, or other objects put together."""

    name: str
    vertices: NDArray[np.float64]
    triangles: NDArray[np.int32]
    components: list[tuple[str, Matrix]] = field(default_factory=list)


def read(path: Path) -> None:
    """Adds the file's build items to the scene, scaled to metres.

    Raises:
        EngineError: It is broken or holds no mesh.
    """
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith(".model")]
        main = next((name for name in names if name.lower().endswith("3dmodel.model")), names[0])
        with archive.open(main) as stream:
            try:
                # Python's expat refuses entity bombs by itself, and never fetches external entities.
                root = ElementTree.parse(stream).getroot()
            except ElementTree.ParseError as error:
                raise EngineError(f"The 3MF file is broken: {error}.") from error
    unit = _METRES.get(root.get("unit", "millimeter"), 1e-3)
    resources = {element.get("id", ""): _resource(element) for element in root.iter(f"{{{_CORE}}}object")}
    items = [(item.get("objectid", ""), _matrix(item.get("transform"))) for item in root.iter(f"{{{_CORE}}}item")]
    for key, matrix in items or [(key, Matrix()) for key in resources]:
        for resource, placed in _meshes_of(resources, key, Matrix.Scale(unit, 4) @ matrix, 0):
            _add(resource, placed)


def _resource(element: ElementTree.Element) -> _Resource:
    vertices = [[float(v.get(axis, 0)) for axis in "xyz"] for v in element.iter(f"{{{_CORE}}}vertex")]
    triangles = [[int(t.get(corner, 0)) for corner in ("v1", "v2", "v3")] for t in element.iter(f"{{{_CORE}}}triangle")]
    corners = np.array(triangles, np.int32).reshape(-1, 3)
    if corners.size and (corners.min() < 0 or corners.max() >= len(vertices)):
        raise EngineError("The 3MF file is broken: a triangle names a point that is not there.")
    return _Resource(
        element.get("name") or "model",
        np.array(vertices, np.float64).reshape(-1, 3),
        corners,
        [(part.get("objectid", ""), _matrix(part.get("transform"))) for part in element.iter(f"{{{_CORE}}}component")],
    )


def _matrix(text: str | None) -> Matrix:
    """The file's 4×3 row-vector matrix as Blender's column-vector one."""
    if not text:
        return Matrix()
    numbers = [float(number) for number in text.split()]
    if len(numbers) != 12:
        raise EngineError("The 3MF file is broken: a transform does not have twelve numbers.")
    return Matrix([*np.reshape(numbers, (4, 3)).T.tolist(), [0, 0, 0, 1]])


def _meshes_of(
    resources: dict[str, _Resource], key: str, matrix: Matrix, depth: int
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
