"""How strong players are, as far as the club knows: their order in its last published session. Reads only."""

from tournaments.models import Entrant, Publication, Session


def last_published(session: Session) -> Publication | None:
    """The last publication of the tournament's latest other session, else of the club's."""
    others = Publication.objects.exclude(session=session).select_related("session__tournament")
    latest = others.order_by("-session__date", "-session__number", "-session_id", "-version")
    tournament = session.tournament
    return (
        latest.filter(session__tournament=tournament).first()
        or latest.filter(session__tournament__club_id=tournament.club_id).first()
    )


def strongest_first(publication: Publication) -> list[int]:
    """Ids of the players by their overall rank in it; who had none is not there."""
    ranks = {row["id"]: row["rank_general"] for row in publication.data["players"] if row["rank_general"] is not None}
    players = dict(Entrant.objects.filter(pk__in=ranks).values_list("pk", "player_id"))
    ranked = sorted(ranks, key=lambda entrant: (ranks[entrant], entrant))
    return [players[entrant] for entrant in ranked if entrant in players]
