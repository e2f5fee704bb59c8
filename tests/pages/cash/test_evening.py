"""The tests of the pages of the cash box: an evening with fees and prizes, in both languages."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings
from registration.people.applicants import NewApplicant
from registration.people.registration import walk_in
from tests.factories import draft_session, make_club, make_director, make_helper, make_tournament, published_session
from tournaments.models import Fee, Payment, PrizeHanded

pytestmark = pytest.mark.django_db


def address(name, session):
    tournament = session.tournament
    return reverse(name, args=[tournament.club.slug, tournament.slug, session.number])


def browser_of(user, language):
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    return client


@pytest.mark.nightly("story")
@pytest.mark.parametrize(("language", "amount"), [("fr", "12,50\u00a0€"), ("en", "€12.50")])
def test_an_evening_with_fees_and_prizes(language, amount):
    club = make_club()
    by, helper = make_director(club), make_helper(club)
    change_settings(club, {"keeps_cash": True}, now=timezone.now(), by=by)
    session = draft_session(make_tournament(club))
    walk_in(session_id=session.pk, asked=NewApplicant("Durand", "Zoé"), player=None, by=by, now=timezone.now())
    director, desk = browser_of(by, language), browser_of(helper, language)
    wrong = director.post(address("cash_fees", session), {"name": "Plein", "cents": "-3", "preset": "all"})
    assert (wrong.status_code, Fee.objects.count(), 'value="-3"' in wrong.text) == (200, 0, True)
    director.post(address("cash_fees", session), {"name": "Plein", "cents": "12,50", "preset": "all"})
    fee = Fee.objects.get()
    assert amount in director.get(address("cash_fees", session)).text
    assert amount in director.get(address("registration", session)).text
    assert amount in desk.get(address("cash", session)).text
    applicant = session.applicants.get()
    for _tap in range(2):
        answer = desk.post(address("cash_take", session), {"who": f"a{applicant.pk}", "fee": fee.pk})
        assert answer.status_code == 302
    paid = Payment.objects.get()
    assert (paid.cents, paid.author) == (1250, helper)
    assert desk.post(address("cash_give_back", session), {"payment": paid.pk, "reason": "x"}).status_code == 403
    assert f"payment-{paid.pk}" in director.post(address("cash_give_back", session), {"payment": paid.pk})["Location"]
    assert director.get(address("cash", session) + f"?back={paid.pk}").status_code == 200
    assert amount in director.get(address("cash_sheet", session)).text
    for kind in ("csv", "xlsx", "pdf"):
        assert director.get(address("cash_file", session) + f"?kind={kind}").status_code == 200
    assert amount not in Client().get(address("session", session)).text
    won = published_session(make_tournament(club, name="Un autre"), by=by)
    prizes = {"share": "100", "added": "50", "lines": "1: 50 %", "one_each": "on"}
    assert director.post(address("cash_prizes", won), prizes | {"lines": "zut"}).status_code == 200
    assert director.post(address("cash_prizes", won), prizes).status_code == 302
    (row, *_others) = director.get(address("cash_prizes", won)).context["proposal"].rows
    for _tap in range(2):
        director.post(address("cash_hand", won), {"player": row.player, "seen": row.due})
    assert PrizeHanded.objects.get().cents == row.due
    assert director.get(address("cash_prizes", won)).status_code == 200


def test_without_a_cash_box_the_desk_has_no_link():
    club = make_club()
    session, client = draft_session(make_tournament(club)), browser_of(make_director(club), "fr")
    assert address("cash", session) not in client.get(address("session", session)).text
    assert client.get(address("cash", session)).status_code == 200
    assert client.get(address("cash_sheet", session))["Location"] == address("cash", session)
