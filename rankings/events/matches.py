"""The matches of a tournament of team matches: their rows, single matches, the table of a league, a knock-out.

All follow from the sessions alone: two teams with the starting numbers 1 and 2 meet, 3 and 4, and so on. A match is
finished once its session is published or closed. Readers see the published sessions, directors also the closed ones.

A result comes from the newest publication of its session, or from the standings of a closed session.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from evenings.teams.quarters import find_opponent
from movements.teams import pair_all
from rankings.publication.teams import name_teams
from scoring.formats import MatchPoints, find_format
from scoring.matches import LeagueRules, LeagueStanding, TeamMatch, TreeNode, build_tree, rank_league
from scoring.ties import find_equals
from tournaments.models import Entrant, Publication, Session, SessionStandings, Team, Tournament
from tournaments.reports.session import RankedPlayer, decode_players
from tournaments.versions import WITHDRAWN, find_newest_versions


class PlayedMatch(NamedTuple):
    """A finished match of two teams (by their numbers in the tournament), with the number of its session.

    `bonuses` has the starting bonus that is part of a team's points, by the team's number. `version` is the version of
    the publication that has the result, None if the session is not published.
    """

    session: int
    result: TeamMatch
    bonuses: Mapping[int, Fraction]
    version: int | None = None

    @property
    def teams(self) -> tuple[int, int]:
        """The numbers of the two teams, the home team first."""
        return int(str(self.result.home)), int(str(self.result.away))

    def points_of(self, team: int) -> Fraction:
        """Return the match points of one of the two teams."""
        return self.result.home_points if self.result.home == team else self.result.away_points


class TeamMeeting(NamedTuple):
    """A session in which two teams meet (by their numbers): the session's number, and the result if it is finished."""

    session: int
    home: int
    away: int
    played: PlayedMatch | None = None


def read_published_rows(tournament: Tournament) -> Iterator[tuple[int, int, list[RankedPlayer]]]:
    """Yield the number of each session with a ranking that readers see, its version, and its rows. One query."""
    shown = {"session__tournament": tournament, "session__put_away_at": None, "session__shows_ranking": True}
    newest = find_newest_versions(Publication, "session").filter(**shown).exclude(status=WITHDRAWN)
    columns = ("session__number", "version", "data__players")
    for number, version, rows in newest.order_by("session__number").values_list(*columns):
        yield number, version, list(decode_players(rows))


def read_closed_rows(tournament: Tournament, *, but: Collection[int]) -> Iterator[tuple[int, list[RankedPlayer]]]:
    """Yield the number of each closed session that is not in `but`, and the rows of its present ranking.

    Two queries.
    """
    closed = tournament.sessions.filter(closed_at__isnull=False, put_away_at=None).exclude(number__in=but)
    entrants = Entrant.objects.filter(session__in=closed, team__isnull=False).select_related("team")
    known = {entrant.pk: entrant for entrant in entrants}
    for number, data in SessionStandings.objects.filter(session__in=closed).values_list("session__number", "data"):
        rows = [{**row, "number": known[row["id"]].number} for row in data.get("players", ()) if row["id"] in known]
        yield number, list(decode_players([{**row, "team": team_number(known[row["id"]])} for row in rows]))


def team_number(entrant: Entrant) -> int:
    return entrant.team.number if entrant.team else 0


def pair_rows(session: int, rows: Iterable[RankedPlayer], version: int | None = None) -> Iterator[PlayedMatch]:
    """Yield the matches of a session from the rows of its ranking. A match without a counted étui is left out."""
    by_number = {row.number: row for row in rows}
    for number, home in sorted(by_number.items()):
        away = by_number.get(find_opponent(number))
        if number % 2 == 0 or away is None or (home.overall is None and away.overall is None):
            continue
        points = [MatchPoints(row.overall or 0) for row in (home, away)]
        bonuses = {row.team: MatchPoints(-row.penalty) for row in (home, away) if row.penalty}
        etuis = max(home.attacks, away.attacks)
        result = TeamMatch(home.team, away.team, points[0], points[1], etuis)
        yield PlayedMatch(session, result, bonuses, version)


def read_planned(tournament: Tournament, *, but: Collection[int]) -> list[TeamMeeting]:
    """Return the meetings without a result, in the order of the sessions. Sessions in `but` are finished. One query."""
    sessions = tournament.sessions.filter(put_away_at=None).exclude(number__in=but)
    entrants = Entrant.objects.filter(session__in=sessions, team__isnull=False, last_position=None)
    found = {
        (session, number): team
        for session, number, team in entrants.values_list("session__number", "number", "team__number")
    }
    return [
        TeamMeeting(session, team, found[session, number + 1])
        for (session, number), team in sorted(found.items())
        if number % 2 and (session, number + 1) in found
    ]


