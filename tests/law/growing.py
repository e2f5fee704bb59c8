"""The inputs that grow, built from an expression's parsed tree, and the time that the expression takes for them.

An expression is slow if it reads the same text in several ways: it then tries all of them before it gives up. So each
input repeats a text that a repeated part of the expression reads, and ends with a sign that the expression refuses.
"""

import re
import signal
import time
from collections.abc import Callable, Iterator
from itertools import islice, product
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

Node = tuple[Any, Any]
Match = Callable[[re.Pattern[str], str], object]
# How an expression meets a text. `list` also finds what `sub`, `split` and `findall` find.
WAYS: dict[str, Match] = {
    "match": lambda pattern, text: pattern.match(text),
    "fullmatch": lambda pattern, text: pattern.fullmatch(text),
    "search": lambda pattern, text: list(pattern.finditer(text)),
}
REPEATS = {ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT}
SIGNS = " \t\n\0aAzéeE09-.,;:!?@/_'’()[]<>{}=+*%€#\"\\|&\u00a0\U0001f600"
CATEGORIES = {
    ops.CATEGORY_DIGIT: r"\d",
    ops.CATEGORY_NOT_DIGIT: r"\D",
    ops.CATEGORY_SPACE: r"\s",
    ops.CATEGORY_NOT_SPACE: r"\S",
    ops.CATEGORY_WORD: r"\w",
    ops.CATEGORY_NOT_WORD: r"\W",
}
ENDS = ("", "\0", "\n")
MOST_SAMPLES = 24  # the most texts for one part; a part that needs more alternatives gets `MOST_WORDS`
MOST_WORDS = 600
MANY = 4  # a part that may come more often than this counts as repeated
LETTERS, FEW_LETTERS = 400, 100
LIMIT = 0.010  # seconds of processor time for LETTERS
WORTH_A_LOOK = LIMIT / 64  # an expression with cubic time takes this for FEW_LETTERS if it takes LIMIT for LETTERS
GUARD = 3.0  # seconds of processor time for all inputs of an expression; the dearest one takes 0.5 on a quiet machine


class TooLong(Exception):
    """The end of the attempts, because they take more than GUARD seconds."""


def find_slow_input(pattern: re.Pattern[str], way: str) -> tuple[float, str] | None:
    """Return the time and the text of the first input of LETTERS that takes longer than LIMIT, or None.

    If all inputs together take GUARD seconds, return the one that was tried then.
    """
    text = ""
    former = signal.signal(signal.SIGVTALRM, give_up)  # `re` asks for signals now and then, while it matches
    signal.setitimer(signal.ITIMER_VIRTUAL, GUARD)
    try:
        for before, pump, after in sorted(list_growing(pattern)):
            text = grow(before, pump, after, FEW_LETTERS)
            if measure(pattern, way, text, 1) > WORTH_A_LOOK:
                text = grow(before, pump, after, LETTERS)
                if (taken := measure(pattern, way, text, 25)) > LIMIT:
                    return taken, text
    except TooLong:
        return GUARD, text
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)
    return None


