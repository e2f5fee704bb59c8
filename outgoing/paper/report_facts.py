"""The facts at the head of the arbiter's report. This module only reads."""

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from deals.models import DealSet
from outgoing.paper.report_changes import Changes
from outgoing.paper.report_rows import Teller
from outgoing.paper.teams.report import TeamChanges, count_teams
from tournaments.models import Session
from tournaments.words.figures import etuis_text


def facts_of(session: Session, teller: Teller, plans: Changes) -> list[tuple[str, str]]:
    """Return the facts as pairs of name and value, in order. Facts without a value are left out."""
    tournament = session.tournament
    told = [
        (_("Club"), tournament.club.name),
        (_("Tournament"), tournament.name),
        (_("Session"), _("number %(number)s, %(date)s") % {"number": session.number, "date": teller.day(session.date)}),
        (_("Form of play") if isinstance(plans, TeamChanges) else _("Contract"), tournament.get_format_display()),
        *count_competitors(teller, plans),
        (_("Tables"), str(session.tables.count())),
        count_positions(session),
        (_("Movement"), say_movement(plans)),
        *tell_deal_set(session),
        (_("Entry"), f"{session.get_devices_display()} · {session.get_check_by_display()}"),
        (_("Started"), teller.full(session.started_at)),
        (_("Closed"), teller.full(session.closed_at)),
    ]
    return [(name, value) for name, value in told if value]


def count_positions(session: Session) -> tuple[str, str]:
    """Return the fact of how many positions there are, with how many étuis or, where the tables deal, games and deals.

    If the time decides, a game has no number of deals.
    """
    told = {"positions": session.positions, "etuis": session.etuis_per_position}
    if not session.tournament.deals_freely:
        return _("Positions"), _("%(positions)s, of %(etuis)s étuis") % told
    shape = (
        _("%(positions)s, of as many deals as fit") if session.fits_deals else _("%(positions)s, of %(etuis)s deals")
    )
    return _("Games"), shape % told


def tell_deal_set(session: Session) -> list[tuple[str, str]]:
    """Return the facts of the étuis. Where the tables deal there are none."""
    if session.tournament.deals_freely:
        return []
    commitment = session.deal_set.commitment if session.deal_set else ""
    return [(_("Étuis"), tell_etuis(session)), (_("Commitment of the deals"), commitment)]


def count_competitors(teller: Teller, plans: Changes) -> list[tuple[str, str]]:
    """Return the fact of how many players took part, or how many teams and which colour attacked first."""
    if isinstance(plans, TeamChanges):
        return [(_("Teams"), count_teams(teller)), (_("First colour"), plans.first_badge)]
    return [(_("Players"), count_players(teller))]


def count_players(teller: Teller) -> str:
    """Return in words how many ranked players began, how many came later, and how many players are unranked."""
    ranked = [entrant for entrant in teller.entrants.values() if entrant.ranked]
    later = sum(entrant.stays[0][1] > 1 for entrant in ranked)
    told = [str(len(ranked) - later)]
    if later:
        told.append(ngettext("%(count)s who came later", "%(count)s who came later", later) % {"count": later})
    if unranked := len(teller.entrants) - len(ranked):
        text = ngettext("%(count)s who completes a table", "%(count)s who complete tables", unranked)
        told.append(text % {"count": unranked})
    return get_text_list(told, _("and"))


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
