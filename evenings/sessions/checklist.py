"""The checklist of a session in preparation: the steps still missing in each format, and those of a new club."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.formats import time_format
from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.models import Club
from evenings.plans.by_format import find_odd_tables
from evenings.plans.choosing import choice_of, default_proposal
from evenings.plans.current import current_version, evening_of
from evenings.plans.deal_sets import find_other_takers
from evenings.plans.free.laying import find_stride
from evenings.plans.free.starting import find_teams
from evenings.plans.starting import check_etuis, check_seats
from evenings.plans.teams.choosing import default_team_proposal
from evenings.plans.teams.seating import check_teams
from evenings.teams.lineups import read_line_ups
from evenings.teams.partners import find_meeting_partners
from movements import ALIKE, LinePlan, OddTables, Plan, PlanError, compute_figures, read_plan
from movements.games import check_mates, count_dealt, split_people
from movements.plan.plan import SEATS
from scoring.formats import FREE_DEALS, IN_GAMES, MEETING_TEAMS, QUADRETTES, find_format
from tournaments.errors import ActionRefused
from tournaments.models import PlanVersion, Publication, ResultEntry, Session
from tournaments.words.formats import say_word
from tournaments.words.messages import say, say_proposal
from tournaments.words.team_plans import say_copies, say_other_takers

MOST_NAMED = 5  # pairs that a warning names


@dataclass(frozen=True, slots=True)
class Fit:
    """The answer to the question whether a number of players can start. `text` says what to do if `ready` is False.

    `plan` is the plan that these players would play, if there is one.
    """

    ready: bool
    text: str
    plan: Plan[Any] | None = None


def fit(players: int, session: Session) -> Fit:
    """Return whether the session can start with this number of ranked players, and with which plan.

    The plan is the one that was chosen for this number, or the default proposal.
    """
    told = {"players": count_of_players(players)}
    version = choice_of(session, players)
    if version is not None:
        return Fit(True, say_chosen_plan(version), read_plan(version.data))
    try:
        proposal = default_proposal(session, players)
    except PlanError as error:
        return Fit(False, f"{told['players']}. {say(error)}")
    if proposal is not None:
        return Fit(True, say_proposal(proposal), proposal.plan)
    if players < SEATS:
        return Fit(False, _("%(players)s: a table needs four.") % told)
    if current_version(session) is not None:
        return Fit(False, _("%(players)s: the plan was chosen for another number, choose again.") % told)
    return Fit(False, _("%(players)s: choose tables and positions.") % told)


def say_chosen_plan(version: PlanVersion) -> str:
    if version.code == "imported":
        told = {"tables": version.data["tables"], "positions": version.data["positions"]}
        return _("Plan from a file; tables: %(tables)s, positions: %(positions)s.") % told
    return say_proposal(version)


def count_of_players(players: int) -> str:
    return ngettext("%(count)s player", "%(count)s players", players) % {"count": players}


def say_meeting_partners(session: Session, plan: LinePlan) -> str:
    """Return the warning that players of one team meet in the plan, or ""."""
    if not (together := find_meeting_partners(session, plan)):
        return ""
    names = ", ".join(f"{one.own_name} – {other.own_name}" for one, other in together[:MOST_NAMED])
    params = {"count": len(together), "names": names + "…" * (len(together) > MOST_NAMED)}
    text = ngettext(
        "The players of %(count)s team meet at a table: %(names)s. Draw the seats, or exchange players.",
        "The players of %(count)s teams meet at a table: %(names)s. Draw the seats, or exchange players.",
        len(together),
    )
    return text % params


def length_of(session: Session, positions: int | None = None, dealt: int | None = None) -> dt.timedelta:
    """Return the time that `positions` positions take (by default, all of the session), by its minutes per étui.

    `dealt` is the number of étuis or deals in a position, by default that of the session.
    """
    count = session.positions if positions is None else positions
    return dt.timedelta(minutes=count * (dealt or session.etuis_per_position) * session.minutes_per_etui)


def plan_end(session: Session, positions: int | None = None, dealt: int | None = None) -> dt.time:
    """Return the time of day at which the last position ends if the session begins on time."""
    begins = dt.datetime.combine(session.date, session.starts_at)
    return (begins + length_of(session, positions, dealt)).time()


def say_span(session: Session) -> str:
    """Return the sentence that tells when the evening begins and ends."""
    told = {
        "begin": time_format(session.starts_at, "TIME_FORMAT"),
        "end": time_format(plan_end(session), "TIME_FORMAT"),
    }
    return _("From %(begin)s to about %(end)s.") % told


def hours(session: Session, positions: int | None = None, dealt: int | None = None) -> str:
    """Return the sentence that tells when the evening begins and ends, and how long its étuis or deals take.

    `dealt` is the number of deals that a table deals in a position, if players rest in turn.
    """
    count = session.positions if positions is None else positions
    told = {
        "begin": time_format(session.starts_at, "TIME_FORMAT"),
        "end": time_format(plan_end(session, count, dealt), "TIME_FORMAT"),
        "etuis": ngettext("%(count)s étui", "%(count)s étuis", (etuis := count * session.etuis_per_position))
        % {"count": etuis},
        "deals": ngettext("%(count)s deal", "%(count)s deals", etuis) % {"count": etuis},
        "minutes": ngettext("%(count)s minute", "%(count)s minutes", session.minutes_per_etui)
        % {"count": session.minutes_per_etui},
    }
    return say_word(session.tournament.format, "hours", told)


@dataclass(frozen=True, slots=True)
class ChecklistStep:
    """One line of the checklist. `name` is its subject, such as "players", and `text` its state in words.

    `code` is the code of the error that a check found, or "". `warning` says what to look at before the start although
    the step is done, or is "".
    """

    name: str
    ready: bool
    text: str
    code: str = ""
    warning: str = ""


class Preparation:
    """The state of a session in preparation: its players, étuis and plan, and the steps of its checklist."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @cached_property
    def players(self) -> int:
        """The number of ranked players. Fillers are not counted."""
        return self.session.entrants.filter(ranked=True).count()

    @cached_property
    def fit(self) -> Fit:
        return self.fit_players(self.players)

    def fit_players(self, players: int) -> Fit:
        """Return whether the session can start with this number of ranked players."""
        return fit(players, self.session)

    @cached_property
    def plan(self) -> Plan[Any] | None:
        """The plan that the session plays or will play, or None if there is none yet."""
        if self.session.status == Session.Status.RUNNING:
            evening = evening_of(self.session)
            return evening.plan if evening else None
        return self.fit.plan

    @property
    def needed(self) -> int:
        """The number of étuis that the plan needs, or 0 without a plan."""
        return self.plan.count_etuis() if self.plan else 0

    @property
    def needed_text(self) -> str:
        return ngettext("%(count)s étui is needed.", "%(count)s étuis are needed.", self.needed) % {
            "count": self.needed
        }

    @property
    def copies(self) -> str:
        """The number of copies of each étui that the plan needs, in words. Empty if it is one or not known."""
        return ""

    @property
    def hours(self) -> str:
        return hours(self.session, self.plan.positions if self.plan else None)

    @cached_property
    def steps(self) -> list[ChecklistStep]:
        steps = [self.step_players(), self.step_movement(), self.step_etuis()]
        ready = all(step.ready for step in steps)
        text = _("Everything is ready.") if ready else _("Finish the steps above first.")
        return [*steps, ChecklistStep("start", ready, text)]

    @property
    def ready(self) -> bool:
        return self.steps[-1].ready

    def step_players(self) -> ChecklistStep:
        if not self.players:
            return ChecklistStep("players", False, _("Nobody has a seat yet."))
        told = count_of_players(self.players)
        if self.plan is None:
            return ChecklistStep("players", self.players >= SEATS, told if self.players >= SEATS else self.fit.text)
        try:
            check_seats(self.session, self.plan)
        except ActionRefused as error:
            return ChecklistStep("players", False, say(error), error.code)
        return ChecklistStep("players", True, told, warning=say_meeting_partners(self.session, self.plan))

    def step_movement(self) -> ChecklistStep:
        positions = self.plan.positions if self.plan else self.session.positions
        told = {"positions": positions, "etuis": self.session.etuis_per_position}
        shape = _("positions: %(positions)s, étuis per position: %(etuis)s") % told
        if not self.players:
            return ChecklistStep("movement", False, shape)
        return ChecklistStep("movement", self.fit.ready, f"{self.fit.text} {shape[:1].upper()}{shape[1:]}.")

    def step_etuis(self) -> ChecklistStep:
        if not self.needed:
            return ChecklistStep("etuis", False, _("Their number depends on tables and positions."))
        try:
            check_etuis(self.session, needed=self.needed)
        except ActionRefused as error:
            return ChecklistStep("etuis", False, self.needed_text if self.session.deal_set is None else say(error))
        ready = ngettext("%(count)s étui is ready.", "%(count)s étuis are ready.", self.needed)
        return ChecklistStep("etuis", True, ready % {"count": self.needed}, warning=self.other_takers)

    @cached_property
    def other_takers(self) -> str:
        """The warning about étuis that name another taker than the seat that takes every étui, or ""."""
        return say_other_takers(find_other_takers(self.session, needed=self.needed))


