"""The page on which the arbiter decides a play: a score, or notes by side or by player; previewed, or refused."""

import pytest
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import Club, Player
from deals.models import Etui
from evenings.plays.entering import annul_play, enter_result, withdraw_result
from evenings.plays.ruling import declare_playing
from evenings.standings import computing
from pages.doors import session_url
from pages.play.adjust_forms import AdjustForm
from pages.play.entry_forms import ALONE
from pages.play.rulings import MarksForm
from scoring.formats import INDIVIDUAL, TEAM_MATCH
from tests import shared_evenings
from tests.factories import (
    enter,
    enter_all,
    garde,
    make_club,
    make_director,
    make_helper,
    make_tournament,
    started_session,
)
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import read, words
from tournaments.models import Entrant, Play, Ruling, Session, Team, Tournament

pytestmark = pytest.mark.django_db
APPLY = {"apply": "1"}
SEAT_NAMES = ("north", "east", "south", "west")


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = started_session()
    director = make_director(session.tournament.club)
    play, *others = session.plays.select_related("etui")
    # the worst score of all, so that a better one moves the player
    enter(play, garde(play.etui.taker, points=20), by=director)
    enter_all(session, by=director, plays=others)
    computing.refresh(session.pk, now=timezone.now())
    return session.pk


@pytest.fixture
def user(session):
    return session.tournament.club.memberships.get().user


director = shared_evenings.browser_of_user


play = shared_evenings.first_play_with_its_club


def address(play, name="play"):
    return session_url(name, play.session, play.pk)


def given(**more):
    return {"sign": "", "figure": "", "compared": "in", "reason": "Étui mal refait", "seen_ruling": "0"} | more


@pytest.mark.nightly("story")
def test_score_is_assigned_once_it_is_seen_who_moves_and_taken_back(director, session, play):
    url = address(play, "play_adjust")
    page = director.get(address(play))
    assert url in read(page).links
    assert "The FFT has not settled" in words(director.get(url))
    told = given(sign="+", figure="400", article="R.12")
    page = director.post(url, told)
    assert "in this way? Nothing has been done yet." in words(page)
    assert "score +400 · counts for the others" in words(page)
    assert any("→" in cell for row in read(page).rows for cell in row)
    assert not Ruling.objects.exists()
    assert fields(page)["seen_ruling"] == "0"
    assert director.post(url, told | APPLY).url == address(play)
    ruling = Ruling.objects.get()
    assert (ruling.kind, ruling.score, ruling.article, ruling.notes) == ("adjusted", 400, "R.12", {})
    page = director.get(address(play))
    assert "The arbiter’s ruling on this play: score +400 · counts for the others" in words(page)
    assert "Étui mal refait · R.12" in words(page)
    assert fields(director.get(url))["figure"] == "400"
    back = {"reason": "Erreur", "seen_ruling": ruling.pk}
    assert "at table 1? Nothing has been done yet." in words(director.post(address(play, "restore"), back))
    director.post(address(play, "restore"), back | APPLY)
    assert [each.kind for each in Ruling.objects.all()] == ["adjusted", "restored"]


@pytest.mark.nightly("story")
def test_notes_are_fixed_by_side_and_one_player_by_himself(director, user, session, play):
    change_settings(session.tournament.club, {"fixed_note": "62.5"}, now=timezone.now(), by=user)
    url, taker = address(play, "play_adjust"), play.etui.taker
    assert "the better of 62.5 and the player’s mean" in words(director.get(url))
    defenders = [line for line in "NESW" if line != taker]
    told = {"fix_attack": "better", "fix_defence": "figure", "note_defence": "60", "compared": "out"}
    told |= {f"fix_{defenders[0]}": "figure", f"note_{defenders[0]}": "175/2"}
    page = director.post(url, given(**told))
    assert "the better of 62.5 and the player’s own mean" in words(page)
    assert "does not count for the others" in words(page)
    director.post(url, given(**told) | APPLY)
    ruling = Ruling.objects.get()
    assert ruling.notes == {
        taker: "better 125/2", defenders[0]: "175/2", defenders[1]: "60", defenders[2]: "60",
    }  # fmt: skip
    assert (ruling.compared, ruling.score) == (False, None)
    shown = fields(director.get(url))
    assert (shown[f"fix_{taker}"], shown[f"note_{defenders[0]}"], shown["compared"]) == ("better", "175/2", "out")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({}, "Nothing is adjusted"),
        ({"sign": "+", "figure": "56", "reason": ""}, "This field is required."),
        ({"sign": "+"}, "Give both the column and the amount, or neither."),
        ({"figure": "56"}, "Give both the column and the amount, or neither."),
        ({"fix_attack": "figure", "note_attack": "101"}, "“101” is not a note from 0 to 100"),
        ({"fix_attack": "figure", "note_attack": "-5"}, "is not a note from 0 to 100"),
        ({"fix_N": "figure"}, "is not a note from 0 to 100"),
        ({"fix_attack": "surely"}, "not, or no longer, in the list"),
        ({"sign": "+", "figure": "99999"}, "No more than 32767"),
        ({"compared": "half"}, "not, or no longer, in the list"),
    ],
)
def test_what_cannot_be_is_said_and_what_was_typed_is_kept(director, play, told, said):
    page = director.post(address(play, "play_adjust"), given(**{"reason": "Carte vue"} | told) | APPLY)
    assert (page.status_code, Ruling.objects.count()) == (200, 0)
    assert said in words(page)
    assert told.get("reason") == "" or 'value="Carte vue"' in page.content.decode()


