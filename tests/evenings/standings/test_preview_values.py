"""The changes that a preview shows, from figures of players that are in no database."""

from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.utils import timezone

from clubs.models import Club, Player
from evenings.standings import preview
from evenings.standings.preview import RankShift, by_player, figures_of, find_shifts, place_of, shift_of, weigh_up
from scoring.formats import INDIVIDUAL, QUADRETTES, MatchPoints
from tests.factories import draft_session, make_club
from tournaments.models import ChangedEtui, Entrant, Session, SessionStandings, Tournament


def make_entrant(pk=1, name="Roux", *, section=1, format=INDIVIDUAL):
    session = Session(number=section, tournament=Tournament(format=format.name))
    return Entrant(pk=pk, session=session, player=Player(first_name="Ada", last_name=name))


def figures(alterne, general, overall):
    return {"rank_alterne": alterne, "rank_general": general, "overall": overall, "attack": overall}


def make_shift(entrant, alterne=None, general=None):
    return RankShift(entrant, (1, alterne), (1, general), (None, None))


def test_change_has_both_ranks_and_the_percentage_before_and_after():
    entrant = make_entrant(7)
    before, after = {7: figures(1, 2, "175/2")}, {7: figures(3, 2, "50")}
    assert shift_of(entrant, before, after) == RankShift(entrant, (1, 3), (2, 2), (Fraction(175, 2), Fraction(50)))
    assert shift_of(entrant, before, {}) == RankShift(entrant, (1, None), (2, None), (Fraction(175, 2), None))
    assert shift_of(entrant, before, {7: figures(1, 2, "175/2") | {"attack": "1"}}) is None
    assert shift_of(entrant, {}, {8: figures(1, 1, "60")}) is None


def test_change_of_match_points_has_their_unit():
    entrant = make_entrant(7, format=QUADRETTES)
    found = shift_of(entrant, {7: figures(None, 1, "4")}, {7: figures(None, 2, "-3")})
    assert [type(value) for value in found.overall] == [MatchPoints, MatchPoints]


@pytest.mark.parametrize(
    ("alterne", "general", "moves"),
    [((1, 1), (2, 2), False), ((1, 2), (2, 2), True), ((1, 1), (2, 1), True), ((1, 2), (2, 1), True)],
)
def test_player_moves_with_another_rank_in_one_of_the_rankings(alterne, general, moves):
    assert RankShift(make_entrant(), alterne, general, (Fraction(1), Fraction(2))).moves is moves


def test_changes_are_sorted_by_section_then_new_rank_then_name():
    in_order = [
        make_shift(make_entrant(9, "Zorn"), 1, 5),
        make_shift(make_entrant(8), general=2),
        make_shift(make_entrant(7, "Blanc"), 3, 1),
        make_shift(make_entrant(5), 3, 1),
        make_shift(make_entrant(6), 3, 1),
        make_shift(make_entrant(1, "Aubert")),
        make_shift(make_entrant(2, section=2), 1, 1),
    ]
    assert sorted([*in_order[4:], *in_order[:4]], key=place_of) == in_order
    assert place_of(in_order[5])[:3] == (1, True, 0)


def test_figures_are_told_by_entrant_and_none_of_nothing():
    assert by_player({"players": [{"id": 3}, {"id": 5}]}) == {3: {"id": 3}, 5: {"id": 5}}
    assert by_player({}) == {}


@pytest.fixture
def weigh(monkeypatch, db):
    """Return a function that weighs up a ruling while results come in: it gives the moments, and returns the steps."""

    def run(*moments):
        steps, left = [], list(moments)
        monkeypatch.setattr(preview, "sections_compared", lambda session: [session, 9])
        monkeypatch.setattr(preview, "moment_of", lambda sections: left.pop(0))
        monkeypatch.setattr(preview, "figures_now", lambda sections: steps.append(sections) or len(steps))
        found = weigh_up(4, lambda: steps.append(make_club(f"club-{len(steps)}").name))
        assert (left, Club.objects.count()) == ([], 0)
        return found, steps

    return run