@dataclass(frozen=True, slots=True)
class FirstStep:
    """A step, which may be done already. `page` is the URL name of the page on which it is done.

    That page belongs to the club, or to `session`. `session` is None if the club has no session yet.
    """

    text: str | Promise
    action: str | Promise
    page: str
    done: bool
    session: Session | None = None


def first_steps(club: Club) -> list[FirstStep]:
    """Return the five first steps of the club in order, or [] if it has published a session."""
    if Publication.objects.filter(session__tournament__club=club).exists():
        return []
    listed = {"tournament__club": club, "tournament__put_away_at": None, "put_away_at": None}
    session = Session.objects.filter(**listed).select_related("tournament__club").order_by("-status", "-pk").first()
    running = session is not None and session.status == Session.Status.RUNNING
    entered = running and ResultEntry.objects.filter(play__session=session).exists()
    return [
        FirstStep(gettext_lazy("The club, and you as its director"), "", "club", done=True),
        FirstStep(
            gettext_lazy("The club’s players"), gettext_lazy("Add the players"), "players", club.players.exists()
        ),
        FirstStep(
            gettext_lazy("The first evening: form of play, date and hour"),
            gettext_lazy("Create the evening"),
            "tournament_new",
            session is not None,
        ),
        FirstStep(
            gettext_lazy("Who plays, on which étuis, and the start"),
            gettext_lazy("Prepare the evening"),
            "session",
            running,
            session,
        ),
        FirstStep(
            gettext_lazy("The papers, and then the evening itself"),
            gettext_lazy("Go to the desk") if entered else gettext_lazy("Print"),
            "session" if entered else "prints",
            done=False,
            session=session,
        ),
    ]


