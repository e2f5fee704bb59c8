"""The arbiter's report of a session as one PDF: facts, times, changes, rulings, requests and publications.

It shows corrected results, so only directors get it. If a director plays in the session, it leaves out the étuis that
the director has not played yet.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from django.utils import timezone, translation
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from deals.models import DealSet
from outgoing.paper.pdf import make_heading, set_sheets
from outgoing.paper.report_rows import (
    Changes,
    ReportRow,
    Teller,
    calls,
    corrections,
    disputes,
    in_order,
    people,
    publications,
    report_changes,
    requests,
    rulings,
    times,
)
from outgoing.paper.teams.report import TeamChanges, attackers_out_of_turn, count_teams, list_team_rows
from scoring.formats import MEETING_TEAMS
from tournaments.models import Session
from tournaments.words.figures import etuis_text
from tournaments.words.formats import say_word

CHANGES: Mapping[str, type[Changes]] = dict.fromkeys(MEETING_TEAMS, TeamChanges)


def facts_of(session: Session, teller: Teller, plans: Changes) -> list[tuple[str, str]]:
    """Return the facts as pairs of name and value, in order. Facts without a value are left out."""
    tournament = session.tournament
    facts = [
        (_("Club"), tournament.club.name),
        (_("Tournament"), tournament.name),
        (_("Session"), _("number %(number)s, %(date)s") % {"number": session.number, "date": teller.day(session.date)}),
        (_("Form of play") if isinstance(plans, TeamChanges) else _("Contract"), tournament.get_format_display()),
        *count_competitors(teller, plans),
        (_("Tables"), str(session.tables.count())),
        count_positions(session),
        (say_word(tournament.format, "tables_and_positions"), say_movement(plans)),
        *tell_deal_set(session),
        (_("Entry"), f"{session.get_devices_display()} · {session.get_check_by_display()}"),
        (_("Started"), teller.full(session.started_at)),
        (_("Closed"), teller.full(session.closed_at)),
    ]
    return [(name, value) for name, value in facts if value]


def count_positions(session: Session) -> tuple[str, str]:
    """Return the fact of how many positions there are, with how many étuis or, where the tables deal, games and deals.

    If the time decides, a game has no number of deals.
    """
    counts = {"positions": session.positions, "etuis": session.etuis_per_position}
    shape = "positions_that_fit" if session.fits_deals else "positions_told"
    format = session.tournament.format
    return say_word(format, "positions"), say_word(format, shape, counts)


def tell_deal_set(session: Session) -> list[tuple[str, str]]:
    """Return the facts of the étuis. Where the tables deal there are none."""
    if session.deal_set is not None and session.deal_set.free:
        return []
    commitment = session.deal_set.commitment if session.deal_set else ""
    return [(_("Étuis"), tell_etuis(session)), (_("Fingerprint of the deals"), commitment)]


def count_competitors(teller: Teller, plans: Changes) -> list[tuple[str, str]]:
    """Return the fact of how many players took part, or how many teams and which colour attacked first."""
    if isinstance(plans, TeamChanges):
        return [(_("Teams"), count_teams(teller)), (_("First colour"), plans.first_badge)]
    return [(_("Players"), count_players(teller))]


def count_players(teller: Teller) -> str:
    """Return in words how many ranked players began, how many came later, and how many players are unranked."""
    ranked = [entrant for entrant in teller.entrants.values() if entrant.ranked]
    later = sum(entrant.stays[0][1] > 1 for entrant in ranked)
    phrases = [str(len(ranked) - later)]
    if later:
        phrases.append(ngettext("%(count)s who came later", "%(count)s who came later", later) % {"count": later})
    if unranked := len(teller.entrants) - len(ranked):
        text = ngettext("%(count)s who completes a table", "%(count)s who complete tables", unranked)
        phrases.append(text % {"count": unranked})
    return get_text_list(phrases, _("and"))


def say_movement(plans: Changes) -> str:
    """Return the name of the plan with which the session started, and whether it was changed later.

    Return "" if there is no such plan.
    """
    if plans.chosen is None:
        return ""
    said = [plans.say_chosen()]
    if any(version.undone_at is None for version in plans.made):
        said.append(_("Changed during the evening, see below."))
    return " ".join(said)


def tell_etuis(session: Session) -> str:
    """Return the numbers of the étuis and the name of their set; "" without a set."""
    deal_set: DealSet | None = session.deal_set
    if deal_set is None:
        return ""
    numbers = session.plays.order_by().values_list("etui__number", flat=True).distinct()
    return _("%(numbers)s of the set “%(name)s”") % {"numbers": etuis_text(numbers), "name": deal_set.name}


@dataclass(frozen=True, slots=True)
class Section:
    """A table of the report. `none` is the text if there are no rows.

    `widths` are the columns' shares of the free width. A column with 0 is as wide as its words.
    """

    title: str
    columns: list[str]
    widths: list[int]
    rows: list[list[str]] = field(default_factory=list)
    none: str = ""


def evening_report(
    session: Session, *, language: str, now: dt.datetime, hidden: Collection[int] = frozenset()
) -> bytes:
    """Return the report as a PDF, in this language and with times of the club's time zone.

    `hidden` has the ids of the étuis to leave out.
    """
    tournament = session.tournament
    heading = make_heading(session)
    with translation.override(language), timezone.override(tournament.club.zone):
        teller = Teller(session, frozenset(hidden))
        plans = CHANGES.get(tournament.format, Changes)(session)
        made = _("Made on %(moment)s.") % {"moment": teller.full(now)}
        if hidden:
            made += " " + _("Étuis that the reader has not played yet are left out.")
        words = {"report": _("Arbiter’s report"), "signatures": [_("The arbiter"), _("The director of the tournament")]}
        data: dict[str, Any] = {
            "made": made,
            "facts": facts_of(session, teller, plans),
            "sections": [
                {name: getattr(section, name) for name in Section.__slots__} for section in sections_of(teller, plans)
            ],
        }
    return set_sheets("evening_report", heading, language, words, data).typeset()


def sections_of(teller: Teller, plans: Changes) -> list[Section]:
    """Return all sections of the report, in order."""
    return [
        list_what_happened(_("Times"), times(teller), none=_("No position was called.")),
        list_what_happened(_("Changes to the plan and the settings"), report_changes(teller, plans), none=_("None.")),
        list_who_moved(teller, plans),
        list_what_happened(_("Results corrected, withdrawn or contested"), corrections(teller), none=_("None.")),
        list_what_happened(_("Rulings, penalties and bonuses"), rulings(teller), none=_("None.")),
        list_what_happened(_("Incidents"), list_incidents(teller, plans), none=_("None.")),
        list_what_happened(_("Requests for a correction, and their decisions"), requests(teller), none=_("None.")),
        list_what_happened(_("Publications"), publications(teller), none=_("Nothing is published yet.")),
    ]


def list_who_moved(teller: Teller, plans: Changes) -> Section:
    """Return the section about players, or teams and their members, who were not there all evening."""
    none = _("Everybody was there from beginning to end.")
    if isinstance(plans, TeamChanges):
        title = _("Teams that came late or left, and substitutes")
        columns = [pgettext("number of a line", "No."), _("Team"), _("What")]
        return Section(title, columns, [0, 2, 3], list_team_rows(teller, plans), none)
    title = _("Players who were absent, came late, left or had a substitute")
    return Section(title, [_("Place"), _("Player"), _("What")], [0, 2, 3], people(teller, plans), none)


def list_incidents(teller: Teller, plans: Changes) -> list[ReportRow]:
    """Return the rows of calls and disputes, and for teams those of attacks out of turn."""
    out_of_turn = attackers_out_of_turn(teller, plans) if isinstance(plans, TeamChanges) else ()
    return in_order(chain(calls(teller), disputes(teller), out_of_turn))


def list_what_happened(title: str, rows: Iterable[ReportRow], *, none: str) -> Section:
    """Return a section of events, with the columns when, what, why and by whom.

    `none` is the text if nothing happened.
    """
    columns = [_("When"), _("What"), _("Why"), _("By")]
    return Section(title, columns, [0, 4, 3, 2], [[row.when, row.what, row.why, row.by] for row in rows], none)