def join_meetings(
    played: Iterable[PlayedMatch], planned: Iterable[TeamMeeting]
) -> dict[frozenset[int], list[TeamMeeting]]:
    """Return all meetings of two teams, by their numbers, in the order of the sessions."""
    meetings = [*planned, *(TeamMeeting(each.session, *each.teams, each) for each in played)]
    found: dict[frozenset[int], list[TeamMeeting]] = {}
    for meeting in sorted(meetings, key=lambda each: each[:3]):
        found.setdefault(frozenset((meeting.home, meeting.away)), []).append(meeting)
    return found


def list_competing(
    tournament: Tournament, played: Iterable[PlayedMatch], planned: Iterable[TeamMeeting] = ()
) -> list[Team]:
    """Return the teams of the competition, by number. Two queries.

    A team that has left before it played is left out, unless each match stands alone and a session still has it. In a
    knock-out the teams are those that were there when the first session started, because another team would change who
    meets whom.
    """
    met = {team for each in played for team in (each.result.home, each.result.away)}
    if tournament.meeting == Tournament.MeetingKind.SINGLE:
        met |= {team for each in planned for team in (each.home, each.away)}
    teams = list(tournament.teams.order_by("number"))
    begun = tournament.sessions.filter(started_at__isnull=False).order_by("started_at").first()
    if tournament.meeting != Tournament.MeetingKind.TREE or begun is None or begun.started_at is None:
        return [team for team in teams if team.left_at is None or team.number in met]
    start = begun.started_at
    return [
        team
        for team in teams
        if team.number in met or (team.made_at <= start and (team.left_at is None or team.left_at > start))
    ]


KINDS = Tournament.MeetingKind


@dataclass(frozen=True, slots=True)
class MatchPair:
    """Two teams of a round (by their numbers) with all their meetings, the first one first.

    A team is None as long as it is not known, or if there is none. The other fields are only for a knock-out: `winner`
    goes on, `bye` without a match. `decided` has the reason of a director's decision, or "". `is_open`: both teams are
    known, and it is not known which goes on.
    """

    home: int | None
    away: int | None
    meetings: Sequence[TeamMeeting] = ()
    winner: int | None = None
    bye: bool = False
    decided: str = ""
    is_open: bool = False

    @property
    def last(self) -> PlayedMatch | None:
        """The last match of the two teams with a result, or None."""
        return next((each.played for each in reversed(self.meetings) if each.played), None)

    @property
    def is_planned(self) -> bool:
        """True if a session has the match, and it is not played yet."""
        return any(each.played is None for each in self.meetings)


@dataclass(frozen=True, slots=True)
class MatchRound:
    """A round of a league or of a knock-out with its pairs. `resting` are the teams that rest.

    If each match stands alone, a round has the matches of one session, and `number` is the number of the session.
    """

    number: int
    pairs: tuple[MatchPair, ...]
    resting: tuple[int, ...] = ()

    @property
    def is_planned(self) -> bool:
        """True if each of its matches has a session."""
        return all(pair.meetings for pair in self.pairs)


@dataclass(frozen=True, slots=True)
class MatchesOfTournament:
    """The matches of a tournament. Teams are numbers; `names` has their names, and `ids` their ids.

    `table` is that of a league, `tree` has the matches of a knock-out. `reasons` has the reason of the newest decision
    on two teams, by winner and loser. `sources` names the publications behind the results: the version, by the
    session's number. It is None for a session that is closed and not published.
    """

    tournament: Tournament
    names: Mapping[int, str]
    ids: Mapping[int, int]
    played: tuple[PlayedMatch, ...]
    sources: Mapping[int, int | None]
    meetings: Mapping[frozenset[int], Sequence[TeamMeeting]]
    rounds: tuple[MatchRound, ...] = ()
    table: tuple[LeagueStanding, ...] = ()
    tree: tuple[tuple[TreeNode, ...], ...] = ()
    reasons: Mapping[tuple[int, int], str] = field(default_factory=dict)

    @property
    def is_league(self) -> bool:
        return self.tournament.meeting == KINDS.LEAGUE

    @property
    def is_tree(self) -> bool:
        return self.tournament.meeting == KINDS.TREE

    @property
    def equals(self) -> list[list[int]]:
        """The teams of a league that share a rank although all of them have played, one list for each rank."""
        played = {int(str(row.team)): row.rank for row in self.table if row.played}
        return [sorted(group) for group in find_equals(played)]


