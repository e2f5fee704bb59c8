"""The columns of every published ranking, each declared once: pages, files, answers and embeds are drawn from them.

A ranking says what it has (`RankingShape`), and `list_columns` gives its columns in their order. A drawer takes the
columns of its medium. It looks at the kind of a column, never at the kind of ranking.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import Enum, Flag, auto
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.formats import Unit
from scoring.ties import UnrankedReason

Text = str | Promise


class Medium(Flag):
    """A place where a column can stand: a page, a file for spreadsheets, an answer to programs, or a small frame."""

    PAGE = auto()
    FILE = auto()
    ANSWER = auto()
    EMBED = auto()


PAGE, FILE, ANSWER, EMBED = Medium


class ValueKind(Enum):
    """The kind of the values of a column, by which each medium draws them."""

    PLACE = auto()  # the rank in the order that is shown, or None
    RANK = auto()  # another rank, or None
    WHOLE = auto()
    TEXT = auto()
    LINE = auto()  # N, E, S or W, written in the reader's language
    SEAT = auto()  # the line with the number
    NAME = auto()
    NOTE = auto()  # a percentage, or match points or marks if the format counts in these
    RESULT = auto()  # the note by which the players of an evening are ranked
    TOTAL = auto()  # the sum or the mean over rounds or events, by which players are ranked
    STEP = auto()  # the result of a round or an event
    FORMER = auto()  # the result of the session before
    EXACT = auto()  # an exact number without a unit
    MOVE = auto()  # the number of ranks gained
    CODE = auto()  # a word for programs
    FLAG = auto()


PLAIN = {ValueKind.RANK, ValueKind.WHOLE, ValueKind.TEXT, ValueKind.NOTE, ValueKind.EXACT}
TEXTS = {ValueKind.NAME, ValueKind.SEAT, ValueKind.TEXT, ValueKind.LINE}


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingShape:
    """The properties of a ranking from which its columns follow.

    It is the ranking of one evening, or `over_steps`: over rounds, or over the `events` of a series. `mean` is True if
    its total is a mean, and `points` if the total has no sign of per cent. `clubs` is True if the players of several
    clubs are compared. `more` are columns that this ranking alone has, such as one for each round.
    """

    unit: Unit
    over_steps: bool = False
    events: bool = False
    mean: bool = False
    points: bool = False
    alterne: bool = False
    lines: bool = False
    teams: bool = False
    weighted: bool = False
    clubs: bool = False
    more: Sequence["RankingColumn"] = ()


@dataclass(frozen=True, slots=True)
class RankingColumn:
    """A column of a ranking.

    `name` is its name in files and answers. `holds` says whether a ranking has it. `read` gives its value in a row, by
    default the field `name`. `sort` is its name in addresses of pages, if it has another there. `units` has its label
    where the ranking is not in per cent. `up` is True if a first press sorts from the lowest value. A `wide` column is
    not shown on a phone. `step` is the round or the event whose results the column has. `help` and `choices` tell
    programs what the values are.
    """

    name: str
    label: Text
    kind: ValueKind
    on: Medium
    holds: Callable[[RankingShape], object]
    _: KW_ONLY
    read: Callable[[Any], Any] | None = None
    sort: str = ""
    short: Text = ""
    units: Mapping[Unit, Text] = field(default_factory=dict)
    up: bool = False
    wide: bool = True
    step: Any = None
    help: str = ""
    choices: Sequence[str] = ()

    def read_value(self, row: Any) -> Any:
        """Return the value of a row in this column: a number, a text, or None."""
        return getattr(row, self.name) if self.read is None else self.read(row)

    @property
    def in_addresses(self) -> str:
        """The name of the column in addresses of pages."""
        return self.sort or self.name

    @property
    def is_text(self) -> bool:
        return self.kind in TEXTS


def of_all(_shape: RankingShape) -> bool:
    return True


def of_evening(shape: RankingShape) -> bool:
    """Return whether this is the ranking of one evening, of a session or of all clubs of a simultaneous."""
    return not shape.over_steps


def of_session(shape: RankingShape) -> bool:
    return not shape.over_steps and not shape.clubs


def over_steps(shape: RankingShape) -> bool:
    return shape.over_steps


PLACE, RANK, WHOLE, TEXT = ValueKind.PLACE, ValueKind.RANK, ValueKind.WHOLE, ValueKind.TEXT
ALTERNE = RankingColumn(
    "rank_alterne", _("Alterné"), RANK, FILE | ANSWER, lambda shape: shape.alterne, sort="alterne", up=True,
    help="null if there is no classement alterné",
)  # fmt: skip
GENERAL = RankingColumn("rank_general", _("Général"), RANK, FILE | ANSWER, of_evening, sort="general", up=True)
BY_LINE = RankingColumn("rank_line", _("By line"), RANK, FILE | ANSWER, lambda shape: shape.alterne)
NAME = RankingColumn(
    "player", _("Player"), ValueKind.NAME, PAGE | FILE | EMBED, lambda shape: not shape.teams, sort="name", up=True,
    wide=False, read=lambda row: row.name,
)  # fmt: skip
ATTACK = RankingColumn(
    "attack", _("Attack"), ValueKind.NOTE, PAGE | FILE | ANSWER, lambda shape: of_evening(shape) and shape.weighted
)
TOTAL = RankingColumn(
    "total", _("Total"), ValueKind.TOTAL, PAGE | FILE | ANSWER | EMBED,
    lambda shape: shape.over_steps and not shape.mean, wide=False,
    help="the total in the unit of the ranking; null in donnes libres",
)  # fmt: skip

CATALOGUE: tuple[RankingColumn, ...] = (
    ALTERNE,
    GENERAL,
    BY_LINE,
    RankingColumn("line", _("Line"), ValueKind.LINE, FILE | ANSWER, lambda shape: shape.alterne or shape.clubs),
    RankingColumn("number", _("Number"), WHOLE, FILE | ANSWER, of_session),
    RankingColumn("rank", _("Rank"), PLACE, PAGE | EMBED, of_evening, up=True, wide=False),
    RankingColumn("rank", _("Rank"), PLACE, PAGE | FILE | ANSWER | EMBED, over_steps, up=True, wide=False),
    RankingColumn("before", "", RANK, ANSWER, over_steps, help="the rank before the last session or event"),
    RankingColumn(
        "moved", _("Since the session before"), ValueKind.MOVE, PAGE,
        lambda shape: shape.over_steps and len(shape.more) > 1, short="▲▼", wide=False,
    ),
    RankingColumn(
        "seat", _("Line and number"), ValueKind.SEAT, PAGE, of_evening, short=pgettext_lazy("number of a line", "No."),
        up=True, wide=False, read=lambda row: (row.section, *row.seat_order),
    ),
    NAME,
    replace(NAME, label=_("Team"), holds=lambda shape: shape.teams),
    RankingColumn(
        "members", _("Players"), TEXT, FILE, lambda shape: of_evening(shape) and shape.teams,
        read=lambda row: ", ".join(each.name for each in row.members),
    ),
    RankingColumn(
        "club", _("Club"), TEXT, FILE | ANSWER, lambda shape: shape.clubs,
        help="the name of the club in which the player played",
    ),
    replace(GENERAL, on=PAGE),
    replace(ALTERNE, on=PAGE, holds=lambda shape: of_evening(shape) and shape.lines),
    RankingColumn(
        "deals", _("Deals"), WHOLE, PAGE | FILE | ANSWER, of_evening,
        help="the number of the player’s deals that have a note",
    ),
    RankingColumn("attacks", "", WHOLE, ANSWER, of_session),
    RankingColumn("defences", "", WHOLE, ANSWER, of_session),
    ATTACK,
    replace(ATTACK, name="defence", label=_("Defence")),
    RankingColumn(
        "overall", _("Global"), ValueKind.RESULT, PAGE | FILE | ANSWER | EMBED, of_evening, wide=False,
        units={Unit.MARKS: _("Marks"), Unit.MATCH_POINTS: _("Match points")},
    ),
    RankingColumn(
        "penalty", _("Points off"), ValueKind.EXACT, FILE | ANSWER, of_evening,
        help="percentage points, match points, or marks, already taken off the figure; below 0 for a bonus",
    ),
    RankingColumn(
        "ranked", "", ValueKind.FLAG, ANSWER, of_session, help="false for a player who only completes a table"
    ),
    RankingColumn(
        "unranked", "", ValueKind.CODE, ANSWER, of_evening, choices=("", *map(str, UnrankedReason)),
        help="why the player has no rank: completes a table, is a substitute, or has played too few deals",
    ),
    RankingColumn(
        "told", "", ValueKind.CODE, ANSWER, lambda shape: not shape.clubs and not shape.events,
        help="what separated the player from a tied one: one of the rules’ ties, or nothing",
    ),
    TOTAL,
    replace(TOTAL, label=_("Mean"), holds=lambda shape: shape.over_steps and shape.mean),
    RankingColumn(
        "sessions", _("Sessions played"), WHOLE, FILE, lambda shape: shape.over_steps and not shape.events,
        read=lambda row: sum(result is not None for result in row.results),
    ),
    RankingColumn("events", _("Events played"), WHOLE, FILE, lambda shape: shape.events, read=lambda row: row.played),
    RankingColumn("played", "", WHOLE, ANSWER, over_steps, help="the sessions or events that rank the player"),
    RankingColumn("in_final", "", ValueKind.FLAG, ANSWER, over_steps),
)  # fmt: skip


def list_columns(shape: RankingShape, medium: Medium) -> list[RankingColumn]:
    """Return the columns of a ranking in this medium, in their order, with their labels in its unit."""
    listed = [*(each for each in CATALOGUE if each.holds(shape)), *shape.more]
    return [replace(each, label=each.units.get(shape.unit, each.label)) for each in listed if each.on & medium]


def make_step(name: str, label: Text, place: int, step: Any, *, on: Medium, figure: str) -> RankingColumn:
    """Return the column with the results of a round or an event.

    `place` counts from 0. `figure` is the name of the result's figure.
    """

    def read(row: Any) -> Any:
        result = row.results[place]
        return None if result is None else getattr(result, figure)

    return RankingColumn(name, label, ValueKind.STEP, on, of_all, read=read, sort=f"s{place}", step=step)


def make_former(number: int) -> RankingColumn:
    """Return the column with the results of the session before, of which `number` is the number."""
    label, short = (text % {"number": number} for text in (_("Session %(number)s"), _("S%(number)s")))
    return RankingColumn("former", label, ValueKind.FORMER, PAGE, of_all, short=short)


SORTS = sorted({*(each.in_addresses for each in CATALOGUE if each.on & PAGE), "former"})
