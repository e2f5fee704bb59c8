"""The cuts of donnes libres, by services and pages: who goes on, who moves up, and what is taken along."""

import re
from collections import Counter
from fractions import Fraction

import pytest
from django.utils import timezone

from clubs.models import Player
from evenings.plans.starting import start_session
from evenings.plays.entering import enter_result
from evenings.sessions.ranking_rules import change_rules
from evenings.sessions.setup import create_session, create_tournament
from evenings.standings.computing import refresh
from pages.doors import session_url
from rankings.events.counting import refresh as refresh_tournament
from registration.errors import RegistrationRefused
from registration.people.cuts import (
    CutGiven,
    change_cut_player,
    fill_session_cut,
    list_cut,
    list_sources,
    make_session_cut,
    undo_session_cut,
)
from registration.people.seats import seat_present
from tests.factories import DATE, make_club, make_director, publish
from tests.free_evenings import enter_sheets, make_free_tournament, start_free_session
from tests.free_tournaments import publish_again
from tests.pages.browsing import browser_of
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, Cut, Play, Session, TournamentPublication
from tournaments.rules.cut import CutTies
from tournaments.rules.entry import GameSheet

pytestmark = pytest.mark.django_db


def play_round(people, *, tournament=None, sheets=enter_sheets, **shape):
    """Return the published first round, and its director."""
    session = start_free_session(people, tournament=tournament, seating="fixed", **({"games": 1} | shape))
    by = make_director(session.tournament.club)
    sheets(session, 1, by)
    refresh(session.pk, now=timezone.now())
    publish(session, by=by)
    return session, by


def add_round(tournament):
    return create_session(tournament=tournament, date=DATE, positions=1, etuis_per_position=4)


def make_cut(session, by, places, **given):
    key = given.pop("source", None) or ("" if "out_of" in given else list_sources(session)[0].key)
    return make_session_cut(session_id=session.pk, given=CutGiven(key, places, **given), by=by, now=timezone.now())


def act(service, session, by, **more):
    return service(session_id=session.pk, by=by, now=timezone.now(), **more)


def list_qualified(session):
    rows = Applicant.objects.filter(session=session, withdrawn_at=None).exclude(cut_rank=None)
    return set(rows.values_list("player_id", flat=True))


def sum_sheets(session):
    """Return the marks of each player, from the stored sheets."""
    sums, owners = Counter(), dict(session.entrants.values_list("pk", "player_id"))
    for play in Play.objects.filter(session=session).prefetch_related("entries"):
        for entry in play.entries.all():
            for seat, mark in re.findall(r"([NESWF])(-?[0-9]+)", entry.marks):
                sums[owners[play.seat_ids[seat]]] += int(mark)
    return sums


@pytest.mark.nightly("story")
def test_all_equal_players_go_on_or_lots_decide():
    first, by = play_round(24)
    places = {CutTies.ALL: 6, CutTies.LAST: 6, CutTies.DRAW: 4}
    winners = {row.player_id for row in first.entrants.all() if row.number in numbers_of_winners(first)}
    for ties, count in places.items():
        session = add_round(first.tournament)
        make_cut(session, by, 4, ties=ties)
        assert len(list_qualified(session)) == count
        assert list_qualified(session) <= winners
        assert Session.objects.get(pk=session.pk).level == 1
        act(undo_session_cut, session, by)
        assert not Cut.objects.exists()


def numbers_of_winners(session):
    """Return the lowest starting number at each table of the first game: `enter_sheets` lets it win."""
    numbers = dict(session.entrants.values_list("pk", "number"))
    return {min(numbers[pk] for pk in play.seat_ids.values()) for play in session.plays.filter(position=1)}


@pytest.mark.nightly("story")
def test_the_next_player_moves_up_and_the_others_play_a_consolation():
    first, by = play_round(24)
    second = add_round(first.tournament)
    cut = make_cut(second, by, 8, ties=CutTies.DRAW)
    drawn = [line.player.pk for line in list_cut(second, cut)]
    gone = drawn[0]
    act(change_cut_player, second, by, player_id=gone, comes=False)
    assert act(fill_session_cut, second, by) == 1
    assert list_qualified(second) == set(drawn[1:9])
    consolation = add_round(make_free_tournament(first.tournament.club))
    make_cut(consolation, by, 400, out_of=cut.pk)
    everybody = set(first.entrants.values_list("player_id", flat=True))
    assert list_qualified(consolation) == everybody - set(drawn[:9])
    assert Session.objects.get(pk=consolation.pk).level == 0
    with pytest.raises(ActionRefused, match="cut_has_consolation"):
        act(undo_session_cut, second, by)


