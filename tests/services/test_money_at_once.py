"""Two connections at once, on PostgreSQL: a payment, a prize and a cut are each made once."""

import pytest
from django.utils import timezone

from clubs.house import change_settings
from registration.cash.payers import FeeGiven, save_fee
from registration.cash.payments import PaidBy, PaymentGiven, give_back, take_payment
from registration.cash.prizes import hand_prize, propose_prizes, save_prize_plan
from registration.people.applicants import NewApplicant
from registration.people.cuts import CutGiven, list_sources, make_session_cut
from registration.people.registration import walk_in
from tests.factories import draft_session, make_club, make_director, make_tournament, published_session
from tests.services.test_standings_jobs import in_threads
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, Cut, Payment, PrizeHanded

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


@pytest.fixture
def club(transactional_db):
    return make_club()


@pytest.fixture
def by(club):
    by = make_director(club)
    change_settings(club, {"keeps_cash": True}, now=timezone.now(), by=by)
    return by


@pytest.fixture
def session(club, by):
    return draft_session(make_tournament(club))


def answer_of(service, **given):
    """Return the id of the row that a service makes, or the code of its refusal."""
    try:
        row = service(now=timezone.now(), **given)
    except ActionRefused as refusal:
        return refusal.code
    return row and row.pk


def test_one_person_at_two_desks_pays_once_and_gets_it_back_once(session, by):
    fee = save_fee(tournament=session.tournament, given=FeeGiven("Plein", 1200, "all"), now=timezone.now())
    walk_in(session_id=session.pk, asked=NewApplicant("Durand", "Zoé"), by=by, now=timezone.now())
    payer = PaidBy(applicant=Applicant.objects.get().pk)
    told = {"session_id": session.pk, "by": by}
    paid = in_threads([lambda: answer_of(take_payment, payer=payer, given=PaymentGiven(fee.pk), **told)] * 3)
    assert paid == [Payment.objects.get().pk] * 3
    back = in_threads([lambda: answer_of(give_back, payment_id=paid[0], reason="malade", **told)] * 3)
    assert back == [Payment.objects.get(reverses=paid[0]).pk] * 3
    assert sum(Payment.objects.values_list("cents", flat=True)) == 0


def test_a_prize_ticked_at_two_desks_is_handed_over_once(club, by):
    won = published_session(make_tournament(club), by=by)
    save_prize_plan(session_id=won.pk, given={"share": 100, "added": 10000, "lines": "1: 50", "one_each": True})
    row = propose_prizes(won).rows[0]
    told = {"session_id": won.pk, "player_id": row.player, "seen": row.due, "by": by}
    answers = in_threads([lambda: answer_of(hand_prize, **told)] * 3)
    handed = PrizeHanded.objects.get()
    assert sorted(answers, key=bool) == [None, None, handed.pk]
    assert handed.cents == row.due


def test_two_directors_who_cut_at_once_make_one_cut(club, by):
    tournament = make_tournament(club)
    published_session(tournament, by=by)
    session = draft_session(tournament)
    key = list_sources(session)[0].key
    told = {"session_id": session.pk, "by": by}
    same = in_threads([lambda: answer_of(make_session_cut, given=CutGiven(key, 8), **told)] * 2)
    cut = Cut.objects.get()
    assert same == [cut.pk, cut.pk]
    assert Applicant.objects.filter(session=session, by_cut=True).count() >= 8
    assert session.log.filter(action="cut_made").count() == 1


def test_of_two_directors_who_cut_differently_one_is_refused(club, by):
    tournament = make_tournament(club)
    published_session(tournament, by=by)
    session = draft_session(tournament)
    key = list_sources(session)[0].key
    told = {"session_id": session.pk, "by": by}
    answers = in_threads(
        [lambda places=places: answer_of(make_session_cut, given=CutGiven(key, places), **told) for places in (4, 8)]
    )
    assert sorted(answers, key=str) == [Cut.objects.get().pk, "cut_made_already"]
