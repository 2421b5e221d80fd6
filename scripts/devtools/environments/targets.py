"""The machines and Pythons that packages are locked for, and the names that pip has for them."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Platform:
    """One kind of machine.

    Attributes:
        name: Blender's name for it, as in the manifest.
        pip_tags: What pip calls it; wheels of any of these run there. Blender itself looks at the architecture only.
        markers: Values of the variables of environment markers (``sys_platform == "win32"``) on it.
    """

    name: str
    pip_tags: tuple[str, ...]
    markers: tuple[tuple[str, str], ...]

    @property
    def sys_platform(self) -> str:
        """The value of ``sys.platform`` there."""
        return dict(self.markers)["sys_platform"]


def _markers(os_name: str, sys_platform: str, system: str, machine: str) -> tuple[tuple[str, str], ...]:
    return (
        ("os_name", os_name),
        ("sys_platform", sys_platform),
        ("platform_system", system),
        ("platform_machine", machine),
        ("implementation_name", "cpython"),
        ("platform_python_implementation", "CPython"),
    )


PLATFORMS = {
    entry.name: entry
    for entry in (
        # glibc 2.28 is what Blender itself asks for.
        Platform(
            "linux-x64",
            ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
            _markers("posix", "linux", "Linux", "x86_64"),
        ),
        Platform("windows-x64", ("win_amd64",), _markers("nt", "win32", "Windows", "AMD64")),
        # The oldest systems that Blender 4.2 runs on would be macOS 11.2 and 10.15; bpy's wheels ask for 12.
        Platform("macos-arm64", ("macosx_12_0_arm64",), _markers("posix", "darwin", "Darwin", "arm64")),
        Platform("macos-x64", ("macosx_12_0_x86_64",), _markers("posix", "darwin", "Darwin", "x86_64")),
    )
}


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """A platform and a Python on it, like ``Target("linux-x64", "3.11")``."""

    platform: str
    python: str

    def __str__(self) -> str:
        return f"{self.platform}, Python {self.python}"

    def pip_options(self) -> list[str]:
        """The options that make pip choose wheels for this target rather than for the machine that it runs on."""
        tags = [option for tag in PLATFORMS[self.platform].pip_tags for option in ("--platform", tag)]
        return ["--only-binary=:all:", "--implementation", "cp", "--python-version", self.python, *tags]

    def marker_values(self) -> dict[str, str]:
        """The variables of environment markers on this target."""
        version = {"python_version": self.python, "python_full_version": f"{self.python}.0"}
        return {**dict(PLATFORMS[self.platform].markers), **version, "platform_release": "", "extra": ""}


SHIPPED = tuple(
    Target(name, python)
    for name in PLATFORMS
    for python in (("3.11", "3.13", "3.14") if name == "linux-x64" else ("3.11", "3.13"))
)
"""What the extension's wheels are for: the Pythons of Blender's own builds, and of distributions' builds on Linux."""


def this_platform() -> str:
    """Blender's name for the machine that runs this, or "" when nothing is locked for it."""
    machine = {"amd64": "x64", "x86_64": "x64", "arm64": "arm64", "aarch64": "arm64"}.get(
        platform.machine().lower(), ""
    )
    system = {"win32": "windows", "darwin": "macos", "linux": "linux"}.get(sys.platform, "")
    name = f"{system}-{machine}"
    return name if name in PLATFORMS else ""