@pytest.mark.nightly("story")
def test_second_director_is_told_of_the_first(director, user, session, play):
    annul_play(play_id=play.pk, reason="Carte en trop", by=user, now=timezone.now())
    told = given(sign="+", figure="56")
    page = director.post(address(play, "play_adjust"), told | APPLY)
    assert "Somebody else has ruled on this in the meantime" in words(page)
    assert [each.kind for each in Ruling.objects.all()] == ["annulled"]
    for name in ("restore", "annul", "withdraw"):
        late = {"reason": "x", "seen_ruling": "0", "seen_version": "1"} | APPLY
        director.post(address(play, name), late, follow=True)
    assert Ruling.objects.count() == 1


def test_free_auction_asks_who_took_where_nobody_knows(db):
    session = started_session(make_tournament(make_club("autre"), auction="free"), tables=2, positions=1)
    director = browser_of(make_director(session.tournament.club, "autre"))
    play = session.plays.select_related("etui", "session__tournament__club").first()
    url = address(play, "play_adjust")
    side = given(fix_attack="figure", note_attack="60")
    assert "The taker is not known" in words(director.post(url, side))
    director.post(url, side | {"taker": "E", "sign": "+", "figure": "56"} | APPLY)
    ruling = Ruling.objects.get()
    assert (ruling.taker, ruling.score, ruling.notes) == ("E", 56, {"E": "60"})


def test_director_who_has_still_to_play_the_etui_does_not_decide_it(director, user, session, play):
    own = session.plays.filter(position=5).select_related("etui").first()
    own.entries.update(current=False)
    declare_playing(session_id=session.pk, entrant_id=own.north_id, by=user, now=timezone.now())
    met = session.plays.filter(etui=own.etui).exclude(pk=own.pk).select_related("session__tournament__club").first()
    assert director.get(address(met, "play_adjust")).url == address(met)
    assert director.post(address(met, "play_adjust"), given(sign="+", figure="56") | APPLY).url == address(met)
    assert not Ruling.objects.exists()
    page = director.post(address(play, "annul"), {"reason": "x", "seen_ruling": "0"})
    assert "hidden from you" in words(page)
    assert read(page).rows == []


def test_play_without_a_result_is_decided_too(director, session, user):
    play = session.plays.select_related("etui", "session__tournament__club").last()
    withdraw_result(play_id=play.pk, seen_version=1, reason="autre donne", by=user, now=timezone.now())
    seen = {"seen_ruling": Ruling.objects.get().pk}
    told = given(fix_attack="figure", note_attack="60", fix_defence="figure", note_defence="60") | seen
    director.post(address(play, "play_adjust"), told | APPLY)
    page = words(director.get(address(play)))
    assert "The arbiter’s ruling on this play: note of" in page
    now = timezone.now()
    enter_result(play_id=play.pk, entry=garde(play.etui.taker), by=make_helper(session.tournament.club), now=now)
    assert "The arbiter’s ruling on this play: note of" in words(director.get(address(play)))


@pytest.mark.parametrize(("partner", "shown"), [("", ""), ("N", ALONE), ("S", "S")])
def test_form_shows_the_partner_or_that_the_taker_is_alone(partner, shown):
    found = MarksForm.of(Ruling(taker="N", partner=partner, score=-62, marks={}))
    assert found == {"taker": "N", "partner": shown, "sign": "-", "figure": 62}


@pytest.mark.parametrize(("format", "choices"), [(INDIVIDUAL, 3), (TEAM_MATCH, 2)])
def test_match_points_are_fixed_by_a_figure_alone(format, choices):
    ids = (1, 2, 3, 4) if format is INDIVIDUAL else (2, 2, 1, 2)
    people = [Entrant(pk=pk, player=Player(last_name=f"Nom{pk}"), team=Team(name=f"Équipe {pk}")) for pk in ids]
    played = Tournament(format=format.name, rules="fft", club=Club(pk=1))
    play = Play(session=Session(tournament=played), etui=Etui(taker="S"), **dict(zip(SEAT_NAMES, people, strict=True)))
    form = AdjustForm(play)
    assert {len(field.choices) for name, field in form.fields.items() if name.startswith("fix_")} == {choices}
    assert bool(form.usual) is (choices == 3)
