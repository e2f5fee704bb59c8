"""The federation's list that a club keeps: it is read, stored, compared with the players, and deleted.

Players are matched by their licence. A player without a licence is matched by exactly the same name, and a director
decides. Nobody is added, and no licence is taken away. Changes can be undone.

Its holders are people who may never have come to the club. So whoever asks to be erased is deleted from the lists of
all clubs, and no later list is read with this person. A director types licences, and may type somebody else's. So a
director who erases a player reaches the list of the own club alone.

The columns are those of `clubs.lists`; a licence and a name are needed. A season "2025-2026" ends on 31 August 2026, a
season "2026" on 31 December 2026. No federation has confirmed these days, so the page names them.
"""

import calendar
import datetime as dt
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import ClassVar, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from clubs.answers import complete
from clubs.editing import lock_list
from clubs.lists import NAMES, Cells, ColumnKind, ListLine, PastedList, read_named_cells, read_pasted
from clubs.log import log_club_action, make_entry
from clubs.matching import LICENSED, LineState, MatchRow
from clubs.models import Club, ClubLogEntry, ErasedHolder, LicenceChange, LicenceHolder, LicenceList, Player, User
from clubs.models.folded import fold
from clubs.names import is_in_capitals, licence_key, simplify_name, words_of, write_small
from clubs.players import sort_by_name
from clubs.roster import NameOrder, RosterError, RosterLine
from clubs.roster.lines import UNREAD
from clubs.shown import raise_names_version
from wording import Refusal, Texts
from wording import gettext_noop as _

DATED = (ColumnKind.UNTIL, ColumnKind.SEASON)
LICENCES = frozenset({*NAMES, *DATED, ColumnKind.LICENCE, ColumnKind.ORIGIN, ColumnKind.CATEGORY, ColumnKind.SERIES})
MOST_LINES = 25_000  # the most lines of a file
MOST_TEXT, MOST_CELL = 80, 20  # letters of a line and of a cell that the page quotes
DAYS = ("%d-%m-%Y", "%Y-%m-%d", "%d-%m-%y", "%m-%d-%Y")
MONTHS = (
    *("janvier january", "fevrier february", "mars march", "avril april", "mai may", "juin june", "juillet july"),
    *("aout august", "septembre september", "octobre october", "novembre november", "decembre december"),
)
WORD = re.compile(r"[a-z]{3,}")
SEASON = re.compile(r"(?:saison |season )?(?:(20)?(\d\d)\s*[-/–]\s*)?(20)?(\d\d)")
LAST_DAY = (8, 31)  # the last day of a season over two years; no federation has confirmed it


class LicenceNote(NamedTuple):
    """A line that is left out, or a part of it, with the reason."""

    number: int
    text: str
    reason: "LicencesRefused | RosterError"


class LicenceFile(NamedTuple):
    """A list as it was read: its people, unsaved, the lines that are left out, and parts that are not understood."""

    lines: list[LicenceHolder]
    wrong: list[LicenceNote]
    unclear: list[LicenceNote]
    pasted: PastedList


class LicencesRefused(Refusal):
    """A refused list of licences, a line of it that is left out, or a refused change by it. Nothing was written."""

    messages: ClassVar[Texts] = {
        "licences_empty": _("This file has no line below its heading: choose another."),
        "licences_heading": _(
            "A line must name the columns, at least “Licence” and “Nom”: add such a line, and choose the file again."
        ),
        "licences_too_many": _("This file has more than %(most)s lines: choose the list of your club or region."),
        "licences_twice": _("The licence %(licence)s is already on line %(line)s."),
        "licences_none": _("There is no licence number."),
        "licences_number": _("“%(text)s” is not a licence number."),
        "licences_unclear": UNREAD,
        "licences_changed": _(
            "Somebody changed the players or the federation’s list in the meantime: look at the changes again."
        ),
        "licences_shared": _("Two players are to get the licence %(licence)s: choose one of them."),
        "licences_newer": _("A newer list has been read since then: these changes can no longer be undone."),
    }


