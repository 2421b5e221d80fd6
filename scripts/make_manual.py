"""Writes the documentation as pages for a browser into the folder that is named; ``scripts/dev.py build`` does it.

It needs the package markdown-it, which the project's environments have.
"""

from __future__ import annotations

import sys
from pathlib import Path

from generation import manual

if __name__ == "__main__":
    manual.write(Path(__file__).resolve().parents[1] / "docs", Path(sys.argv[1]))
