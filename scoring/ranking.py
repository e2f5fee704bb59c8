"""Knows how the plays of a session become percentages and ranks; not how a deal is scored, nor what is published.

Everything is an exact fraction of 100; rounding is for whoever shows it. Sources: FFT 2012 pp. 13-26 for the
imposed contract; docs/scoring.md for the free auction and for what the FFT leaves open.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from scoring.contract import marks
from scoring.errors import ScoringError
from scoring.topage import complement, topage

NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Line(StrEnum):
    """An orientation, kept by a player for the whole session."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"


@dataclass(frozen=True, slots=True)
class ScoringPlay:
    """One étui at one table. `base_score` is None while missing, and when annulled: the play then counts nowhere.

    `taker` is None, with a base score of 0, where everyone passed in a free auction.
    """

    board: Hashable
    north: Hashable
    east: Hashable
    south: Hashable
    west: Hashable
    taker: Line | None
    base_score: int | None

    @property
    def by_line(self) -> dict[Line, Hashable]:
        return dict(zip(Line, (self.north, self.east, self.south, self.west), strict=True))


@dataclass(frozen=True, slots=True)
class PlayNotes:
    """The note of each seat for one play, 0 to 100."""

    north: Fraction
    east: Fraction
    south: Fraction
    west: Fraction

    @property
    def by_line(self) -> dict[Line, Fraction]:
        return dict(zip(Line, (self.north, self.east, self.south, self.west), strict=True))


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

    `overall` is what he is ranked by: the penalty, in percentage points, is already taken off.
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


@dataclass(frozen=True, slots=True)
class Standings:
    """`players` in the order of the classement général, unranked last; `notes` parallel to the plays."""

    players: tuple[PlayerStanding, ...]
    notes: tuple[PlayNotes | None, ...]


def _compare_takers(plays: Sequence[ScoringPlay]) -> list[PlayNotes]:
    """Takers are compared by base score; each defender has the complement of his taker's note."""
    notes = topage([_score(play) for play in plays])
    return [
        PlayNotes(*(note if line == play.taker else complement(note) for line in Line))
        for play, note in zip(plays, notes, strict=True)
    ]


def _compare_seats(plays: Sequence[ScoringPlay]) -> list[PlayNotes]:
    """Each seat is compared with the same seat at the other tables by its own mark."""
    columns = [topage([_mark(play, line) for play in plays]) for line in Line]
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
) -> Standings:
    """Plays in any order → notes, percentages and ranks of everyone who sits in one of them.

    `unranked` players have notes that count for everybody, percentages, and no rank: the others are ranked as if they
    were not there. `penalties` are percentage points, 0 or more, taken off the overall percentage. `lines` are the
    lines in which players are ranked wherever they sit; anyone else is ranked in the one line that he sits on.
    Plays topped apart, such as those before and after an étui was altered, have different boards.

    Raises ScoringError, with the play's index as `params["play"]`, on a player at two places of a play, or on two
    lines without one in `lines`, and on a base score without the taker it belongs to; ValueError on a penalty below 0.
    """
    if any(penalty < 0 for penalty in penalties.values()):
        raise ValueError("a penalty takes percentage points off: it cannot be below 0")
    ranked_in = _lines(plays, rules, lines)
    notes = _notes(plays, rules)
    tallies = {player: _Tally() for player in ranked_in}
    for play, play_notes in zip(plays, notes, strict=True):
        if play_notes is not None:
            for line, player in play.by_line.items():
                tallies[player].add(play.taker, line, play_notes.by_line[line])
    penalty = {player: penalties.get(player, Fraction()) for player in ranked_in}
    overall = {player: _penalise(tally.overall(rules), penalty[player], rules) for player, tally in tallies.items()}
    ranked = {player: -value for player, value in overall.items() if value is not None and player not in unranked}
    general = _ranks({player: (value,) for player, value in ranked.items()})
    by_line = _ranks_by_line(ranked_in, ranked)
    # The firsts of each line in order of %, then the seconds, and so on.
    alterne = _ranks({player: (by_line[player], value) for player, value in ranked.items()})
    players = [
        PlayerStanding(
            player=player,
            line=line,
            attack=_mean(tallies[player].attack),
            defence=_mean(tallies[player].defence),
            overall=overall[player],
            attacks=len(tallies[player].attack),
            defences=len(tallies[player].defence),
            rank_general=general.get(player),
            rank_line=by_line.get(player),
            rank_alterne=alterne.get(player),
            penalty=penalty[player],
        )
        for player, line in ranked_in.items()
    ]
    last = len(players) + 1
    players.sort(key=lambda standing: standing.rank_general or last)
    return Standings(tuple(players), tuple(notes))


