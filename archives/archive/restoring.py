"""The import of an archive into a club: first the checks and a preview, then all writes in one transaction."""

import datetime as dt
import io
import uuid
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain, islice
from typing import IO, Any

from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.db.models import CharField, Field, Model

from archives.archive.contents import (
    ARCHIVED,
    MISSING,
    PLAYERS,
    PUBLICATIONS,
    SEASONS,
    SESSIONS,
    TOURNAMENT,
    TOURNAMENT_PUBLICATIONS,
    ArchivedRows,
)
from archives.archive.numbers import NUMBERS, USER, Arrivals, Mention, list_numbers, renumber
from archives.archive.packing import MOST_PEOPLE, UnpackedArchive, dump, read_value, unpack_archive
from archives.archive.people import (
    DOUBT,
    FoundPlayer,
    bring_authors,
    bring_players,
    find_authors,
    find_players,
    lock_people,
)
from archives.errors import ArchiveError
from clubs.accounts.founding import free_name
from clubs.log import log_club_action
from clubs.models import Club, Season, User, validate_name
from clubs.uploads.child import ReadingTime, read_in_child
from deals.domain.dealing import seed_commitment
from deals.models import DealSet
from evenings.sessions.setup import RESERVED_SLUG
from evenings.standings.comparing import keep_computed
from evenings.standings.computing import compute
from tournaments.models import Session, SessionStandings, Tournament
from tournaments.queue import queue_careers, queue_tournament

FURTHER = {
    PLAYERS.name: {"shown", "unrated"},
    PUBLICATIONS.name: {"numbers"},
    TOURNAMENT_PUBLICATIONS.name: {"numbers"},
}
AUTHORS = "authors.json"


def check_files(archive: UnpackedArchive) -> dict[str, int]:
    """Raise `ArchiveError` unless the archive has exactly the files and columns of its version, with rows in order.

    Return the number of rows of each model, by the name of its file.
    """
    missing = MISSING[archive.version]
    counts = dict.fromkeys(missing.files, 0)
    present = [each for each in ARCHIVED if each.name not in missing.files]
    expected = {AUTHORS, *(f"{each.name}.json" for each in present)}
    for each in present:
        columns = {column.name for column in each.columns} | {"row"} | FURTHER.get(each.name, set())
        columns -= missing.columns.get(each.name, {}).keys()
        counts[each.name] = check_rows(archive, f"{each.name}.json", columns)
        if each in (PUBLICATIONS, TOURNAMENT_PUBLICATIONS):
            expected |= {f"{each.name}/{number}.json" for number in range(1, counts[each.name] + 1)}
            for row in archive.read_rows(f"{each.name}.json"):
                read_frozen(archive, each, row)
    check_rows(archive, AUTHORS, {"row", "name"})
    paths = set(archive.paths)
    if expected != paths:
        raise ArchiveError("archive_files", paths=", ".join(sorted(expected ^ paths))[:200])
    if counts[TOURNAMENT.name] != 1:
        raise ArchiveError("archive_tournaments")
    return counts


def check_rows(archive: UnpackedArchive, path: str, columns: set[str]) -> int:
    """Return the number of rows. Raise `ArchiveError` unless a file is a list of rows with these columns, from 1."""
    place = 0
    for place, row in enumerate(archive.read_rows(path), start=1):
        if not isinstance(row, dict) or row.keys() != columns or row["row"] != place:
            raise ArchiveError("archive_columns", row=place, path=path)
    return place


def read_frozen(archive: UnpackedArchive, each: ArchivedRows, row: Mapping[str, Any]) -> Any:
    """Return the frozen figures of a version. Raise `ArchiveError` if they do not have the version's digest."""
    path = f"{each.name}/{row['row']}.json"
    if path not in archive.paths:
        raise ArchiveError("archive_missing", path=path)
    text = archive.read_text(path)
    frozen = read_value(path, text)
    if sha256(text).hexdigest() != row["digest"] or dump(frozen).encode() != text:
        raise ArchiveError("archive_figures", path=path)
    return frozen


