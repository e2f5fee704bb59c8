"""The players of several clubs who are one person, because of an accepted link, a common account or a merge.

The same name or licence alone never makes players one person. When players become one person, no data is copied and no
right is given. So they are as before when they become separate persons again. `accounts.questions` decides who may
answer a question.
"""

import datetime as dt
from collections.abc import Iterable
from typing import ClassVar

from django.db.models import F, Q, QuerySet

from clubs.log import log_club_action
from clubs.models import Club, Person, PersonLink, Player, PlayerMerge, User
from clubs.shown import author_in, lock_clubs, update_visibility
from wording import Refusal, Texts
from wording import gettext_noop as _


class PersonRefused(Refusal):
    """A refused change: nothing was written. `field` is the name of the wrong input, or empty if there is none."""

    messages: ClassVar[Texts] = {
        "person_elsewhere": _(
            "That club has no player, or more than one, with this name or licence: write it as that club’s list "
            "shows it."
        ),
        "person_club_unknown": _("Choose the other club."),
        "person_words_missing": _("Write the player’s licence number or full name, as in that club’s list."),
        "person_already": _("%(name)s is already linked to this person."),
        "person_twice": _("This person would be two players of %(club)s: merge those two first."),
        "person_asked_already": _(
            "%(club)s has already been asked about this player: wait for the answer, or withdraw the question."
        ),
        "person_asked_often": _("You have asked %(count)s questions in one day: ask the next one tomorrow."),
        "person_account_answers": _("%(name)s has an account: only that account can answer."),
        "person_practice": _("Players of the practice club cannot be linked with other clubs."),
        "link_unknown": _("This question has been answered or withdrawn in the meantime: look at the page again."),
    }


def lock_persons(*players: Player) -> None:
    """Lock the persons of these players. Then read each player's person, account and merge again.

    It takes as many queries for one player as for several. So the time does not tell whether a person has several
    players.
    """
    lock_clubs(*players)
    rows = Player.objects.filter(pk__in=[player.pk for player in players])
    list(Person.objects.select_for_update().filter(pk__in=rows.values("person")).order_by("pk"))
    players_by_id = {player.pk: player for player in rows.select_related("person", "account", "merged_into__person")}
    for player in players:
        if player.pk not in players_by_id:
            raise Player.DoesNotExist(f"player {player.pk} has been deleted")
        for field in ("person", "account", "merged_into"):
            setattr(player, field, getattr(players_by_id[player.pk], field))


def check_apart(player: Player, other: Player) -> None:
    """Raise PersonRefused if both players are already one person, or if a club would have two players of one person."""
    if player.person_id == other.person_id:
        raise PersonRefused("person_already", name=other.name)
    mine = player.person.players.real().values("club")
    twice = Club.every.filter(players__in=other.person.players.real()).filter(pk__in=mine).first()
    if twice is not None:
        raise PersonRefused("person_twice", club=twice.name)


def join(link: PersonLink, *, by: User, now: dt.datetime) -> PersonLink:
    """Make the two players of a link one person, and return the link. The caller has locked the persons.

    Other open questions about these two players end.
    """
    assert link.other is not None
    link.accepted_by, link.accepted_at, link.asked = by, now, ""
    link.save()
    regroup(link.one.person, link.other.person, first=link.one)
    person = Player.objects.values("person").filter(pk=link.one_id)
    questions = open_questions().filter(one__person__in=person, other__person__in=person)
    questions.update(ended_at=now, ended_by=by, asked="")
    log_link(link, "person_joined", now=now, by=by)
    return link


def part(link: PersonLink, *, by: User | None, now: dt.datetime) -> PersonLink:
    """End a link, and return it. The players stay one person if another link, an account or a merge still joins them.

    The caller has locked the persons.
    """
    link.ended_by, link.ended_at, link.asked = by, now, ""
    link.save(update_fields=["ended_by", "ended_at", "asked"])
    if link.accepted_at is not None:
        log_link(link, "person_parted", now=now, by=by)
        regroup(link.one.person, first=link.one)
    return link


def log_link(link: PersonLink, action: str, *, now: dt.datetime, by: User | None) -> None:
    """Log the action in every club of the person. The log of a club has only the name of its own player."""
    ends = [link.one_id, *([link.other_id] if link.other_id else [])]
    persons = Player.objects.filter(pk__in=ends).values("person")
    for player in Player.objects.real().filter(person__in=persons).select_related("club").order_by("pk"):
        log_club_action(player.club, action, now=now, by=author_in(player, by), whom=player.name)


def regroup(*persons: Person, first: Player | None = None) -> None:
    """Decide again which players of these persons are one person, by the present links, accounts and merges.

    Then compute how each person is shown. The group with the player `first` comes first and keeps its person. A person
    that has no players left is used for another group before a new person is created. The caller has locked the
    persons.
    """
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
    update_visibility(*kept)


def groups_of(players: Iterable[Player]) -> list[list[Player]]:
    """Return the groups of players who are one person, in the order of the players."""
    players_by_id = {player.pk: player for player in players}
    head = {pk: pk for pk in players_by_id}

    def find_head(pk: int) -> int:
        while head[pk] != pk:
            pk = head[pk]
        return pk

    for one, other in ties_of(players_by_id):
        first, second = sorted((find_head(one), find_head(other)))
        head[second] = first
    groups: dict[int, list[Player]] = {}
    for pk, player in players_by_id.items():
        groups.setdefault(find_head(pk), []).append(player)
    return list(groups.values())


def ties_of(known: dict[int, Player]) -> Iterable[tuple[int, int]]:
    """Yield the pairs of players who are one person because of a link, a merge or a common account."""
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
    """Return the questions that somebody can still answer."""
    return links().filter(accepted_at=None, refused_at=None, ended_at=None)


def joined_links(player: Player) -> QuerySet[PersonLink]:
    """Return the links that join a player, or a player merged into it, with other players."""
    mine = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player.pk))
    held = links().filter(Q(one__in=mine) | Q(other__in=mine), ended_at=None, accepted_at__isnull=False)
    return held.exclude(one=F("other"))


def lock_link(wanted: QuerySet[PersonLink]) -> PersonLink:
    """Lock the persons of the wanted link, and return the link as it is now.

    Raise PersonRefused if it does not exist.
    """
    link = wanted.first()
    if link is not None:
        lock_persons(link.one, *([link.other] if link.other else []))
        link = wanted.first()
    if link is None:
        raise PersonRefused("link_unknown")
    return link
