"""The writing of an archive: the rows of a tournament at one moment, numbered anew."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from django.db import connection, transaction
from django.db.models import Field, Model

from archives.archive.contents import (
    ARCHIVED,
    DEAL_SETS,
    ETUIS,
    LOG_OF_DEVICES,
    MISSING,
    PLAYERS,
    PUBLICATIONS,
    RECORDS,
    TOURNAMENT_PUBLICATIONS,
    VERSION,
    WITH_FREE_DEALS,
    ArchivedRows,
)
from archives.archive.numbers import NUMBERS, PLAYER, USER, RowNumbers, list_numbers, renumber
from archives.archive.packing import dump, pack_archive, write_lines
from archives.errors import ArchiveError
from clubs.log import log_club_action
from clubs.models import Player, User
from deals.models import DealLook, DealSet, Etui
from deals.sets import record_look
from evenings.plans.deal_sets import find_known_etuis, is_revealed
from scoring.formats import FREE_AUCTION, INDIVIDUAL, QUADRETTES, TEAM_MATCH, TRIPLETTES
from tournaments.locks import read_one_moment
from tournaments.models import LogEntry, PlayRecord, Publication, Tournament, Version
from tournaments.reports.session import decode_report

Row = dict[str, Any]
VERSIONS = (PUBLICATIONS, TOURNAMENT_PUBLICATIONS)
# The formats that sites know which read no archive above `VERSION`.
OF_VERSION = {each.name for each in (INDIVIDUAL, FREE_AUCTION, TRIPLETTES, QUADRETTES, TEAM_MATCH)}
A_BATCH, A_FEW = 1_000, 5  # rows that are read at once; for versions only a few, because each may have megabytes


@transaction.atomic
def export_tournament(
    *, tournament: Tournament, now: dt.datetime, cards_for: User | None = None, by: User | None = None
) -> bytes:
    """Return the archive of a tournament. The same tournament always gives the same bytes.

    A line of the club's log says who made it. Cards and seeds that are not public are left out, except if an account
    `cards_for` asks for them. Then the log of looks records it. Raise `ArchiveError` if a published version contains
    such cards and `cards_for` is None. If results may come in meanwhile, the caller must read in one snapshot.
    """
    writing = ArchiveToWrite(tournament, cards_for, now)
    action = "archive_made" if cards_for is None else "archive_made_with_cards"
    log_club_action(tournament.club, action, now=now, by=by or cards_for, tournament=tournament.name)
    return pack_archive(give_key(tournament), writing.files(), writing.version)


def copy_tournament(*, tournament: Tournament, now: dt.datetime) -> bytes:
    """Return the archive of a tournament for a backup: without hidden cards, and without a line of the club's log."""
    writing = ArchiveToWrite(tournament, None, now)
    return pack_archive(give_key(tournament), writing.files(), writing.version)


def give_key(tournament: Tournament) -> uuid.UUID:
    """Return the key by which archives of this tournament are recognised. It is drawn for the first archive."""
    Tournament.objects.filter(pk=tournament.pk, archive_key=None).update(archive_key=uuid.uuid4())
    tournament.refresh_from_db(fields=["archive_key"])
    assert tournament.archive_key is not None
    return tournament.archive_key


