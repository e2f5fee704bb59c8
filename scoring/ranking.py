"""The percentages and ranks of a session, computed from its plays.

Every percentage is an exact fraction; only a page or a file rounds it. Sources: FFT 2012 pp. 13-26 for the imposed
contract; docs/scoring.md for the free auction, and for questions that the FFT leaves open.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from math import lcm
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.errors import ScoringError
from scoring.formats import FREE_AUCTION, INDIVIDUAL, Format, Share, Total, Unit
from scoring.free import count_rests
from scoring.notes import Tally, find_deal_part, mean, total
from scoring.plays import LINES, SEATS, Line, ScoringPlay, SeatNotes, list_counted_seats
from scoring.ties import (
    OF_MARKS,
    OF_PER_CENT,
    SHARED,
    TieBreak,
    TieRules,
    UnrankedReason,
    find_unranked,
    share_ranks,
    tell_apart,
)

__all__ = [
    "FREE_AUCTION",
    "INDIVIDUAL",
    "LINES",
    "Format",
    "Line",
    "PlayerStanding",
    "ScoringPlay",
    "SeatNotes",
    "Standings",
    "check_plays",
    "collect_notes",
    "note_plays",
    "rank_players",
    "standings",
    "tally_plays",
]

NOTHING: Mapping[Any, Any] = MappingProxyType({})
CRITERIA: Mapping[Unit, Sequence[TieBreak]] = {
    Unit.PER_CENT: OF_PER_CENT,
    Unit.MATCH_POINTS: (TieBreak.DRAW,),
    Unit.MARKS: OF_MARKS,
}
TOGETHER = {Total.MEAN: mean, Total.SUM: total}


class PlayerStanding(NamedTuple):
    """The percentages and ranks of one competitor.

    - `attack`, `defence`: None without notes in that part. If a format adds notes up, these are sums, not percentages.
    - `line`: empty if the format has no lines.
    - `overall`: the figure by which competitors are ranked. `penalty`, in the same unit, is already taken off.
    - `deals`: the number of notes, with those of deals that all four passed.
    - `unranked`: the reason for having no rank.
    - `told`: the last criterion that separated the competitor from others with the same percentage.
    """

    player: Hashable
    line: str
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
    unranked: UnrankedReason | None = None
    told: TieBreak | None = None


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings of a session.

    `players`: in the order of the classement général, unranked players last. `notes`: the notes of each play, in the
    order of the plays, or None for a play without notes.
    """

    players: tuple[PlayerStanding, ...]
    notes: tuple[SeatNotes | None, ...]


def standings(
    plays: Sequence[ScoringPlay],
    rules: Format = INDIVIDUAL,
    *,
    unranked: Set[Hashable] = frozenset(),
    penalties: Mapping[Any, Fraction] = NOTHING,
    lines: Mapping[Any, str] = NOTHING,
    least_share: int = 0,
    ties: TieRules = SHARED,
    notes: Sequence[SeatNotes | None] | None = None,
) -> Standings:
    """Return the notes, percentages and ranks of every player of these plays. The plays may be in any order.

    - `unranked`: players who have percentages but no rank. Their notes count when plays are compared.
    - `penalties`: points taken off the overall figure, in its unit, below 0 for a bonus.
    - `lines`: the line in which a player is ranked, whatever their seats. Other players sit on one line only.
    - `least_share`: a player with less than this per cent of the deals is unranked too (`find_unranked`).
    - `ties`: the rules that order players with equal percentages.
    - `notes`: the notes of each play, if the plays were already compared, also with plays that are not given here.

    Raise ScoringError for a play that `check_plays` refuses, and for a player on two lines who is not in `lines`. The
    `params["play"]` of the error is the index of the play.
    """
    check_plays(plays, rules)
    ranked_in = _lines(plays, lines, rules)
    notes = note_plays(plays, rules) if notes is None else notes
    tallies = {player: Tally() for player in ranked_in} | tally_plays(plays, notes)
    deals = {player: tally.deals for player, tally in tallies.items()}
    reasons = find_unranked(deals, least_share=least_share, fillers=unranked)
    ties = replace(ties, notes_of=lambda wanted: collect_notes(plays, notes, wanted))
    players = rank_players(tallies, ranked_in, rules, unranked=reasons, penalties=penalties, ties=ties)
    fixed = (_with_fixed(play, own, tallies) if play.fixed else own for play, own in zip(plays, notes, strict=True))
    return Standings(players, tuple(fixed))


def _with_fixed(play: ScoringPlay, notes: SeatNotes | None, tallies: Mapping[Any, Tally]) -> SeatNotes:
    """Return the notes of a play: those that the arbiter fixed, and the notes of the topage for the other seats."""
    no_notes = (None,) * len(play.seats)
    return tuple(
        tallies[player].resolve(find_deal_part(line, play.taker, play.base_score), fixed) if fixed else note
        for line, player, fixed, note in zip(SEATS, play.seats, play.fixed, notes or no_notes, strict=False)
    )


