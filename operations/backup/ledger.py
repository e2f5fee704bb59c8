"""The facts of a site that a restore over it must not undo: erasures, stricter privacy, ended roles, used numbers.

They are read from the old rows before these are deleted, and applied to the restored rows in the same transaction.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import NamedTuple

from django.apps import apps
from django.db import connection
from django.db.models import AutoField, F, Max, Model, Value
from django.db.models.functions import Greatest

from archives.privacy.erasing import erase
from archives.privacy.whom import Whom, whom_of_player
from clubs.licences import forget_after_restore
from clubs.models import (
    Club,
    ClubLogEntry,
    ErasedHolder,
    Invitation,
    Membership,
    PasswordLink,
    Person,
    Player,
    PlayerLink,
    ShownWord,
    User,
)
from clubs.roles import ends_later, outranks
from clubs.shown import privacy, update_visibility
from operations.backup.contents import kept_models
from wording import Refusal

# Browsers, calendars and log-ins compare these numbers, so no number may be used again with another meaning.
RISING = (
    ("clubs.Club", "names_version"),
    ("clubs.ClubSettings", "told_version"),
    ("clubs.User", "access_version"),
    ("tournaments.Tournament", "revision"),
    ("tournaments.Session", "revision"),
    ("tournaments.Session", "told_version"),
    ("tournaments.Table", "revision"),
)
NOT_AGAIN = "{} of the club {} is not erased again: {} Do it by hand."


class LogEnd(NamedTuple):
    """The newest entry of the clubs' log: its id and moment. Entries are never deleted or changed."""

    pk: int
    at: dt.datetime


class OldAccount(NamedTuple):
    """An account of the old site. `joined` distinguishes it from another site's account with the same id."""

    joined: dt.datetime
    is_active: bool
    username: str


class Ledger(NamedTuple):
    """The facts of the old site, by ids. `follows`: whether the old site is the restored site at a later moment.

    Only if so, a row that the old site lacks was deleted since the backup.
    """

    follows: bool
    clubs: dict[int, dt.datetime]
    accounts: dict[int, OldAccount]
    held_roles: dict[tuple[int, int], tuple[str, dt.date | None]]
    erased: set[int]
    asked: dict[int, dt.datetime]
    words: dict[tuple[int, bool], ShownWord]
    versions: dict[tuple[str, str], int]
    ids: dict[str, int]
    erased_holders: set[str]


def read_ledger(end: LogEnd | None) -> Ledger:
    """Read the ledger of the site. `end` is the end of the log in the backup that will replace it."""
    follows = end is not None and ClubLogEntry.objects.filter(pk=end.pk, at=end.at).exists()
    return Ledger(
        follows,
        dict(Club.every.values_list("pk", "created_at")),
        {user.pk: OldAccount(user.date_joined, user.is_active, user.username) for user in User.objects.all()},
        {(row.user_id, row.club_id): (row.role, row.ends_on) for row in Membership.objects.all()},
        set(Player.objects.exclude(erased_at=None).values_list("pk", flat=True)),
        {pk: moment for pk, moment in Player.objects.values_list("pk", "erasure_asked_at") if moment is not None},
        newest_shown_words(),
        {(name, field): highest(apps.get_model(name), field) for name, field in RISING},
        used_ids(),
        set(ErasedHolder.objects.values_list("digest", flat=True)),
    )


def newest_shown_words() -> dict[tuple[int, bool], ShownWord]:
    return {(word.player_id, word.own): word for word in ShownWord.objects.order_by("pk")}


def highest(model: type[Model], field: str) -> int:
    return model._base_manager.aggregate(highest=Max(field))["highest"] or 0


def used_ids() -> dict[str, int]:
    """Return the last id that each table has given to a row, even if that row was deleted."""
    ids: dict[str, int] = {}
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, seq FROM sqlite_sequence")
            return dict(cursor.fetchall())
        for table, column in counted_columns():
            cursor.execute("SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s))", [table, column])
            ids[table] = cursor.fetchone()[0] or 0
    return ids


def counted_columns() -> Iterator[tuple[str, str]]:
    """Yield the tables whose ids the database counts, with the column of the id."""
    for model in kept_models(apps):
        key = model._meta.pk
        if isinstance(key, AutoField):
            yield model._meta.db_table, str(key.column)


