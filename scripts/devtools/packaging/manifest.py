"""The list of wheels in ``blender_manifest.toml``: written from ``vendor/wheels.lock``, between two markers."""

from __future__ import annotations

from ..paths import MANIFEST, WHEELS_LOCK
from ..terminal import Trouble
from .wheel_lock import Wheel, read_wheels

BEGIN = "# wheels: begin (written by `python3 scripts/dev.py lock` from vendor/wheels.lock)"
END = "# wheels: end"


def wheel_list(wheels: list[Wheel]) -> str:
    """The lines of the manifest for these wheels."""
    files = sorted(wheel.filename for wheel in wheels)
    return "\n".join(["wheels = [", *(f'  "./vendor/wheels/{name}",' for name in files), "]"])


def with_wheel_list(text: str, wheels: list[Wheel]) -> str:
    """The manifest's text with its list of wheels replaced.

    Raises:
        Trouble: The markers are not there.
    """
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise Trouble(f"{MANIFEST.name} has lost the comments around its list of wheels:\n    {BEGIN}\n    {END}")
    return f"{head}{BEGIN}\n{wheel_list(wheels)}\n{END}{tail}"


def write_wheel_list() -> bool:
    """Brings the manifest in line with the lock. Returns whether it had to be changed."""
    text = MANIFEST.read_text(encoding="utf-8")
    current = with_wheel_list(text, read_wheels(WHEELS_LOCK))
    if current != text:
        MANIFEST.write_text(current, encoding="utf-8", newline="\n")
    return current != text


def is_current() -> bool:
    """Whether the manifest lists what the lock says."""
    text = MANIFEST.read_text(encoding="utf-8")
    return with_wheel_list(text, read_wheels(WHEELS_LOCK)) == text
