"""The tables for directors only: members, registrations, homologation, the treasurer's sheet, rulings."""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from operator import itemgetter

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.models import Player, User
from clubs.players import sort_by_name
from evenings.reference import Reference
from outgoing.sheets.files import CellKind, SheetCell, SheetColumn, SheetRow, SheetTable, fill_table
from outgoing.sheets.ranking_tables import make_sheet_column
from rankings.columns import FILE, ValueKind, list_columns
from rankings.publication.report import read_for_directors
from rankings.ranking import RankedRow
from rankings.statistics import AbsentPlayer, Attendance, EveningCourse
from registration.cash.payments import CashSums, make_cash_sums
from registration.people.applicants import ListedApplicant, list_down, list_withdrawn, signs_up_teams
from scoring.formats import Unit, find_format
from tournaments.log import log_action
from tournaments.models import (
    Applicant,
    Entrant,
    EtuiRuling,
    Payment,
    Penalty,
    Play,
    PrizeHanded,
    Publication,
    Ruling,
    Session,
)
from tournaments.versions import find_newest_version
from tournaments.words.messages import label, say_reason
from tournaments.words.rulings import say_adjusted

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
        SheetColumn("category", _("Category"), read=Player.get_category_display),
        SheetColumn("series", _("Series"), read=Player.get_series_display),
        SheetColumn("ladies", _("Ladies’ ranking"), read=Player.get_ladies_display),
        SheetColumn("country", _("Country")),
        SheetColumn("origin", _("Club of origin")),
        SheetColumn("licence_until", _("Licence until"), CellKind.DAY),
    ]
    return fill_table(MEMBERS, _("Members"), columns, sort_by_name(players))


def make_registrations(session: Session) -> SheetTable:
    """Return everybody who signed up for a session, in the order of signing up, then those who withdrew."""
    listed = list_down(session)
    states = {each.applicant: say_place(each) for each in listed}
    states |= {applicant: say_gone(applicant) for applicant in list_withdrawn(session)}
    columns = [
        *name_columns(),
        SheetColumn("contact", _("Contact")),
        SheetColumn("registered_at", _("Signed up at"), CellKind.MOMENT),
        SheetColumn("state", _("State"), read=states.get),
        SheetColumn("present_at", _("Present since"), CellKind.MOMENT),
    ]
    if signs_up_teams(session):  # a named player stands beside the captain of the team
        names = {each.applicant.pk: each.applicant.listed for each in listed}
        captains = {each.applicant: names[each.applicant.captain_id or each.applicant.pk] for each in listed}
        columns.insert(0, SheetColumn("captain", _("Captain"), read=lambda applicant: captains.get(applicant, "")))
    return fill_table(REGISTRATIONS, _("Registrations"), columns, states)


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
    ranking = report.ranking
    rank = ("rank_alterne", _("Rank, alterné"))
    if not ranking.shape.lines:  # teams that change sides have no line
        rank = ("rank_general", _("Rank, général"))
    (overall,) = (each for each in list_columns(ranking.shape, FILE) if each.kind is ValueKind.RESULT)
    columns = [
        *name_columns(),
        SheetColumn("club", _("Club")),
        *([SheetColumn("team", _("Team"))] if ranking.shape.teams else []),
        SheetColumn("line", _("Line")),
        SheetColumn("number", _("Number"), CellKind.WHOLE),
        SheetColumn(*rank, CellKind.WHOLE),
        make_sheet_column(overall, ranking.shape.unit),
    ]
    people = [who for player in report.players for who in list_ranked(player)]
    players = Player.objects.select_related("merged_into").in_bulk(people)
    ranked = [
        (players[who].is_now, player) for player in ranking.order(Reference.ALTERNE) for who in list_ranked(player)
    ]
    rows: list[list[SheetCell]] = [
        [
            player.licence,
            player.last_name if not player.erased_at else player.name,
            player.first_name if not player.erased_at else "",
            player.origin or home,
            *([figures.name] if figures.team else []),
            label("letter", figures.line) if figures.line else "",
            figures.number,
            figures.rank_alterne if ranking.shape.lines else figures.rank_general,
            figures.overall,
        ]
        for player, figures in sorted(ranked, key=lambda one: bool(one[0].licence))
    ]
    return SheetTable(HOMOLOGATION, _("Homologation"), columns, rows)


def list_ranked(player: RankedRow) -> list[int]:
    """Return the ids of the players in a row of the ranking: one player, or all members of a team."""
    return player.people if player.team else [player.player]


def make_cash_tables(session: Session, *, whole: bool) -> list[SheetTable]:
    """Return the table of the sums and, with `whole`, those of all payments and prizes."""
    tables = [make_sums_table(make_cash_sums(session))]
    return [*tables, make_payments_table(session), make_prizes_table(session)] if whole else tables


