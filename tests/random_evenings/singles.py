"""The random evenings of single players with étuis for four: arrivals, departures, fillers, substitutes, mistakes.

In doublettes the players have mates, who sit apart where the field allows it. After other evenings a cut may follow:
a final of the best, and a consolation of the players who are left.
"""

from collections import Counter
from collections.abc import Callable
from itertools import combinations

from django.utils import timezone

from clubs.roster import RosterLine
from deals.domain.cards import LINES
from evenings.changes.carry_out import change_session, depends, number_of_plan, number_unlisted, undo_change
from evenings.changes.outcomes import outcomes, running_evening
from evenings.changes.preview import ChangePreview
from evenings.changes.ways import ChangeOutcome, find_held, find_settled
from evenings.plans.choosing import choice_of, choose_plan, proposals_for, shape_of
from evenings.plans.current import current_version, member_at
from evenings.plans.deal_sets import add_etuis_to
from evenings.plans.starting import start_session
from evenings.plays.entering import not_played
from evenings.sessions.checklist import fit
from evenings.sessions.running import call_position
from evenings.sessions.seating import close_gaps, draw_seats, seat_filler, seat_players
from evenings.sessions.setup import create_session
from evenings.teams.making import WantedTeam, make_teams
from evenings.teams.partners import find_meeting_partners
from movements import read_line_plan
from registration.people.cuts import (
    CutGiven,
    change_cut_player,
    fill_session_cut,
    list_sources,
    make_session_cut,
    read_ranked,
)
from registration.people.seats import seat_present
from tests.factories import DATE, enter_all
from tests.random_evenings.evening import Evening, Finished
from tournaments.models import Applicant, Cut, Entrant, TeamMember
from tournaments.rules.cut import CutTies
from tournaments.rules.operations import Arrive, Leave, Operation, Resize, Return, Substitute, Swap, WrongEtuis

COUNTS = (4, 5, 6, 7, 8, 8, 9, 10, 11, 12, 12, 13, 14, 15, 16, 17, 19, 20, 22, 24)