def grow(before: str, pump: str, after: str, most: int) -> str:
    return before + pump * max(1, (most - len(before) - len(after)) // len(pump)) + after


def measure(pattern: re.Pattern[str], way: str, text: str, tries: int) -> float:
    """Return the least processor time of some tries, in seconds. The first one below LIMIT is the last."""
    best = GUARD
    for _try in range(tries):
        began = time.thread_time()
        WAYS[way](pattern, text)
        best = min(best, time.thread_time() - began)
        if best < LIMIT:
            break
    return best


def give_up(*_told: object) -> None:
    raise TooLong


def list_growing(pattern: re.Pattern[str]) -> set[tuple[str, str, str]]:
    """Return inputs as their beginning, the text that is repeated, and their end."""
    tree = list(_parser.parse(pattern.pattern, pattern.flags))
    pumps = set(find_pumps(tree, [""]))
    letters = [*find_signs(tree), *sorted({letter for _before, pump in pumps for letter in pump})][:12]
    pumps |= {("", "".join(pair)) for pair in product(letters, repeat=2)} | {("", each) for each in letters}
    return {(before, pump, after) for before, pump in pumps if pump for after in ENDS}


def find_pumps(tree: list[Node], befores: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the texts that repeated parts of the tree read, with texts that may stand before them."""
    for place, (op, value) in enumerate(tree):
        here = join(befores, sample(tree[:place], 5), 5)
        if op in REPEATS:
            _least, most, body = value
            yield from find_pumps(list(body), here)
            if most > MANY:
                yield from product(here, sample(list(body), MOST_WORDS))
        else:
            for inner in inner_trees(op, value):
                yield from find_pumps(list(inner), here)


def find_signs(tree: list[Node]) -> list[str]:
    """Return the signs that a tree names, without letters and digits."""
    found = [chr(value) for op, value in tree if op is ops.LITERAL and not chr(value).isalnum()]
    for op, value in tree:
        for inner in [value[2]] if op in REPEATS else inner_trees(op, value):
            found += find_signs(list(inner))
    return list(dict.fromkeys(found))


def inner_trees(op: Any, value: Any) -> list[Any]:
    """Return the parts of a node that are trees themselves."""
    if op is ops.SUBPATTERN:
        return [value[3]]
    if op is ops.BRANCH:
        return list(value[1])
    if op in {ops.ASSERT, ops.ASSERT_NOT}:
        return [value[1]]
    if op is ops.GROUPREF_EXISTS:
        return [each for each in value[1:] if each is not None]
    return [value] if op is ops.ATOMIC_GROUP else []


def sample(tree: list[Node], most: int) -> list[str]:
    """Return at most so many texts that a tree reads: different ones of its alternatives and of its classes."""
    found = [""]
    for op, value in tree:
        found = join(found, sample_node(op, value, most), most)
    return found


def sample_node(op: Any, value: Any, most: int) -> list[str]:
    if op is ops.LITERAL:
        return [chr(value)]
    if op is ops.NOT_LITERAL:
        return ["a" if value != ord("a") else "b"]
    if op is ops.ANY:
        return ["a", "0"]
    if op is ops.IN:
        return sample_class(value)
    if op in REPEATS:
        least, often, body = value
        times = sorted({min(least, 10), min(least + 1, often, 10)})
        bodies = sample(list(body), most)
        return list(dict.fromkeys(text * each for text in bodies for each in times))
    if op is ops.ASSERT and value[0] > 0:
        return ["", *sample(list(value[1]), most)]
    if op in {ops.SUBPATTERN, ops.BRANCH, ops.ATOMIC_GROUP}:
        return [text for inner in inner_trees(op, value) for text in sample(list(inner), most)]
    return [""]


def sample_class(members: list[Node]) -> list[str]:
    """Return a few signs of a class: its own ones first, then the usual signs that belong to it."""
    own = "".join(chr(value) if op is ops.LITERAL else chr(value[0]) for op, value in members if op in OWN)
    wrong = members[0][0] is ops.NEGATE
    fitting = [letter for letter in dict.fromkeys(own + SIGNS) if is_member(letter, members) != wrong]
    return fitting[:2] + fitting[2::4] or [""]


OWN = {ops.LITERAL, ops.RANGE}


def is_member(letter: str, members: list[Node]) -> bool:
    return any(
        (op is ops.LITERAL and ord(letter) == value)
        or (op is ops.RANGE and value[0] <= ord(letter) <= value[1])
        or (op is ops.CATEGORY and re.fullmatch(CATEGORIES[value], letter) is not None)
        for op, value in members
    )


def join(firsts: list[str], seconds: list[str], most: int) -> list[str]:
    """Return each first text with each second one, at most so many, spread evenly over all pairs."""
    both = [first + second for first, second in product(firsts, seconds)]
    return list(dict.fromkeys(islice(both, 0, None, -(-len(both) // most))))