def make_sums_table(sums: CashSums) -> SheetTable:
    """Return a line for each fee and way of paying, then the lines of the totals."""
    columns = [
        SheetColumn("fee", _("Fee")),
        SheetColumn("way", _("Paid by")),
        SheetColumn("count", _("Payments"), CellKind.WHOLE),
        SheetColumn("amount", _("Amount"), CellKind.FIGURE),
        SheetColumn("returned", _("Given back"), CellKind.FIGURE),
    ]
    rows: list[SheetRow] = [
        [each.fee, each.label, each.payments, count_euros(each.cents), count_euros(each.returned_cents)]
        for each in sums.positions
    ]
    rows += [
        [_("Total"), "", sum(each.payments for each in sums.positions), *map(count_euros, (sums.taken, sums.returned))],
        [_("Free of charge"), "", sums.free, None, None],
        [_("Prizes handed over"), "", None, count_euros(sums.prizes), None],
        [_("In the box before the evening"), "", None, count_euros(sums.float_cents), None],
        [_("Cash that should be in the box"), "", None, count_euros(sums.expected), None],
    ]
    if sums.counted is not None and sums.difference is not None:
        rows.append([_("Cash counted"), "", None, count_euros(sums.counted), None])
        rows.append([_("Difference"), "", None, count_euros(sums.difference), None])
    return SheetTable("cash", _("Cash box"), columns, rows)


def make_payments_table(session: Session) -> SheetTable:
    """Return each payment, and each payment given back, the earliest first."""
    columns = [
        SheetColumn("name", _("Name"), read=name_payer),
        SheetColumn("fee", _("Fee"), read=lambda payment: payment.fee.name if payment.fee else ""),
        SheetColumn("way", _("Paid by"), read=Payment.get_way_display),
        *list_money_columns(_("Taken by")),
        SheetColumn("reason", _("Reason")),
    ]
    payments = Payment.objects.filter(session=session).select_related("fee", "author", "player", "applicant")
    return fill_table("payments", _("Payments"), columns, payments)


def name_payer(payment: Payment) -> str:
    payer = payment.player or payment.applicant
    return payer.listed if payer else ""


def list_money_columns(author: str) -> list[SheetColumn]:
    """Return the columns of a payment or a prize: how much, when, and by whom, under the heading `author`."""
    return [
        SheetColumn("amount", _("Amount"), CellKind.FIGURE, read=lambda paid: count_euros(paid.cents)),
        SheetColumn("at", _("Time"), CellKind.MOMENT),
        SheetColumn("author", author, read=lambda paid: str(paid.author)),
    ]


def make_prizes_table(session: Session) -> SheetTable:
    """Return the prize money that was handed over, the earliest first."""
    name = SheetColumn("name", _("Name"), read=lambda prize: prize.player.listed)
    handed = PrizeHanded.objects.filter(session=session).select_related("player", "author")
    return fill_table("prizes", _("Prizes"), [name, *list_money_columns(_("Handed over by"))], handed)


def count_euros(cents: int) -> Fraction:
    return Fraction(cents, 100)


ATTENDANCE, ABSENT, COURSE_TABLES, COURSE_ETUIS = "attendance", "absent", "course_tables", "course_etuis"


def make_attendance(attendance: Attendance) -> SheetTable:
    """Return the evenings of a period with their numbers of players."""
    columns = [
        SheetColumn("date", _("Date"), CellKind.DAY),
        SheetColumn("players", _("Players"), CellKind.WHOLE),
    ]
    return SheetTable(ATTENDANCE, _("Attendance"), columns, attendance.evenings)


def make_absent(absent: Iterable[AbsentPlayer]) -> SheetTable:
    """Return the players who have not come for long."""
    columns = [
        SheetColumn("last_name", _("Family name")),
        SheetColumn("first_name", _("First name")),
        SheetColumn("last_evening", _("Last evening"), CellKind.DAY),
        SheetColumn("evenings", _("Evenings"), CellKind.WHOLE),
    ]
    rows: list[SheetRow] = [[player.last_name, player.first_name, last, evenings] for player, last, evenings in absent]
    return SheetTable(ABSENT, _("Not seen for a long time"), columns, rows)


