"""The tables of every kind of ranking, drawn from their columns: of sessions and their étuis, and of matches.

A table has what the page of the same part shows. The caller gives a report without the parts that its reader may not
see (`publication.report.cut_report`), and with the names that this reader may see.

Each match names the version of the publication that has its result. So the same tables can be made again later.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from evenings.reference import Reference
from outgoing.sheets.files import CellKind, SheetCell, SheetColumn, SheetRow, SheetTable, fill_table
from rankings.columns import FILE, RankingColumn, ValueKind, list_columns
from rankings.events.matches import MatchesOfTournament, MatchPair, MatchRound, TeamMeeting
from rankings.publication.report import FeuilleLine, PlayedEvening, ShownPlay
from rankings.ranking import RankedRow, Ranking
from scoring.formats import Unit
from tournaments.reports.session import ReportedEtui
from tournaments.words.formats import say_word
from tournaments.words.messages import label
from tournaments.words.rulings import say_deal_role

RANKING = "ranking"
NOTES = (ValueKind.NOTE, ValueKind.RESULT)
WHOLES = (ValueKind.PLACE, ValueKind.RANK, ValueKind.WHOLE)
FIGURES = (*NOTES, ValueKind.TOTAL, ValueKind.STEP, ValueKind.EXACT)
IN_UNIT = (ValueKind.RESULT, ValueKind.TOTAL, ValueKind.STEP)


def make_ranking_table(ranking: Ranking[Any], title: str) -> SheetTable:
    """Return a ranking of any kind as a table, with a column for each round or event. Rows without a rank come last.

    The players of an evening are in the order of the classement alterné, those of several clubs in that of the général.
    """
    rows = ranking.rows if ranking.clubs else ranking.order(Reference.ALTERNE)
    columns = [make_sheet_column(column, ranking.shape.unit) for column in list_columns(ranking.shape, FILE)]
    return fill_table(RANKING, title, columns, ranking.show(rows))


def make_sheet_column(column: RankingColumn, unit: Unit) -> SheetColumn:
    """Return a column of the file. A file writes the sign of per cent in the head, because its cells are numbers."""
    with_sign = unit is Unit.PER_CENT and column.kind in NOTES
    head = f"{column.label} (%)" if with_sign else str(column.label)
    return SheetColumn(column.name, head, choose_cell_kind(column.kind, unit), partial(read_cell, column))


def choose_cell_kind(kind: ValueKind, unit: Unit) -> CellKind:
    if kind in IN_UNIT and unit is Unit.MATCH_POINTS:
        return CellKind.POINTS
    if kind in WHOLES:
        return CellKind.WHOLE
    return CellKind.FIGURE if kind in FIGURES else CellKind.TEXT


def read_cell(column: RankingColumn, row: Any) -> SheetCell:
    value: SheetCell = column.read_value(row)
    if column.kind is ValueKind.LINE:
        return label("letter", str(value)) if value else ""
    return value


ETUIS, PLAYS, FEUILLES = "etuis", "plays", "feuilles"
TEAMS = "teams"  # only where teams add up the marks of their players
# For each table: the name of the switch in `Shows` that must be on.
NEEDS = {RANKING: "ranking", TEAMS: "ranking", ETUIS: "etui_pages", PLAYS: "etuis", FEUILLES: "feuilles"}


def make_session_table(code: str, report: PlayedEvening, *, ranked: bool = True) -> SheetTable:
    """Return the table with this code.

    If readers do not see the ranking, `ranked` is False, and the table has no ranks.
    """
    if code == RANKING:
        return make_ranking_table(report.ranking, _("Ranking"))
    if code == TEAMS:
        return make_team_sums(report.ranking)
    if code == ETUIS:
        return make_etuis(report)
    return make_plays(report) if code == PLAYS else make_feuilles(report, ranked=ranked)


def say_line_letter(line: str | None) -> str:
    """Return the letter of a line in the reader's language, as on the pages, or "" if there is none."""
    return label("letter", line) if line else ""


