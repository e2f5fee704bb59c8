"""The numbers on the button of a list are the numbers written, whoever changes the list before it is pressed."""

from contextlib import suppress

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from clubs.matching import NEW
from clubs.models import Player
from clubs.players import ListChanged, ListCounts, add_players, take_counted, values_of
from clubs.roster import RosterLine
from evenings.changes.carry_out import change_session, number_of_plan
from evenings.changes.outcomes import running_evening
from evenings.sessions.seating import seat_players
from evenings.sessions.setup import create_session, create_tournament
from evenings.teams.changing import add_member
from evenings.teams.making import make_pasted_teams, make_team
from evenings.teams.substitutes import replace_member
from pages.changes.forms import ArriveForm, SubstituteForm
from pages.prepare.setup_forms import JoinForm
from pages.prepare.teams.making import TeamsForm
from pages.prepare.teams.one_team import read_name
from pages.roster_forms import RosterForm
from pages.series.forms import ListForm
from rankings.series.lists import ListGiven, type_list
from tests.api.conftest import V1, Client
from tests.factories import DATE, make_club, make_director, make_tournament, started_session
from tests.rankings.series.seasons import make_series
from tournaments.models import Entrant, SeriesListRow, Team, TeamMember
from tournaments.rules.operations import Arrive
from wording import Refusal

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("statistics")]
PEOPLE = [RosterLine(last, first, licence) for last, first, licence in (
    ("Blanc", "Zoé", ""), ("Blanc", "Zoé", "0012"), ("Noir", "Al", "12"), ("Gris", "Ida", ""), ("Brun", "Léo", "77"),
    ("Rose", "Éva", ""),
)]  # fmt: skip
LINES = st.lists(st.sampled_from(PEOPLE), max_size=4, unique=True)
THREE = st.lists(st.sampled_from(PEOPLE), min_size=3, max_size=3, unique=True)


class ClubList:
    """The club's page: new players are added to its list."""

    rows = Player
    more_rows = 1  # how many rows are added for each one told
    tells_completed = True

    def __init__(self):
        self.club = make_club()
        self.by = make_director(self.club)

    def form(self, data):
        return RosterForm(self.club, data)

    def write(self, form):
        return take_counted(club=self.club, taken=form.taken, told=form.counts)

    def change(self, players):
        """Do what a second person does with the players that they have added, besides adding them."""


class Seats(ClubList):
    rows = Entrant

    def __init__(self):
        super().__init__()
        self.session = create_session(tournament=make_tournament(club=self.club), date=DATE)

    def form(self, data):
        return JoinForm(self.club, {entrant.player_id for entrant in self.session.entrants.all()}, data)

    def write(self, form):
        seat_players(session_id=self.session.pk, player_ids=[], taken=form.taken, told=form.counts)

    def change(self, players):
        seat_players(session_id=self.session.pk, player_ids=[player.pk for player in players])


class Results(ClubList):
    rows = SeriesListRow

    def __init__(self):
        super().__init__()
        self.series = make_series(self.club, self.by, brings="places")

    def form(self, data):
        told = {"title": "Coupe", "day": "2026-10-01", "source": "feuille", "figures": "points"}
        return ListForm(self.club, told | data)

    def write(self, form):
        told = ListGiven(title="Coupe", day=DATE, source="feuille", figures="points", rows=form.listed)
        type_list(series_id=self.series.pk, given=told, by=self.by, now=timezone.now(), told=form.counts)


class Teams(ClubList):
    rows = Team

    def __init__(self):
        super().__init__()
        told = {"name": "Triplettes", "format": "triplettes", "now": timezone.now()}
        self.tournament = create_tournament(club=self.club, **told)

    def form(self, data):
        return TeamsForm(self.tournament, data)

    def write(self, form):
        told = {"tournament_id": self.tournament.pk, "by": self.by, "now": timezone.now()}
        make_pasted_teams(teams=form.teams, told=form.counts, **told)


class ChangeOfPeople:
    """A form by which people join an evening under way. Its page tells who is new."""

    def __init__(self, kind, session, data):
        self.form = kind(running_evening(session), data)
        self.settled = self.form.is_valid()
        self.questions = getattr(self.form, "questions", [])

    def is_valid(self):
        return self.settled

    @property
    def counts(self):
        """The number of entrants there will be more, and the number of those who are new to the club."""
        operation = self.form.operation()
        people = operation.players if isinstance(operation, Arrive) else [operation.player]
        return ListCounts(len(people), len(self.form.lines))


class Latecomers(Seats):
    def __init__(self):
        ClubList.__init__(self)
        self.session = started_session(make_tournament(self.club))

    def form(self, data):
        return ChangeOfPeople(ArriveForm, self.session, {"after": "1"} | data)

    def write(self, form):
        seen = number_of_plan(self.session)
        told = {"choice": 0, "seen": seen, "by": self.by, "now": timezone.now()}
        change_session(session_id=self.session.pk, operation=form.form.operation(), unlisted=form.form.lines, **told)

    def change(self, players):
        """Leave the session: only the list of the club has the players of the second person."""


