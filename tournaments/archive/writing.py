"""The writing of an archive: the rows of a tournament with numbers of the archive's own."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Field, Model

from clubs.models import Player, User
from deals.looks import record_look
from deals.models import DealLook, DealSet, Etui
from tournaments.archive.contents import (
    ARCHIVED,
    DEAL_SETS,
    ETUIS,
    LOG_OF_DEVICES,
    PLAYERS,
    PUBLICATIONS,
    TOURNAMENT_PUBLICATIONS,
    ArchivedRows,
    ArchiveError,
)
from tournaments.archive.numbering import RowNumbers
from tournaments.archive.numbers import NUMBERS
from tournaments.archive.packing import dump, pack_archive, write_values
from tournaments.archive.shapes import PLAYER, USER, list_numbers, renumber
from tournaments.models import LogEntry, Publication, Tournament, Version
from tournaments.plans.deal_sets import find_known_etuis, is_revealed

Row = dict[str, Any]
VERSIONS = (PUBLICATIONS, TOURNAMENT_PUBLICATIONS)


@transaction.atomic
def export_tournament(*, tournament: Tournament, now: dt.datetime, cards_for: User | None = None) -> bytes:
    """Return the archive of a tournament. The same tournament always gives the same bytes.

    Cards and seeds that are not public are left out, unless `cards_for` asks for them: then they are in it, and the
    look is logged. Raise `ArchiveError` if a published version holds such cards and nobody asks for them. The caller
    reads in one snapshot, if results may come in meanwhile.
    """
    writing = ArchiveToWrite(tournament, cards_for, now)
    return pack_archive(give_key(tournament), writing.files())


def give_key(tournament: Tournament) -> uuid.UUID:
    """Return the key by which archives of this tournament are recognised. The first archive draws it."""
    Tournament.objects.filter(pk=tournament.pk, archive_key=None).update(archive_key=uuid.uuid4())
    tournament.refresh_from_db(fields=["archive_key"])
    assert tournament.archive_key is not None
    return tournament.archive_key


class ArchiveToWrite:
    """An archive that is being written: the rows of the tournament, read once, and their numbers."""

    def __init__(self, tournament: Tournament, cards_for: User | None, now: dt.datetime) -> None:
        self.tournament, self.numbering = tournament, RowNumbers()
        self.rows = {each.name: read_archived(each, tournament) for each in ARCHIVED if each is not PLAYERS}
        self.hidden = hide_cards(self.rows[DEAL_SETS.name], self.rows[ETUIS.name], cards_for, now)
        self.check_versions()
        for each in ARCHIVED:
            if each is not PLAYERS:
                self.numbering.count(each.model, [row.pk for row in self.rows[each.name]])
        self.rows[PLAYERS.name] = self.count_players()
        self.authors = self.count_authors()

    def check_versions(self) -> None:
        """Raise `ArchiveError` if a published version holds cards that readers have not seen."""
        hidden = {(row.deal_set_id, row.number) for row in self.hidden if isinstance(row, Etui)}
        for version in self.rows[PUBLICATIONS.name]:
            found = {etui["number"] for etui in version.data["etuis"] if etui["cards"]}
            if any((version.session.deal_set_id, number) in hidden for number in found):
                raise ArchiveError(
                    f"Version {version.version} of session {version.session.number} holds cards that readers do not"
                    " see, and it cannot be changed: export the tournament with its cards."
                )

    def count_players(self) -> list[Player]:
        """Give numbers to the players who are mentioned anywhere, and return them in this order.

        A merged player is the one who remains.
        """
        ids: set[int] = set()
        for each in ARCHIVED:
            if each is PLAYERS:
                continue
            links = [column.attname for column in each.columns if column.related_model is Player]
            for row in self.rows[each.name]:
                ids |= {pk for name in links if (pk := getattr(row, name)) is not None}
                for name, shape in NUMBERS.get(each.model, {}).items():
                    ids |= {found.number for found in list_numbers(shape, getattr(row, name)) if found.model == PLAYER}
        named = Player.objects.filter(pk__in=ids, club=self.tournament.club_id)
        now = {pk: other for pk, other in named.values_list("pk", "merged_into") if other is not None}
        there = {*named.values_list("pk", flat=True)} - now.keys() | {*now.values()}
        self.numbering.count(PLAYER, there)
        self.numbering.name_alike(PLAYER, now)
        return list(Player.objects.filter(pk__in=there).select_related("person").order_by("pk"))

    def count_authors(self) -> list[str]:
        """Give numbers to the names of the accounts that are mentioned anywhere, and return them sorted."""
        ids: set[int] = set()
        for each in ARCHIVED:
            links = [column.attname for column in each.columns if column.related_model is User]
            for row in self.rows[each.name]:
                ids |= {pk for name in links if (pk := getattr(row, name)) is not None}
                for name, shape in NUMBERS.get(each.model, {}).items():
                    if name not in each.without:
                        ids |= {
                            found.number for found in list_numbers(shape, getattr(row, name)) if found.model == USER
                        }
        called = {user.pk: user.shown_name for user in User.objects.filter(pk__in=ids)}
        names = sorted(set(called.values()))
        self.numbering.numbers[USER] = {pk: names.index(name) + 1 for pk, name in called.items()}
        return names

    def files(self) -> dict[str, bytes]:
        """Return the files of the archive by path."""
        files = {}
        for each in ARCHIVED:
            rows = [self.write_row(each, row) for row in self.rows[each.name]]
            files[f"{each.name}.json"] = write_values([{"row": at, **row} for at, row in enumerate(rows, start=1)])
        authors = [{"row": at, "name": name} for at, name in enumerate(self.authors, start=1)]
        files["authors.json"] = write_values(authors)
        for each in VERSIONS:
            for number, version in enumerate(self.rows[each.name], start=1):
                files[f"{each.name}/{number}.json"] = write_frozen(version)
        return files

    def write_row(self, each: ArchivedRows, row: Model) -> Row:
        """Return the archived columns of a row, with the archive's own numbers."""
        written = {column.name: self.write_value(each, column, row) for column in each.columns}
        if isinstance(row, Player):
            written["shown"] = row.person.shown
        if isinstance(row, Version):
            written["numbers"] = self.number_figures(each, row)
        if row in self.hidden:
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
            return {name: each for name, each in value.items() if name != "key"}  # a device's own name of its message
        return write_plain(value)

    def number_figures(self, each: ArchivedRows, version: Version) -> dict[str, dict[str, int]]:
        """Return the archive's number for each number in the frozen figures of a version, by model."""
        shape = NUMBERS[each.model]["data"]
        frozen = list_numbers(shape, version.data if version.frozen is None else version.frozen)
        numbers: dict[str, dict[str, int]] = {}
        for own, here in zip(frozen, list_numbers(shape, version.data), strict=True):
            numbers.setdefault(own.model, {})[str(own.number)] = self.numbering.find(here)
        return numbers