def read_licences(text: str) -> LicenceFile:
    """Return the list in this text. Raise `LicencesRefused` if the file as a whole cannot be read."""
    pasted = read_pasted(text, LICENCES)
    kinds = {column.kind for column in pasted.columns}
    if len(pasted.rows) < 2 and not kinds:
        raise LicencesRefused("licences_empty")
    if ColumnKind.LICENCE not in kinds or not kinds & NAMES:
        raise LicencesRefused("licences_heading")
    if len(pasted.rows) > MOST_LINES:
        raise LicencesRefused("licences_too_many", most=MOST_LINES)
    file = LicenceFile([], [], [], pasted)
    rows: dict[str, ListLine] = {}
    for row in pasted.rows:
        text = row.text[:MOST_TEXT]
        try:
            holder, unread = read_holder(row, row.cells or {}, pasted.order)
            if (first := rows.setdefault(holder.key, row)) is not row:
                raise LicencesRefused("licences_twice", licence=holder.licence, line=first.number)
        except (LicencesRefused, RosterError) as refusal:
            file.wrong.append(LicenceNote(row.number, text, refusal))
        else:
            file.lines.append(holder)
            reasons = [LicencesRefused("licences_unclear", text=cell[:MOST_CELL]) for cell in unread]
            file.unclear.extend(LicenceNote(row.number, text, reason) for reason in reasons)
    if not file.lines:
        raise file.wrong[0].reason
    return file


def read_holder(row: ListLine, cells: Cells, order: NameOrder) -> tuple[LicenceHolder, list[str]]:
    """Return one person, unsaved, and the texts that are not understood.

    Raise `LicencesRefused` or RosterError with the reason if the person has no name or no licence.
    """
    if not cells.get(ColumnKind.LICENCE):
        raise LicencesRefused("licences_none")
    reading = read_named_cells(cells, row.number, order)[-1]
    line = reading.line
    if not line.licence:
        raise LicencesRefused("licences_number", text=cells[ColumnKind.LICENCE][:MOST_CELL])
    days = {kind: read_day(cells[kind]) for kind in DATED if kind in cells}
    unread = [reading.note, *(cells[kind] for kind, day in days.items() if day is None)]
    holder = LicenceHolder(
        licence=line.licence,
        key=licence_key(line.licence),
        last_name=as_name(line.last_name),
        first_name=as_name(line.first_name),
        category=line.category,
        series=line.series,
        until=next(filter(None, days.values()), None),
        club_name=line.origin,
    )
    return holder, list(filter(None, unread))


def as_name(text: str) -> str:
    """Return a name with small letters if it is in capitals, as federations write family names."""
    return write_small(text) if is_in_capitals(text) else text


def read_day(text: str) -> dt.date | None:
    """Return the day in a cell, or the last day of the season in it. Return None for any other text."""
    said = simplify_name(text)
    is_month_first = any(map(find_month, WORD.findall(re.split(r"\d", said)[0])))
    numbers = re.findall(r"\d+", WORD.sub(lambda word: f" {find_month(word[0]) or ''} ", said))
    is_range = sum(len(number) == 4 for number in numbers) > 1  # “du 1er septembre 2026 au 31 août 2027”
    written = "-".join(numbers[-3:] if is_range else numbers[:3])
    for form in ("%m-%d-%Y", *DAYS) if is_month_first else DAYS:
        try:
            return dt.datetime.strptime(written, form).replace(tzinfo=dt.UTC).date()
        except ValueError:
            continue
    season = SEASON.fullmatch(" ".join(text.casefold().split()))
    if season is None:
        return None
    is_long, first, has_century, last = season.groups()
    if first is None:
        return dt.date(2000 + int(last), 12, 31) if has_century else None
    if not is_long and int(last) != int(first) + 1:  # “26-27” is a season, and “31/08” is none
        return None
    return dt.date(2000 + int(last), *LAST_DAY)


def find_month(word: str) -> int:
    """Return the number of the month that a word names, in full or by its beginning, or 0: “sept” gives 9."""
    names = enumerate(MONTHS, start=1)
    return next((month for month, both in names if any(name.startswith(word) for name in both.split())), 0)


KEPT, DELETED = "licences_kept", "licences_deleted"
KEPT_MONTHS = 13
A_BATCH = 1_000  # rows written at a time