class FreePreparation(Preparation):
    """The state of a session of donnes libres in preparation."""

    @cached_property
    def odd(self) -> OddTables:
        return find_odd_tables(find_format(self.session.tournament.format), self.session.odd_tables)

    @cached_property
    def steps(self) -> list[ChecklistStep]:
        steps = [self.step_players(), self.step_games()]
        ready = all(step.ready for step in steps)
        text = _("Everything is ready.") if ready else _("Finish the steps above first.")
        return [*steps, ChecklistStep("start", ready, text)]

    @property
    def plan(self) -> None:
        """No plan with étuis: the tables deal."""
        return

    @property
    def hours(self) -> str:
        """The sentence about the hours of the evening. Where one of five rests, a game takes more deals."""
        if self.session.fits_deals:
            return say_span(self.session)
        return hours(self.session, dealt=self.dealt)

    @property
    def dealt(self) -> int:
        """The most deals that a table deals in a game, so that everybody plays as many as the session says."""
        session = self.session
        deals = session.etuis_per_position
        try:
            sizes = split_people(self.players, self.odd)
        except PlanError:
            return deals
        return max(count_dealt(people, deals, self.odd) for people in sizes)

    def step_players(self) -> ChecklistStep:
        if not self.players:
            return ChecklistStep("players", False, _("Nobody has a seat yet."))
        return ChecklistStep("players", self.players >= 3, count_of_players(self.players))

    def fit_players(self, players: int) -> Fit:
        """Return whether this number of players can be divided into tables, and into which tables.

        Members of one team never sit at one table, unless étuis are played.
        """
        teams = [] if self.odd in ALIKE else find_teams(self.session, list(self.session.entrants.all()))
        try:
            sizes = split_people(players, self.odd)
            check_mates(sizes, players, list(map(len, teams)))
            return Fit(True, say_sizes(sizes))
        except PlanError as error:
            return Fit(False, say(error))

    def step_games(self) -> ChecklistStep:
        session = self.session
        told = {"games": session.positions, "deals": session.etuis_per_position}
        shape = (
            _("games: %(games)s, as many deals as fit")
            if session.fits_deals
            else _("games: %(games)s, deals in each: %(deals)s")
        ) % told
        return self.add_tables(f"{shape[:1].upper()}{shape[1:]}. {session.get_seating_display().capitalize()}.")

    def add_tables(self, text: str) -> ChecklistStep:
        """Return the step of the games: the tables, if somebody plays already, and then `text`."""
        if not self.players:
            return ChecklistStep("games", False, text)
        found = self.fit_players(self.players)
        return ChecklistStep("games", found.ready, f"{found.text} {text}")