def collect_notes(
    plays: Sequence[ScoringPlay], notes: Sequence[SeatNotes | None], wanted: Collection[Any]
) -> dict[Any, list[Fraction]]:
    """Return the notes from the topage for each of these players. `notes` has the notes of each play.

    Notes that the arbiter fixed are left out.
    """
    notes_of_players: dict[Any, list[Fraction]] = {player: [] for player in wanted}
    for play, play_notes in zip(plays, notes, strict=True):
        if play_notes is None:
            continue
        for place, player in list_counted_seats(play.seats, play.taker):
            note = None if play.fixed and play.fixed[place] else play_notes[place]
            if note is not None and player in notes_of_players:
                notes_of_players[player].append(note)
    return notes_of_players


def tally_plays(
    plays: Sequence[ScoringPlay], notes: Sequence[SeatNotes | None], tallies: dict[Any, Tally] | None = None
) -> dict[Any, Tally]:
    """Return the tallies of the players in these plays. If `tallies` is given, add the plays to it.

    `notes` has the notes of each play, as `note_plays` returns them.
    """
    tallies = {} if tallies is None else tallies
    written: dict[int, list[tuple[int, int] | None]] = {}  # many plays share one notes object: split it once
    for play, play_notes in zip(plays, notes, strict=True):
        seats, taker, base_score, fixed = play[1:5]
        parts = written.get(id(play_notes))
        if parts is None:
            parts = written[id(play_notes)] = [
                None if note is None else (note.denominator, note.numerator) for note in play_notes or ()
            ]
        for place, player in list_counted_seats(seats, taker):
            tally = tallies.get(player)
            if tally is None:
                tally = tallies[player] = Tally()
            tally.plays += 1
            if fixed and (fixed_note := fixed[place]):
                tally.fix(find_deal_part(SEATS[place], taker, base_score), fixed_note)
            elif parts and (note := parts[place]):
                part = tally.passed if taker is None else tally.attack if taker == SEATS[place] else tally.defence
                part.add(*note)
                if play.marks:  # the sheet of a game is one play with the marks of several deals
                    part.count += count_deals_of_seat(play, SEATS[place]) - 1
    return tallies


def count_deals_of_seat(play: ScoringPlay, seat: str) -> int:
    """Return how many deals of a sheet a seat has played. Where one of five rests, they rest in turn."""
    return play.deals - count_rests(play.by_seat, play.resting, play.deals, seat) if play.resting else play.deals


def rank_players(
    tallies: Mapping[Any, Tally],
    lines: Mapping[Any, str],
    rules: Format,
    *,
    unranked: Mapping[Any, UnrankedReason] = NOTHING,
    penalties: Mapping[Any, Fraction] = NOTHING,
    ties: TieRules = SHARED,
) -> tuple[PlayerStanding, ...]:
    """Return the percentages and ranks of the players, in the order of `Standings.players`.

    Players who share a rank stay in the order of `tallies`. `lines`: the line of each player. `unranked`: the reason of
    each player without a rank. CRITERIA has the
    criteria of each unit. If match points are added up, only lots may separate competitors.
    """
    ties = replace(ties, criteria=[each for each in ties.criteria if each in CRITERIA[rules.unit]])
    tallies = {player: tally.with_fixed() for player, tally in tallies.items()}
    penalty = {player: penalties.get(player, Fraction()) for player in tallies}
    together = TOGETHER[rules.total]
    attack = {player: together(tally.attack) for player, tally in tallies.items()}
    defence = {player: together(tally.defence) for player, tally in tallies.items()}
    overall = {
        player: _penalise(_overall(tally, attack[player], defence[player], rules), penalty[player], rules)
        for player, tally in tallies.items()
    }
    ranked = {player: value for player, value in overall.items() if value is not None and player not in unranked}
    common = lcm(*(value.denominator for value in ranked.values()))  # comparing whole numbers is much faster
    general = share_ranks(
        {player: -value.numerator * (common // value.denominator) for player, value in ranked.items()}
    )
    general, separated = tell_apart(general, ties.criteria, ties.measure_with(attack, defence))
    # From here on ranks are compared, not percentages, because they include the criteria that broke ties.
    by_line: dict[Any, int] = {}
    for line in rules.lines:
        by_line |= share_ranks({player: rank for player, rank in general.items() if lines[player] == line})
    # First come the best players of all lines, in the order of their ranks, then the second of all lines, and so on.
    alterne = share_ranks({player: (by_line[player], general[player]) for player in by_line if rules.alterne})
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
            told=separated.get(player),
        )
        for player, tally in tallies.items()
    ]
    last = len(players) + 1
    players.sort(key=lambda standing: standing.rank_general or last)
    return tuple(players)


def _overall(tally: Tally, attack: Fraction | None, defence: Fraction | None, rules: Format) -> Fraction | None:
    if rules.attack_weight is None:
        return TOGETHER[rules.total](tally.attack, tally.defence, tally.passed)
    if attack is None or defence is None:  # only one side played: its mean is the overall one (not settled by the FFT)
        return defence if attack is None else attack
    return weigh_sides(attack, defence, rules.attack_weight)


