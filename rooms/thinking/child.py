"""The child process in which the bots of a site process think. It gets views, and so knows no hidden card.

It reads questions from its standard input and writes one line for each answer: the token of the move, or an empty line.
It uses neither Django nor a database, has no setting or secret of the site, and ends with its parent.

    python -m rooms.thinking.child
"""

import os
import pickle
import sys
from contextlib import suppress
from typing import BinaryIO

from bots.choosing import choose_move
from bots.levels import Character
from referee.views import SeatView
from rooms.record.moves import write_move

SIZE = 4  # the number of bytes before a question, which contain its length
NICENESS = 10


def pack_question(seen: SeatView, bot: Character, secret: bytes) -> bytes:
    """Return a question as bytes: what the seat sees, the bot's character, and the secret for its random choices."""
    content = pickle.dumps((seen, bot, secret), pickle.HIGHEST_PROTOCOL)
    return len(content).to_bytes(SIZE, "big") + content


def read_question(source: BinaryIO) -> tuple[SeatView, Character, bytes] | None:
    """Return the next question, or None if the parent has ended."""
    head = source.read(SIZE)
    content = source.read(int.from_bytes(head, "big")) if len(head) == SIZE else b""
    if not content:
        return None
    question: tuple[SeatView, Character, bytes] = pickle.loads(content)
    return question


def answer_question(seen: SeatView, bot: Character, secret: bytes) -> str:
    """Return the token of the bot's move, or "" if it has nothing to do now."""
    move = choose_move(seen, bot, secret)
    return "" if move is None else write_move(move)


def answer_all(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer questions until the parent ends."""
    while (question := read_question(source)) is not None:
        sink.write(answer_question(*question).encode() + b"\n")
        sink.flush()


if __name__ == "__main__":
    with suppress(AttributeError, OSError):  # Windows has no niceness
        os.nice(NICENESS)
    with suppress(BrokenPipeError, KeyboardInterrupt):
        answer_all(sys.stdin.buffer, sys.stdout.buffer)
