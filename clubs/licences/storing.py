"""The federation's list that a club keeps: it is stored, replaced, and deleted when its time is over.

Its holders are people who may never have come to the club. So whoever asks to be erased is deleted from the lists of
all clubs, and no later list is read with this person. A director types licences, and may type somebody else's. So a
director who erases a player reaches the list of the own club alone.
"""

import calendar
import datetime as dt
from collections.abc import Collection, Iterable, Sequence

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from clubs.editing import lock_list
from clubs.licences.reading import LicenceFile, LicenceLine
from clubs.log import log_club_action
from clubs.models import Club, ErasedHolder, LicenceHolder, LicenceList, Player, User
from clubs.models.folded import fold
from clubs.names import licence_key, words_of

KEPT, DELETED = "licences_kept", "licences_deleted"
KEPT_MONTHS = 13
A_BATCH = 1_000  # rows written at a time


@transaction.atomic
def store_list(*, club: Club, file: LicenceFile, name: str, by: User, now: dt.datetime) -> LicenceList:
    """Store a list in the place of the one before, and return it. People who were erased are left out."""
    lock_list(club)
    LicenceList.objects.filter(club=club).delete()
    columns = [list(column) for column in file.columns]
    kept = LicenceList.objects.create(club=club, file=name[:200], columns=columns, read_by=by, read_at=now)
    erased = set(ErasedHolder.objects.values_list("digest", flat=True))
    lines = [line for line in file.lines if not erased or erased.isdisjoint(digests_of(club.pk, line))]
    LicenceHolder.objects.bulk_create(
        (LicenceHolder(list=kept, key=licence_key(line.licence), **line.stored) for line in lines), batch_size=A_BATCH
    )
    log_club_action(club, KEPT, now=now, by=by, count=str(len(lines)), file=kept.file)
    return kept


@transaction.atomic
def delete_list(*, club: Club, by: User, now: dt.datetime) -> None:
    """Delete the club's list. Do nothing if there is none."""
    lock_list(club)
    if LicenceList.objects.filter(club=club).delete()[0]:
        log_club_action(club, DELETED, now=now, by=by)


def find_old_lists(now: dt.datetime) -> QuerySet[LicenceList]:
    """Return the lists that were read more than KEPT_MONTHS ago."""
    months = now.year * 12 + now.month - 1 - KEPT_MONTHS
    year, month = months // 12, months % 12 + 1
    day = min(now.day, calendar.monthrange(year, month)[1])
    return LicenceList.objects.filter(read_at__lt=now.replace(year=year, month=month, day=day))


def forget_holders(players: Sequence[Player], *, everywhere: bool) -> None:
    """Delete an erased person from the lists of the clubs of these players. No later list there has the person.

    `players` are all players of the person. With `everywhere`, delete the person from the lists of all clubs too. In
    another club's list, the licence and a word of the name must agree. The licences of merged players do not count
    there. Without a licence, the person is found by the exact name, in the clubs of these players.
    """
    keys = {licence_key(player.licence) for player in players if player.licence}
    clubs = {player.club_id for player in players}
    digests = {digest_of(key, club) for key in keys for club in clubs}
    if everywhere:
        digests.update(*(digests_everywhere(player) for player in players if player.merged_into_id is None))
    names = set() if keys else {(fold(player.first_name, player.last_name), player.club_id) for player in players}
    digests |= {digest_of(name, club) for name, club in names}
    remember_erased(digests)
    delete_erased(
        LicenceHolder.objects.filter(Q(key__in=keys) | Q(folded__in=[name for name, _club in names])), digests
    )


def remember_erased(digests: Iterable[str]) -> None:
    ErasedHolder.objects.bulk_create((ErasedHolder(digest=digest) for digest in digests), ignore_conflicts=True)


def digests_of(club: int, line: LicenceLine | LicenceHolder) -> Collection[str]:
    """Return the digests under which this person may have been erased: here, by the licence or name, or everywhere."""
    name = fold(line.first_name, line.last_name)
    return digest_of(licence_key(line.licence), club), digest_of(name, club), *digests_everywhere(line)


def digests_everywhere(person: LicenceLine | LicenceHolder | Player) -> Collection[str]:
    """Return the digests under which the lists of all clubs leave a person out: the licence with a word of the name."""
    key, words = licence_key(person.licence), words_of(f"{person.first_name} {person.last_name}")
    return [digest_of(f"{key} {word}") for word in words if key]


def digest_of(text: str, club: int = 0) -> str:
    return salted_hmac("clubs.licences.erased", f"{club}:{text}", algorithm="sha256").hexdigest()


def delete_erased(holders: QuerySet[LicenceHolder], digests: set[str]) -> None:
    """Delete the holders among these who were erased under one of these digests."""
    found = holders.select_related("list").iterator()
    gone = [each.pk for each in found if not digests.isdisjoint(digests_of(each.list.club_id, each))]
    LicenceHolder.objects.filter(pk__in=gone).delete()


def forget_after_restore(digests: Collection[str], *, now: dt.datetime) -> None:
    """Delete restored lists whose time is over, and restored holders who had been erased (`digests`) by then."""
    find_old_lists(now).delete()
    remember_erased(digests)
    if erased := set(ErasedHolder.objects.values_list("digest", flat=True)):
        delete_erased(LicenceHolder.objects.all(), erased)
