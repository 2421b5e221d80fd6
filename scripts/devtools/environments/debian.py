"""What a bare Debian or Ubuntu lacks, and its package names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

from ..paths import VENVS
from ..terminal import clean_environment, last_lines, run, say
from .one_at_a_time import one_at_a_time

LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libICE.so.6": "libice6",
    "libSM.so.6": "libsm6",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libXrender.so.1": "libxrender1",
    "libXxf86vm.so.1": "libxxf86vm1",
    "libgcc_s.so.1": "libgcc-s1",
    "libgomp.so.1": "libgomp1",
    "libstdc++.so.6": "libstdc++6",
    "libuuid.so.1": "libuuid1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
}
"""The system libraries that the bpy wheels of Blender 4.2 to 5.2 are linked with, and their Debian packages."""


def has_apt() -> bool:
    """Whether packages are installed with apt-get here."""
    return shutil.which("apt-get") is not None


def install(packages: Sequence[str]) -> bool:
    """Installs packages when that is possible without asking: with apt-get, as root. Returns whether it was done."""
    if not has_apt() or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    say(f"Installing what this system lacks: apt-get install {' '.join(packages)}")
    env = clean_environment(DEBIAN_FRONTEND="noninteractive")
    with one_at_a_time(VENVS / "apt.lock"):  # environments are made side by side
        # A fresh container knows no packages before the update; where the update fails, the known ones may still do.
        run(["apt-get", "update", "-qq"], env=env)
        done = run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], env=env)
    if done.returncode != 0:
        say(last_lines(done.stdout, 10))
    return done.returncode == 0


def advice(packages: Sequence[str]) -> str:
    """What to type to get these packages."""
    names = " ".join(packages)
    return (
        f"As root, run: apt-get install {names}" if has_apt() else f"Install what these Debian packages hold: {names}"
    )
