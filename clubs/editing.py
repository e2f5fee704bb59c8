"""The changes that a director makes to players on the club's list: edit the fields, small letters, put away, delete.

The change of names from capitals to small letters can be undone.
"""

import datetime as dt
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from django.apps import apps
from django.db import transaction
from django.db.models import Field, OuterRef, QuerySet
from django.utils.crypto import salted_hmac

from clubs.log import make_entry, say_author
from clubs.models import (
    Club,
    ClubLogEntry,
    LicenceChange,
    Person,
    PersonLink,
    Player,
    PlayerLink,
    PlayerMerge,
    ShownWord,
    User,
)
from clubs.names import is_in_capitals, write_small
from clubs.persons import joined_links, lock_persons, part, regroup
from clubs.shown import lock_clubs, raise_names_version, update_visibility
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


WRITTEN, BACK = "names_alike", "names_back"


class CapitalCounts(NamedTuple):
    """The number of family names in capitals on a list, and the number of other family names."""

    capitals: int
    small: int


class WritableNames(NamedTuple):
    """A change of names to small letters that can be undone.

    `entry`: the id of its entry in the log. `names`: how many names were changed. `by`, `at`: who changed them, and
    when.
    """

    entry: int
    names: int
    by: str
    at: dt.datetime


def count_mixed(players: Iterable[Player]) -> CapitalCounts | None:
    """Return both numbers if a list has family names of both kinds, else None."""
    written = [is_in_capitals(player.last_name) for player in players if len(player.last_name) > 1]
    capitals = CapitalCounts(sum(written), len(written) - sum(written))
    return capitals if all(capitals) else None


@transaction.atomic
def write_alike(*, club: Club, by: User, now: dt.datetime) -> int:
    """Write family names in capitals in small letters. Return the number of players changed.

    If the first name beside it is in capitals, it is changed too. A player without a licence keeps the old name if
    another player without a licence already has the new one.
    """
    lock_list(club)
    players = list(club.players.real())
    changed = [player for player in players if is_in_capitals(player.last_name)]
    firsts = [player.pk for player in changed if is_in_capitals(player.first_name)]
    names = {player: (write_small(player.last_name), small_first(player)) for player in changed}
    done = rename(club, names, players)
    if done:
        marks = " ".join(f"{player.pk}:{mark_of(player)}" for player in changed if player.pk in done)
        params = {"count": str(len(done)), "players": marks, "firsts": " ".join(str(pk) for pk in firsts if pk in done)}
        make_entry(club, WRITTEN, now=now, by=by, **params).save()
    return len(done)


def small_first(player: Player) -> str:
    return write_small(player.first_name) if is_in_capitals(player.first_name) else player.first_name


@transaction.atomic
def undo_alike(*, club: Club, entry_id: int, by: User, now: dt.datetime) -> int:
    """Write the names of that log entry in capitals again. Return the number of players changed.

    Names that were corrected in the meantime stay as they are. A second call changes nothing.
    """
    lock_list(club)
    entry = club.log.get(pk=entry_id, action=WRITTEN)
    if club.log.filter(action=BACK, params__entry=str(entry.pk)).exists():
        return 0
    players = list(club.players.real())
    marks = dict(part.split(":") for part in entry.params["players"].split())
    firsts = set(entry.params["firsts"].split())
    names = {
        player: (
            player.last_name.upper(),
            player.first_name.upper() if str(player.pk) in firsts else player.first_name,
        )
        for player in players
        if marks.get(str(player.pk)) == mark_of(player)
    }
    done = rename(club, names, players)
    make_entry(club, BACK, now=now, by=by, count=str(len(done)), entry=str(entry.pk)).save()
    return len(done)


def mark_of(player: Player) -> str:
    """Return a short digest of the player's name.

    The log has the digest and not the name. It shows later whether the name was corrected.
    """
    return salted_hmac("names_alike", f"{player.last_name}\n{player.first_name}", algorithm="sha256").hexdigest()[:8]


def rename(club: Club, names: dict[Player, tuple[str, str]], players: Sequence[Player]) -> set[int]:
    """Write the new names. Return the ids of the players who got one; nobody gets a name that is already taken."""
    taken = {(player.last_name, player.first_name) for player in players if not player.licence}
    done = []
    for player, (last, first) in names.items():
        before = player.last_name, player.first_name
        if (last, first) == before or (not player.licence and (last, first) in taken):
            continue
        if not player.licence:
            taken.add((last, first))
        player.last_name, player.first_name = last, first
        done.append(player)
    Player.objects.bulk_update(done, ["last_name", "first_name"])
    if done:
        raise_names_version(club.pk)
    return {player.pk for player in done}


def latest_entry() -> "QuerySet[ClubLogEntry]":
    """Return a subquery for a query of clubs: the id of the latest log entry that changed names or undid it."""
    entries = ClubLogEntry.objects.filter(club=OuterRef("pk"), action__in=(WRITTEN, BACK))
    return entries.order_by("-pk").values("pk")[:1]  # type: ignore[return-value]


def find_written(entry_id: int | None) -> WritableNames | None:
    """Return the change of names that this log entry records, or None if the entry is not of that kind."""
    if entry_id is None:
        return None
    entry = ClubLogEntry.objects.filter(pk=entry_id, action=WRITTEN).select_related("author").first()
    return WritableNames(entry.pk, int(entry.params["count"]), say_author(entry), entry.at) if entry else None