class ArchiveToWrite:
    """An archive that is being written.

    The rows of the tournament are read twice: first to number them, then to write them.
    """

    def __init__(self, tournament: Tournament, cards_for: User | None, now: dt.datetime) -> None:
        self.tournament, self.cards_for, self.numbering = tournament, cards_for, RowNumbers()
        has_cut = tournament.sessions.filter(level__gt=0).exists()
        self.version = VERSION if tournament.format in OF_VERSION and not has_cut else WITH_FREE_DEALS
        self.left_out = MISSING[self.version].columns
        self.players: set[int] = set()
        self.unrated: set[int] = set()  # the persons who wish to have no rating
        self.accounts: set[int] = set()
        self.hidden_etuis: set[tuple[int, int]] = set()  # pairs of a deal set and the number of an étui in it
        self.hidden = self.hide_all_cards(cards_for, now)
        for each in ARCHIVED:
            if each is not PLAYERS:
                self.numbering.count(each.model, [self.note_people(each, row) for row in self.read_rows(each)])
        self.listed = self.count_players()
        self.authors = self.count_authors()

    def read_rows(self, each: ArchivedRows) -> Iterable[Any]:
        """Yield the rows of a model in the order of their numbers. Memory never holds all of them."""
        if each is RECORDS:
            return read_known_records(self.tournament, self.cards_for)
        return self.listed if each is PLAYERS else read_archived(each, self.tournament)

    def hide_all_cards(self, cards_for: User | None, now: dt.datetime) -> set[tuple[type[Model], int]]:
        """Return the class and id of each set whose seed is left out, and of each étui whose cards are left out."""
        hidden = hide_cards(list(self.read_rows(DEAL_SETS)), list(self.read_rows(ETUIS)), cards_for, now)
        self.hidden_etuis = {(row.deal_set_id, row.number) for row in hidden if isinstance(row, Etui)}
        return {(type(row), row.pk) for row in hidden}

    def note_people(self, each: ArchivedRows, row: Any) -> int:
        """Remember the players and the accounts that a row mentions. Return the id of the row."""
        if isinstance(row, Publication):
            self.check_version(row)
        for column in each.columns:
            value = getattr(row, column.attname)
            if value is not None and column.related_model is Player:
                self.players.add(value)
            elif value is not None and column.related_model is User:
                self.accounts.add(value)
        for name, shape in NUMBERS.get(each.model, {}).items():
            for mention in list_numbers(shape, getattr(row, name)):
                if mention.model == PLAYER:
                    self.players.add(mention.number)
                elif mention.model == USER and name not in each.without:
                    self.accounts.add(mention.number)
        return int(row.pk)

    def check_version(self, version: Publication) -> None:
        """Raise `ArchiveError` if a published version holds cards that readers have not seen."""
        if self.hidden_etuis:
            etuis = {etui.number for etui in decode_report(version.data).etuis if etui.cards}
            if any((version.session.deal_set_id, number) in self.hidden_etuis for number in etuis):
                raise ArchiveError("archive_cards", version=version.version, number=version.session.number)

    def count_players(self) -> list[Player]:
        """Give numbers to all players that the archive mentions, and return the players in this order.

        A merged player counts as the player who remains.
        """
        named = Player.objects.filter(pk__in=self.players, club=self.tournament.club_id)
        now = {pk: other for pk, other in named.values_list("pk", "merged_into") if other is not None}
        ids = {*named.values_list("pk", flat=True)} - now.keys() | {*now.values()}
        self.numbering.count(PLAYER, ids)
        self.numbering.name_alike(PLAYER, now)
        players = list(Player.objects.filter(pk__in=ids).select_related("person").order_by("pk"))
        wishes = Player.objects.keep_unrated().filter(person__in=[each.person_id for each in players], erased_at=None)
        self.unrated = set(wishes.values_list("person", flat=True))
        return players

    def count_authors(self) -> list[str]:
        """Give numbers to the names of all accounts that the archive mentions, and return the names sorted."""
        called = {user.pk: user.shown_name for user in User.objects.filter(pk__in=self.accounts)}
        names = sorted(set(called.values()))
        self.numbering.numbers[USER] = {pk: names.index(name) + 1 for pk, name in called.items()}
        return names

    def files(self) -> Iterator[tuple[str, Iterable[bytes]]]:
        """Yield the files of the archive in their order, each as its path and its text in pieces."""
        for each in ARCHIVED:
            rows = enumerate(self.read_rows(each), start=1)
            yield f"{each.name}.json", write_lines({"row": at} | self.write_row(each, row) for at, row in rows)
        authors = ({"row": at, "name": name} for at, name in enumerate(self.authors, start=1))
        yield "authors.json", write_lines(authors)
        for each in VERSIONS:
            for number, version in enumerate(self.read_rows(each), start=1):
                yield f"{each.name}/{number}.json", [write_frozen(version)]

    def write_row(self, each: ArchivedRows, row: Model) -> Row:
        """Return the archived columns of a row, with the numbers of the archive."""
        out = self.left_out.get(each.name, {})
        written = {
            column.name: self.write_value(each, column, row) for column in each.columns if column.name not in out
        }
        if isinstance(row, Player):
            written |= {"shown": row.person.shown, "unrated": row.person_id in self.unrated}
        if isinstance(row, Version):
            written["numbers"] = self.number_figures(each, row)
        if (type(row), row.pk) in self.hidden:
            written |= {"seed": ""} if isinstance(row, DealSet) else {"cards": "", "attempt": None}
        return written

    def write_value(self, each: ArchivedRows, column: "Field[Any, Any]", row: Model) -> Any:
        value = getattr(row, column.attname)
        if column.is_relation and value is not None:
            return self.numbering.numbers[column.related_model._meta.label][value]  # type: ignore[union-attr]
        shape = NUMBERS.get(each.model, {}).get(column.name)
        if shape is not None:
            value = renumber(shape, value, self.numbering.find)
        if column.name == "operation":
            return without_devices(value)
        if isinstance(row, LogEntry) and column.name == "params":
            # `key` is what a device sent with its message to be recognised if it sends it again: no archive has it.
            return {name: each for name, each in value.items() if name != "key"}
        return write_plain(value)

    def number_figures(self, each: ArchivedRows, version: Version) -> dict[str, dict[str, int]]:
        """Return the number in the archive for each id in the frozen figures of a version, by model."""
        shape = NUMBERS[each.model]["data"]
        frozen = list_numbers(shape, version.data if version.frozen is None else version.frozen)
        numbers: dict[str, dict[str, int]] = {}
        for own, mention in zip(frozen, list_numbers(shape, version.data), strict=True):
            numbers.setdefault(own.model, {})[str(own.number)] = self.numbering.find(mention)
        return numbers


