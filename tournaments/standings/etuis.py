"""The plays of an étui, from rows to scores, notes, and what they bring each player: a function of these plays alone.

Whether of all étuis or of those that have changed: `computing` adds up what this module gives. The figures are exact
fractions as text ("175/2"); they are rounded where they are shown.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from fractions import Fraction
from functools import lru_cache
from itertools import compress, groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import FilteredRelation, Q, QuerySet

from scoring.contract import ScoringRules
from scoring.fixed import read_fixed
from scoring.ranking import Line, PlayNotes, RankingRules, ScoringPlay, check_plays, note_plays, tally_plays
from tournaments.models import Play, Ruling
from tournaments.models.evening import SEAT_COLUMNS
from tournaments.plays.entries import FIELDS, to_entry
from tournaments.plays.state import VIEWS, State, with_states
from tournaments.prepared import PreparedValues
from tournaments.rules.entry import base_score, taker_of
from tournaments.rules.split import AFTER, BEFORE, Split, part_of
from tournaments.standings.sums import Sums

SCORED, MISSING, ANNULLED, NOT_PLAYED = "scored", "missing", "annulled", "not_played"


class EtuiFigures(NamedTuple):
    """Of the plays of these ids: what `scoring` has of each, its notes, and in which state it is counted."""

    ids: Sequence[int]
    scored: Sequence[ScoringPlay]
    notes: Sequence[PlayNotes | None]
    states: Sequence[str]
    is_topped: bool  # whether two plays at least are compared

    @property
    def plays(self) -> dict[str, Any]:
        """State, base score, taker, notes and part of each play, by its id, as JSON has them; of one with `fixed`
        notes, whose: they stand as the arbiter's word has them, "better 60" too."""
        exact_notes = {id(each): write_notes(each) for each in self.notes if each}  # plays of one score have the same
        found: dict[str, Any] = {
            str(pk): {
                "state": state,
                "base_score": play.base_score,
                "taker": str(play.taker) if play.taker and play.base_score is not None else None,
                "notes": exact_notes[id(notes)] if notes else None,
                "part": part_on(play.board),
            }
            for pk, state, play, notes in zip(self.ids, self.states, self.scored, self.notes, strict=True)
        }
        for pk, play in zip(self.ids, self.scored, strict=True):
            if play.fixed:
                found[str(pk)] |= describe_fixed(play, found[str(pk)]["notes"])
        return found

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
SESSION = (
    "session_id",
    "session__group__one_topage",
    "session__results_version",
    "session__tournament__rules",
    "session__tournament__auction",
)
STATE = ROW.index("state")
OWNER = len(ROW)  # where the session's id stands in a row
ENTRY = slice(ROW.index("entry__kind"), len(ROW))  # where it stands in a row
Row = tuple[Any, ...]


def rows_of(plays: QuerySet[Play]) -> Any:
    """What the figures follow from, ROW and then SESSION, étui by étui."""
    return (
        with_states(plays)
        .annotate(entry=FilteredRelation("entries", condition=Q(entries__current=True)))
        .order_by("etui_id", "session_id", "position", "table__number")
        .values_list(*ROW, *SESSION)
    )


ALL_ROWS = PreparedValues(lambda session: rows_of(Play.objects.filter(session=session)))


def play_rows(sessions: Sequence[int], etuis: Collection[int] | None = None) -> Sequence[Row]:
    """`rows_of` these étuis of the sessions, or of all."""
    if etuis is None and len(sessions) == 1:
        return ALL_ROWS(sessions[0])
    plays = Play.objects.filter(session__in=sessions)
    return list(rows_of(plays if etuis is None else plays.filter(etui__in=etuis)))