class EtuiGamesPreparation(FreePreparation):
    """The state of a session in which every table has three players, or five, and plays the same étuis in a game."""

    @cached_property
    def steps(self) -> list[ChecklistStep]:
        steps = [self.step_players(), self.step_games(), self.step_etuis()]
        ready = all(step.ready for step in steps)
        text = _("Everything is ready.") if ready else _("Finish the steps above first.")
        return [*steps, ChecklistStep("start", ready, text)]

    @property
    def needed(self) -> int:
        return self.session.positions * find_stride(self.session)

    @property
    def hours(self) -> str:
        return hours(self.session)

    def step_games(self) -> ChecklistStep:
        told = {"positions": self.session.positions, "etuis": self.session.etuis_per_position}
        shape = _("positions: %(positions)s, étuis per position: %(etuis)s") % told
        return self.add_tables(_("%(shape)s, the same at all tables.") % {"shape": f"{shape[:1].upper()}{shape[1:]}"})


def say_sizes(sizes: tuple[int, ...]) -> str:
    """Return a sentence with the number of tables of each size."""
    texts = {3: _("tables of three: %(count)s"), 4: _("tables of four: %(count)s"), 5: _("tables of five: %(count)s")}
    parts = [texts[size] % {"count": sizes.count(size)} for size in (4, 3, 5) if size in sizes]
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def count_of_teams(teams: int) -> str:
    return ngettext("%(count)s team", "%(count)s teams", teams) % {"count": teams}


class TeamPreparation(Preparation):
    """The state of a session of teams in preparation. Its `players` are the number of teams."""

    @cached_property
    def fit(self) -> Fit:
        """The answer to the question whether these teams can start, with the plan that they would play."""
        count, told = self.players, {"teams": count_of_teams(self.players)}
        if 0 < count < (least := find_format(self.session.tournament.format).least_teams):
            return Fit(False, say(ActionRefused("teams_lacking", count=count, least=least)))
        version = choice_of(self.session, count)
        if version is not None:
            return Fit(True, say_proposal(version), read_plan(version.data))
        try:
            first = default_team_proposal(self.session, count) if count else None
        except PlanError as error:
            return Fit(False, f"{told['teams']}. {say(error)}")
        if first is not None:
            return Fit(True, say_proposal(first), first.plan)
        return Fit(False, _("%(teams)s: choose tables and positions.") % told)

    @property
    def copies(self) -> str:
        return say_copies(compute_figures(self.plan).copies) if self.plan else ""

    def step_players(self) -> ChecklistStep:
        if not self.players:
            return ChecklistStep("teams", False, _("No team has a number yet."))
        try:
            check_teams(self.session)
        except ActionRefused as error:
            return ChecklistStep("teams", False, say(error), error.code)
        return ChecklistStep("teams", True, count_of_teams(self.players))


class LineUpPreparation(TeamPreparation):
    """The state of a session in preparation whose teams hand in a line-up for all of it."""

    @cached_property
    def steps(self) -> list[ChecklistStep]:
        """The steps of the checklist. The session can start before the step of the line-ups is done."""
        *before, start = super().steps
        return [*before, *self.list_line_up_steps(), start]

    def list_line_up_steps(self) -> list[ChecklistStep]:
        """Return the step of the line-ups, or an empty list if no team plays yet."""
        if not self.players:
            return []
        known = read_line_ups(self.session)
        count = sum(line_up.chosen for line_up in known.values())
        told = {"count": count, "all": self.players}
        text = _("%(count)s of %(all)s handed in; the other teams play as proposed.") % told
        if count >= self.players:
            text = _("All line-ups are handed in.")
        return [ChecklistStep("line_ups", True, text)]


# By format: the state of a session in preparation, if it is not that of single players with étuis for four.
PREPARATIONS: Mapping[str, type[Preparation]] = {
    **dict.fromkeys(MEETING_TEAMS, TeamPreparation),
    **dict.fromkeys(IN_GAMES, EtuiGamesPreparation),
    QUADRETTES.name: LineUpPreparation,
    FREE_DEALS.name: FreePreparation,
}


def preparation_of(session: Session) -> Preparation:
    """Return the state of a session in preparation, with the steps of its format."""
    return PREPARATIONS.get(session.tournament.format, Preparation)(session)
