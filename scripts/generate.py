"""Writes what is generated from the contract's declarations; ``--check`` only tells whether it is up to date.

Run it through ``scripts/dev.py generate``: it needs pydantic and ruff.
"""

from __future__ import annotations

import gc
import subprocess
import sys

from load_extension import ROOT, load_package

load_package()

from generation import catalogues, coverage, events, properties, recipe_schema, reference


def main() -> int:
    """Writes, or with ``--check`` compares; returns the exit code."""
    gc.disable()  # the syntax trees of all sources are kept to the end; most of a run was looking for garbage in them
    check = "--check" in sys.argv[1:]
    stale = []
    for path, text in generated().items():
        target = ROOT / path
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        stale.append(path)
        if not check:
            target.write_text(text, encoding="utf-8", newline="\n")
    for path in stale:
        print(f"{path} is out of date: run scripts/dev.py generate" if check else f"wrote {path}")
    return 1 if check and stale else 0


def generated() -> dict[str, str]:
    """All generated files: path from the root, and content."""
    return {
        "addon/props/task_properties.py": _formatted(properties.task_properties()),
        "docs/reference.md": reference.reference(),
        "docs/coverage.md": coverage.coverage(),
        "docs/recipe.schema.json": recipe_schema.schema(),
        "docs/events.schema.json": events.schema(),
        **catalogues.catalogues(ROOT),
    }


def _formatted(source: str) -> str:
    """The source in the project's format, so that the generated file passes the same checks as all others."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "task_properties.py", "-"]
    done = subprocess.run(
        command, input=source, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, check=False
    )
    if done.returncode:
        raise RuntimeError(f"ruff could not format the generated source:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
