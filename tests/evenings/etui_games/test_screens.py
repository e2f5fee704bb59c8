"""The table's screen, the desk and the API with étuis for three or five: entering, checking, correcting and ruling."""

from fractions import Fraction

import pytest
from django.test import Client
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.ruling import annul_etui
from evenings.standings.computing import compute
from pages.doors import session_url
from pages.preview import APPLY
from scoring.contract import Contract, DealResult
from scoring.plays import SEATS
from tests.etui_games import play_etuis, start_evening
from tests.evenings.tables.phones import Device
from tests.factories import enter
from tests.pages.browsing import browser_of
from tournaments.models import ResultEntry, Ruling
from tournaments.rules.entry import AllPassed, Facts, Fiche

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[3, 5], ids=["at three", "at five"])
def evening(request):
    return start_evening(request.param)


def size_of(session):
    return session.deal_set.players


def garde(size, taker="N", partner="E"):
    called = partner if size == 5 else None
    return Facts(taker, DealResult(size, Contract.GARDE, 2, 97, partner=None if size == 3 else True), partner=called)


def device_at(session, number=1):
    device = Device(session.tables.get(number=number))
    device.send("join")
    return device


def test_the_screen_has_the_seats_the_leader_and_the_marks(evening):
    session, _by = evening
    size, device = size_of(session), device_at(session)
    stop = device.state()["stops"][0]
    assert list(stop["seats"]) == list(SEATS[:size])
    turn = {3: "NSE", 5: "NFWSE"}[size]
    dealers = dict(session.deal_set.etuis.values_list("number", "dealer"))
    for play in stop["plays"]:
        assert play["leader"] == turn[(turn.index(dealers[play["etui"]]) + 1) % size]
        assert "deal" not in play
    play = stop["plays"][0]["id"]
    assert device.send("enter", play=play, entry=garde(size), seat="N").status == "received"
    # 48½ points with two bouts count 49: made by 8, so 25 + 8 twice
    expected = {3: {"N": 132, "E": -66, "S": -66}, 5: {"N": 132, "E": 66, "S": -66, "W": -66, "F": -66}}[size]
    assert device.play(play)["score"]["marks"] == expected


def test_everybody_may_pass(evening):
    session, by = evening
    size, device = size_of(session), device_at(session)
    play = device.state()["stops"][0]["plays"][0]["id"]
    assert device.send("enter", play=play, entry=AllPassed(), seat="N").status == "received"
    assert device.play(play)["score"]["marks"] == dict.fromkeys(SEATS[:size], 0)
    enter(session.plays.get(etui__number=1, table__number=2), garde(size), by=by)
    told = compute(session.pk).data["plays"][str(play)]["notes"]
    assert told == {"N": "0", "E": "0" if size == 5 else "100"} | dict.fromkeys(SEATS[2:size], "100")


@pytest.mark.nightly("story")
def test_the_desk_enters_facts_a_fiche_and_a_pass(evening):
    session, by = evening
    size, browser = size_of(session), browser_of(by)
    plays = list(session.plays.order_by("table__number", "etui__number")[:3])
    called = {"partner": "F"} if size == 5 else {}
    facts = {"taker": "S", "contract": "garde", "bouts": "21+petit", "points": "48.5", "counted": "attack"}
    facts |= {"petit_au_bout": "none", "chelem": "none"} | called
    for play, kind, sent in [
        (plays[0], "facts", facts),
        (plays[1], "fiche", {"taker": "E", "sign": "-", "figure": "62"} | called),
        (plays[2], "passed", {}),
    ]:
        url = session_url("play", session, play.pk)
        page = browser.get(f"{url}?kind={kind}").content.decode()
        assert ('name="partner"' in page) == (size == 5 and kind != "passed")
        shown = browser.post(url, sent | {"kind": kind}).context["summary"].shown
        browser.post(url, sent | {"kind": kind, "shown": shown})
    found = {row.play_id: (row.kind, row.taker, row.partner) for row in ResultEntry.objects.filter(current=True)}
    partner = "F" if size == 5 else ""
    assert found == {
        plays[0].pk: ("facts", "S", partner),
        plays[1].pk: ("fiche", "E", partner),
        plays[2].pk: ("passed", "", ""),
    }