@pytest.mark.nightly("story")
def test_what_is_carried_over_counts_and_those_who_went_on_stand_first():
    first, by = play_round(16)
    tournament = first.tournament
    change_rules(tournament_id=tournament.pk, by=by, now=timezone.now(), carry_over=50)
    second = add_round(tournament)
    make_cut(second, by, 8, ties=CutTies.DRAW, here=True)
    seat_present(session_id=second.pk, answers={}, by=by, now=timezone.now())
    start_session(session_id=second.pk, by=by, now=timezone.now())
    second = Session.objects.get(pk=second.pk)
    with pytest.raises(ActionRefused, match="session_started"):
        act(undo_session_cut, second, by)
    enter_sheets(second, 1, by)
    refresh(second.pk, now=timezone.now())
    publish(second, by=by)
    refresh_tournament(tournament.pk, now=timezone.now())
    publish_again(tournament, by)
    marks = [sum_sheets(each) for each in (first, second)]
    expected = {pk: Fraction(mark) for pk, mark in marks[0].items()}
    expected |= {pk: mark + expected[pk] / 2 for pk, mark in marks[1].items()}
    rows = TournamentPublication.objects.get(tournament=tournament).data["players"]
    assert {row["player"]: Fraction(row["total"]) for row in rows} == expected
    on = {pk: total for pk, total in expected.items() if pk in marks[1]}
    assert len(on) == 8
    out = {pk: total for pk, total in expected.items() if pk not in on}
    for among, before in ((on, 0), (out, len(on))):
        ranks = {pk: before + 1 + sum(other > total for other in among.values()) for pk, total in among.items()}
        assert {row["player"]: row["rank"] for row in rows if row["player"] in among} == ranks


@pytest.mark.nightly("story")
def test_the_page_previews_the_cut_in_marks_and_makes_it():
    first, by = play_round(16)
    second = add_round(first.tournament)
    browser, page = browser_of(by), session_url("cut", second)
    given = {"source": list_sources(second)[0].key, "places": "4", "ties": "all"}
    preview = browser.get(page, given)
    assert preview.context["on"] == 4
    assert "%" not in preview.content.decode().partition("<main")[2]
    browser.post(page, given | {"action": "make"})
    assert len(list_qualified(second)) == 4
    browser.post(page, {"action": "leaves", "player": min(list_qualified(second))})
    assert len(list_qualified(second)) == 3
    browser.post(page, {"action": "undo"})
    assert not Cut.objects.exists()


def test_teams_are_not_cut():
    tournament = create_tournament(club=make_club(), name="Triplettes", format="triplettes", now=timezone.now())
    session = add_round(tournament)
    with pytest.raises(RegistrationRefused) as refusal:
        make_cut(session, make_director(tournament.club), 4, source="session-1-1")
    assert refusal.value.code == "cut_of_teams"
    assert not Cut.objects.exists()


def enter_spread_sheets(session, game, by):
    """Enter sheets of which 242 players win something, four have 0 and 242 lose: equals stand around place 244."""
    plays = session.plays.filter(position=game, etui__number=1).order_by("table__number")
    for place, play in enumerate(plays):
        best, next_best = 2000 - place, max(0, 120 - place) * 5
        marks = (("N", best), ("E", next_best), ("S", -next_best), ("W", -best))
        enter_result(play_id=play.pk, entry=GameSheet(marks), by=by, now=timezone.now())


@pytest.mark.nightly("story")
def test_equals_around_place_244_of_488_go_on_together_or_lots_decide():
    first, by = play_round(488, sheets=enter_spread_sheets, deals=1)
    marks = sum_sheets(first)
    ranked = sorted(marks.values(), reverse=True)
    assert (len(ranked), ranked[241] > 0, ranked[242:246], ranked[246] < 0) == (488, True, [0] * 4, True)
    ahead = {pk for pk, mark in marks.items() if mark > 0}
    equals = {pk for pk, mark in marks.items() if mark == 0}
    for ties in CutTies:
        second = add_round(first.tournament)
        make_cut(second, by, 244, ties=ties)
        qualified = list_qualified(second)
        assert ahead <= qualified <= ahead | equals
        assert len(qualified) == (244 if ties == CutTies.DRAW else 246)
        assert Player.objects.filter(pk__in=qualified).count() == len(qualified)
        act(undo_session_cut, second, by)
