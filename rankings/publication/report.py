"""The report of a session as pages read it: its ranking, étuis, plays and feuilles with the players' present names.

Beside a player's figures are those of the previous session of the same tournament.

The data of a report contain no names, only the players' ids in the club's list. The module `building` makes the data.
This module does not decide who may see a report.
"""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from clubs.models import Player
from clubs.shown import PublicPlayer, call_for_directors, call_in_public
from deals.models import Etui
from evenings.reference import find_reported_reference
from rankings.columns import RankingShape, make_former
from rankings.publication.teams import name_number, name_teams_where, show_team_sums
from rankings.ranking import RankedMember, RankedRow, Ranking, measure_row, show_stored
from scoring.formats import MatchPoints, Unit
from scoring.plays import Line
from tournaments.models import Publication
from tournaments.published import Shows, Stamp
from tournaments.reports.codec import extend
from tournaments.reports.session import (
    PublishedReport,
    RankedPlayer,
    ReportedEtui,
    ReportedPlay,
    decode_players,
    decode_report,
)
from tournaments.reports.tournament import TournamentPlayer
from tournaments.rules.entry import seat_marks
from tournaments.rules.formats import list_settings


class Former(NamedTuple):
    """The previous session.

    `overall` has the percentages, marks or match points, by the players' present ids, or by a team's number below 0.
    """

    session: int
    date: dt.date
    overall: Mapping[int, Fraction]


def read_former(publication: int | None) -> Former | None:
    """Return the previous session, read from its publication with this id. This takes two queries.

    Return None if the id is None. The caller finds the id in `Stamp.former`. If the sections of that session were
    ranked together, the players of all sections are included.
    """
    if publication is None:
        return None
    told = Publication.objects.filter(pk=publication)
    session, date, players, together = told.values_list(
        "data__session", "data__date", "data__players", "data__together"
    ).get()
    ranked = [*decode_players(players), *decode_players(together)]
    figures = {player.competitor: player.overall for player in ranked if player.overall is not None}
    merged = Player.objects.filter(pk__in=figures).exclude(merged_into=None)
    now = dict(merged.values_list("pk", "merged_into"))
    overall: dict[int, Fraction] = {now.get(player) or player: figure for player, figure in figures.items()}
    return Former(session, dt.date.fromisoformat(date), overall)


