"""The players of a simultaneous who looked at its cards before they had played them."""

import datetime as dt

from django.db.models import Min

from clubs.models import Player
from rankings.simultaneous.hours import find_looks
from tournaments.models import Entrant, PlayingDirector, Simultaneous


def find_lookers(simultaneous: Simultaneous) -> set[int]:
    """Return the ids of the entrants who have seen, printed or exported cards. It takes three queries.

    An entrant is known by the account of the player's person, or as a director who said that they play. Looks after the
    entrant's session was closed, or after the public hour, do not count. Somebody may play in one club, look, and play
    in another club: only the second entrant has looked.
    """
    looks = find_looks(simultaneous).filter(looked_at__lt=simultaneous.public_at).order_by()
    first_look = dict(looks.values("user").annotate(first=Min("looked_at")).values_list("user", "first"))
    if not first_look:
        return set()
    users: dict[int, list[int]] = {}
    for person, user in Player.objects.filter(account__in=first_look).values_list("person", "account"):
        users.setdefault(person, []).append(user)
    inside = {"session__simultaneous_club__simultaneous": simultaneous}
    seated = Entrant.objects.filter(**inside, player__person__in=users).order_by()
    found: list[tuple[int, int, dt.datetime | None]] = [
        (entrant, user, closed)
        for entrant, person, closed in seated.values_list("pk", "player__person", "session__closed_at")
        for user in users[person]
    ]
    declared = PlayingDirector.objects.filter(**inside, user__in=first_look).order_by()
    found += declared.values_list("entrant", "user", "session__closed_at")
    return {entrant for entrant, user, closed in found if closed is None or first_look[user] < closed}
