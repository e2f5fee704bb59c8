"""The desk's forms for a table that deals: the partner among five, half points, the arbiter's score and marks."""

import pytest

from evenings.plays.desk_state import DISPUTED, desk_plays
from pages.doors import session_url
from scoring.formats import FREE_DEALS
from tests.factories import enter, make_director
from tests.free_evenings import lay_out_games, plays_at
from tests.pages.browsing import browser_of, fields
from tournaments.models import Ruling
from tournaments.rules.entry import Fiche, GameSheet, ask_about_entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    """Return one game: four at table 1, three at table 2, five at table 3, five with a mort at table 4."""
    tables = [[0, 1, 2, 3], [4, 5, 6], [7, 8, 9, 10, 11], [12, 13, 14, 15, 16]]
    return lay_out_games([tables], rests={(1, 4, 1): "N"})


@pytest.fixture
def by(session):
    return make_director(session.tournament.club)


@pytest.fixture
def browser(by):
    return browser_of(by)


def enter_on_page(browser, session, table, **typed):
    play = plays_at(session, table=table)[0]
    url = session_url("play", session, play.pk)
    told = {"kind": "fiche", "taker": "N", "sign": "+", "figure": "66"} | typed
    seen = browser.post(url, told)
    if seen.status_code == 302 or not seen.context["summary"]:
        return play, seen
    return play, browser.post(url, told | {"shown": seen.context["summary"].shown})


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("table", "typed", "stored"),
    [
        (1, {}, ("N", "")),
        (2, {"taker": "E"}, ("E", "")),
        (3, {"partner": "W"}, ("N", "W")),
        (3, {"partner": "alone"}, ("N", "N")),
        (4, {"taker": "F"}, ("F", "")),
    ],
)
def test_result_of_each_table_is_typed_at_the_desk(browser, session, table, typed, stored):
    play, answer = enter_on_page(browser, session, table, **typed)
    assert answer.status_code == 302
    assert play.entries.values_list("taker", "partner").get(current=True) == stored


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("table", "typed", "field"),
    [
        (3, {"partner": "N"}, "partner"),  # the taker
        (3, {}, "partner"),  # nobody is named
        (3, {"partner": "X"}, "partner"),
        (4, {"taker": "N"}, "taker"),  # rests in this deal
        (2, {"taker": "W"}, "taker"),  # nobody sits there
        (1, {"taker": "F"}, "taker"),
    ],
)
def test_wrong_taker_or_partner_is_refused_with_a_sentence(browser, session, table, typed, field):
    play, answer = enter_on_page(browser, session, table, **typed)
    assert answer.status_code == 200
    assert answer.context["form"].errors[field]
    assert answer.context["form"]["figure"].value() == "66"
    assert not play.entries.exists()


@pytest.mark.nightly("story")
def test_partner_is_asked_for_at_five_alone(browser, session):
    for table, asks in ((1, False), (2, False), (3, True), (4, False)):
        page = browser.get(session_url("play", session, plays_at(session, table=table)[0].pk))
        assert ("partner" in page.context["form"].fields) is asks


def test_half_points_are_typed_at_three(browser, session):
    told = {"kind": "facts", "contract": "garde", "bouts": "21+petit", "points": "40.5", "counted": "attack"}
    play, answer = enter_on_page(browser, session, 2, **told, petit_au_bout="none", chelem="none")
    assert answer.status_code == 302
    assert play.entries.get(current=True).half_points == 81


@pytest.mark.nightly("story")
def test_no_deal_is_compared_with_another_table(browser, session, by):
    for table in (1, 2):
        enter(plays_at(session, table=table)[0], Fiche("N", 50 if table == 1 else -300), by=by)
    play = plays_at(session, table=1)[0]
    page = browser.get(session_url("play", session, play.pk))
    assert page.context["desk"].elsewhere == []
    assert {each.state for each in desk_plays(session, flags=True, user=by) if each.entry} == {"done"}


