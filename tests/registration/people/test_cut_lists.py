"""The people of a cut: who is tied to a player, who is left out, and what an undone cut leaves behind."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from evenings.sessions.put_away import delete_session, delete_tournament
from registration.people.applicants import NewApplicant
from registration.people.cuts import (
    CutGiven,
    fill_session_cut,
    list_cut,
    list_sources,
    make_session_cut,
    read_ranked,
    undo_session_cut,
)
from registration.people.registration import register, set_registration, walk_in
from registration.people.seats import seat_present
from tests.factories import draft_session, make_tournament, make_user
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.registration.people.test_cuts import act, make, qualified, round_two
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, Cut, Registration, Session, Tournament
from tournaments.rules.cut import CutTies

__all__ = ["round_two"]


def open_registration(session, **more):
    set_registration(accepts_at_once=True, session_id=session.pk, by=session.by, now=timezone.now(), way="word", **more)


def sign_up(session, player, **more):
    asked = NewApplicant(player.last_name, player.first_name, player.licence)
    return register(session_id=session.pk, asked=asked, now=timezone.now(), **more)


def find_first(session):
    """Return the player who has the first rank in the ranking that the cut reads."""
    ranked = read_ranked(list_sources(session)[0].ranking, session.tournament.club_id)
    return Player.objects.get(pk=min(ranked, key=lambda each: each.rank).player)


def make_consolation(session, cut, tournament):
    other = draft_session(tournament)
    given = CutGiven("", 400, out_of=cut.pk)
    make_session_cut(session_id=other.pk, given=given, by=session.by, now=timezone.now())
    return other


def test_a_name_that_anybody_signed_up_is_not_taken_for_the_player(round_two):
    open_registration(round_two)
    stranger = sign_up(round_two, find_first(round_two))
    make(round_two, 4)
    stranger.refresh_from_db()
    assert (stranger.player, stranger.cut_rank) == (None, None)
    assert find_first(round_two).pk in qualified(round_two)


def test_the_player_of_an_account_is_the_one_who_signed_up(round_two):
    open_registration(round_two)
    player, user = find_first(round_two), make_user("first")
    Player.objects.filter(pk=player.pk).update(account=user)
    own = sign_up(round_two, player, user=user)
    make(round_two, 4)
    own.refresh_from_db()
    assert (own.player, own.by_cut) == (player, False)


def test_an_undone_cut_opens_registration_again_as_it_was(round_two):
    open_registration(round_two, places=30)
    make(round_two, 4)
    closed = Registration.objects.get(session=round_two)
    assert (closed.is_open, closed.places) == (False, None)
    act(undo_session_cut, round_two)
    again = Registration.objects.get(session=round_two)
    assert (again.is_open, again.places) == (True, 30)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("signed_up", [False, True])
def test_an_undone_cut_leaves_no_registration_where_there_was_none(round_two, signed_up):
    make(round_two, 4)
    if signed_up:
        Applicant.objects.create(
            session=round_two, last_name="Venu", key="venu", token="venu", registered_at=timezone.now()
        )
    act(undo_session_cut, round_two)
    assert Registration.objects.filter(session=round_two).exists() == signed_up


def test_registration_that_was_changed_since_stays_when_the_cut_is_undone(round_two):
    open_registration(round_two, places=30)
    make(round_two, 4)
    open_registration(round_two, is_open=True, places=50)
    act(undo_session_cut, round_two)
    again = Registration.objects.get(session=round_two)
    assert (again.is_open, again.places) == (True, 50)


@pytest.mark.nightly("story")
def test_a_cut_is_refused_while_people_wait_for_a_place(round_two):
    open_registration(round_two, places=1)
    for player in Player.objects.filter(club=round_two.tournament.club)[:2]:
        sign_up(round_two, player)
    with pytest.raises(ActionRefused, match="cut_people_wait"):
        make(round_two, 4)
    assert Registration.objects.get(session=round_two).places == 1


def test_people_who_signed_up_after_the_cut_stay_when_it_is_undone(round_two):
    cut = make(round_two, 4, ties=CutTies.DRAW)
    late = next(each.player for each in list_cut(round_two, cut) if each.applicant is None)
    asked = NewApplicant(late.last_name, late.first_name, late.licence)
    own = walk_in(session_id=round_two.pk, asked=asked, by=round_two.by, now=timezone.now(), player=late)
    Cut.objects.filter(pk=cut.pk).update(places=400)
    act(fill_session_cut, round_two)
    own.refresh_from_db()
    assert own.cut_rank is not None
    act(undo_session_cut, round_two)
    assert list(Applicant.objects.filter(session=round_two).values_list("pk", "cut_rank")) == [(own.pk, None)]


def test_undoing_takes_as_many_queries_for_more_players(round_two, django_assert_max_num_queries):
    round_two.entrants.all().delete()
    make(round_two, 20, here=True)
    seat_present(session_id=round_two.pk, answers={}, by=round_two.by, now=timezone.now())
    assert round_two.entrants.count() == 20
    with django_assert_max_num_queries(40):
        act(undo_session_cut, round_two)
    assert round_two.entrants.count() == 0


def test_a_cut_from_one_session_follows_the_ranking_that_the_page_shows_first(round_two):
    source = next(each for each in list_sources(round_two) if each.session == 2)
    ranks = {row["player"]: row["rank_alterne"] for row in source.ranking.data["players"]}
    ranked = read_ranked(source.ranking, round_two.tournament.club_id)
    assert {row.player: row.rank for row in ranked} == ranks
    assert ranks != {row["player"]: row["rank_general"] for row in source.ranking.data["players"]}


def test_erased_players_are_not_put_on_the_list(round_two):
    player = find_first(round_two)
    Player.objects.filter(pk=player.pk).update(erased_at=timezone.now())
    make(round_two, 4)
    assert player.pk not in qualified(round_two)


def test_a_consolation_of_a_later_cut_stands_below_that_round_only(round_two):
    cut = make(round_two, 8, ties=CutTies.DRAW)
    Session.objects.filter(pk=round_two.pk).update(level=2)
    same = make_consolation(round_two, cut, round_two.tournament)
    assert Session.objects.get(pk=same.pk).level == 1


@pytest.mark.nightly("story")
def test_a_session_is_not_deleted_while_a_consolation_depends_on_its_cut(round_two):
    cut = make(round_two, 8, ties=CutTies.DRAW)
    other = make_consolation(round_two, cut, make_tournament(round_two.tournament.club, name="Consolante"))
    with pytest.raises(ActionRefused, match="cut_has_consolation"):
        delete_session(session_id=round_two.pk, by=round_two.by)
    delete_session(session_id=other.pk, by=round_two.by)
    delete_session(session_id=round_two.pk, by=round_two.by)
    assert not Cut.objects.exists()


@pytest.mark.nightly("story")
def test_a_tournament_is_deleted_with_its_consolation(round_two):
    cut = make(round_two, 8, ties=CutTies.DRAW)
    drafts = make_tournament(round_two.tournament.club, name="Brouillons")
    Session.objects.filter(pk=round_two.pk).update(tournament=drafts)
    make_consolation(round_two, cut, drafts)
    delete_tournament(tournament_id=drafts.pk, by=round_two.by)
    assert not Tournament.objects.filter(pk=drafts.pk).exists()


@pytest.mark.nightly("story")
def test_the_page_of_the_tournament_says_who_plays_which_round(round_two):
    page = reverse("tournament", args=[round_two.tournament.club.slug, round_two.tournament.slug])
    before = browser_of().get(page).text
    cut = make(round_two, 8, ties=CutTies.DRAW)
    consolation = make_consolation(round_two, cut, round_two.tournament)
    text = words(browser_of().get(page))
    assert "Rounds" not in before
    assert f"Round 2: session {round_two.number} For the first 8 players of round 1" in text
    assert f"Consolation: session {consolation.number} For the players who are out" in text
    consolation.by = round_two.by
    act(undo_session_cut, consolation)
    act(undo_session_cut, round_two)
    assert "Rounds" not in browser_of().get(page).text