def whole(name: str, text: str, read: Callable[[Any], SheetCell] | None = None) -> SheetColumn:
    return SheetColumn(name, text, CellKind.WHOLE, read)


def exact(name: str, text: str) -> SheetColumn:
    return SheetColumn(name, text, CellKind.FIGURE)


class PlayWords(NamedTuple):
    """The words for the plays of a session: what an étui is called, the notes and their kind, and the player's part."""

    etui: str
    notes: str
    note: str
    kind: CellKind
    say_role: Callable[[FeuilleLine, RankedRow], str]


def choose_words(unit: Unit) -> PlayWords:
    """Return the words for the plays of a session that is ranked in this unit."""
    etui, notes = _("Étui"), _("Note of %(line)s")
    if unit is Unit.MARKS:
        return PlayWords(_("Deal"), _("Marks of %(line)s"), _("Marks that count"), CellKind.FIGURE, say_role_in_deal)
    if unit is Unit.MATCH_POINTS:
        return PlayWords(etui, notes, _("Match points"), CellKind.POINTS, say_role)
    return PlayWords(etui, notes, _("Note (%)"), CellKind.FIGURE, say_role)


def make_team_sums(ranking: Ranking[Any]) -> SheetTable:
    """Return the ranking of teams that add up the results of their players, with a row for each player of a team."""
    format = ranking.format.name if ranking.format else ""
    columns = [
        whole("rank", _("Rank")),
        whole("number", _("Number")),
        SheetColumn("team", _("Team")),
        exact("total", say_word(format, "team_result")),
        SheetColumn("player", _("Player")),
        exact("marks", say_word(format, "result_of_player")),
        SheetColumn("counts", _("Counts for the team")),
    ]
    rows: list[SheetRow] = []
    for team in ranking.team_sums:
        for member in team.members:
            counts = pgettext("counts for the team", "yes") if member.counts else pgettext("counts for the team", "no")
            rows.append([team.rank, team.team, team.name, team.total, member.name, member.total, counts])
    return SheetTable(TEAMS, _("Teams"), columns, rows)


def make_etuis(report: PlayedEvening) -> SheetTable:
    """Return the étuis with the best and the worst score of each, and with their cards if the report has them."""
    weighted, cards = report.ranking.shape.weighted, any(etui.cards for etui in report.data.etuis)
    scored = weighted and any(etui.plays for etui in report.data.etuis)
    columns = [
        whole("etui", _("Étui"), lambda etui: etui.number),
        *([SheetColumn("taker", _("Taker"), read=lambda etui: say_line_letter(etui.taker))] if weighted else []),
        SheetColumn("dealer", _("Dealer"), read=lambda etui: say_line_letter(etui.dealer)),
        whole("tables", _("Tables"), lambda etui: len(list_scores(etui)) if etui.plays else None),
        *([whole("best", _("Best"), lambda etui: max(list_scores(etui), default=None))] if scored else []),
        *([whole("worst", _("Worst"), lambda etui: min(list_scores(etui), default=None))] if scored else []),
        *([SheetColumn("cards", _("Cards"))] if cards else []),
    ]
    return fill_table(ETUIS, _("Étuis"), columns, report.data.etuis)


def list_scores(etui: ReportedEtui) -> list[int]:
    return [play.base_score for play in etui.plays if play.base_score is not None]


def make_plays(report: PlayedEvening) -> SheetTable:
    """Return every play, étui by étui, from the taker's best score to the worst."""
    words, seats, teams = choose_words(report.unit), report.data.format.seats, report.ranking.shape.teams
    columns = [
        whole("etui", words.etui),
        whole("position", _("Position")),
        whole("table", _("Table")),
        *(SheetColumn(line.lower(), label("line", line)) for line in seats),
        SheetColumn("taker", _("Taker")),
        *([SheetColumn("attacker", _("Attacker"))] if teams else []),
        SheetColumn("contract", _("Contract")),
        whole("bouts", _("Bouts")),
        exact("points", _("Points")),
        whole("score", _("Score")),
        SheetColumn("state", _("State")),
        *(
            SheetColumn(f"note_{line.lower()}", words.notes % {"line": say_line_letter(line)}, words.kind)
            for line in seats
        ),
        SheetColumn("fixed", _("Fixed by the arbiter")),
    ]
    rows = [list(row) for etui in report.data.etuis for row in read_plays(report, etui)]
    return SheetTable(PLAYS, _("Plays"), columns, rows)


