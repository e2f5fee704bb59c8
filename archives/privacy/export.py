"""The export of a person's own data as a ZIP: a JSON and a CSV file for each kind of data, and a README.

`everything` declares the kinds of data. Each kind takes one query. Rows are read a few at a time and written to disk,
so that large exports need little memory.

Only a few publications are in memory at a time.
"""

import csv
import io
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from fractions import Fraction
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from archives.privacy.everything import PERSONAL_DATA
from archives.privacy.personal_data import PersonalData, WithholdReason
from archives.privacy.whom import Whom, rows_about, seats_of, under_way
from clubs.models import Player
from tournaments.models import LogEntry, Publication, PublishedPlayer, Session, Tournament, TournamentPublication
from tournaments.reports.codec import encode_rows, write_exact
from tournaments.reports.session import PublishedReport, RankedPlayer, decode_report
from tournaments.reports.tournament import decode_tournament
from tournaments.versions import WITHDRAWN, find_newest_versions

AT_A_TIME = 20  # publications in memory
PLACE = ("session__tournament__club__name", "session__tournament__name", "session__number", "session__date")
PLACED = ("club", "tournament", "session", "date", "version")
FIGURES = (
    "attack",
    "defence",
    "overall",
    "penalty",
    "rank_general",
    "rank_line",
    "rank_alterne",
    "attacks",
    "defences",
)
FILES: tuple[tuple[str, Promise], ...] = (
    ("figures", gettext_lazy("your percentages and ranks in each published version of a session")),
    ("notes", gettext_lazy("your scores and notes, étui by étui, in the newest published version")),
    ("tournament_figures", gettext_lazy("your totals and ranks in each published version of a tournament")),
)

Row = tuple[Any, ...]


def write_figures(whom: Whom) -> dict[str, tuple[tuple[str, ...], Iterator[Row]]]:
    """Return the columns and the rows of each of the FILES, by name."""
    return {
        "figures": ((*PLACED, "status", "published_at", *FIGURES), figures_of(whom)),
        "notes": ((*PLACED, "position", "table", "etui", "line", "taker", "state", "score", "note"), notes_of(whom)),
        "tournament_figures": (
            ("club", "tournament", "version", "status", "published_at", "total", "rank", "results"),
            totals_of(whom),
        ),
    }


def versions_with(whom: Whom) -> QuerySet[Publication]:
    """Return the published versions that contain the person.

    If the newest version withdraws a session's ranking, only directors get the versions of that session.
    """
    stands = PublishedPlayer.objects.filter(publication=OuterRef("pk"), player__in=whom.players)
    rows = Publication.objects.filter(Exists(stands)).order_by("pk")
    return rows if whom.is_for_director else rows.exclude(session__in=taken_back(Publication, "session"))


def taken_back(model: Any, owner: str) -> Any:
    """Return the ids of the sessions or tournaments whose newest version withdraws the ranking."""
    return find_newest_versions(model, owner).filter(status=WITHDRAWN).values(owner)


def figures_of(whom: Whom) -> Iterator[Row]:
    """Yield the rows of the file "figures"."""
    rows = versions_with(whom).values_list(*PLACE, "version", "status", "published_at", "data")
    for *columns, data in rows.iterator(chunk_size=AT_A_TIME):
        for player in mine(decode_report(data), whom):
            yield (*columns, *(write_figure(getattr(player, name)) for name in FIGURES))


def write_figure(figure: Any) -> Any:
    """Return an exact figure as text, such as "175/3", and any other value unchanged."""
    return write_exact(figure) if isinstance(figure, Fraction) else figure


def mine(report: PublishedReport, whom: Whom) -> list[RankedPlayer]:
    """Return the person's own rows in a report, and those of the teams in which the person played.

    Players for whom the person stood in are not included.
    """
    return [
        player
        for player in report.players
        if not set(whom.players).isdisjoint(player.people if player.team else [player.player])
    ]


def notes_of(whom: Whom) -> Iterator[Row]:
    """Yield the rows of the file "notes"."""
    newer = Publication.objects.filter(session=OuterRef("session"), version__gt=OuterRef("version"))
    rows = versions_with(whom).filter(~Exists(newer)).values_list(*PLACE, "version", "data")
    for *columns, data in rows.iterator(chunk_size=AT_A_TIME):
        report = decode_report(data)
        entrants = {player.id for player in mine(report, whom)}
        for etui in report.etuis:
            for play in etui.plays:
                for line, entrant in play.seats.items():
                    if entrant in entrants:
                        note = write_figure((play.notes or {}).get(line))
                        where = (play.position, play.table, etui.number, line)
                        yield (*columns, *where, play.taker, play.state, play.base_score, note)


def totals_of(whom: Whom) -> Iterator[Row]:
    """Yield the rows of the file "tournament_figures"."""
    played = Tournament.objects.filter(pk__in=seats_of(whom).values("session__tournament"))
    rows = TournamentPublication.objects.filter(tournament__in=played).order_by("pk")
    if not whom.is_for_director:
        rows = rows.exclude(tournament__in=taken_back(TournamentPublication, "tournament"))
    columns = ("tournament__club__name", "tournament__name", "version", "status", "published_at", "data")
    for *place, data in rows.values_list(*columns).iterator(chunk_size=AT_A_TIME):
        for player in decode_tournament(data).players:
            if not set(whom.players).isdisjoint(player.people):
                yield (*place, write_figure(player.total), player.rank, encode_rows(player.results))


IN_MEMORY = 4 * 1024 * 1024
A_FEW = 2_000  # rows
FORMULA = ("=", "+", "-", "@", "\t", "\r")
ABOUT = "log_about_you"
ABOUT_COLUMNS = ("club", "tournament", "session", "date", "at", "action")


