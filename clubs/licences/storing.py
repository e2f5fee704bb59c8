"""The federation's list that a club keeps: it is read, stored, replaced, offered for new names, and deleted.

Its holders are people who may never have come to the club. So whoever asks to be erased is deleted from the lists of
all clubs, and no later list is read with this person. A director types licences, and may type somebody else's. So a
director who erases a player reaches the list of the own club alone.

The columns are those of `clubs.lists`; a licence and a name are needed. A season "2025-2026" ends on 31 August 2026, a
season "2026" on 31 December 2026. No federation has confirmed these days, so the page names them.
"""

import calendar
import datetime as dt
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from clubs.editing import lock_list
from clubs.lists import NAMES, Cells, ColumnKind, ListLine, PastedList, read_named_cells, read_pasted
from clubs.log import log_club_action
from clubs.matching import LICENSED, LineState, MatchRow
from clubs.models import Club, ErasedHolder, LicenceHolder, LicenceList, Player, User
from clubs.models.folded import fold
from clubs.names import is_in_capitals, licence_key, words_of, write_small
from clubs.roster import RosterLine
from clubs.roster.lines import NameOrder, RosterError
from wording import Refusal, Texts
from wording import gettext_noop as _

DATED = (ColumnKind.UNTIL, ColumnKind.SEASON)
LICENCES = frozenset({*NAMES, *DATED, ColumnKind.LICENCE, ColumnKind.ORIGIN, ColumnKind.CATEGORY, ColumnKind.SERIES})
MOST_LINES = 25_000  # the most lines of a file
MOST_TEXT, MOST_CELL = 80, 20  # letters of a line and of a cell that the page quotes
DAYS = ("%d-%m-%Y", "%Y-%m-%d", "%d-%m-%y")
SEASON = re.compile(r"(?P<first>20\d\d|\d\d)\s*[-/–]\s*(?P<second>20\d\d|\d\d)|(?P<year>20\d\d)")
LAST_DAY = (8, 31)  # the last day of a season over two years; no federation has confirmed it
NAME_ERRORS = {"roster_hidden": "licences_hidden", "roster_too_long": "licences_long"}


class LicenceLine(NamedTuple):
    """A line of the list. `series` and `category` are the stored values, or "".

    `until` is the licence's last day, None if none is given.
    """

    number: int
    licence: str
    last_name: str
    first_name: str = ""
    series: str = ""
    until: dt.date | None = None
    category: str = ""
    club_name: str = ""

    @property
    def stored(self) -> dict[str, Any]:
        """The values that are stored, by the name of the column."""
        return {name: value for name, value in self._asdict().items() if name != "number"}


class LicenceNote(NamedTuple):
    """A line that is left out, or a part of it, with the reason."""

    number: int
    text: str
    reason: "LicenceFileRefused"


class LicenceFile(NamedTuple):
    """A list as it was read: its lines, those that are left out, and the parts of others that are not understood."""

    lines: list[LicenceLine]
    wrong: list[LicenceNote]
    unclear: list[LicenceNote]
    pasted: PastedList

    @property
    def columns(self) -> list[tuple[str, str]]:
        """Each heading with what is read there, "" if nothing is."""
        return [(column.heading, column.kind or "") for column in self.pasted.columns]


class LicenceFileRefused(Refusal):
    """A file that cannot be read as a list of licences, or a line of it that is left out. Nothing was written."""

    messages: ClassVar[Texts] = {
        "licences_empty": _("This file has no line below its heading: choose another."),
        "licences_heading": _(
            "A line must name the columns, at least “Licence” and “Nom”: add such a line, and choose the file again."
        ),
        "licences_too_many": _("This file has more than %(most)s lines: choose the list of your club or region."),
        "licences_twice": _("The licence %(licence)s is already on line %(line)s."),
        "licences_none": _("There is no licence number."),
        "licences_number": _("“%(text)s” is not a licence number."),
        "licences_long": _("The name is too long."),
        "licences_hidden": _("There is an invisible character or a pile of accents."),
        "licences_nameless": _("There is no name."),
        "licences_unclear": _("“%(text)s” is not understood: the line is read without it."),
    }


def read_licences(text: str) -> LicenceFile:
    """Return the list in this text. Raise `LicenceFileRefused` if the file as a whole cannot be read."""
    pasted = read_pasted(text, LICENCES)
    kinds = {column.kind for column in pasted.columns}
    if len(pasted.rows) < 2 and not kinds:
        raise LicenceFileRefused("licences_empty")
    if ColumnKind.LICENCE not in kinds or not kinds & NAMES:
        raise LicenceFileRefused("licences_heading")
    if len(pasted.rows) > MOST_LINES:
        raise LicenceFileRefused("licences_too_many", most=MOST_LINES)
    lines: dict[str, LicenceLine] = {}
    wrong, unclear = [], []
    for row in pasted.rows:
        try:
            line, unread = read_holder(row, row.cells or {}, pasted.order)
            if (first := lines.setdefault(licence_key(line.licence), line)) is not line:
                raise LicenceFileRefused("licences_twice", licence=line.licence, line=first.number)
        except LicenceFileRefused as refusal:
            wrong.append(LicenceNote(row.number, row.text[:MOST_TEXT], refusal))
        else:
            reasons = [LicenceFileRefused("licences_unclear", text=cell[:MOST_CELL]) for cell in unread]
            unclear += [LicenceNote(row.number, row.text[:MOST_TEXT], reason) for reason in reasons]
    if not lines:
        raise wrong[0].reason
    return LicenceFile(list(lines.values()), wrong, unclear, pasted)