NO_TEAMS: Mapping[int, str] = MappingProxyType({})
RANKS = ("rank_general", "rank_line", "rank_alterne")
FIGURES = ("attack", "defence", "overall", "penalty", *RANKS)
# The figures of a row that are in the unit of its ranking. A percentage is a plain number.
MEASURED: Mapping[Unit, tuple[str, ...]] = {
    Unit.MATCH_POINTS: ("overall", "attack"),
    Unit.MARKS: ("overall", "attack", "defence", "penalty"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPlay(ReportedPlay):
    """A play of a report with its players in place of their ids, and with the marks of all lines.

    `marks` is None if the play has no score. `taker_player` is None if nobody took. `attacking` is the member who
    attacked for a team, or None.
    """

    marks: Mapping[str, int] | None
    players: Mapping[str, RankedRow]
    taker_player: RankedRow | None
    attacking: RankedMember | None = None


@dataclass(frozen=True, slots=True)
class FeuilleLine:
    """One play on a player's feuille de route, with the player's mark and note (None if the play does not count).

    `partners` are the others at the table in the order of their seats: three players, or the other team. `seat` is the
    player's seat. `deal` is the number of the étui, or of the deal in its game if there are no étuis.
    """

    etui: ReportedEtui
    play: ShownPlay
    mark: int | None
    note: Fraction | None
    fixed: bool
    partners: tuple[RankedRow, ...]
    seat: str
    deal: int

    @property
    def role(self) -> str:
        """The part of the player in the play: "attack", "defence", or "" if nobody took.

        Where the tables deal it may also be "partner" of the taker, "rest", or "sheet" for the paper sheet of a game.
        """
        play = self.play
        if play.covers:
            return "sheet"
        if play.resting == self.seat:
            return "rest"
        if play.taker_player is None:
            return ""
        if play.taker_player.id == play.seats[self.seat]:
            return "attack"
        return "partner" if play.partner == self.seat else "defence"

    @property
    def is_partner(self) -> bool:
        """True if the taker called the player, among five."""
        return self.play.partner == self.seat != self.play.taker

    @property
    def counts(self) -> bool:
        """True if the play has a note for the player. Match points of an attack count for the defenders too."""
        return self.note is not None or any(isinstance(note, MatchPoints) for note in (self.play.notes or {}).values())


class PlayedEvening:
    """A session's report with the players' names: its ranking, and the étuis, plays and feuilles de route beside it.

    `data` is the report without names. `names` has the names of all people in the report, by player id. `teams` has
    those of its teams, by number.
    """

    def __init__(
        self, data: PublishedReport, names: Mapping[int, PublicPlayer], teams: Mapping[int, str] = NO_TEAMS
    ) -> None:
        self.data = data
        rules = data.format
        rows, together = (
            [measure_row(show_player(player, names, teams), rules, MEASURED.get(rules.unit, ())) for player in players]
            for players in (data.players, data.together)
        )
        lines = any(row.line for row in rows)  # teams that change sides have none
        self.ranking = Ranking(
            shape=RankingShape(
                unit=rules.unit,
                alterne=rules.alterne,
                lines=lines,
                teams=rules.is_for_teams,
                weighted=rules.is_weighted,
            ),
            rules=data,
            format=rules,
            rows=rows,
            together=together,
            team_sums=show_team_sums(data.teams, rules, names, teams),
            reference=find_reported_reference(data, alone=False),
        )
        self.by_id = {row.id: row for row in rows}

    @property
    def players(self) -> Sequence[RankedRow]:
        """The rows of the ranking, by which étuis and feuilles name their players."""
        return self.ranking.rows

    @property
    def unit(self) -> Unit:
        """The unit of the figures by which players are ranked."""
        return self.data.format.unit

    def player(self, entrant_id: int) -> RankedRow | None:
        """Return the player who is this entrant, or None."""
        return self.by_id.get(entrant_id)

    def etui(self, number: int) -> ReportedEtui | None:
        """Return the étui with this number, or None."""
        return next((etui for etui in self.data.etuis if etui.number == number), None)

    def topage(self, etui: ReportedEtui) -> list[ShownPlay]:
        """Return the plays of an étui, from the taker's best score to the worst. Plays that do not count come last.

        If the étui was altered during the session, all plays before the alteration come first.
        """

        def place(play: ShownPlay) -> tuple[int, bool, int, int, int]:
            score = play.base_score
            return play.part, score is None, -(score or 0), play.position, play.table

        return sorted(self.show_plays(etui), key=place)

    def show_plays(self, etui: ReportedEtui) -> Iterator[ShownPlay]:
        """Yield the plays of an étui in their stored order, with their players."""
        return (self.show_play(play) for play in etui.plays)

    def show_play(self, play: ReportedPlay) -> ShownPlay:
        """Return the play with its players, with the marks of all lines, and with notes in the unit of the format."""
        marks, notes = play.marks, play.notes or None
        if marks is None and play.base_score is not None:
            taker = Line(play.taker) if play.taker else None
            marks = {str(line): mark for line, mark in seat_marks(taker, play.base_score).items()}
        if notes and self.unit in MEASURED:
            notes = {line: self.data.format.measure(note) for line, note in notes.items()}
        players = {line: self.by_id[entrant] for line, entrant in play.seats.items()}
        members = (member for player in players.values() for member in player.members)
        return extend(
            ShownPlay,
            play,
            notes=notes,
            marks=marks,
            players=players,
            taker_player=players[play.taker] if play.taker else None,
            attacking=next((member for member in members if member.player == play.attacker), None),
        )

    def feuille(self, entrant_id: int) -> list[FeuilleLine]:
        """Return the plays of an entrant, in the order of play. Deals that a game's sheet covers are left out."""
        lines = []
        for etui in self.data.etuis:
            for play in etui.plays_of(entrant_id):
                if play.on_sheet:
                    continue  # the sheet has the marks of this deal
                seat = next(line for line, entrant in play.seats.items() if entrant == entrant_id)
                full = self.show_play(play)
                others = {other.id: other for other in full.players.values() if other.id != entrant_id}
                lines.append(
                    FeuilleLine(
                        etui=etui,
                        play=full,
                        mark=full.marks.get(seat) if full.marks else None,
                        note=full.notes.get(seat) if full.notes else None,
                        fixed=seat in full.fixed,
                        partners=tuple(others.values()),
                        seat=seat,
                        deal=self.data.number_deal(etui.number),
                    )
                )
        apart = self.unit is Unit.MATCH_POINTS  # in this case a team sits at two tables in a position
        return sorted(lines, key=lambda line: (line.play.position, line.play.table * apart, line.etui.number))

    def rank(self, *, alone: bool, former: Former | None = None) -> Ranking[PublishedReport]:
        """Return the ranking as its page shows it. `alone`: the tournament has no other session.

        Beside the figures of players who are shown by name stand those of the session before, if anybody played it.
        """
        reference = find_reported_reference(self.data, alone=alone)
        ranking = replace(self.ranking, reference=reference)
        if former is None:
            return ranking
        rows, together = (
            [
                replace(row, former=self.data.format.measure(former.overall.get(-row.team or row.known_as or 0)))
                for row in listed
            ]
            for listed in (ranking.rows, ranking.together)
        )
        if all(row.former is None for row in (*rows, *together)):
            return ranking
        shape = replace(ranking.shape, more=[make_former(former.session)])
        return replace(ranking, rows=rows, together=together, shape=shape)


def read_report(data: Mapping[str, Any]) -> PlayedEvening:
    """Return the report from stored data, with the names that everybody may see. This takes one query."""
    return read_in_public(decode_report(data))


def read_in_public(data: PublishedReport) -> PlayedEvening:
    """Return the report with the names that everybody may see. This takes one query, or two if teams play."""
    return PlayedEvening(data, call_in_public(data.people), name_teams_in(data, in_public=True))


def read_for_directors(data: Mapping[str, Any]) -> PlayedEvening:
    """Return the report from stored data with the names of all its players, for the directors of the session."""
    report = decode_report(data)
    return PlayedEvening(report, call_for_directors(report.people), name_teams_in(report, in_public=False))


def name_teams_in(data: PublishedReport, *, in_public: bool) -> dict[int, str]:
    """Return the names of the teams in a report, by number: as readers see them, or as directors do."""
    rows = (*data.players, *data.together)
    numbers = {row.team for row in data.teams} | {row.team for row in rows if row.team}
    return name_teams_where(numbers, in_public=in_public, tournament__sessions__entrants=rows[0].id if rows else 0)


def cut_report(data: Mapping[str, Any], shows: Shows) -> PublishedReport:
    """Return the report from stored data, without the parts that readers do not see.

    Without `ranking`, players have no figures. Without `etuis`, étuis have no plays; without `cards`, they have no
    cards. Without both of these, there are no étuis.
    """
    report = decode_report(data)
    if shows == Shows(cards="cards" in list_settings(report.format, Shows._fields)):
        return report
    if not shows.ranking:
        unranked = [player.change(**dict.fromkeys(FIGURES)) for player in report.players]
        report = report.change(players=unranked, together=[], teams=[])
    cut: dict[str, Any] = {} if shows.cards else {"cards": ""}
    cut |= {} if shows.etuis else {"plays": []}
    seen = shows.etuis or shows.cards
    return report.change(etuis=[etui.change(**cut) for etui in report.etuis] if seen else [])


def read_seen_report(data: Mapping[str, Any], stamp: Stamp) -> PublishedReport:
    """Return the report from stored data with the parts that readers see.

    If the public hour of a simultaneous has opened the cards, étuis that were frozen without cards have them here. This
    takes one query, and none for other sessions.
    """
    report = cut_report(data, stamp.shows)
    if not stamp.opened or not stamp.shows.cards or all(etui.cards for etui in report.etuis):
        return report
    dealt = dict(Etui.objects.filter(deal_set__sessions=stamp.owner).values_list("number", "cards"))
    return report.change(etuis=[etui.change(cards=etui.cards or dealt[etui.number]) for etui in report.etuis])


def without_ranks(report: PublishedReport) -> PublishedReport:
    """Return the report without the ranks of its players."""
    return report.change(players=[player.change(**dict.fromkeys(RANKS)) for player in report.players])


def show_player(
    player: RankedPlayer | TournamentPlayer,
    names: Mapping[int, PublicPlayer],
    teams: Mapping[int, str] = NO_TEAMS,
    **values: Any,
) -> RankedRow:
    """Return the row of a stored player or team with the name to show, and with these other values.

    A player with substitutes has the names of all, for example "Marie Dupont / Ann Lee".
    """
    if player.team:
        called: dict[str, Any] = {"name": teams.get(player.team) or name_number(player.team), "named": True}
        called["members"] = [show_stored(RankedMember, one, **names[one.player]._asdict()) for one in player.members]
    else:
        called = names[player.player]._asdict() | {"name": " / ".join(names[pk].name for pk in player.people)}
    return show_stored(RankedRow, player, **(called | values))
