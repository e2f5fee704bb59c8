"""The figures of an étui, which depend only on its plays: scores, notes, and the sums by player.

`computing` uses this module for all étuis of a session, or only for those that have changed, and adds up the figures.
Figures are stored as exact fractions in text ("175/2"), and rounded only when they are shown.

`Sums.to_data` returns the sums as data to store, and `read_sums` reads such data.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import compress, groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import FilteredRelation, Q, QuerySet

from evenings.plays.entries import FIELDS, to_entry
from evenings.plays.state import VIEWS, PlayState, with_states
from scoring.contract import ScoringRules
from scoring.free import find_marks
from scoring.notes import FixedNote, NoteSum, Part, Tally, read_ruled_note
from scoring.plays import LINES, SEATS
from scoring.ranking import Format, ScoringPlay, SeatNotes, check_plays, note_plays, tally_plays
from tournaments.models import Play, Ruling
from tournaments.models.seats import ALL_SEAT_COLUMNS
from tournaments.prepared import PreparedValues
from tournaments.rules.entry import base_score, read_marks, taker_of
from tournaments.rules.etuis import AFTER, BEFORE, EtuiSplit, find_etui_part

NO_PLAYS: Mapping[str, int] = MappingProxyType({})


@dataclass(slots=True)
class Sums:
    """The sums over plays.

    `counts` has the number of plays by state. `topped` is the number of étuis with at least two compared plays.
    `tallies` has the sums of notes of each entrant who sits in a play, by entrant id.
    """

    counts: Counter[str] = field(default_factory=Counter)
    topped: int = 0
    tallies: dict[int, Tally] = field(default_factory=dict)

    def move(self, other: "Sums", times: int = 1) -> None:
        """Add the other sums, multiplied by `times`: −1 subtracts them. Players who then sit in no play are removed."""
        for state, count in other.counts.items():
            self.counts[state] += times * count
        self.topped += times * other.topped
        for player, tally in other.tallies.items():
            mine = self.tallies.setdefault(player, Tally())
            mine.move(tally, times)
            if not mine.plays:
                del self.tallies[player]

    def to_data(self) -> dict[str, Any]:
        return {
            "counts": {state: count for state, count in self.counts.items() if count},
            "topped": self.topped,
            "tallies": {
                str(player): [
                    tally.plays,
                    *map(note_sum_data, (tally.attack, tally.defence, tally.passed)),
                    *([fixed_data(tally)] if tally.fixed else []),
                ]
                for player, tally in self.tallies.items()
            },
        }


def read_sums(data: Mapping[str, Any]) -> Sums:
    """Return the sums from the data of `Sums.to_data`."""
    tallies = {int(player): read_tally(*told) for player, told in data["tallies"].items()}
    return Sums(Counter(data["counts"]), data["topped"], tallies)


def read_tally(
    plays: int, attack: list[Any], defence: list[Any], passed: list[Any], fixed: Mapping[str, int] = NO_PLAYS
) -> Tally:
    own = [read_note_sum(each) for each in (attack, defence, passed)]
    return Tally(plays, own[0], own[1], own[2], read_fixed_data(fixed))


def note_sum_data(notes: NoteSum) -> list[Any]:
    return [notes.count, {str(denominator): numerator for denominator, numerator in notes.numerators.items()}]


def read_note_sum(data: list[Any]) -> NoteSum:
    count, numerators = data
    return NoteSum(count, {int(denominator): numerator for denominator, numerator in numerators.items()})


def fixed_data(tally: Tally) -> dict[str, int]:
    return {f"{part} {fixed}": count for (part, fixed), count in tally.fixed.items()}


def read_fixed_data(data: Mapping[str, int]) -> dict[tuple[Part, FixedNote], int]:
    read = ((name.split(" ", 1), count) for name, count in data.items())
    return {(Part(part), read_ruled_note(fixed)): count for (part, fixed), count in read}


NOTHING: Mapping[int, Fraction] = MappingProxyType({})
SCORED, MISSING, ANNULLED, NOT_PLAYED = "scored", "missing", "annulled", "not_played"


class EtuiFigures(NamedTuple):
    """The figures of an étui's plays: four lists of equal length.

    `ids` are the ids of the plays. `scored` are the plays as values for `scoring`. `notes` are the notes of each play's
    seats, or None. `states` are their states in standings, such as SCORED.
    """

    ids: Sequence[int]
    scored: Sequence[ScoringPlay]
    notes: Sequence[SeatNotes | None]
    states: Sequence[str]
    is_topped: bool  # whether at least two plays are compared

    @property
    def plays(self) -> dict[str, Any]:
        """The state, base score, taker, notes and part of each play, by the play's id, as data for JSON.

        If the arbiter has fixed notes of a play, `fixed` has the seats of these notes. The notes are then texts as the
        arbiter gave them, also "better 60".
        """
        # plays with the same score share one object of notes
        exact_notes = {id(each): write_notes(each) for each in self.notes if each}
        found: dict[str, Any] = {
            str(pk): {
                "state": state,
                "base_score": play.base_score,
                "taker": str(play.taker) if play.taker and play.base_score is not None else None,
                "notes": exact_notes[id(notes)] if notes else None,
                "part": part_on(play.etui),
            }
            for pk, state, play, notes in zip(self.ids, self.states, self.scored, self.notes, strict=True)
        }
        for pk, play in zip(self.ids, self.scored, strict=True):
            if play.fixed:
                found[str(pk)] |= describe_fixed(play, found[str(pk)]["notes"])
            if play.is_scored and (play.marks or len(play.by_seat) != len(LINES) or len(play.seats) > len(LINES)):
                found[str(pk)] |= {"marks": describe_marks(play)} | (
                    {"partner": str(play.partner)} if play.partner else {}
                )
        return found

    @property
    def sums(self) -> Sums:
        """The sums over the plays of this étui only."""
        return add_up([self], Sums())


def add_up(etuis: Collection[EtuiFigures], sums: Sums) -> Sums:
    """Add the counts and the players' sums of these étuis to `sums`, and return `sums`."""
    for etui in etuis:
        sums.counts.update(etui.states)
        sums.topped += etui.is_topped
        if more := sum(play.deals for play in etui.scored) - len(etui.scored):  # a sheet has the marks of later deals
            sums.counts.update({SCORED: more, NOT_PLAYED: -more})
    scored, notes = ([each for etui in etuis for each in getattr(etui, column)] for column in ("scored", "notes"))
    tally_plays(scored, notes, sums.tallies)
    return sums


