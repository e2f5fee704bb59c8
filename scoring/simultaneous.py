"""The field of a simultaneous: the plays of all clubs on one set of étuis are compared together and ranked.

In a comparison of many tables, the notes of a play depend only on its taker, its base score, and how often each score
occurs. So a table of frequencies is enough to find every note again, without the plays.

Each club's session has its own standings (`scoring.ranking`), which this module does not touch. The field is computed
by the same functions from all plays at once. What arbiters of a club have decided is in its plays and penalties, and
stays as it is there. docs/simultaneous.md has the reasons for each rule.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.contract import marks
from scoring.formats import Format
from scoring.notes import Tally, halves_by_score, note_of
from scoring.plays import LINES, ScoringPlay, SeatNotes
from scoring.ranking import PlayerStanding, check_plays, note_plays, rank_players, tally_plays
from scoring.ties import UnrankedReason, find_unranked


class TakenScore(NamedTuple):
    """A base score with the seat that took, or None if everybody passed."""

    taker: str | None
    base_score: int


Frequencies = Mapping[TakenScore, int]


def count_scores(plays: Iterable[ScoringPlay]) -> dict[Hashable, Counter[TakenScore]]:
    """Return how often each score occurs in the compared plays, by étui."""
    counts: dict[Hashable, Counter[TakenScore]] = {}
    for play in plays:
        if play.base_score is not None and play.compared:
            taker = None if play.taker is None else str(play.taker)
            counts.setdefault(play.etui, Counter())[TakenScore(taker, play.base_score)] += 1
    return counts


def find_notes_by_score(frequencies: Frequencies, rules: Format) -> dict[TakenScore, SeatNotes]:
    """Return the notes of the four seats for each score of an étui, as `note_plays` gives them to its plays.

    The format is one in which everybody plays alone, and no seat is empty.
    """
    most = 2 * (sum(frequencies.values()) - 1)
    if not rules.compares_seats:
        halves = halves_by_score(_count_values({score: score.base_score for score in frequencies}, frequencies))
        return {score: _notes_of_taker(score, halves[score.base_score], most) for score in frequencies}
    marked = {score: _marks_of_seats(score) for score in frequencies}
    by_seat = [
        halves_by_score(_count_values({score: mark[place] for score, mark in marked.items()}, frequencies))
        for place, _line in enumerate(LINES)
    ]
    return {
        score: tuple(note_of(own[value], most) for own, value in zip(by_seat, mark, strict=True))
        for score, mark in marked.items()
    }


def _count_values(values: Mapping[TakenScore, int], frequencies: Frequencies) -> Counter[int]:
    """Return how often each value occurs. `values` has the value of each score."""
    counted = Counter[int]()
    for score, value in values.items():
        counted[value] += frequencies[score]
    return counted


def _notes_of_taker(score: TakenScore, halves: int, most: int) -> SeatNotes:
    return tuple(note_of(halves if line == score.taker else most - halves, most) for line in LINES)


def _marks_of_seats(score: TakenScore) -> list[int]:
    mark = marks(score.base_score, len(LINES))
    return [mark.taker if line == score.taker else mark.defender for line in LINES]


class EtuiKey(NamedTuple):
    """The key of plays that are compared in a field: one étui with the same cards.

    `part` is 1 before the organiser has altered the étui for all, 2 afterwards. `own` is the key of the session in
    which the étui was altered before the play, or None if its cards are those of everybody.
    """

    number: int
    part: int
    own: Any = None


class FieldEntrant(NamedTuple):
    """A player of one club's session: the person, the line, and whether the club ranks the player.

    `person` is the same value in all sessions in which the person plays. `ranked` is False for a filler.
    """

    person: Hashable
    line: str
    ranked: bool
    is_substitute: bool


@dataclass(frozen=True, slots=True)
class FieldSession:
    """The part of a field that one club's session brings.

    - `key`: the name of the session. `begun`: a value that orders sessions by their beginning.
    - `plays`: its plays. Their seats hold keys of `entrants`, which no other session has. Their `etui` is an `EtuiKey`.
    - `penalties`: percentage points taken off, by entrant.
    - `least_share`, `substitutes_ranked`: the settings of its tournament.
    """

    key: Any
    begun: Any
    plays: Sequence[ScoringPlay]
    entrants: Mapping[Any, FieldEntrant]
    penalties: Mapping[Any, Fraction] = field(default_factory=dict)
    least_share: int = 0
    substitutes_ranked: bool = True


@dataclass(frozen=True, slots=True)
class RankedField:
    """The ranking of a field, with the frequency of each score by étui.

    `players`: in the order of the classement général, unranked players last. `notes`: the notes of each play in the
    field, by the key of its session, in the order of the session's plays. `again`: the entrants who are left out,
    because the person counts in a session that began earlier. `tallies`: the sums of the players' notes.
    """

    players: tuple[PlayerStanding, ...]
    notes: Mapping[Any, Sequence[SeatNotes | None]]
    frequencies: Mapping[Hashable, Mapping[TakenScore, int]]
    again: Set[Any]
    tallies: Mapping[Any, Tally]


def rank_field(
    sessions: Iterable[FieldSession],
    rules: Format,
    *,
    annulled: Collection[int] = (),
    lookers: Collection[Hashable] = (),
    alterne: bool = True,
) -> RankedField:
    """Return the notes and the ranking of all players of these sessions, in whatever order these are given.

    - `annulled`: the numbers of the étuis for which nobody has a note, not even a fixed one.
    - `lookers`: the entrants who saw cards beforehand. They have percentages but no rank.
    - `alterne`: whether there is also a classement alterné, over the lines of all clubs.

    Raise ScoringError for a play that `check_plays` refuses.
    """
    ordered = sorted(sessions, key=lambda each: (each.begun, each.key))
    plays = [_annul(play) if is_annulled_for_all(play, annulled) else play for each in ordered for play in each.plays]
    check_plays(plays, rules)
    notes = note_plays(plays, rules)
    tallies = tally_plays(plays, notes)
    again = find_repeated(ordered, tallies)
    counted = {who: tallies[who] for each in ordered for who in each.entrants if who in tallies and who not in again}
    unranked = find_unranked_in_field(ordered, counted, lookers)
    players = rank_players(
        counted,
        {who: entrant.line for each in ordered for who, entrant in each.entrants.items()},
        replace(rules, alterne=rules.alterne and alterne),
        unranked=unranked,
        penalties={who: points for each in ordered for who, points in each.penalties.items()},
    )
    rest = iter(notes)
    by_session = {each.key: [next(rest) for _play in each.plays] for each in ordered}
    return RankedField(players, by_session, count_scores(plays), again, counted)


def is_annulled_for_all(play: ScoringPlay, annulled: Collection[int]) -> bool:
    """Return whether the étui of the play is annulled for all. `annulled` has the numbers of these étuis."""
    return isinstance(play.etui, EtuiKey) and play.etui.number in annulled


def _annul(play: ScoringPlay) -> ScoringPlay:
    return play._replace(base_score=None, fixed=())


def find_repeated(ordered: Sequence[FieldSession], tallies: Mapping[Any, Tally]) -> set[Any]:
    """Return the entrants whose person already counts in an earlier session. `ordered` has the earliest session first.

    A person counts in the first session that gives them a note. Within one session everybody counts.
    """
    counts_in: dict[Hashable, Any] = {}
    for each in ordered:
        for who, entrant in each.entrants.items():
            if who in tallies and tallies[who].deals:
                counts_in.setdefault(entrant.person, each.key)
    return {
        who
        for each in ordered
        for who, entrant in each.entrants.items()
        if counts_in.get(entrant.person, each.key) != each.key
    }


def find_unranked_in_field(
    sessions: Sequence[FieldSession], tallies: Mapping[Any, Tally], lookers: Collection[Hashable]
) -> dict[Any, UnrankedReason]:
    """Return the reason of each player without a rank in the field.

    Fillers and substitutes are as their club has them. The least share of the deals is the club's own, of the deals of
    the player who has the most in the whole field.
    """
    deals = {who: tally.deals for who, tally in tallies.items()}
    most = max(deals.values(), default=0)
    reasons: dict[Any, UnrankedReason] = {}
    for each in sessions:
        present = {who: entrant for who, entrant in each.entrants.items() if who in deals}
        reasons |= find_unranked(
            {who: deals[who] for who in present},
            least_share=each.least_share,
            fillers={who for who, entrant in present.items() if not entrant.ranked},
            substitutes={
                who for who, entrant in present.items() if entrant.is_substitute and not each.substitutes_ranked
            },
            most=most,
        )
        reasons |= {who: UnrankedReason.LOOKED for who in present if who in lookers}
    return reasons
