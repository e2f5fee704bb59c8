"""The settings of team matches and of other match points: what the format fixes is in no form and refused elsewhere."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.house import settings_of
from evenings.sessions.ranking_rules import change_rules
from evenings.sessions.setup import create_session, create_tournament, edit_session
from pages.doors import session_url
from tests.api.conftest import Client as Program
from tests.evenings.teams.matches.evening import make_matches, prepare_match
from tests.evenings.teams.test_quadrettes import make_quadrettes, refuse
from tests.factories import DATE, make_club, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Session, Tournament

pytestmark = pytest.mark.django_db


def change(tournament, by, **changes):
    return change_rules(tournament_id=tournament.pk, by=by, now=timezone.now(), **changes)


@pytest.mark.parametrize(
    ("name", "value"),
    [("positions", 5), ("etuis_per_position", 3), ("etuis_per_position", 7), ("coefficient", 2)],
    ids=["positions", "few", "many", "weight"],
)
def test_session_of_matches_has_four_quarters_of_four_to_six_etuis(name, value):
    tournament = make_matches(2)
    by = make_director(tournament.club)
    code = "match_weight" if name == "coefficient" else f"match_{name}"
    refuse(code, lambda: create_session(tournament=tournament, date=DATE, **{name: value}))
    session = create_session(tournament=tournament, date=DATE)
    assert (session.positions, session.etuis_per_position) == (4, 4)
    refuse(code, lambda: edit_session(session_id=session.pk, by=by, now=timezone.now(), **{name: value}))
    error = Program(by).refused("PATCH", f"sessions/{session.pk}/", {name: value}, status=422)
    assert error == code
    assert Session.objects.get() == session


def test_usual_evening_of_the_club_is_fitted_to_a_match():
    tournament = make_matches(2)
    house = settings_of(tournament.club)
    house.positions, house.etuis_per_position = 7, 8
    house.save()
    session = create_session(tournament=tournament, date=DATE)
    assert (session.positions, session.etuis_per_position) == (4, 6)


def test_pages_before_a_match_speak_of_quarters_and_of_nothing_that_is_fixed():
    tournament = make_matches(2)
    browser = browser_of(make_director(tournament.club))
    url = reverse("session_new", args=[tournament.club.slug, tournament.slug])
    page = browser.get(url)
    assert "Quarters" in words(page)
    assert "coefficient" not in page.context["form"].fields
    sent = {name: page.context["form"][name].value() for name in page.context["form"].fields}
    given = {name: value for name, value in sent.items() if value not in (None, False)} | {"positions": 9}
    assert "From 4 to 6" in words(browser.post(url, given | {"etuis_per_position": 7}))
    browser.post(url, given | {"etuis_per_position": 6})
    session = Session.objects.get()
    assert (session.positions, session.etuis_per_position) == (4, 6)
    edit = browser.get(session_url("session_edit", session))
    assert "In a tournament of several sessions" not in words(edit)


@pytest.mark.parametrize("make", [make_matches, make_quadrettes], ids=["matches", "quadrettes"])
def test_match_points_have_no_mean_and_no_tie_break_but_lots(make):
    tournament = make(2)
    by = make_director(tournament.club)
    refuse("ties_in_match_points", lambda: change(tournament, by, ties=["attack", "draw"]))
    refuse("counting_in_match_points", lambda: change(tournament, by, counting="mean"))
    assert change(tournament, by, ties=["draw"]).ties == ["draw"]
    path = f"tournaments/{tournament.pk}/rules/"
    assert Program(by).refused("PATCH", path, {"ties": ["tops"]}, status=422) == "ties_in_match_points"
    ties, several = (
        browser_of(by).get(reverse(f"tournament_rules_{part}", args=[tournament.club.slug, tournament.slug]))
        for part in ("ties", "several")
    )
    fields = several.context["form"].fields
    (choices,) = (field.choices for field in ties.context["form"].fields.values())
    assert [value for value, _label in choices] == ["", "draw"]
    assert ("counting" in fields, "best_of" in fields) == (False, tournament.format == "quadrettes")
    assert "percentage" not in words(ties) + words(several)


def test_every_match_counts():
    tournament = make_matches(2)
    by = make_director(tournament.club)
    refuse("best_of_in_match_points", lambda: change(tournament, by, best_of=2))
    refuse("carry_over_in_match_points", lambda: change(tournament, by, carry_over=50))


def test_rules_and_sessions_follow_a_change_of_the_format():
    tournament = create_tournament(club=make_club(), name="Tournoi", format="individual", now=timezone.now())
    by = make_director(tournament.club)
    change(tournament, by, ties=["attack", "draw"], counting="mean", best_of=3)
    session = create_session(tournament=tournament, date=DATE, positions=7, etuis_per_position=3, coefficient=2)
    changed = change(tournament, by, format="team_match")
    assert (changed.ties, changed.counting, changed.best_of) == (["draw"], "sum", None)
    session.refresh_from_db()
    assert (session.positions, session.etuis_per_position, session.coefficient) == (4, 4, 1)
    refuse("ties_in_match_points", lambda: change(tournament, by, ties=["best_etui"]))


def test_new_tournament_asks_who_meets_whom_in_team_matches(monkeypatch):
    club = make_club()
    browser = browser_of(make_director(club))
    url = reverse("tournament_new", args=[club.slug])
    assert "single matches: each one stands alone" in words(browser.get(url))
    for meeting in ("single", "league", "tree"):
        browser.post(url, {"name": f"Matchs {meeting}", "auction": "imposed", "meeting": meeting})
    browser.post(url, {"name": "Individuel", "auction": "imposed"})
    assert [*Tournament.objects.order_by("pk").values_list("meeting", flat=True)] == [
        "single",
        "league",
        "tree",
        "league",
    ]


def test_session_of_matches_needs_no_choice_of_a_movement():
    session = prepare_match(make_matches(4))
    page = words(browser_of(make_director(session.tournament.club)).get(session_url("session", session)))
    assert "Two rooms for each match, in four quarters" in page