class Rules(NamedTuple):
    """The rules of a tournament: `scoring` says how a deal is scored, `format` how scores become notes and ranks.

    `weights`: by what the marks of odd tables are multiplied, by the number of those who play (`note_plays`).
    """

    scoring: ScoringRules
    format: Format
    weights: Mapping[int, Fraction] = NOTHING


NAMES = tuple(map(str, SEATS))
COUNTED = {str(state): view.counted for state, view in VIEWS.items()}
ROW = (
    "id",
    "etui_id",
    "position",
    "table__number",
    *ALL_SEAT_COLUMNS,
    "resting",
    "state",
    "entry__covers",
    *(f"entry__{field}" for field in FIELDS),
)
SESSION = (
    "session_id",
    "session__group__one_topage",
    "session__results_version",
    "session__tournament__rules",
    "session__tournament__format",
)
STATE = ROW.index("state")
SEATED = slice(ROW.index("table__number") + 1, ROW.index("resting"))  # the columns of the seats in a row
FIFTH, RESTING, COVERS = SEATED.stop - 1, ROW.index("resting"), ROW.index("entry__covers")
OWNER = len(ROW)  # the index of the session's id in a row
ENTRY = slice(ROW.index("entry__kind"), len(ROW))  # the columns of the entry in a row
LINES_SEATED = slice(SEATED.start, FIFTH)
PARTNER, SHEET = ROW.index("entry__partner"), ROW.index("entry__marks")
Row = tuple[Any, ...]


def list_scoring_rows(plays: QuerySet[Play]) -> Any:
    """Return the queryset of the rows from which the figures are computed, sorted by étui.

    A row is a tuple of the columns ROW, then of the columns SESSION.
    """
    return (
        with_states(plays)
        .annotate(entry=FilteredRelation("entries", condition=Q(entries__current=True)))
        .order_by("etui_id", "session_id", "position", "table__number")
        .values_list(*ROW, *SESSION)
    )


ALL_ROWS = PreparedValues(lambda session: list_scoring_rows(Play.objects.filter(session=session)))


