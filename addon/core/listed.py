"""Several names or paths in one text, as a Blender property or an option of the command line holds them.

One that holds the separator is written in double quotes, a quote inside of it twice: ``"a;b.png"; c.png``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


def split(text: str, separator: str) -> list[str]:
    """The items of a text, without the blanks around them; empty ones are left out."""
    items = re.findall(rf'\s*(?:"((?:[^"]|"")*)"\s*|([^{separator}]*))(?:{separator}|$)', text)
    found = (quoted.replace('""', '"') if quoted else plain.strip() for quoted, plain in items)
    return [item for item in found if item]


def join(items: Iterable[str], separator: str) -> str:
    """The text of which :func:`split` makes ``items`` again."""
    return f"{separator} ".join(
        '"{}"'.format(item.replace('"', '""')) if separator in item or item.startswith('"') else item for item in items
    )