def read_archived(each: ArchivedRows, tournament: Tournament) -> Iterator[Any]:
    """Yield the rows of a model that belong to the tournament, in the order of their ids."""
    rows: Any = each.rows._base_manager.filter(**{each.path: tournament.pk}).order_by("pk").distinct()
    rows = rows.select_related("session") if each.rows is Publication else rows
    rows = rows.select_related("play__etui__deal_set") if each is RECORDS else rows
    for row in rows.iterator(chunk_size=A_FEW if each in VERSIONS else A_BATCH):
        if not (isinstance(row, LogEntry) and any(name in row.params for name in LOG_OF_DEVICES)):
            yield row


def read_known_records(tournament: Tournament, cards_for: User | None) -> Iterator[PlayRecord]:
    """Return the records of étuis whose cards readers have seen, or all records if `cards_for` is given."""
    # deal set → numbers of the étuis whose cards are known; None if the seed of the set is revealed
    etuis_of_sets: dict[int, Collection[int] | None] = {}
    for record in read_archived(RECORDS, tournament):
        etui = record.play.etui
        if etui.deal_set_id not in etuis_of_sets:
            etuis_of_sets[etui.deal_set_id] = None if is_revealed(etui.deal_set) else find_known_etuis(etui.deal_set)
        numbers = etuis_of_sets[etui.deal_set_id]
        if cards_for is not None or numbers is None or etui.number in numbers:
            yield record


def hide_cards(
    deal_sets: Collection[DealSet], etuis: Collection[Etui], cards_for: User | None, now: dt.datetime
) -> list[Model]:
    """Return the sets whose seed is not in the archive, and the étuis whose cards are not in it.

    If `cards_for` is given, leave nothing out and log the look.
    """
    hidden: list[Model] = []
    for deal_set in deal_sets:
        if is_revealed(deal_set):
            continue
        open_etuis = find_known_etuis(deal_set)
        secret = [
            etui for etui in etuis if etui.deal_set_id == deal_set.pk and etui.cards and etui.number not in open_etuis
        ]
        if cards_for is None:
            hidden += [*([deal_set] if deal_set.seed else []), *secret]
        elif secret or deal_set.seed:
            numbers = [etui.number for etui in etuis if etui.deal_set_id == deal_set.pk]
            record_look(
                deal_set=deal_set,
                user=cards_for,
                first=min(numbers),
                last=max(numbers),
                now=now,
                kind=DealLook.LookKind.EXPORTED,
                document="archive",
            )
    return hidden


def without_devices(operation: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of the operation whose stored rulings do not name the device that sent them."""
    kept = {
        name: [ruling | {"device": ""} for ruling in operation[name]]
        for name in ("rulings", "rulings_undone")
        if name in operation
    }
    return {**operation, **kept}


def write_frozen(version: Version) -> bytes:
    """Return the bytes of a version's figures: their SHA-256 is its digest."""
    return dump(version.data if version.frozen is None else version.frozen).encode()


def write_plain(value: Any) -> Any:
    """Return the value of a column in a form that JSON can contain."""
    match value:
        case dt.datetime():
            return value.astimezone(dt.UTC).isoformat()
        case dt.date() | dt.time():
            return value.isoformat()
        case Decimal():
            return str(value)
        case _:
            return value


def export_snapshot(
    *, tournament: Tournament, now: dt.datetime, cards_for: User | None = None, by: User | None = None
) -> bytes:
    """Return the archive of a tournament, as `export_tournament` does. Others may write at the same time."""
    is_first = not connection.in_atomic_block
    with transaction.atomic():
        if is_first:
            read_one_moment()
        return export_tournament(tournament=tournament, now=now, cards_for=cards_for, by=by)
