"""The tables of people, for directors only: the members, the registrations of a session, the homologation sheet."""

import datetime as dt
from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.models import Player, User
from clubs.players import sort_by_name
from outgoing.sheets.ranking_table import make_sheet_column
from outgoing.sheets.table import CellKind, SheetCell, SheetColumn, SheetTable
from rankings.columns import FILE, ValueKind, list_columns
from rankings.publication.report import ShownPlayer, read_for_directors
from registration.people.applicants import ListedApplicant, list_down, list_withdrawn, signs_up_teams
from tournaments.log import log_action
from tournaments.models import Applicant, Publication, Session
from tournaments.versions.steps import find_newest_version
from tournaments.words.messages import label

MEMBERS, REGISTRATIONS, HOMOLOGATION = "members", "registrations", "homologation"


def name_columns() -> list[SheetColumn]:
    return [
        SheetColumn("licence", _("Licence")),
        SheetColumn("last_name", _("Family name")),
        SheetColumn("first_name", _("First name")),
    ]


def make_members(players: Iterable[Player]) -> SheetTable:
    """Return the players of a club's list, with everything that their pages tell directors."""
    columns = [
        *name_columns(),
        SheetColumn("category", _("Category")),
        SheetColumn("series", _("Series")),
        SheetColumn("ladies", _("Ladies’ ranking")),
        SheetColumn("country", _("Country")),
        SheetColumn("origin", _("Club of origin")),
        SheetColumn("licence_until", _("Licence until"), CellKind.DAY),
    ]
    rows = [
        [
            player.licence,
            player.last_name,
            player.first_name,
            player.get_category_display(),
            player.get_series_display(),
            player.get_ladies_display(),
            player.country,
            player.origin,
            player.licence_until,
        ]
        for player in sort_by_name(players)
    ]
    return SheetTable(MEMBERS, _("Members"), columns, rows)


def make_registrations(session: Session) -> SheetTable:
    """Return everybody who signed up for a session, in the order of signing up, then those who withdrew."""
    columns = [
        *name_columns(),
        SheetColumn("contact", _("Contact")),
        SheetColumn("registered_at", _("Signed up at"), CellKind.MOMENT),
        SheetColumn("state", _("State")),
        SheetColumn("present_at", _("Present since"), CellKind.MOMENT),
    ]
    listed = list_down(session)
    down = [read_applicant(each.applicant, say_place(each)) for each in listed]
    gone = [read_applicant(each, say_gone(each)) for each in list_withdrawn(session)]
    rows = [*down, *gone]
    if signs_up_teams(session):  # a named player stands beside the captain of the team
        columns.insert(0, SheetColumn("captain", _("Captain")))
        captains = {each.applicant.pk: each.applicant.listed for each in listed}
        told = [captains[each.applicant.captain_id or each.applicant.pk] for each in listed]
        rows = [[captain, *row] for captain, row in zip([*told, *[""] * len(gone)], rows, strict=True)]
    return SheetTable(REGISTRATIONS, _("Registrations"), columns, rows)


def read_applicant(applicant: Applicant, state: str) -> list[SheetCell]:
    asked = [applicant.licence, applicant.last_name, applicant.first_name, applicant.contact]
    return [*asked, applicant.registered_at, state, applicant.present_at]


def say_place(listed: ListedApplicant) -> str:
    if listed.held:
        return _("to be accepted")
    if listed.lacks:
        return _("the team is not complete")
    if listed.waits:
        return _("waits, number %(number)s") % {"number": listed.waits}
    return pgettext("of somebody signed up", "has a place") if listed.applicant.accepted_at else _("to be accepted")


def say_gone(applicant: Applicant) -> str:
    return _("removed by a director") if applicant.declined else pgettext("of somebody signed up", "withdrew")


@transaction.atomic
def take_homologation(*, session: Session, by: User, now: dt.datetime) -> SheetTable | None:
    """Return the homologation sheet of the newest published ranking, and log who took it.

    Return None if nothing is published, or if the ranking is withdrawn.
    """
    newest = find_newest_version(session)
    if newest is None or newest.status == Publication.PublicationStatus.WITHDRAWN:
        return None
    log_action(session, "homologation_taken", now=now, by=by, version=newest.version)
    return make_homologation(session, newest)


def make_homologation(session: Session, publication: Publication) -> SheetTable:
    """Return a table of everybody who played, with the columns that a federation needs.

    Players without a licence come first, then the others by rank.
    """
    report, home = read_for_directors(publication.data), session.tournament.club.name
    rank = ("rank_alterne", _("Rank, alterné"))
    if not report.has_lines:  # teams that change sides have no line
        rank = ("rank_general", _("Rank, général"))
    (overall,) = (each for each in list_columns(report.shape, FILE) if each.kind is ValueKind.RESULT)
    columns = [
        *name_columns(),
        SheetColumn("club", _("Club")),
        *([SheetColumn("team", _("Team"))] if report.is_of_teams else []),
        SheetColumn("line", _("Line")),
        SheetColumn("number", _("Number"), CellKind.WHOLE),
        SheetColumn(*rank, CellKind.WHOLE),
        make_sheet_column(overall, report.shape.unit),
    ]
    found = Player.objects.select_related("merged_into").in_bulk(
        report.data.people if report.is_of_teams else [player.player for player in report.players]
    )
    ranked = [(found[who].is_now, player) for player in report.alterne() for who in list_ranked(player)]
    rows: list[list[SheetCell]] = [
        [
            player.licence,
            player.last_name if not player.erased_at else player.name,
            player.first_name if not player.erased_at else "",
            player.origin or home,
            *([figures.name] if figures.team else []),
            label("letter", figures.line) if figures.line else "",
            figures.number,
            figures.rank_alterne if report.has_lines else figures.rank_general,
            figures.overall,
        ]
        for player, figures in sorted(ranked, key=lambda one: bool(one[0].licence))
    ]
    return SheetTable(HOMOLOGATION, _("Homologation"), columns, rows)


def list_ranked(player: ShownPlayer) -> list[int]:
    """Return the ids of the players in a row of the ranking: one player, or all members of a team."""
    return player.people if player.team else [player.player]
