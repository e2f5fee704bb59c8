"""How figures are written: percentages, points, étuis' numbers. As the language writes them; computes nothing."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from django.utils.formats import get_format
from django.utils.translation import get_language

from texts.decimals import NONE, write_decimal

BEFORE_PERCENT = {"fr": "\N{NO-BREAK SPACE}"}


def decimal(value: Fraction | int | None, places: int = 1) -> str:
    """A figure with so many decimals, half rounded away from 0, in the language's way: 175/2 is "87,5"."""
    return write_decimal(value, places, decimal_point())


def percent(value: Fraction | int | None, places: int = 1) -> str:
    """A percentage with its sign: "87,5 %" in French, the space unbreakable, "87.5%" in English."""
    return NONE if value is None else f"{decimal(value, places)}{percent_sign()}"


def decimal_point() -> str:
    """What parts the decimals in the active language."""
    point: str = get_format("DECIMAL_SEPARATOR")
    return point


def percent_sign() -> str:
    """The sign with what stands before it in the active language."""
    return f"{BEFORE_PERCENT.get(get_language() or '', '')}%"


def points(half_points: int) -> str:
    """Half points as points are said: 98 is "49", 81 is "40,5"."""
    return decimal(Fraction(half_points, 2), half_points % 2)


def etuis_text(numbers: Iterable[int]) -> str:
    """ "9–12" where the numbers follow one another, else ranges and numbers: "1–4, 9"; nothing for none."""
    return ", ".join(f"{first}–{last}" if last > first else str(first) for first, last in _runs(sorted(numbers)))


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for i in range(1, len(numbers) + 1):
        if i == len(numbers) or numbers[i] != numbers[i - 1] + 1:
            yield numbers[start], numbers[i - 1]
            start = i