class File(NamedTuple):
    """One kind of data in the export: the file's name and title, its columns, its rows."""

    name: str
    title: str | Promise
    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]


def write_export(whom: Whom, *, told: str, now: Any) -> IO[bytes]:
    """Return the ZIP as an open file, at its beginning, to be read once.

    `told` is a sentence for the README. It names the person whose data the export has, and who made it. The rows are
    read without a transaction. On a laptop (SQLite), a long transaction would prevent the tables from writing.
    """
    listed = []
    with ExitStack() as unless_handed_on:
        target: IO[bytes] = unless_handed_on.enter_context(SpooledTemporaryFile(IN_MEMORY))
        with ZipFile(target, "w", ZIP_DEFLATED) as archive:
            for file in files_of(whom):
                if count := write_file(archive, file):
                    listed.append((file, count))
            archive.writestr("README.txt", write_readme(listed, whom, told, now))
        target.seek(0)
        unless_handed_on.pop_all()
    return target


def files_of(whom: Whom) -> Iterator[File]:
    """Yield the files of the export."""
    for kept in PERSONAL_DATA:
        columns = kept.columns(by_link=whom.by_link)
        yield File(kept.name, kept.title, [each.heading for each in columns], rows_of(kept, whom))
    yield File(ABOUT, _("what the log of sessions says about you"), ABOUT_COLUMNS, lines_about(whom))
    figures = write_figures(whom)
    for name, title in FILES:
        yield File(name, title, *figures[name])


def rows_of(kept: PersonalData, whom: Whom) -> Iterable[Sequence[Any]]:
    """Return the rows of a file. Rows of a session that is still under way are left out."""
    rows = rows_about(kept, whom, (*kept.whose, *kept.by))
    if kept.session:
        rows = rows.exclude(**{f"{kept.session}__in": under_way()})
    paths = [each.path for each in kept.columns(by_link=whom.by_link)]
    return rows.order_by("pk").values_list(*paths).iterator(chunk_size=A_FEW)


def lines_about(whom: Whom) -> Iterable[Sequence[Any]]:
    """Return the log entries about the person, in sessions where the person sat: place, time and action.

    The texts of the log are left out, because they may name other people. If another player of the club has the same
    name, no entries are returned, because they may be about that player.
    """
    players = Player.objects.filter(pk__in=whom.players)
    twins = Player.objects.exclude(pk__in=whom.players).filter(merged_into=None)
    same = twins.filter(club=OuterRef("club"), last_name=OuterRef("last_name"), first_name=OuterRef("first_name"))
    condition = Q()
    for last, first in players.filter(~Exists(same), erased_at=None).values_list("last_name", "first_name"):
        condition |= Q(words__icontains=f"{first} {last}".strip())
    lines = LogEntry.objects.filter(condition) if condition else LogEntry.objects.none()
    sat = Session.objects.filter(pk__in=seats_of(whom).values("session")).exclude(pk__in=under_way())
    paths = ("session__tournament__club__name", "session__tournament__name", "session__number", "session__date")
    lines = lines.filter(session__in=sat).order_by("pk")
    return lines.values_list(*paths, "at", "action").iterator(chunk_size=A_FEW)


def write_file(archive: ZipFile, file: File) -> int:
    """Write the file to the archive, as JSON and as CSV.

    Return its number of rows; without rows, nothing is written.
    """
    count = 0
    with open_text() as as_json, open_text() as as_csv:
        table = csv.writer(as_csv, delimiter=";" if get_language() == "fr" else ",")
        table.writerow(file.columns)
        for row in file.rows:
            as_json.write(",\n" if count else "[\n")
            as_json.write(
                json.dumps(dict(zip(file.columns, row, strict=True)), cls=DjangoJSONEncoder, ensure_ascii=False)
            )
            table.writerow(map(write_cell, row))
            count += 1
        as_json.write("\n]\n")
        if count:
            copy(archive, f"{file.name}.json", as_json)
            copy(archive, f"{file.name}.csv", as_csv)
    return count


def open_text() -> IO[str]:
    """Return a temporary text file.

    JSON and CSV are written at once, but an archive can only be given one file at a time.
    """
    return SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8", newline="")


def copy(archive: ZipFile, name: str, source: IO[str]) -> None:
    source.seek(0)
    with archive.open(name, "w") as raw, io.TextIOWrapper(raw, "utf-8-sig" if name.endswith("csv") else "utf-8") as out:
        shutil.copyfileobj(source, out)


def write_json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


def write_cell(value: Any) -> Any:
    """Return a value as a CSV cell that no spreadsheet reads as a formula."""
    if isinstance(value, dict | list):
        value = write_json(value)
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def write_readme(listed: Sequence[tuple[File, int]], whom: Whom, told: str, now: Any) -> str:
    """Return the text of the README, in the reader's language."""
    lines = [
        _("What is kept about you"),
        "",
        told,
        date_format(now, "DATETIME_FORMAT"),
        "",
        _("Each file comes in two formats: JSON for programs, CSV for a spreadsheet. Times are in UTC."),
        "",
        *(f"{file.name}: {file.title} ({count})" for file, count in listed),
        "",
        _("An evening under way is left out until its ranking is published or it is closed."),
        "",
        _("Left out everywhere:"),
        *(f"- {why.value}" for why in WithholdReason),
    ]
    if whom.by_link:
        lines += [
            "- " + _("licence and contact, because somebody else may have found the link: ask your club for them"),
            "- " + _("what you paid or won, for the same reason"),
        ]
    lines += ["", _("The page “Privacy” of the site says how long each thing is kept, and who to ask.")]
    return "\r\n".join(lines) + "\r\n"
