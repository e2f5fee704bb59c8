"""The moment at which a seed may be revealed: after the last session of the last club that plays the set."""

import datetime as dt

import pytest
from django.utils import timezone

from deals.errors import DealSetRefused
from deals.models import DealSet, Etui
from deals.sets import copy_deal_set, create_deal_set, seal_deal_set
from evenings.plans.deal_sets import declare_played, give_up_copy, reveal_seed
from evenings.plans.starting import start_session
from evenings.sessions.setup import Insists, use_deal_set
from tests import shared_evenings
from tests.factories import (
    draft_session,
    enter_all,
    make_club,
    make_director,
    make_tournament,
    publish,
    published_session,
)
from tournaments.errors import ActionRefused
from tournaments.models import Session

pytestmark = pytest.mark.django_db


session = shared_evenings.started_with_cards


def reveal(deal_set):
    return reveal_seed(deal_set_id=deal_set.pk, now=timezone.now())


def refusal(deal_set):
    with pytest.raises(ActionRefused) as caught:
        reveal(deal_set)
    assert DealSet.objects.get(pk=deal_set.pk).revealed_at is None
    return caught.value.code, caught.value.params


def play(session, director):
    enter_all(session, by=director)
    publish(session, by=director)


@pytest.mark.nightly("story")
def test_seed_is_revealed_after_the_only_session(session, director):
    play(session, director)
    revealed = reveal(session.deal_set)
    assert revealed.revealed_at is not None
    assert reveal(session.deal_set).revealed_at == revealed.revealed_at


def test_seed_stays_secret_while_the_session_is_under_way(session):
    assert refusal(session.deal_set) == ("sessions_still_to_play", {"waiting": 1})


@pytest.mark.nightly("story")
def test_seed_stays_secret_while_results_are_missing(session, director):
    enter_all(session, by=director, plays=session.plays.select_related("etui")[:24])
    publish(session, by=director, allow_missing=True)
    assert refusal(session.deal_set) == ("sessions_still_to_play", {"waiting": 1})


@pytest.mark.nightly("story")
def test_seed_stays_secret_while_another_session_waits(session, director):
    use_deal_set(session_id=draft_session(session.tournament).pk, deal_set=session.deal_set)
    play(session, director)
    assert refusal(session.deal_set) == ("sessions_still_to_play", {"waiting": 1})


def copy_elsewhere(session, director):
    other = make_tournament(make_club("autre"))
    return other, copy_deal_set(deal_set=session.deal_set, club=other.club, by=director, now=timezone.now())


@pytest.mark.nightly("story")
def test_seed_stays_secret_until_the_last_club_has_played_its_copy(session, director):
    other, copy = copy_elsewhere(session, director)
    elsewhere = make_director(other.club, "autre-directrice")
    play(session, director)
    assert refusal(session.deal_set) == ("sessions_still_to_play", {"waiting": 1})
    twin = use_deal_set(session_id=draft_session(other).pk, deal_set=copy)
    assert refusal(session.deal_set) == ("sessions_still_to_play", {"waiting": 1})
    start_session(session_id=twin.pk, now=timezone.now())
    play(twin, elsewhere)
    reveal(session.deal_set)
    assert DealSet.objects.get(pk=copy.pk).revealed_at is not None


def test_copy_that_is_given_up_is_waited_for_no_longer_and_never_played(session, director):
    other, copy = copy_elsewhere(session, director)
    play(session, director)
    give_up_copy(deal_set_id=copy.pk, now=timezone.now())
    give_up_copy(deal_set_id=copy.pk, now=timezone.now())
    draft = draft_session(other)
    with pytest.raises(ActionRefused, match="set_given_up"):
        use_deal_set(session_id=draft.pk, deal_set=copy)
    assert reveal(session.deal_set).revealed_at is not None
    with pytest.raises(ActionRefused, match="seed_revealed"):
        use_deal_set(session_id=draft.pk, deal_set=copy)


def test_copy_in_use_is_not_given_up(session):
    with pytest.raises(ActionRefused, match="set_in_use"):
        give_up_copy(deal_set_id=session.deal_set_id, now=timezone.now())


def test_etuis_whose_cards_were_published_are_not_played_again(session, director):
    play(session, director)
    draft, now = draft_session(session.tournament), timezone.now()
    for reason in (None, Insists(" ", director, now)):
        with pytest.raises(ActionRefused) as caught:
            use_deal_set(session_id=draft.pk, deal_set=session.deal_set, insists=reason)
        assert (caught.value.code, caught.value.params) == ("etuis_public", {"number": 1})
    insists = Insists("démonstration à cartes ouvertes", director, now)
    use_deal_set(session_id=draft.pk, deal_set=session.deal_set, insists=insists)
    logged = draft.log.get(action="public_etuis")
    assert (logged.author, logged.params["reason"]) == (director, "démonstration à cartes ouvertes")
    assert start_session(session_id=draft.pk, now=now).plays.exists()