def play_rows(sessions: Sequence[int], etuis: Collection[int] | None = None) -> Sequence[Row]:
    """Return the rows of `list_scoring_rows` for the plays of these sessions (ids). `etuis` (ids) may restrict them."""
    if etuis is None and len(sessions) == 1:
        return ALL_ROWS(sessions[0])
    plays = Play.objects.filter(session__in=sessions)
    return list(list_scoring_rows(plays if etuis is None else plays.filter(etui__in=etuis)))


def figure_etuis(
    rows: Sequence[Row], splits: Mapping[tuple[int, int], EtuiSplit | None], rules: Rules, own: int
) -> dict[int, EtuiFigures]:
    """Return the figures of each étui by its id. `rows` are from `play_rows`, `splits` from `splits_of`.

    The plays of all sessions in the rows are compared. The returned figures are those of the plays of the session with
    the id `own`.
    """
    adjusted = adjustments_of(row[0] for row in rows if row[STATE] == PlayState.ADJUSTED)
    found = {
        etui: figure_etui(list(plays), splits, rules, adjusted) for etui, plays in groupby(rows, key=itemgetter(1))
    }
    if any(row[OWNER] != own for row in rows):
        mine = {row[0] for row in rows if row[OWNER] == own}
        found = {etui: part for etui, figures in found.items() if (part := keep_own(figures, mine)).ids}
    return found


def keep_own(figures: EtuiFigures, mine: Set[int]) -> EtuiFigures:
    """Return the figures of the plays in `mine` (ids) only. Their notes still come from the comparison of all plays."""
    kept = [pk in mine for pk in figures.ids]
    ids, scored, notes, states, topped = figures
    scored = list(compress(scored, kept))
    compared = any(play.is_scored and play.compared for play in scored)
    rest = list(compress(notes, kept)), list(compress(states, kept))
    return EtuiFigures(list(compress(ids, kept)), scored, *rest, is_topped=topped and compared)


def adjustments_of(plays: Iterable[int]) -> dict[int, Ruling]:
    """Return the newest ruling that adjusts each of these plays (ids), by the play's id."""
    if not (wanted := list(plays)):
        return {}
    rulings = Ruling.objects.filter(play__in=wanted, kind=Ruling.RulingKind.ADJUSTED).select_related("play__etui")
    return {ruling.play_id: ruling for ruling in rulings.order_by("pk")}


def figure_etui(
    rows: Sequence[Row],
    splits: Mapping[tuple[int, int], EtuiSplit | None],
    rules: Rules,
    adjusted: Mapping[int, Ruling],
) -> EtuiFigures:
    """Return the figures of one étui from the rows of its plays.

    If the étui was altered in a session, only plays with the same cards are compared. All plays before an alteration
    are one group. The plays of one session after its alteration are another group.
    """
    plays, states = [], []
    for row in rows:
        _pk, etui, position, table, *_rest = row
        owner = row[OWNER]
        part = find_etui_part(splits.get((owner, etui)), position, table)
        plays.append(read_scoring_play(row, part if part == BEFORE else (part, owner), rules, adjusted))
        states.append(COUNTED[row[STATE]])
    check_plays(plays, rules.format)
    compared = Counter(play.etui for play in plays if play.is_scored and play.compared)
    notes = note_plays(plays, rules.format, rules.weights)
    return EtuiFigures([row[0] for row in rows], plays, notes, states, any(count > 1 for count in compared.values()))


def read_scoring_play(row: Row, key: Hashable, rules: Rules, adjusted: Mapping[int, Ruling]) -> ScoringPlay:
    """Return the play of a row as a value for scoring, as the arbiter has adjusted it.

    `key` is the étui of the value: plays with the same key are compared. `adjusted` is from `adjustments_of`.
    """
    state = row[STATE]
    taker, score = score_entry(row[ENTRY], rules.scoring)
    if rules.format.has_games:
        play = read_free_play(row, key, taker, score)
    else:
        play = ScoringPlay(key, row[LINES_SEATED], taker, score if COUNTED[state] == SCORED else None)
    return adjust(play, adjusted[row[0]], rules) if state == PlayState.ADJUSTED else play


