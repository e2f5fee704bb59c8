"""The PDFs of the plan of an evening of teams, from its rows. No document shows the cards of an étui, or a result."""

from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from deals.exports.pdf import Sheets
from evenings.plans.teams.evening_plan import TeamsPaper
from evenings.plans.teams.printing import read_printed_plan, read_printed_teams
from outgoing.paper.pdf import Code, make_heading
from outgoing.paper.teams import mirror, plan
from outgoing.paper.teams.mirror import empty_line_ups, filled_line_ups
from scoring.formats import QUADRETTES, TEAM_MATCH, TRIPLETTES, find_format
from tournaments.models import Session


class PlainPaper(Protocol):
    """A function that returns a document which needs nothing but the plan."""

    def __call__(self, evening: TeamsPaper, *, language: str) -> Sheets: ...


def read_evening(session: Session) -> TeamsPaper:
    return read_printed_plan(session, make_heading(session))


MIRRORED = (mirror.guides, mirror.table_cards, mirror.score_sheets)
LAYOUTS: Mapping[str, tuple[Callable[..., Sheets], ...]] = {  # by format: guide cards, table cards and score sheets
    TRIPLETTES.name: (plan.guides, plan.table_cards, plan.score_sheets),
    QUADRETTES.name: MIRRORED,
    TEAM_MATCH.name: MIRRORED,
}


def print_team_plan(
    evening: TeamsPaper,
    code: str,
    *,
    language: str,
    only: Collection[int] | None,
    screen_of: Callable[[int], Code] | None,
    link_of: Callable[[int], Code] | None,
) -> Sheets:
    """Return a document about the plan. `only` limits guide cards and badges to these teams (entrants' ids).

    `screen_of` returns the code of a table's screen by the table's number, `link_of` that of a member's personal link
    by the id of the membership.
    """
    if code == "badges":
        return plan.badges(evening, language=language, only=only)
    guides, cards, sheets = LAYOUTS[evening.format.name]
    if code == "guides":
        return guides(evening, language=language, only=only, link_of=link_of)
    if code == "cards":
        return cards(evening, language=language, screen_of=screen_of)
    plain: dict[str, PlainPaper] = {
        "teams": plan.team_list,
        "players": plan.players,
        "sheets": sheets,
        "line_ups": filled_line_ups,
    }
    return plain[code](evening, language=language)


def print_empty_line_ups(session: Session, *, language: str) -> Sheets:
    """Return the sheets on which the captains of the session's teams write their line-ups."""
    entrants = list(session.entrants.select_related("team").order_by("number"))
    teams = read_printed_teams(session, entrants)
    quarters = find_format(session.tournament.format).quarters or 1
    heading = make_heading(session)
    return empty_line_ups(heading, [teams[each.pk] for each in entrants], language=language, quarters=quarters)
