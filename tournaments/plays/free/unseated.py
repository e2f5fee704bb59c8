"""The games of free deals that are not seated yet: their results are missing, although they have no plays."""

from django.db.models import Count

from tournaments.models import Play, Session


def count_unseated_results(session_id: int) -> int:
    """Return how many results the games that are not seated yet will have.

    Each counts as many as the last seated game. Return 0 before the start, or if all games are seated.
    """
    last = Play.objects.filter(session=session_id).values("position").annotate(plays=Count("pk")).order_by("-position")
    row = last.values_list("position", "plays", "session__positions").first()
    return 0 if row is None else max(0, row[2] - row[0]) * row[1]


def find_seated_game(session: Session) -> int:
    """Return the number of the last game that is seated, 0 before the start."""
    return session.plays.order_by("-position").values_list("position", flat=True).first() or 0
