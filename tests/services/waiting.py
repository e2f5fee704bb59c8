"""The wait for another process: a predicate is asked again and again, up to a time limit."""

import time
from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")
PATIENCE = 60  # seconds, enough for a slow and busy machine


def wait_until(predicate: Callable[[], Answer], seconds: float = PATIENCE, what: str = "") -> Answer:
    """Call `predicate` twenty times a second until it returns something true. Return that, or fail the test."""
    deadline = time.monotonic() + seconds
    while not (answer := predicate()):
        if time.monotonic() > deadline:
            raise AssertionError(f"still waiting after {seconds} s for {what or predicate.__qualname__}")
        time.sleep(0.05)
    return answer
