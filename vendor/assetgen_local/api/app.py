"""Puts the layers together: faults (only for tests) around the gate around the routes around the backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from ..backend import Backend
from ..errors import ServiceError
from .fault_routes import local_routes
from .faults import FaultLayer, Faults, forced_outcome
from .middleware import Gate, answer
from .rate_limits import Rates
from .routes import api_routes, refuse


def build_app(backend: Backend, key: str, hang_up: Callable[[tuple[str, int] | None], None]) -> ASGIApp:
    """The whole service as one ASGI application.

    Args:
        backend: What answers.
        key: The API key.
        hang_up: Closes the connection of a client, by its address.
    """

    def forced(request: Request) -> Mapping[str, Any] | None:
        return forced_outcome(request.scope)

    options = backend.options
    faults = Faults() if options.faults else None
    routes = [*api_routes(backend, forced), *(local_routes(faults, backend.store.outbox) if faults else [])]
    app = Starlette(
        routes=routes, exception_handlers={HTTPException: refuse, ServiceError: _answer, Exception: _answer}
    )
    app.router.redirect_slashes = False
    gate = Gate(app, key, Rates(options.rate, options.clock))
    return FaultLayer(gate, faults, hang_up) if faults else gate


async def _answer(request: Request, error: Exception) -> Response:
    # Here as well as in the gate: Starlette answers by itself what it finds no handler for.
    return answer(error, request.scope["request_id"])
