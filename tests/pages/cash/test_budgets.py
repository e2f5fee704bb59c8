"""The number of queries of the pages of the cash box: as many for 600 players as for a few."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.house import change_settings
from clubs.players import add_players
from clubs.roster import RosterLine
from pages.doors import session_url
from registration.cash.payers import FeeGiven, save_fee
from registration.cash.payments import PaidBy, PaymentGiven, take_payment
from tests.factories import draft_session, make_club, make_director, make_tournament, published_session
from tests.pages.browsing import browser_of
from tournaments.models import Applicant, Payment, PrizeHanded

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]

MOST = {"cash": 17, "cash_fees": 10, "cash_prizes": 14, "cash_sheet": 12, "cash_file": 12, "registration": 22}


@pytest.fixture
def by(db):
    by = make_director(make_club())
    change_settings(by.memberships.get().club, {"keeps_cash": True}, now=timezone.now(), by=by)
    return by


def fill(session, by, count):
    """Let so many people sign up. Half of them have paid. A third have a player, and each of those got a prize."""
    now, club = timezone.now(), session.tournament.club
    fee = save_fee(tournament=session.tournament, given=FeeGiven("Plein", 1200, "all"), now=now)
    names = [f"Payeur{number:03}" for number in range(count)]
    players = add_players(club=club, lines=[RosterLine(name, "Zoé") for name in names[::3]])
    owners = dict(zip(names[::3], players, strict=True))
    rows = Applicant.objects.bulk_create(
        Applicant(
            session=session,
            last_name=name,
            first_name="Zoé",
            key=name,
            token=f"{session.pk} {name}",
            registered_at=now,
            present_at=now,
            player=owners.get(name),
        )
        for name in names
    )
    told = {"session": session, "author": by, "at": now}
    Payment.objects.bulk_create(
        Payment(applicant=row, player=row.player, fee=fee, cents=1200, turn=0, **told) for row in rows[::2]
    )
    PrizeHanded.objects.bulk_create(PrizeHanded(player=player, cents=500, turn=0, **told) for player in players)


def count_queries(session, by, name):
    client = browser_of(by)
    client.get(session_url(name, session))
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert client.get(session_url(name, session)).status_code == 200
    return len(asked)


def test_a_payment_reads_one_applicant_of_600(by, monkeypatch):
    """Count the queries of a payment, and how many applicants it reads. Half of the people have no player yet."""
    club, found, read = by.memberships.get().club, {}, []
    monkeypatch.setattr(
        Applicant, "from_db", classmethod(lambda cls, *row: read.append(row) or super(Applicant, cls).from_db(*row))
    )
    for count in (6, 600):
        session = draft_session(make_tournament(club, name=f"De {count}"))
        fill(session, by, count)
        fee = session.tournament.fees.get()
        for name in ("Payeur001", "Payeur003"):
            who = Applicant.objects.get(session=session, key=name)
            read.clear()
            with CaptureQueriesContext(connection) as asked:
                paid = take_payment(
                    session_id=session.pk,
                    payer=PaidBy(applicant=who.pk),
                    given=PaymentGiven(fee.pk),
                    by=by,
                    now=timezone.now(),
                )
            assert (paid.applicant, paid.cents) == (who, 1200)
            found[count, name] = len(asked), len(read)
    assert [found[600, name] for name in ("Payeur001", "Payeur003")] == [
        found[6, name] for name in ("Payeur001", "Payeur003")
    ]
    assert {rows for _queries, rows in found.values()} == {1}
    assert max(queries for queries, _rows in found.values()) <= 16


@pytest.mark.parametrize("state", ["draft", "published"])
def test_pages_take_as_many_queries_for_600_players(by, state):
    club, found = by.memberships.get().club, {}
    for count in (6, 600):
        tournament = make_tournament(club, name=f"De {count}")
        session = draft_session(tournament) if state == "draft" else published_session(tournament, by=by)
        fill(session, by, count)
        pages = [name for name in MOST if state == "draft" or name != "registration"]
        found[count] = {name: count_queries(session, by, name) for name in pages}
    assert found[600] == found[6]
    assert {name: (asked, MOST[name]) for name, asked in found[600].items() if asked > MOST[name]} == {}