def read_archived(each: ArchivedRows, tournament: Tournament) -> list[Any]:
    """Return the rows of a model that belong to the tournament, in the order of their ids."""
    rows: Any = each.rows._base_manager.filter(**{each.path: tournament.pk}).order_by("pk").distinct()
    if each.rows is LogEntry:
        return [row for row in rows if not any(name in row.params for name in LOG_OF_DEVICES)]
    return list(rows.select_related("session") if each.rows is Publication else rows)


def hide_cards(
    deal_sets: Collection[DealSet], etuis: Collection[Etui], cards_for: User | None, now: dt.datetime
) -> list[Model]:
    """Return the sets whose seed, and the étuis whose cards, are not in the archive.

    If somebody asks for all of them, log the look.
    """
    hidden: list[Model] = []
    for deal_set in deal_sets:
        if is_revealed(deal_set):
            continue
        known = find_known_etuis(deal_set)
        secret = [etui for etui in etuis if etui.deal_set_id == deal_set.pk and etui.cards and etui.number not in known]
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
    """Return an operation whose stored rulings do not name the device that they came from."""
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
    """Return a value of a column as a value of JSON."""
    match value:
        case dt.datetime():
            return value.astimezone(dt.UTC).isoformat()
        case dt.date() | dt.time():
            return value.isoformat()
        case Decimal():
            return str(value)
        case _:
            return value