def weigh_sides(attack: Fraction, defence: Fraction, weight: Fraction) -> Fraction:
    """Return the mean of both sides, in which the attack has this weight and the defence the rest.

    It is one fraction, because a ranking needs it for hundreds of players. Three operations take three times as long.
    """
    whole, part = weight.denominator, weight.numerator
    above = part * attack.numerator * defence.denominator + (whole - part) * defence.numerator * attack.denominator
    return Fraction(above, whole * attack.denominator * defence.denominator)


def _penalise(overall: Fraction | None, penalty: Fraction, rules: Format) -> Fraction | None:
    """Return the percentage after the penalty, which is negative for a bonus.

    If the format has a floor, a penalty stops there. A percentage that is already below the floor stays as it is.
    """
    if overall is None or not penalty:
        return overall
    left = overall - penalty
    return left if rules.penalty_floor is None or penalty < 0 else min(overall, max(left, rules.penalty_floor))


def check_plays(plays: Sequence[ScoringPlay], rules: Format) -> None:
    """Raise ScoringError for a play with a player on two seats, or with too few or too many players.

    Raise ScoringError also for a base score without a taker.
    """
    most = rules.people[1]
    for index, play in enumerate(plays):
        # in all other plays, each seat has its own player
        if len({*play.seats, None}) <= most or len(play.seats) > most:
            _check_seats(play, index, rules)
        passed = rules.may_pass and play.base_score == 0
        if play.partner is not None or play.marks:
            _check_marks(play, index)
        if play.taker is None and play.base_score is not None and not passed:
            raise ScoringError("taker_missing", "taker", {"play": index, "base_score": play.base_score})


def _check_seats(play: ScoringPlay, index: int, rules: Format) -> None:
    """Check a play with an empty seat, or with a competitor who holds several seats."""
    players = [who for who in play.seats if who is not None]
    if rules.share is Share.SEAT and len(set(players)) < len(players):
        raise _seated_twice(play, index)
    least, most = rules.people
    if not least <= len(players) <= most:
        raise ScoringError(
            "people_at_table", "players", {"play": index, "value": len(players), "least": least, "most": most}
        )
    if play.base_score is not None and play.taker is not None and play.taker not in play.by_seat:
        raise ScoringError("taker_missing", "taker", {"play": index, "base_score": play.base_score})


def _check_marks(play: ScoringPlay, index: int) -> None:
    """Check the partner, and the seats of the marks, of a play at a table that deals."""
    if play.partner is not None and (play.partner not in play.by_seat or len(play.by_seat) < len(SEATS)):
        raise ScoringError("partner_seat", "partner", {"play": index, "value": play.partner})
    if play.marks and any(
        mark is not None and who is None for mark, who in zip_longest(play.marks, play.seats, fillvalue=None)
    ):
        raise ScoringError("marks_without_player", "marks", {"play": index})


def _seated_twice(play: ScoringPlay, index: int) -> ScoringError:
    seats: dict[Hashable, str] = {}
    seat, player = next(
        (seat, player) for seat, player in play.by_seat.items() if seats.setdefault(player, seat) != seat
    )
    params = {"player": player, "play": index, "first": seats[player], "second": seat}
    return ScoringError("player_twice", seat, params)


def _lines(plays: Sequence[ScoringPlay], given: Mapping[Any, str], rules: Format) -> dict[Hashable, str]:
    """Return the line of each competitor, in order of first appearance.

    Raise ScoringError if a player sits on two lines.
    """
    lines: dict[Hashable, str] = {}
    line_of_seat = [seat if seat in rules.lines else "" for seat in SEATS]
    for index, play in enumerate(plays):
        for line, player in zip(line_of_seat, play.seats, strict=False):
            if lines.setdefault(player, given.get(player, line)) != line and player not in given and player is not None:
                params = {"player": player, "play": index, "first": lines[player], "second": line}
                raise ScoringError("player_on_two_lines", line, params)
    lines.pop(None, None)  # empty seats have no line
    return lines


def note_plays(
    plays: Sequence[ScoringPlay], rules: Format, weights: Mapping[int, Fraction] = NOTHING
) -> list[SeatNotes | None]:
    """Return the notes that the comparison with other tables gives each play.

    `weights`: the number by which the marks of a deal are multiplied, by the number of those who play it. Without a
    number it is 1.

    A play that is not compared, or has no base score, gets None and does not count among the plays of its étui.
    """
    indexes: dict[Hashable, list[int]] = {}
    for index, play in enumerate(plays):
        if play.is_scored and play.compared:
            indexes.setdefault(play.etui, []).append(index)
    notes: list[SeatNotes | None] = [None] * len(plays)
    for played in indexes.values():
        for index, play_notes in zip(played, rules.compare([plays[index] for index in played]), strict=True):
            notes[index] = play_notes
    if not weights:
        return notes
    return [weigh_marks(note, play.players, weights) for note, play in zip(notes, plays, strict=True)]


def weigh_marks(notes: SeatNotes | None, players: int, weights: Mapping[int, Fraction]) -> SeatNotes | None:
    """Return the marks of a play, multiplied by the weight of a table where `players` play a deal. None stays None."""
    if notes is None:
        return None
    weight = weights.get(players, Fraction(1))
    return tuple(None if note is None else note * weight for note in notes)
