"""The stored appearances of players: one row for each player of a session, made from the session's newest publication.

A row of the session itself, `RatedSession`, has what the session brings to ratings and leaderboards. A job makes the
rows of a session again after each change of what readers may see of it. If the job was lost, a periodic job (the sweep)
makes them. `CareerBasis` records the source of the rows: the publication, its shown parts, and the format. If that is
still current, nothing is done. If two jobs make the same rows at once, the second one writes nothing.
"""

import datetime as dt
import json
from typing import Any, NamedTuple

from django.db import models, transaction

from evenings.reference import is_beside
from rankings.careers.duels import renew_duels
from rankings.careers.rated import make_rated
from rankings.careers.rows import FORMAT, find_ranks, make_rows, make_rows_in_marks
from rankings.careers.seasons import season_of
from rankings.careers.summaries import renew
from tournaments.models import Appearance, CareerBasis, Publication, RatedSession, Session
from tournaments.models.published import Version
from tournaments.queue import queue_careers
from tournaments.reports.session import PublishedReport, decode_report
from tournaments.versions import find_newest_versions

PLAYERS_AT_ONCE = 200
NOTHING = ""  # the basis of a session whose ranking readers may not see
COLUMNS = (
    "pk",
    "session_id",
    "status",
    "beside",
    "session__shows_ranking",
    "session__shows_etuis",
    "session__shows_feuilles",
    "session__shows_cards",
    "session__held_until",
    "session__put_away_at",
    "session__tournament__put_away_at",
    "session__tournament__club__practice_of",
)


def refresh(session_id: int) -> bool:
    """Make the appearances of a session again if they are not current. Return whether they were written."""
    basis = find_bases(session_id).get(session_id, NOTHING)
    if not Session.objects.filter(pk=session_id).exists():
        return False
    kept, _made = CareerBasis.objects.get_or_create(session_id=session_id)
    if kept.basis == basis:
        return False
    written = write(session_id, kept.basis, basis, make(session_id, basis))
    if not written:  # another job came first, perhaps with an older state of the data
        queue_careers(session_id)
    return written


def find_bases(*session_ids: int) -> dict[int, str]:
    """Return the current basis of appearances, by session id.

    Without arguments, for all sessions that were ever published.
    """
    newest = find_newest_versions(Publication, "session")
    if session_ids:
        newest = newest.filter(session__in=session_ids)
    rows = newest.order_by().annotate(beside=is_beside("session", "session__tournament")).values_list(*COLUMNS)
    return {session: basis_of(pk, *about) for pk, session, *about in rows}


def basis_of(publication: int, status: str, beside: bool, ranking: bool, *more: Any) -> str:
    """Return the basis of appearances as text: format, publication and the session's switches.

    The text contains every switch, so that any change of a switch makes the rows again, with new ids. Pages that depend
    on the rows notice the change by these ids. `beside`: the tournament has another session, so the classement général
    is the reference.
    """
    *switches, held_until, session_away, tournament_away, practice = more
    parts = [part and held_until is None for part in switches]
    if status == Version.PublicationStatus.WITHDRAWN or not ranking or any((session_away, tournament_away, practice)):
        return NOTHING
    return f"{FORMAT}-{publication}-{''.join(str(int(part)) for part in parts)}{'-beside' * beside}"


class MadeRows(NamedTuple):
    """The unsaved rows of a session: those of its players, and its own. Without anything to see, there are none."""

    appearances: list[Appearance]
    rated: RatedSession | None

    @property
    def contents(self) -> list[str]:
        """The contents of all rows as sorted texts, to compare them."""
        return sorted(map(content_of, [*self.appearances, *([self.rated] if self.rated else [])]))