def is_impossible(score, players):
    asked = ask_about_entry(Fiche("N", score), format=FREE_DEALS, players=players)
    return [question.code for question in asked] == ["base_score_impossible"]


@pytest.mark.nightly("story")
def test_impossible_score_is_doubted_by_the_number_of_players(session, by):
    odd = next(score for score in range(200) if is_impossible(score, 3) != is_impossible(score, 4))
    for table in (1, 2):
        enter(plays_at(session, table=table)[0], Fiche("N", odd), by=by)
    states = {each.table: each.state == DISPUTED for each in desk_plays(session, flags=True, user=by) if each.entry}
    assert states == {1: is_impossible(odd, 4), 2: is_impossible(odd, 3)}


def adjust_on_page(browser, session, play, **typed):
    url = session_url("play_adjust", session, play.pk)
    given = fields(browser.get(url))
    told = {name: given[name] for name in ("seen_ruling",)} | {"reason": "Maldonne"} | typed
    seen = browser.post(url, told)
    if "word" not in (seen.context or {}):
        return seen
    return browser.post(url, told | {"apply": "1"})


@pytest.mark.nightly("story")
def test_arbiter_assigns_a_score_with_a_partner(browser, session):
    play = plays_at(session, table=3)[0]
    answer = adjust_on_page(browser, session, play, sign="+", figure="40", taker="N", partner="W")
    assert answer.status_code == 302
    ruling = Ruling.objects.get(play=play)
    assert (ruling.score, ruling.taker, ruling.partner, ruling.marks) == (40, "N", "W", {})
    page = browser.get(session_url("play_adjust", session, play.pk))
    assert (page.context["form"]["partner"].value(), page.context["form"]["figure"].value()) == ("W", 40)


def test_arbiter_says_that_the_taker_played_alone(browser, session):
    play = plays_at(session, table=3)[0]
    adjust_on_page(browser, session, play, sign="-", figure="40", taker="N", partner="alone")
    assert Ruling.objects.get(play=play).partner == "N"


def test_arbiter_assigns_marks_by_seat(browser, session):
    play = plays_at(session, table=2)[0]
    told = {"mark_N": "10", "mark_E": "-30", "mark_S": "10"}
    assert adjust_on_page(browser, session, play, **told).status_code == 302
    assert Ruling.objects.get(play=play).marks == {"N": 10, "E": -30, "S": 10}


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("table", "typed"),
    [
        (3, {"sign": "+", "figure": "40", "taker": "N", "partner": "N"}),  # the taker as partner
        (3, {"sign": "+", "figure": "40", "taker": "N"}),  # no partner
        (4, {"sign": "+", "figure": "40", "taker": "N"}),  # rests
        (1, {"sign": "+", "figure": "40", "taker": "N", "mark_N": "3"}),  # a score and marks
        (2, {"mark_N": "10"}),  # not everybody
        (2, {"mark_N": "x", "mark_E": "0", "mark_S": "0"}),
        (1, {}),
        (1, {"sign": "+"}),
    ],
)
def test_wrong_adjustment_keeps_what_was_typed(browser, session, table, typed):
    play = plays_at(session, table=table)[0]
    answer = adjust_on_page(browser, session, play, **typed)
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert not Ruling.objects.exists()


@pytest.mark.nightly("story")
def test_marks_replace_a_sheet_on_the_page(browser, session, by):
    play = plays_at(session, table=4)[0]
    sheet = {"N": 40, "E": -10, "S": -10, "W": -10, "F": -10}
    enter(play, GameSheet((*sheet.items(),)), by=by)
    page = browser.get(session_url("play_adjust", session, play.pk))
    assert "sign" not in page.context["form"].fields
    told = {f"mark_{seat}": str(mark) for seat, mark in (sheet | {"N": 0}).items()}
    assert adjust_on_page(browser, session, play, **told).status_code == 302
    assert Ruling.objects.get(play=play, kind="adjusted").marks == sheet | {"N": 0}
