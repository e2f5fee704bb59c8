"""What a director changes of a player on the club's list: his data, whether he is offered, whether he stays."""

import datetime as dt
import logging
from collections.abc import Mapping
from typing import Any, ClassVar

from django.apps import apps
from django.db import transaction
from django.db.models import Field

from clubs.models import Club, Person, PersonLink, Player, PlayerLink, PlayerMerge, ShownWord, User
from clubs.persons import joined_links, lock_persons, part, regroup
from clubs.shown import lock_clubs, settle
from wording import Refusal, Texts
from wording import gettext_noop as _

logger = logging.getLogger(__name__)

FIELDS = ("last_name", "first_name", "licence", "category", "series", "ladies", "country", "origin")


class PlayerRefused(Refusal):
    """Nothing was written. `field` names the input that is wrong, or is empty where it is the whole."""

    messages: ClassVar[Texts] = {
        "licence_taken": _("%(name)s has this licence already: correct it, or merge the two."),
        "name_taken": _("%(name)s is on the list already: give a licence to tell the two apart, or merge them."),
        "player_seated": _("%(name)s has played or is seated: put the player away instead of deleting."),
        "player_merged": _("%(name)s has been merged meanwhile: look at the list again."),
        "player_erased": _("%(name)s has been erased: nothing of this player can be changed any more."),
    }


def lock_list(club: Club) -> None:
    """Whoever changes the club's list waits for whoever does."""
    Club.every.select_for_update().get(pk=club.pk)


def lock_player(club: Club, player_id: int) -> Player:
    """A player of the club, with the club's list locked. `Player.DoesNotExist` where there is none, `PlayerRefused`
    where he has been merged or erased."""
    lock_list(club)
    player = club.players.select_related("merged_into").get(pk=player_id)
    if player.merged_into is not None:
        raise PlayerRefused("player_merged", name=player.name)
    if player.erased_at is not None:
        raise PlayerRefused("player_erased", name=player.name)
    return player


@transaction.atomic
def edit_player(*, club: Club, player_id: int, values: Mapping[str, str], by: User) -> Player:
    """Sets what is given of FIELDS; a corrected name is shown at once, wherever the player stands;
    who is known to be young by initials, unless somebody said otherwise."""
    lock_clubs(*club.players.filter(pk=player_id))
    player = lock_player(club, player_id)
    before = {name: getattr(player, name) for name in values}
    for name in FIELDS:
        setattr(player, name, values.get(name, getattr(player, name)))
    others = club.players.real().exclude(pk=player.pk)
    if player.licence and (taken := others.filter(licence=player.licence).first()):
        raise PlayerRefused("licence_taken", "licence", name=taken.name)
    named = {"last_name": player.last_name, "first_name": player.first_name}
    if not player.licence and (taken := others.filter(licence="", **named).first()):
        raise PlayerRefused("name_taken", "last_name", name=taken.name)
    player.save(update_fields=FIELDS)
    settle(player.person)
    changed = sorted(name for name, value in before.items() if value != getattr(player, name))
    logger.info("account %s edits player %s: %s", by.pk, player.pk, ", ".join(changed))
    return player


@transaction.atomic
def put_player_away(*, club: Club, player_id: int, now: dt.datetime, back: bool = False) -> Player:
    """In no list of choices any more, still in past results; with `back` he is offered again."""
    player = lock_player(club, player_id)
    player.put_away_at = None if back else player.put_away_at or now
    player.save(update_fields=["put_away_at"])
    return player


@transaction.atomic
def delete_player(*, club: Club, player_id: int, by: User, now: dt.datetime) -> None:
    """Takes somebody off the list whom nothing refers to. Who is gone stays gone; the other players of that person are
    told apart from then on where only this one held them together."""
    lock_clubs(*club.players.filter(pk=player_id))
    try:
        player = lock_player(club, player_id)
    except Player.DoesNotExist:
        return
    if any(rows_of(player).values()):
        raise PlayerRefused("player_seated", name=player.name)
    logger.warning("account %s deletes player %s of %r", by.pk, player.pk, club.slug)
    lock_persons(player)
    for link in joined_links(player):
        part(link, by=by, now=now)
    person = Person.objects.get(players=player)
    player.delete()
    regroup(person)


def references() -> "list[Field[Any, Any]]":
    """Every field of every model that refers to a player; the logs of merges and links aside, links to accounts, which
    follow whom he has been merged into and end with him, and what was said of how he is shown, which stays his."""
    return [
        field
        for model in apps.get_models()
        if model not in (PlayerMerge, PersonLink, PlayerLink, ShownWord)
        for field in model._meta.concrete_fields
        if field.is_relation and field.related_model is Player
    ]


def rows_of(player: Player) -> dict[str, list[int]]:
    """The ids of all rows that refer to a player, by "app.model.field" in the order of their keys."""
    return {
        f"{field.model._meta.label}.{field.name}": list(
            field.model._base_manager.filter(**{field.name: player}).order_by("pk").values_list("pk", flat=True)
        )
        for field in references()
    }
