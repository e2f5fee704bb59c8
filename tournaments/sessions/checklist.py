"""What a session in preparation still needs before its start, in words; what its plan is, and when the evening ends.

Reads only, and asks the very functions that the start will ask.
"""

import datetime as dt
from dataclasses import dataclass

from django.utils.formats import time_format
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from movements import Plan, PlanError, from_data
from movements.plans.plan import SEATS
from tournaments.errors import Refused
from tournaments.models import PlanVersion, Session
from tournaments.plans.choosing import choice_of, default_proposal
from tournaments.plans.current import current_version, etuis_of, evening_of
from tournaments.plans.starting import check_etuis, check_seats
from tournaments.words.messages import say, say_proposal


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a number of players can start as things are, and a sentence that says so, or what is to be done."""

    ready: bool
    text: str
    plan: Plan | None = None


def fit(players: int, session: Session) -> Fit:
    """How so many ranked players suit the session: by the plan chosen for them, or by the one that needs no choice."""
    told = {"players": count_of_players(players)}
    version = choice_of(session, players)
    if version is not None:
        return Fit(True, say_version(version), from_data(version.data))
    try:
        proposal = default_proposal(session, players)
    except PlanError as error:
        return Fit(False, f"{told['players']}. {say(error)}")
    if proposal is not None:
        return Fit(True, say_proposal(proposal), proposal.plan)
    if players < SEATS:
        return Fit(False, _("%(players)s: a table needs four.") % told)
    if current_version(session) is not None:
        return Fit(False, _("%(players)s: the plan was chosen for others, choose again.") % told)
    return Fit(False, _("%(players)s: choose how they play.") % told)


def say_version(version: PlanVersion) -> str:
    if version.code == "imported":
        told = {"tables": version.data["tables"], "positions": version.data["positions"]}
        return _("Plan from a file; tables: %(tables)s, positions: %(positions)s.") % told
    return say_proposal(version)


def count_of_players(players: int) -> str:
    return ngettext("%(count)s player", "%(count)s players", players) % {"count": players}


def length_of(session: Session, positions: int | None = None) -> dt.timedelta:
    """How long the positions take at the session's pace."""
    count = session.positions if positions is None else positions
    return dt.timedelta(minutes=count * session.etuis_per_position * session.minutes_per_etui)


def plan_end(session: Session, positions: int | None = None) -> dt.time:
    """When the last position ends if the session begins at its hour."""
    begins = dt.datetime.combine(session.date, session.starts_at)
    return (begins + length_of(session, positions)).time()


def hours(session: Session, positions: int | None = None) -> str:
    """From when to when the evening goes, and how that comes about."""
    count = session.positions if positions is None else positions
    told = {
        "begin": time_format(session.starts_at, "TIME_FORMAT"),
        "end": time_format(plan_end(session, count), "TIME_FORMAT"),
        "etuis": ngettext("%(count)s étui", "%(count)s étuis", (etuis := count * session.etuis_per_position))
        % {"count": etuis},
        "minutes": ngettext("%(count)s minute", "%(count)s minutes", session.minutes_per_etui)
        % {"count": session.minutes_per_etui},
    }
    return _("From %(begin)s to about %(end)s: %(etuis)s at each table, %(minutes)s each.") % told


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the checklist: what it is about, whether it is done, how it stands in words, what is wrong."""

    name: str
    ready: bool
    text: str
    code: str = ""


class Preparation:
    """The state of a session in preparation: players, étuis, movement, start."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @cached_property
    def players(self) -> int:
        """Those who are ranked; fillers are not counted."""
        return self.session.entrants.filter(ranked=True).count()

    @cached_property
    def fit(self) -> Fit:
        return fit(self.players, self.session)

    @cached_property
    def plan(self) -> Plan | None:
        """The one to be played, or the one that is."""
        if self.session.status == Session.Status.RUNNING:
            evening = evening_of(self.session)
            return evening.plan if evening else None
        return self.fit.plan

    @property
    def needed(self) -> int:
        """How many étuis the plan takes; 0 before there is one."""
        return etuis_of(self.plan) if self.plan else 0

    @property
    def needed_text(self) -> str:
        return ngettext("%(count)s étui is needed.", "%(count)s étuis are needed.", self.needed) % {
            "count": self.needed
        }

    @property
    def hours(self) -> str:
        return hours(self.session, self.plan.positions if self.plan else None)

    @cached_property
    def steps(self) -> list[Step]:
        steps = [self.step_players(), self.step_movement(), self.step_etuis()]
        ready = all(step.ready for step in steps)
        text = _("Everything is ready.") if ready else _("Waits for the steps above.")
        return [*steps, Step("start", ready, text)]

    @property
    def ready(self) -> bool:
        return self.steps[-1].ready

    def step_players(self) -> Step:
        if not self.players:
            return Step("players", False, _("Nobody is seated yet."))
        told = count_of_players(self.players)
        if self.plan is None:
            return Step("players", self.players >= SEATS, told if self.players >= SEATS else self.fit.text)
        try:
            check_seats(self.session, self.plan)
        except Refused as error:
            return Step("players", False, say(error), error.code)
        return Step("players", True, told)

    def step_movement(self) -> Step:
        positions = self.plan.positions if self.plan else self.session.positions
        told = {"positions": positions, "etuis": self.session.etuis_per_position}
        shape = _("positions: %(positions)s, étuis a position: %(etuis)s") % told
        if not self.players:
            return Step("movement", False, shape)
        return Step("movement", self.fit.ready, f"{self.fit.text} {shape[:1].upper()}{shape[1:]}.")

    def step_etuis(self) -> Step:
        if not self.needed:
            return Step("etuis", False, _("How many are needed follows from the plan."))
        try:
            check_etuis(self.session, needed=self.needed)
        except Refused as error:
            return Step("etuis", False, self.needed_text if self.session.deal_set is None else say(error))
        ready = ngettext("%(count)s étui is ready.", "%(count)s étuis are ready.", self.needed)
        return Step("etuis", True, ready % {"count": self.needed})