def _penalise(overall: Fraction | None, penalty: Fraction, rules: RankingRules) -> Fraction | None:
    """The percentage after the penalty, which a floor may spare but which lifts nobody."""
    if overall is None:
        return None
    left = overall - penalty
    return left if rules.penalty_floor is None else min(overall, max(left, rules.penalty_floor))


def _lines(plays: Sequence[ScoringPlay], rules: RankingRules, given: Mapping[Any, Line]) -> dict[Hashable, Line]:
    """The line of each player, in order of first appearance; refuses plays that contradict one another."""
    lines: dict[Hashable, Line] = {}
    for index, play in enumerate(plays):
        here: dict[Hashable, Line] = {}
        for line, player in play.by_line.items():
            told = {"player": player, "play": index, "second": line}
            if player in here:
                raise ScoringError("player_twice", line, told | {"first": here[player]})
            if lines.setdefault(player, given.get(player, line)) != line and player not in given:
                raise ScoringError("player_on_two_lines", line, told | {"first": lines[player]})
            here[player] = line
        passed = rules.may_pass and play.base_score == 0
        if play.taker is None and play.base_score is not None and not passed:
            raise ScoringError("taker_missing", "taker", {"play": index, "base_score": play.base_score})
    return lines


def _notes(plays: Sequence[ScoringPlay], rules: RankingRules) -> list[PlayNotes | None]:
    """The notes of each play; None for one without a base score, which leaves the count of its étui too."""
    indexes: dict[Hashable, list[int]] = {}
    for index, play in enumerate(plays):
        if play.base_score is not None:
            indexes.setdefault(play.board, []).append(index)
    notes: list[PlayNotes | None] = [None] * len(plays)
    for played in indexes.values():
        for index, play_notes in zip(played, rules.compare([plays[index] for index in played]), strict=True):
            notes[index] = play_notes
    return notes


@dataclass(slots=True)
class _Tally:
    """One player's notes so far, by the part he had in the deal."""

    attack: list[Fraction] = field(default_factory=list)
    defence: list[Fraction] = field(default_factory=list)
    passed: list[Fraction] = field(default_factory=list)

    def add(self, taker: Line | None, line: Line, note: Fraction) -> None:
        part = self.passed if taker is None else self.attack if taker == line else self.defence
        part.append(note)

    def overall(self, rules: RankingRules) -> Fraction | None:
        attack, defence = _mean(self.attack), _mean(self.defence)
        if rules.attack_weight is None:
            return _mean(self.attack + self.defence + self.passed)
        if attack is None or defence is None:  # only one side played: that mean stands (not settled by the FFT)
            return defence if attack is None else attack
        return rules.attack_weight * attack + (1 - rules.attack_weight) * defence


def _mean(notes: Sequence[Fraction]) -> Fraction | None:
    return sum(notes, Fraction()) / len(notes) if notes else None


def _ranks(keys: Mapping[Hashable, tuple[Fraction | int, ...]]) -> dict[Hashable, int]:
    """Lowest key first; equal keys share a rank and the next one counts them all: 1, 1, 3."""
    ranks: dict[Hashable, int] = {}
    first: dict[tuple[Fraction | int, ...], int] = {}
    for place, player in enumerate(sorted(keys, key=lambda player: keys[player]), start=1):
        ranks[player] = first.setdefault(keys[player], place)
    return ranks


def _ranks_by_line(lines: Mapping[Hashable, Line], ranked: Mapping[Hashable, Fraction]) -> dict[Hashable, int]:
    ranks: dict[Hashable, int] = {}
    for line in Line:
        ranks |= _ranks({player: (value,) for player, value in ranked.items() if lines[player] == line})
    return ranks