def figure_etuis(
    rows: Sequence[Row], splits: Mapping[tuple[int, int], Split | None], rules: Rules, own: int
) -> dict[int, EtuiFigures]:
    """The figures of each étui of these rows, which come étui by étui: of the plays of the `own` session, compared with
    those of all. `splits` in force, by session and étui."""
    adjusted = adjustments_of(row[0] for row in rows if row[STATE] == State.ADJUSTED)
    found = {
        etui: figure_etui(list(plays), splits, rules, adjusted) for etui, plays in groupby(rows, key=itemgetter(1))
    }
    if any(row[OWNER] != own for row in rows):
        mine = {row[0] for row in rows if row[OWNER] == own}
        found = {etui: part for etui, figures in found.items() if (part := keep_own(figures, mine)).ids}
    return found


def keep_own(figures: EtuiFigures, mine: Set[int]) -> EtuiFigures:
    """What there is of these plays alone, as it came of all."""
    kept = [pk in mine for pk in figures.ids]
    ids, scored, notes, states, topped = figures
    scored = list(compress(scored, kept))
    compared = any(play.base_score is not None and play.compared for play in scored)
    rest = list(compress(notes, kept)), list(compress(states, kept))
    return EtuiFigures(list(compress(ids, kept)), scored, *rest, is_topped=topped and compared)


def adjustments_of(plays: Iterable[int]) -> dict[int, Ruling]:
    """The newest adjustment of each of these plays."""
    if not (wanted := list(plays)):
        return {}
    rulings = Ruling.objects.filter(play__in=wanted, kind=Ruling.Kind.ADJUSTED).select_related("play__etui")
    return {ruling.play_id: ruling for ruling in rulings.order_by("pk")}


def figure_etui(
    rows: Sequence[Row],
    splits: Mapping[tuple[int, int], Split | None],
    rules: Rules,
    adjusted: Mapping[int, Ruling],
) -> EtuiFigures:
    """Topped together are the plays of a part: those before the étui was altered, or after it was in that session."""
    plays, states = [], []
    for row in rows:
        pk, etui, position, table, north, east, south, west, state = row[: ENTRY.start]
        counted, owner = COUNTED[state], row[OWNER]
        taker, score = score_entry(row[ENTRY], rules.scoring)
        part = part_of(splits.get((owner, etui)), position, table)
        board = part if part == BEFORE else (part, owner)
        play = ScoringPlay(board, north, east, south, west, taker, score if counted == SCORED else None)
        plays.append(adjust(play, adjusted[pk], rules) if state == State.ADJUSTED else play)
        states.append(counted)
    check_plays(plays, rules.ranking)
    compared = Counter(play.board for play in plays if play.base_score is not None and play.compared)
    notes = note_plays(plays, rules.ranking)
    return EtuiFigures([row[0] for row in rows], plays, notes, states, any(count > 1 for count in compared.values()))


def part_on(board: Hashable) -> int:
    return BEFORE if board == BEFORE else AFTER


def adjust(play: ScoringPlay, ruling: Ruling, rules: Rules) -> ScoringPlay:
    """As the arbiter has it: a score for whom the étui names, else for whom he names, if for anybody. What was entered
    of a replay counts nowhere."""
    taker, score = (None, None) if ruling.play.is_replay else (play.taker, play.base_score)
    if ruling.score is not None and not ruling.play.is_replay:
        taker, score = (Line(ruling.taker) if ruling.taker else None), ruling.score
    if not rules.ranking.may_pass:
        taker = Line(ruling.play.etui.taker)
    elif taker is None and score is None and ruling.taker:
        taker = Line(ruling.taker)
    fixed = tuple(read_fixed(ruling.notes[line]) if line in ruling.notes else None for line in LINES)
    return play._replace(taker=taker, base_score=score, fixed=fixed if any(fixed) else (), compared=ruling.compared)


def describe_fixed(play: ScoringPlay, notes: dict[str, str] | None) -> dict[str, Any]:
    """What is told otherwise of a play with fixed notes."""
    fixed = {line: str(note) for line, note in zip(LINES, play.fixed, strict=True) if note}
    others = notes or dict.fromkeys(LINES)
    out = {} if play.compared else {"compared": False}
    return {"taker": play.taker and str(play.taker), "notes": others | fixed, "fixed": list(fixed), **out}


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
