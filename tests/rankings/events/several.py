"""A tournament of several small sessions that the same club has played to the end."""

from django.utils import timezone

from clubs.models import User
from evenings.standings import computing
from tests.again import all_once_more
from tests.factories import enter_all, make_director, make_tournament, publish, started_session
from tournaments.models import Publication, Session, Tournament, TournamentStandings


def played_sessions(
    tournament: Tournament | None = None, *, count: int = 2, by: User | None = None, tables: int = 5
) -> list[Session]:
    """Return unpublished sessions of so many tables, with all results."""
    tournament = tournament or make_tournament()
    by = by or make_director(tournament.club)
    return all_once_more(play, tournament, by, {"count": count, "tables": tables})


def play(tournament: Tournament, by: User, *, count: int, tables: int) -> list[Session]:
    sessions = [started_session(tournament, tables=tables, positions=tables) for _ in range(count)]
    for session in sessions:
        enter_all(session, by=by)
        computing.refresh(session.pk, now=timezone.now())
    return sessions


def published_sessions(tournament: Tournament, *, by: User, count: int = 2, tables: int = 5) -> list[Session]:
    return all_once_more(play_and_publish, tournament, by, {"count": count, "tables": tables})


def play_and_publish(tournament: Tournament, by: User, *, count: int, tables: int) -> list[Session]:
    sessions = play(tournament, by, count=count, tables=tables)
    for session in sessions:
        publish(session, by=by)
    return sessions


def count_uncompared(tournament: Tournament) -> None:
    """Let the published sessions count in the tournament although no étui is compared in them.

    They become like versions from before the number of compared étuis was stored.
    """
    Publication.objects.filter(session__tournament=tournament).update(compared_etuis=None)


def figures_of(tournament: Tournament) -> list[tuple[int, str | None, int | None]]:
    """Return player, total and rank of everybody, as stored."""
    kept = TournamentStandings.objects.get(pk=tournament.pk)
    return [(row["player"], row["total"], row["rank"]) for row in kept.data["players"]]
