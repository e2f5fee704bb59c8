"""The tables of directors as files. Small tables are made at once, tables with very many rows by a job."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.utils import timezone, translation

from clubs.models import Club, Player, User
from evenings.plays.desk_state import hidden_etuis
from outgoing.filing.rows import AskedWork, FileMakers, MadeFile
from outgoing.sheets.files import SheetFile, write_file
from outgoing.sheets.people_tables import MEMBERS, REGISTRATIONS, make_members, make_registrations
from outgoing.sheets.ruling_tables import RULINGS, make_rulings
from outgoing.sheets.table import SheetTable
from tournaments.models import Applicant, ClubFile, EtuiRuling, Penalty, Ruling, Session

TABLE = "table_made"


def want_table(code: str, kind: str, language: str, *, session: Session | None = None, away: bool = False) -> AskedWork:
    """Return a request for a table as a file of this kind. With `away`, it asks for the players who left the list."""
    details = {"table": code, "kind": kind, "language": language, "away": away}
    return AskedWork(TABLE, details, session.tournament if session else None, session)


def count_table_rows(club: Club, work: AskedWork) -> int:
    """Return roughly how many rows the table will have."""
    if work.session is None:
        return len(find_members(club, away=work.details["away"]))
    if work.details["table"] == REGISTRATIONS:
        return Applicant.objects.filter(session=work.session).count()
    of_session = EtuiRuling.objects.filter(session=work.session), Penalty.objects.filter(session=work.session)
    return Ruling.objects.filter(play__session=work.session).count() + sum(rows.count() for rows in of_session)


def find_members(club: Club, *, away: bool) -> list[Player]:
    """Return the players of the club's list, or those who were removed from it."""
    return [each for each in club.players.real() if away == (each.put_away_at is not None)]


def write_table(club: Club, session: Session | None, by: User, details: Mapping[str, Any]) -> SheetFile:
    """Return the file of a table, as this director may see it, in the language and the time zone that are active."""
    table = make_table(club, session, by, details)
    place = (club.slug,) if session is None else (session.tournament.slug, session.number)
    return write_file([table], details["kind"], *place, table.code)


def make_table(club: Club, session: Session | None, by: User, details: Mapping[str, Any]) -> SheetTable:
    if session is None:
        assert details["table"] == MEMBERS
        return make_members(find_members(club, away=details["away"]))
    if details["table"] == REGISTRATIONS:
        return make_registrations(session)
    assert details["table"] == RULINGS
    return make_rulings(session, hidden_etuis(session, by))


def make_table_file(row: ClubFile, _now: dt.datetime) -> MadeFile:
    with translation.override(row.details["language"]), timezone.override(row.club.zone):
        file = write_table(row.club, row.session, row.account, row.details)
    return MadeFile(file.content, file.content_type, file.name)


TABLE_MAKERS: FileMakers = {TABLE: make_table_file}