def apply_ledger(ledger: Ledger, *, now: dt.datetime) -> list[str]:
    """Apply the ledger to the restored rows. Return sentences about what could not be applied."""
    skip_ids(ledger.ids)
    for (name, field), old in ledger.versions.items():
        apps.get_model(name)._base_manager.update(**{field: Greatest(F(field), Value(old)) + 1})
    for links in (Invitation, PasswordLink, PlayerLink):
        links._base_manager.filter(used_at=None, revoked_at=None).update(revoked_at=now)
    created = dict(Club.every.values_list("pk", "created_at"))
    same = {pk for pk, moment in ledger.clubs.items() if created.get(pk) == moment}
    end_roles(ledger, same)
    restrict_words(ledger, same)
    forget_after_restore(ledger.erased_holders, now=now)
    return [*erase_players(ledger, same, now=now), *erase_accounts(ledger, now=now)]


def skip_ids(ids: dict[str, int]) -> None:
    """Set the counters of ids, so that new rows get ids after those that the old site has used."""
    with connection.cursor() as cursor:
        for table, column in counted_columns():
            last = ids.get(table, 0)
            if connection.vendor == "sqlite":
                cursor.execute("UPDATE sqlite_sequence SET seq = max(seq, %s) WHERE name = %s", [last, table])
                cursor.execute(
                    "INSERT INTO sqlite_sequence (name, seq) SELECT %s, %s"
                    " WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = %s)",
                    [table, last, table],
                )
            elif last:
                sequence = f"pg_get_serial_sequence('{table}', '{column}')"
                cursor.execute(
                    f"SELECT setval({sequence}, greatest(%s, coalesce(pg_sequence_last_value({sequence}), 1)))", [last]
                )


def end_roles(ledger: Ledger, clubs: set[int]) -> None:
    """End, shorten or lower the roles that the old site has ended, shortened or lowered since the backup."""
    for member in Membership.objects.filter(club__in=clubs).select_related("user"):
        old = ledger.held_roles.get((member.user_id, member.club_id))
        account = ledger.accounts.get(member.user_id)
        if account is not None and account.joined != member.user.date_joined:
            continue
        if old is None:
            if ledger.follows:
                member.delete()
            continue
        role, ends_on = old
        if outranks(member.role, role):
            member.role = role
        if ends_later(member.ends_on, ends_on):
            member.ends_on = ends_on
        member.save()


def restrict_words(ledger: Ledger, clubs: set[int]) -> None:
    """Add the old site's choices about how players are shown, where they are stricter than in the restored rows."""
    site_words = newest_shown_words()
    players = dict(Player.objects.filter(club__in=clubs).values_list("pk", "person"))
    authors = set(User.objects.values_list("pk", flat=True))
    stricter = [
        word
        for key, word in ledger.words.items()
        if key[0] in players and privacy(word.shown) > privacy(site_words[key].shown if key in site_words else "")
    ]
    for word in sorted(stricter, key=lambda word: word.pk):
        word.pk = None
        word.by_id = word.by_id if word.by_id in authors else None
        word.save(force_insert=True)
    for pk, moment in ledger.asked.items():
        Player.objects.real().filter(pk=pk, club__in=clubs, erasure_asked_at=None).update(erasure_asked_at=moment)
    update_visibility(*Person.objects.filter(pk__in={players[word.player_id] for word in stricter}).order_by("pk"))


def erase_players(ledger: Ledger, clubs: set[int], *, now: dt.datetime) -> Iterator[str]:
    """Erase again the players whom the old site has erased. Yield a sentence for each who cannot be erased."""
    again = Player.objects.filter(club__in=clubs, erased_at=None, merged_into=None).order_by("pk")
    for pk in again.values_list("pk", flat=True):
        if pk in ledger.erased:
            player = again.select_related("club").get(pk=pk)
            try:
                erase(whom_of_player(player), by=None, now=now)
            except Refusal as refusal:
                yield NOT_AGAIN.format(f"Player no. {pk}", player.club.name, refusal)


def erase_accounts(ledger: Ledger, *, now: dt.datetime) -> Iterator[str]:
    """Erase or close again the accounts that the old site has erased or closed.

    Yield sentences about what must be done by hand.
    """
    for user in User.objects.order_by("pk"):
        old = ledger.accounts.get(user.pk)
        if old is not None and old.joined != user.date_joined:
            continue
        gone = ledger.follows if old is None else not old.is_active and old.username != user.username
        if gone:
            try:
                erase(Whom(account=user), by=None, now=now)
            except Refusal as refusal:
                yield f"The account no. {user.pk} is not erased again: {refusal} Do it by hand."
        elif old is not None and not old.is_active:
            User.objects.filter(pk=user.pk).update(is_active=False)
