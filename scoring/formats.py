"""The formats in which tournaments are played and ranked, such as the individual tournament and the free auction.

A format is a value that holds everything in which formats differ. A caller finds it once, by the name in a tournament
or in a standings file, and reads its fields. This module has no rules for scoring a deal or planning an evening.
Sources: FFT 2012 pp. 13-26; docs/scoring.md for the free auction.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from scoring.errors import ScoringError
from scoring.free import count_marks, read_base_score, share_marks
from scoring.notes import beaten_halves, match_points, most_halves, note_of, topage
from scoring.plays import EAST_WEST, LINES, NORTH_SOUTH, SEATS, Line, ScoringPlay, SeatNotes, Sides, find_sides
from scoring.values import Contract


class Taker(StrEnum):
    """The ways to decide who takes, if no seat always takes: the étui says who, or an auction decides."""

    ETUI = "etui"
    AUCTION = "auction"


class Share(StrEnum):
    """The ways to give a play's notes to competitors."""

    SEAT = "seat"  # each seat has its own competitor, who gets a note
    SIDE = "side"  # a competitor may hold several seats, and still gets one note for the play


class Total(StrEnum):
    """The ways in which the notes of a competitor are combined."""

    MEAN = "mean"
    SUM = "sum"


class Unit(StrEnum):
    """The units of a competitor's notes and total."""

    PER_CENT = "per_cent"
    MATCH_POINTS = "match_points"
    MARKS = "marks"


class MatchPoints(Fraction):
    """A figure in match points. Pages and papers show it with three decimals and without a percent sign."""

    __slots__ = ()


class MarkPoints(Fraction):
    """A figure in marks. Pages and papers show it with its sign and without a percent sign."""

    __slots__ = ()


FIGURES: Mapping[Unit, Callable[[Fraction], Fraction]] = {Unit.MATCH_POINTS: MatchPoints, Unit.MARKS: MarkPoints}