@transaction.atomic
def store_list(*, club: Club, file: LicenceFile, name: str, by: User, now: dt.datetime) -> LicenceList:
    """Store a list in the place of the one before, and return it. People who were erased are left out."""
    lock_list(club)
    LicenceList.objects.filter(club=club).delete()
    columns = [[column.heading, column.kind or ""] for column in file.pasted.columns]
    kept = LicenceList.objects.create(club=club, file=name[:200], columns=columns, read_by=by, read_at=now)
    for holder in file.lines:
        holder.pk, holder.list = None, kept
    gone = {holder.key for holder in find_erased(file.lines)}
    holders = [holder for holder in file.lines if holder.key not in gone]
    LicenceHolder.objects.bulk_create(holders, batch_size=A_BATCH)
    log_club_action(club, KEPT, now=now, by=by, count=str(len(holders)), file=kept.file)
    return kept


@transaction.atomic
def delete_list(*, club: Club, by: User, now: dt.datetime) -> None:
    """Delete the club's list. Do nothing if there is none."""
    lock_list(club)
    if LicenceList.objects.filter(club=club).delete()[0]:
        log_club_action(club, DELETED, now=now, by=by)


def find_old_lists(now: dt.datetime) -> QuerySet[LicenceList]:
    """Return the lists that were read more than KEPT_MONTHS ago."""
    year, months = divmod(12 * now.year + now.month - 1 - KEPT_MONTHS, 12)
    day = min(now.day, calendar.monthrange(year, months + 1)[1])
    return LicenceList.objects.filter(read_at__lt=now.replace(year=year, month=months + 1, day=day))


def forget_holders(players: Sequence[Player], *, everywhere: bool) -> None:
    """Delete an erased person from the lists of the clubs of these players. No later list there has the person.

    `players` are all players of the person. With `everywhere`, delete the person from the lists of all clubs too. In
    another club's list, the licence and a word of the name must agree. The licences of merged players do not count
    there. Without a licence, the person is found by the exact name, in the clubs of these players.
    """
    keys = {licence_key(player.licence) for player in players if player.licence}
    digests = set[str]()
    for player in players:
        digests |= {digest_of(text, player.club_id) for text in keys or {player.folded}}
        if everywhere and player.merged_into_id is None:
            digests |= digests_everywhere(player)
    names = [] if keys else [player.folded for player in players]
    erase_holders(LicenceHolder.objects.filter(Q(key__in=keys) | Q(folded__in=names)), digests)


def erase_holders(holders: QuerySet[LicenceHolder], digests: Iterable[str]) -> None:
    """Remember these digests. Delete the holders among these who were erased, now or before."""
    ErasedHolder.objects.bulk_create((ErasedHolder(digest=digest) for digest in digests), ignore_conflicts=True)
    gone = find_erased(holders.select_related("list").iterator())
    LicenceHolder.objects.filter(pk__in=[holder.pk for holder in gone]).delete()


def find_erased(holders: Iterable[LicenceHolder]) -> list[LicenceHolder]:
    """Return the holders who were erased: in the club of their list, by the licence or the name, or everywhere."""
    erased = set(ErasedHolder.objects.values_list("digest", flat=True))
    return [each for each in holders if not erased.isdisjoint(digests_of(each))] if erased else []


def digests_of(holder: LicenceHolder) -> set[str]:
    texts = (holder.key, fold(holder.first_name, holder.last_name))
    return digests_everywhere(holder) | {digest_of(text, holder.list.club_id) for text in texts}


def digests_everywhere(person: LicenceHolder | Player) -> set[str]:
    """Return the digests under which the lists of all clubs leave a person out: the licence with a word of the name."""
    key, words = licence_key(person.licence), words_of(f"{person.first_name} {person.last_name}")
    return {digest_of(f"{key} {word}") for word in words if key}


def digest_of(text: str, club: int = 0) -> str:
    return salted_hmac("clubs.licences.erased", f"{club}:{text}", algorithm="sha256").hexdigest()


def forget_after_restore(digests: Collection[str], *, now: dt.datetime) -> None:
    """Delete restored lists whose time is over, and restored holders who had been erased (`digests`) by then."""
    find_old_lists(now).delete()
    erase_holders(LicenceHolder.objects.all(), digests)


