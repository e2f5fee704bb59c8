"""The plays with which a session of teams starts."""

import datetime as dt

from clubs.models import User
from evenings.plans.layout import Row, etui_ids
from evenings.plans.teams.badges import draw_first_badge
from evenings.plans.teams.laying import lay_team_plays
from movements import Plan
from scoring.formats import find_format
from tournaments.models import Entrant, Session


def lay_team_start(session: Session, plan: Plan[int], *, by: User | None, now: dt.datetime) -> list[Row]:
    """Return the rows of the plan's plays. Give each entrant its line, and draw the colour that attacks first, if any.

    New tables have ids below 0, as `write_rows` expects.
    """
    mirrored = find_format(session.tournament.format).is_mirrored
    first = 0 if mirrored else draw_first_badge(session, by=by, now=now)
    return lay_team_plays(
        session,
        plan,
        entrants={entrant.number: entrant for entrant in give_lines(session, plan)},
        tables={number: -number for number in range(1, plan.tables + 1)},
        etuis=etui_ids(session),
        first=first,
        kept={},
    )


def give_lines(session: Session, plan: Plan[int]) -> list[Entrant]:
    """Store the line of each team: N if it always sits North-South, E if East-West, none if it changes sides."""
    entrants = list(session.entrants.all())
    for entrant in entrants:
        entrant.line = ("N" if entrant.number <= plan.lines[0] else "E") if plan.lines else ""
    Entrant.objects.bulk_update(entrants, ["line"])
    return entrants
