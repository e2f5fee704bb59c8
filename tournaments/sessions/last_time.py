"""Who played the last time: whom a director most often seats again."""

from tournaments.models import Session


def last_before(session: Session) -> Session | None:
    """The club's latest session beside this one of which anybody plays; None where there is none."""
    others = Session.objects.filter(tournament__club_id=session.tournament.club_id, date__lte=session.date)
    return others.exclude(pk=session.pk).filter(entrants__isnull=False).order_by("-date", "-pk").first()


def ranked_in(session: Session) -> list[int]:
    """The players of a session who were not there to complete a table, in the order of their seats."""
    return list(session.entrants.filter(ranked=True).order_by("number", "pk").values_list("player_id", flat=True))
