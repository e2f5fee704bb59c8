"""Players of two clubs who are made one person, by the way that the clubs go."""

import datetime as dt

from django.utils import timezone

from clubs.accounts.questions import answer_as_account, answer_question, ask_same
from clubs.models import Club, Membership, PersonLink, Player, User
from tests.factories import make_director


def director_of(club: Club) -> User:
    """Any director of a club; a new one where it has none."""
    role = Membership.objects.filter(club=club, role=Membership.Role.DIRECTOR).select_related("user").first()
    return role.user if role else make_director(club, f"chez-{club.slug}")


def ask(one: Player, other: Player, now: dt.datetime | None = None) -> PersonLink:
    """What the club of the one asks the club of the other."""
    words = other.licence or other.name
    by = director_of(one.club)
    return ask_same(player=one, club=other.club, words=words, by=by, now=now or timezone.now())


def join_players(one: Player, other: Player) -> PersonLink:
    """Whoever speaks for each of the two agrees."""
    link, now = ask(one, other), timezone.now()
    for player in (one, other):
        account = Player.objects.select_related("account").get(pk=player.pk).account
        if account is not None:
            answer_as_account(user=account, link_id=link.pk, agree=True, now=now)
        elif player == other and link.accepted_at is None:
            answer_question(club=other.club, link_id=link.pk, agree=True, by=director_of(other.club), now=now)
    link.refresh_from_db()
    assert link.accepted_at is not None
    return link