class Substitute(Latecomers):
    def form(self, data):
        seat = self.session.entrants.first().pk
        return ChangeOfPeople(SubstituteForm, self.session, {"entrant": seat, "position": "1", "own": "yes"} | data)


class NamedMember:
    """A name that is typed into the page of a team. The page says whether it is somebody new, not what is completed."""

    def __init__(self, club, data):
        self.names = read_name(data["text"], club, data)
        self.questions = self.names.questions
        self.settled = not self.names.errors

    def is_valid(self):
        return self.settled

    @property
    def counts(self):
        return ListCounts(1, sum(each.player is None for each in self.names.taken))


class Member(Teams):
    rows, tells_completed = TeamMember, False

    def __init__(self):
        super().__init__()
        self.told = {"tournament_id": self.tournament.pk, "by": self.by, "now": timezone.now()}
        (someone,) = add_players(club=self.club, lines=[RosterLine("Vert", "Ode")])
        self.team = make_team(players=[someone.pk], **self.told)

    def form(self, data):
        return NamedMember(self.club, data)

    def write(self, form):
        add_member(team_id=self.team.pk, player=form.names.taken[0], **self.told)


class MemberReplaced(Member):
    """A member who has not played is replaced: the membership stays, with another player."""

    more_rows = 0

    def write(self, form):
        member = self.team.members.get().pk
        replace_member(member_id=member, player=form.names.taken[0], reason="malade", **self.told)


class ReadByProgram:
    """A list that a program has sent to be read, and the numbers that it was told."""

    def __init__(self, client, data):
        answers = {name.removeprefix("who-"): value for name, value in data.items() if name.startswith("who-")}
        self.body = {"roster": data["text"], "answers": answers}
        told = client.post("clubs/club/players/read/", self.body)
        self.told, self.settled = told["counts"], told["counts"] is not None
        self.questions = [AskedOfProgram(row) for row in told["rows"]]

    def is_valid(self):
        return self.settled

    @property
    def counts(self):
        return ListCounts(**self.told)


class AskedOfProgram:
    """A row that needs an answer, which the program gives as it is proposed."""

    def __init__(self, row):
        self.name, self.checked = f"who-{row['key']}", row["likely"]
        self.asks = row["state"] in ("probable", "doubtful")


class Program(ClubList):
    """The API: a program reads a list, and then sends it with the answers and the numbers that it was told."""

    def __init__(self):
        super().__init__()
        self.client = Client(self.by)

    def form(self, data):
        return ReadByProgram(self.client, data)

    def write(self, form):
        response = self.client.send("POST", f"{V1}clubs/club/players/", form.body | {"told": form.told})
        if response.status_code != 201:
            assert response.status_code in (409, 422)
            raise ListChanged(response.json()["error"]["code"])


def write_text(use, people):
    if use is Substitute or issubclass(use, Member):
        people = people[:1]
    if issubclass(use, Latecomers):
        return "\n".join(f"{each.first_name} {each.last_name.upper()} {each.licence}".strip() for each in people)
    if issubclass(use, Teams):
        return "; ".join(f"{each.first_name} {each.last_name.upper()} {each.licence}".strip() for each in people)
    heading = "Nom;Prénom;Licence" + ";Points" * (use is Results)
    rows = (f"{each.last_name};{each.first_name};{each.licence}" + ";7" * (use is Results) for each in people)
    return "\n".join([heading, *rows])


def find_numbers(use, club):
    return use.rows.objects.count(), {each.pk: values_of(each) for each in Player.objects.filter(club=club)}


USES = [ClubList, Seats, Results, Teams, Latecomers, Substitute, Member, MemberReplaced, Program]


@pytest.mark.parametrize("use", USES)
@settings(max_examples=12, deadline=None, suppress_health_check=[*HealthCheck])
@given(before=LINES, pasted=THREE, meanwhile=LINES)
@example(before=[], pasted=PEOPLE[3:], meanwhile=PEOPLE[3:4])
def test_numbers_on_the_button_are_written_or_nothing_is(use, before, pasted, meanwhile):
    with transaction.atomic():
        here = use()
        add_each(here.club, before)
        text = {"text": write_text(use, pasted)}
        asked = here.form(text)
        asked.is_valid()
        answers = {each.name: each.checked or NEW for each in asked.questions if each.asks}
        form = here.form(text | answers | {"shown": "seen"})
        told = form.counts if form.is_valid() and form.settled else None
        if told is not None:
            here.change(add_each(here.club, meanwhile))
            count, known = find_numbers(use, here.club)
            written = ListCounts()
            with suppress(Refusal), transaction.atomic():
                here.write(form)
                written = told
            now, players = find_numbers(use, here.club)
            completed = sum(players[pk] != known[pk] for pk in known) if use.tells_completed or written.new else 0
            rows = written.new if use.rows is Player else written.rows * use.more_rows
            assert (now - count, len(players) - len(known), completed) == (rows, written.new, written.completed)
        transaction.set_rollback(True)


def add_each(club, lines):
    return [player for line in lines for player in add_players(club=club, lines=[line])]
