"""The games of free deals that are not seated yet: their results are missing, although they have no plays."""

from collections.abc import Iterable

from django.db.models import Count

from tournaments.models import Play, Session


def count_unseated_results(session_id: int) -> int:
    """Return how many results the games that are not seated yet will have.

    Each counts as many as the last seated game. Return 0 before the start, or if all games are seated.
    """
    last = Play.objects.filter(session=session_id).values("position").annotate(plays=Count("pk")).order_by("-position")
    row = last.values_list("position", "plays", "session__positions").first()
    return 0 if row is None else max(0, row[2] - row[0]) * row[1]


def count_unseated(session: Session) -> int:
    """Return how many results are missing from games that are not seated yet: 0 where étuis are played."""
    return count_unseated_results(session.pk) if session.tournament.deals_freely else 0


def count_unseated_after(session: Session, positions: Iterable[int]) -> int:
    """Return the same as `count_unseated` without a query. `positions` has the position of each play."""
    if not session.tournament.deals_freely:
        return 0
    plays = list(positions)
    last = max(plays, default=session.positions)
    return (session.positions - last) * plays.count(last)


def find_seated_game(session: Session) -> int:
    """Return the number of the last game that is seated, 0 before the start."""
    return session.plays.order_by("-position").values_list("position", flat=True).first() or 0