Answers = Mapping[int, int | None]
Row = Mapping[str, Any]
NO_ANSWERS: Answers = {}
VERSIONS = (PUBLICATIONS, TOURNAMENT_PUBLICATIONS)
A_BATCH, A_FEW = 1_000, 5  # rows in one query; for versions only a few, because each may have megabytes
# The models whose rows may refer to earlier rows of the same model, with the column. Such rows are created one by one.
ONE_BY_ONE = {"tournaments.Penalty": "reverses", "tournaments.TeamMember": "replaces"}
# Texts that are no names, and may have lines.
SEVERAL_LINES = {("tournaments.PlayRecord", "text"), ("tournaments.CorrectionRequest", "text")}


class ArchiveDoubts(ArchiveError):
    """A refusal because of doubts: nothing is imported before a director has answered them."""


class TournamentImport:
    """An archive that was read, checked, and compared with a club. Use `read` to make one from a file."""

    def __init__(self, archive: UnpackedArchive, club: Club, answers: Answers = NO_ANSWERS) -> None:
        self.archive, self.club = archive, club
        self.counts = check_files(archive)
        self.authors = list(archive.read_rows(AUTHORS))
        for path, rows in ((AUTHORS, len(self.authors)), (f"{PLAYERS.name}.json", self.counts[PLAYERS.name])):
            if rows > MOST_PEOPLE:
                raise ArchiveError("archive_people", path=path, most=MOST_PEOPLE)
        self.people = list(self.read_rows(PLAYERS))
        self.about = next(self.read_rows(TOURNAMENT))
        self.known = Tournament.objects.filter(club=club, archive_key=archive.key).first()
        self.players = find_players(club, self.people, answers)

    @classmethod
    def read(cls, file: IO[bytes], club: Club, answers: Answers = NO_ANSWERS) -> "TournamentImport":
        """Return the import of a file into a club. Raise `ArchiveError` if it cannot be imported."""
        return cls(unpack_archive(file), club, answers)

    @classmethod
    def read_uploaded(
        cls, content: bytes, club: Club, answers: Answers = NO_ANSWERS, *, most: ReadingTime
    ) -> "TournamentImport":
        """Return the import of an uploaded file, which a child process has read before within limits."""
        examine_upload(content, most)
        return cls.read(io.BytesIO(content), club, answers)

    def read_rows(self, each: ArchivedRows) -> Iterator[Row]:
        """Yield the rows of a model. Columns that archives of older versions lack are added."""
        missing = MISSING[self.archive.version]
        if each.name in missing.files:
            return iter(())
        further = missing.columns.get(each.name, {})
        return ({**row, **further} for row in self.archive.read_rows(f"{each.name}.json"))

    @property
    def doubts(self) -> list[FoundPlayer]:
        """The players about whom a director has to decide before the import."""
        return [each for each in self.players if each.how == DOUBT]

    def describe(self) -> dict[str, Any]:
        """Return what the import would do, as plain data."""
        accounts = find_authors(self.club, [row["name"] for row in self.authors])
        return {
            "key": str(self.archive.key),
            "tournament": self.about["name"],
            "known_as": self.known and self.known.slug,
            "slug": self.find_slug(),
            "sessions": [{"number": row["number"], "date": row["date"]} for row in self.read_rows(SESSIONS)],
            "rows": self.counts,
            "players": [each.described for each in self.players],
            "doubts": len(self.doubts),
            "authors": [{"name": name, "has_account": user is not None} for name, user in accounts.items()],
        }

    def find_slug(self) -> str:
        """Return the address (slug) of the tournament: the one in the archive or, if it is taken, the next free one."""
        base = str(self.about["slug"])[:50]
        taken = {RESERVED_SLUG, *self.club.tournaments.filter(slug__startswith=base).values_list("slug", flat=True)}
        return free_name(base, "-", taken)

    def carry_out(self, *, by: User | None, now: dt.datetime) -> Tournament:
        """Import the tournament and return it. An archive that the club has imported before changes nothing.

        If anything fails, nothing is written. Raise `ArchiveDoubts` if players are doubtful, and `ArchiveError` if the
        database refuses a row.
        """
        if self.known is not None:
            return self.known
        if self.doubts:
            names = ", ".join(f"{each.row} ({each.name})" for each in self.doubts)
            raise ArchiveDoubts("archive_doubts", names=names)
        try:
            with transaction.atomic():
                lock_people(self.club, self.players)
                self.known = Tournament.objects.filter(club=self.club, archive_key=self.archive.key).first()
                return self.known or self.bring_rows(by=by, now=now)
        except (ValidationError, ValueError, TypeError, KeyError, OverflowError, DatabaseError) as error:
            raise ArchiveError("archive_refused", error=str(error)[:500]) from error

    def bring_rows(self, *, by: User | None, now: dt.datetime) -> Tournament:
        """Write all rows, then compute the standings from them."""
        arrivals = Arrivals()
        arrivals.ids[PLAYERS.model] = bring_players(self.club, self.people, self.players, by=by, now=now)
        arrivals.ids[USER] = bring_authors(self.club, self.authors)
        arrivals.add(SEASONS.model, [self.bring_season(row).pk for row in self.read_rows(SEASONS)])
        tournament = self.make_row(TOURNAMENT, self.about, arrivals)
        assert isinstance(tournament, Tournament)
        tournament.club, tournament.archive_key = self.club, self.archive.key
        tournament.slug = self.find_slug()
        tournament.save(force_insert=True)
        arrivals.add(TOURNAMENT.model, [tournament.pk])
        reserved = False
        for each in ARCHIVED:
            if each in (PLAYERS, SEASONS, TOURNAMENT):
                continue
            if each.model in NUMBERS and not reserved:
                arrivals.reserve_gone(self.list_mentions(), self.club, now)
                reserved = True
            self.bring_model(each, tournament, arrivals)
        hold_secret_sessions(tournament, now)
        self.compute_all(tournament, now=now)
        log_club_action(self.club, "archive_imported", now=now, by=by, tournament=tournament.name)
        return tournament

    def bring_model(self, each: ArchivedRows, tournament: Tournament, arrivals: Arrivals) -> None:
        """Write the rows of a model in batches."""
        ids: list[int] = []
        if each.model in ONE_BY_ONE:
            arrivals.ids[each.model] = {}
        reading = self.read_rows(each)
        while batch := list(islice(reading, A_FEW if each in VERSIONS else A_BATCH)):
            rows = [self.make_row(each, row, arrivals) for row in batch]
            for row in rows:
                self.complete_row(each, row, tournament)
            if each.model in ONE_BY_ONE:
                self.make_one_by_one(each, batch, rows, arrivals)
            else:
                each.rows._base_manager.bulk_create(rows)
                ids += [row.pk for row in rows]
        if each.model not in ONE_BY_ONE:
            arrivals.add(each.model, ids)

    def bring_season(self, row: Mapping[str, Any]) -> Season:
        """Return the club's season of that name. Create it if the club has none."""
        days = {name: dt.date.fromisoformat(row[name]) for name in ("starts_on", "ends_on")}
        return Season.objects.get_or_create(club=self.club, name=row["name"], defaults=days)[0]

    def make_row(self, each: ArchivedRows, row: Mapping[str, Any], arrivals: Arrivals) -> Model:
        """Return a row of the archive as an unsaved row of this site."""
        values = {column.attname: read_column(each, column, row[column.name], arrivals) for column in each.columns}
        if each in VERSIONS:
            values |= self.localise_figures(each, row, arrivals)
        return each.rows(**values)

    def localise_figures(self, each: ArchivedRows, row: Mapping[str, Any], arrivals: Arrivals) -> dict[str, Any]:
        """Return the figures of a version twice: as they were frozen, and with the ids of this site."""
        frozen, numbers = read_frozen(self.archive, each, row), row["numbers"]

        def change(mention: Mention) -> int:
            own = numbers[mention.model][str(mention.number)]
            return arrivals.find(Mention(mention.model, own))

        return {"frozen": frozen, "data": renumber(NUMBERS[each.model]["data"], frozen, change)}

    def complete_row(self, each: ArchivedRows, row: Any, tournament: Tournament) -> None:
        """Fill the columns that follow from the row's place: its club, its tournament, and the key of a message."""
        names = {column.name for column in each.rows._meta.concrete_fields}
        if "tournament" in each.without:
            row.tournament = tournament
        if "club" in names:
            row.club = self.club
        if isinstance(row, DealSet) and row.seed:
            row.seed_digest = seed_commitment(bytes.fromhex(row.seed))
        if "key" in each.without:
            row.key = uuid.uuid4()

    def make_one_by_one(
        self, each: ArchivedRows, batch: Sequence[Row], rows: Sequence[Model], arrivals: Arrivals
    ) -> None:
        earlier = ONE_BY_ONE[each.model]
        for row, made in zip(batch, rows, strict=True):
            if row[earlier] is not None:
                setattr(made, f"{earlier}_id", arrivals.find(Mention(each.model, row[earlier])))
            made.save(force_insert=True)
            arrivals.ids[each.model][row["row"]] = made.pk

    def list_mentions(self) -> set[Mention]:
        """Return the numbers of rows in all JSON columns of the archive."""
        mentions: set[Mention] = set()
        for each in ARCHIVED:
            shapes = {name: shape for name, shape in NUMBERS.get(each.model, {}).items() if name not in each.without}
            for row in self.read_rows(each) if shapes or each in VERSIONS else ():
                mentions.update(chain.from_iterable(list_numbers(shape, row[name]) for name, shape in shapes.items()))
                if each in VERSIONS:
                    lists = row["numbers"].items()
                    mentions.update(Mention(model, number) for model, numbers in lists for number in numbers.values())
        return {each for each in mentions if not each.newest}

    def compute_all(self, tournament: Tournament, *, now: dt.datetime) -> None:
        """Compute the standings anew. Queue the jobs that compute careers and the standings over all sessions."""
        running = tournament.sessions.filter(status=Session.Status.RUNNING).order_by("pk")
        SessionStandings.objects.bulk_create(
            SessionStandings(session=session, results_version=0, data={}) for session in running
        )
        for session in running:
            computed = compute(session.pk)
            if computed is not None:
                keep_computed(session, computed, now=now)
            queue_careers(session.pk)
        queue_tournament(tournament.pk)