class EveningOfSingles(Evening):
    """An evening in which everybody plays alone, at tables of four with étuis."""

    def play(self) -> None:
        super().play()
        if not self.format.partners and self.happens():  # a cut of doublettes is refused beforehand
            self.play_rounds()

    def play_rounds(self) -> None:
        """Make a cut by the published ranking, and a consolation of the players who are left. Play both."""
        self.draft()
        source = list_sources(self.session)[0]
        ranked = {each.player for each in read_ranked(source.ranking, self.club.pk)}
        if not ranked:
            return
        ties = self.chance.choice([*CutTies])
        best = CutGiven(source.key, self.chance.randint(1, len(ranked) + 2), ties=ties, here=self.happens())
        cut, final = self.fill_by_cut(best), self.session
        self.tell(f"cut {best}")
        self.change_cut()
        qualified = self.list_qualified()
        if left := ranked - {*Applicant.objects.filter(session=final).values_list("player", flat=True)}:
            self.draft()
            self.fill_by_cut(CutGiven("", len(ranked), out_of=cut.pk))
            self.tell(f"consolation of {len(left)}")
            assert self.list_qualified() == left
        for session, players in ((final, qualified), (self.session, left)):
            if players:
                self.session = session
                self.play_round(players)

    def fill_by_cut(self, given: CutGiven) -> Cut:
        return make_session_cut(session_id=self.session.pk, given=given, by=self.by, now=timezone.now())

    def list_qualified(self) -> set[int]:
        """Return the players whom the cut of the session lets play, without those who have withdrawn."""
        rows = Applicant.objects.filter(session=self.session, withdrawn_at=None).exclude(cut_rank=None)
        return {player for player in rows.values_list("player", flat=True) if player}

    def change_cut(self) -> None:
        """Let some players withdraw and others move up. One may come back; the player who moved up stays."""
        told = {"session_id": self.session.pk, "by": self.by, "now": timezone.now()}
        before = sorted(self.list_qualified())
        for player in self.chance.sample(before, min(len(before) - 1, self.chance.choice((0, 0, 1, 2)))):
            change_cut_player(player_id=player, comes=False, **told)
            assert player not in self.list_qualified()
            self.tell(f"{player} withdraws, {fill_session_cut(**told)} move up")
            if self.happens(3):
                change_cut_player(player_id=player, comes=True, **told)
                assert player in self.list_qualified()

    def play_round(self, players: set[int]) -> None:
        """Seat the players of a cut, and play their session to its publication, if so many can play."""
        now = timezone.now()
        Applicant.objects.filter(session=self.session, withdrawn_at=None).update(present_at=now)
        seated = seat_present(session_id=self.session.pk, answers={}, by=self.by, now=now)
        assert {entrant.player_id for entrant in seated} == players
        try:
            self.choose_and_start()
            self.run()
            self.end()
        except Finished:
            self.tell("this round cannot be played")

    def draft(self) -> None:
        """Make a session in preparation with random settings."""
        positions, etuis, barometer = self.chance.randint(1, 6), self.chance.randint(1, 4), self.happens(4)
        self.tell(f"{positions} × {etuis} étuis, barometer {barometer}")
        self.session = create_session(
            tournament=self.tournament,
            date=DATE,
            positions=positions,
            etuis_per_position=etuis,
            barometer=barometer,
        )

    def prepare(self) -> None:
        count = self.chance.choice(COUNTS)
        self.tell(f"{count} players")
        self.draft()
        players = [player.pk for player in self.add_people(count)]
        late = [player.pk for player in self.add_people(6)]  # people of the club's list who may come late
        if self.format.partners:
            self.draw_teams(players, late)
        self.chance.shuffle(players)
        seat_players(session_id=self.session.pk, player_ids=players)
        self.choose_and_start()

    def draw_teams(self, players: list[int], late: list[int]) -> None:
        """Make teams of two. The mate of some players may come late, and some players have no team."""
        pool, wanted = list(players), []
        while len(pool) > 1:
            mate = late.pop() if late and self.happens(8) else pool.pop()
            if not self.happens(12):
                wanted.append(WantedTeam([pool.pop(), mate]))
        self.tell(f"{len(wanted)} teams")
        make_teams(tournament_id=self.tournament.pk, wanted=wanted, by=self.by, now=timezone.now())

    def choose_and_start(self) -> None:
        """Try each plan that the site proposes, and start with one of them."""
        offered = self.ask("proposals", lambda: proposals_for(self.read()))
        if not offered:
            raise Finished
        self.give_etuis(max(each.plan.count_etuis() for each in offered) + self.chance.choice((0, 0, 2, 12)))
        for choice, each in enumerate(offered):
            with self.tried(f"plan {choice} {each.code} {each.params}"):
                self.take(choice)
                assert self.start_is_as_announced(self.start), self.story[-1]
        if self.start_is_as_announced(self.start) and self.happens():
            self.tell("start without a choice")
        else:
            choice = self.chance.randrange(len(offered))
            self.tell(f"plan {choice} {offered[choice].code} {offered[choice].params}")
            self.take(choice)
        self.start()
        self.completing = {*self.read().entrants.filter(ranked=False).values_list("player", flat=True)}

    def take(self, choice: int) -> None:
        """Choose a proposal, move the players to its seats, and seat the fillers that it needs."""
        shape = shape_of(self.session)
        choose_plan(session_id=self.session.pk, choice=choice, shape=shape, by=self.by, now=timezone.now())
        close_gaps(session_id=self.session.pk)
        version = choice_of(self.read(), self.session.entrants.filter(ranked=True).count())
        assert version is not None
        for place, seat in enumerate(read_line_plan(version.data).fillers):
            name = RosterLine(f"Compléteur{place}", "Max")
            seat_filler(session_id=self.session.pk, line=LINES[seat.line], number=seat.number, unlisted=name)
        if self.format.partners:
            self.part_mates()

    def part_mates(self) -> None:
        """Draw the seats. Mates may meet only if a line has an odd number of players: nobody meets the own line."""
        drawn = draw_seats(session_id=self.session.pk, seed=self.chance.randrange(99), by=self.by, now=timezone.now())
        lines = Counter(self.session.entrants.filter(ranked=True).values_list("line", flat=True))
        if not any(count % 2 for count in lines.values()):
            assert drawn.together == (), f"mates meet on lines of {lines}: {drawn.together}"

    def start(self) -> None:
        plan = fit(self.session.entrants.filter(ranked=True).count(), self.read()).plan
        pairs = find_meeting_partners(self.session, plan) if plan else []  # the checklist warns of them
        start_session(session_id=self.session.pk, by=self.by, now=timezone.now())
        if self.format.partners:
            warned = {frozenset((one.player_id, other.player_id)) for one, other in pairs}
            assert self.list_meeting_mates() == warned, f"warned of {warned}"

    def list_meeting_mates(self) -> set[frozenset[int]]:
        """Return the players of one team who sit at one table in a play of the session."""
        teams = dict(TeamMember.objects.filter(tournament=self.tournament).values_list("player", "team"))
        players = dict(self.session.entrants.values_list("pk", "player"))
        met = set()
        for play in self.session.plays.all():
            here = [players[pk] for pk in play.seat_ids.values()]
            met |= {frozenset(two) for two in combinations(here, 2) if len({teams.get(one, -one) for one in two}) == 1}
        return met

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
            self.enter(position)
        if self.happens():
            self.change()

    def enter(self, position: int) -> None:
        waiting = self.list_waiting(position)
        if waiting and self.happens(5):
            missing = self.chance.choice(waiting)
            self.tell(f"{missing} is not played")
            not_played(play_id=missing.pk, by=self.by, now=timezone.now())
            waiting = self.list_waiting(position)
        enter_all(self.session, by=self.by, plays=self.pick_most(waiting))
        self.tell(f"results of position {position}")

    def change(self) -> None:
        """Draw an operation, try each of its outcomes, then carry one of them out. Sometimes undo it."""
        draws: list[Callable[[], Operation | None]] = [
            self.arrive,
            self.arrive,
            self.leave,
            self.leave,
            self.come_back,
            self.substitute,
            self.swap,
            self.wrong_etuis,
            self.resize,
        ]
        self.lines: list[RosterLine] = []
        operation = self.chance.choice(draws)()
        if operation is None:
            return
        self.tell(f"{operation} {[str(line.last_name) for line in self.lines]}")
        self.read()
        unlisted = number_unlisted(self.lines)
        offered = self.ask("no outcome", lambda: outcomes(self.session, operation, unlisted))
        if not offered:
            return
        evening = running_evening(self.session)
        for choice, way in enumerate(offered):
            with self.tried(f"outcome {choice} {way.code} of {len(offered)}"):
                preview = ChangePreview(evening, operation, way, choice)
                assert all((preview.text, preview.worth, preview.consequences is not None))
                assert preview.positions is not None
                assert preview.newcomers is not None
                self.carry_out(operation, self.add_missing_etuis(operation, way, choice))
                self.check_everybody_has_a_place()
        choice = self.chance.randrange(len(offered))
        way = offered[choice]
        self.tell(f"outcome {choice} {way.code}")
        self.carry_out(operation, self.add_missing_etuis(operation, way, choice))
        self.read()
        if isinstance(operation, Substitute) and operation.own and not operation.ranked:  # the director has said so
            self.completing.add(self.session.entrants.latest("pk").player_id)
        version = current_version(self.session)
        if version is not None and not depends(version, map(int, version.after)):
            with self.tried("undo"):
                undo_change(session_id=self.session.pk, seen=version.number, by=self.by, now=timezone.now())
                self.check_everybody_has_a_place()

    def add_missing_etuis(self, operation: Operation, way: ChangeOutcome, choice: int) -> int:
        """Add the étuis that an outcome lacks. Return its place in the list, which then has another order."""
        if not way.etuis_short:
            return choice
        add_etuis_to(session_id=self.session.pk, count=way.plan.count_etuis(), by=self.by, now=timezone.now())
        offered = outcomes(self.read(), operation, number_unlisted(self.lines))
        return next(place for place, one in enumerate(offered) if (one.code, one.plan) == (way.code, way.plan))

    def carry_out(self, operation: Operation, choice: int) -> None:
        change_session(
            session_id=self.session.pk,
            operation=operation,
            choice=choice,
            seen=number_of_plan(self.session),
            by=self.by,
            now=timezone.now(),
            unlisted=self.lines,
        )

    def check_everybody_has_a_place(self) -> None:
        """Check that the plan to come seats exactly the entrants who are there."""
        evening = running_evening(self.read())
        present = evening.plan.list_present()
        for position in range(find_held(self.session) + 1, evening.plan.positions + 1):
            here = [entrant for entrant in self.session.entrants.all() if entrant.is_there(position)]
            there = {member_at(entrant, position) for entrant in here}
            assert there == {*present[position - 1]}, f"position {position}"

    def draw_after(self) -> int:
        """Return a position after which the form lets people come or go."""
        positions = range(find_settled(self.read()), running_evening(self.session).plan.positions)
        return self.chance.choice([*positions, min(find_held(self.session), max(positions, default=0))])

    def draw_players(self, count: int) -> list[int]:
        """Return players who are not in the session: some are on the club's list, some are new names."""
        entrants = self.session.entrants.all()
        taken = {pk for entrant in entrants for pk in (entrant.player_id, entrant.stand_in_id)}
        free = sorted(set(self.club.players.keep_listed().values_list("pk", flat=True)) - taken)
        found = self.chance.sample(free, min(len(free), self.chance.randint(0, count)))
        while len(found) < count:
            self.lines.append(RosterLine(f"Neuf{self.named}", "Léo"))
            self.named += 1
            found.append(-len(self.lines))
        return found

    def list_there(self) -> list[Entrant]:
        return list(self.session.entrants.filter(last_position=None).order_by("pk"))

    def arrive(self) -> Operation:
        after = self.draw_after()
        return Arrive(tuple(self.draw_players(self.chance.choice((1, 1, 1, 2, 3, 4)))), after)

    def leave(self) -> Operation:
        after, there = self.draw_after(), self.list_there()
        gone = self.chance.sample(there, min(len(there), self.chance.choice((1, 1, 1, 2, 3, 4))))
        return Leave(tuple(entrant.pk for entrant in gone), after, self.happens())

    def come_back(self) -> Operation | None:
        after = self.draw_after()
        gone = list(self.session.entrants.exclude(last_position=None).order_by("pk"))
        back = self.chance.sample(gone, min(len(gone), self.chance.choice((1, 1, 2))))
        return Return(tuple(entrant.pk for entrant in back), after) if back else None

    def substitute(self) -> Operation | None:
        there = [entrant for entrant in self.list_there() if entrant.stand_in_id is None]
        fillers = [entrant for entrant in there if not entrant.ranked]
        if not there:
            return None
        seat = self.chance.choice(fillers if fillers and self.happens() else there)
        positions = running_evening(self.read()).plan.positions
        position = self.chance.choice((min(max(1, find_held(self.session)), positions), positions, 1))
        own, ranked = self.chance.choice(((True, True), (True, False), (False, True)))
        return Substitute(seat.pk, self.draw_players(1)[0], position, own, ranked)

    def swap(self) -> Operation | None:
        there = list(self.session.entrants.order_by("pk"))
        position = self.chance.randint(1, max(1, find_held(self.session)))
        one, other = self.chance.sample(there, 2)
        return Swap(position, one.pk, other.pk)

    def wrong_etuis(self) -> Operation | None:
        plan = running_evening(self.read()).plan
        position = self.chance.randint(1, max(1, find_held(self.session)))
        plays = [play for play in plan.at(position) if play.complete]
        if not plays:
            return None
        play = self.chance.choice(plays)
        numbers = list(self.session.deal_set.etuis.order_by("number").values_list("number", flat=True))
        played = self.chance.sample(numbers, min(len(numbers), self.chance.choice((1, len(play.etuis)))))
        pairs = tuple(zip(sorted(play.etuis), played, strict=False))
        return WrongEtuis(position, play.table, pairs, self.happens(), self.happens())

    def resize(self) -> Operation:
        held = max(1, find_held(self.read()))
        return Resize(self.chance.randint(held, max(held, self.session.positions) + 2))