def test_ruling_is_weighed_up_again_if_a_result_comes_in(weigh):
    once = [[4, 9], "Club des Étuis", [4, 9]]
    assert weigh(1, 1) == ((1, 3), once)
    assert weigh(1, 2, 2, 2) == ((4, 6), 2 * once)
    assert weigh(*range(10)) == ((13, 15), 5 * once)


@pytest.fixture(scope="module")
def drafted(rows_of_the_file):
    """Return the ids of a session with standings, and of one of its étuis."""
    session = draft_session(tables=1, positions=1)
    data = {"players": [{"id": 1}]}
    SessionStandings.objects.create(session=session, results_version=1, computed_at=timezone.now(), data=data)
    return session.pk, session.deal_set.etuis.first().pk


@pytest.fixture
def computed(monkeypatch, drafted, db):
    """Return a function that changes the stored standings, and tells the figures and how they were computed."""

    def compute(players, *how):
        told.append(how)
        return players and SimpleNamespace(figures={"players": [{"id": pk} for pk in players]})

    def run(sums, version=1, whole=(2,)):
        told.clear()
        SessionStandings.objects.filter(session=drafted[0]).update(results_version=1, sums=sums)
        Session.objects.filter(pk=drafted[0]).update(results_version=version)
        session = Session.objects.select_related("standings").get(pk=drafted[0])
        monkeypatch.setattr(preview, "compute", lambda pk: compute(whole, pk))
        monkeypatch.setattr(preview, "compute_changed", lambda session, changed: compute([3], session.pk, changed))
        return list(figures_of(session)), *told

    told = []
    return run


def test_figures_are_the_stored_ones_or_computed_as_far_as_needed(computed, drafted):
    session, etui = drafted
    assert computed({"stored": 1}) == ([1],)
    assert computed({}, version=2) == ([2], (session,))
    assert computed({}, version=2, whole=None) == ([], (session,))
    assert computed({"stored": 1}, version=2) == ([3], (session, set()))
    ChangedEtui.objects.create(session_id=session, etui_id=etui)
    assert computed({"stored": 1}, version=2) == ([3], (session, {etui}))
    assert computed({}, version=2) == ([2], (session,))
    ChangedEtui.objects.create(session_id=session, etui=None)
    assert computed({"stored": 1}, version=2) == ([2], (session,))


def test_moment_and_figures_of_sections_are_read_by_their_ids(drafted, db, monkeypatch):
    session = Session.objects.get(pk=drafted[0])
    standings = SessionStandings.objects.get(session=session)
    moment = (session.pk, session.results_version, standings.results_version, standings.computed_at)
    assert preview.moment_of([session.pk, 0]) == [moment]
    monkeypatch.setattr(preview, "figures_of", lambda session: {session.pk: session.tournament.name})
    assert preview.figures_now([session.pk, 0]) == {session.pk: session.tournament.name}


def test_entrants_who_move_are_told_apart_from_those_who_stay(drafted, db, monkeypatch):
    first, second, third, fourth = (
        Entrant.objects.filter(session=drafted[0]).order_by("pk").values_list("pk", flat=True)
    )
    before = {pk: figures(1, 1, "60") for pk in (first, second, third, 0)}
    after = before | {first: figures(2, 1, "60"), second: figures(1, 1, "50"), fourth: figures(3, 3, "40")}
    found = find_shifts(before, after)
    assert [shift.entrant.pk for shift in found.moving] == [first, fourth]
    assert [shift.entrant.pk for shift in found.staying] == [second]
    monkeypatch.setattr(preview, "figures_now", lambda sections: after if sections == [drafted[0]] else None)
    since = preview.preview_since(drafted[0], {"players": [before[pk] | {"id": pk} for pk in before]})
    monkeypatch.setattr(preview, "weigh_up", lambda session, rule: (before, rule(session)))
    assert since == preview.preview_ruling(drafted[0], {drafted[0]: after}.get) == found
