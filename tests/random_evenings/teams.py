"""The random evenings of teams: triplettes, quadrettes and matches; teams leave or come late, or make mistakes."""

from collections.abc import Callable
from functools import partial

from django.utils import timezone

from clubs.roster import RosterLine
from clubs.teams import TEAM_SIZES
from evenings.changes.carry_out import depends, number_of_plan, undo_change
from evenings.changes.mistakes import Mistake, find_mended_teams, mend_teams
from evenings.changes.quarters import hand_in_quarter
from evenings.changes.teams import arrive, find_team_plan, leave, let_team_arrive, let_team_leave
from evenings.changes.ways import find_held
from evenings.plans.current import current_version, evening_of
from evenings.plans.starting import start_session
from evenings.plans.teams.choosing import choose_team_plan, propose_for_teams, team_shape
from evenings.plans.teams.seating import list_ready_teams, seat_teams
from evenings.sessions.running import call_position
from evenings.sessions.setup import create_session
from evenings.teams.quarters import read_quarters
from evenings.teams.substitutes import replace_member
from tests.evenings.teams.evening import make_teams
from tests.evenings.teams.matches.evening import plausible_attack
from tests.factories import DATE, enter_all, plausible
from tests.random_evenings.evening import Evening, Finished
from tournaments.rules.operations import Swap, WrongEtuis

COUNTS = (1, 2, 2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 11)
MATCH_COUNTS = (1, 2, 2, 2, 3, 4, 4, 6)


