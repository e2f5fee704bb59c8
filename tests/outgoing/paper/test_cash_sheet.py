"""The treasurer's sheet, read back from the PDF: its sums, every payment, and the prizes."""

import datetime as dt

import pytest
from django.utils import timezone
from django.utils.translation import override

from outgoing.paper.cash_sheet import print_cash_sheet
from registration.cash.payers import write_amount
from registration.cash.payments import count_cash, give_back
from registration.cash.prizes import hand_prize, propose_prizes
from tests.deals.exports import test_pdf as reader
from tests.factories import draft_session, make_club, make_director, make_tournament, published_session
from tests.registration.cash.test_money import add_fee, arrive, open_box, pay, plan_prizes

pytestmark = pytest.mark.django_db
LATER = dt.datetime(2026, 11, 22, 9, 5, tzinfo=dt.UTC)


@pytest.fixture
def club(db):
    return make_club()


@pytest.fixture
def by(club):
    by = make_director(club)
    open_box(club, by)
    return by


def read_words(session, language):
    document = print_cash_sheet(session, language=language, now=LATER)
    return " ".join(run.strip() for page in reader.printed(document) for run in page if run.strip())


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fr", ("Feuille du trésorier", "36,00\u00a0€", "−2,00\u00a0€", "chèque", "arbitre")),
        ("en", ("Treasurer’s sheet", "€36.00", "−€2.00", "cheque", "arbitre")),
    ],
)
def test_sheet_has_the_sums_and_each_payment_in_both_languages(club, by, language, words):
    session = draft_session(make_tournament(club))
    fee = add_fee(session)
    people = [arrive(session, name, by) for name in ("Aa", "Bb", "Cc", "Dd")]
    pay(session, people[0], fee, by)
    pay(session, people[1], fee, by, way="cheque")
    pay(session, people[2], fee, by, way="free", reason="arbitre")
    back = pay(session, people[3], fee, by)
    told = {"session_id": session.pk, "by": by, "now": timezone.now()}
    give_back(payment_id=back.pk, reason="parti", **told)
    count_cash(counted=6000, float_cents=5000, **told)
    text = read_words(session, language)
    assert [word for word in words if word not in text] == []
    assert [name for name in ("Aa Zoé", "Bb Zoé", "Cc Zoé", "Dd Zoé", "parti") if name not in text] == []


def test_sheet_has_the_prizes_that_were_handed_over(club, by):
    won = published_session(make_tournament(club), by=by)
    plan_prizes(won, "1: 50")
    row = propose_prizes(won).rows[0]
    hand_prize(session_id=won.pk, player_id=row.player, seen=row.due, by=by, now=timezone.now())
    text = read_words(won, "en")
    assert row.name.split()[-1] in text
    with override("en"):
        assert write_amount(row.due) in text


def test_sheet_without_money_says_so(club, by):
    assert "Nobody has paid yet" in read_words(draft_session(make_tournament(club)), "en")
