"""The personal data of the cash box: whose payments an export has, and what remains of an erased or merged player."""

import datetime as dt

import pytest
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.tournaments import delete_money
from archives.privacy.whom import whom_of_account, whom_of_player
from clubs.models import Player
from clubs.players import add_players
from clubs.roster import RosterLine
from registration.cash.payments import give_back
from registration.cash.prizes import hand_prize, propose_prizes
from registration.people.merging import merge_players, undo_merge
from tests.archives.privacy.test_export import export, rows
from tests.factories import draft_session, make_club, make_director, make_tournament, make_user, published_session
from tests.registration.agenda.evenings import make_evening
from tests.registration.cash.test_money import add_fee, arrive, open_box, pay, plan_prizes
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, CashCount, Payment

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db):
    return make_club()


@pytest.fixture
def by(club):
    return make_director(club)


@pytest.fixture
def session(club, by):
    open_box(club, by)
    return draft_session(make_tournament(club))


def add_player(club, name):
    (player,) = add_players(club=club, lines=[RosterLine(name, "Zoé")])
    return Player.objects.select_related("club", "person").get(pk=player.pk)


def pay_as(session, player, by, **more):
    """Let a player sign up and pay."""
    applicant = arrive(session, player.last_name, by)
    Applicant.objects.filter(pk=applicant.pk).update(player=player)
    applicant.refresh_from_db()
    fee = session.tournament.fees.first() or add_fee(session)
    return pay(session, applicant, fee, by, **more)


@pytest.mark.nightly("story")
def test_a_person_has_their_own_payments_and_the_amounts(session, club, by):
    player = add_player(club, "Durand")
    pay_as(session, player, by)
    pay_as(session, add_player(club, "Petit"), by)
    (row,) = rows(export(whom_of_player(player)), "payments")
    assert (row["fee"], row["cents"], row["way"], row["turn"]) == ("Tarif plein", 1200, "cash", 0)


@pytest.mark.guard("what an export keeps from a personal link")
def test_a_personal_link_shows_no_amount_no_way_and_no_reason(session, club, by):
    player = add_player(club, "Durand")
    paid = pay_as(session, player, by, way="free", reason="demandeur d’emploi")
    files = export(whom_of_player(player, by_link=True))
    (row,) = rows(files, "payments")
    assert not {"cents", "way", "reason"} & row.keys()
    assert row["number"] == paid.pk
    assert "emploi" not in "".join(files.values())


@pytest.mark.nightly("story")
def test_prize_money_has_no_amount_for_a_personal_link(club, by):
    open_box(club, by)
    won = published_session(make_tournament(club), by=by)
    plan_prizes(won, "1: 50")
    row = propose_prizes(won).rows[0]
    hand_prize(session_id=won.pk, player_id=row.player, seen=row.due, by=by, now=timezone.now())
    player = Player.objects.select_related("club", "person").get(pk=row.player)
    assert [each["cents"] for each in rows(export(whom_of_player(player)), "prizes")] == [row.due]
    (told,) = rows(export(whom_of_player(player, by_link=True)), "prizes")
    assert "cents" not in told


@pytest.mark.nightly("story")
def test_who_signed_up_a_friend_does_not_get_the_friends_payment(session, club, by):
    user, friend = make_user("signer"), add_player(club, "Ami")
    pay_as(session, friend, by)
    alone = arrive(session, "Inconnu", by)
    pay(session, alone, session.tournament.fees.get(), by)
    Applicant.objects.filter(session=session).update(user=user)
    told = rows(export(whom_of_account(user)), "payments")
    assert [each["number"] for each in told] == [Payment.objects.get(applicant=alone).pk]


@pytest.mark.guard("money stays when a player is erased")
def test_payments_of_an_erased_player_stay_under_a_number(session, club, by):
    player = add_player(club, "Durand")
    paid = pay_as(session, player, by, way="free", reason="Durand Zoé est arbitre")
    give_back(session_id=session.pk, payment_id=paid.pk, reason="parti", by=by, now=timezone.now())
    erase(whom_of_player(player), by=by, now=timezone.now())
    first, back = Payment.objects.order_by("pk")
    assert (first.player_id, back.player_id, first.cents) == (player.pk, player.pk, 0)
    assert "Durand" not in first.reason
    assert first.player.name.startswith("Joueur") or "Player" in first.player.name


def test_payments_and_prizes_follow_a_merged_player_and_come_back(session, club, by):
    kept, gone = add_player(club, "Durand"), add_player(club, "Durant")
    until = dt.date(2027, 8, 31)
    Player.objects.filter(pk=gone.pk).update(member_until=until)
    paid = pay_as(session, gone, by)
    told = {"club": club, "by": by, "now": timezone.now()}
    made = merge_players(kept_id=kept.pk, gone_id=gone.pk, **told)
    paid.refresh_from_db()
    kept.refresh_from_db()
    assert (paid.player, kept.member_until) == (kept, until)
    undo_merge(merge_id=made.pk, **told)
    paid.refresh_from_db()
    kept.refresh_from_db()
    assert (paid.player, kept.member_until) == (gone, None)


def test_two_players_who_both_paid_are_not_merged(session, club, by):
    kept, gone = add_player(club, "Durand"), add_player(club, "Durant")
    for player in (kept, gone):
        pay_as(session, player, by)
    with pytest.raises(ActionRefused, match="merge_stuck"):
        merge_players(club=club, kept_id=kept.pk, gone_id=gone.pk, by=by, now=timezone.now())


def test_money_older_than_its_time_goes_and_the_rest_stays(club, by):
    evening = make_evening("2026-11-20", club=club)
    old, new = [CashCount.objects.create(session=evening, counted=12, author=by, at=timezone.now()) for _row in "ab"]
    delete_money([old])
    assert list(CashCount.objects.all()) == [new]
    delete_money([])
    assert list(CashCount.objects.all()) == [new]