class EveningOfTeams(Evening):
    """An evening of teams. In a league, some evenings with other pairs of teams come before it."""

    def prepare(self) -> None:
        matches = self.format.has_matches
        count = self.chance.choice(MATCH_COUNTS if matches else COUNTS)
        sizes = TEAM_SIZES[self.format.name]
        members = self.chance.randint(sizes.least, min(sizes.most, 6))
        self.tell(f"{count} teams of {members}")
        make_teams(self.tournament, count + self.chance.choice((0, 1, 2)), places=range(1, members + 1))
        days = self.chance.randint(1, 3) if matches else 1
        for day in range(1, days + 1):
            self.prepare_day(count)
            if day < days:
                self.run()
                self.end()

    def prepare_day(self, count: int) -> None:
        positions, etuis = self.chance.randint(1, 7), self.chance.choice((1, 2, 3, 4, 4, 6, 8))
        if self.format.has_matches:  # the form refuses other numbers
            positions, etuis = self.format.quarters, self.chance.randint(4, 6)
        barometer = self.happens(4)
        self.tell(f"{positions} × {etuis} étuis, barometer {barometer}")
        self.session = create_session(
            tournament=self.tournament,
            date=DATE,
            positions=positions,
            etuis_per_position=etuis,
            barometer=barometer,
        )
        ready = [team.pk for team in list_ready_teams(self.session)]
        chosen = self.chance.sample(ready, count)
        seat_teams(session_id=self.session.pk, teams=chosen, draw=self.happens(), by=self.by, now=timezone.now())
        offered = self.ask("proposals", lambda: propose_for_teams(self.read()))
        if not offered:
            assert not self.start_is_as_announced(self.start)
            raise Finished
        self.give_etuis(max(each.plan.count_etuis() for each in offered) + self.chance.choice((0, 4, 40)))
        enough = count >= self.format.least_teams
        for choice, each in enumerate(offered):
            with self.tried(f"plan {choice} {each.code}"):
                self.take(choice)
                assert self.start_is_as_announced(self.start) == enough, self.story[-1]
        if not enough:
            raise Finished
        if not self.start_is_as_announced(self.start) or self.happens():
            choice = self.chance.randrange(len(offered))
            self.tell(f"plan {choice} {offered[choice].code}")
            self.take(choice)
        self.start()
        self.read()

    def take(self, choice: int) -> None:
        shape = team_shape(self.session)
        choose_team_plan(session_id=self.session.pk, choice=choice, shape=shape, by=self.by, now=timezone.now())

    def start(self) -> None:
        start_session(session_id=self.session.pk, by=self.by, now=timezone.now())

    def run(self) -> None:
        position = 0
        while position < self.read().positions:
            for _ in range(self.chance.choice((0, 1, 1, 2))):
                self.change()
            if self.session.position < self.read().positions:
                position = self.session.position + 1
                call_position(session_id=self.session.pk, position=position, by=self.by, now=timezone.now())
                self.read()
            for _ in range(self.chance.choice((0, 0, 1))):
                self.change()
            waiting = self.pick_most(self.list_waiting(position))
            enter_all(
                self.session,
                by=self.by,
                plays=waiting,
                choose=plausible_attack if self.format.has_matches else plausible,
            )
            self.tell(f"results of position {position}")

    def change(self) -> None:
        draws = [self.leave, self.arrive, self.swap, self.wrong_etuis, self.substitute]
        if self.format.has_matches:
            draws += [self.line_up] * 3
        self.chance.choice(draws)()
        self.read()
        version = current_version(self.session)
        if version is None or version.operation.get("kind") == "choice":
            return
        if not depends(version, map(int, version.after)):
            with self.tried("undo"):
                undo_change(session_id=self.session.pk, seen=version.number, by=self.by, now=timezone.now())

    def draw_after(self) -> int | None:
        """Return a position after which the form lets a team come or go, or None if it offers none."""
        evening = evening_of(self.read())
        positions = range(find_held(self.session), evening.plan.positions)
        return self.chance.choice(positions) if positions else None

    def leave(self) -> None:
        after = self.draw_after()
        there = list(self.session.entrants.filter(last_position=None).order_by("number"))
        if after is None or not there:
            return
        gone = self.chance.choice(there)
        self.tell(f"team {gone.number} leaves after {after}")
        told = {"entrant_id": gone.pk, "after": after}
        if self.ask("leave", lambda: find_team_plan(self.session, partial(leave, **told), after=after)):
            self.carry_out(partial(let_team_leave, **told))

    def arrive(self) -> None:
        after = self.draw_after()
        playing = self.session.entrants.values("team")
        free = list(list_ready_teams(self.session).exclude(pk__in=playing))
        if after is None or not free:
            return
        team = self.chance.choice(free)
        self.tell(f"team {team.pk} comes after {after}")
        told = {"team_id": team.pk, "after": after}
        if self.ask("arrive", lambda: find_team_plan(self.session, partial(arrive, **told), after=after)):
            self.carry_out(partial(let_team_arrive, **told))

    def carry_out(self, change: Callable[..., object]) -> None:
        """Carry out a change that the page has shown."""
        self.offers += 1
        seen = number_of_plan(self.session)
        change(session_id=self.session.pk, seen=seen, by=self.by, now=timezone.now())

    def end(self) -> None:
        """Publish the session. The results of a match must be complete in both rooms."""
        if self.format.has_matches:
            waiting = self.list_waiting(self.read().positions)
            enter_all(self.session, by=self.by, plays=waiting, choose=plausible_attack)
        super().end()

    def swap(self) -> None:
        there = list(self.session.entrants.order_by("number"))
        if len(there) > 1:
            one, other = self.chance.sample(there, 2)
            self.mend(Swap(self.chance.randint(1, max(1, find_held(self.read()))), one.pk, other.pk))

    def wrong_etuis(self) -> None:
        plan = evening_of(self.read()).plan
        position = self.chance.randint(1, max(1, find_held(self.session)))
        stops = [stop for stop in plan.at(position) if stop.complete]
        if not stops:
            return
        stop = self.chance.choice(stops)
        numbers = list(self.session.deal_set.etuis.order_by("number").values_list("number", flat=True))
        played = self.chance.sample(numbers, min(len(numbers), self.chance.choice((1, len(stop.etuis)))))
        pairs = tuple(zip(sorted(stop.etuis), played, strict=False))
        self.mend(WrongEtuis(position, stop.table, pairs, self.happens()))

    def mend(self, mistake: Mistake) -> None:
        self.tell(mistake)
        if self.ask("mistake", lambda: find_mended_teams(self.session, mistake)):
            self.offers += 1
            seen = number_of_plan(self.session)
            mend_teams(session_id=self.session.pk, mistake=mistake, seen=seen, by=self.by, now=timezone.now())

    def substitute(self) -> None:
        team = self.chance.choice(list(self.session.entrants.order_by("number"))).team
        member = self.chance.choice(list(team.members.filter(ended_at=None).order_by("place")))
        self.named += 1
        told = {"player": RosterLine(f"Ersatz{self.named}", "Zoé"), "reason": "malade", "by": self.by}
        told |= {"tournament_id": self.tournament.pk, "member_id": member.pk, "now": timezone.now()}
        self.ask("substitute", lambda: replace_member(**told))

    def line_up(self) -> None:
        """Hand in a line-up that the page offers for a quarter that no team has seen yet."""
        quarters = range(self.session.position + 1, self.session.positions + 1)
        if not quarters:
            return
        quarter = self.chance.choice(quarters)
        team = self.chance.choice([team for team in read_quarters(self.session).values() if team.is_there(quarter)])
        offered = team.quarters[quarter] if quarter in team.quarters else team.propose(quarter)
        members = {seat: member.pk for seat, member in offered.members.items()}
        told = {"team_id": team.team.pk, "quarter": quarter, "members": members, "reason": "retard"}
        self.tell(f"line-up of team {team.number} for quarter {quarter}")
        hand_in_quarter(session_id=self.session.pk, by=self.by, now=timezone.now(), **told)
