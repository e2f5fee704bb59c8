"""The values of a session's published report, as frozen classes with typed fields.

The keys under which the fields are stored never change, because old publications have them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any

from scoring.formats import Format, find_format, find_format_by_auction
from tournaments.reports.codec import (
    FIXED_NOTES,
    NOTES,
    TUPLE,
    Exact,
    Key,
    StoredRows,
    StoredValue,
    decode,
    each_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedMember(StoredValue):
    """A member of a team, or a substitute, from position `first` to `last`, or to the end if `last` is None.

    `player` is the id in the club's list. `place` is the member's place in the team, from 1. In triplettes it is the
    badge: blue, white, red. Where the team adds up the results of its players, `total` is the result in the ranking of
    players. `counts` is then False if it is dropped.
    """

    player: int
    place: int = 0
    first: Annotated[int, Key("from")] = 1
    last: Annotated[int | None, Key("to")] = None
    total: Exact = None
    counts: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedTeam(StoredValue):
    """A team with the sum of its players' marks. `team` is its number in the tournament.

    `absent` is the number of its places without a player in the ranking; each of them brings 0.
    """

    team: int
    rank: int
    total: Exact = None
    absent: int = 0
    members: Annotated[Sequence[ReportedMember], each_of(ReportedMember)] = ()


class CompetitorRow:
    """A row of a ranking that has a player, perhaps with substitutes, or a team with its members."""

    __slots__ = ()

    @property
    def competitor(self: Any) -> int:
        """The id of the row in rankings over several sessions: the player's id, or minus the team's number."""
        competitor: int = self.player or -self.team
        return competitor

    @property
    def people(self: Any) -> list[int]:
        """The ids, in the club's list, of the player and then of the substitutes, or of the members of the team."""
        if self.team:
            return [one.player for one in self.members]
        return [self.player, *(one.player for one in self.stand_ins)]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCompetitor(CompetitorRow, StoredValue):
    """A row of a stored ranking: a player with the substitutes, or a team by its number with its members by place.

    `player` is the id in the club's list.
    """

    player: int = 0
    team: int = 0
    members: Annotated[Sequence[ReportedMember], each_of(ReportedMember)] = ()
    stand_ins: Annotated[Sequence[ReportedMember], each_of(ReportedMember)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPlayer(StoredCompetitor):
    """A player or a team of a session with figures and ranks. `id` is the entrant's id.

    `unranked` says why the player has no rank, or is "". `told` is the tie-break that separated the player from others
    with the same percentage, or "". `section`, `session` and `elsewhere` are used only in a ranking over several
    sections. `deals` is None in old reports, which have only `attacks` and `defences`.
    """

    id: int
    line: str
    attack: Exact = None
    defence: Exact = None
    overall: Exact = None
    penalty: Exact = None
    attacks: int = 0
    defences: int = 0
    deals: int | None = None
    unranked: str = ""
    told: str = ""
    rank_general: int | None = None
    rank_line: int | None = None
    rank_alterne: int | None = None
    section: str = ""
    session: int | None = None
    number: int
    ranked: bool = True
    elsewhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedPlay(StoredValue):
    """An étui played at one table. `seats` has the ids of the entrants by line; `facts` is the result that was entered.

    `state` is the name of the play's state in `standings`, such as "scored" or "missing". `part` is 2 if the étui was
    altered before the play, else 1. `fixed` has the notes that the arbiter fixed, by line. `compared` is False if the
    play's score does not count in the topage of the others. `attacker` is the id, in the club's list, of the player who
    attacked for a team. It is 0 if nobody is named, or if everybody plays alone. `defenders` has the ids of the players
    who defended, in the order of the seats N, E, W. Only plays of team matches have them.

    Where the tables deal, `resting` is the seat that does not play the deal. `marks` are those of each seat, if they do
    not follow from a base score among four. The notes are these marks, multiplied by the weight of the table. `partner`
    is the seat that the taker called at five, the taker's own if the taker is alone. The sheet of a game stands on one
    deal and `covers` several; the others are `on_sheet`.
    """

    id: int
    position: int
    table: int
    seats: Mapping[str, int]
    facts: Mapping[str, Any] | None = None
    state: str
    base_score: int | None = None
    taker: str | None = None
    notes: Annotated[Mapping[str, Fraction | None] | None, NOTES] = None
    part: int = 1
    fixed: Annotated[Mapping[str, str], FIXED_NOTES] = field(default_factory=dict)
    compared: bool = True
    attacker: int = 0
    defenders: Annotated[tuple[int, ...], TUPLE] = ()
    resting: str = ""
    marks: Mapping[str, int] | None = None
    partner: str = ""
    covers: int = 0
    on_sheet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedEtui(StoredValue):
    """An étui with its plays, and with its cards if the report has them.

    If the cards of the étui were altered during the session, `altered_from` is the first position with the altered
    cards; otherwise it is None. `altered_after` are the tables that still played the old cards in that position.
    """

    number: int
    taker: str = ""
    dealer: str = ""
    cards: str = ""
    altered_from: int | None = None
    altered_after: Annotated[tuple[int, ...], TUPLE] = ()
    plays: Annotated[Sequence[ReportedPlay], each_of(ReportedPlay)] = ()

    def plays_of(self, entrant: int) -> list[ReportedPlay]:
        """Return the plays of an entrant. The other plays of the étui are not decoded, which saves time in a hall."""
        if isinstance(self.plays, StoredRows):
            return self.plays.select(lambda row: entrant in row["seats"].values())
        return [play for play in self.plays if entrant in play.seats.values()]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRanking(StoredValue):
    """The part that the stored rankings of sessions and of tournaments have in common.

    `form` is the name of the format, if teams play or the tables deal. `auction` tells the other formats apart. `ties`
    are the names of the tie-breaks that separate equal players, in order. `teams` is the ranking of teams that add up
    the marks of their players; only rankings of tournaments with such teams have it.
    """

    format_version: Annotated[int, Key("format")] = 0
    auction: str
    form: str = ""
    ties: Annotated[tuple[str, ...], TUPLE] = ()
    teams: Annotated[Sequence[ReportedTeam], each_of(ReportedTeam)] = ()

    @property
    def format(self) -> Format:
        """The format of what is ranked, such as the free auction."""
        return find_format(self.form) if self.form else find_format_by_auction(self.auction)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedReport(StoredRanking):
    """The report of a session as a publication freezes it.

    `counts` is the number of plays by state. `compared_with` are the ids of the other sections whose plays were
    compared with these. `together` is the ranking over all sections. `topped` is the number of étuis with at least two
    plays to compare; only a report that is computed before a publication has it. `weights` are the numbers by which the
    marks of odd tables are multiplied, by the number of players. Only reports of sessions that weigh them have any.
    `stride` is how many deal numbers each game has, where the tables deal.
    """

    session: int
    date: str
    tables: int = 0
    positions: int = 0
    etuis_per_position: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    weights: Mapping[str, str] = field(default_factory=dict)
    stride: int = 0
    players: Annotated[Sequence[RankedPlayer], each_of(RankedPlayer)] = ()
    etuis: Annotated[Sequence[ReportedEtui], each_of(ReportedEtui)] = ()
    compared_with: Annotated[tuple[int, ...], TUPLE] = ()
    together: Annotated[Sequence[RankedPlayer], each_of(RankedPlayer)] = ()
    topped: int = 0

    @property
    def people(self) -> set[int]:
        """The ids, in the club's list, of all people in the report."""
        return {pk for player in (*self.players, *self.together) for pk in player.people}

    def number_deal(self, etui: int) -> int:
        """Return the number of a deal in its game, from 1, or the étui's number if there are étuis."""
        return (etui - 1) % self.stride + 1 if self.stride else etui


def decode_players(rows: Sequence[Mapping[str, Any]] | None) -> Sequence[RankedPlayer]:
    """Return the players of a report from the stored list, which a query can read alone. None gives no players."""
    return StoredRows(RankedPlayer, rows or [])


def decode_report(data: Mapping[str, Any]) -> PublishedReport:
    """Return the report from the data that a publication stores. Any release of the site may have written the data."""
    return decode(PublishedReport, data)
