"""A table's number, for who has no camera: it opens the screen as its code does, as long, and the director is told."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from clubs.guard.codes import MOST_OF_ADDRESS
from tests.factories import make_director, started_session
from tests.tournaments.browsing import browser_of
from tests.tournaments.pages import words
from tests.tournaments.tables.phones import tokens_of
from tests.tournaments.web.table.test_screen import WRONG
from tournaments.models import Session, TableToken
from tournaments.web.doors import session_url


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = started_session(positions=2)
    tokens_of(session)
    return session.pk


@pytest.fixture
def session(db, evening):
    cache.clear()
    return Session.objects.get(pk=evening)


@pytest.fixture
def tokens(session):
    return tokens_of(session)


def number_of(session, table=1):
    return TableToken.objects.get(table__session=session, table__number=table, revoked_at=None).number


def type_number(number, address="192.0.2.1", **more):
    client = Client(headers={"accept-language": "en"} | more)
    return client.post(reverse("table_number"), {"number": number}, REMOTE_ADDR=address)


def test_numbers_are_eight_digits_and_differ(session, tokens):
    numbers = {number_of(session, table) for table in tokens}
    assert len(numbers) == len(tokens)
    assert {(len(number), number.isdecimal()) for number in numbers} == {(8, True)}


def test_number_opens_its_tables_screen_and_the_director_sees_who_came(session, tokens):
    number = number_of(session)
    answer = type_number(f"{number[:4]} {number[4:]}", **{"user-agent": "Mozilla/5.0 (iPhone; CPU)"})
    assert answer.url == reverse("table_screen", args=[tokens[1]])
    line = session.log.get(action="opened_by_number")
    assert (line.params, line.device) == ({"table": 1, "address": "192.0.2.1"}, "iPhone")
    page = words(browser_of(make_director(session.tournament.club)).get(session_url("tables", session)))
    assert "from 192.0.2.1 iPhone" in page


@pytest.mark.parametrize("wrong", WRONG[:4], ids=lambda wrong: wrong.__name__)
def test_number_is_over_with_its_code(session, tokens, wrong):
    number = number_of(session)
    wrong(session, tokens[1])
    assert type_number(number).status_code == 404
    assert not session.log.filter(action="opened_by_number").exists()


@pytest.mark.parametrize("typed", ["", "  ", "abc", "1", "9" * 5000, "\x00", "١٢٣٤٥٦٧٨"])
def test_what_is_no_number_opens_nothing_and_is_answered_kindly(session, tokens, typed):
    answer = type_number(typed)
    assert answer.status_code == 404
    assert "This number opens no table" in words(answer)


def test_who_guesses_is_slowed_and_nobody_else(session, tokens):
    number = number_of(session)
    wrong = f"{(int(number) + 1) % 10**8:08}"
    answers = [type_number(wrong).status_code for _time in range(MOST_OF_ADDRESS + 1)]
    assert answers == [404] * MOST_OF_ADDRESS + [429]
    assert type_number(number).status_code == 429
    assert type_number(number, "192.0.2.2").status_code == 302


def test_hall_behind_one_address_is_not_slowed(session, tokens):
    number = number_of(session)
    assert {type_number(number).status_code for _time in range(3 * MOST_OF_ADDRESS)} == {302}
