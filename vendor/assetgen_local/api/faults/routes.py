"""The routes under ``/_local/``, which exist only when faults are switched on. They need no key: tests use them."""

from __future__ import annotations

from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...errors import success
from ...store.webhook_outbox import WebhookOutbox
from ..bodies import read_json
from .fault import read_fault
from .injection import PREFIX, Faults

_MAX_FAULT_BYTES = 1024 * 1024
_MOST_DELIVERIES = 100


def fault_routes(faults: Faults, outbox: WebhookOutbox) -> list[Route]:
    """Arm faults, disarm them, read and forget the recorded requests, look into the deliveries of webhooks."""

    async def arm(request: Request) -> Response:
        faults.arm(read_fault(await read_json(request, _MAX_FAULT_BYTES)))
        return success({"armed": len(faults.armed)})

    async def disarm(_request: Request) -> Response:
        faults.clear()
        return success({})

    async def requests(_request: Request) -> Response:
        return success({"requests": [asdict(record) for record in faults.records]})

    async def forget(_request: Request) -> Response:
        faults.records.clear()
        return success({})

    async def deliveries(_request: Request) -> Response:
        return success({"deliveries": outbox.recent(_MOST_DELIVERIES)})

    return [
        Route(f"{PREFIX}faults", arm, methods=["POST"]),
        Route(f"{PREFIX}faults", disarm, methods=["DELETE"]),
        Route(f"{PREFIX}requests", requests, methods=["GET"]),
        Route(f"{PREFIX}requests", forget, methods=["DELETE"]),
        Route(f"{PREFIX}deliveries", deliveries, methods=["GET"]),
    ]
