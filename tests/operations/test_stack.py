"""The room on Python's stack: no depth at which a loop asks the system for memory with each call."""

import resource
import sys
from collections.abc import Callable
from threading import Thread

from config.celery import app
from config.jobs import Job
from config.wsgi import application
from operations.stack import SLOTS, give_room

CALLS, DEPTHS = 1_000, 120


def count_faults(depth: int) -> int:
    """Return how often the system had to give memory while a loop at this depth called a function."""
    if depth:
        return count_faults(depth - 1)
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for _ in range(CALLS):
        call_nothing(1, 2, 3)
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


def call_nothing(*_values: int) -> None:
    return None


def count_worst(count: Callable[[int], int]) -> int:
    """Return the number of faults at the worst depth, in a thread of its own as a server's, with an empty stack."""
    found: list[int] = []
    thread = Thread(target=lambda: found.extend(count(depth) for depth in range(DEPTHS)))
    thread.start()
    thread.join()
    return max(found)


def test_loop_with_room_never_asks_for_memory_with_each_call():
    assert count_worst(give_room(count_faults)) < CALLS / 10


def test_loop_without_room_does_so_at_some_depth():
    fixed = sys.version_info >= (3, 13)  # newer versions of Python may keep the last piece of the stack
    assert count_worst(count_faults) >= CALLS or fixed


def count_rooms() -> int:
    """Return how many calls with room are under way."""
    frame, rooms = sys._getframe(), 0
    while frame := frame.f_back:
        rooms += frame.f_code.co_stacksize == SLOTS
    return rooms


class CountingJob(Job):
    name = "counting"

    def run(self) -> int:
        return count_rooms()


def test_requests_jobs_and_tests_have_room():
    assert application.__code__.co_stacksize == SLOTS
    assert count_rooms() == 1
    job = CountingJob()
    job.bind(app)
    job.push_request(called_directly=False)
    assert job() == 2
