"""The changes that a director makes to a player on the club's list: edit the fields, put away, delete."""

import datetime as dt
import logging
from collections.abc import Mapping
from typing import Any, ClassVar

from django.apps import apps
from django.db import transaction
from django.db.models import Field

from clubs.models import Club, LicenceChange, Person, PersonLink, Player, PlayerLink, PlayerMerge, ShownWord, User
from clubs.persons import joined_links, lock_persons, part, regroup
from clubs.shown import lock_clubs, update_visibility
from wording import Refusal, Texts
from wording import gettext_noop as _

logger = logging.getLogger(__name__)

FIELDS = ("last_name", "first_name", "licence", "category", "series", "ladies", "country", "origin")


class PlayerRefused(Refusal):
    """A refused change: nothing was written. `field` is the name of the wrong input, or empty if there is none."""

    messages: ClassVar[Texts] = {
        "licence_taken": _("%(name)s already has this licence: correct it, or merge the two."),
        "name_taken": _("%(name)s is already on the list: add a licence to tell the two apart, or merge them."),
        "player_seated": _("%(name)s has played or has a seat: remove this player from the lists instead of deleting."),
        "player_merged": _("%(name)s has been merged in the meantime: look at the list again."),
        "player_erased": _("%(name)s has been erased: this player can no longer be changed."),
    }


def lock_list(club: Club) -> None:
    """Lock the club's list of players, so that changes of the list wait for each other."""
    Club.every.select_for_update().get(pk=club.pk)


def lock_player(club: Club, player_id: int) -> Player:
    """Lock the club's list and return one of its players.

    Raise Player.DoesNotExist if there is no such player, and PlayerRefused if the player has been merged or erased.
    """
    lock_list(club)
    player = club.players.select_related("merged_into").get(pk=player_id)
    if player.merged_into is not None:
        raise PlayerRefused("player_merged", name=player.name)
    if player.erased_at is not None:
        raise PlayerRefused("player_erased", name=player.name)
    return player


@transaction.atomic
def edit_player(*, club: Club, player_id: int, values: Mapping[str, str], by: User) -> Player:
    """Set the given FIELDS of a player and return the player. A new name is shown everywhere at once.

    A player who is known to be young is shown by initials, unless somebody has chosen otherwise.
    """
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
    update_visibility(player.person)
    changed = sorted(name for name, value in before.items() if value != getattr(player, name))
    logger.info("account %s edits player %s: %s", by.pk, player.pk, ", ".join(changed))
    return player


@transaction.atomic
def set_member_until(*, club: Club, player_id: int, until: dt.date | None, by: User) -> Player:
    """Set the last day of a player's membership in the club, or None for no member. Return the player."""
    player = lock_player(club, player_id)
    player.member_until = until
    player.save(update_fields=["member_until"])
    logger.info("account %s sets the membership of player %s", by.pk, player.pk)
    return player


@transaction.atomic
def put_player_away(*, club: Club, player_id: int, now: dt.datetime, back: bool = False) -> Player:
    """Put a player away, and return the player. Lists to choose from no longer offer the player.

    Past results still show the player. With `back`, the lists offer the player again.
    """
    player = lock_player(club, player_id)
    player.put_away_at = None if back else player.put_away_at or now
    player.save(update_fields=["put_away_at"])
    return player


@transaction.atomic
def delete_player(*, club: Club, player_id: int, by: User, now: dt.datetime) -> None:
    """Delete a player to whom no row refers. Do nothing if there is no such player.

    Other players may be one person only because of this player. They then become separate persons. Raise PlayerRefused
    if rows refer to the player.
    """
    lock_clubs(*club.players.filter(pk=player_id))
    try:
        player = lock_player(club, player_id)
    except Player.DoesNotExist:
        return
    if any(find_referring_rows(player).values()):
        raise PlayerRefused("player_seated", name=player.name)
    logger.warning("account %s deletes player %s of %r", by.pk, player.pk, club.slug)
    lock_persons(player)
    for link in joined_links(player):
        part(link, by=by, now=now)
    person = Person.objects.get(players=player)
    player.delete()
    regroup(person)


def references() -> "list[Field[Any, Any]]":
    """Return every field of every model that refers to a player.

    Five models are left out. PlayerMerge and PersonLink are logs. PlayerLink moves when players are merged, and ends
    with its player. ShownWord (how a player is shown) and LicenceChange (changes by a federation's list) stay with
    their player.
    """
    return [
        field
        for model in apps.get_models()
        if model not in (PlayerMerge, PersonLink, PlayerLink, ShownWord, LicenceChange)
        for field in model._meta.concrete_fields
        if field.is_relation and field.related_model is Player
    ]


def find_referring_rows(player: Player) -> dict[str, list[int]]:
    """Return the ids of all rows that refer to a player, by "app.model.field". The ids are in rising order."""
    return {
        f"{field.model._meta.label}.{field.name}": list(
            field.model._base_manager.filter(**{field.name: player}).order_by("pk").values_list("pk", flat=True)
        )
        for field in references()
    }
