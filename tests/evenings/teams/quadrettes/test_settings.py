"""The settings of quadrettes: what makes no sense for sums of match points is neither offered nor stored.

Team matches share the rule (`tests/evenings/teams/matches/test_settings.py`).
"""

import pytest
from django.urls import reverse

from evenings.sessions.ranking_rules import change_rules
from pages.doors import session_url
from scoring.ties import TieBreak
from tests.api.conftest import Client
from tests.evenings.teams.test_quadrettes import make_quadrettes, prepare
from tests.factories import make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return make_quadrettes(4)


@pytest.fixture
def by(tournament):
    return make_director(tournament.club)


def test_page_offers_lots_alone_and_no_mean(tournament, by):
    ties, several = (
        browser_of(by).get(reverse(page, args=[tournament.club.slug, tournament.slug])).context["form"].fields
        for page in ("tournament_rules_ties", "tournament_rules_several")
    )
    assert {value for field in ties.values() for value, _label in field.choices} == {"", TieBreak.DRAW}
    assert "counting" not in several


@pytest.mark.parametrize("rules", [{"ties": [TieBreak.ATTACK]}, {"ties": ["draw", "tops"]}, {"counting": "mean"}])
def test_service_and_api_refuse_what_needs_percentages(tournament, by, rules):
    before = Tournament.objects.values().get(pk=tournament.pk)
    with pytest.raises(ActionRefused):
        change_rules(tournament_id=tournament.pk, by=by, now=tournament.created_at, **rules)
    answer = Client(by)("PATCH", f"tournaments/{tournament.pk}/rules/", rules, status=422)
    assert answer["error"]["code"]
    assert Tournament.objects.values().get(pk=tournament.pk) == before


def test_form_of_a_session_says_how_many_positions_let_all_teams_meet(tournament, by):
    session = prepare(tournament, positions=3)
    page = words(browser_of(by).get(session_url("session_edit", session)))
    assert "With one position fewer than teams, every attacker meets all other teams" in page
    assert "lets each line attack equally often" not in page