def read_matches(tournament: Tournament, *, in_public: bool) -> MatchesOfTournament:
    """Return the matches of the tournament with the names of its teams. At most eight queries."""
    found: dict[int, tuple[int | None, list[RankedPlayer]]] = {
        number: (version, rows) for number, version, rows in read_published_rows(tournament)
    }
    if not in_public:
        found |= {number: (None, rows) for number, rows in read_closed_rows(tournament, but=found.keys())}
    played = tuple(
        match for number, (version, rows) in sorted(found.items()) for match in pair_rows(number, rows, version)
    )
    planned = read_planned(tournament, but=found.keys())
    teams = list_competing(tournament, played, planned)
    names = name_teams(teams, in_public=in_public)
    words = list(tournament.match_decisions.order_by("pk").values_list("winner__number", "loser__number", "reason"))
    matches = MatchesOfTournament(
        tournament=tournament,
        names=names,
        ids={team.number: team.pk for team in teams},
        played=played,
        sources={each.session: each.version for each in played},
        meetings=join_meetings(played, planned),
        reasons=dict({frozenset(each[:2]): (each[:2], each[2]) for each in words}.values()),
    )
    return with_rounds(matches, newest_words(words))


def find_matches(tournament: Tournament, *, in_public: bool) -> MatchesOfTournament | None:
    """Return the matches of the tournament as `read_matches` does, or None if its form of play has no matches."""
    return read_matches(tournament, in_public=in_public) if find_format(tournament.format).has_matches else None


def with_rounds(matches: MatchesOfTournament, words: Mapping[tuple[int, int], int]) -> MatchesOfTournament:
    """Return the matches with their rounds, and with the table of the league or the tree of the knock-out.

    `words` has the directors' decisions, in the form that `newest_words` returns.
    """
    tournament, numbers = matches.tournament, sorted(matches.names)
    results = [each.result for each in matches.played]
    if matches.is_league:
        rules = LeagueRules(Fraction(tournament.win_points), Fraction(tournament.draw_points))
        rounds = tuple(plan_rounds(numbers, matches.meetings))
        return replace(matches, table=rank_league(numbers, results, rules, decided=words), rounds=rounds)
    if matches.is_tree:
        tree = build_tree(numbers, results, words)
        rounds = tuple(
            MatchRound(number, tuple(read_node(matches, node) for node in nodes))
            for number, nodes in enumerate(tree, start=1)
        )
        return replace(matches, tree=tree, rounds=rounds)
    return replace(matches, rounds=tuple(list_single_rounds(matches.meetings)))


def newest_words(words: Iterable[tuple[int, int, str]]) -> dict[tuple[int, int], int]:
    """Return the team that a director let go on, by the numbers of both teams, the lower one first.

    `words` are the decisions, oldest first: winner, loser, reason. The newest decision on two teams counts.
    """
    return {(min(winner, loser), max(winner, loser)): winner for winner, loser, _reason in words}


def read_node(matches: MatchesOfTournament, node: TreeNode) -> MatchPair:
    """Return a match of the tree with all meetings of its two teams."""
    if node.home is None or node.away is None:
        return MatchPair(node.home, node.away, winner=node.winner, bye=node.bye)
    loser = node.away if node.winner == node.home else node.home
    return MatchPair(
        node.home,
        node.away,
        matches.meetings.get(frozenset((node.home, node.away)), ()),
        winner=node.winner,
        decided=matches.reasons.get((node.winner, loser), "") if node.decided else "",
        is_open=node.is_open,
    )


def plan_rounds(numbers: list[int], meetings: Mapping[frozenset[int], Sequence[TeamMeeting]]) -> Iterator[MatchRound]:
    """Yield the rounds of a league. After the last round, every team has met every other team once."""
    for number, pairs in enumerate(pair_all(len(numbers)) if len(numbers) > 1 else (), start=1):
        found, there = [], set[int]()
        for first, second in sorted(tuple(sorted(pair)) for pair in pairs):
            home, away = numbers[first - 1], numbers[second - 1]
            there |= {home, away}
            found.append(MatchPair(home, away, meetings.get(frozenset((home, away)), ())))
        yield MatchRound(number, tuple(found), tuple(team for team in numbers if team not in there))


def list_single_rounds(meetings: Mapping[frozenset[int], Sequence[TeamMeeting]]) -> Iterator[MatchRound]:
    """Yield the matches of each session, if each match stands alone."""
    sessions: dict[int, list[MatchPair]] = {}
    for each in sorted((one for met in meetings.values() for one in met), key=lambda one: one[:2]):
        sessions.setdefault(each.session, []).append(MatchPair(each.home, each.away, (each,)))
    for number, pairs in sorted(sessions.items()):
        yield MatchRound(number, tuple(pairs))


def list_draft_sessions(tournament: Tournament) -> list[Session]:
    """Return the sessions that have not started, by number. A round of matches can be seated in one of them."""
    drafts = tournament.sessions.filter(status=Session.Status.DRAFT, put_away_at=None)
    return list(drafts.select_related("tournament__club").order_by("number"))
