"""The arbiter's report of an evening: its data, its times, what was changed, ruled, asked and published, as one PDF.

It carries results that were corrected: for directors alone, and without the étuis that its reader has still to play.
"""

import datetime as dt
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from tournaments.models import Session, Tournament
from tournaments.paper.pdf import set_sheets
from tournaments.paper.report_changes import Changes, changes, people
from tournaments.paper.report_facts import facts_of
from tournaments.paper.report_rows import (
    Row,
    Teller,
    calls,
    corrections,
    disputes,
    in_order,
    publications,
    requests,
    rulings,
    times,
)
from tournaments.plans.evening_plan import SessionHeading


@dataclass(frozen=True, slots=True)
class Section:
    """A table of the report. `widths`: shares of what is left, 0 for a column as wide as its words."""

    title: str
    columns: list[str]
    widths: list[int]
    rows: list[list[str]] = field(default_factory=list)
    none: str = ""


def evening_report(
    session: Session, *, language: str, now: dt.datetime, hidden: Collection[int] = frozenset()
) -> bytes:
    """The PDF, in that language and in the hours of the club. `hidden`: étuis, by their ids, that are left out."""
    tournament = session.tournament
    heading = SessionHeading(
        club=tournament.club.name,
        tournament=tournament.name,
        session=session.number,
        date=session.date,
        imposed=tournament.auction == Tournament.Auction.IMPOSED,
    )
    with translation.override(language), timezone.override(tournament.club.zone):
        teller, plans = Teller(session, frozenset(hidden)), Changes(session)
        made = _("Made on %(moment)s.") % {"moment": teller.full(now)}
        if hidden:
            made += " " + _("Étuis that its reader has still to play are left out.")
        words = {"report": _("Arbiter’s report"), "signatures": [_("The arbiter"), _("The director of the tournament")]}
        data: dict[str, Any] = {
            "made": made,
            "facts": facts_of(session, teller, plans),
            "sections": [
                {name: getattr(section, name) for name in Section.__slots__} for section in sections_of(teller, plans)
            ],
        }
    return set_sheets("evening_report", heading, language, words, data)


def sections_of(teller: Teller, plans: Changes) -> list[Section]:
    return [
        happened(_("Times"), times(teller), none=_("Nothing was called.")),
        happened(_("Changes of the plan and the settings"), changes(teller, plans), none=_("None.")),
        Section(
            _("Players who were absent, came late, left or had a substitute"),
            [_("Place"), _("Player"), _("What")],
            [0, 2, 3],
            people(teller, plans),
            _("Everybody was there from the beginning to the end."),
        ),
        happened(_("Results corrected, withdrawn or contested"), corrections(teller), none=_("None.")),
        happened(_("Rulings, penalties and bonuses"), rulings(teller), none=_("None.")),
        happened(_("Incidents"), in_order(chain(calls(teller), disputes(teller))), none=_("None.")),
        happened(_("Requests for a correction, and the decisions"), requests(teller), none=_("None.")),
        happened(_("Publications"), publications(teller), none=_("Nothing is published yet.")),
    ]


def happened(title: str, rows: Iterable[Row], *, none: str) -> Section:
    """What was done, with when, why and by whom."""
    columns = [_("When"), _("What"), _("Why"), _("By")]
    return Section(title, columns, [0, 4, 3, 2], [[row.when, row.what, row.why, row.by] for row in rows], none)
