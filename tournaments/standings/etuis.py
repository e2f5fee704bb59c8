"""The plays of an étui, from rows to scores, notes, and what they bring each player: a function of these plays alone.

Whether of all étuis or of those that have changed: `computing` adds up what this module gives. The figures are exact
fractions as text ("175/2"); they are rounded where they are shown.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import FilteredRelation, Q, QuerySet

from scoring.contract import ScoringRules
from scoring.ranking import Line, PlayNotes, RankingRules, ScoringPlay, check_plays, note_plays, tally_plays
from tournaments.models import EtuiRuling, Play
from tournaments.models.evening import SEAT_COLUMNS
from tournaments.plays.entries import FIELDS, to_entry
from tournaments.plays.state import VIEWS, with_states
from tournaments.prepared import PreparedValues
from tournaments.rules.entry import base_score, taker_of
from tournaments.rules.split import part_of
from tournaments.standings.sums import Sums

SCORED, MISSING, ANNULLED, NOT_PLAYED = "scored", "missing", "annulled", "not_played"


class EtuiFigures(NamedTuple):
    """Of the plays of these ids: what `scoring` has of each, its notes, and in which state it is counted."""

    ids: Sequence[int]
    scored: Sequence[ScoringPlay]
    notes: Sequence[PlayNotes | None]
    states: Sequence[str]

    @property
    def plays(self) -> dict[str, Any]:
        """State, base score, taker, notes and part of each play, by its id, as JSON has them."""
        exact_notes = {id(each): write_notes(each) for each in self.notes if each}  # plays of one score have the same
        return {
            str(pk): {
                "state": state,
                "base_score": play.base_score,
                "taker": str(play.taker) if play.taker and play.base_score is not None else None,
                "notes": exact_notes[id(notes)] if notes else None,
                "part": play.board,
            }
            for pk, state, play, notes in zip(self.ids, self.states, self.scored, self.notes, strict=True)
        }

    @property
    def is_topped(self) -> bool:
        """Whether two plays at least are compared."""
        compared = Counter(play.board for play in self.scored if play.base_score is not None)
        return any(count > 1 for count in compared.values())

    @property
    def sums(self) -> Sums:
        """What it comes to by itself."""
        return add_up([self], Sums())


def add_up(etuis: Collection[EtuiFigures], sums: Sums) -> Sums:
    """What they come to together, added to these sums."""
    for etui in etuis:
        sums.counts.update(etui.states)
        sums.topped += etui.is_topped
    scored, notes = ([each for etui in etuis for each in getattr(etui, column)] for column in ("scored", "notes"))
    tally_plays(scored, notes, sums.tallies)
    return sums


class Rules(NamedTuple):
    """How a deal is scored, and how its scores are compared."""

    scoring: ScoringRules
    ranking: RankingRules


LINES = tuple(map(str, Line))
COUNTED = {str(state): view.counted for state, view in VIEWS.items()}
ROW = (
    "id",
    "etui_id",
    "position",
    "table__number",
    *SEAT_COLUMNS,
    "state",
    *(f"entry__{field}" for field in FIELDS),
)
SESSION = ("session__results_version", "session__tournament__rules", "session__tournament__auction")
ENTRY = slice(ROW.index("entry__kind"), len(ROW))  # where it stands in a row
Row = tuple[Any, ...]


def rows_of(plays: QuerySet[Play]) -> Any:
    """What the figures follow from, ROW and then SESSION, étui by étui."""
    return (
        with_states(plays)
        .annotate(entry=FilteredRelation("entries", condition=Q(entries__current=True)))
        .order_by("etui_id", "position", "table__number")
        .values_list(*ROW, *SESSION)
    )


ALL_ROWS = PreparedValues(lambda session: rows_of(Play.objects.filter(session=session)))


def play_rows(session_id: int, etuis: Collection[int] | None = None) -> Sequence[Row]:
    """`rows_of` these étuis of a session, or of all."""
    if etuis is None:
        return ALL_ROWS(session_id)
    return list(rows_of(Play.objects.filter(session_id=session_id, etui__in=etuis)))


def figure_etuis(rows: Iterable[Row], rulings: dict[int, EtuiRuling], rules: Rules) -> dict[int, EtuiFigures]:
    """The figures of each étui of these rows, which come étui by étui; `rulings` in force, by étui."""
    return {
        etui: figure_etui(list(plays), rulings.get(etui), rules) for etui, plays in groupby(rows, key=itemgetter(1))
    }


def figure_etui(rows: Sequence[Row], ruling: EtuiRuling | None, rules: Rules) -> EtuiFigures:
    """Topped together are the plays of a part: those before, or after, the étui was altered."""
    split = ruling.split if ruling else None
    plays, states = [], []
    for row in rows:
        _pk, _etui, position, table, north, east, south, west, state = row[: ENTRY.start]
        counted = COUNTED[state]
        taker, score = score_entry(row[ENTRY], rules.scoring)
        part, counting = part_of(split, position, table), score if counted == SCORED else None
        plays.append(ScoringPlay(part, north, east, south, west, taker, counting))
        states.append(counted)
    check_plays(plays, rules.ranking)
    return EtuiFigures([row[0] for row in rows], plays, note_plays(plays, rules.ranking), states)


@lru_cache(maxsize=65_536)
def score_entry(columns: Row, rules: ScoringRules) -> tuple[Line | None, int | None]:
    """Who took, and the base score, of an entry's FIELDS; twice None where there is no entry. Thousands of plays are
    scored again and again, and few score differently."""
    entry = to_entry(dict(zip(FIELDS, columns, strict=True))) if columns[0] else None
    return (taker_of(entry), base_score(entry, rules)) if entry else (None, None)


def write_notes(notes: PlayNotes) -> dict[str, str]:
    written = {id(note): str(note) for note in notes}  # that of three defenders is one
    return {line: written[id(note)] for line, note in zip(LINES, notes, strict=True)}


def exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
