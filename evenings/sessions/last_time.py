"""The players of the club's last session, because directors often seat the same players again."""

from tournaments.models import Session


def last_before(session: Session) -> Session | None:
    """Return the club's latest other session, up to this session's date, that has players, or None."""
    others = Session.objects.filter(tournament__club_id=session.tournament.club_id, date__lte=session.date)
    return others.exclude(pk=session.pk).filter(entrants__isnull=False).order_by("-date", "-pk").first()


def ranked_in(session: Session) -> list[int]:
    """Return the ids of the ranked players of a session, in the order of their starting numbers."""
    return list(session.entrants.filter(ranked=True).order_by("number", "pk").values_list("player_id", flat=True))
