"""The pages of a play: an entry is shown before it is stored, stored once, corrected with a reason, and secret."""

from dataclasses import replace

import pytest

from evenings.plays.entries import entry_of
from pages.doors import session_url
from scoring.contract import Chelem, Contract, DealResult, Poignee, Side
from scoring.ranking import Line
from tests import shared_evenings
from tests.factories import enter, garde, make_director, make_helper, make_tournament, started_session
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import words
from tournaments.models import ResultEntry
from tournaments.rules.entry import AllPassed, Bout, Facts, Fiche

PARTIAL = {"hx-request": "true"}


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session(make_tournament()).pk


play = shared_evenings.first_play


@pytest.fixture
def director_user(session):
    return make_director(session.tournament.club)


@pytest.fixture
def helper_user(session):
    return make_helper(session.tournament.club)


director = shared_evenings.browser_of_director_user


@pytest.fixture
def helper(helper_user):
    return browser_of(helper_user)


def facts(**typed):
    """Return what a filled form sends: a Garde with 2 bouts, 21 and Petit, and 49 points, unless told otherwise."""
    return {
        "kind": "facts",
        "bouts": "21+petit",
        "points": "49",
        "counted": "attack",
        "petit_au_bout": "none",
        "chelem": "none",
    } | typed


def fiche(sign, figure, **typed):
    return {"kind": "fiche", "sign": sign, "figure": str(figure)} | typed


def address(play, name="play"):
    return session_url(name, play.session, play.pk)


def send(client, play, data):
    """Press the buttons as a browser without scripts does: first to see the score, then to save it.

    A director's correction shows between the two which players move.
    """
    first = client.post(address(play), data)
    return client.post(address(play), data | {"shown": fields(first)["shown"]})


def entries(play):
    return [entry_of(row) for row in play.entries.order_by("version")]


def result(bouts=2, points=49, **more):
    return DealResult(players=4, contract=Contract.GARDE, bouts=bouts, half_points=2 * points, **more)


# Entering


def test_form_names_the_deal_its_players_and_who_leads(helper, play):
    page = words(helper.get(address(play)))
    # Étui 1 names West as its taker and North as its dealer. The player on North's right, West, leads.
    assert "Étui 1" in page
    assert "Position 1, table 1" in page
    assert "Zoé Nom004 (taker)" in page
    assert "Imposed Garde. Zoé Nom004 leads." in page
    assert [f"Zoé Nom00{n}" in page for n in (1, 2, 3, 5)] == [True, True, True, False]


def test_first_press_shows_the_score_and_saves_nothing(helper, play):
    page = words(helper.post(address(play), facts(petit_au_bout="attack", poignee_attack="simple")))
    assert "Fiche: +106" in page
    assert "Garde made by 8 with 2 bouts: (25 + 8) × 2 +66" in page
    assert "Petit au bout to the attack: 10 × 2 +20" in page
    assert "Simple poignée shown by the attack +20" in page
    assert "N Zoé Nom001 −106 E Zoé Nom002 −106 S Zoé Nom003 −106 W Zoé Nom004 +318" in page
    assert "Save +106" in page
    assert entries(play) == []


def test_second_press_saves_what_was_shown(helper, helper_user, play):
    assert send(helper, play, facts()).url == address(play)
    row = play.entries.get()
    assert (entry_of(row), row.author, row.version) == (garde("W"), helper_user, 1)


def test_change_after_the_score_was_shown_is_shown_again(helper, play):
    shown = fields(helper.post(address(play), facts()))["shown"]
    again = helper.post(address(play), facts(points="51") | {"shown": shown})
    assert "Fiche: +70" in words(again)
    assert entries(play) == []


@pytest.mark.nightly("story")
def test_same_result_sent_twice_is_kept_once(helper, play):
    for _ in range(2):
        assert send(helper, play, facts()).status_code == 302
    assert entries(play) == [garde("W")]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ({"points": "42", "counted": "defence"}, result()),
        ({"bouts": "21+excuse", "petit_au_bout": "defence"}, result(petit_au_bout=Side.DEFENCE)),
        ({"poignee_attack": "double"}, result(poignees_attack=(Poignee.DOUBLE,))),
        (
            {"poignee_defence": "simple", "poignee_defence_2": "simple"},
            result(poignees_defence=(Poignee.SIMPLE, Poignee.SIMPLE)),
        ),
        (
            {"bouts": "21+petit+excuse", "points": "91", "chelem": "announced_made"},
            result(3, 91, chelem=Chelem.ANNOUNCED_MADE),
        ),
    ],
)
def test_facts_are_read_as_typed(helper, play, typed, read):
    send(helper, play, facts(**typed))
    assert entries(play) == [Facts(Line.W, read)]


