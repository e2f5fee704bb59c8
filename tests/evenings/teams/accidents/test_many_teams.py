"""The number of queries of what is done with many teams: as many as with a few, or a few more where it writes rows."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.lists import read_pasted
from clubs.teams import WANTED
from evenings.plans.starting import start_session
from evenings.plans.teams.seating import seat_teams
from evenings.sessions.setup import create_session, create_tournament
from evenings.teams.making import make_pasted_teams, match_teams, take_last_teams
from pages.doors import session_url
from registration.people.applicants import list_teams_down
from registration.people.registration import set_registration
from registration.people.seats import seat_present_teams
from tests.evenings.teams.evening import make_teams
from tests.evenings.teams.test_quadrettes import make_quadrettes
from tests.evenings.teams.test_quadrettes import prepare as prepare_quadrettes
from tests.evenings.teams.test_starting import prepare
from tests.factories import DATE, make_club, make_director
from tests.pages.browsing import browser_of
from tournaments.models import Applicant, Session

pytestmark = pytest.mark.django_db
MANY = 40  # teams
PREPARING = {"session": 26, "entrants": 22, "plan_choose": 24, "prepare_teams": 14, "team": 14}
SIGNING_UP = {"sign_up": 12, "registration": 22, "link": 10, "play again": 60, "play": 60, "line_ups": 16}


def count(ask) -> int:
    """Return the number of queries of a request or service. An answer must be a page. The writes are taken back."""
    with transaction.atomic():
        with CaptureQueriesContext(connection) as asked:
            answer = ask()
        transaction.set_rollback(True)
    assert getattr(answer, "status_code", 200) == 200
    return len(asked)


def make_tournament_of(teams: int):
    club = make_club(f"club-{teams}")
    tournament = create_tournament(club=club, name="Triplettes", format="triplettes", now=timezone.now())
    make_teams(tournament, teams)
    return tournament, make_director(club, f"directrice-{teams}")


def count_pages(browser, addresses: dict[str, str]) -> dict[str, int]:
    """Return the number of queries of each page, without what is computed once for each process or plan."""
    for url in addresses.values():
        browser.get(url)
    return {name: count(lambda url=url: browser.get(url)) for name, url in addresses.items()}


def count_preparing(teams: int) -> dict[str, int]:
    """Return the number of queries of each page that prepares a session, by its name."""
    tournament, by = make_tournament_of(teams)
    session = prepare(tournament, positions=3)
    list_of_teams = reverse("prepare_teams", args=[tournament.club.slug, tournament.slug])
    addresses = {name: session_url(name, session) for name in PREPARING if name not in ("prepare_teams", "team")}
    addresses |= {"prepare_teams": list_of_teams, "team": f"{list_of_teams}?team={tournament.teams.first().pk}"}
    return count_pages(browser_of(by), addresses)


def sign_up_many(session: Session) -> Applicant:
    """Sign up all teams of the tournament, with known players who are present. Return the first captain."""
    now, captains = timezone.now(), {}
    moments = dict.fromkeys(("registered_at", "accepted_at", "agreed_at", "present_at"), now)
    members = session.tournament.team_members.select_related("player", "team").order_by("team__number", "place")
    for member in members:
        player, key = member.player, f"{session.pk}-{member.team.number}-{member.place}"
        told = {"last_name": player.last_name, "first_name": player.first_name, "player": player, "key": key}
        captain = captains.get(member.team_id)
        row = Applicant.objects.create(session=session, captain=captain, token=f"{key:x<43}", **told, **moments)
        captains.setdefault(member.team_id, row)
    return next(iter(captains.values()))


def count_signing_up(teams: int) -> dict[str, int]:
    """Return the number of queries of each page of the registration, and of the step that lets all teams play."""
    tournament, by = make_tournament_of(teams)
    session = create_session(tournament=tournament, date=DATE, positions=3)
    now = timezone.now()
    set_registration(accepts_at_once=True, session_id=session.pk, by=by, now=now, places=teams)
    captain = sign_up_many(session)
    addresses = {name: session_url(name, session) for name in ("sign_up", "registration")}
    found = count_pages(browser_of(by), addresses | {"link": reverse("registered", args=[captain.token])})
    assert len(list_teams_down(session)) == teams
    found["play again"] = count(lambda: seat_present_teams(session_id=session.pk, answers={}, by=by, now=now))
    Applicant.objects.update(player=None)
    tournament.teams.all().delete()
    found["play"] = count(lambda: seat_present_teams(session_id=session.pk, answers={}, by=by, now=now))
    return found


def count_pasting(teams: int) -> int:
    """Return the number of queries that make so many teams of pasted lines, with new players."""
    club = make_club(f"club-{teams}")
    tournament = create_tournament(club=club, name="Triplettes", format="triplettes", now=timezone.now())
    text = "\n".join(f"Nom {n}: Ada Dupont{n}, Bob Martin{n}, Cyd Petit{n}" for n in range(100, 100 + teams))
    matched, by = match_teams(tournament, read_pasted(text, WANTED), {}), make_director(club, f"directrice-{teams}")
    told = {"tournament_id": tournament.pk, "teams": matched, "by": by, "now": timezone.now()}
    return count(lambda: make_pasted_teams(**told))


@pytest.mark.nightly("crawl")
def test_pages_that_prepare_a_session_cost_the_same_for_many_teams():
    few, many = count_preparing(8), count_preparing(MANY)
    assert {name: found for name, found in many.items() if found > few[name]} == {}
    assert {name: found for name, found in many.items() if found > PREPARING[name]} == {}


@pytest.mark.nightly("crawl")
def test_pages_of_the_registration_cost_the_same_for_many_teams():
    few, many = count_signing_up(8), count_signing_up(MANY)
    assert {name: found for name, found in many.items() if found > few[name]} == {}
    assert {name: found for name, found in many.items() if found > SIGNING_UP[name]} == {}


@pytest.mark.nightly("crawl")
def test_many_pasted_teams_are_made_in_a_few_queries_more():
    few, many = count_pasting(8), count_pasting(MANY)
    assert many <= few + 12  # rows are written in batches


@pytest.mark.nightly("crawl")
def test_many_teams_of_last_time_are_made_in_a_few_queries_more():
    found = []
    for teams in (8, MANY):
        last, by = make_tournament_of(teams)
        new = create_tournament(club=last.club, name="Suite", format="triplettes", now=timezone.now())
        told = {"tournament_id": new.pk, "by": by, "now": timezone.now()}
        found.append(count(lambda told=told: take_last_teams(**told)))
    assert found[1] <= found[0] + 12  # rows are written in batches


@pytest.mark.nightly("crawl")
def test_line_ups_cost_the_same_for_40_teams():
    found = []
    for teams in (6, 40):
        session = prepare_quadrettes(make_quadrettes(teams))
        browser = browser_of(make_director(session.tournament.club, f"directrice-{teams}"))
        found.append(count_pages(browser, {"line_ups": session_url("line_ups", session)})["line_ups"])
    assert found[0] == found[1] <= SIGNING_UP["line_ups"]


@pytest.mark.nightly("story")
def test_start_costs_the_same_for_many_teams():
    found = []
    for teams in (8, MANY):
        tournament, _by = make_tournament_of(teams)
        session = prepare(tournament, positions=3, count=max(100, 2 * teams))
        found.append(count(lambda session=session: start_session(session_id=session.pk, now=timezone.now())))
    assert found[1] <= found[0] + 20  # rows are written in batches


@pytest.mark.nightly("crawl")
def test_numbers_of_300_teams_are_given_in_as_many_queries():
    found = []
    for teams in (8, MANY):
        session = prepare(make_tournament_of(teams)[0], positions=3)
        found.append(count(lambda session=session: seat_teams(session_id=session.pk, now=timezone.now())))
    assert found[1] <= found[0] + 5  # rows are deleted and written in batches
