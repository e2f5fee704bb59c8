"""Waiting for what another process does: a predicate asked again and again, with an end."""

import time
from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")
PATIENCE = 60  # seconds, which a slow and busy machine keeps to; a quick one waits for none of them


def wait_until(predicate: Callable[[], Answer], seconds: float = PATIENCE, what: str = "") -> Answer:
    """Ask `predicate` twenty times a second until it answers something true, and return that; else fail the test."""
    deadline = time.monotonic() + seconds
    while not (answer := predicate()):
        if time.monotonic() > deadline:
            raise AssertionError(f"still waiting after {seconds} s for {what or predicate.__qualname__}")
        time.sleep(0.05)
    return answer