@pytest.mark.nightly("story")
def test_bouts_are_named_among_their_eight_sets_and_told_before_and_after(helper, play):
    form = words(helper.get(address(play)))
    for offered in ("none", "21, Petit", "21, Excuse", "Petit, Excuse", "all three"):
        assert offered in form
    assert "not named" not in form
    assert "Bouts of the attack: 21, Petit" in words(helper.post(address(play), facts()))
    send(helper, play, facts())
    assert entries(play)[0].attack_bouts == {Bout.TRUMP_21, Bout.PETIT}
    assert "Bouts of the attack: 21, Petit" in words(helper.get(address(play)))
    assert fields(helper.get(address(play), {"correct": ""}))["bouts"] == "21+petit"


def test_bouts_that_were_only_counted_can_stay_so_in_a_correction(helper, helper_user, play):
    enter(play, garde("W"), by=helper_user)
    page = helper.get(address(play), {"correct": ""})
    assert "2, not named" in words(page)
    kept = fields(page)
    assert kept["bouts"] == "2"
    send(helper, play, facts(bouts="2", points="51", reason="mal lu", seen_version="1"))
    assert [(one.attack_bouts, one.result.bouts) for one in entries(play)] == [(None, 2), (None, 2)]


@pytest.mark.parametrize("side", Side)
def test_correction_begins_with_the_petit_that_is_stored(helper, helper_user, play, side):
    known = garde("W")
    enter(play, replace(known, result=replace(known.result, petit_au_bout=side)), by=helper_user)
    assert fields(helper.get(address(play), {"correct": ""}))["petit_au_bout"] == side


@pytest.mark.parametrize(("sign", "score"), [("+", 106), ("-", -106)])
def test_fiche_is_read_as_typed(helper, play, sign, score):
    send(helper, play, fiche(sign, 106))
    assert entries(play) == [Fiche(Line.W, score)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (facts(bouts="21+petit+excuse", points="5"), "the attack has at least 13 points, not 5"),
        (facts(bouts="none", points="78"), "Did one side win every trick?"),
        (facts(bouts="none", petit_au_bout="attack"), "although the Petit is one"),
        (facts(bouts="21+excuse", petit_au_bout="attack"), "Petit"),
        (facts(points="92"), "No more than 91"),
        (facts(points="48.5"), "Half points are impossible with four players"),
        (facts(points="48.3"), "Write the points as a whole number."),
        (facts(bouts="4"), "Write the taker’s bouts as 21, P and E"),
        (facts(poignee_attack="triple", poignee_defence="simple"), "but there are only 22"),
        (facts(points="60", chelem="announced_made"), "heck the chelem, the points and the bouts"),
        (fiche("+", 2001), "A fiche cannot show more than 2000"),
        (facts(bouts="", points=""), "Nothing is saved yet: see the fields marked below."),
    ],
)
def test_what_cannot_be_is_refused_and_kept_in_the_form(helper, play, data, message):
    response = helper.post(address(play), data)
    assert message in words(response)
    kept = fields(response)
    sent = {name: value for name, value in data.items() if name != "kind" and value not in ("", "4")}
    assert {name: kept[name] for name in sent} == sent
    assert entries(play) == []


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("data", "question"),
    [
        (facts(points="87", chelem="unannounced_made"), "Chelem made, not announced: is that right?"),
        (facts(poignee_attack="triple"), "Triple poignée: is that right?"),
        (fiche("+", 318), "Garde: no result gives 318."),
    ],
)
def test_what_is_unlikely_is_asked_before_it_is_saved(helper, play, data, question):
    assert question in words(helper.post(address(play), data))
    assert send(helper, play, data).status_code == 302


def test_passing_is_not_offered_where_the_garde_is_imposed(helper, play):
    assert "Everyone passed" not in words(helper.get(address(play)))
    response = helper.post(address(play), {"kind": "passed"})
    assert "This field is required." in words(response)


