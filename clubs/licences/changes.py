"""The changes that a federation's list of licences makes in a club's list: compared, then applied at once, and undone.

Players are matched by their licence alone. Nobody is added, and no licence is taken away.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import transaction

from clubs.accounts.log import make_entry, say_author
from clubs.editing import lock_list
from clubs.licences.reading import LicenceFile, LicenceLine
from clubs.models import Club, ClubLogEntry, LicenceChange, Player, User
from clubs.names import words_of
from clubs.names_version import raise_names_version

READ, BACK = "licences_read", "licences_back"
NAMES = ("last_name", "first_name")
FIELDS = (*NAMES, "series", "licence_until")
Values = dict[str, str]
Steps = Mapping[str, tuple[Values, Values]]  # player's id, as text for JSON → the values before and after the change


class LicenceStep(NamedTuple):
    """The change of one player, with the values before and after it by field. Days are texts such as 2026-08-31."""

    player: Player
    before: Values
    after: Values

    @property
    def new_name(self) -> str:
        told = {name: self.after.get(name, getattr(self.player, name)) for name in NAMES}
        return f"{told['last_name']} {told['first_name']}".strip()

    @property
    def old_series(self) -> str:
        return self.player.get_series_display() or "–"

    @property
    def new_series(self) -> str:
        return str(Player.SeriesClass(self.after["series"]).label) if "series" in self.after else ""

    @property
    def new_until(self) -> dt.date | None:
        return dt.date.fromisoformat(self.after["licence_until"]) if "licence_until" in self.after else None


class LicenceReview(NamedTuple):
    """The changes that a list makes (`steps`), and the lines that change nothing.

    `ended`: licences whose last day is over. `absent`: players with a licence that the list lacks. `unknown`: lines
    whose licence nobody of the club has. `same`: the number of players who stay as they are.
    """

    steps: list[LicenceStep]
    ended: list[LicenceLine]
    absent: list[Player]
    unknown: list[LicenceLine]
    same: int

    @property
    def told(self) -> Steps:
        """The steps as plain data. The page sends them back when somebody applies the list."""
        return {str(step.player.pk): (step.before, step.after) for step in self.steps}


class ReadLicences(NamedTuple):
    """A list that was applied and can be undone: the log entry's id, the number of players, who, when."""

    entry: int
    players: int
    by: str
    at: dt.datetime


def review_licences(club: Club, file: LicenceFile, *, today: dt.date) -> LicenceReview:
    """Return the changes that the list would make. This takes two queries, and no write."""
    players = {player.licence: player for player in club.players.real().exclude(licence="").order_by("pk")}
    steps, ended, unknown, same = [], [], [], 0
    for line in file.lines:
        player = players.pop(line.licence, None)
        if player is None:
            unknown.append(line)
            continue
        if line.until is not None and line.until < today:
            ended.append(line)
        after = find_changes(player, line)
        if after:
            steps.append(LicenceStep(player, {name: value_of(player, name) for name in after}, after))
        else:
            same += 1
    absent = [player for player in players.values() if player.put_away_at is None]
    return LicenceReview(steps, ended, absent, unknown, same)


def find_changes(player: Player, line: LicenceLine) -> Values:
    """Return the new values of the fields that change. A name that differs only in capitals or accents stays."""
    after: Values = {}
    if words_of(f"{player.last_name} {player.first_name}") != words_of(f"{line.last_name} {line.first_name}"):
        told = {"last_name": line.last_name, "first_name": line.first_name or player.first_name}
        after |= {name: value for name, value in told.items() if value != value_of(player, name)}
    if line.series and line.series != player.series:
        after["series"] = line.series
    if line.until is not None and line.until != player.licence_until:
        after["licence_until"] = line.until.isoformat()
    return after


def value_of(player: Player, name: str) -> str:
    value = getattr(player, name)
    return value.isoformat() if isinstance(value, dt.date) else value or ""


@transaction.atomic
def apply_licences(*, club: Club, steps: Steps, by: User, now: dt.datetime) -> ReadLicences:
    """Make the changes of a list that were shown. A player whom somebody changed meanwhile is left unchanged."""
    lock_list(club)
    done = write_steps(club, steps)
    entry = make_entry(club, READ, now=now, by=by, count=str(len(done)))
    entry.save()
    LicenceChange.objects.bulk_create(
        LicenceChange(entry=entry, player=player, before=steps[str(player.pk)][0], after=steps[str(player.pk)][1])
        for player in done
    )
    return ReadLicences(entry.pk, len(done), say_author(entry), entry.at)


@transaction.atomic
def undo_licences(*, club: Club, entry_id: int, by: User, now: dt.datetime) -> int:
    """Give the players of that list their former values again, and return how many. The call is idempotent.

    A player who was corrected since then is left unchanged. Raise `ClubLogEntry.DoesNotExist` if the club has no such
    list.
    """
    lock_list(club)
    entry = club.log.get(pk=entry_id, action=READ)
    if club.log.filter(action=BACK, params__entry=str(entry.pk)).exists():
        return 0
    changes = entry.licence_changes.all()
    done = write_steps(club, {str(change.player_id): (change.after, change.before) for change in changes})
    make_entry(club, BACK, now=now, by=by, count=str(len(done)), entry=str(entry.pk)).save()
    return len(done)


def write_steps(club: Club, steps: Steps) -> list[Player]:
    """Write the values after the change, for players who still have the values before it. Return these players."""
    done, renamed = [], False
    for player in club.players.real().filter(pk__in=[int(pk) for pk in steps]).order_by("pk"):
        before, after = steps[str(player.pk)]
        if all(value_of(player, name) == value for name, value in before.items()):
            for name, value in after.items():
                setattr(player, name, read_value(name, value))
            done.append(player)
            renamed = renamed or not after.keys().isdisjoint(NAMES)
    Player.objects.bulk_update(done, FIELDS)
    if renamed or any("series" in steps[str(player.pk)][1] for player in done):
        raise_names_version(club.pk)
    return done


def read_value(name: str, value: str) -> Any:
    if name != "licence_until":
        return value
    return dt.date.fromisoformat(value) if value else None


def find_read_licences(club: Club) -> ReadLicences | None:
    """Return the latest list that was applied, if it has not been undone, else None."""
    entry: ClubLogEntry | None = (
        club.log.filter(action__in=(READ, BACK)).select_related("author").order_by("-pk").first()
    )
    if entry is None or entry.action != READ:
        return None
    return ReadLicences(entry.pk, int(entry.params["count"]), say_author(entry), entry.at)
