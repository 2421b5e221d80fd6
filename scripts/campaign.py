"""Plays many runs in which everything goes wrong. Run it through ``python3 scripts/dev.py campaign``."""

from __future__ import annotations

import sys

from devtools.campaign.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
