"""The treasurer's sheet of an evening as a PDF, for directors only: the sums, each payment, and the prizes.

It has the layout of the arbiter's report.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from outgoing.paper.pdf import make_heading, set_sheets
from outgoing.sheets.director_tables import make_payments_table, make_prizes_table, make_sums_table
from outgoing.sheets.files import CellKind, SheetTable
from registration.cash.payers import write_amount
from registration.cash.payments import CashSums, make_cash_sums
from tournaments.models import Session


def print_cash_sheet(session: Session, *, language: str, now: dt.datetime) -> bytes:
    """Return the sheet as a PDF, in this language and with times of the club's time zone."""
    with translation.override(language), timezone.override(session.tournament.club.zone):
        sums = make_cash_sums(session)
        by_fee = make_sums_table(sums)
        fees = replace(by_fee, rows=by_fee.rows[: len(sums.positions)])
        words = {
            "report": _("Treasurer’s sheet"),
            "signatures": [_("The treasurer"), _("The director of the tournament")],
        }
        sections = [
            write_section(fees, [3, 2, 1, 1, 1], none=_("Nobody has paid yet")),
            write_section(make_payments_table(session), [4, 3, 2, 0, 0, 4, 4], none=_("Nobody has paid yet")),
            write_section(make_prizes_table(session), [4, 0, 0, 4], none=_("No prize was handed over.")),
        ]
        made = _("Made on %(moment)s.") % {"moment": date_format(timezone.localtime(now), "DATETIME_FORMAT")}
        data: dict[str, Any] = {"made": made, "facts": list_sums(sums), "sections": sections}
    return set_sheets("evening_report", make_heading(session), language, words, data).typeset()


def list_sums(sums: CashSums) -> list[list[str]]:
    """Return the sums of the evening as pairs of words and amounts."""
    facts = [
        [pgettext("money", "Taken"), write_amount(sums.taken)],
        [_("Given back"), write_amount(sums.returned)],
        [_("Free of charge"), str(sums.free)],
        [_("Prizes handed over"), write_amount(sums.prizes)],
        [pgettext("money", "Left"), write_amount(sums.left)],
        [_("In the box before the evening"), write_amount(sums.float_cents)],
        [_("Cash that should be in the box"), write_amount(sums.expected)],
    ]
    if sums.counted is not None and sums.difference is not None:
        facts += [[_("Cash counted"), write_amount(sums.counted)], [_("Difference"), write_amount(sums.difference)]]
    return facts


def write_section(table: SheetTable, widths: Sequence[int], *, none: str) -> dict[str, Any]:
    """Return a table as a section of the layout. The columns of numbers stand on the right of their column."""
    kinds = [column.kind for column in table.columns]
    numbers = [place for place, kind in enumerate(kinds) if kind in (CellKind.WHOLE, CellKind.FIGURE)]
    rows = [[write_cell_text(value) for value in row] for row in table.rows]
    titles = [column.label for column in table.columns]
    return {"title": table.title, "columns": titles, "widths": widths, "numbers": numbers, "rows": rows, "none": none}


def write_cell_text(value: object) -> str:
    """Return a value of a table as text: amounts in euros, moments as the time of day."""
    if isinstance(value, Fraction):
        return write_amount(int(value * 100))
    if isinstance(value, dt.datetime):
        return date_format(timezone.localtime(value), "TIME_FORMAT")
    return "" if value is None else str(value)