def make(session_id: int, basis: str) -> MadeRows:
    """Return the unsaved rows that follow from a basis."""
    if basis == NOTHING:
        return MadeRows([], None)
    _form, publication, shown, *beside = basis.split("-")
    version = Publication.objects.select_related("session").get(pk=publication)
    report = decode_report(version.data)
    date = dt.date.fromisoformat(report.date)
    field = field_of(version.session, report)
    in_detail, ranks = "1" in shown[:2], find_ranks(report, alone=not beside)
    is_rated = not report.format.has_free_deals
    rows = (make_rows if is_rated else make_rows_in_marks)(report, ranks, in_detail=in_detail)
    for row in rows:
        row.session_id, row.version, row.date, row.season = session_id, version.version, date, season_of(date)
        row.field, row.is_free = field, report.format.compares_seats
    if not is_rated:
        return MadeRows(rows, None)
    rated = make_rated(report, rows, in_detail=in_detail)
    rated.session_id, rated.date, rated.field = session_id, date, field
    return MadeRows(rows, rated)


def read_kept(session_id: int) -> MadeRows:
    """Return the rows of careers and ratings that are stored for a session."""
    kept = Appearance.objects.filter(session=session_id)
    return MadeRows(list(kept), RatedSession.objects.filter(pk=session_id).first())


def field_of(session: Session, report: PublishedReport) -> int:
    """Return the lowest id among this session and the sessions whose plays are compared with its plays."""
    if not report.compared_with:
        return session.pk
    beside = Session.objects.filter(tournament=session.tournament_id, number__in=report.compared_with)
    return min(session.pk, *beside.values_list("pk", flat=True))


def write(session_id: int, before: str, basis: str, rows: MadeRows) -> bool:
    """Replace the rows that were made from the basis `before`, and renew the summaries of their players. Return True.

    If another job has replaced them meanwhile, write nothing and return False.
    """
    kept = Appearance.objects.filter(session=session_id)
    concerned = {(row.player, row.season, row.field) for row in rows.appearances}
    with transaction.atomic():
        if not CareerBasis.objects.filter(pk=session_id, basis=before).update(basis=basis):
            return False
        concerned |= set(kept.values_list("player", "season", "field"))
        kept.delete()
        Appearance.objects.bulk_create(rows.appearances)
        RatedSession.objects.filter(pk=session_id).delete()
        if rows.rated:
            rows.rated.save(force_insert=True)
    renew({player for player, _season, _field in concerned})
    beside = Appearance.objects.filter(field__in={field for _player, _season, field in concerned})
    # the players of the other sections whose plays are compared with these
    concerned |= set(beside.values_list("player", "season", "field"))
    renew_duels(*({each[place] for each in concerned} for place in (0, 1)))
    return True


def find_stale() -> list[int]:
    """Return the ids of the sessions whose appearances are stale."""
    kept = dict(CareerBasis.objects.values_list("pk", "basis"))
    bases = find_bases()
    gone = [pk for pk, basis in kept.items() if basis and pk not in bases]
    return sorted([*gone, *(pk for pk, basis in bases.items() if kept.get(pk, NOTHING) != basis)])


def make_all_anew() -> tuple[int, int]:
    """Make the appearances of all sessions again.

    Return the number of sessions, and how many of them had wrong rows.
    """
    bases, wrong = find_bases(), 0
    for session_id in sorted({*bases, *CareerBasis.objects.exclude(basis=NOTHING).values_list("pk", flat=True)}):
        basis = bases.get(session_id, NOTHING)
        made = make(session_id, basis)
        if read_kept(session_id).contents == made.contents:
            CareerBasis.objects.update_or_create(pk=session_id, defaults={"basis": basis})
            continue
        wrong += 1
        before, _made = CareerBasis.objects.get_or_create(pk=session_id)
        write(session_id, before.basis, basis, made)
    renew_all()
    return len(bases), wrong


def renew_all() -> None:
    """Store the sums of all players anew where they are missing or stale."""
    rows = Appearance.objects.order_by()
    players = sorted(rows.values_list("player", flat=True).distinct())
    for first in range(0, len(players), PLAYERS_AT_ONCE):
        renew(players[first : first + PLAYERS_AT_ONCE])
    for season in set(rows.values_list("season", flat=True).distinct()):
        renew_duels(set(rows.filter(season=season).values_list("player", flat=True).distinct()), [season])


def content_of(row: models.Model) -> str:
    """Return the contents of a row as text, without the row's own id, to compare two rows."""
    fields = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if field.name != "id"}
    return json.dumps(fields, sort_keys=True, default=str)
