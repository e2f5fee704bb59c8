"""The people of an evening as the cash box sees them: one person pays once, and every payment can be given back."""

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.seating import seat_players
from registration.cash.payers import list_payers
from registration.cash.payments import PaidBy, PaymentGiven, give_back, take_payment
from registration.cash.prizes import hand_prize, propose_prizes
from registration.errors import CashRefused
from registration.people.registration import decline
from tests.registration.cash.test_money import add_fee, arrive, by, club, open_box, pay, plan_prizes, session, won
from tournaments.models import Applicant, PrizePlan

__all__ = ["by", "club", "open_box", "session", "won"]

pytestmark = pytest.mark.django_db


def list_states(session, name):
    """Return here, withdrew, owes and again of everybody with this name."""
    payers = [each for each in list_payers(session) if name in each.name]
    return [(each.here, each.withdrew, each.owes, each.again) for each in payers]


def seat_by_hand(session, name):
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine(name, "Zoé")])
    seat_players(session_id=session.pk, player_ids=[player.pk])
    return player


def pay_as_player(session, player, fee, by):
    told = {"session_id": session.pk, "given": PaymentGiven(fee.pk), "by": by, "now": timezone.now()}
    return take_payment(payer=PaidBy(player=player.pk), **told)


def test_somebody_who_paid_and_is_seated_by_hand_does_not_pay_twice(session, by):
    fee, applicant = add_fee(session), arrive(session, "Durand", by)
    paid = pay(session, applicant, fee, by)
    player = seat_by_hand(session, "Durand")
    assert list_states(session, "Durand") == [(True, False, False, False)]
    assert pay_as_player(session, player, fee, by) == paid
    assert pay(session, applicant, fee, by) == paid


def test_somebody_who_is_seated_by_hand_before_paying_pays_once(session, by):
    fee, applicant = add_fee(session), arrive(session, "Durand", by)
    player = seat_by_hand(session, "Durand")
    paid = pay(session, applicant, fee, by)
    assert (paid.applicant, paid.player) == (applicant, player)
    assert pay_as_player(session, player, fee, by) == paid


def test_a_namesake_with_a_player_of_their_own_is_not_taken_for_the_seated_one(session, by):
    fee, applicant = add_fee(session), arrive(session, "Durand", by)
    player = seat_by_hand(session, "Durand")
    other = arrive(session, "Martin", by)
    Applicant.objects.filter(pk=other.pk).update(player=player)
    pay(session, other, fee, by)
    assert [each.payment for each in list_payers(session) if each.applicant == applicant] == [None]


def test_somebody_who_withdrew_and_came_back_is_shown_as_somebody_who_plays(session, by):
    fee, before = add_fee(session), arrive(session, "Durand", by)
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Durand", "Zoé")])
    Applicant.objects.filter(pk=before.pk).update(player=player)
    paid = pay(session, before, fee, by)
    decline(session_id=session.pk, applicant_id=before.pk, by=by, now=timezone.now())
    again = arrive(session, "Durand", by)
    Applicant.objects.filter(pk=again.pk).update(player=player)
    assert list_states(session, "Durand") == [(True, False, False, False)]
    assert [each.payment for each in list_payers(session) if each.player == player] == [paid]


def test_two_payments_of_one_player_are_both_shown_and_one_is_given_back(session, by):
    fee, one, two = add_fee(session), arrive(session, "Durand", by), arrive(session, "Durant", by)
    first, second = (pay(session, each, fee, by) for each in (one, two))
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Durand", "Zoé")])
    Applicant.objects.filter(pk__in=(one.pk, two.pk)).update(player=player)
    shown = [(each.payment, each.again) for each in list_payers(session) if each.player == player]
    assert shown == [(first, False), (second, True)]
    give_back(session_id=session.pk, payment_id=second.pk, reason="deux fois", by=by, now=timezone.now())
    assert [each.payment for each in list_payers(session) if each.player == player] == [first]


def test_a_list_whose_words_have_changed_is_told_and_hands_nothing(won, by):
    plan_prizes(won, "1: 50")
    row = propose_prizes(won).rows[0]
    PrizePlan.objects.update(lines="1: 50\nzut 1: 5")
    proposal = propose_prizes(won)
    assert (proposal.unreadable.code, proposal.rows) == ("prize_list_category", [])
    with pytest.raises(CashRefused, match="prize_list_category"):
        hand_prize(session_id=won.pk, player_id=row.player, seen=row.due, by=by, now=timezone.now())
