"""Players of several clubs who are one person: by a link to which both sides agreed, by one account, or by a merge.

A name or a licence alone never says so. A person is what holds its players together and nothing more: a join moves no
right and copies nothing, so whoever ends one leaves every player as it was. Who is asked, and who may answer, is in
`accounts.questions`.
"""

import datetime as dt
from collections.abc import Iterable
from typing import ClassVar

from django.db.models import F, Q, QuerySet

from clubs.accounts.log import log
from clubs.models import Club, Person, PersonLink, Player, PlayerMerge, User
from clubs.shown import author_in, lock_clubs, settle
from wording import Refusal, Texts
from wording import gettext_noop as _


class PersonRefused(Refusal):
    """Nothing was written. `field` names the input that is wrong, or is empty where it is the whole."""

    messages: ClassVar[Texts] = {
        "person_elsewhere": _("Nobody alone has this name or licence in that club: write it as it stands there."),
        "person_club_unknown": _("Choose the other club."),
        "person_words_missing": _("Write the licence number or the whole name of the player there."),
        "person_already": _("%(name)s is known as this person already."),
        "person_twice": _("This person would have two players of %(club)s: merge the two there first."),
        "person_asked_already": _("%(club)s has been asked about this player: wait for the answer, or take it back."),
        "person_asked_often": _("You have asked %(count)s questions within a day: ask again tomorrow."),
        "person_account_answers": _("%(name)s has an account: only that account can answer."),
        "person_practice": _("Players of the practice club are nobody elsewhere."),
        "link_unknown": _("This has been answered or taken back meanwhile: look at the page again."),
    }


def lock_persons(*players: Player) -> None:
    """Whoever joins or parts these persons waits for whoever does; the players know theirs as it is now. As many
    queries for one player as for several, so that the time tells nothing of the others."""
    lock_clubs(*players)
    asked = Player.objects.filter(pk__in=[player.pk for player in players])
    list(Person.objects.select_for_update().filter(pk__in=asked.values("person")).order_by("pk"))
    known = {player.pk: player for player in asked.select_related("person", "account", "merged_into__person")}
    for player in players:
        if player.pk not in known:
            raise Player.DoesNotExist(f"player {player.pk} has been deleted")
        for field in ("person", "account", "merged_into"):
            setattr(player, field, getattr(known[player.pk], field))


def check_apart(player: Player, other: Player) -> None:
    """Raise `PersonRefused` where the two are one person already, or would be two players of one club."""
    if player.person_id == other.person_id:
        raise PersonRefused("person_already", name=other.name)
    mine = player.person.players.real().values("club")
    twice = Club.every.filter(players__in=other.person.players.real()).filter(pk__in=mine).first()
    if twice is not None:
        raise PersonRefused("person_twice", club=twice.name)


def join(link: PersonLink, *, by: User, now: dt.datetime) -> PersonLink:
    """Make the two players of a link one person, the persons locked. What else was asked about the two is over."""
    assert link.other is not None
    link.accepted_by, link.accepted_at, link.asked = by, now, ""
    link.save()
    regroup(link.one.person, link.other.person, first=link.one)
    person = Player.objects.values("person").filter(pk=link.one_id)
    asked = open_questions().filter(one__person__in=person, other__person__in=person)
    asked.update(ended_at=now, ended_by=by, asked="")
    log_link(link, "person_joined", now=now, by=by)
    return link


def part(link: PersonLink, *, by: User | None, now: dt.datetime) -> PersonLink:
    """End a link, the persons locked. The players stay one person where something else holds them together."""
    link.ended_by, link.ended_at, link.asked = by, now, ""
    link.save(update_fields=["ended_by", "ended_at", "asked"])
    if link.accepted_at is not None:
        log_link(link, "person_parted", now=now, by=by)
        regroup(link.one.person, first=link.one)
    return link


def log_link(link: PersonLink, action: str, *, now: dt.datetime, by: User | None) -> None:
    """In the log of every club of the person, each by the name of its own player alone."""
    ends = [link.one_id, *([link.other_id] if link.other_id else [])]
    persons = Player.objects.filter(pk__in=ends).values("person")
    for player in Player.objects.real().filter(person__in=persons).select_related("club").order_by("pk"):
        log(player.club, action, now=now, by=author_in(player, by), whom=player.name)


def regroup(*persons: Person, first: Player | None = None) -> None:
    """Have the players of these persons be as many persons as follow from the links that hold, the accounts and the
    merges; and settle how each is shown. The persons are locked. The group of the player `first` is the first of the
    persons; one that has no players is taken before a new one is made."""
    players = list(Player.objects.filter(person__in=persons).order_by("pk"))
    free = {person.pk: person for person in persons}
    empty = [pk for pk in free if pk not in {player.person_id for player in players}]
    kept = []
    for group in sorted(groups_of(players), key=lambda group: first not in group):
        own = {player.person_id for player in group}
        number = next((pk for pk in free if pk in own), None) or next((pk for pk in free if pk in empty), None)
        person = free.pop(number) if number else Person.objects.create()
        Player.objects.filter(pk__in=[player.pk for player in group]).exclude(person=person).update(person=person)
        kept.append(person)
    Person.objects.filter(pk__in=free).exclude(pk__in=PlayerMerge.objects.values("person")).delete()
    settle(*kept)


def groups_of(players: Iterable[Player]) -> list[list[Player]]:
    """The players that something holds together, each group and the groups in the order of the players."""
    known = {player.pk: player for player in players}
    head = {pk: pk for pk in known}

    def find_head(pk: int) -> int:
        while head[pk] != pk:
            pk = head[pk]
        return pk

    for one, other in ties_of(known):
        first, second = sorted((find_head(one), find_head(other)))
        head[second] = first
    groups: dict[int, list[Player]] = {}
    for pk, player in known.items():
        groups.setdefault(find_head(pk), []).append(player)
    return list(groups.values())


def ties_of(known: dict[int, Player]) -> Iterable[tuple[int, int]]:
    """Pairs of players that are one person."""
    held = PersonLink.objects.filter(one__in=known, other__in=known, ended_at=None, accepted_at__isnull=False)
    yield from held.values_list("one", "other")
    by_account: dict[int, int] = {}
    for player in known.values():
        if player.merged_into_id in known:
            yield player.pk, player.merged_into_id
        elif player.account_id is not None and player.erased_at is None:
            yield by_account.setdefault(player.account_id, player.pk), player.pk


def links() -> QuerySet[PersonLink]:
    return PersonLink.objects.select_related(
        "asked_club",
        *(f"{side}__{path}" for side in ("one", "other") for path in ("club", "person", "merged_into__person")),
    )


def open_questions() -> QuerySet[PersonLink]:
    """Questions that somebody may still answer."""
    return links().filter(accepted_at=None, refused_at=None, ended_at=None)


def joined_links(player: Player) -> QuerySet[PersonLink]:
    """The links of a player, and of whom has been merged into it, that hold."""
    mine = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player.pk))
    held = links().filter(Q(one__in=mine) | Q(other__in=mine), ended_at=None, accepted_at__isnull=False)
    return held.exclude(one=F("other"))


def lock_link(wanted: QuerySet[PersonLink]) -> PersonLink:
    """The one that is wanted, with its persons: who comes second finds what the first has said of it."""
    link = wanted.first()
    if link is not None:
        lock_persons(link.one, *([link.other] if link.other else []))
        link = wanted.first()
    if link is None:
        raise PersonRefused("link_unknown")
    return link
