"""A published ranking as the screen in the hall shows it, the first and then everybody; the code that leads there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import segno
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from tournaments.addresses import is_only_here, link_to
from tournaments.models import Publication, Session
from tournaments.plays.common import Common
from tournaments.plays.outcome import Outcome
from tournaments.publication.report import fraction
from tournaments.web.doors import session_url
from tournaments.web.ranking_pages import decimals

PLACES = 3


@dataclass(frozen=True, slots=True)
class Place:
    """Who stands on a step, with the percentage and its decimals; equals share a rank."""

    rank: int
    name: str
    line: str
    overall: Any
    decimals: int


@dataclass(frozen=True, slots=True)
class Podium:
    places: list[Place]
    official: bool


def podium_of(common: Common, outcome: Outcome) -> Podium:
    """The ranks 1 to 3 with what stands for their players now."""
    first = [player for player in outcome.players if (outcome.rank(player) or 0) <= PLACES]
    return Podium(places_of(first, common, outcome), outcome.status == Publication.Status.OFFICIAL)


def ranking_of(common: Common, outcome: Outcome) -> list[Place]:
    """Everybody in the ranking that counts, the unranked last with rank 0."""
    unranked = [player for player in outcome.by_entrant.values() if not outcome.rank(player)]
    return places_of([*outcome.players, *unranked], common, outcome)


def places_of(players: Sequence[Mapping[str, Any]], common: Common, outcome: Outcome) -> list[Place]:
    figures = [fraction(player["overall"]) for player in players]
    return [
        Place(outcome.rank(player) or 0, common.people[player["id"]].public_name, player["line"], figure, digits)
        for player, figure, digits in zip(players, figures, decimals(figures), strict=True)
        if player["id"] in common.people
    ]


def draw_code(request: HttpRequest, session: Session) -> SafeString:
    """The code that opens the ranking; none where a phone would not find it: in practice, and at this computer's own
    name for itself."""
    if session.tournament.club.practice_of_id or is_only_here(request):
        return mark_safe("")
    address = link_to(request, session_url("ranking", session))
    return mark_safe(segno.make_qr(address, error="m").svg_inline(border=2, omitsize=True, light="#fff"))
