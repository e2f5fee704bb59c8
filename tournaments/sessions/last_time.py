"""The players of the last time, whom a director often seats again."""

from tournaments.models import Session


def last_before(session: Session) -> Session | None:
    """Return the club's latest other session that has players, or None."""
    others = Session.objects.filter(tournament__club_id=session.tournament.club_id, date__lte=session.date)
    return others.exclude(pk=session.pk).filter(entrants__isnull=False).order_by("-date", "-pk").first()


def ranked_in(session: Session) -> list[int]:
    """Return the ranked players of a session, in the order of their seats."""
    return list(session.entrants.filter(ranked=True).order_by("number", "pk").values_list("player_id", flat=True))
