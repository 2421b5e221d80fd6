"""Puts the layers together: faults (only for tests) around the middleware around the routes around the backend."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from ..backend import Backend
from ..errors import ServiceError
from .middleware import Middleware, answer
from .rate_limits import RateLimits
from .routes import api_routes, refuse


def build_app(backend: Backend, key: str) -> ASGIApp:
    """The whole service as one ASGI application.

    Args:
        backend: What answers.
        key: The API key.
    """
    handlers = {HTTPException: refuse, ServiceError: _answer, Exception: _answer}
    app = Starlette(routes=api_routes(backend), exception_handlers=handlers)
    app.router.redirect_slashes = False
    options = backend.options
    service = Middleware(app, key, RateLimits(options.rate, options.clock))
    if not options.faults:
        return service
    # Here, because the extension's zip is without them.
    from .faults.injection import FaultInjection, Faults
    from .faults.routes import fault_routes

    faults = Faults()
    app.router.routes.extend(fault_routes(faults, backend.database.webhook_outbox))
    return FaultInjection(service, faults)


async def _answer(request: Request, error: Exception) -> Response:
    # Here as well as in the middleware: Starlette answers by itself what it finds no handler for.
    return answer(error, request.scope["request_id"])