def read_plays(report: PlayedEvening, etui: ReportedEtui) -> Iterator[SheetRow]:
    seats, teams = report.data.format.seats, report.ranking.shape.teams
    for play in report.topage(etui):
        facts, notes = play.facts or {}, play.notes or {}
        contract, points = facts.get("contract"), facts.get("half_points")
        yield [
            etui.number,
            play.position,
            play.table,
            *(play.players[line].name if line in play.players else None for line in seats),
            say_line_letter(play.taker),
            *([play.attacking.name if play.attacking else None] if teams else []),
            label("contract", contract) if contract else None,
            facts.get("bouts"),
            None if points is None else Fraction(points, 2),
            play.base_score,
            say_state(play),
            *(notes.get(line) for line in seats),
            " ".join(say_line_letter(line) for line in seats if line in play.fixed),
        ]


def make_feuilles(report: PlayedEvening, *, ranked: bool) -> SheetTable:
    """Return every player's étuis in the order of play, sorted by line and number."""
    words, one_ranking = choose_words(report.unit), not report.ranking.shape.alterne
    rank = whole("rank_general", _("Général")) if one_ranking else whole("rank_alterne", _("Rank, alterné"))
    columns = [
        SheetColumn("line", _("Line")),
        whole("number", _("Number")),
        SheetColumn("player", _("Team") if report.ranking.shape.teams else _("Player")),
        *([rank] if ranked else []),
        whole("position", _("Position")),
        whole("table", _("Table")),
        whole("etui", words.etui),
        SheetColumn("role", _("Role")),
        whole("score", _("Score")),
        whole("mark", _("Mark")),
        SheetColumn("note", words.note, words.kind),
        SheetColumn("fixed", _("Fixed by the arbiter")),
    ]
    players = sorted(report.players, key=lambda player: player.seat_order)
    rows: list[SheetRow] = []
    for player in players:
        who: list[SheetCell] = [say_line_letter(player.line), player.number, player.name]
        who += [player.rank_general if one_ranking else player.rank_alterne] if ranked else []
        rows += [[*who, *read_feuille_line(line, words.say_role(line, player))] for line in report.feuille(player.id)]
    return SheetTable(FEUILLES, _("Feuilles de route"), columns, rows)


def read_feuille_line(line: FeuilleLine, role: str) -> list[SheetCell]:
    play = line.play
    place = [play.position, play.table, line.etui.number]
    fixed = pgettext("fixed by the arbiter", "yes") if line.fixed else None
    return [*place, role, play.base_score, line.mark, line.note, fixed]


def say_role_in_deal(line: FeuilleLine, _player: RankedRow) -> str:
    """Return the player's part in a deal in words, where the tables deal."""
    play = line.play
    taker = play.taker_player.name if play.taker_player else ""
    return say_deal_role(line.role, taker=taker, covers=play.covers, state=play.state)


def say_role(line: FeuilleLine, player: RankedRow) -> str:
    """Return the player's part in a play of an étui in words."""
    taker = line.play.taker_player
    if taker is None:
        return say_state(line.play)
    if line.is_partner:
        return _("Partner")
    return _("Attack") if taker.id == player.id else _("Defence")


def say_state(play: ShownPlay) -> str:
    """Return the state of a play in words, or that everyone passed."""
    passed = play.base_score is not None and not play.taker
    return _("everyone passed") if passed else label("state", play.state)


LEAGUE, MATCHES = "league", "matches"