def test_the_grid_for_slips_asks_for_the_partner_at_five(evening):
    session, by = evening
    size, browser, url = size_of(session), browser_of(by), session_url("bulk", session)
    page = browser.get(url).content.decode()
    assert ('name="partner-' in page) == (size == 5)
    assert ('value="F"' in page, 'value="W"' in page) == (size == 5, size == 5)
    first, second = session.plays.filter(position=1, table__number=1).order_by("etui__number")
    sent = {f"taker-{first.pk}": "N", f"score-{first.pk}": "40", f"taker-{second.pk}": "E", f"score-{second.pk}": "-56"}
    if size == 5:
        browser.post(url, sent)
        assert not ResultEntry.objects.exists()
        sent |= {f"partner-{first.pk}": "alone", f"partner-{second.pk}": "F"}
    browser.post(url, sent)
    rows = ResultEntry.objects.order_by("play__etui__number").values_list("taker", "partner", "fiche_score")
    assert list(rows) == [("N", "N" if size == 5 else "", 40), ("E", "F" if size == 5 else "", -56)]


@pytest.mark.nightly("story")
def test_the_arbiter_fixes_notes_of_each_seat_and_assigns_a_score(evening):
    session, by = evening
    size, browser = size_of(session), browser_of(by)
    play_etuis(session, by)
    play = session.plays.get(etui__number=1, table__number=1)
    last = SEATS[size - 1]
    called = {"partner": "E"} if size == 5 else {}
    sent = {"seen_ruling": 0, "sign": "+", "figure": "40", "taker": "N", "compared": "in", "reason": "étui mal remis"}
    sent |= {f"fix_{last}": "figure", f"note_{last}": "60"} | called
    url = session_url("play_adjust", session, play.pk)
    assert ('name="partner"' in browser.get(url).content.decode()) == (size == 5)
    browser.post(url, sent | {APPLY: "1"})
    ruling = Ruling.objects.get(play=play)
    assert (ruling.score, ruling.taker, ruling.partner) == (40, "N", "E" if size == 5 else "")
    assert ruling.notes == {last: "60"}
    told = compute(session.pk).data["plays"][str(play.pk)]
    assert (told["notes"][last], told["fixed"], sum(told["marks"].values())) == ("60", [last], 0)


@pytest.mark.nightly("story")
def test_an_annulled_etui_counts_nowhere(evening):
    session, by = evening
    play_etuis(session, by)
    annul_etui(session_id=session.pk, etui=1, reason="cartes mêlées", by=by, now=timezone.now())
    assert compute(session.pk).figures["counts"] == {"scored": 6, "missing": 0, "annulled": 2, "not_played": 0}


@pytest.mark.nightly("story")
def test_a_score_taken_out_of_the_topage_leaves_the_others_alone(evening):
    session, by = evening
    play_etuis(session, by)
    size = size_of(session)
    play = session.plays.get(etui__number=2, table__number=1)
    called = {"partner": "N"} if size == 5 else {}
    notes = dict.fromkeys(SEATS[:size], "50")
    told = {"reason": "mal donné", "by": by, "now": timezone.now()} | called
    adjust_play(play_id=play.pk, score=30, taker="N", notes=notes, compared=False, **told)
    other = session.plays.get(etui__number=2, table__number=2)
    assert {Fraction(note) for note in compute(session.pk).data["plays"][str(other.pk)]["notes"].values()} == {50}


def test_the_api_enters_with_a_partner_and_tells_the_marks(evening):
    session, by = evening
    size, client = size_of(session), Client()
    client.force_login(by)
    play = session.plays.first()
    body = {"taker": "F" if size == 5 else "S", "base_score": 40} | ({"partner": "W"} if size == 5 else {})
    url = f"/api/v1/plays/{play.pk}/result/"
    answer = client.post(url, body, content_type="application/json")
    assert answer.status_code in (200, 201), answer.content
    marks = {3: {"N": -40, "E": -40, "S": 80}, 5: {"N": -40, "E": -40, "S": -40, "W": 40, "F": 80}}[size]
    assert answer.json()["marks"] == marks


def test_a_fiche_of_the_screen_is_checked_by_another_device(evening):
    session, _by = evening
    size = size_of(session)
    one, other = device_at(session), device_at(session)
    play = one.state()["stops"][0]["plays"][0]["id"]
    fiche = Fiche("E", 40, partner="E" if size == 5 else None)
    assert one.send("enter", play=play, entry=fiche, seat="N").status == "received"
    assert other.send("enter", play=play, entry=fiche, seat="E").status == "received"
    assert other.play(play)["state"] == "confirmed"


def test_players_without_a_line_have_no_letter_before_their_number(evening):
    session, by = evening
    browser = browser_of(by)
    plan = browser.get(session_url("session_plan", session), headers={"accept-language": "en"}).content.decode()
    ways = plan.split('class="table ways"')[1].split("</table>")[0].split('<th scope="row">')[1:]
    told = [tuple(part.count('class="line line-') for part in way.split("</th>")) for way in ways]
    assert told == [(0, session.positions)] * session.entrants.count()  # each stop names its seat
    links = browser.get(session_url("personal_links", session)).content.decode().split("<main", 1)[1]
    assert 'class="line line-' not in links
