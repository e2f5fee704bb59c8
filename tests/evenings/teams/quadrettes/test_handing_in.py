"""The line-up that a captain hands in before the session: by which links, until when, and who may see it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player, User
from evenings.changes.line_ups import hand_in_line_up
from evenings.requests.links import ensure_member_links
from evenings.sessions.checklist import preparation_of
from evenings.teams.lineups import TeamLineUp, read_line_ups
from pages.doors import session_url
from pages.parts.own_line_ups import list_own_line_ups
from pages.prepare.teams import line_ups
from tests.evenings.teams.test_quadrettes import find_member, line_up, make_quadrettes, prepare, refuse, start
from tests.factories import make_director, make_user
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Applicant, LineUp, LogEntry, PersonalLink, Session, Team, TeamMember

pytestmark = pytest.mark.django_db
PLACES = "3124"  # the places that sit South, North, East and West
STORED = "The line-up is handed in."


@pytest.fixture
def tournament():
    return make_quadrettes(4)


@pytest.fixture
def session(tournament):
    return Session.objects.get(pk=prepare(tournament, positions=3).pk)


def seats_of(team, places=PLACES):
    return {seat: find_member(team, int(place)).pk for seat, place in zip("SNEW", places, strict=True)}


def hand_in(session, team=1, places=PLACES, *, place=1):
    told = {"session_id": session.pk, "team_id": session.tournament.teams.get(number=team).pk, "by": None}
    players = {find_member(team, place).player_id}
    return hand_in_line_up(**told, players=players, members=seats_of(team, places), now=timezone.now())


def typed(session, team=1, places=PLACES):
    """Return what the form of a team sends."""
    entrant = session.entrants.get(team__number=team)
    return {"entrant": entrant.pk} | {f"{seat}-{entrant.team_id}": pk for seat, pk in seats_of(team, places).items()}


def attackers(session):
    return {each.team.number: (each.attacker.place, each.chosen) for each in read_line_ups(session).values()}


@pytest.mark.nightly("story")
def test_captain_hands_in_a_line_up_and_changes_it_until_the_session_starts(session):
    hand_in(session)
    hand_in(session, places="4123")
    assert attackers(session)[1] == (4, True)
    assert LineUp.objects.count() == 2
    assert {*LogEntry.objects.filter(session=session).values_list("action", flat=True)} >= {"line_up_handed_in"}
    assert all("Fam" not in str(entry.params) for entry in LogEntry.objects.filter(action="line_up_handed_in"))
    start(session)
    refuse("line_up_begun", lambda: hand_in(session))
    assert {*session.plays.filter(south__team__number=1).values_list("badge", flat=True)} == {4}


def test_only_the_captain_hands_in_the_line_up(session):
    refuse("line_up_captain", lambda: hand_in(session, place=2))
    players = {find_member(2, 1).player_id}
    told = {"session_id": session.pk, "team_id": find_member(1, 1).team_id, "by": None, "now": timezone.now()}
    refuse("line_up_captain", lambda: hand_in_line_up(**told, players=players, members=seats_of(1)))
    assert not LineUp.objects.exists()


def test_every_member_hands_in_the_line_up_of_a_team_without_a_captain(session):
    Team.objects.filter(number=1).update(captain=None)
    assert hand_in(session, place=2).attacker.place == 3
    Team.objects.filter(number=1).update(captain=find_member(2, 1).player_id)  # who is in another team now
    assert hand_in(session, place=4, places="4123").attacker.place == 4


@pytest.mark.parametrize(
    ("places", "code"), [("1134", "line_up_twice"), ("1224", "line_up_twice"), ("3133", "line_up_twice")]
)
def test_line_up_with_one_who_attacks_and_defends_is_refused(session, places, code):
    refuse(code, lambda: hand_in(session, places=places))


def test_stranger_in_the_line_up_is_refused(session):
    members = seats_of(1) | {"N": find_member(2, 1).pk}
    told = {"session_id": session.pk, "team_id": find_member(1, 1).team_id, "by": None, "now": timezone.now()}
    refuse("line_up_stranger", lambda: hand_in_line_up(**told, players={find_member(1, 1).player_id}, members=members))


def account_of(member):
    user = make_user(f"joueur{member.pk}")
    Player.objects.filter(pk=member.player_id).update(account=user)
    return browser_of(user)


def registration_of(session, member):
    """Return the token of the registration by which the member came."""
    applicant = Applicant.objects.create(
        session=session,
        last_name="A",
        key="a",
        player=member.player,
        token=f"{member.pk:043}",
        registered_at=timezone.now(),
        agreed_at=timezone.now(),
    )
    return applicant.token


def ways(session):
    """Return the address of the form for each way in which a captain comes to it, with the browser."""
    captain = find_member(1, 1)
    earlier = prepare(session.tournament, positions=3)
    link = ensure_member_links(start(earlier), now=timezone.now())[captain.pk]
    return {
        "account": (account_of(captain), reverse("account_line_ups")),
        "personal": (browser_of(), reverse("personal_line_up", args=[link.token])),
        "registered": (browser_of(), reverse("registered_line_up", args=[registration_of(session, captain)])),
    }


WAYS = ["account", "personal", "registered"]


@pytest.mark.nightly("story")
@pytest.mark.parametrize("way", WAYS)
def test_captain_finds_the_form_hands_it_in_and_reads_it_again(session, way):
    browser, url = ways(session)[way]
    page = browser.get(url)
    assert "No line-up is handed in yet" in words(page)
    assert "Les Bouts" not in words(page)
    answer = browser.post(url, typed(session), follow=True)
    assert answer.status_code == 200
    assert STORED in words(answer)
    assert attackers(session)[1] == (3, True)
    assert f'<option value="{find_member(1, 3).pk}" selected>' in browser.get(url).content.decode()


@pytest.mark.parametrize("way", WAYS)
def test_refused_line_up_keeps_what_was_typed_and_says_why(session, way):
    browser, url = ways(session)[way]
    answer = browser.post(url, typed(session, places="2234"))
    assert answer.status_code == 409
    assert "A player has two seats: name four different players." in words(answer)
    assert answer.content.decode().count(f'<option value="{find_member(1, 2).pk}" selected>') == 2
    assert not LineUp.objects.exists()


@pytest.mark.nightly("story")
@pytest.mark.parametrize("way", WAYS)
def test_line_up_of_another_team_is_neither_shown_nor_stored(session, way):
    browser, url = ways(session)[way]
    answer = browser.post(url, typed(session, team=2))
    assert answer.status_code == 409
    assert not LineUp.objects.exists()
    line_up(session, 2, PLACES)
    assert "Fam302" not in browser.get(url).content.decode()


@pytest.mark.nightly("story")
@pytest.mark.parametrize("way", WAYS)
def test_late_line_up_finds_that_the_session_has_started(session, way):
    browser, url = ways(session)[way]
    posted = typed(session)
    start(session)
    assert "The line-up is not stored: the session has started, or you are no longer in the team." in words(
        browser.post(url, posted)
    )
    assert not LineUp.objects.exists()


@pytest.mark.nightly("crawl")
def test_forms_of_many_sessions_cost_as_many_queries_as_those_of_one(session):
    hand_in(session)
    captain = find_member(1, 1).player_id
    asked = []
    for _number in range(3):
        with CaptureQueriesContext(connection) as queries:
            own = list_own_line_ups([captain])
        asked.append((len(own), len(queries)))
        prepare(session.tournament, positions=3)
    assert [forms for forms, _queries in asked] == [1, 2, 3]
    assert {queries for _forms, queries in asked} == {asked[0][1]}
    assert asked[0][1] <= 8
    assert [each.chosen for each in list_own_line_ups([captain])] == [True, False, False, False]


def test_other_member_reads_the_line_up_of_the_own_team_without_a_form(session):
    hand_in(session)
    browser = account_of(find_member(1, 2))
    page = browser.get(reverse("account_line_ups"))
    assert "Prénom01 Fam301 attacks" in words(page)
    assert "<select" not in page.content.decode()
    assert browser.post(reverse("account_line_ups"), typed(session, places="4123")).status_code == 409
    assert attackers(session)[1] == (3, True)


@pytest.mark.nightly("story")
def test_link_of_a_former_member_or_of_a_single_player_shows_no_line_up(session):
    earlier = start(prepare(session.tournament, positions=3))
    member = find_member(1, 1)
    link = ensure_member_links(earlier, now=timezone.now())[member.pk]
    url = reverse("personal_line_up", args=[link.token])
    assert "<select" in browser_of().get(url).content.decode()
    TeamMember.objects.filter(pk=member.pk).update(ended_at=timezone.now())
    assert "No line-up to hand in" in words(browser_of().get(url))
    TeamMember.objects.filter(pk=member.pk).update(ended_at=None)
    PersonalLink.objects.filter(pk=link.pk).update(revoked_at=timezone.now())
    assert browser_of().get(url).status_code == 410
    assert browser_of().get(reverse("personal_line_up", args=["x" * 22])).status_code == 404
    assert browser_of().get(reverse("registered_line_up", args=["x" * 43])).status_code == 404


@pytest.mark.nightly("story")
def test_pages_of_the_person_lead_to_the_form(session):
    where = ways(session)
    browser, _url = where["account"]
    assert reverse("account_line_ups") in browser.get(reverse("account")).content.decode()
    for name, url in ((way, where[way][1]) for way in ("personal", "registered")):
        before = url.removesuffix("line-up/")
        assert name == "registered" or url in browser_of().get(before).content.decode()
    assert reverse("account_line_ups") not in browser_of(make_user("autre")).get(reverse("account")).content.decode()


def test_director_sees_who_has_not_handed_in(session):
    hand_in(session)
    browser = browser_of(make_director(session.tournament.club))
    page = words(browser.get(session_url("line_ups", session)))
    assert "3 line-ups of 4 are not handed in yet: 2 · Les Bouts, 3 · Team 3, 4 · Team 4" in page
    assert "1 of 4 handed in" in words(browser.get(session_url("session", session)))
    assert preparation_of(session).ready
    for team in (2, 3, 4):
        hand_in(session, team)
    assert "All line-ups are handed in." in words(browser.get(session_url("line_ups", session)))


def test_each_line_up_that_the_director_changed_is_counted_once(rf, monkeypatch):
    monkeypatch.setattr(line_ups, "choose_line_up", lambda **_told: None)
    known = TeamLineUp(Team(), {seat: TeamMember(pk=place) for place, seat in enumerate("SNEW", 1)}, chosen=True)
    request = rf.post("/", {"S-1": 2, "N-1": 1, "E-2": 4, "W-2": 3})
    request.user = User()
    assert line_ups.store(request, Session(), dict.fromkeys((1, 2, 3), known)) == (2, {})


def test_director_does_not_take_back_a_line_up_that_came_in_meanwhile(session):
    browser = browser_of(make_director(session.tournament.club))
    url = session_url("line_ups", session)
    form = {row.seats[0].name.replace("S-", "seen-"): row.seen for row in browser.get(url).context["rows"]}
    for row in browser.get(url).context["rows"]:
        form |= {choice.name: choice.member for choice in row.seats}
    hand_in(session)
    two = find_member(2, 1).team_id
    form |= {f"S-{two}": find_member(2, 2).pk, f"N-{two}": find_member(2, 1).pk}
    assert browser.post(url, form).status_code == 302
    assert attackers(session) == {1: (3, True), 2: (2, True), 3: (1, False), 4: (1, False)}
    one = find_member(1, 1).team_id
    form |= {f"S-{one}": find_member(1, 2).pk, f"N-{one}": find_member(1, 1).pk, f"E-{one}": find_member(1, 3).pk}
    answer = browser.post(url, form)
    assert answer.status_code == 409
    assert "Another line-up of this team came in meanwhile" in words(answer)
    assert attackers(session)[1] == (3, True)
