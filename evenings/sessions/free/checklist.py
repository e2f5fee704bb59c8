"""The checklist of a session in games: its players and its tables, and the étuis unless the tables deal."""

from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from evenings.plans.by_format import find_odd_tables
from evenings.plans.free.laying import find_stride
from evenings.plans.free.starting import find_teams
from evenings.sessions.checklist import ChecklistStep, Fit, Preparation, count_of_players, hours, say_span
from movements import ALIKE, OddTables, PlanError
from movements.games import check_mates, count_dealt, split_people
from scoring.formats import find_format
from tournaments.words.messages import say


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
