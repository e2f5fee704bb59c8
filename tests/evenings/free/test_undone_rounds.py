"""A start is undone, and then its cut, in the last of three rounds of donnes libres. Then other players start."""

import pytest
from django.urls import reverse
from django.utils import timezone

from evenings.plans.starting import start_session, unstart_session
from evenings.standings.computing import refresh
from pages.doors import session_url
from rankings.events.counting import refresh as refresh_tournament
from registration.people.cuts import list_sources, undo_session_cut
from registration.people.seats import seat_present
from tests.evenings.free.test_cuts import add_round, enter_spread_sheets, list_qualified, make_cut, play_round
from tests.factories import publish
from tests.free_evenings import enter_sheets, make_free_tournament
from tests.free_tournaments import publish_again
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, Cut, Registration, Session, Tournament, TournamentPublication
from tournaments.rules.cut import CutTies

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
ROUNDS = (488, 244, 104)


def start_round(tournament, by, places):
    """Cut to this number of players, seat them, start, and return the round."""
    session = add_round(tournament)
    Session.objects.filter(pk=session.pk).update(etuis_per_position=1, seating="fixed")
    fill_round(session, by, places)
    return Session.objects.get(pk=session.pk)


def fill_round(session, by, places):
    newest = list_sources(session)[0].key
    make_cut(session, by, places, source=newest, ties=CutTies.DRAW, here=True)
    seat_present(session_id=session.pk, answers={}, by=by, now=timezone.now())
    start_session(session_id=session.pk, by=by, now=timezone.now())


def play_to_the_end(session, by):
    enter_sheets(session, 1, by)
    refresh(session.pk, now=timezone.now())
    publish(session, by=by)
    refresh_tournament(session.tournament_id, now=timezone.now())
    publish_again(session.tournament, by)


def undo(session, by):
    for service in (unstart_session, undo_session_cut):
        service(session_id=session.pk, by=by, now=timezone.now())


def test_undone_start_and_cut_of_the_third_round_leave_nothing_behind():
    first, by = play_round(ROUNDS[0], sheets=enter_spread_sheets, deals=1)
    tournament = first.tournament
    second = start_round(tournament, by, ROUNDS[1])
    play_to_the_end(second, by)
    third = start_round(tournament, by, ROUNDS[2])
    assert [session.entrants.count() for session in (first, second, third)] == list(ROUNDS)
    before = TournamentPublication.objects.latest("pk").data
    others = {"applicants": Applicant.objects.exclude(session=third).count(), "cuts": Cut.objects.count() - 1}

    undo(third, by)
    third.refresh_from_db()
    assert (third.status, third.level) == (Session.Status.DRAFT, 0)
    assert not any(rows.exists() for rows in (third.entrants, third.plays, third.tables))
    assert not Applicant.objects.filter(session=third).exists()
    assert not Registration.objects.filter(session=third).exists()
    assert others == {"applicants": Applicant.objects.count(), "cuts": Cut.objects.count()}
    undo(third, by)  # the same again changes nothing
    assert TournamentPublication.objects.latest("pk").data == before

    fill_round(third, by, 100)
    third.refresh_from_db()
    assert (third.level, third.entrants.count(), len(list_qualified(third))) == (2, 100, 100)
    assert sorted(third.entrants.values_list("number", flat=True)) == [*range(1, 101)]
    play_to_the_end(third, by)
    with pytest.raises(ActionRefused):
        unstart_session(session_id=third.pk, by=by, now=timezone.now())


def test_pages_undo_the_start_first_and_then_the_cut():
    first, by = play_round(16)
    second = start_round(first.tournament, by, 8)
    browser = browser_of(by)
    refused = browser.post(session_url("cut", second), {"action": "undo"}, follow=True)
    assert "undo the start" in refused.content.decode()
    assert Cut.objects.filter(session=second).exists()
    browser.post(session_url("unstart", second), follow=True)
    assert second.entrants.count() == 8
    browser.post(session_url("cut", second), {"action": "undo"})
    assert not Cut.objects.filter(session=second).exists()
    assert not second.entrants.exists()
    assert browser.get(session_url("cut", second)).status_code == 200
    assert browser.get(session_url("session", second)).status_code == 200


def test_consolation_tournament_names_the_tournament_before_it():
    first, by = play_round(16)
    second = add_round(first.tournament)
    cut = make_cut(second, by, 8, ties=CutTies.DRAW)
    Tournament.objects.filter(pk=first.tournament_id).update(name="Open d’automne")
    consolation = add_round(make_free_tournament(first.tournament.club))
    browser, page = browser_of(by), session_url("cut", consolation)
    given = {"source": f"c{cut.pk}", "places": "400", "ties": "all"}
    preview = browser.get(page, given)
    assert (preview.context["on"], "Open d’automne" in preview.content.decode()) == (8, True)
    browser.post(page, given | {"action": "make"})
    out = set(first.entrants.values_list("player_id", flat=True)) - list_qualified(second)
    assert list_qualified(consolation) == out
    text = words(browser.get(page))
    assert "Consolation · Open d’automne · The ranking of session 1, version 1" in text
    refused = words(browser.post(session_url("cut", second), {"action": "undo"}, follow=True))
    assert "consolation" in refused
    assert Cut.objects.count() == 2

    address = reverse("tournament", args=[first.tournament.club.slug, consolation.tournament.slug])
    for reader in (browser, browser_of()):
        text = words(reader.get(address))
        assert "Consolation: session 1 For the players who are out of Open d’automne" in text
    Tournament.objects.filter(pk=first.tournament_id).update(put_away_at=timezone.now())
    assert "Open d’automne" not in words(browser_of().get(address))

    browser.post(page, {"action": "undo"})
    browser.post(session_url("cut", second), {"action": "undo"})
    assert not Cut.objects.exists()


def test_consolation_is_seated_and_played_apart():
    first, by = play_round(16)
    second = start_round(first.tournament, by, 8)
    consolation = add_round(make_free_tournament(first.tournament.club))
    cut = Cut.objects.get(session=second)
    make_cut(consolation, by, 400, out_of=cut.pk, here=True)
    seat_present(session_id=consolation.pk, answers={}, by=by, now=timezone.now())
    start_session(session_id=consolation.pk, by=by, now=timezone.now())
    enter_sheets(consolation, 1, by)
    refresh(consolation.pk, now=timezone.now())
    players = {row["player"] for row in publish(consolation, by=by).data["players"]}
    assert players == set(first.entrants.values_list("player_id", flat=True)) - list_qualified(second)
    address = reverse("tournament", args=[first.tournament.club.slug, consolation.tournament.slug])
    page = browser_of().get(address)
    assert "%" not in words(page)
    unstart_session(session_id=second.pk, by=by, now=timezone.now())
    with pytest.raises(ActionRefused, match="cut_has_consolation"):
        undo_session_cut(session_id=second.pk, by=by, now=timezone.now())
