"""Started by path inside a background Blender: the engine as ``engine/main.py`` is, with few pixels in what it makes.

Nearly all that a task takes are the pixels of its textures and pictures, and few tests look at single ones. Takes and
answers what ``main.py`` does.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

_VENDOR = Path(__file__).resolve().parents[3] / "vendor"
_MAIN = _VENDOR / "assetgen_local" / "engine" / "main.py"
_PACKAGE = "assetgen_engine"

_SMALLER: dict[str, dict[str, Any]] = {
    "capabilities.convert": {"_TEXTURE_SIZE": 512},
    "capabilities.image_to_multiview": {"_SIZE": 256, "_TEXTURE": 256},
    "capabilities.stylize": {"_SAMPLES": 512, "_MANY_SAMPLES": 1024},
    "capabilities.text_to_image": {"_LARGEST_RENDER": 192},
    "capabilities.texture": {"_DETAIL_SIZE": 512},
    "materials.projection": {"_WORKING_SIZE": 256},
    "materials.shading": {"_WORKING_SIZE": 256},
    "materials.transfer": {"_SIZES": (256, 512)},
    "mesh.collapse": {"_SAMPLES": 7_500},
    "output.film": {"_SIZE": 64, "_TURN_SIZE": 64, "_SAMPLES": 1},
    "styles.printables": {"_STEPS": 80, "_SAMPLES": 512, "_MOST_FACES": 8_000, "_TEXTURE": 256},
}
"""Module → its numbers and what they are here: a quarter of the pixels along a side, half where shapes come of them."""

LESS = 4
"""How many times fewer pixels along a side the textures of every quality have here."""

_real_sizes: dict[str, int] = {}
"""What the engine's textures have, kept from the first time: a process works on several tasks."""

_PICTURE = 128
"""Pixels along a side of a preview and of a view."""


def make_small() -> None:
    """Changes the numbers of the modules that are loaded.

    Raises:
        AttributeError: There is no such number; the engine has another name for it.
    """
    for name, numbers in _SMALLER.items():
        module = sys.modules.get(f"{_PACKAGE}.{name}")
        for number, value in numbers.items() if module is not None else ():
            getattr(module, number)
            setattr(module, number, value)
    materials = sys.modules.get(f"{_PACKAGE}.materials.pbr_material")
    if materials is not None:  # made of the real ones, so that tests in small see when those are others
        _real_sizes.update(_real_sizes or materials.SIZES)
        materials.SIZES = {quality: pixels // LESS for quality, pixels in _real_sizes.items()}
    sys.modules[f"{_PACKAGE}.output.preview"].render.__kwdefaults__["size"] = _PICTURE


def engine_main() -> Any:
    """The module ``engine/main.py``, with the engine's package loaded."""
    spec = importlib.util.spec_from_file_location("engine_main", _MAIN)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module._load_package()
    return module


if __name__ == "__main__":
    sys.path[0] = str(_VENDOR)
    engine = engine_main()

    def work(request: dict[str, Any], report: Any) -> dict[str, Any]:
        """What the engine does, in small."""
        if (_MAIN.parent / "capabilities" / f"{request['type']}.py").is_file():
            importlib.import_module(f"{_PACKAGE}.capabilities.{request['type']}")
        make_small()
        answer: dict[str, Any] = engine.work(request, report)
        return answer

    from background_blender.child import main

    main(work, warm_up=lambda: importlib.import_module(f"{_PACKAGE}.output.answer_files"))