def make_course(course: EveningCourse, code: str) -> SheetTable:
    """Return a session's course by table or by étui: `code` is COURSE_TABLES or COURSE_ETUIS."""
    by_etui = code == COURSE_ETUIS
    name, label_of = ("etui", _("Étui")) if by_etui else ("table", _("Table"))
    columns = [
        SheetColumn(name, label_of, CellKind.WHOLE, read=lambda row: row.number),
        SheetColumn("deals", _("Deals"), CellKind.WHOLE, read=lambda row: len(row.deals)),
        SheetColumn("minutes", _("Minutes a deal"), CellKind.FIGURE),
        SheetColumn("corrections", _("Corrections"), CellKind.WHOLE),
        SheetColumn("doubts", _("Doubts"), CellKind.WHOLE),
    ]
    if by_etui:
        columns += [
            SheetColumn("worst", _("Worst score"), CellKind.WHOLE, read=lambda row: min(row.scores, default=None)),
            SheetColumn("best", _("Best score"), CellKind.WHOLE, read=lambda row: max(row.scores, default=None)),
        ]
    title, rows = (_("By étui"), course.etuis) if by_etui else (_("By table"), course.tables)
    return fill_table(code, title, columns, rows)


RULINGS = "rulings"
RulingCells = dict[str, SheetCell]  # by the name of the column


def make_rulings(session: Session, hidden: Collection[int] = ()) -> SheetTable:
    """Return the rulings in the order of time. Those on the étuis in `hidden` (ids) are left out."""
    columns = [
        SheetColumn("at", _("When"), CellKind.MOMENT),
        SheetColumn("about", _("About")),
        SheetColumn("etui", _("Étui"), CellKind.WHOLE),
        SheetColumn("position", _("Position"), CellKind.WHOLE),
        SheetColumn("table", _("Table"), CellKind.WHOLE),
        SheetColumn("ruling", _("Ruling")),
        SheetColumn("points", label_points(find_format(session.tournament.format).unit), CellKind.FIGURE),
        SheetColumn("article", _("Article")),
        SheetColumn("reason", _("Reason")),
        SheetColumn("author", _("Author")),
        SheetColumn("withdrawn_at", _("Withdrawn"), CellKind.MOMENT),
    ]
    rulings = [*read_play_rulings(session, hidden), *read_etui_rulings(session, hidden), *read_penalties(session)]
    rows = [[cells.get(column.name) for column in columns] for cells in sorted(rulings, key=itemgetter("at"))]
    return SheetTable(RULINGS, _("Rulings"), columns, rows)


def label_points(unit: Unit) -> str:
    """Return the head of the column of penalties' points, in the unit in which the players are ranked."""
    return {Unit.PER_CENT: _("Percentage points"), Unit.MATCH_POINTS: _("Match points"), Unit.MARKS: _("Marks")}[unit]


def read_play_rulings(session: Session, hidden: Collection[int]) -> Iterator[RulingCells]:
    entrants = session.entrants.select_related("player", "stand_in", "team").in_bulk()
    rulings = Ruling.objects.filter(play__session=session).exclude(play__etui__in=hidden)
    for ruling in rulings.select_related("author", "play__etui", "play__table"):
        play: Play = ruling.play
        names = {line: name_at(entrants[pk], play.position) for line, pk in play.seat_ids.items()}
        is_adjusted = ruling.kind == Ruling.RulingKind.ADJUSTED
        adjusted = say_adjusted(ruling, names, find_format(session.tournament.format)) if is_adjusted else []
        yield {
            "at": ruling.ruled_at,
            "about": _("play"),
            "etui": play.etui.number,
            "position": play.position,
            "table": play.table.number,
            "ruling": ", ".join([ruling.get_kind_display(), *adjusted]),
            "article": ruling.article,
            "reason": say_reason(ruling.reason) if ruling.reason else "",
            "author": ruling.sender_name,
        }


def name_at(entrant: Entrant, position: int) -> str:
    """Return the name of the person who plays for the entrant in that position, or of the team."""
    return entrant.name if entrant.team_id is not None else entrant.person_at(position).name


def read_etui_rulings(session: Session, hidden: Collection[int]) -> Iterator[RulingCells]:
    rulings = EtuiRuling.objects.filter(session=session).exclude(etui__in=hidden).select_related("author", "etui")
    for ruling in rulings:
        yield {
            "at": ruling.ruled_at,
            "about": _("étui"),
            "etui": ruling.etui.number,
            "position": ruling.from_position,
            "ruling": ruling.get_kind_display(),
            "article": ruling.article,
            "reason": ruling.reason,
            "author": ruling.author.shown_name,
        }


def read_penalties(session: Session) -> Iterator[RulingCells]:
    related = "author", "entrant__player", "entrant__stand_in", "entrant__team", "reversal"
    for penalty in session.penalties.filter(reverses=None).select_related(*related):
        back = getattr(penalty, "reversal", None)
        sign = 1 if penalty.kind == Penalty.PenaltyKind.BONUS else -1
        yield {
            "at": penalty.given_at,
            "about": penalty.entrant.name,
            "position": penalty.position,
            "ruling": penalty.get_kind_display(),
            "points": sign * Fraction(penalty.points) if penalty.points else None,
            "article": penalty.article,
            "reason": penalty.reason,
            "author": penalty.author.shown_name,
            "withdrawn_at": back.given_at if back else None,
        }
