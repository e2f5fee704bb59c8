"""The child process in which the bots of a site process think. It gets views, and so knows no hidden card.

It reads questions from its standard input and writes one line for each answer. The line has the token of the move, or
the review of a card as JSON, or nothing.
It uses neither Django nor a database, has no setting or secret of the site, and ends with its parent.

    python -m rooms.thinker_child

    python -m rooms.thinking.child
"""

import json
import os
import pickle
import sys
from contextlib import suppress
from dataclasses import asdict
from typing import BinaryIO

from bots.choosing import choose_move
from bots.levels import Character
from bots.sampling.comparing import review_card
from referee.views import SeatView
from rooms.record.moves import write_move

SIZE = 4  # the number of bytes before a question, which contain its length
NICENESS = 10


def pack_question(seen: SeatView, task: Character | int, secret: bytes) -> bytes:
    """Return a question as bytes: what the seat sees, what is asked, and the secret for random choices.

    `task`: the character of a bot that has to move, or the card of a person that is reviewed.
    """
    content = pickle.dumps((seen, task, secret), pickle.HIGHEST_PROTOCOL)
    return len(content).to_bytes(SIZE, "big") + content


def read_question(source: BinaryIO) -> tuple[SeatView, Character | int, bytes] | None:
    """Return the next question, or None if the parent has ended."""
    head = source.read(SIZE)
    content = source.read(int.from_bytes(head, "big")) if len(head) == SIZE else b""
    if not content:
        return None
    question: tuple[SeatView, Character | int, bytes] = pickle.loads(content)
    return question


def answer_question(seen: SeatView, task: Character | int, secret: bytes) -> str:
    """Return the token of the bot's move, or the review of a card. "" if there is nothing to do, or to tell."""
    if isinstance(task, int):
        review = review_card(seen, task, secret)
        return "" if review is None else json.dumps(asdict(review))
    move = choose_move(seen, task, secret)
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