def read_free_play(row: Row, key: Hashable, taker: str | None, score: int | None) -> ScoringPlay:
    """Return the play of a row where the tables deal: without the one who rests, with a partner or a sheet's marks."""
    seated = row[SEATED] if row[FIFTH] is not None else row[LINES_SEATED]
    if row[SHEET] and COUNTED[row[STATE]] == SCORED:  # a sheet also has the marks of the one who rests in this deal
        marks = read_marks(row[SHEET])
        given = tuple(marks.get(seat) for seat in SEATS[: len(seated)])
        return ScoringPlay(key, seated, None, None, marks=given, deals=row[COVERS], resting=row[RESTING])
    seats = tuple(None if seat == row[RESTING] else who for seat, who in zip(SEATS, seated, strict=False))
    if COUNTED[row[STATE]] != SCORED:
        return ScoringPlay(key, seats, taker, None)
    return ScoringPlay(key, seats, taker, score, partner=row[PARTNER] or None)


def part_on(part_key: Hashable) -> int:
    """Return BEFORE or AFTER for the key of a part, which also names the session for AFTER."""
    return BEFORE if part_key == BEFORE else AFTER


def adjust(play: ScoringPlay, ruling: Ruling, rules: Rules) -> ScoringPlay:
    """Return the play with the base score and the fixed notes of the arbiter's ruling.

    A base score of a replay does not count. If the étui names no taker, the ruling may name one.
    """
    taker, score = (None, None) if ruling.play.is_replay else (play.taker, play.base_score)
    if ruling.score is not None and not ruling.play.is_replay:
        taker, score = ruling.taker or None, ruling.score
    if named := rules.format.find_taker(ruling.play.etui.taker):
        taker = named
    elif taker is None and score is None and ruling.taker:
        taker = ruling.taker
    if ruling.marks:
        given = tuple(ruling.marks.get(seat) for seat in SEATS[: len(play.seats)])
        return play._replace(taker=None, base_score=None, partner=None, marks=given)
    partner = (ruling.partner if ruling.score is not None else play.partner) or None
    if rules.format.has_free_deals:
        return play._replace(taker=taker, base_score=score, partner=ruling.partner or None, marks=(), deals=1)
    notes = spread_notes(play, ruling.notes)
    fixed = tuple(read_ruled_note(notes[seat]) if seat in notes else None for seat in SEATS[: len(play.seats)])
    fixed = fixed if any(fixed) else ()
    return play._replace(taker=taker, base_score=score, fixed=fixed, compared=ruling.compared, partner=partner)


def spread_notes(play: ScoringPlay, notes: Mapping[str, str]) -> dict[str, str]:
    """Return the fixed notes, with a team's note on all seats of the team. `notes` may name only one of its seats."""
    given: dict[Hashable, str] = {}
    for seat, team in play.by_seat.items():
        if seat in notes:
            given.setdefault(team, notes[seat])
    return {seat: given[team] for seat, team in play.by_seat.items() if team in given}


def describe_marks(play: ScoringPlay) -> dict[str, int]:
    """Return the marks by seat of a play whose marks do not follow from a base score among four."""
    return {str(seat): mark for seat, mark in zip(SEATS, find_marks(play), strict=False) if mark is not None}


def describe_fixed(play: ScoringPlay, notes: dict[str, str] | None) -> dict[str, Any]:
    """Return the taker, the notes and the fixed notes of a play in which the arbiter fixed notes.

    They take the place of what `EtuiFigures.plays` writes for other plays.
    """
    fixed = {seat: str(note) for seat, note in zip(NAMES, play.fixed, strict=False) if note}
    others = notes or dict.fromkeys(map(str, play.by_seat))
    out = {} if play.compared else {"compared": False}
    return {"taker": play.taker and str(play.taker), "notes": others | fixed, "fixed": list(fixed), **out}


@lru_cache(maxsize=65_536)
def score_entry(columns: Row, rules: ScoringRules) -> tuple[str | None, int | None]:
    """Return the taker and the base score of an entry, or (None, None) if there is no entry.

    `columns` are the values of FIELDS. The result is cached, because thousands of plays have few different entries.
    """
    entry = to_entry(dict(zip(FIELDS, columns, strict=True))) if columns[0] else None
    return (taker_of(entry), base_score(entry, rules)) if entry else (None, None)


def write_notes(notes: SeatNotes) -> dict[str, str]:
    """Return the notes of a play by line, as exact fractions in text."""
    written = {id(note): str(note) for note in notes}  # three defenders share one note
    return {seat: written[id(note)] for seat, note in zip(NAMES, notes, strict=False) if note is not None}


def exact(value: Fraction | None) -> str | None:
    """Return a fraction as text, such as "175/2". None stays None."""
    return None if value is None else str(value)