def offer_licences(club: Club, rows: Sequence[MatchRow]) -> list[MatchRow]:
    """Return the rows of a list. A new name that exactly one person on the federation's list has is asked about.

    That it is this person is the likely answer. No player of the club and no other row has the licence of that person.
    This takes at most two queries.
    """
    names = {
        row.key: fold(row.line.first_name, row.line.last_name)
        for row in rows
        if row.line and row.state == LineState.NEW and not row.licence
    }
    holders = LicenceHolder.objects.filter(list__club=club, folded__in=set(names.values()))
    named = group_by_name(holders) if settings.LICENCE_SEARCH else {}
    if not named:
        return list(rows)
    listed = club.players.real().exclude(licence="").values_list("licence", flat=True)
    taken = {row.licence for row in rows} | set(map(licence_key, listed))
    only = {name: holders[0] for name, holders in named.items() if len(holders) == 1 and holders[0].key not in taken}
    asked = []
    for row in rows:
        if row.line and (holder := only.get(names.get(row.key, ""))):
            facts = {"category": holder.category, "series": holder.series, "origin": holder.find_origin(club)}
            line = complete(row.line, RosterLine(holder.last_name, holder.first_name, holder.licence, **facts))
            row = replace(row, state=LineState.DOUBTFUL, licensed=line, likely=LICENSED)
        asked.append(row)
    return asked


def group_by_name(holders: Iterable[LicenceHolder]) -> dict[str, list[LicenceHolder]]:
    named = defaultdict[str, list[LicenceHolder]](list)
    for holder in holders:
        named[holder.folded].append(holder)
    return named


def is_held(club: Club, line: RosterLine) -> bool:
    """Return whether the federation's list that the club keeps has a person of this name with this licence."""
    named = LicenceHolder.objects.filter(list__club=club, folded=fold(line.first_name, line.last_name))
    return named.filter(key=licence_key(line.licence)).exists()


READ, BACK = "licences_read", "licences_back"
PARTS = ("last_name", "first_name")
CHANGED = (*PARTS, "licence", "series", "licence_until")
Values = dict[str, str]  # of some fields of a player; days are texts such as 2026-08-31


class LicenceStep(NamedTuple):
    """The change of one player, with the new values by field.

    For a player without a licence it is a question: `holders` have exactly this name, and nothing changes without an
    answer. `likely` is the answer if it is clear.
    """

    player: Player
    after: Values
    holders: Sequence[LicenceHolder] = ()
    likely: LicenceHolder | None = None

    @property
    def before(self) -> Values:
        return values_of(self.player, self.after)


class LicenceReview(NamedTuple):
    """The changes that a list makes (`steps`), the questions that it leaves, and the players whom it does not change.

    `ended`: holders in the club whose last day is over. `absent`: players with a licence that the list lacks. `same`:
    the number of players on the list who stay as they are.
    """

    steps: list[LicenceStep]
    questions: list[LicenceStep]
    ended: list[LicenceHolder]
    absent: list[Player]
    same: int

    @property
    def digest(self) -> str:
        """A digest of what the page shows. It proves that the changes are those that the director saw."""
        rows = [*self.steps, *self.questions]
        shown = [(each.player.pk, each.before, each.after, [holder.pk for holder in each.holders]) for each in rows]
        return sha256(repr(shown).encode()).hexdigest()


def review_licences(club: Club, *, today: dt.date) -> LicenceReview:
    """Return the changes that the club's stored list would make. This takes two queries, and no write."""
    players = sort_by_name(club.players.real())
    bare = [player for player in players if not player.licence and player.put_away_at is None]
    namesakes = Counter(player.folded for player in bare)
    keys = Counter(licence_key(player.licence) for player in players if player.licence)
    wanted = Q(key__in=keys) | Q(folded__in=namesakes)
    holders = list(LicenceHolder.objects.filter(wanted, list__club=club).order_by("pk"))
    named = group_by_name(holder for holder in holders if holder.key not in keys)
    questions = [
        LicenceStep(player, {}, alike, alike[0] if len(alike) == namesakes[player.folded] == 1 else None)
        for player in bare
        if (alike := named.get(player.folded))
    ]
    by_key = {holder.key: holder for holder in holders}
    steps, ended, absent, same = [], [], [], 0
    for player in (player for player in players if player.licence):
        holder = by_key.get(licence_key(player.licence))
        if holder is None or (keys[holder.key] > 1 and player.licence != holder.licence):
            absent += [player] if player.put_away_at is None else []
            continue
        ended += [holder] if holder.until is not None and holder.until < today else []
        if after := find_changes(player, holder):
            steps.append(LicenceStep(player, after))
        else:
            same += 1
    return LicenceReview(steps, questions, ended, absent, same)


