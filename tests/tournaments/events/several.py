"""A tournament of several small sessions played to the end by the same club."""

from django.utils import timezone

from clubs.models import User
from tests.factories import enter_all, make_director, make_tournament, publish, started_session
from tournaments.models import Publication, Session, Tournament, TournamentStandings
from tournaments.standings import computing


def played_sessions(
    tournament: Tournament | None = None, *, count: int = 2, by: User | None = None, tables: int = 5
) -> list[Session]:
    """Sessions of so many tables, all with results, none published."""
    tournament = tournament or make_tournament()
    by = by or make_director(tournament.club)
    sessions = [started_session(tournament, tables=tables, positions=tables) for _ in range(count)]
    for session in sessions:
        enter_all(session, by=by)
        computing.refresh(session.pk, now=timezone.now())
    return sessions


def published_sessions(tournament: Tournament, *, by: User, count: int = 2, tables: int = 5) -> list[Session]:
    sessions = played_sessions(tournament, count=count, by=by, tables=tables)
    for session in sessions:
        publish(session, by=by)
    return sessions


def count_uncompared(tournament: Tournament) -> None:
    """Let published sessions of one position count in the tournament although no étui is compared in them, as versions
    from before that was kept do."""
    Publication.objects.filter(session__tournament=tournament).update(compared_etuis=None)


def figures_of(tournament: Tournament) -> list[tuple[int, str | None, int | None]]:
    """Player, total and rank of everybody, as they are kept."""
    kept = TournamentStandings.objects.get(pk=tournament.pk)
    return [(row["player"], row["total"], row["rank"]) for row in kept.data["players"]]
