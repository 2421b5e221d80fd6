from __future__ import annotations

import pytest
from asset_generation.vendor.loopback import is_loopback


@pytest.mark.parametrize(
    ("host", "answer"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("[::1]", True),
        ("LOCALHOST", True),
        ("10.0.0.1", False),
        ("localhost.test", False),
        ("127.0.0.1.test", False),
        ("127.evil.example", False),
        ("", False),
    ],
)
def test_what_counts_as_this_machine(host: str, answer: bool) -> None:
    assert is_loopback(host) is answer