def find_changes(player: Player, holder: LicenceHolder) -> Values:
    """Return the new values of the fields that change. A name that differs only in capitals or accents stays."""
    wanted = {"series": holder.series, "licence_until": str(holder.until or "")}
    wanted["licence"] = player.licence or holder.licence
    if words_of(f"{player.last_name} {player.first_name}") != words_of(f"{holder.last_name} {holder.first_name}"):
        wanted |= {"last_name": holder.last_name, "first_name": holder.first_name}
    before = values_of(player, wanted)
    return {name: value for name, value in wanted.items() if value and value != before[name]}


def values_of(player: Player, names: Iterable[str]) -> Values:
    return {name: str(getattr(player, name) or "") for name in names}


@transaction.atomic
def apply_licences(*, club: Club, answers: Mapping[int, int], shown: str, by: User, now: dt.datetime) -> ClubLogEntry:
    """Make the changes that were shown, whose digest is `shown`. Return the line about them in the club's log.

    `answers`: for players without a licence, the chosen holder. Raise `LicencesRefused` if the changes are no longer
    those that were shown, or if two players are to get one licence.
    """
    lock_list(club)
    review = review_licences(club, today=now.date())
    if review.digest != shown:
        raise LicencesRefused("licences_changed")
    steps = review.steps + answer_questions(review.questions, answers)
    count = write_steps(club, {step.player.pk: (step.before, step.after) for step in steps})
    entry = make_entry(club, READ, now=now, by=by, count=str(count))
    entry.save()
    LicenceChange.objects.bulk_create(
        LicenceChange(entry=entry, player=step.player, before=step.before, after=step.after) for step in steps
    )
    return entry


def answer_questions(questions: Iterable[LicenceStep], answers: Mapping[int, int]) -> list[LicenceStep]:
    steps, answered = [], set()
    for question in questions:
        holder = next((each for each in question.holders if each.pk == answers.get(question.player.pk)), None)
        if holder is None:
            continue
        if holder.key in answered:
            raise LicencesRefused("licences_shared", licence=holder.licence)
        answered.add(holder.key)
        steps.append(LicenceStep(question.player, find_changes(question.player, holder)))
    return steps


@transaction.atomic
def undo_licences(*, club: Club, entry_id: int, by: User, now: dt.datetime) -> int:
    """Give the players of that list their former values again, and return how many. The call is idempotent.

    A player who was corrected since then is left unchanged. Raise `ClubLogEntry.DoesNotExist` if the club has no such
    list, and `LicencesRefused` if a newer list has been read.
    """
    lock_list(club)
    entry = club.log.get(pk=entry_id, action=READ)
    if club.log.filter(action=BACK, params__entry=str(entry.pk)).exists():
        return 0
    if is_outdated(entry):
        raise LicencesRefused("licences_newer")
    changes = entry.licence_changes.all()
    count = write_steps(club, {change.player_id: (change.after, change.before) for change in changes})
    log_club_action(club, BACK, now=now, by=by, count=str(count), entry=str(entry.pk))
    return count


def is_outdated(entry: ClubLogEntry) -> bool:
    """Return whether a newer list has been read since these changes. They can then no longer be undone."""
    return entry.club.log.filter(action=KEPT, pk__gt=entry.pk).exists()


def write_steps(club: Club, steps: Mapping[int, tuple[Values, Values]]) -> int:
    """Write values for players, and return for how many.

    `steps` has the values before and after the change by the player's id. A player who no longer has the values before
    stays without change. So does one whose licence would go, if a namesake without licence is on the list.
    """
    done, written = [], set[str]()
    bare = set(club.players.real().filter(licence="").values_list(*PARTS))
    for player in club.players.real().filter(pk__in=list(steps)).order_by("pk"):
        before, after = steps[player.pk]
        is_same = values_of(player, before) == before
        for name, value in after.items():
            setattr(player, name, value)
        player.licence_until = player.licence_until or None
        goes = after.get("licence") == "" and (player.last_name, player.first_name) in bare
        if is_same and not goes:
            done.append(player)
            written.update(after)
    Player.objects.bulk_update(done, CHANGED)
    if not written.isdisjoint({*PARTS, "series"}):
        raise_names_version(club.pk)
    return len(done)


def find_read_licences(club: Club) -> ClubLogEntry | None:
    """Return the line of the log about the latest changes by a list, if they have not been undone, else None."""
    entry = club.log.filter(action__in=(READ, BACK)).select_related("author").order_by("-pk").first()
    return entry if entry and entry.action == READ else None
