"""Knows how the plays of a session become percentages and ranks; not how a deal is scored, nor what is published.

Everything is an exact fraction of 100; rounding is for whoever shows it. Sources: FFT 2012 pp. 13-26 for the
imposed contract; docs/scoring.md for the free auction and for what the FFT leaves open.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import lcm
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.contract import marks
from scoring.eligibility import Unranked, find_unranked
from scoring.errors import ScoringError
from scoring.fixed import FixedNote, part_of
from scoring.tally import Tally, mean
from scoring.ties import SHARED, TieBreak, TieRules, share_ranks, tell_apart
from scoring.topage import beaten_halves, most_halves, note_of, topage

NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Line(StrEnum):
    """An orientation, kept by a player for the whole session."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"


LINES = tuple(Line)  # to go through an enumeration itself takes ten times as long


class ScoringPlay(NamedTuple):
    """One étui at one table. `base_score` is None while missing, and when annulled: the play then counts nowhere.

    `taker` is None, with a base score of 0, where everyone passed in a free auction. `fixed`: by line, the notes that
    the arbiter has fixed in place of those of the topage, None for the others; empty where there is none. A play that
    is not `compared` is in no topage, and gives no other notes.
    """

    board: Hashable
    north: Hashable
    east: Hashable
    south: Hashable
    west: Hashable
    taker: Line | None
    base_score: int | None
    fixed: tuple[FixedNote | None, ...] = ()
    compared: bool = True

    @property
    def seats(self) -> tuple[Hashable, Hashable, Hashable, Hashable]:
        """Who sits there, in the order of the lines."""
        return self[1:5]

    @property
    def by_line(self) -> dict[Line, Hashable]:
        return dict(zip(LINES, self.seats, strict=True))


class PlayNotes(NamedTuple):
    """The note of each seat for one play, 0 to 100, in the order of the lines."""

    north: Fraction
    east: Fraction
    south: Fraction
    west: Fraction

    @property
    def by_line(self) -> dict[Line, Fraction]:
        return dict(zip(LINES, self, strict=True))


SeatNotes = PlayNotes | tuple[Fraction | None, ...]
NO_NOTES = (None,) * len(LINES)


@dataclass(frozen=True, slots=True)
class RankingRules:
    """How a session is ranked.

    `compare` gives the notes of one étui's plays, each of which has a base score. `attack_weight` weighs the attack
    mean against the defence mean; None: the mean of all notes counts. `may_pass`: a deal may be passed out.
    `penalty_floor`: what a penalty takes no percentage below; None: it may fall below 0 (not settled by the FFT).
    """

    name: str
    compare: Callable[[Sequence[ScoringPlay]], list[PlayNotes]]
    attack_weight: Fraction | None
    may_pass: bool
    penalty_floor: Fraction | None = None


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """A player's percentages, None where he has no note of that kind, with the number of notes and his ranks.

    `overall` is what he is ranked by: the penalty, in percentage points, is already taken off. `deals`: his notes, of
    deals passed out too. `unranked`: why he has no rank. `told`: what told him from others of the same percentage, the
    last of several.
    """

    player: Hashable
    line: Line
    attack: Fraction | None
    defence: Fraction | None
    overall: Fraction | None
    attacks: int
    defences: int
    rank_general: int | None
    rank_line: int | None
    rank_alterne: int | None
    penalty: Fraction = Fraction()
    deals: int = 0
    unranked: Unranked | None = None
    told: TieBreak | None = None


@dataclass(frozen=True, slots=True)
class Standings:
    """`players` in the order of the classement général, unranked last; `notes` parallel to the plays, None for a seat
    without one beside notes that the arbiter has fixed."""

    players: tuple[PlayerStanding, ...]
    notes: tuple[SeatNotes | None, ...]


def _compare_takers(plays: Sequence[ScoringPlay]) -> list[PlayNotes]:
    """Takers are compared by base score; each defender has the complement of his taker's note."""
    scores = [_score(play) for play in plays]
    most = most_halves(scores)
    return [_notes_around(play.taker, halves, most) for play, halves in zip(plays, beaten_halves(scores), strict=True)]


@lru_cache(maxsize=16_384)
def _notes_around(taker: Line | None, halves: int, most: int) -> PlayNotes:
    """Of a taker with so many half points of at most so many."""
    note, other = note_of(halves, most), note_of(most - halves, most)
    return PlayNotes(*(note if line == taker else other for line in LINES))


def _compare_seats(plays: Sequence[ScoringPlay]) -> list[PlayNotes]:
    """Each seat is compared with the same seat at the other tables by its own mark."""
    columns = [topage([_mark(play, line) for play in plays]) for line in LINES]
    return [PlayNotes(*notes) for notes in zip(*columns, strict=True)]


def _mark(play: ScoringPlay, line: Line) -> int:
    mark = marks(_score(play))
    return 0 if play.taker is None else mark.taker if line == play.taker else mark.defender


