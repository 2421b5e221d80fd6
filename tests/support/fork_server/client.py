"""Stands for the process that the server forks: hands over its arguments and pipes, and ends as that one ends.

Started as ``python client.py ADDRESS SCRIPT ARGUMENT...``. Where this is killed, the server kills the other.
"""

from __future__ import annotations

# Hundreds of these are started, and json and socket would take as long to load as Python takes to start.
import _socket
import array
import marshal
import os
import sys

address, *arguments = sys.argv[1:]
request = {
    "arguments": arguments,
    "environment": dict(os.environ),
    "folder": os.getcwd(),  # noqa: PTH109 - pathlib takes as long to load as all of this
    "niceness": os.nice(0),
    "cores": sorted(os.sched_getaffinity(0)),
}
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
server.connect(address)
streams = array.array("i", (0, 1, 2))
server.sendmsg([marshal.dumps(request)], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
server.recv(100)  # its number
code = int(server.recv(100) or 1)
if code < 0:
    os.kill(os.getpid(), -code)
os._exit(code)
