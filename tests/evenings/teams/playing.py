"""The play of sessions of teams in tests: results, standings, and an event of three sessions."""

from decimal import Decimal

from django.utils import timezone

from clubs.models import User
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plays.penalties import Sanction, give_penalty
from evenings.plays.ruling import annul_etui
from evenings.standings import computing
from movements.teams import propose_triplettes
from tests.evenings.teams.evening import make_team_tournament, start_with_rows
from tests.factories import enter_all, make_director
from tests.worlds import kept_world
from tournaments.models import Session, TeamMember, Tournament


def refresh(session: Session) -> Session:
    """Compute the session's standings, and return the session read anew."""
    computing.refresh(session.pk, now=timezone.now())
    return Session.objects.select_related("tournament", "standings", "deal_set", "group").get(pk=session.pk)


def play_all(session: Session, *, by: User, missing: int = 0) -> Session:
    """Enter all results of the session but the last few, and compute its standings."""
    plays = list(session.plays.select_related("etui", "table"))
    enter_all(session, by=by, plays=plays[: len(plays) - missing])
    return refresh(session)


def replace_member(member: TeamMember, session: Session, position: int) -> TeamMember:
    """Let a new player take over the member's place from this position of the session on."""
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Ersatz", f"Zoé{member.pk}")])
    member.until_session, member.until_position, member.ended_at = session, position - 1, timezone.now()
    member.save()
    told = {"tournament": session.tournament, "team": member.team, "player": player, "place": member.place}
    return TeamMember.objects.create(
        **told, from_session=session, from_position=position, replaces=member, reason="malade"
    )


def start_sessions(tournament: Tournament, rules: list[str], *, positions: int = 3) -> list[Session]:
    """Start a session of the tournament's teams by each of these rules of `propose_triplettes`."""
    teams = tournament.teams.count()
    plans = {each.plan.rule: each.plan for each in propose_triplettes(teams, positions, 4)}
    return [start_with_rows(tournament, plans[rule]) for rule in rules]


@kept_world
def play_event(*, teams: int = 8) -> tuple[Tournament, list[Session], User]:
    """Return a played event of three sessions: missing plays, an annulled étui, a substitute, a penalty and a bonus."""
    tournament, now = make_team_tournament(teams=teams), timezone.now()
    by = make_director(tournament.club)
    sessions = start_sessions(tournament, ["all_meet", "two_lines", "all_meet"])
    replace_member(tournament.teams.get(number=3).members.get(place=2), sessions[1], 2)
    for session, missing in zip(sessions, (0, 3, 1), strict=True):
        play_all(session, by=by, missing=missing)
    annul_etui(session_id=sessions[1].pk, etui=2, reason="carte retournée", by=by, now=now)
    for session, kind, points in ((sessions[0], "penalty", "1.5"), (sessions[2], "bonus", "0.25")):
        give_penalty(
            session_id=session.pk,
            entrant_id=session.entrants.get(team__number=5).pk,
            sanction=Sanction(kind, Decimal(points)),
            reason="retard",
            by=by,
            now=now,
        )
    return tournament, [refresh(session) for session in sessions], by
