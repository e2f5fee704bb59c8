"""The tests of fees, payments and prizes: each tap counts once, and nothing is lost."""

import datetime as dt

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import Player
from registration.cash.payers import FeeGiven, end_fee, list_fees, list_payers, save_fee
from registration.cash.payments import PaidBy, PaymentGiven, count_cash, give_back, make_cash_sums, take_payment
from registration.cash.prizes import hand_prize, propose_prizes, save_prize_plan, take_prize_back
from registration.errors import CashRefused
from registration.people.applicants import NewApplicant
from registration.people.registration import decline, walk_in
from registration.people.seats import seat_present
from tests.factories import draft_session, make_club, make_director, make_tournament, published_session
from tournaments.models import Applicant, CashCount, Payment, PrizeHanded, Publication

pytestmark = pytest.mark.django_db


def open_box(club, by):
    change_settings(club, {"keeps_cash": True}, now=timezone.now(), by=by)
    club.refresh_from_db()


def add_fee(session, name="Tarif plein", cents=1200, preset="all"):
    return save_fee(tournament=session.tournament, given=FeeGiven(name, cents, preset), now=timezone.now())


def arrive(session, name, by, present=True):
    asked = NewApplicant(name, "Zoé")
    walk_in(session_id=session.pk, asked=asked, player=None, by=by, now=timezone.now())
    applicant = Applicant.objects.get(session=session, last_name=name, withdrawn_at=None)
    if not present:
        Applicant.objects.filter(pk=applicant.pk).update(present_at=None)
    return applicant


def pay(session, applicant, fee, by, **more):
    given = PaymentGiven(fee.pk, more.pop("way", "cash"), more.pop("reason", ""))
    told = {"session_id": session.pk, "given": given, "by": by, "now": timezone.now()}
    return take_payment(payer=PaidBy(applicant=applicant.pk), **told, **more)


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


def find_payer(session, name):
    (payer,) = [each for each in list_payers(session) if name in each.name]
    return payer


def test_one_tap_is_there_and_paid_and_twice_is_one(session, by):
    fee, applicant = add_fee(session), arrive(session, "Durand", by, present=False)
    assert not find_payer(session, "Durand").owes
    first = pay(session, applicant, fee, by, here=True)
    assert pay(session, applicant, fee, by, here=True) == first
    payer = find_payer(session, "Durand")
    assert (payer.here, payer.owes, payer.payment) == (True, False, first)
    assert list(Payment.objects.values_list("cents", "turn")) == [(1200, 0)]


def test_the_database_refuses_a_second_payment_of_one_turn(session, by):
    fee, applicant = add_fee(session), arrive(session, "Durand", by)
    pay(session, applicant, fee, by)
    same = {"session": session, "applicant": applicant, "fee": fee, "cents": 1200, "turn": 0}
    with pytest.raises(IntegrityError), transaction.atomic():
        Payment.objects.create(**same, author=by, at=timezone.now())


def test_a_payment_given_back_once_can_be_made_again(session, by):
    fee, applicant = add_fee(session), arrive(session, "Durand", by)
    paid = pay(session, applicant, fee, by)
    told = {"session_id": session.pk, "payment_id": paid.pk, "by": by, "now": timezone.now()}
    with pytest.raises(CashRefused) as caught:
        give_back(reason=" ", **told)
    assert caught.value.code == "reason_missing"
    back = give_back(reason="malade", **told)
    assert give_back(reason="malade", **told) == back
    assert find_payer(session, "Durand").owes
    assert pay(session, applicant, fee, by).turn == 1
    assert sum(Payment.objects.values_list("cents", flat=True)) == 1200


def test_somebody_who_withdrew_pays_nothing_and_gets_back_what_was_paid(session, by):
    fee, gone, paid = add_fee(session), arrive(session, "Absent", by), arrive(session, "Payant", by)
    pay(session, paid, fee, by)
    for applicant in (gone, paid):
        decline(session_id=session.pk, applicant_id=applicant.pk, by=by, now=timezone.now())
    with pytest.raises(CashRefused) as caught:
        pay(session, gone, fee, by)
    assert caught.value.code == "payer_withdrew"
    assert [(each.name, each.withdrew) for each in list_payers(session) if each.applicant] == [("Payant Zoé", True)]


def test_the_fee_is_proposed_by_membership_and_age(session, by):
    for name, cents, preset in (("Tous", 1000, "all"), ("Membres", 600, "member"), ("Jeunes", 300, "youth")):
        add_fee(session, name, cents, preset)
    club = session.tournament.club
    for name, until, category in (
        ("Membre", session.date, ""),
        ("Ancien", session.date - dt.timedelta(days=1), ""),
        ("Jeune", session.date, "junior"),
    ):
        player = club.players.create(last_name=name, first_name="Zoé", person=club_person())
        Player.objects.filter(pk=player.pk).update(member_until=until, category=category)
        arrive(session, name, by)
    arrive(session, "Nouveau", by)
    names = ("Membre", "Ancien", "Jeune", "Nouveau")
    assert [find_payer(session, name).fee.cents for name in names] == [600, 1000, 300, 1000]


def club_person():
    from clubs.models import Person

    return Person.objects.create()


