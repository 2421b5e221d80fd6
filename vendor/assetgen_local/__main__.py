"""Starts the local engine as a process of its own: ``python vendor/assetgen_local/__main__.py --data DIR``.

Works under ``python -I`` as well. The packages beside this one are reached by relative imports, so the folder that
holds them all becomes a package here, under a name that nothing else has.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_PACKAGE = "_assetgen_vendor"


def _load_vendor() -> None:
    folder = _HERE.parent
    spec = importlib.util.spec_from_file_location(
        _PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[_PACKAGE] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    # Python puts this folder first, where our module names would hide others of the same name.
    sys.path[:] = [entry for entry in sys.path if not entry or Path(entry).resolve() != _HERE]
    _load_vendor()
    importlib.import_module(f"{_PACKAGE}.{_HERE.name}.host.process").main()
