from __future__ import annotations

import ntpath
import posixpath

import pytest
from asset_generation.addon.core.stages.own_files.paths import last_name, leads_outside
from hypothesis import given
from hypothesis import strategies as st

OUTSIDE = [
    "/etc/passwd",
    "\\\\host\\share\\a.png",
    "//host/share/a.png",
    "\\a.png",
    "C:\\a.png",
    "c:a.png",
    "../a.png",
    "..\\a.png",
    "a/../../b.png",
    "a\\..\\..\\b.png",
    "./../a.png",
    " /a.png",
    "http://host.example/a.png",
    "https:/host.example/a.png",
    "file:///etc/passwd",
    "smb:\\\\host\\a.png",
    '`"${A}"`',
    "a.png\0",
    "..",
    ".. /a.png",
]
INSIDE = [
    "a.png",
    "./a.png",
    "textures/a.png",
    "textures\\a.png",
    "a/../b.png",
    "",
    "...",
    "a b.png",
    "..a.png",
    "Model::Cube",
]
PARTS = st.sampled_from(["..", ".", "a", "b.png", "", " ", "C:", "c::d", "host", "http:", "...", "~"])
PATHS = st.lists(st.tuples(PARTS, st.sampled_from(["/", "\\", "//", ""])), max_size=6).map(
    lambda parts: "".join(part for pair in parts for part in pair)
)


@pytest.mark.parametrize("path", OUTSIDE)
def test_paths_that_lead_outside(path: str) -> None:
    assert leads_outside(path)


@pytest.mark.parametrize("path", INSIDE)
def test_paths_that_do_not(path: str) -> None:
    assert not leads_outside(path)


def test_a_file_further_below_may_look_up_as_far() -> None:
    assert not leads_outside("../textures/a.png", 1)
    assert leads_outside("../../a.png", 1)


@given(st.one_of(PATHS, st.text(max_size=30)), st.integers(0, 3))
def test_no_system_goes_elsewhere_with_what_is_let_through(path: str, depth: int) -> None:
    if leads_outside(path, depth):
        return
    for system, root in ((posixpath, "/root/own"), (ntpath, "C:\\root\\own")):
        folder = system.join(root, *["sub"] * depth)
        whole = system.normpath(system.join(folder, path))
        assert whole == root or whole.startswith(root + system.sep), whole


@given(st.one_of(PATHS, st.text(max_size=30), st.sampled_from(OUTSIDE)))
def test_a_last_name_is_inside_on_every_system(path: str) -> None:
    name = last_name(path)
    assert not leads_outside(name)
    assert posixpath.basename(name) == ntpath.basename(name) == name
