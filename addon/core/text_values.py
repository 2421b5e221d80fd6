"""Values that are written as one text, in a Blender property or an option of the command line.

Several names or paths have a separator between them. One that holds the separator is written in double quotes, a quote
inside of it twice: ``"a;b.png"; c.png``. Maps and lists of the API are written as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_FORMS: dict[type, str] = {dict: 'a JSON object such as {"key": 1}', list: "a JSON list such as [1, 2]"}


def split(text: str, separator: str) -> list[str]:
    """The items of a text, without the blanks around them; empty ones are left out."""
    items = re.findall(rf'\s*(?:"((?:[^"]|"")*)"\s*|([^{separator}]*))(?:{separator}|$)', text)
    texts = (quoted.replace('""', '"') if quoted else plain.strip() for quoted, plain in items)
    return [item for item in texts if item]


def join(items: Iterable[str], separator: str) -> str:
    """The text of which :func:`split` makes ``items`` again."""
    return f"{separator} ".join(
        '"{}"'.format(item.replace('"', '""')) if separator in item or item.startswith('"') else item for item in items
    )


def from_json(text: str, kind: type[dict[str, Any]] | type[list[Any]]) -> Any:
    """The map or the list that is written as JSON.

    Raises:
        ValueError: It is something else.
    """
    import json  # here, as below: enabling the extension need not wait for it

    def no_number(name: str) -> None:
        raise ValueError(f"{name} is no number of JSON")

    try:
        value = json.loads(text, parse_constant=no_number)
    except ValueError as error:
        raise ValueError(f"{text!r} is not {_FORMS[kind]}: {error}") from None
    if not isinstance(value, kind):
        raise ValueError(f"{text!r} is not {_FORMS[kind]}")
    return value


def to_json(value: Any) -> str:
    """The text of which :func:`from_json` makes ``value`` again."""
    import json

    return json.dumps(value)
