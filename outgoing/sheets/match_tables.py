"""The tables of the matches of a tournament: the table of its league, and all matches round by round.

Each match names the version of the publication that has its result. So the same tables can be made again later.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from outgoing.sheets.files import CellKind, SheetCell, SheetColumn, SheetTable
from rankings.events.match_rows import TeamMeeting
from rankings.events.matches import MatchesOfTournament, MatchPair, MatchRound

LEAGUE, MATCHES = "league", "matches"


def list_match_tables(found: MatchesOfTournament) -> list[SheetTable]:
    """Return the table of the league if there is one, then the matches."""
    matches = make_match_table(found)
    return [make_league_table(found), matches] if found.is_league else [matches]


def make_league_table(found: MatchesOfTournament) -> SheetTable:
    columns = [
        SheetColumn("rank", _("Rank"), CellKind.WHOLE),
        SheetColumn("number", _("Team number"), CellKind.WHOLE),
        SheetColumn("team", _("Team")),
        SheetColumn("points", _("Points"), CellKind.WHOLE),
        SheetColumn("played", _("Matches played"), CellKind.WHOLE),
        SheetColumn("won", _("Matches won"), CellKind.WHOLE),
        SheetColumn("drawn", _("Matches drawn"), CellKind.WHOLE),
        SheetColumn("lost", _("Matches lost"), CellKind.WHOLE),
        SheetColumn("match_points", _("Match points"), CellKind.POINTS),
    ]
    rows: list[list[SheetCell]] = [
        [
            row.rank,
            int(str(row.team)),
            found.names[int(str(row.team))],
            int(row.points),
            row.played,
            row.won,
            row.drawn,
            row.lost,
            row.match_points,
        ]
        for row in found.table
    ]
    return SheetTable(LEAGUE, _("Table of the league"), columns, rows)


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
        played = meeting.played if meeting else None
        cells: list[SheetCell] = [name_round(found, its_round), meeting.session if meeting else None]
        cells += [played.version if played else None, *names[0], *names[1]]
        teams = [team for team in (pair.home, pair.away) if team is not None]
        cells += [played.points_of(team) for team in teams] if played else [None, None]
        cells += [played.bonuses.get(team) for team in teams] if played else [None, None]
        is_last = place == max(last, 0)
        goes_on = pair.winner if is_last and pair.winner else None
        won = goes_on or (int(str(played.result.winner)) if played and played.result.winner else None)
        yield [*cells, won, pair.decided if is_last else ""]


def name_round(found: MatchesOfTournament, its_round: MatchRound) -> str:
    """Return the name of a round. The last rounds of a knock-out have names of their own."""
    round_values = {"number": its_round.number}
    if found.is_league:
        return _("Round %(number)s") % round_values
    if not found.is_tree:
        return _("Session %(number)s") % round_values
    named = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
    return named.get(len(found.rounds) - its_round.number, pgettext("knock-out", "Round %(number)s") % round_values)
