"""Stands for the process that the server forks: hands over its arguments and pipes, and ends as that one ends.

Started as ``python client.py ADDRESS SCRIPT ARGUMENT...``. Where this is killed, the server kills the other.
"""

from __future__ import annotations

import json
import os
import socket
import sys

address, *arguments = sys.argv[1:]
request = {
    "arguments": arguments,
    "environment": dict(os.environ),
    "folder": os.getcwd(),  # noqa: PTH109 - pathlib takes as long to load as all of this
    "niceness": os.nice(0),
    "cores": sorted(os.sched_getaffinity(0)),
}
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
    server.connect(address)
    socket.send_fds(server, [json.dumps(request).encode()], [0, 1, 2])
    answer = server.recv(100)
code = int(answer or 1)
if code < 0:
    os.kill(os.getpid(), -code)
os._exit(code)
