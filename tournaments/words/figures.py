"""The text of figures in the active language: percentages, points, étuis' numbers, margins. Also the names of cards."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from django.utils.formats import get_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _

from deals.domain.cards import EXCUSE, is_trump, rank
from scoring.contract import Contract
from scoring.formats import MarkPoints, MatchPoints
from scoring.plausibility import read_margin
from tournaments.words.desk_sentences import MADE
from wording.figures import NONE, write_decimal

MATCH_POINT_DECIMALS = 3
TABLE_SIZES = {
    3: pgettext_lazy("étuis for tables of so many", "at three"),
    5: pgettext_lazy("étuis for tables of so many", "at five"),
}
BEFORE_PERCENT = {"fr": "\N{NO-BREAK SPACE}"}


def decimal(value: Fraction | int | None, places: int = 1) -> str:
    """Return a number with `places` decimals in the active language: 175/2 is "87,5" in French.

    A half is rounded away from 0. Marks have only the decimals that they need.
    """
    if isinstance(value, MarkPoints):
        places = min(places, count_decimals(value))
    return write_decimal(value, places, decimal_point())


def count_decimals(value: Fraction) -> int:
    """Return how many decimals marks need, at most two."""
    return next((places for places in (0, 1) if (value * 10**places).denominator == 1), 2)


def percent(value: Fraction | int | None, places: int = 1) -> str:
    """Return a percentage with its sign: "87,5 %" in French with a no-break space, "87.5%" in English.

    Match points are written as such: "+4.000 MP" in English, "+4,000 PM" in French. So are marks: "+120", "−36.6".
    """
    if value is None:
        return NONE
    if isinstance(value, MatchPoints):
        return show_match_points(value)
    if isinstance(value, MarkPoints):
        return show_marks(value)
    point, sign = signs_of(get_language() or "")
    return write_decimal(value, places, point) + sign


def show_match_points(value: Fraction) -> str:
    """Return match points with their sign and three decimals, as they are defined: "+12.345 MP", "−0.151 MP"."""
    plus = "+" if value > 0 else ""
    return _("%(points)s MP") % {"points": f"{plus}{decimal(value, MATCH_POINT_DECIMALS)}"}


def show_marks(value: Fraction | int) -> str:
    """Return marks with their sign: "+120". Where odd tables have a weight, they may have up to two decimals."""
    exact = Fraction(value)
    plus = "+" if exact > 0 else ""
    return f"{plus}{decimal(exact, count_decimals(exact))}"


def say_weights(weights: Mapping[str, str]) -> list[str]:
    """Return a sentence for each weight of odd tables. `weights` has them as exact text, by the number of players."""
    said = {
        "3": _("Marks at tables of three count × %(weight)s."),
        "5": _("Marks at tables of five count × %(weight)s."),
    }
    return [said[players] % {"weight": decimal(Fraction(weight), 2)} for players, weight in sorted(weights.items())]


def show_penalty(penalty: Fraction | None) -> tuple[str, str] | None:
    """Return a penalty or a bonus as its name and its signed value; None without one."""
    if not penalty:
        return None
    if penalty < 0:
        return _("Bonus, already added"), f"+{decimal(type(penalty)(-penalty), 2)}"
    return _("Penalty, already deducted"), f"−{decimal(penalty, 2)}"


def decimal_point() -> str:
    """Return the decimal separator of the active language."""
    return signs_of(get_language() or "")[0]


def percent_sign() -> str:
    """Return the percent sign with the space that the active language puts before it."""
    return signs_of(get_language() or "")[1]


@lru_cache(maxsize=16)  # a ranking has thousands of figures
def signs_of(language: str) -> tuple[str, str]:
    """Return the decimal separator and the percent sign of a language."""
    return get_format("DECIMAL_SEPARATOR", language), f"{BEFORE_PERCENT.get(language, '')}%"


def show_points(half_points: int) -> str:
    """Return half points as points: 98 is "49", 81 is "40,5"."""
    return decimal(Fraction(half_points, 2), half_points % 2)


def etuis_text(numbers: Iterable[int]) -> str:
    """Return étuis' numbers as ranges: "9–12", or "1–4, 9", or "" for none."""
    return ", ".join(f"{first}–{last}" if last > first else str(first) for first, last in _runs(sorted(numbers)))


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last number of each run of consecutive numbers."""
    start = 0
    for i in range(1, len(numbers) + 1):
        if i == len(numbers) or numbers[i] != numbers[i - 1] + 1:
            yield numbers[start], numbers[i - 1]
            start = i


def say_table_size(size: int) -> str:
    """Return in words for how many players at each table the étuis are: "at three" or "at five". Else return ""."""
    return str(TABLE_SIZES.get(size, ""))


def say_made(score: int, contract: Contract | None) -> str:
    """Return the text that says by how many points the contract was made or failed, derived from a base score.

    If several contracts or bonuses could give this score, the text says only whether the contract was made. Return ""
    for a score of 0.
    """
    if not score:
        return ""
    margin = read_margin(score, contract) if contract else None
    ending = "" if margin is None else "_petit" if margin.petit_lost else "_by"
    return str(MADE[("made" if score > 0 else "failed") + ending] % {"difference": margin.points if margin else 0})


SUITS = ("spades", "hearts", "diamonds", "clubs")
SUIT_NAMES: dict[str, str | Promise] = {
    "spades": gettext_lazy("spades"),
    "hearts": gettext_lazy("hearts"),
    "diamonds": gettext_lazy("diamonds"),
    "clubs": gettext_lazy("clubs"),
}
RANK_NAMES: dict[int, str | Promise] = {
    1: gettext_lazy("Ace"),
    11: gettext_lazy("Valet"),
    12: gettext_lazy("Cavalier"),
    13: gettext_lazy("Dame"),
    14: gettext_lazy("Roi"),
}


def name_card(card: int) -> str:
    """Return the name of a card in the active language: "Roi of spades", "17 of trumps", "Excuse"."""
    if card == EXCUSE:
        return _("Excuse")
    number = rank(card)
    if is_trump(card):
        return _("%(number)s of trumps") % {"number": number}
    return _("%(rank)s of %(suit)s") % {
        "rank": RANK_NAMES.get(number, number),
        "suit": SUIT_NAMES[SUITS[card // 14]],
    }
