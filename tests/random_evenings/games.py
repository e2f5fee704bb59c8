"""The random evenings in games: donnes libres, alone or in teams, and étuis for three or five players."""

from collections.abc import Callable

from django.utils import timezone

from clubs.teams import TEAM_SIZES
from evenings.plans.current import current_version
from evenings.plans.free.closing import close_game, reopen_game
from evenings.plans.free.laying import find_games
from evenings.plans.free.next_game import propose_next_game, take_next_game, undo_next_game
from evenings.plans.free.people import CHANGES, undo_people
from evenings.plans.free.settings import edit_free_deals
from evenings.plans.starting import start_session
from evenings.sessions.running import call_position
from evenings.sessions.seating import seat_players
from evenings.sessions.setup import create_session, prepare_deals
from evenings.standings.computing import refresh
from evenings.teams.making import WantedTeam, make_teams
from movements import Plan
from pages.games.people import FORMS
from scoring.formats import Format
from tests.etui_games import choose_entry
from tests.factories import DATE, enter
from tests.free_evenings import plausible_deal
from tests.random_evenings.evening import Evening, Finished
from tournaments.models import Session, TeamMember

COUNTS = (3, 4, 5, 6, 7, 8, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 21, 23, 25)


class EveningInGames(Evening):
    """An evening whose tables are seated game by game. With `has_teams`, members of a team never meet."""

    def __init__(self, seed: int, format: Format, *, has_teams: bool = False) -> None:
        super().__init__(seed, format)
        self.has_teams = has_teams

    @property
    def is_free(self) -> bool:
        return self.format.has_free_deals

    def prepare(self) -> None:
        games, deals = self.chance.randint(1, 4), self.chance.randint(1, 5)
        size = self.format.size
        count = self.chance.choice(COUNTS) if self.is_free or self.happens(8) else size * self.chance.randint(1, 4)
        self.tell(f"{count} players, {games} × {deals} deals")
        self.session = create_session(tournament=self.tournament, date=DATE, positions=games, etuis_per_position=deals)
        if self.is_free:
            chosen = {
                "seating": self.chance.choice(Session.GameSeating.values),
                "odd_tables": self.chance.choice(Session.OddTable.values),
                "fits_deals": self.happens(5),
            }
            self.tell(chosen)
            edit_free_deals(session_id=self.session.pk, now=timezone.now(), **chosen)
        players = [player.pk for player in self.add_people(count)]
        late = [player.pk for player in self.add_people(5)]
        if self.has_teams:
            self.draw_teams(players, late)
        self.chance.shuffle(players)
        seat_players(session_id=self.session.pk, player_ids=players)
        if not self.is_free:
            self.prepare_etuis(games * deals)
        if not self.start_is_as_announced(self.start):
            raise Finished
        self.start()
        self.check_games()

    def prepare_etuis(self, count: int) -> None:
        told = {"with_cards": False, "count": count, "by": self.by, "now": timezone.now()}
        prepare_deals(session_id=self.session.pk, **told)

    def draw_teams(self, players: list[int], late: list[int]) -> None:
        """Make teams of players who are there. Some have a member who may come late."""
        size = self.chance.randint(2, 4)
        pool, wanted = list(players), []
        while len(pool) >= size and len(wanted) < 6 and not (wanted and self.happens(5)):
            members, pool = pool[:size], pool[size:]
            if late and self.happens():
                members = [*members[: max(1, size - 1)], late.pop()]
            wanted.append(WantedTeam(members))
        least = TEAM_SIZES[self.format.name].least
        wanted = [team for team in wanted if len(team.players) >= least]
        self.tell(f"teams {[len(team.players) for team in wanted]}")
        make_teams(tournament_id=self.tournament.pk, wanted=wanted, by=self.by, now=timezone.now())

    def start(self) -> None:
        start_session(session_id=self.session.pk, by=self.by, now=timezone.now())

    @property
    def games(self) -> Plan[int]:
        found = find_games(self.read())
        assert found is not None
        return found

    def check_games(self) -> None:
        """Check that the plays are those of the games, and that no two members of a team sit at one table."""
        games = self.games
        numbers = dict(self.session.entrants.values_list("pk", "number"))
        teams = dict(TeamMember.objects.filter(tournament=self.tournament).values_list("player", "team"))
        seated = self.session.entrants.values_list("pk", "player", "stand_in", "stand_in_from")
        for play in self.session.plays.select_related("table"):
            there = set(play.seat_ids.values())
            parts = [part for part in games.at(play.position) if part.table == play.table.number]
            assert {numbers[pk] for pk in there} in [set(part.people) for part in parts]
            seats = [
                {own, other if other and play.position >= first else own}
                for pk, own, other, first in seated
                if pk in there
            ]
            known = [team for people in seats for team in {teams[one] for one in people if one in teams}]
            assert len(known) == len(set(known)), f"game {play.position}, table {play.table.number}: mates meet"

    def run(self) -> None:
        position = 0
        while position < self.read().positions:
            for _ in range(self.chance.choice((0, 1, 1, 2))):
                self.change()
            if self.games.seated == position and not self.seat_next():
                break
            position += 1
            call_position(session_id=self.session.pk, position=position, by=self.by, now=timezone.now())
            waiting = self.list_waiting(position)
            half = len(waiting) // 2
            self.enter(waiting[:half])
            for _ in range(self.chance.choice((0, 1, 1))):
                self.change()
            self.enter(self.pick_most(self.list_waiting(position)))
            refresh(self.session.pk, now=timezone.now())
            self.tell(f"results of game {position}")
            if self.is_free and self.happens(4):
                self.close(position)

    def enter(self, plays) -> None:
        for play in plays:
            enter(play, plausible_deal(play) if self.is_free else choose_entry(play), by=self.by)

    def close(self, game: int) -> None:
        told = {"session_id": self.session.pk, "game": game, "by": self.by}
        close_game(now=timezone.now(), **told)
        if self.happens():
            reopen_game(now=timezone.now(), **told)

    def seat_next(self) -> bool:
        """Take the proposal for the next game, or tables that the director has made. Return False if there is none."""
        proposal = self.ask("next game", lambda: propose_next_game(self.read()))
        if proposal is None:
            return False
        assert proposal.problem is None
        told = {"session_id": self.session.pk, "game": proposal.game, "by": self.by}
        with self.tried(f"game {proposal.game} as proposed"):
            take_next_game(tables=proposal.tables, now=timezone.now(), **told)
            self.check_games()
            undo_next_game(now=timezone.now(), **told)
        tables = [list(table) for table in proposal.tables]
        one, other = self.chance.choice(tables), self.chance.choice(tables)
        here, there = self.chance.randrange(len(one)), self.chance.randrange(len(other))
        one[here], other[there] = other[there], one[here]
        by_hand = propose_next_game(self.read(), tables)
        if by_hand is not None and by_hand.problem is None:
            with self.tried(f"game {proposal.game} by hand: {tables}"):
                take_next_game(tables=tables, now=timezone.now(), **told)
                self.check_games()
        take_next_game(tables=None if self.happens() else proposal.tables, now=timezone.now(), **told)
        self.tell(f"game {proposal.game}")
        self.check_games()
        return True

    def change(self) -> None:
        draws: list[Callable[[], None]] = [self.leave, self.come, self.replace] if self.is_free else [self.replace]
        self.chance.choice(draws)()
        version = current_version(self.read())
        if version is not None and version.operation.get("kind") in CHANGES and self.happens(3):
            self.ask("undo", lambda: undo_people(session_id=self.session.pk, by=self.by, now=timezone.now()))
            self.tell("undone")
        self.check_games()

    def draw_moment(self) -> tuple[int, int]:
        """Return a game and a deal that the forms offer: from the next game on, or within a seated one."""
        games = self.games
        game = self.chance.choice((min(games.seated + 1, games.positions), self.chance.randint(1, games.seated)))
        return game, self.chance.choice((1, 1, 2, self.chance.randint(1, 12)))

    def leave(self) -> None:
        game, deal = self.draw_moment()
        number = self.chance.choice(self.games.present(min(self.games.seated + 1, self.games.positions)))
        self.post("leave", number=number, game=game, deal=deal)

    def come(self) -> None:
        game, deal = self.draw_moment()
        tables = sorted({part.table for part in self.games.at(game)})
        table = self.chance.choice(["", *tables]) if deal == 1 or not tables else self.chance.choice(tables)
        free = FORMS["come"](self.session).waiting
        if free:
            self.post("come", player=self.chance.choice(free).pk, game=game, deal=deal, table=table)

    def replace(self) -> None:
        games = self.games
        game = self.chance.choice((min(games.seated + 1, games.positions), self.chance.randint(1, games.seated)))
        waiting = FORMS["replace"](self.session).waiting
        player = self.chance.choice(waiting) if waiting and self.happens() else self.add_people(1)[0]
        number = self.chance.choice(games.present(min(games.seated + 1, games.positions)))
        self.post("replace", number=number, player=player.pk, game=game)

    def post(self, action: str, **data: object) -> None:
        """Send a form of the page. If it is valid, the page shows what follows; carrying that out is not refused."""
        self.tell(f"{action} {data}")
        form = FORMS[action](self.read(), {name: str(value) for name, value in data.items()})
        if not form.is_valid():
            self.tell(f"not possible: {dict(form.errors)}")
            assert "faulty" not in str(form.errors)
            return
        self.offers += 1
        form.carry_out(by=self.by, now=timezone.now())
