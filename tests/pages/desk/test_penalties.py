"""The page of penalties, bonuses and warnings: previewed, taken from the club's list, taken back."""

from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Membership
from evenings.plays.ruling import declare_playing
from evenings.standings import computing
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import enter_all, make_director, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tournaments.models import Penalty, Session, UsualPenalty

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = started_session()
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    computing.refresh(session.pk, now=timezone.now())
    return session.pk


@pytest.fixture
def director_user(session):
    return Membership.objects.get(club=session.tournament.club).user


director = shared_evenings.browser_of_director_user


@pytest.fixture
def given(session):
    entrant = session.entrants.select_related("player").first()
    return {"entrant": entrant.pk, "kind": "penalty", "points": "30", "reason": "Retard", "seen": "0"}


@pytest.fixture
def url(session):
    return session_url("penalties", session)


APPLY = {"apply": "1"}


@pytest.mark.nightly("story")
def test_penalty_is_shown_before_it_is_given_then_taken_back_with_a_reason(director, session, url, given):
    assert "No penalty has been given" in words(director.get(url))
    assert "This field is required." in words(director.post(url, given | {"reason": ""}))
    assert "Give the number of points, above 0." in words(director.post(url, given | {"points": ""}))
    page = director.post(url, given)
    name = session.entrants.first().player.name
    assert f"Give {name} a penalty? Nothing has been done yet." in words(page)
    assert "−30.00 on the percentage · Retard" in words(page)
    moved = [row for row in read(page).rows if name in row[0]]
    assert len(moved) == 1
    assert "→" in moved[0][1]
    assert not Penalty.objects.exists()
    assert director.post(url, given | APPLY).url == url
    assert director.post(url, given | APPLY).url == url  # the button was pressed twice
    penalty = Penalty.objects.get()
    assert f"{name} , penalty −30.00 on the percentage · Retard" in words(director.get(url))
    back = session_url("penalty_back", session, penalty.pk)
    assert "This field is required." in words(director.post(back, {"reason": ""}))
    assert f"Withdraw the penalty of {name}? Nothing has been done yet." in words(
        director.post(back, {"reason": "Excusé"})
    )
    director.post(back, {"reason": "Excusé"} | APPLY)
    assert "Withdrawn by directrice" in words(director.get(url))


def test_penalty_that_is_taken_back_is_shown_first(director, session, url, given):
    director.post(url, given | APPLY)
    penalty = Penalty.objects.get()
    back = session_url("penalty_back", session, penalty.pk)
    page = words(director.post(back, {"reason": "Excusé"}))
    assert f"Withdraw the penalty of {penalty.entrant.name}? Nothing has been done yet." in page
    assert Penalty.objects.get() == penalty


def test_bonus_lifts_and_is_called_so_in_the_ranking_and_on_the_feuille(director, session, url, given):
    assert "Give Zoé Nom001 a bonus?" in words(director.post(url, given | {"kind": "bonus", "position": "2"}))
    director.post(url, given | {"kind": "bonus", "position": "2"} | APPLY)
    computing.refresh(session.pk, now=timezone.now())
    assert Penalty.objects.get().position == 2
    assert "(bonus +6.00)" in words(director.get(session_url("standings", session)))
    feuille = words(director.get(session_url("live_feuille", session, given["entrant"])))
    assert "Bonus, already added +6.00" in feuille


def test_warning_stands_at_once_and_apart(director, session, url, given):
    page = director.post(url, given | {"kind": "warning", "points": "", "article": "R.9"}, follow=True)
    assert "the warning is recorded" in words(page)
    assert "Warnings Zoé Nom001 , warning · Retard · R.9" in words(page)
    back = session_url("penalty_back", session, Penalty.objects.get().pk)
    assert "no longer counts" in words(director.post(back, {"reason": "Erreur"}, follow=True))
    assert "A warning has no points" in words(director.post(url, given | {"kind": "warning"}))


def test_what_changes_no_place_says_so(director, session, url, given):
    overall = {each["id"]: Fraction(each["overall"]) for each in session.standings.data["players"]}
    figures = list(overall.values())
    apart = next(pk for pk, own in overall.items() if sum(abs(each - own) < 1 / 50 for each in figures) == 1)
    page = words(director.post(url, given | {"entrant": apart, "kind": "bonus", "points": "0.01"}))
    assert "Nobody changes rank Everybody keeps their rank; only percentages change." in page


def test_second_director_is_told_of_the_first(director, session, url, given):
    other = browser_of(make_director(session.tournament.club, "autre"))
    other.post(url, given | {"points": "2"} | APPLY)
    page = director.post(url, given | APPLY)
    assert "Somebody else has given or withdrawn something for Zoé Nom001" in words(page)
    assert "penalty −2.00 on the percentage" in words(page)
    assert f'name="seen" value="{Penalty.objects.get().pk}"' in page.content.decode()
    assert 'value="Retard"' in page.content.decode()


def test_director_who_has_still_to_play_is_shown_no_ranking(director, director_user, session, url, given):
    own = session.plays.filter(position=5).first()
    own.entries.update(current=False)
    declare_playing(session_id=session.pk, entrant_id=own.north_id, by=director_user, now=timezone.now())
    page = director.post(url, given)
    assert "hidden from you" in words(page)
    assert ("→" in words(page), read(page).rows) == (False, [])
    assert director.post(url, given | APPLY).url == url


def test_one_of_the_clubs_list_fills_the_form(director, session, url):
    club = session.tournament.club
    page = director.get(url)
    usual = reverse("usual_penalties", args=[club.slug])
    assert ("Make a list of the usual ones" in words(page), usual in read(page).links) == (True, True)
    late = {"kind": "penalty", "points": "1.5", "position": "on", "article": "R.3", "reason": "Arrivé en retard"}
    assert director.post(usual, late).url == usual
    assert "Arrivé en retard Penalty, −1.50 on the percentage, for one position · R.3" in words(director.get(usual))
    row = UsualPenalty.objects.get()
    Session.objects.filter(pk=session.pk).update(position=3)
    html = director.get(url, {"usual": row.pk}).content.decode()
    assert 'value="Arrivé en retard"' in html
    assert 'value="1.5"' in html
    assert '<option value="3" selected>to position 3 only</option>' in html


def test_clubs_list_is_changed_and_emptied(director, session):
    usual = reverse("usual_penalties", args=[session.tournament.club.slug])
    assert "The list is empty" in words(director.get(usual))
    assert "Give the number of points, above 0." in words(director.post(usual, {"kind": "bonus", "reason": "Arbitre"}))
    director.post(usual, {"kind": "bonus", "points": "2", "reason": "Arbitre"})
    row = UsualPenalty.objects.get()
    assert 'value="Arbitre"' in director.get(usual, {"change": row.pk}).content.decode()
    director.post(f"{usual}?change={row.pk}", {"kind": "warning", "reason": "Arbitre"})
    row.refresh_from_db()
    assert (row.kind, row.points) == ("warning", 0)
    remove = reverse("usual_remove", args=[session.tournament.club.slug, row.pk])
    for _time in range(2):
        assert director.post(remove).url == usual
    assert not UsualPenalty.objects.exists()
    late = director.post(f"{usual}?change={row.pk}", {"kind": "warning", "reason": "Arbitre"})
    assert "no longer in the club’s list" in words(late)
