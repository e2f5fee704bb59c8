"""The parent's side of the child process: questions to the bots, and the first decisions, which are cached.

The key is a digest of the étui's secret and of all that the seat has seen. Nobody can find these from the key.

Each process of the site starts one child when it needs the first answer. If the child ends or does not answer, the next
question starts another one. The threads of the process ask one after the other.
"""

import atexit
import logging
import os
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread
from time import monotonic, sleep

from django.core.cache import caches
from redis.exceptions import RedisError

from bots.levels import VERSION, Character
from bots.secrets import view_history
from referee.terms import DealPhase
from referee.views import SeatView
from rooms.thinker_child import pack_question

PROJECT = Path(__file__).resolve().parents[1]
LIMIT = 5.0  # seconds for one answer
STARTING = 20.0  # seconds for the first answer, with the start of the interpreter on a busy machine
PATIENCE = 2.0  # seconds that a thread waits until the others have their answers
KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH")  # the child gets no setting of the site

logger = logging.getLogger(__name__)


class NoAnswer(Exception):
    """The error for a question to which the child has given no answer in time. The next request asks again."""


class Child:
    """A running child process, and a thread that reads its answers."""

    def __init__(self) -> None:
        self.answers: Queue[str | None] = Queue()
        self.owner = os.getpid()
        self.has_answered = False
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rooms.thinker_child"],
            cwd=PROJECT,
            env={name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        Thread(target=self.read_answers, name="bots", daemon=True).start()

    def read_answers(self) -> None:
        """Pass on each answer. None says that the child has ended."""
        assert self.process.stdout is not None
        with suppress(ValueError, OSError):
            for line in self.process.stdout:
                self.answers.put(line.decode().rstrip("\n"))
        self.answers.put(None)

    @property
    def is_usable(self) -> bool:
        """True if the child still runs, and is not that of the process from which this one was forked."""
        return self.owner == os.getpid() and self.process.poll() is None

    def ask(self, question: bytes) -> str:
        """Return the answer. Raise NoAnswer if the child ends first, or needs more time than it has."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(question)
            self.process.stdin.flush()
            answer = self.answers.get(timeout=LIMIT if self.has_answered else STARTING)
        except (OSError, ValueError, Empty):
            answer = None
        except BaseException:  # a job whose time is over: its answer would be taken for that of the next question
            self.stop()
            raise
        if answer is None:
            self.stop()
            raise NoAnswer
        self.has_answered = True
        return answer

    def stop(self) -> None:
        """End the child at once, if it is this process's own."""
        if self.owner != os.getpid():
            return
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


class Thinker:
    """The bots of this process: one child, which is started when it is needed."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.child: Child | None = None

    def ask(self, seen: SeatView, task: Character | int, secret: bytes) -> str:
        """Return the answer to a question (`rooms.thinker_child`): the token of a bot's move, or the review of a card.

        A child that has ended is replaced once. Raise NoAnswer if the new one gives no answer either.
        """
        question = pack_question(seen, task, secret)
        if not self.lock.acquire(timeout=PATIENCE):
            raise NoAnswer
        try:
            try:
                return self.find_child().ask(question)
            except NoAnswer:
                logger.warning("The bots gave no answer: their process is started again.")
                return self.find_child().ask(question)
        finally:
            self.lock.release()

    def find_child(self) -> Child:
        """Return a running child of this process."""
        if self.child is None or not self.child.is_usable:
            self.stop()
            self.child = Child()
        return self.child

    def stop(self) -> None:
        """End the child. The next question starts another one."""
        child, self.child = self.child, None
        if child is not None:
            child.stop()


thinker = Thinker()
atexit.register(thinker.stop)


SHARED_TRICKS = 5  # in later tricks hardly two tables are alike
KEPT = 86_400  # seconds
ASKED = 6  # seconds after which another request may compute the same decision
STEP = 0.01  # seconds between two looks for a decision that another request computes


def is_shared(seen: SeatView, bot: Character) -> bool:
    """Return whether the decision is worth a look into the cache: a card of the first tricks, chosen by samples."""
    return seen.phase == DealPhase.PLAY and bot.level > 0 and len(seen.tricks) < SHARED_TRICKS


def decision_key(seen: SeatView, bot: Character, secret: bytes) -> str:
    """Return the cache key of a decision."""
    decision = f"{VERSION}|{int(bot.level)}|{bot.soft}|{secret.hex()}|{view_history(seen)}"
    return f"room-move-{sha256(decision.encode()).hexdigest()}"


def choose_token(seen: SeatView, bot: Character, secret: bytes, *, until: float) -> str:
    """Return the token of a bot's move, or "" if it has nothing to do now.

    If another request computes the same decision, wait for it until the moment `until` of the monotonic clock. Raise
    NoAnswer if there is no answer by then.
    """
    if not is_shared(seen, bot):
        return thinker.ask(seen, bot, secret)
    key = decision_key(seen, bot, secret)
    with suppress(RedisError):
        while (token := caches["computed"].get(key)) is None and not caches["computed"].add(
            f"{key}-asked", True, ASKED
        ):
            if monotonic() >= until:
                raise NoAnswer
            sleep(STEP)
        if token is not None:
            return str(token)
    try:
        token = thinker.ask(seen, bot, secret)
        with suppress(RedisError):
            caches["computed"].set(key, token, KEPT)
        return token
    finally:
        with suppress(RedisError):
            caches["computed"].delete(f"{key}-asked")
