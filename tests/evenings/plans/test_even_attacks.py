"""The order of a session's étuis: everybody attacks about as often, whichever takers the deal set names."""

from collections import Counter

import pytest
from django.utils import timezone

from deals.sets import add_etuis
from evenings.plans.choosing import choose_plan, import_plan, shape_of
from evenings.plans.current import current_version, evening_of
from evenings.plans.starting import start_session
from evenings.sessions.setup import use_deal_set
from movements import compute_figures, plan_tables, with_even_attacks, write_figures, write_plan, write_plays
from pages.doors import session_url
from tests.factories import draft_session, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Etui


def attacks_at_tables(session):
    """Return the smallest and the largest number of attacks that a player has."""
    people = ("north", "east", "south", "west")
    taken = Counter(dict.fromkeys(session.entrants.all(), 0))
    taken.update(play.seats[play.etui.taker] for play in session.plays.select_related("etui", *people))
    return min(taken.values()), max(taken.values())


@pytest.mark.nightly("story")
def test_étuis_that_name_other_takers_are_laid_evenly_though_chosen_after_the_plan(tournament):
    director = make_director(tournament.club)
    session = draft_session(tournament, tables=8, etuis_per_position=2)
    choose_plan(session_id=session.pk, choice=0, shape=shape_of(session), by=None, now=timezone.now())
    kept = current_version(session).data
    for etui in session.deal_set.etuis.all():
        Etui.objects.filter(pk=etui.pk).update(taker="NESW"[etui.number % 16 // 4])
    use_deal_set(session_id=session.pk, deal_set=session.deal_set)
    assert current_version(session).data != kept
    page = words(browser_of(director).get(session_url("plan_choose", session)))
    assert "Everybody attacks 2 or 3 times" in page or "Everybody attacks from 2 to 3 times" in page
    assert "Chosen 32 players" in page
    assert attacks_at_tables(start_session(session_id=session.pk, now=timezone.now())) == (2, 3)


def test_plan_that_another_search_laid_as_evenly_keeps_its_étuis(tournament):
    session = draft_session(tournament, tables=8, etuis_per_position=1)
    choose_plan(session_id=session.pk, choice=0, shape=shape_of(session), by=None, now=timezone.now())
    version = current_version(session)
    other = with_even_attacks(plan_tables(8, 5, 1), seed=9)
    assert write_plan(other)["stops"] != version.data["stops"]
    version.data, version.figures = write_plan(other), write_figures(other.seating, compute_figures(other))
    version.save()
    use_deal_set(session_id=session.pk, deal_set=session.deal_set)
    assert current_version(session).data == write_plan(other)
    start_session(session_id=session.pk, now=timezone.now())
    assert write_plays(evening_of(session).plan)["plays"] == write_plays(other)["plays"]


def test_plan_that_needs_no_choice_is_laid_for_the_first_étui_played(tournament):
    session = draft_session(tournament, tables=8, etuis_per_position=1)
    add_etuis(deal_set_id=session.deal_set_id, last=12)
    use_deal_set(session_id=session.pk, deal_set=session.deal_set, first_etui=5)
    assert attacks_at_tables(start_session(session_id=session.pk, now=timezone.now())) == (1, 2)


def test_étuis_of_a_plan_from_a_file_lie_as_it_says(tournament):
    session = draft_session(tournament, tables=8, etuis_per_position=1)
    plan = plan_tables(8, 5, 1)
    import_plan(session_id=session.pk, plan=plan, by=None, now=timezone.now())
    start_session(session_id=session.pk, now=timezone.now())
    assert write_plays(evening_of(session).plan)["plays"] == write_plays(plan)["plays"]
