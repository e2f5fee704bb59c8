"""The room on Python's stack: a loop with room never calls functions across the border between two pieces of the stack.

Python keeps its calls in pieces of memory of 16 KB. If a piece is full, Python asks the system for another one. When
a call returns from the new piece, Python gives this piece back. So a loop just below the end of a piece asks for memory
with each call, which makes it up to five times slower. The depth of a page depends on the server and on its middleware.
So a page may be slow on one site and fast on another.

A call that needs much stack gets a large piece of its own. The calls inside have the rest of this piece.
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

SLOTS = 1 << 16  # of 8 bytes each: the next larger piece has as many again for the calls inside

P = ParamSpec("P")
Returned = TypeVar("Returned")


def give_room(function: Callable[P, Returned]) -> Callable[P, Returned]:
    """Return `function` in a wrapper that declares a large stack. Memory that no call uses is never touched."""

    def call_with_room(*args: P.args, **kwargs: P.kwargs) -> Returned:
        return function(*args, **kwargs)

    call_with_room.__code__ = call_with_room.__code__.replace(co_stacksize=SLOTS)
    return call_with_room
