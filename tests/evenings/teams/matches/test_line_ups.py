"""The line-ups of team matches: one for each quarter, secret until both are in, and never in the way of the evening."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from api.people.teams import list_line_ups
from evenings.changes.carry_out import number_of_plan
from evenings.changes.quarters import play_without_line_ups
from evenings.changes.teams import let_team_leave
from evenings.plans.current import current_version
from evenings.plans.starting import unstart_session
from evenings.plans.teams.choosing import choose_team_plan, propose_for_teams, team_shape
from evenings.requests.links import ensure_member_links
from evenings.sessions.running import call_position
from evenings.teams.common import MatchRefused
from evenings.teams.quarters import read_quarters
from movements import PlanError, find_faults, read_plan
from pages.doors import session_url
from pages.parts.own_line_ups import list_own_line_ups
from tests.evenings.teams.matches.evening import (
    attack,
    find_member,
    hand_in,
    list_badges,
    make_matches,
    prepare_match,
    start,
)
from tests.evenings.teams.test_quadrettes import refuse
from tests.factories import enter, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import LineUp, LogEntry, Session

pytestmark = pytest.mark.django_db
PROPOSED = {1: {1: {1}, 2: {1}}, 2: {1: {2}, 2: {2}}, 3: {1: {3}, 2: {3}}, 4: {1: {4}, 2: {4}}}


def call(session, quarter):
    by = session.tournament.club.memberships.first() or make_director(session.tournament.club)
    return call_position(session_id=session.pk, position=quarter, by=getattr(by, "user", by), now=timezone.now())


@pytest.mark.nightly("story")
def test_match_has_two_tables_in_four_quarters_and_every_attack_is_returned():
    session = start(prepare_match(make_matches(4)))
    version = current_version(session)
    assert (version.code, session.positions, session.tables.count()) == ("match_at_once", 4, 4)
    assert find_faults(read_plan(version.data)) == []
    numbers = dict(session.entrants.values_list("pk", "number"))
    attacks = {
        (play.position, play.table.number, play.etui_id, numbers[play.south_id], numbers[play.north_id])
        for play in session.plays.select_related("table")
    }
    assert {attack[1:2] + attack[3:] for attack in attacks} == {(1, 1, 2), (2, 2, 1), (3, 3, 4), (4, 4, 3)}
    returned = {(position, etui, one, other) for position, _table, etui, one, other in attacks}
    assert returned == {(position, etui, other, one) for position, etui, one, other in returned}
    assert len(attacks) == 4 * 4 * 4
    assert not session.plays.filter(is_replay=True).exists()


@pytest.mark.nightly("story")
def test_plans_say_how_many_copies_a_match_needs():
    session = prepare_match(make_matches(4))
    assert [(each.code, each.params) for each in propose_for_teams(session)] == [
        ("match_at_once", {"copies": 2}),
        ("match_halves", {}),
        ("match_apart", {}),
    ]
    choose_team_plan(session_id=session.pk, choice=2, shape=team_shape(session), by=None, now=timezone.now())
    assert current_version(start(session)).code == "match_apart"


def test_odd_number_of_teams_is_refused():
    with pytest.raises(PlanError) as caught:
        propose_for_teams(prepare_match(make_matches(3)))
    assert caught.value.code == "match_pairs"


def test_line_up_is_secret_until_that_of_the_other_team_is_in():
    session = start(prepare_match(make_matches(2)))
    assert {quarter: list_badges(session, quarter) for quarter in range(1, 5)} == PROPOSED
    hand_in(session, 1, 1, "4123")
    assert list_badges(session, 1) == PROPOSED[1]
    hand_in(session, 2, 1, "5123")
    assert list_badges(session, 1) == {1: {4}, 2: {5}}
    assert {quarter: list_badges(session, quarter) for quarter in range(2, 5)} == {
        quarter: PROPOSED[quarter] for quarter in range(2, 5)
    }


def test_line_ups_that_are_in_before_the_start_count_from_the_start():
    session = prepare_match(make_matches(2))
    hand_in(session, 1, 1, "4123")
    hand_in(session, 2, 1, "5123")
    hand_in(session, 1, 2, "5123")
    session = start(session)
    assert (list_badges(session, 1), list_badges(session, 2)) == ({1: {4}, 2: {5}}, PROPOSED[2])
    unstart_session(session_id=session.pk, by=make_director(session.tournament.club), now=timezone.now())
    assert list_badges(start(session), 1) == {1: {4}, 2: {5}}


def test_missing_line_up_never_holds_up_the_evening():
    """Check that a call plays the quarter with what is there, and that the log says who had no line-up."""
    session = start(prepare_match(make_matches(2)))
    hand_in(session, 1, 1, "4123")
    call(session, 1)
    assert list_badges(session, 1) == {1: {4}, 2: {1}}
    assert [row.params["team"] for row in LogEntry.objects.filter(action="quarter_without_line_up")] == [2]
    # In the next quarter, a member who has not attacked yet is proposed.
    hand_in(session, 2, 3, "2134")
    call(session, 2)
    assert list_badges(session, 2) == {1: {1}, 2: {3}}
    by = make_director(session.tournament.club, "autre")
    assert play_without_line_ups(session_id=session.pk, quarter=3, by=by, now=timezone.now()) == [1]
    assert play_without_line_ups(session_id=session.pk, quarter=3, by=by, now=timezone.now()) == []
    assert list_badges(session, 3) == {1: {2}, 2: {2}}
    assert LineUp.objects.count() == 6


def test_in_each_quarter_another_member_attacks():
    session = start(prepare_match(make_matches(2)))
    hand_in(session, 1, 1, "4123")
    refuse("line_up_attacks_again", lambda: hand_in(session, 1, 3, "4123"))
    hand_in(session, 1, 3, "5412")
    assert LineUp.objects.count() == 2


def test_line_up_with_a_stranger_an_empty_seat_or_in_a_fifth_quarter_is_refused():
    session = start(prepare_match(make_matches(2)))
    refuse("line_up_twice", lambda: hand_in(session, 1, 1, "1134"))
    refuse("quarter_unknown", lambda: hand_in(session, 1, 5, "1234"))
    refuse("quarter_unknown", lambda: hand_in(session, 1, 0, "1234"))
    told = {"session": session, "team": session.tournament.teams.get(number=1), "made_at": timezone.now()}
    seats = {f"{name}_id": find_member(1, place).pk for place, name in enumerate(("attacker", "in_north"), start=1)}
    seats |= {f"{name}_id": find_member(1, place).pk for place, name in enumerate(("in_east", "in_west"), start=3)}
    with pytest.raises(IntegrityError), transaction.atomic():
        LineUp.objects.create(**told, **seats, quarter=1, position=2, reason="x")
    assert not LineUp.objects.exists()


@pytest.mark.nightly("story")
def test_line_up_that_is_open_changes_with_a_reason_until_the_quarter_begins():
    session = start(prepare_match(make_matches(2)))
    hand_in(session, 1, 1, "4123")
    hand_in(session, 1, 1, "3124")  # still secret: no reason is needed
    hand_in(session, 2, 1, "5123")
    refuse("line_up_seen", lambda: hand_in(session, 1, 1, "2134"))
    assert hand_in(session, 1, 1, "2134", reason="malade").reason == "malade"
    assert list_badges(session, 1) == {1: {2}, 2: {5}}
    assert LogEntry.objects.filter(action="quarter_changed").count() == 1
    enter(session.plays.filter(position=1).first(), attack(None), by=make_director(session.tournament.club))
    refuse("quarter_begun", lambda: hand_in(session, 1, 1, "1234", reason="encore"))
    refuse("quarter_begun", lambda: hand_in(session, 2, 1, "1234", reason="encore"))


def test_substitute_takes_over_the_seat_in_the_line_ups():
    session = start(prepare_match(make_matches(4)))
    hand_in(session, 1, 2, "4123")
    gone, heir = find_member(1, 4), find_member(4, 5)
    gone.ended_at = timezone.now()
    gone.save()
    heir.ended_at = timezone.now()
    heir.save()
    new = type(gone).objects.create(
        tournament=session.tournament, team=gone.team, player=heir.player, place=4, replaces=gone
    )
    assert read_quarters(session)[1].quarters[2].attacker == new


@pytest.mark.nightly("story")
def test_line_ups_come_in_on_the_page_of_a_quarter():
    session = start(prepare_match(make_matches(2)))
    browser = browser_of(make_director(session.tournament.club))
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "fr"
    url = session_url("line_ups", session)
    page = words(browser.get(url))
    assert "Compositions du quart 1" in page
    assert (page.count("pas encore déposée"), page.count("2 manquantes")) == (2, 4)

    def given(team, places):
        pk = find_member(team, 1).team_id
        chosen = {seat: find_member(team, int(place)).pk for seat, place in zip("SNEW", places, strict=True)}
        return {f"in-{pk}": "on", **{f"{seat}-{pk}": member for seat, member in chosen.items()}}

    answer = browser.post(f"{url}?quarter=1", given(1, "4123") | given(2, "5523"))
    assert answer.status_code == 409
    assert "Un joueur a deux places" in words(answer)
    assert "déposée, encore secrète" in words(answer)
    assert list_badges(session, 1) == PROPOSED[1]
    assert browser.post(f"{url}?quarter=1", given(2, "5123")).status_code == 302
    assert list_badges(session, 1) == {1: {4}, 2: {5}}
    assert "les deux sont là" in words(browser.get(f"{url}?quarter=1"))
    assert browser.post(f"{url}?quarter=2", {"action": "without"}).status_code == 302
    assert list_badges(session, 2) == {1: {1}, 2: {1}}
    Session.objects.update(closed_at=timezone.now())
    refuse("session_closed", lambda: hand_in(session, 1, 3, "2134"))
    assert "la séance est close" in words(browser.get(f"{url}?quarter=3")).lower()


@pytest.mark.nightly("crawl")
def test_page_of_a_quarter_costs_the_same_queries_for_any_number_of_teams():
    asked = []
    for teams in (2, 12):
        session = start(prepare_match(make_matches(teams)))
        browser = browser_of(make_director(session.tournament.club, f"directrice-{teams}"))
        browser.get(session_url("line_ups", session))
        with CaptureQueriesContext(connection) as queries:
            browser.get(session_url("line_ups", session))
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 14


@pytest.mark.nightly("story")
def test_captain_hands_in_the_quarters_to_come_by_the_personal_link():
    session = start(prepare_match(make_matches(2)))
    call(session, 1)
    links = ensure_member_links(session, now=timezone.now())
    captain, member = find_member(1, 1), find_member(1, 2)
    entrant = session.entrants.get(team=captain.team_id)

    def page(of, **posted):
        url, client = reverse("personal_line_up", args=[links[of.pk].token]), Client()
        english = {"headers": {"accept-language": "en"}}
        return client.post(url, posted, **english) if posted else client.get(url, **english)

    shown = words(page(captain))
    assert [f"quarter {number}" in shown for number in range(1, 5)] == [False, True, True, True]
    assert "Hand in the line-up" in shown
    assert "Hand in the line-up" not in words(page(member))
    places = dict(zip("SNEW", (4, 2, 3, 5), strict=True))
    sent = {f"{seat}-{entrant.pk}-2": find_member(1, place).pk for seat, place in places.items()}
    assert page(member, entrant=f"{entrant.pk}-2", **sent).status_code == 409
    assert page(captain, entrant=f"{entrant.pk}-2", **sent).status_code == 302
    assert LineUp.objects.get(quarter=2).attacker == find_member(1, 4)
    other = find_member(2, 1)
    text = words(page(other))
    for hidden in (find_member(1, 4), find_member(1, 5)):
        assert hidden.player.last_name not in text
    # Once the other line-up is in too, only a director changes one.
    hand_in(session, 2, 2, "5123")
    assert list_badges(session, 2) == {1: {4}, 2: {5}}
    told = {"players": {captain.player_id}}
    refuse("line_up_open", lambda: hand_in(session, 1, 2, "3124", **told))
    refuse("line_up_captain", lambda: hand_in(session, 1, 3, "3124", players={member.player_id}))
    again = sent | {f"S-{entrant.pk}-2": find_member(1, 3).pk}
    assert page(captain, entrant=f"{entrant.pk}-2", **again).status_code == 409


@pytest.mark.nightly("story")
def test_team_that_leaves_later_still_has_line_ups_and_another_may_leave():
    session = start(prepare_match(make_matches()))
    ids = dict(session.entrants.values_list("number", "pk"))
    told = {"session_id": session.pk, "by": make_director(session.tournament.club), "now": timezone.now()}
    version = let_team_leave(entrant_id=ids[2], after=3, seen=number_of_plan(session), **told)
    hand_in(session, 2, 2)
    let_team_leave(entrant_id=ids[4], after=1, seen=version.number, **told)
    assert sorted(list_badges(session, 2)) == [1, 2]
    for quarter in (1, 2, 3, 4):
        call(session, quarter)
    assert LineUp.objects.filter(team__number=2).order_by("quarter").values_list("quarter", flat=True)[::1] == [1, 2, 3]


@pytest.mark.nightly("story")
def test_team_that_leaves_later_is_offered_no_quarter_after_its_last_one():
    session = start(prepare_match(make_matches()))
    entrant, captain = session.entrants.get(number=2).pk, [find_member(2, 1).player_id]
    told = {"session_id": session.pk, "by": make_director(session.tournament.club), "now": timezone.now()}
    let_team_leave(entrant_id=entrant, after=3, seen=number_of_plan(session), **told)
    assert [each.quarter for each in list_own_line_ups(captain)] == [1, 2, 3]
    for quarter in (1, 2, 3):
        call(session, quarter)
    assert list_own_line_ups(captain) == []


def test_team_that_left_has_no_line_up_afterwards_for_directors_and_programs():
    session = start(prepare_match(make_matches()))
    team, director = session.entrants.get(number=2), make_director(session.tournament.club)
    told = {"session_id": session.pk, "by": director, "now": timezone.now()}
    let_team_leave(entrant_id=team.pk, after=3, seen=number_of_plan(session), **told)
    with pytest.raises(MatchRefused) as refused:
        hand_in(session, 2, 4)
    assert (refused.value.code, refused.value.params["last"]) == ("quarter_left", 3)
    assert [row["quarter"] for row in list_line_ups(session) if row["team"] == team.team_id] == [1, 2, 3]
    for quarter, teams in ((3, 4), (4, 3)):
        page = browser_of(director).get(f"{session_url('line_ups', session)}?quarter={quarter}")
        assert len(page.context["rows"]) == teams
        assert (f"in-{team.team_id}" in page.content.decode()) == (quarter == 3)