def test_a_fee_changed_after_payments_leaves_them(session, by):
    fee, applicant, late = add_fee(session), arrive(session, "Durand", by), arrive(session, "Petit", by)
    paid = pay(session, applicant, fee, by)
    told = {"tournament": session.tournament, "now": timezone.now()}
    newer = save_fee(given=FeeGiven("Tarif plein", 1500, "all"), fee_id=fee.pk, **told)
    assert save_fee(given=FeeGiven("Tarif plein", 1500, "all"), **told) == newer
    with pytest.raises(CashRefused) as caught:
        pay(session, late, fee, by)
    assert caught.value.code == "fee_unknown"
    paid.refresh_from_db()
    assert (paid.cents, pay(session, late, newer, by).cents) == (1200, 1500)
    end_fee(fee_id=newer.pk, **told)
    assert list_fees(session.tournament) == []


def test_a_payment_follows_the_player_to_the_seat(session, by):
    fee, applicant = add_fee(session), arrive(session, "Durand", by)
    paid = pay(session, applicant, fee, by)
    seat_present(session_id=session.pk, answers={}, by=by, now=timezone.now())
    payer = find_payer(session, "Durand")
    assert (payer.payment, payer.owes) == (paid, False)
    told = {"session_id": session.pk, "given": PaymentGiven(fee.pk), "by": by, "now": timezone.now()}
    assert take_payment(payer=PaidBy(player=payer.player.pk), **told) == paid


def test_nothing_is_paid_without_a_cash_box(club, by):
    session = draft_session(make_tournament(club))
    with pytest.raises(CashRefused) as caught:
        add_fee(session)
    assert caught.value.code == "cash_off"


def test_the_treasurer_sees_free_ones_and_the_difference(session, by):
    fee = add_fee(session)
    people = [arrive(session, name, by) for name in ("Aa", "Bb", "Cc", "Dd")]
    pay(session, people[0], fee, by)
    pay(session, people[1], fee, by, way="cheque")
    with pytest.raises(CashRefused):
        pay(session, people[2], fee, by, way="free")
    pay(session, people[2], fee, by, way="free", reason="arbitre")
    back = pay(session, people[3], fee, by)
    told = {"session_id": session.pk, "by": by, "now": timezone.now()}
    give_back(payment_id=back.pk, reason="parti", **told)
    for _again in range(2):
        count_cash(counted=6000, float_cents=5000, **told)
    sums = make_cash_sums(session)
    assert (sums.taken, sums.returned, sums.free, sums.cash) == (3600, 1200, 1, 1200)
    assert (sums.expected, sums.difference, CashCount.objects.count()) == (6200, -200, 1)


@pytest.fixture
def won(club, by):
    open_box(club, by)
    return published_session(make_tournament(club), by=by)


def plan_prizes(session, lines, added=10000, **more):
    given = {"share": 100, "added": added, "lines": lines, "one_each": True} | more
    return save_prize_plan(session_id=session.pk, given=given)


def test_prizes_follow_the_published_ranking_and_are_handed_once(won, by):
    plan_prizes(won, "1: 50 %\n2: 20,00")
    proposal = propose_prizes(won)
    assert proposal.total + proposal.rest == 7000
    row = proposal.rows[0]
    told = {"session_id": won.pk, "player_id": row.player, "seen": row.due, "by": by, "now": timezone.now()}
    assert hand_prize(**told).cents == row.due
    assert hand_prize(**told) is None
    assert take_prize_back(**told).cents == -row.due
    assert take_prize_back(**told) is None
    assert hand_prize(**told).turn == 2
    assert sum(PrizeHanded.objects.values_list("cents", flat=True)) == row.due


def test_a_change_shows_the_difference_and_takes_nothing_back(won, by):
    plan_prizes(won, "1: 50")
    row = propose_prizes(won).rows[0]
    told = {"session_id": won.pk, "player_id": row.player, "by": by, "now": timezone.now()}
    hand_prize(seen=row.due, **told)
    plan_prizes(won, "1: 80")
    more = propose_prizes(won).rows[0]
    assert (more.handed, more.missing) == (row.due, more.due - row.due)
    with pytest.raises(CashRefused) as caught:
        hand_prize(seen=row.due, **told)
    assert caught.value.code == "prize_changed"
    hand_prize(seen=more.due, **told)
    plan_prizes(won, "")
    assert [(each.due, each.missing) for each in propose_prizes(won).rows] == [(0, -more.due)]


def test_a_ranking_taken_back_makes_nothing_due(won, by):
    plan_prizes(won, "1: 50")
    row = propose_prizes(won).rows[0]
    told = {"session_id": won.pk, "player_id": row.player, "seen": row.due, "by": by, "now": timezone.now()}
    hand_prize(**told)
    Publication.objects.filter(session=won).update(status="withdrawn", reason="faux")
    proposal = propose_prizes(won)
    assert (proposal.version, [each.missing for each in proposal.rows]) == (None, [-row.due])
    with pytest.raises(CashRefused) as caught:
        hand_prize(**told)
    assert caught.value.code == "prizes_unpublished"


def test_prizes_above_the_pot_are_not_handed(won, by):
    plan_prizes(won, "1: 50", added=4000)
    proposal = propose_prizes(won)
    row = proposal.rows[0]
    told = {"session_id": won.pk, "player_id": row.player, "seen": row.due, "by": by, "now": timezone.now()}
    with pytest.raises(CashRefused) as caught:
        hand_prize(**told)
    assert (proposal.exceeds, caught.value.code) == (1000, "prizes_exceed_pot")


def test_a_list_that_cannot_be_read_is_refused(won):
    with pytest.raises(CashRefused) as caught:
        plan_prizes(won, "1: 50\nzut")
    assert (caught.value.code, caught.value.field) == ("prize_list_line", "lines")