@dataclass(frozen=True, slots=True)
class Format:
    """A way to play a tournament and to rank it.

    - `compare`: the function that gets the plays of one étui, each with a base score, and returns their notes.
    - `taker`: how the taker is decided, or the seat that always takes.
    - `contract`: the only contract; None if the taker chooses.
    - `barred`: the contracts that the taker may not choose.
    - `has_free_deals`: whether the tables deal, each its own cards. No étui is compared: the marks count as they are.
    - `quarters`: the positions of a match, in each of which another member of a team attacks; 0 if the format has no
      matches.
    - `least_teams`: the fewest teams with which a session starts; 0 if no teams meet at the tables.
    - `partners`: the size of the teams if everybody plays alone, and a team adds up the results of its players; else 0.
    - `may_pass`: whether all players of a table may pass.
    - `people`: the fewest and the most players at a table.
    - `lines`: the lines that have a ranking of their own. A competitor belongs to the line of their seat.
    - `attack_weight`: the weight of the attack mean, from 0 to 1; the defence mean has the rest. None if one total of
      all notes counts.
    - `alterne`: whether there is a classement alterné.
    - `penalty_floor`: the lowest total that a penalty can lead to; None if a total may fall below 0 (the FFT does not
      say).
    """

    name: str
    compare: Callable[[Sequence[ScoringPlay]], list[SeatNotes]]
    taker: Taker | Line
    contract: Contract | None
    may_pass: bool
    people: tuple[int, int] = (4, 4)
    lines: tuple[str, ...] = LINES
    share: Share = Share.SEAT
    attack_weight: Fraction | None = None
    total: Total = Total.MEAN
    unit: Unit = Unit.PER_CENT
    alterne: bool = True
    penalty_floor: Fraction | None = None
    barred: tuple[Contract, ...] = ()
    quarters: int = 0
    least_teams: int = 0
    partners: int = 0
    has_free_deals: bool = False

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """The contracts that the taker may play, the lowest first."""
        if self.contract is not None:
            return (self.contract,)
        return tuple(contract for contract in Contract if contract not in self.barred)

    @property
    def auction(self) -> str:
        """The name of the auction in reports, in the API and on a table's screen: "free" or "imposed"."""
        return "free" if self.taker is Taker.AUCTION else "imposed"

    @property
    def kind(self) -> str:
        """The name of the kind in the API: "individual" if everybody plays alone with étuis for four."""
        return self.form or INDIVIDUAL.name

    @property
    def word(self) -> str:
        """The word that forms use for the format.

        It is the name of the auction if everybody plays alone with étuis for four, otherwise the name of the format.
        """
        return self.form or self.auction

    @property
    def form(self) -> str:
        """The name of the format in reports, or "" if the name of the auction is enough to find it."""
        return "" if self in BY_AUCTION.values() else self.name

    @property
    def sums_teams(self) -> bool:
        """True if players play and are ranked alone, and a team adds up the results of its players."""
        return self.partners > 0 or self.has_free_deals

    @property
    def has_games(self) -> bool:
        """True if tables do not always have four players: they are seated game by game, and not by four lines."""
        return self.people != (len(LINES), len(LINES))

    @property
    def size(self) -> int:
        """The number of players at each table, or 0 if tables of one evening may have different numbers."""
        least, most = self.people
        return least if least == most else 0

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that a table of the format can have, in the order of SEATS."""
        return SEATS[: self.people[1]]

    @property
    def is_for_teams(self) -> bool:
        """True if two teams meet at a table, and a team has one note for a play."""
        return self.share is Share.SIDE

    @property
    def is_imposed(self) -> bool:
        """True if the taker is known before the cards are seen, without an auction."""
        return self.taker is not Taker.AUCTION

    @property
    def is_weighted(self) -> bool:
        """True if the attack mean and the defence mean have different weights."""
        return self.attack_weight is not None

    @property
    def compares_seats(self) -> bool:
        """True if each seat's mark is compared with the marks of the same seat at the other tables."""
        return self.compare is compare_seats

    @property
    def in_per_cent(self) -> bool:
        """True if notes and totals are percentages."""
        return self.unit is Unit.PER_CENT

    @property
    def has_matches(self) -> bool:
        """True if each team meets one other team in a session, and their match is won, drawn or lost."""
        return self.quarters > 0

    @property
    def is_mirrored(self) -> bool:
        """True if each étui between two teams has two halves: in one a team attacks, in the other it defends."""
        return self.is_for_teams and self.fixed_taker is not None

    @property
    def asks_contract(self) -> bool:
        """True if the taker is known beforehand, but chooses the contract."""
        return self.is_imposed and self.contract is None

    @property
    def fixed_taker(self) -> Line | None:
        """The seat that takes every étui, whatever the étui names, or None."""
        return self.taker if isinstance(self.taker, Line) else None

    @property
    def has_badges(self) -> bool:
        """True if the players of a team attack in turn, by the colours of their badges."""
        return self.is_for_teams and self.taker is Taker.ETUI

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of entry that a table may send for a play."""
        passed, sheet = ("passed",) if self.may_pass else (), ("sheet",) if self.has_free_deals else ()
        return ("facts", "fiche", *passed, *sheet)

    @property
    def settled(self) -> tuple[str, ...]:
        """The parts of a result that are settled before the cards are seen, so that nobody is asked for them."""
        return (*(("taker", "partner") if self.is_imposed else ()), *(("contract",) if self.contract else ()))

    def may_take(self, seat: str, etui_taker: str | None) -> bool:
        """Return whether the player on this seat may take an étui. `etui_taker`: the line that it names, if any."""
        return not self.is_imposed or seat == self.find_taker(etui_taker)

    def measure(self, figure: Fraction | None) -> Fraction | None:
        """Return a note or a total of this format with its unit: the plain fraction if it is a percentage.

        Otherwise it is `MatchPoints` or `MarkPoints`. None stays None.
        """
        return figure if figure is None or self.in_per_cent else FIGURES[self.unit](figure)

    def find_taker(self, etui_taker: str | None) -> Line | None:
        """Return the line that must take an étui. `etui_taker`: the line that the étui names, if any.

        Return None if the players bid, or if no line is named.
        """
        if self.fixed_taker:
            return self.fixed_taker
        return Line(etui_taker) if self.taker is Taker.ETUI and etui_taker else None


def compare_takers(plays: Sequence[ScoringPlay]) -> list[SeatNotes]:
    """Return the notes of each play: takers are compared by base score (FFT 2012 p. 17).

    Each defender gets 100 minus the taker's note.
    """
    scores = [read_base_score(play) for play in plays]
    most = most_halves(scores)
    around = [
        _notes_around(play.taker, halves, most, len(play.seats))
        for play, halves in zip(plays, beaten_halves(scores), strict=True)
    ]
    return [
        notes if None not in play.seats else _without_empty_seats(play, notes)
        for play, notes in zip(plays, around, strict=True)
    ]


@lru_cache(maxsize=16_384)
def _notes_around(taker: str | None, halves: int, most: int, seats: int) -> SeatNotes:
    """Return the notes of all seats, for a taker with `halves` of at most `most` half points of topage."""
    note, other = note_of(halves, most), note_of(most - halves, most)
    return tuple(note if seat == taker else other for seat in SEATS[:seats])


def compare_seats(plays: Sequence[ScoringPlay]) -> list[SeatNotes]:
    """Return the notes of each play. Each seat's mark is compared with the same seat's marks at other tables."""
    columns = zip(*map(share_marks, plays), strict=True)
    return list(zip(*map(_top_those_there, columns), strict=True))


def _top_those_there(column: Sequence[int | None]) -> list[Fraction | None]:
    """Return the notes for the marks of one seat at all tables, None where nobody sat there."""
    notes = iter(topage([mark for mark in column if mark is not None]))
    return [None if mark is None else next(notes) for mark in column]


def _without_empty_seats(play: ScoringPlay, notes: SeatNotes) -> SeatNotes:
    """Return the notes of a play, with None for each empty seat."""
    return tuple(None if who is None else note for who, note in zip(play.seats, notes, strict=True))


def compare_halves(plays: Sequence[ScoringPlay]) -> list[SeatNotes]:
    """Return the match points of each play of an étui, in the attacker's seat; the other seats have none.

    An étui between two teams has two halves: A attacks B, and B attacks A. A's points come from the play in which A
    attacks. So each team has the points of the étui once. Neither team has points if the other half is not among the
    plays. That half may be missing or annulled, or it was played after the étui was altered. Raise ScoringError if a
    team attacks another one twice.
    """
    return _compare_with_other_half(plays, lambda points: points)


def compare_winners(plays: Sequence[ScoringPlay]) -> list[SeatNotes]:
    """Return the match points of each play as `compare_halves` does, but 0 for the team that did not win the étui.

    If the two base scores are equal, both teams have 0 (FFT 2012, the chapter on team matches).
    """
    return _compare_with_other_half(plays, lambda points: max(points, Fraction()))


def _compare_with_other_half(plays: Sequence[ScoringPlay], keep: Callable[[Fraction], Fraction]) -> list[SeatNotes]:
    scores: defaultdict[Sides, list[int]] = defaultdict(list)
    sides = [find_sides(play) for play in plays]
    for play, (attacking, defending) in zip(plays, sides, strict=True):
        assert play.base_score is not None  # only plays with a base score are compared
        scores[Sides(attacking, defending)].append(play.base_score)
        if len(scores[Sides(attacking, defending)]) > 1:
            params = {"attacking": attacking, "defending": defending, "etui": play.etui}
            raise ScoringError("half_twice", "etui", params)
    notes: list[SeatNotes] = []
    for play, (attacking, defending) in zip(plays, sides, strict=True):
        own, (other,) = scores[Sides(attacking, defending)][0], scores.get(Sides(defending, attacking), [None])
        points = None if other is None else keep(Fraction(match_points(own, other)))
        notes.append(tuple(points if who == attacking else None for who in play.seats))
    return notes


INDIVIDUAL = Format(
    "individual",
    compare_takers,
    taker=Taker.ETUI,
    contract=Contract.GARDE,
    may_pass=False,
    attack_weight=Fraction(1, 4),
)
# Everybody plays as in the individual format. A team of two adds up the percentages of its players. The FFT has no such
# form.
DOUBLETTES = replace(INDIVIDUAL, name="doublettes", partners=2)
FREE_AUCTION = Format("free_auction", compare_seats, taker=Taker.AUCTION, contract=None, may_pass=True)
# Two teams play at each table. The étui names its taker, and the team that sits on the taker's side attacks. Each team
# has one note for the étui.
TRIPLETTES = Format(
    "triplettes",
    compare_takers,
    taker=Taker.ETUI,
    contract=Contract.GARDE,
    may_pass=False,
    lines=(NORTH_SOUTH, EAST_WEST),
    share=Share.SIDE,
    attack_weight=Fraction("1/2"),
    least_teams=4,
)
# South takes every étui, even if the étui names another taker. The total of a team is the sum of its match points.
QUADRETTES = Format(
    "quadrettes",
    compare_halves,
    taker=Line.S,
    contract=Contract.GARDE,
    may_pass=False,
    lines=(),
    share=Share.SIDE,
    total=Total.SUM,
    unit=Unit.MATCH_POINTS,
    alterne=False,
    least_teams=4,
)
# The format is like quadrettes, with three differences. South chooses the contract, which may not be a Prise. Only the
# winner of an étui has points. Two teams are enough.
TEAM_MATCH = replace(
    QUADRETTES,
    name="team_match",
    compare=compare_winners,
    contract=None,
    barred=(Contract.PRISE,),
    quarters=4,
    least_teams=2,
)
# The tables deal, as in most tournaments in France. Four passes or a petit sec are dealt again and not entered. The
# marks are added up, and nobody is compared with another table.
FREE_DEALS = Format(
    "donnes_libres",
    count_marks,
    taker=Taker.AUCTION,
    contract=None,
    may_pass=False,
    people=(3, 5),
    lines=(),
    total=Total.SUM,
    unit=Unit.MARKS,
    alterne=False,
    has_free_deals=True,
)
# Étuis for three or five players, with the topage of the free auction. All tables of a session have the same number of
# players. The FFT has no such form.
FREE_AUCTION_3 = replace(FREE_AUCTION, name="free_auction_3", people=(3, 3), lines=(), alterne=False)
FREE_AUCTION_5 = replace(FREE_AUCTION, name="free_auction_5", people=(5, 5), lines=(), alterne=False)
_OF_TEAMS = (DOUBLETTES, TRIPLETTES, QUADRETTES, TEAM_MATCH)
_IN_GAMES = (FREE_DEALS, FREE_AUCTION_3, FREE_AUCTION_5)
FORMATS: Mapping[str, Format] = {each.name: each for each in (INDIVIDUAL, FREE_AUCTION, *_OF_TEAMS, *_IN_GAMES)}
# The names of the formats in which two teams meet at a table, and of those whose tables are seated game by game. In
# others a team adds up the results of its players.
MEETING_TEAMS = tuple(name for name, each in FORMATS.items() if each.is_for_teams)
SUMMING_TEAMS = tuple(name for name, each in FORMATS.items() if each.sums_teams)
IN_GAMES = tuple(name for name, each in FORMATS.items() if each.has_games)
# The formats that forms, files and commands offer.
OFFERED: Mapping[str, Format] = FORMATS
BY_AUCTION: Mapping[str, Format] = {each.auction: each for each in (INDIVIDUAL, FREE_AUCTION)}


def find_format(name: str) -> Format:
    """Return the format with the name that a tournament stores. Raise ScoringError if the name is unknown."""
    return _look_up(FORMATS, name, "format")


def find_format_by_auction(word: str) -> Format:
    """Return the format for "free" or "imposed" in a report or the API. Raise ScoringError on another word."""
    return _look_up(BY_AUCTION, word, "auction")


def find_offered_format(word: str) -> Format:
    """Return the offered format with this word (`Format.word`). Raise ScoringError on another word."""
    return _look_up({each.word: each for each in OFFERED.values()}, word, "auction")


def choose_format(kind: str | None, auction: str | None, present: str) -> Format:
    """Return the offered format of this kind and this auction. Either may be None.

    What is None stays as in the format named `present`, if an offered format has it together with the other value.
    Otherwise a kind of None means that everybody plays alone, and an auction of None is the first one of the kind.
    Raise ScoringError if kind and auction do not go together.
    """
    before = FORMATS[present]
    formats = [*list(OFFERED.values())[::-1], before]
    offered = {(each.kind, each.auction): each for each in formats}
    first = {each.kind: each for each in formats}
    chosen: Format | None
    if kind is None:
        chosen = offered.get((before.kind, auction or before.auction), offered.get((INDIVIDUAL.kind, auction or "")))
    elif auction:
        chosen = offered.get((kind, auction))
    else:
        chosen = offered.get((kind, before.auction), first.get(kind))
    if chosen is None:
        raise ScoringError("unknown_value", "format", {"value": f"{kind} {auction}", "choices": ", ".join(OFFERED)})
    return chosen


def _look_up(formats: Mapping[str, Format], name: str, field: str) -> Format:
    if name not in formats:
        raise ScoringError("unknown_value", field, {"value": name, "choices": ", ".join(formats)})
    return formats[name]