def list_match_tables(found: MatchesOfTournament) -> list[SheetTable]:
    """Return the table of the league if there is one, then the matches."""
    matches = make_match_table(found)
    return [make_league_table(found), matches] if found.is_league else [matches]


def make_league_table(found: MatchesOfTournament) -> SheetTable:
    columns = [
        SheetColumn("rank", _("Rank"), CellKind.WHOLE),
        SheetColumn("number", _("Team number"), CellKind.WHOLE, lambda row: int(str(row.team))),
        SheetColumn("team", _("Team"), read=lambda row: found.names[int(str(row.team))]),
        SheetColumn("points", _("Points"), CellKind.WHOLE, lambda row: int(row.points)),
        SheetColumn("played", _("Matches played"), CellKind.WHOLE),
        SheetColumn("won", _("Matches won"), CellKind.WHOLE),
        SheetColumn("drawn", _("Matches drawn"), CellKind.WHOLE),
        SheetColumn("lost", _("Matches lost"), CellKind.WHOLE),
        SheetColumn("match_points", _("Match points"), CellKind.POINTS),
    ]
    return fill_table(LEAGUE, _("Table of the league"), columns, found.table)


def make_match_table(found: MatchesOfTournament) -> SheetTable:
    """Return a row for each meeting of two teams, and for each two teams that have still to meet."""
    columns = [
        SheetColumn("round", _("Round")),
        SheetColumn("session", _("Session"), CellKind.WHOLE),
        SheetColumn("version", _("Version of the ranking"), CellKind.WHOLE),
        SheetColumn("home_number", _("Number of the first team"), CellKind.WHOLE),
        SheetColumn("home", _("First team")),
        SheetColumn("away_number", _("Number of the second team"), CellKind.WHOLE),
        SheetColumn("away", _("Second team")),
        SheetColumn("home_points", _("Match points of the first team"), CellKind.POINTS),
        SheetColumn("away_points", _("Match points of the second team"), CellKind.POINTS),
        SheetColumn("home_bonus", _("of it starting bonus of the first team"), CellKind.POINTS),
        SheetColumn("away_bonus", _("of it starting bonus of the second team"), CellKind.POINTS),
        SheetColumn("winner", _("Number of the winner"), CellKind.WHOLE),
        SheetColumn("decided", _("Decided by the director")),
    ]
    rows = [row for each in found.rounds for pair in each.pairs for row in list_pair_rows(found, each, pair)]
    return SheetTable(MATCHES, _("Matches"), columns, rows)


def list_pair_rows(found: MatchesOfTournament, its_round: MatchRound, pair: MatchPair) -> Iterator[list[SheetCell]]:
    """Yield a row for each meeting. In a knock-out, the last one names the team that goes on."""
    names = [(team, found.names[team]) if team else (None, "") for team in (pair.home, pair.away)]
    last = len(pair.meetings) - 1
    meetings: list[TeamMeeting | None] = [*pair.meetings] or [None]
    for place, meeting in enumerate(meetings):
        cells: list[SheetCell] = [name_round(found, its_round), meeting.session if meeting else None]
        cells += [meeting.version if meeting else None, *names[0], *names[1]]
        teams = [team for team in (pair.home, pair.away) if team is not None]
        cells += [meeting.points_of(team) for team in teams] if meeting else [None, None]
        cells += [meeting.bonuses.get(team) for team in teams] if meeting else [None, None]
        is_last = place == max(last, 0)
        goes_on = pair.winner if is_last and pair.winner else None
        yield [*cells, goes_on or (meeting.winner if meeting else None), pair.decided if is_last else ""]


def name_round(found: MatchesOfTournament, its_round: MatchRound) -> str:
    """Return the name of a round. The last rounds of a knock-out have names of their own."""
    round_values = {"number": its_round.number}
    if found.is_league:
        return _("Round %(number)s") % round_values
    if not found.is_tree:
        return _("Session %(number)s") % round_values
    named = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
    return named.get(len(found.rounds) - its_round.number, pgettext("knock-out", "Round %(number)s") % round_values)
