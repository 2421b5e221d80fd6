"""What may come back over HTTP: JSON of any shape, envelopes, near misses of good answers, and bytes that are none."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from support.services.scripted_service import Reply

ODD_TEXTS = st.one_of(
    st.sampled_from(["", " ", "\0", "\ud800", "1e999999999", "NaN", "../../x", "task\n", "٣", "\x1b[31m", "🪑"]),
    st.sampled_from("x9").map(lambda letter: letter * 5000),
)
TEXTS = st.one_of(st.text(max_size=20), st.text(st.characters(codec=None), max_size=5), ODD_TEXTS)
NUMBERS = st.one_of(
    st.integers(-5, 3000), st.integers(), st.floats(), st.sampled_from([10**400, -(10**400), 2**63, 1e308, 0.5])
)
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
ANY_JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)

DATES = st.sampled_from(
    [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Mon, 01 Jan 0001 00:00:00 -0000",
        "Fri, 31 Dec 9999 23:59:59 -2359",
        "0 0 0",
        ",",
    ]
)
_HEADER_TEXT = st.one_of(
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20).map(str.strip),
    st.sampled_from(["0", "-1", "1", "nan", "inf", "1e400", "9" * 400, "é".encode().decode("latin-1")]),
    DATES,
)
HEADERS = st.dictionaries(
    st.sampled_from(
        [
            "x-request-id",
            "x-service-trace-id",
            "retry-after",
            "date",
            "x-ratelimit-limit",
            "x-ratelimit-remaining",
            "x-ratelimit-reset",
            "content-type",
            "content-encoding",
            "location",
            "set-cookie",
        ]
    ),
    st.one_of(
        _HEADER_TEXT, st.sampled_from(["gzip", "deflate", "br", "text/html; charset=utf-16", "//[", "http://[::1"])
    ),
    max_size=5,
)
STATUSES = st.one_of(
    st.sampled_from([200, 201, 301, 307, 400, 401, 403, 404, 408, 409, 413, 425, 429, 499, 500, 502, 503, 504, 599]),
    st.integers(200, 599).filter(lambda status: status not in (204, 205, 304)),
)
CODES = st.one_of(
    st.sampled_from([0, 0, 0, 2, 1000, 1004, 1007, 2000, 2001, 2008, 2010, 7777, "0", "2010", 0.0, False]),
    SCALARS,
)
DEEP = st.sampled_from([b"[", b'{"a":', b'{"code":0,"data":[']).map(lambda level: level * 100_000)
"""Nested deeper than Python's reader of JSON goes."""


def near(good: Any) -> st.SearchStrategy[Any]:
    """A good answer's data, as it is or with some of it replaced by anything, left out or wrapped."""
    if isinstance(good, dict):
        changed = st.fixed_dictionaries({}, optional={key: near(value) for key, value in good.items()})
        return st.one_of(st.just(good), changed, st.builds(lambda a, b: {**a, **b}, changed, ANY_MAPS), ANY_JSON)
    if isinstance(good, list):
        return st.one_of(st.just(good), st.lists(near(good[0]), max_size=4) if good else st.just([]), ANY_JSON)
    return st.one_of(st.just(good), SCALARS)


ANY_MAPS = st.dictionaries(TEXTS, SCALARS, max_size=3)


def envelopes(good: Any) -> st.SearchStrategy[bytes]:
    """Envelopes around data that is near a good answer's, some of them spoilt."""
    fields = {"code": CODES, "status": SCALARS, "message": TEXTS, "suggestion": SCALARS, "request_id": SCALARS}
    some = st.fixed_dictionaries({"data": near(good)}, optional=fields)
    successful = near(good).map(lambda data: {"code": 0, "status": "success", "data": data})
    return st.one_of(successful, some, ANY_JSON).map(lambda body: json.dumps(body).encode())


def replies(good: Any) -> st.SearchStrategy[Reply]:
    """Answers to a request whose good answer has this data."""
    bodies = st.one_of(
        envelopes(good),
        envelopes(good),
        st.binary(max_size=60),
        DEEP,
        st.sampled_from(
            [b"", b"<html><body>502 Bad Gateway</body></html>", b"\xff\xfe{\x00}\x00", b"null", b'{"code":0}']
        ),
    )
    anything = st.builds(Reply, status=STATUSES, body=bodies, headers=HEADERS)
    return st.one_of(anything, st.builds(Reply, body=bodies))
