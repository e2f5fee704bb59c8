"""The ranking of several sections together: whose sums, penalties and ties it uses."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django.utils import timezone

from evenings.plays.penalties import Sanction, give_penalty
from evenings.sessions.ranking_rules import change_rules
from evenings.sessions.sections import Together
from evenings.standings import together
from evenings.standings.together import rank_together, sums_kept, sums_now
from scoring.ties import TieBreak
from tests.evenings.standings.test_sections import refresh, sections
from tests.evenings.standings.test_sections import together as put
from tests.factories import enter_all, make_director
from tournaments.models import Session, SessionStandings

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    """Return the ids of two sections that are ranked together and have all results, and a director."""
    both = sections()
    director = make_director(both[0].tournament.club)
    put(*both, by=director, how=Together(one_topage=False))
    for session in both:
        enter_all(session, by=director)
    refresh(*both)
    return [session.pk for session in both], director


@pytest.fixture
def both(evening, db):
    related = "standings", "tournament", "group"
    return [Session.objects.select_related(*related).get(pk=pk) for pk in evening[0]]


def test_stored_sums_are_read_and_missing_ones_computed(both):
    SessionStandings.objects.filter(session=both[0]).update(sums={"counts": {"scored": 1}, "topped": 77, "tallies": {}})
    first = Session.objects.select_related("standings").get(pk=both[0].pk)
    assert sums_kept(first).topped == 77
    assert sums_now(first).topped == 5
    first.standings.sums = {}
    assert sums_kept(first) == sums_now(first)


def test_session_without_a_common_ranking_has_none(both):
    assert len(rank_together(both[0])) == 40
    both[0].group.one_ranking = False
    assert rank_together(both[0]) == []
    both[0].group = None
    assert rank_together(both[0]) == []


def test_section_without_a_play_has_nobody_in_the_ranking(both):
    def sums_of(section):
        return None if section.pk == both[0].pk else sums_kept(section)

    assert {each["session"] for each in rank_together(both[1], sums_of)} == {both[1].number}
    assert rank_together(both[1], lambda _section: None) == []


def test_penalties_of_every_section_count(both, evening):
    before = {each["id"]: Fraction(each["overall"]) for each in rank_together(both[0])}
    fined = both[1].entrants.order_by("pk").first()
    sanction = Sanction(points=Decimal(3))
    give_penalty(
        sanction=sanction,
        session_id=both[1].pk,
        entrant_id=fined.pk,
        reason="retard",
        by=evening[1],
        now=timezone.now(),
    )
    after = {each["id"]: Fraction(each["overall"]) for each in rank_together(both[0])}
    assert {pk for pk in after if after[pk] != before[pk]} == {fined.pk}


def test_criteria_of_the_tournament_count_without_lots(both, evening, monkeypatch):
    ties = ["attack", "tops", "draw"]
    change_rules(tournament_id=both[0].tournament_id, by=evening[1], now=timezone.now(), ties=ties)
    told = []

    def note(*_values, ties, **_more):
        told.extend(ties.criteria)
        return []

    monkeypatch.setattr(together, "rank_players", note)
    rank_together(Session.objects.select_related("tournament", "group").get(pk=both[0].pk))
    assert told == [TieBreak.ATTACK, TieBreak.TOPS]
