"""The consequences of an outcome for the ranking, in sentences: which fillers stop, which newcomers will be ranked.

This module only reads.
"""

from collections import Counter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evenings.changes.fillers import find_stopping
from evenings.changes.outcomes import find_coming
from evenings.changes.ways import ChangeOutcome
from evenings.plans.current import SessionPlan
from evenings.plans.plays_after import people_after
from evenings.standings.field import FieldMember, find_substitutes
from scoring.ties import UnrankedReason, find_unranked
from tournaments.models import Entrant
from tournaments.rules.operations import Operation, Return, Substitute
from tournaments.words.figures import percent_sign


def list_consequences(evening: SessionPlan, operation: Operation, way: ChangeOutcome) -> list[str]:
    """Return the sentences about the ranking for this outcome of the operation. The list may be empty."""
    stopping = find_stopping(operation, way.gone)
    names = [entrant.name for entrant in evening.entrants if entrant.pk in stopping]
    told = [say_stopping(name, way.after) for name in names]
    coming = find_coming(evening, operation, way)
    if coming and not isinstance(operation, Return):
        gone, after = way.gone, way.after
        if isinstance(operation, Substitute):
            gone, after = (operation.entrant,), operation.position - 1
        told += say_ranks(evening, way, people_after(evening, coming, gone=gone, after=after))
    return told


def say_stopping(name: str, after: int) -> str:
    """Return the sentence that this filler stops after a position."""
    if not after:
        return _("%(name)s completes the table no longer, and does not play.") % {"name": name}
    text = _("%(name)s completes the table no longer, and stops after position %(position)s.")
    return text % {"name": name, "position": after}


def say_ranks(evening: SessionPlan, way: ChangeOutcome, people: list[Entrant]) -> list[str]:
    """Return a sentence for each newcomer: whether the plan gives the player enough étuis to be ranked.

    `people` has all entrants; newcomers have ids below 0. The list is empty if no table of the plan can play.
    """
    tournament = evening.session.tournament
    later = SessionPlan(evening.session, way.plan)
    later.entrants = people
    if not (deals := count_deals(later)):
        return []
    # `find_substitutes` knows by the ids who was there first. So newcomers, whose ids are below 0, get the last ones.
    order = {one.pk: place for place, one in enumerate(sorted(people, key=lambda one: (one.pk < 0, abs(one.pk))))}
    members = [FieldMember(order[one.pk], one.line, one.ranked, 0, one.stays) for one in people]
    substitutes = set() if tournament.substitutes_ranked else find_substitutes(members)
    reasons = find_unranked(
        {order[pk]: count for pk, count in deals.items()},
        least_share=tournament.least_share,
        fillers={member.pk for member in members if not member.ranked},
        substitutes=substitutes,
    )
    return [
        say_rank(one.name, reasons.get(order[one.pk]), deals[one.pk], max(deals.values()), tournament.least_share)
        for one in people
        if one.pk < 0
    ]


def count_deals(evening: SessionPlan) -> Counter[int]:
    """Return how many étuis each entrant plays in the whole evening, by the entrant's id, if the plan is followed."""
    deals = Counter[int]()
    for play in evening.plan.stops:
        if play.complete:
            for pk in evening.seats(play).values():
                deals[pk] += len(play.etuis)
    return deals


def say_rank(name: str, reason: UnrankedReason | None, count: int, most: int, share: int) -> str:
    """Return the sentence whether a newcomer with `count` étuis is ranked; `most` is the most étuis of a player."""
    told = {"name": name, "count": count, "most": most, "share": f"{share}{percent_sign()}"}
    match reason:
        case None:
            text = ngettext(
                "%(name)s is ranked, with %(count)s étui of %(most)s.",
                "%(name)s is ranked, with %(count)s étuis of %(most)s.",
                count,
            )
        case UnrankedReason.FILLER:
            text = _("%(name)s completes the table and is unranked.")
        case UnrankedReason.SUBSTITUTE:
            text = _("%(name)s is unranked: this tournament does not rank substitutes.")
        case UnrankedReason.SHARE | UnrankedReason.LOOKED:
            text = ngettext(
                "%(name)s is unranked: %(count)s étui of %(most)s is less than the %(share)s that the tournament asks"
                " for.",
                "%(name)s is unranked: %(count)s étuis of %(most)s are less than the %(share)s that the tournament asks"
                " for.",
                count,
            )
    return text % told
