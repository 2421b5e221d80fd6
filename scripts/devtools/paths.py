"""Where things are in a clone."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
LOCKS = SCRIPTS / "locks"
VENVS = ROOT / ".venv"
BUILD = ROOT / "build"
DIST = ROOT / "dist"
MANIFEST = ROOT / "blender_manifest.toml"
WHEELS_LOCK = ROOT / "vendor" / "wheels.lock"
WHEELS = ROOT / "vendor" / "wheels"
PACKAGE = "asset_generation"
