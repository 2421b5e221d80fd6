"""What the manifest says that the extension may do is what it does: no more, and no less."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from load_extension import ROOT

USES = {
    "network": r"\bonline_access\b",
    "files": r"\.write_bytes\(|\.open\(\"[wx]b\"\)",
    "clipboard": r"\bwindow_manager\.clipboard\b",
    "camera": r"\bVideoCapture\b|\bcv2\b",
    "microphone": r"\bsounddevice\b|\bpyaudio\b",
}
"""All permissions that Blender knows, and what code that needs them has in it."""


def shipped_sources() -> Iterator[str]:
    for folder in ("addon", "vendor"):
        for path in (ROOT / folder).rglob("*.py"):
            yield path.read_text(encoding="utf-8")


@pytest.mark.parametrize("permission", USES)
def test_a_permission_is_asked_for_where_it_is_used(permission: str) -> None:
    reasons = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))["permissions"]
    assert reasons.keys() <= USES.keys()
    is_used = any(re.search(USES[permission], source) for source in shipped_sources())
    assert (permission in reasons) == is_used
    if is_used:
        assert 0 < len(reasons[permission]) <= 64, "Blender takes no longer reason"
        assert reasons[permission][-1].isalnum(), "nor one that ends with a full stop"