def _score(play: ScoringPlay) -> int:
    assert play.base_score is not None  # only such plays are compared
    return play.base_score


INDIVIDUAL = RankingRules("individual", _compare_takers, attack_weight=Fraction(1, 4), may_pass=False)
FREE_AUCTION = RankingRules("free_auction", _compare_seats, attack_weight=None, may_pass=True)
RANKING_RULES: Mapping[str, RankingRules] = {rules.name: rules for rules in (INDIVIDUAL, FREE_AUCTION)}


def standings(
    plays: Sequence[ScoringPlay],
    rules: RankingRules = INDIVIDUAL,
    *,
    unranked: Set[Hashable] = frozenset(),
    penalties: Mapping[Any, Fraction] = NOTHING,
    lines: Mapping[Any, Line] = NOTHING,
    least_share: int = 0,
    ties: TieRules = SHARED,
    notes: Sequence[PlayNotes | None] | None = None,
) -> Standings:
    """Plays in any order → notes, percentages and ranks of everyone who sits in one of them.

    `unranked` players have notes that count for everybody, percentages, and no rank: the others are ranked as if they
    were not there. `penalties` are percentage points taken off the overall percentage, below 0 a bonus. `lines` are the
    lines in which players are ranked wherever they sit; anyone else is ranked in the one line that he sits on. Unranked
    is also who has less than `least_share` per cent of the deals (`find_unranked`). `ties` tell equals apart.
    Plays topped apart, such as those before and after an étui was altered, have different boards. `notes`: those of the
    topage, parallel to the plays, where plays of others are in it.

    Raises ScoringError, with the play's index as `params["play"]`, on a player at two places of a play, or on two
    lines without one in `lines`, and on a base score without the taker it belongs to.
    """
    check_plays(plays, rules)
    ranked_in = _lines(plays, lines)
    notes = note_plays(plays, rules) if notes is None else notes
    tallies = {player: Tally() for player in ranked_in} | tally_plays(plays, notes)
    deals = {player: tally.deals for player, tally in tallies.items()}
    reasons = find_unranked(deals, least_share=least_share, fillers=unranked)
    ties = replace(ties, notes_of=lambda wanted: collect_notes(plays, notes, wanted))
    players = rank_players(tallies, ranked_in, rules, unranked=reasons, penalties=penalties, ties=ties)
    given = (_with_fixed(play, own, tallies) if play.fixed else own for play, own in zip(plays, notes, strict=True))
    return Standings(players, tuple(given))


def _with_fixed(play: ScoringPlay, notes: PlayNotes | None, tallies: Mapping[Any, Tally]) -> SeatNotes:
    """The notes of the topage, but for those that the arbiter has fixed, as they come out for these players."""
    return tuple(
        tallies[player].resolve(part_of(line, play.taker, play.base_score), fixed) if fixed else note
        for line, player, fixed, note in zip(LINES, play.seats, play.fixed, notes or NO_NOTES, strict=True)
    )


def collect_notes(
    plays: Sequence[ScoringPlay], notes: Sequence[PlayNotes | None], wanted: Collection[Any]
) -> dict[Any, list[Fraction]]:
    """All notes that the topage gives each of these players; `notes` parallel to the plays."""
    found: dict[Any, list[Fraction]] = {player: [] for player in wanted}
    for play, play_notes in zip(plays, notes, strict=True):
        for index, (player, note) in enumerate(zip(play.seats, play_notes or (), strict=False)):
            if player in found and not (play.fixed and play.fixed[index]):
                found[player].append(note)
    return found


def tally_plays(
    plays: Sequence[ScoringPlay], notes: Sequence[PlayNotes | None], tallies: dict[Any, Tally] | None = None
) -> dict[Any, Tally]:
    """What plays bring those who sit in them, added to `tallies` where there are some; `notes` parallel to the plays,
    as `note_plays` gives them."""
    tallies = {} if tallies is None else tallies
    written: dict[int, list[tuple[int, int]]] = {}  # notes that are one object are taken apart once
    for play, play_notes in zip(plays, notes, strict=True):
        taker, fixed, parts = play.taker, play.fixed, written.get(id(play_notes))
        if parts is None:
            parts = written[id(play_notes)] = [(note.denominator, note.numerator) for note in play_notes or ()]
        for index, player in enumerate(play.seats):
            tally = tallies.get(player)
            if tally is None:
                tally = tallies[player] = Tally()
            tally.plays += 1
            if fixed and (note := fixed[index]):
                tally.fix(part_of(LINES[index], taker, play.base_score), note)
            elif parts:
                part = tally.passed if taker is None else tally.attack if taker == LINES[index] else tally.defence
                part.add(*parts[index])
    return tallies


