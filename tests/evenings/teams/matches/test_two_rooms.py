"""The two rooms of a match: each chooses its contract, and nobody learns a result before both halves are in."""

import re
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evenings.plays.desk_state import CHECK_ETUI, DISPUTED, ODD, desk_plays
from evenings.plays.entering import enter_result, not_played
from evenings.requests.links import ensure_member_links
from evenings.tables.command import RECEIVED
from evenings.tables.state import build_table_state
from pages.doors import session_url
from rankings.publication.publishing import SESSIONS, Terms
from scoring.contract import Contract, DealResult
from scoring.plays import Line
from tests.api.conftest import Client as Program
from tests.evenings.tables.phones import Device, command
from tests.evenings.teams.matches.evening import (
    attack,
    make_matches,
    plausible_attack,
    play_matches,
    prepare_match,
    start,
)
from tests.evenings.teams.playing import refresh
from tests.evenings.teams.test_quadrettes import refuse
from tests.factories import enter, make_director, make_helper
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import ResultEntry, Session
from tournaments.rules.entry import Facts, Fiche
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
SECRET = attack(None, points=73, contract=Contract.GARDE_CONTRE)  # its base score is 342
SCORE = re.compile(r"\+342|base_score\W+342|'garde_contre'(?!\])|garde contre", re.IGNORECASE)
FLAGS = (DISPUTED, ODD, CHECK_ETUI)


@pytest.fixture
def session():
    made = start(prepare_match(make_matches(4)))
    Session.objects.filter(pk=made.pk).update(position=1, shows_after="topage", check_by="none")
    return Session.objects.select_related("tournament__club").get(pk=made.pk)


@pytest.fixture
def arbiter(session):
    return make_director(session.tournament.club)


def find_halves(session, *, table=1, etui=1):
    """Return the half of an étui at this table, and the half in the other room of the match."""
    own = session.plays.select_related("etui", "table", "session__tournament").get(
        table__number=table, etui__number=etui
    )
    other = session.plays.select_related("etui", "table", "session__tournament").get(
        etui=own.etui, south=own.north, north=own.south
    )
    return own, other


def screen_of(play):
    return Device(play.table).state()


def shown_after(play):
    (found,) = [each for stop in screen_of(play)["stops"] for each in stop["plays"] if each["id"] == play.pk]
    return found["after"]


@pytest.mark.nightly("story")
def test_south_takes_and_chooses_one_of_three_contracts(session, arbiter):
    play, other = find_halves(session)
    assert play.etui.taker != ""
    assert play.taker == other.taker == "S"
    assert screen_of(play)["session"]["contracts"] == ["garde", "garde_sans", "garde_contre"]
    program = Program(arbiter)
    told = {"bouts": 2, "points": 49}
    path = f"plays/{play.pk}/result/"
    assert program.refused("POST", path, told | {"contract": "prise"}, status=422) == "contract_barred"
    assert program.refused("POST", path, {"passed": True}, status=422) == "pass_not_allowed"
    assert program.refused("POST", path, told, status=400) in ("missing", "required", "invalid")
    wrong = Facts(Line.N, DealResult(4, Contract.GARDE, 2, 98))
    with pytest.raises(ValueError, match="taker"):
        enter_result(play_id=play.pk, entry=wrong, by=arbiter, now=timezone.now())
    enter(play, attack(play, 50, Contract.GARDE_SANS), by=arbiter)
    enter(other, attack(other, 50, Contract.GARDE), by=arbiter)
    contracts = {*ResultEntry.objects.values_list("contract", flat=True)}
    assert contracts == {"garde", "garde_sans"}


@pytest.mark.nightly("story")
def test_table_enters_a_contract_that_its_taker_chose(session):
    play, _other = find_halves(session)
    device = Device(play.table)
    device.send_again(command("join", name="Table 1"))
    barred = device.send("enter", play=play.pk, seat="S", entry=attack(play, 49, Contract.PRISE), sure=[])
    assert barred.error.code == "contract_barred"
    sent = device.send("enter", play=play.pk, seat="S", entry=attack(play, 49, Contract.GARDE_SANS), sure=[])
    assert (sent.status, ResultEntry.objects.get().contract) == (RECEIVED, "garde_sans")


@pytest.mark.nightly("story")
def test_desk_offers_the_three_contracts_in_the_form_and_in_the_grid(session, arbiter):
    play, _other = find_halves(session)
    browser = browser_of(arbiter)
    page = browser.get(session_url("play", session, play.pk)).content.decode()
    assert re.findall(r'name="contract"[^>]*?value="(\w+)"', page) == ["garde", "garde_sans", "garde_contre"]
    assert "Imposed Garde" not in page
    grid = browser.get(f"{session_url('bulk', session)}?position=1&by=facts").content.decode()
    assert f'name="contract-{play.pk}"' in grid
    assert "prise" not in re.findall(r'<option value="(\w+)"', grid)


