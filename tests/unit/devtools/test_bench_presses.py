"""What is left of a run is cleared, whoever still writes there."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path

from devtools.bench.presses import remove_soon

_WRITES_SECONDS = 0.5


def test_a_folder_that_is_still_written_to_is_removed_when_that_ends(tmp_path: Path) -> None:
    """After a drive that hung, what Blender had started lives on for a moment; a benchmark failed by it."""
    folder = tmp_path / "run"
    (folder / "drive").mkdir(parents=True)

    def write() -> None:
        until = time.monotonic() + _WRITES_SECONDS
        for number in range(1_000_000):
            with suppress(OSError):  # taken away already
                (folder / "drive" / str(number)).write_text("")
            if time.monotonic() > until:
                return

    writer = threading.Thread(target=write)
    writer.start()
    remove_soon(folder)
    writer.join()
    assert not folder.exists()
