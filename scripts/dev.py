"""Everything that is done with this repository, in one command; `python3 scripts/dev.py --help` lists it.

It needs nothing but a Python: what else is used (Blender's module bpy among it) is set up in ``.venv`` on first use.
"""

import sys

if sys.version_info < (3, 11):
    sys.exit("dev.py needs Python 3.11 or 3.13; this is Python " + ".".join(map(str, sys.version_info[:2])) + ".")

from devtools.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