def rank_players(
    tallies: Mapping[Any, Tally],
    lines: Mapping[Any, Line],
    rules: RankingRules,
    *,
    unranked: Mapping[Any, Unranked] = NOTHING,
    penalties: Mapping[Any, Fraction] = NOTHING,
    ties: TieRules = SHARED,
) -> tuple[PlayerStanding, ...]:
    """Percentages and ranks from what each player's plays have brought, as `Standings.players`. Equals stand in the
    order of `tallies`; `lines` has the line of each of its players; `unranked` says why somebody has no rank."""
    tallies = {player: tally.with_fixed() for player, tally in tallies.items()}
    penalty = {player: penalties.get(player, Fraction()) for player in tallies}
    attack = {player: mean(tally.attack) for player, tally in tallies.items()}
    defence = {player: mean(tally.defence) for player, tally in tallies.items()}
    overall = {
        player: _penalise(_overall(tally, attack[player], defence[player], rules), penalty[player], rules)
        for player, tally in tallies.items()
    }
    ranked = {player: value for player, value in overall.items() if value is not None and player not in unranked}
    common = lcm(*(value.denominator for value in ranked.values()))  # whole numbers are compared much faster
    general = share_ranks(
        {player: -value.numerator * (common // value.denominator) for player, value in ranked.items()}
    )
    general, told = tell_apart(general, ties.criteria, ties.measure_with(attack, defence))
    # Ranks order as the percentages do, and equals as they were told apart.
    by_line: dict[Any, int] = {}
    for line in LINES:
        by_line |= share_ranks({player: rank for player, rank in general.items() if lines[player] == line})
    # The firsts of each line in order of %, then the seconds, and so on.
    alterne = share_ranks({player: (by_line[player], rank) for player, rank in general.items()})
    players = [
        PlayerStanding(
            player=player,
            line=lines[player],
            attack=attack[player],
            defence=defence[player],
            overall=overall[player],
            attacks=tally.attack.count,
            defences=tally.defence.count,
            rank_general=general.get(player),
            rank_line=by_line.get(player),
            rank_alterne=alterne.get(player),
            penalty=penalty[player],
            deals=tally.deals,
            unranked=unranked.get(player),
            told=told.get(player),
        )
        for player, tally in tallies.items()
    ]
    last = len(players) + 1
    players.sort(key=lambda standing: standing.rank_general or last)
    return tuple(players)


def _overall(tally: Tally, attack: Fraction | None, defence: Fraction | None, rules: RankingRules) -> Fraction | None:
    if rules.attack_weight is None:
        return mean(tally.attack, tally.defence, tally.passed)
    if attack is None or defence is None:  # only one side played: that mean stands (not settled by the FFT)
        return defence if attack is None else attack
    return defence + rules.attack_weight * (attack - defence)


def _penalise(overall: Fraction | None, penalty: Fraction, rules: RankingRules) -> Fraction | None:
    """The percentage after the penalty, which a floor may spare but which lifts nobody; a bonus is one below 0."""
    if overall is None or not penalty:
        return overall
    left = overall - penalty
    return left if rules.penalty_floor is None or penalty < 0 else min(overall, max(left, rules.penalty_floor))


def check_plays(plays: Sequence[ScoringPlay], rules: RankingRules) -> None:
    """Raises ScoringError on a player at two places of a play, and on a base score without the taker it belongs to."""
    for index, play in enumerate(plays):
        if len(set(play.seats)) < len(LINES):
            raise _seated_twice(play, index)
        passed = rules.may_pass and play.base_score == 0
        if play.taker is None and play.base_score is not None and not passed:
            raise ScoringError("taker_missing", "taker", {"play": index, "base_score": play.base_score})


def _seated_twice(play: ScoringPlay, index: int) -> ScoringError:
    here: dict[Hashable, Line] = {}
    line, player = next(
        (line, player) for line, player in zip(LINES, play.seats, strict=True) if here.setdefault(player, line) != line
    )
    told = {"player": player, "play": index, "first": here[player], "second": line}
    return ScoringError("player_twice", line, told)


def _lines(plays: Sequence[ScoringPlay], given: Mapping[Any, Line]) -> dict[Hashable, Line]:
    """The line of each player, in order of first appearance; refuses plays that contradict one another."""
    lines: dict[Hashable, Line] = {}
    for index, play in enumerate(plays):
        for line, player in zip(LINES, play.seats, strict=True):
            if lines.setdefault(player, given.get(player, line)) != line and player not in given:
                told = {"player": player, "play": index, "first": lines[player], "second": line}
                raise ScoringError("player_on_two_lines", line, told)
    return lines


def note_plays(plays: Sequence[ScoringPlay], rules: RankingRules) -> list[PlayNotes | None]:
    """What the topage gives each play; None for one that is not compared, or has no base score: it leaves the count of
    its étui too."""
    indexes: dict[Hashable, list[int]] = {}
    for index, play in enumerate(plays):
        if play.base_score is not None and play.compared:
            indexes.setdefault(play.board, []).append(index)
    notes: list[PlayNotes | None] = [None] * len(plays)
    for played in indexes.values():
        for index, play_notes in zip(played, rules.compare([plays[index] for index in played]), strict=True):
            notes[index] = play_notes
    return notes
