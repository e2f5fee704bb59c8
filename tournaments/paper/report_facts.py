"""What the evening was, for the head of the arbiter's report. Reads only."""

from django.utils.translation import gettext as _

from deals.models import DealSet
from tournaments.models import Session
from tournaments.paper.report_rows import Teller
from tournaments.plans.current import current_version
from tournaments.sessions.checklist import say_version
from tournaments.words.figures import etuis_text


def facts_of(session: Session, teller: Teller) -> list[tuple[str, str]]:
    """Names and values, those that there are, in order."""
    tournament, version = session.tournament, current_version(session)
    ranked = sum(entrant.ranked for entrant in teller.entrants.values())
    unranked = len(teller.entrants) - ranked
    told = [
        (_("Club"), tournament.club.name),
        (_("Tournament"), tournament.name),
        (_("Session"), _("number %(number)s, %(date)s") % {"number": session.number, "date": teller.day(session.date)}),
        (_("Contract"), tournament.get_auction_display()),
        (
            _("Players"),
            _("%(ranked)s, and %(unranked)s who complete tables") % {"ranked": ranked, "unranked": unranked}
            if unranked
            else str(ranked),
        ),
        (_("Tables"), str(session.tables.count())),
        (
            _("Positions"),
            _("%(positions)s, of %(etuis)s étuis")
            % {"positions": session.positions, "etuis": session.etuis_per_position},
        ),
        (_("Movement"), say_version(version) if version else ""),
        (_("Étuis"), tell_etuis(session)),
        (_("Commitment to the deals"), session.deal_set.commitment if session.deal_set else ""),
        (_("Entry"), f"{session.get_devices_display()} · {session.get_check_by_display()}"),
        (_("Started"), teller.full(session.started_at)),
        (_("Closed"), teller.full(session.closed_at)),
    ]
    return [(name, value) for name, value in told if value]


def tell_etuis(session: Session) -> str:
    deal_set: DealSet | None = session.deal_set
    if deal_set is None:
        return ""
    numbers = session.plays.order_by().values_list("etui__number", flat=True).distinct()
    return _("%(numbers)s of the set “%(name)s”") % {"numbers": etuis_text(numbers), "name": deal_set.name}
