"""Players of several clubs who are one person: by the licence that both have, by the word of both clubs' directors, or
by the account that is tied to both (`accounts.players`).

A name alone never says so. What was said is kept (`PersonLink`), and can be taken back by either club.
"""

import datetime as dt
from typing import ClassVar

from django.db import transaction
from django.db.models import Q, QuerySet

from clubs.accounts.roles import directs
from clubs.models import Club, Person, PersonLink, Player, User
from clubs.names import words_of
from clubs.shown import give_back, lock_clubs, take_over
from wording import Refusal, Texts
from wording import gettext_noop as _


class PersonRefused(Refusal):
    """Nothing was written. `field` names the input that is wrong, or is empty where it is the whole."""

    messages: ClassVar[Texts] = {
        "person_elsewhere": _("Nobody alone has this name or licence in that club: write it as it stands there."),
        "person_already": _("%(name)s is known as this person already."),
        "person_twice": _("This person would have two players of %(club)s: merge the two there first."),
        "person_accounts": _("Both have an account: they are two people, or one account has to end first."),
        "link_unknown": _("This has been answered or taken back meanwhile: look at the page again."),
    }


def find_elsewhere(club: Club, words: str) -> Player:
    """The player of a club with this licence, or alone with these words for a name; `PersonRefused` where none is."""
    players = list(club.players.real())
    wanted = sorted(words_of(words))
    found = [player for player in players if player.licence and player.licence == words.strip()]
    found = found or [player for player in players if wanted and sorted(words_of(player.name)) == wanted]
    if len(found) != 1:
        raise PersonRefused("person_elsewhere", "words")
    return found[0]


@transaction.atomic
def say_same(*, player: Player, other: Player, by: User, now: dt.datetime) -> PersonLink:
    """One club's director says that a player of another club is this one. It is so at once where both have one licence,
    or he directs both clubs; else the other club's director is asked. Said already, it is what was said."""
    lock_persons(player, other)
    check_apart(player, other)
    pair = Q(one=player, other=other) | Q(one=other, other=player)
    link = PersonLink.objects.filter(pair, ended_at=None, accepted_at=None).first()
    if link is None:
        link = PersonLink(one=player, other=other, reason=PersonLink.Reason.DIRECTORS, proposed_by=by, proposed_at=now)
    if player.licence and player.licence == other.licence:
        link.reason = PersonLink.Reason.LICENCE
    if link.reason == PersonLink.Reason.LICENCE or directs(by, link.other.club):
        return join(link, by=by, now=now)
    link.save()
    return link


def lock_persons(*players: Player) -> None:
    """Whoever joins or parts these persons waits for whoever does; the players know theirs as it is now."""
    lock_clubs(*players)
    ids = Player.objects.filter(pk__in=[player.pk for player in players]).values("person")
    list(Person.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
    for player in players:
        player.refresh_from_db(fields=["person"])


def check_apart(player: Player, other: Player) -> None:
    if player.person_id == other.person_id:
        raise PersonRefused("person_already", name=other.name)
    twice = Club.every.filter(players__person=player.person).filter(pk__in=other.person.players.values("club")).first()
    if twice is not None:
        raise PersonRefused("person_twice", club=twice.name)
    if player.person.account_id and other.person.account_id:
        raise PersonRefused("person_accounts")


def join(link: PersonLink, *, by: User, now: dt.datetime) -> PersonLink:
    """Everybody who was the other's person is the one's from then on, and his account follows. They are shown as the
    more private of the two was."""
    kept, was = link.one.person, link.other.person
    players = list(was.players.order_by("pk").values_list("pk", flat=True))
    link.was, link.accepted_by, link.accepted_at = was, by, now
    link.moved = {"players": players, "account": was.account_id}
    Player.objects.filter(pk__in=players).update(person=kept)
    hand_over(was, kept, link.moved["account"])
    take_over(kept, was, by=by, now=now)
    link.save()
    return link


def hand_over(source: Person, target: Person, account: int | None) -> None:
    if account is not None:
        Person.objects.filter(pk=source.pk).update(account=None)
        Person.objects.filter(pk=target.pk).update(account=account)


@transaction.atomic
def answer_link(*, club: Club, link_id: int, agree: bool, by: User, now: dt.datetime) -> PersonLink:
    """The other club's word on what was proposed. `PersonRefused` where it is answered, or not for this club."""
    link = lock_link(links().filter(pk=link_id, other__club=club, accepted_at=None, ended_at=None))
    if agree:
        check_apart(link.one, link.other)
        return join(link, by=by, now=now)
    link.ended_by, link.ended_at = by, now
    link.save(update_fields=["ended_by", "ended_at"])
    return link


def lock_link(wanted: QuerySet[PersonLink]) -> PersonLink:
    """The one that is wanted, with its persons: who comes second finds what the first has said of it."""
    link = wanted.first()
    if link is not None:
        lock_persons(link.one, link.other)
        link = wanted.first()
    if link is None:
        raise PersonRefused("link_unknown")
    return link


@transaction.atomic
def end_link(*, club: Club, link_id: int, by: User, now: dt.datetime) -> PersonLink:
    """Takes back what was said or agreed, by either club: whoever changed persons by it is who he was."""
    link = lock_link(links().filter(Q(one__club=club) | Q(other__club=club), pk=link_id, ended_at=None))
    return part(link, by=by, now=now)


def part(link: PersonLink, *, by: User, now: dt.datetime) -> PersonLink:
    """Ends a link, its persons locked: those whom it moved are who they were."""
    if link.accepted_at is not None and link.was is not None:
        now_is = link.other.person
        Player.objects.filter(pk__in=link.moved["players"], person=now_is).update(person=link.was)
        if link.moved["account"] is not None and now_is.account_id == link.moved["account"]:
            hand_over(now_is, link.was, link.moved["account"])
        give_back(now_is, link.was, link.accepted_at, by=by, now=now)
    link.ended_by, link.ended_at = by, now
    link.save(update_fields=["ended_by", "ended_at"])
    return link


def links() -> QuerySet[PersonLink]:
    return PersonLink.objects.select_related("one__club", "other__club", "one__person", "other__person", "was")


def links_of(player: Player) -> QuerySet[PersonLink]:
    """What was said of a player and holds, or waits for an answer."""
    return links().filter(Q(one=player) | Q(other=player), ended_at=None)
