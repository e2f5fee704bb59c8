"""The joining of players of two clubs as one person, by the services that the clubs use."""

import datetime as dt

from django.utils import timezone

from clubs.accounts.questions import answer_as_account, answer_question, ask_same
from clubs.models import Club, Membership, PersonLink, Player, User
from tests.factories import make_director


def director_of(club: Club) -> User:
    """Return a director of the club, a new one if it has none."""
    role = Membership.objects.filter(club=club, role=Membership.Role.DIRECTOR).select_related("user").first()
    return role.user if role else make_director(club, f"chez-{club.slug}")


def ask(one: Player, other: Player, now: dt.datetime | None = None) -> PersonLink:
    """Ask the club of `other`, for the club of `one`, whether the two players are the same person."""
    words = other.licence or other.name
    by = director_of(one.club)
    return ask_same(player=one, club=other.club, words=words, by=by, now=now or timezone.now())


def join_players(one: Player, other: Player) -> PersonLink:
    """Join the two players with the agreement of the account or the director of each."""
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