def read_holder(row: ListLine, cells: Cells, order: NameOrder) -> tuple[LicenceLine, list[str]]:
    """Return the line of one person, and the texts that are not understood.

    Raise `LicenceFileRefused` with the reason if the person has no name or no licence.
    """
    if not cells.get(ColumnKind.LICENCE):
        raise LicenceFileRefused("licences_none")
    try:
        reading = read_named_cells(cells, row.number, order)[-1]
    except RosterError as error:
        raise LicenceFileRefused(NAME_ERRORS.get(error.code, "licences_nameless")) from error
    line = reading.line
    if not line.licence:
        raise LicenceFileRefused("licences_number", text=cells[ColumnKind.LICENCE][:MOST_CELL])
    days = {kind: read_day(cells[kind]) for kind in DATED if kind in cells}
    until = next(filter(None, days.values()), None)
    unread = [reading.note, *(cells[kind] for kind, day in days.items() if day is None)]
    last, first = as_name(line.last_name), as_name(line.first_name)
    licence_line = LicenceLine(row.number, line.licence, last, first, line.series, until, line.category, line.origin)
    return licence_line, list(filter(None, unread))


def as_name(text: str) -> str:
    """Return a name with small letters if it is in capitals, as federations write family names."""
    return write_small(text) if is_in_capitals(text) else text


def read_day(text: str) -> dt.date | None:
    """Return the day in a cell, or the last day of the season in it. Return None for any other text."""
    written = re.sub("[./]", "-", text.split()[0])
    for form in DAYS:
        try:
            return dt.datetime.strptime(written, form).replace(tzinfo=dt.UTC).date()
        except ValueError:
            continue
    season = SEASON.fullmatch(text)
    if season is None:
        return None
    if season["year"]:
        return dt.date(int(season["year"]), 12, 31)
    is_short = len(season["first"]) == 2  # “26-27” is a season, and “31/08” is none
    if is_short and int(season["second"][-2:]) != int(season["first"]) + 1:
        return None
    return dt.date(2000 + int(season["second"][-2:]), *LAST_DAY)


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
    listed = holders.select_related("list").iterator()
    gone = [each.pk for each in listed if not digests.isdisjoint(digests_of(each.list.club_id, each))]
    LicenceHolder.objects.filter(pk__in=gone).delete()


def forget_after_restore(digests: Collection[str], *, now: dt.datetime) -> None:
    """Delete restored lists whose time is over, and restored holders who had been erased (`digests`) by then."""
    find_old_lists(now).delete()
    remember_erased(digests)
    if erased := set(ErasedHolder.objects.values_list("digest", flat=True)):
        delete_erased(LicenceHolder.objects.all(), erased)


def offer_licences(club: Club, rows: Sequence[MatchRow]) -> list[MatchRow]:
    """Return the rows of a list. A new name that exactly one person on the federation's list has is asked about.

    No player of the club and no other row has the licence of that person. This takes at most two queries.
    """
    names = {row.key: fold(row.line.first_name, row.line.last_name) for row in rows if row.line and is_bare(row)}
    named = defaultdict[str, list[LicenceHolder]](list)
    if names and settings.LICENCE_SEARCH:
        for holder in LicenceHolder.objects.filter(list__club=club, folded__in=set(names.values())):
            named[holder.folded].append(holder)
    if not named:
        return list(rows)
    licences = [row.line.licence for row in rows if row.line]
    licences += club.players.real().exclude(licence="").values_list("licence", flat=True)
    taken = set(map(licence_key, licences))
    only = {name: holders[0] for name, holders in named.items() if len(holders) == 1 and holders[0].key not in taken}
    return [ask_about_holder(row, only.get(names.get(row.key, "")), club) for row in rows]


def is_held(club: Club, line: RosterLine) -> bool:
    """Return whether the federation's list that the club keeps has a person of this name with this licence."""
    named = LicenceHolder.objects.filter(list__club=club, folded=fold(line.first_name, line.last_name))
    return named.filter(key=licence_key(line.licence)).exists()


def is_bare(row: MatchRow) -> bool:
    """Return whether the row is somebody new without a licence."""
    return row.state == LineState.NEW and row.line is not None and not row.line.licence


def ask_about_holder(row: MatchRow, holder: LicenceHolder | None, club: Club) -> MatchRow:
    """Return the row with the question whether it is this person of the federation's list, which is likely."""
    if row.line is None or holder is None:
        return row
    line = replace(
        row.line,
        licence=holder.licence,
        category=row.line.category or holder.category,
        series=row.line.series or holder.series,
        origin=row.line.origin or holder.find_origin(club),
    )
    return replace(row, state=LineState.DOUBTFUL, licensed=line, likely=LICENSED)
