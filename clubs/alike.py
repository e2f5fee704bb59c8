"""The change of family names from capitals to small letters, on a club's list where other names are in small letters.

The change can be undone.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import OuterRef, QuerySet
from django.utils.crypto import salted_hmac

from clubs.editing import lock_list
from clubs.log import make_entry, say_author
from clubs.models import Club, ClubLogEntry, Player, User
from clubs.names import is_in_capitals, write_small
from clubs.names_version import raise_names_version

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
    found = CapitalCounts(sum(written), len(written) - sum(written))
    return found if all(found) else None


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
        told = {"count": str(len(done)), "players": marks, "firsts": " ".join(str(pk) for pk in firsts if pk in done)}
        make_entry(club, WRITTEN, now=now, by=by, **told).save()
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
    found = ClubLogEntry.objects.filter(club=OuterRef("pk"), action__in=(WRITTEN, BACK))
    return found.order_by("-pk").values("pk")[:1]  # type: ignore[return-value]


def find_written(entry_id: int | None) -> WritableNames | None:
    """Return the change of names that this log entry records, or None if the entry is not of that kind."""
    if entry_id is None:
        return None
    entry = ClubLogEntry.objects.filter(pk=entry_id, action=WRITTEN).select_related("author").first()
    return WritableNames(entry.pk, int(entry.params["count"]), say_author(entry), entry.at) if entry else None
