"""What the command line printed with ``--json``, held against docs/events.schema.json."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from functools import cache
from typing import Any

import jsonschema_rs
from load_extension import ROOT


def check_events(events: Iterable[dict[str, Any]]) -> None:
    """Makes sure that events are as documented, and have nothing beside that."""
    for event in events:
        validator = _strict()
        assert validator.is_valid(event), (
            f"{json.dumps(event)} is none of the forms in docs/events.schema.json: say in addon/cli/events.py what a "
            f"{event.get('event')!r} has, then run scripts/dev.py generate"
        )


@cache
def _strict() -> Any:
    # The schema lets later versions add fields; here, a field that it does not have was forgotten there.
    schema = copy.deepcopy(json.loads((ROOT / "docs" / "events.schema.json").read_text(encoding="utf-8")))
    for form in schema["$defs"].values():
        form["additionalProperties"] = False
    return jsonschema_rs.validator_for(schema)