def examine_upload(content: bytes, most: ReadingTime) -> None:
    """Raise `ArchiveError` if a child process cannot read an uploaded archive within its limits."""
    read_in_child("archives.archive.packing.examine_archive", content, refusal=ArchiveError, most=most)


def hold_secret_sessions(tournament: Tournament, now: dt.datetime) -> None:
    """Hold the sessions whose étuis are those of a simultaneous of this site, until its public hour."""
    secret = DealSet.objects.filter(held_until__gt=now).exclude(commitment="")
    hours = dict(secret.order_by("held_until").values_list("commitment", "held_until"))
    for session in tournament.sessions.filter(deal_set__commitment__in=hours).select_related("deal_set"):
        assert session.deal_set is not None
        Session.objects.filter(pk=session.pk).update(held_until=hours[session.deal_set.commitment])


def read_column(each: ArchivedRows, column: "Field[Any, Any]", value: Any, arrivals: Arrivals) -> Any:
    """Return the value that a column gets on this site, from its value in the archive."""
    if column.is_relation:
        if value is None or (each.model in ONE_BY_ONE and column.related_model is each.rows):
            return None
        return arrivals.find(Mention(column.related_model._meta.label, value))  # type: ignore[union-attr]
    shape = NUMBERS.get(each.model, {}).get(column.name)
    if shape is not None:
        return renumber(shape, value, lambda mention: find_newest(arrivals, mention))
    read = column.to_python(value)
    if read is not None:
        column.run_validators(read)
        if isinstance(column, CharField) and (each.model, column.name) not in SEVERAL_LINES:
            validate_name(read)
    if column.choices and read is not None and read != "" and read not in dict(column.flatchoices):
        raise ValidationError(f"{each.name}, {column.name}: {value!r} is none of its values.")
    return read


def find_newest(arrivals: Arrivals, mention: Mention) -> int:
    return 0 if mention.newest and not mention.number else arrivals.find(mention)
