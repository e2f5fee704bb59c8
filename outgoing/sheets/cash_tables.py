"""The tables of the treasurer's sheet, for directors only: the sums of an evening, each payment, and the prizes."""

from fractions import Fraction

from django.utils.translation import gettext as _

from outgoing.sheets.table import CellKind, SheetColumn, SheetRow, SheetTable
from registration.cash.sheet import CashSums, make_cash_sums
from tournaments.models import Payment, PrizeHanded, Session


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
        SheetColumn("name", _("Name")),
        SheetColumn("fee", _("Fee")),
        SheetColumn("way", _("Paid by")),
        SheetColumn("amount", _("Amount"), CellKind.FIGURE),
        SheetColumn("at", _("Time"), CellKind.MOMENT),
        SheetColumn("author", _("Taken by")),
        SheetColumn("reason", _("Reason")),
    ]
    payments = Payment.objects.filter(session=session).select_related("fee", "author", "player", "applicant")
    rows: list[SheetRow] = [
        [
            each.player.listed if each.player else each.applicant.listed if each.applicant else "",
            each.fee.name if each.fee else "",
            each.get_way_display(),
            count_euros(each.cents),
            each.at,
            str(each.author),
            each.reason,
        ]
        for each in payments
    ]
    return SheetTable("payments", _("Payments"), columns, rows)


def make_prizes_table(session: Session) -> SheetTable:
    """Return the prize money that was handed over, the earliest first."""
    columns = [
        SheetColumn("name", _("Name")),
        SheetColumn("amount", _("Amount"), CellKind.FIGURE),
        SheetColumn("at", _("Time"), CellKind.MOMENT),
        SheetColumn("author", _("Handed over by")),
    ]
    handed = PrizeHanded.objects.filter(session=session).select_related("player", "author")
    rows: list[SheetRow] = [[each.player.listed, count_euros(each.cents), each.at, str(each.author)] for each in handed]
    return SheetTable("prizes", _("Prizes"), columns, rows)


def count_euros(cents: int) -> Fraction:
    return Fraction(cents, 100)
