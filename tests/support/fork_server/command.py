"""A command that starts background Blenders out of one that is loaded already: most of a short test is that start."""

from __future__ import annotations

import atexit
import functools
import marshal
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from asset_generation.vendor.background_blender import BlenderCommand
from asset_generation.vendor.background_blender.parent import KEPT_MEMORY

_HERE = Path(__file__).parent
_IS_POSSIBLE = sys.platform == "linux" and hasattr(os, "pidfd_open")
_LONGEST_ADDRESS = 100  # bytes; the system allows a few more


@functools.cache
def forked_python() -> BlenderCommand:
    """Like ``BlenderCommand.of_python()``, but bpy is loaded once for the whole run of pytest.

    Every start is still a process of its own in which nothing ran before, with the arguments, environment, pipes and
    exit code of any other. What they share is what Python and Blender settle while they start: the user's folder, one
    thread, and the seed of hashes, so two of them cannot show that a result depends on the order of a set. Where a
    process cannot be forked, it is the plain command.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "BLENDER_"))}
    # Read when a process starts, so what is forked has it from here.
    address = start_server("of_blender", environment=environment | KEPT_MEMORY)
    if address is None:
        return BlenderCommand.of_python()
    return BlenderCommand((sys.executable, "-I", "-S", str(_HERE / "client.py"), address))


def load_ahead(loader: Path, packages: Sequence[str], scripts: Sequence[Path]) -> BlenderCommand:
    """:func:`forked_python`, with packages there already when one of these scripts begins: a third of a short test is
    their import.

    Args:
        loader: A Python file that loads the packages. It starts no thread and changes nothing in Blender.
        packages: Their names, at the top level.
        scripts: Who finds them. Another script that loads packages of these names gets its own.

    Raises:
        RuntimeError: The file failed.
    """
    command = forked_python()
    if len(command.prefix) > len(BlenderCommand.of_python().prefix):
        load_in(command.prefix[-1], loader, packages, scripts)
    return command


def start_server(*arguments: str, environment: Mapping[str, str]) -> str | None:
    """Starts a fork server that ends with this process.

    Args:
        arguments: What it is given after its address.
        environment: Its variables; it gets a folder of its own for temporary files and for what is Blender's.

    Returns:
        Its address; None where no process can be forked.

    Raises:
        RuntimeError: It did not start.
    """
    folder = Path(tempfile.mkdtemp(prefix="assetgen-forks-"))
    address, log = str(folder / "socket"), folder / "log"
    if not _IS_POSSIBLE or len(os.fsencode(address)) > _LONGEST_ADDRESS:
        folder.rmdir()
        return None
    with log.open("wb") as errors:
        server = subprocess.Popen(
            [sys.executable, str(_HERE / "server.py"), address, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**environment, "BLENDER_USER_RESOURCES": str(folder / "user"), "TMPDIR": str(folder)},
        )
    atexit.register(_end, server, folder)
    assert server.stdout is not None
    if not server.stdout.readline():
        raise RuntimeError(f"the fork server did not start: {log.read_text(errors='replace')[-2000:]}")
    return address


def load_in(address: str, loader: Path, packages: Sequence[str], scripts: Sequence[Path]) -> None:
    """Has a fork server load packages for scripts; see :func:`load_ahead`."""
    request = {"loader": str(loader), "packages": packages, "scripts": [str(script) for script in scripts]}
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.connect(address)
        server.send(marshal.dumps(request))
        if not server.recv(100):
            raise RuntimeError(f"the fork server could not run {loader}")


def _end(server: subprocess.Popen[bytes], folder: Path) -> None:
    """Ends the server as the death of this process would: its standard input is closed."""
    server.communicate()
    shutil.rmtree(folder, ignore_errors=True)