@pytest.mark.nightly("story")
def test_doubts_take_the_contracts_that_are_allowed(session, arbiter):
    """Check that a base score which only a Prise gives is doubted, and one that a Garde contre gives is not."""
    play, other = find_halves(session)
    enter(play, Fiche(Line.S, 27), by=arbiter)  # 25 + 2: a Prise made by 2
    enter(other, Fiche(Line.S, 162), by=arbiter)  # 6 × (25 + 2)
    flags = {
        each.play.pk: each.state in FLAGS
        for each in desk_plays(session, flags=True)
        if each.play.pk in (play.pk, other.pk)
    }
    assert {pk: bool(flag) for pk, flag in flags.items()} == {play.pk: True, other.pk: False}


@pytest.mark.nightly("story")
@pytest.mark.parametrize("shows", ["topage", "ranking"])
def test_screen_shows_the_other_room_only_once_both_halves_are_in(session, arbiter, shows):
    Session.objects.filter(pk=session.pk).update(shows_after=shows, hidden_positions=0)
    own, other = find_halves(session)
    enter(own, SECRET, by=arbiter)
    refresh(session)
    # The room that has not played learns nothing, and the room that has played sees only its own result.
    assert SCORE.search(str(screen_of(other))) is None
    seen = shown_after(own)
    assert seen is None or [play["mine"] for play in seen["plays"]] == [True]
    # Nor does another match that has played the étui in both rooms.
    third, fourth = find_halves(session, table=3)
    for play in (third, fourth):
        enter(play, plausible_attack(play), by=arbiter)
    refresh(session)
    assert SCORE.search(str(screen_of(third))) is None
    if shows == "topage":
        assert len(shown_after(third)["plays"]) == 2
    enter(other, attack(other, 50), by=arbiter)
    refresh(session)
    if shows == "topage":
        assert [play["base_score"] for play in shown_after(other)["plays"]].count(342) == 1
        assert len(shown_after(own)["plays"]) == 4


@pytest.mark.nightly("story")
def test_no_page_or_answer_tells_anybody_but_a_director_of_one_half(session, arbiter):
    """Ask as a stranger, a player with a link, a helper, and each table's device, while one half is in."""
    own, _other = find_halves(session)
    enter(own, SECRET, by=arbiter)
    refresh(session)
    club, slug = session.tournament.club.slug, session.tournament.slug
    helper = make_helper(session.tournament.club)
    links = ensure_member_links(session, now=timezone.now())
    personal = reverse("personal", args=[next(iter(links.values())).token])
    pages = [
        session_url("session", session),
        session_url("hall", session),
        session_url("hall", session) + "?by=table",
        session_url("ranking", session),
        reverse("tournament", args=[club, slug]),
        reverse("tournament_ranking", args=[club, slug]),
        personal,
    ]
    for who in (Client(), browser_of(helper)):
        for page in pages:
            assert SCORE.search(words(who.get(page, follow=True))) is None, page
    assert SCORE.search(words(browser_of(helper).get(session_url("play", session, own.pk)))) is None
    assert SCORE.search(words(browser_of(helper).get(f"{session_url('bulk', session)}?position=1"))) is None
    for program in (Program(None), Program(helper)):
        for path in (f"sessions/{session.pk}/", f"sessions/{session.pk}/plays/", f"plays/{own.pk}/"):
            assert SCORE.search(str(program.send("GET", f"/api/v1/{path}").content)) is None, path
    for table in session.tables.exclude(pk=own.table_id):
        here = Device(table).here()
        state = build_table_state(here, "phone", stamp="", now=timezone.now())
        assert SCORE.search(str(state)) is None
    # The director sees it: they have to correct it, and to rule on it.
    assert "+342" in words(browser_of(arbiter).get(session_url("play", session, own.pk)))


@pytest.mark.nightly("story")
def test_ranking_so_far_moves_only_with_both_halves(session, arbiter):
    own, other = find_halves(session)
    enter(own, SECRET, by=arbiter)
    assert {row["overall"] for row in refresh(session).standings.data["players"]} == {None}
    enter(other, attack(other, 50), by=arbiter)
    numbers = dict(session.entrants.values_list("pk", "number"))
    figures = {numbers[row["id"]]: row["overall"] for row in refresh(session).standings.data["players"]}
    assert {number: value and Fraction(value) > 0 for number, value in figures.items()} == {
        1: True,
        2: False,
        3: None,
        4: None,
    }


@pytest.mark.nightly("story")
def test_session_with_one_half_of_an_etui_cannot_be_published(session, arbiter):
    play_matches(session, by=arbiter, missing=1)
    told = (session.pk, DirectorWord(arbiter, timezone.now()), Terms(allow_missing=True))
    refuse("half_missing", lambda: SESSIONS.publish(*told))
    left = session.plays.filter(entries=None).get()
    not_played(play_id=left.pk, by=arbiter, now=timezone.now())
    refresh(session)
    assert SESSIONS.publish(*told).version == 1