@pytest.mark.nightly("story")
def test_free_auction_asks_for_taker_and_contract(db):
    session = started_session(make_tournament(auction="free"))
    play = session.plays.first()
    client = browser_of(make_helper(session.tournament.club))
    assert "This is not, or no longer, in the list" not in words(client.post(address(play), facts()))
    send(client, play, facts(taker="E", contract="garde_contre"))
    read = DealResult(players=4, contract=Contract.GARDE_CONTRE, bouts=2, half_points=98)
    assert entries(play) == [Facts(Line.E, read)]


@pytest.mark.nightly("story")
def test_free_auction_knows_four_passes(db):
    session = started_session(make_tournament(auction="free"))
    play = session.plays.first()
    client = browser_of(make_helper(session.tournament.club))
    assert "The four players passed" in words(client.get(address(play), {"kind": "passed"}))
    send(client, play, {"kind": "passed"})
    assert entries(play) == [AllPassed()]


# The preview while typing


def test_preview_carries_what_one_press_saves(helper, play):
    preview = helper.post(address(play, "play_preview"), facts(), headers=PARTIAL)
    assert b"<html" not in preview.content
    assert "Fiche: +66" in words(preview)
    assert helper.post(address(play), facts(shown=fields(preview)["shown"])).status_code == 302
    assert entries(play) == [garde("W")]


def test_preview_of_an_unfinished_form_waits_without_complaint(helper, play):
    preview = words(helper.post(address(play, "play_preview"), facts(points=""), headers=PARTIAL))
    assert "The score appears here before it is saved." in preview
    assert "required" not in preview


def test_preview_of_what_cannot_be_says_why(helper, play):
    preview = words(
        helper.post(address(play, "play_preview"), facts(bouts="21+petit+excuse", points="5"), headers=PARTIAL)
    )
    assert "the attack has at least 13 points, not 5" in preview


def test_preview_without_a_login_sends_the_page_to_log_in(play):
    response = browser_of().post(address(play, "play_preview"), facts(), headers=PARTIAL)
    assert response["HX-Redirect"] == f"/login/?next={address(play)}"


# The page after an entry


def test_saved_result_is_confirmed_with_the_next_etui_of_the_table(helper, play):
    after = words(helper.get(send(helper, play, facts()).url))
    assert "Étui 1, table 1: +66 is saved." in after
    assert "Correct this result" in after
    assert "Next: étui 2, position 2" in after


@pytest.mark.nightly("story")
def test_next_is_the_first_missing_in_playing_order_then_what_was_left_behind(helper, helper_user, session):
    mine = list(session.plays.filter(table__number=1).select_related("etui").order_by("position"))
    for play in (mine[1], mine[3], mine[4]):
        enter(play, by=helper_user)
    assert f"Next: étui {mine[2].etui.number}, position 3" in words(helper.get(address(mine[1])))
    assert f"Next: étui {mine[0].etui.number}, position 1" in words(helper.get(address(mine[4])))
    enter(mine[0], by=helper_user)
    enter(mine[2], by=helper_user)
    assert "Table 1 has entered everything." in words(helper.get(address(mine[2])))


# Access and cost


def test_play_of_another_session_is_not_found(director, session, play):
    other = started_session(session.tournament)
    assert director.get(session_url("play", other, play.pk)).status_code == 404


def test_forms_without_their_token_are_refused(director_user, play):
    forged = browser_of(director_user, enforce_csrf_checks=True)
    names = ("play", "play_preview")
    assert {forged.post(address(play, name), facts()).status_code for name in names} == {403}


@pytest.mark.nightly("crawl")
def test_play_costs_the_same_queries_in_a_large_session(db, django_assert_num_queries):
    tournament = make_tournament()
    user = make_director(tournament.club)
    client = browser_of(user)
    for tables, etuis in ((5, 1), (11, 4)):
        play = started_session(tournament, tables=tables, etuis_per_position=etuis).plays.first()
        with django_assert_num_queries(11):
            client.get(address(play))
        enter(play, by=user)
        with django_assert_num_queries(15):  # with the doubts of the session, which the desk may have read already
            client.get(address(play))
    assert ResultEntry.objects.count() == 2
