"""Runs many jobs and looks at what grows. Run it through ``python3 scripts/dev.py soak``."""

from __future__ import annotations

import sys

from devtools.campaign.soak import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