@pytest.mark.nightly("story")
def test_étuis_that_only_others_of_the_set_made_public_are_chosen_without_a_reason(session, director):
    play(session, director)
    more = list(range(6, 11))
    Etui.objects.bulk_create(
        Etui(deal_set=session.deal_set, number=n, taker="N", dealer="N", origin="typed", cards="x") for n in more
    )
    draft = draft_session(session.tournament)
    assert use_deal_set(session_id=draft.pk, deal_set=session.deal_set, first_etui=6).public_etuis_reason == ""
    with pytest.raises(ActionRefused, match="etuis_public"):
        use_deal_set(session_id=draft.pk, deal_set=session.deal_set, first_etui=5, needed=5)


def test_set_for_three_or_five_is_declared_played_with_a_day_and_then_revealed(session, director):
    club, now = session.tournament.club, timezone.now()
    deal_set = create_deal_set(club=club, name="à cinq", count=6, now=now, by=None, players=5)
    today = timezone.localdate(now)
    declared = {"deal_set_id": deal_set.pk, "by": director, "now": now}
    with pytest.raises(ActionRefused, match="set_not_sealed"):
        declare_played(day=today, **declared)
    seal_deal_set(deal_set=deal_set, now=now)
    assert refusal(deal_set) == ("set_not_played", {})
    for day in (today - dt.timedelta(1), today + dt.timedelta(1)):
        with pytest.raises(ActionRefused, match="played_date"):
            declare_played(day=day, **declared)
    for _ in range(2):
        assert declare_played(day=today, **declared).played_on == today
    looks = deal_set.looks.values_list("user", "kind", "document", "first_etui", "last_etui")
    assert list(looks) == [(director.pk, "played", today.isoformat(), 1, 6)]
    assert reveal(deal_set).revealed_at is not None
    with pytest.raises(ActionRefused, match="set_not_declared"):
        declare_played(deal_set_id=session.deal_set_id, day=today, by=director, now=now)


def test_copies_of_a_set_for_five_are_waited_for_until_each_club_has_played(session, director):
    now, other = timezone.now(), make_club("autre")
    deal_set = create_deal_set(club=session.tournament.club, name="à cinq", count=6, now=now, by=None, players=5)
    seal_deal_set(deal_set=deal_set, now=now)
    copy = copy_deal_set(deal_set=deal_set, club=other, by=director, now=now)
    declared = {"day": timezone.localdate(now), "by": director, "now": now}
    declare_played(deal_set_id=deal_set.pk, **declared)
    assert refusal(deal_set) == ("sessions_still_to_play", {"waiting": 1})
    declare_played(deal_set_id=copy.pk, **declared)
    assert reveal(deal_set).revealed_at is not None


def test_copy_of_a_set_that_was_declared_played_is_waited_for_all_the_same(session, director):
    now, other = timezone.now(), make_club("autre")
    deal_set = create_deal_set(club=session.tournament.club, name="à cinq", count=6, now=now, by=None, players=5)
    seal_deal_set(deal_set=deal_set, now=now)
    deal_set = declare_played(deal_set_id=deal_set.pk, day=timezone.localdate(now), by=director, now=now)
    copy = copy_deal_set(deal_set=deal_set, club=other, by=director, now=now)
    assert (copy.played_on, refusal(deal_set)) == (None, ("sessions_still_to_play", {"waiting": 1}))


def test_set_that_nobody_has_played_has_nothing_to_reveal(session):
    unused = create_deal_set(club=session.tournament.club, name="x", count=1, now=timezone.now(), by=None)
    assert refusal(unused) == ("set_not_played", {})


def test_seed_stays_secret_while_a_ranking_hides_the_cards(director):
    """Check the refusal by a set that was dealt at the tables. Once the cards are shown, it has only no seed."""
    session = published_session(by=director)
    seal_deal_set(deal_set=session.deal_set, now=timezone.now())
    rows = Session.objects.filter(pk=session.pk)
    rows.update(shows_cards=False, cards_shown_at=None)
    name = session.tournament.name
    assert refusal(session.deal_set) == ("cards_not_shown", {"name": name, "number": session.number})
    rows.update(cards_shown_at=timezone.now())
    with pytest.raises(DealSetRefused, match="no_seed"):
        reveal(session.deal_set)
