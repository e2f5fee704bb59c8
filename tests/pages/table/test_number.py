"""The number of a table, for people without a camera: it opens the screen as the code does, and directors see it."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from clubs.guard.counting import MOST_CODES_OF_ADDRESS
from pages.doors import session_url
from tests.evenings.tables.phones import tokens_of
from tests.factories import make_director, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.pages.table.test_screen import WRONG
from tournaments.codes import UNMISTAKABLE
from tournaments.models import Session, TableToken


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


def test_numbers_have_twelve_signs_that_nobody_mistakes_and_differ(session, tokens):
    numbers = {number_of(session, table) for table in tokens}
    assert len(numbers) == len(tokens)
    assert {len(number) for number in numbers} == {12}
    assert set("".join(numbers)) <= set(UNMISTAKABLE)


@pytest.mark.parametrize(
    "spell",
    [
        str.lower,
        lambda number: "-".join((number[:4], number[4:8], number[8:])),
        lambda number: f"\N{NO-BREAK SPACE}{number[:6]} . {number[6:].lower()} ",
        lambda number: number.replace("A", "À").replace("E", "É").replace("C", "ç"),
        lambda number: number.translate(str.maketrans("ACEHKMPTXY", "АСЕНКМРТХУ")),
        lambda number: number.translate(str.maketrans("ACDE34", "ＡＣＤＥ３４")),
    ],
)
def test_number_is_read_however_it_is_typed(session, tokens, spell):
    assert type_number(spell(number_of(session))).url == reverse("table_screen", args=[tokens[1]])


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("ACDE FGHJ KMN", "11 were typed"),
        ("a", "1 was typed"),
        ("ACDE FGHJ KMN0", "No code contains 0"),
        ("ACDE FGHJ 5OLB", "No code contains 5, B, L, O"),
    ],
)
def test_what_cannot_be_a_number_is_told_why_and_is_not_counted(session, tokens, typed, said):
    answers = [type_number(typed) for _time in range(MOST_CODES_OF_ADDRESS + 1)]
    assert {(answer.status_code, said in words(answer)) for answer in answers} == {(404, True)}
    assert typed in answers[0].content.decode()


def test_number_of_eight_digits_that_was_printed_before_opens_until_its_evening_ends(session, tokens):
    TableToken.objects.filter(token=tokens[1]).update(number="01234567")
    assert type_number("0123 4567").url == reverse("table_screen", args=[tokens[1]])


def test_number_opens_its_tables_screen_and_the_director_sees_who_came(session, tokens):
    number = number_of(session)
    answer = type_number(f"{number[:4]} {number[4:8]} {number[8:]}", **{"user-agent": "Mozilla/5.0 (iPhone; CPU)"})
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
    assert "A code has twelve letters and digits" in words(answer)


def test_who_guesses_is_slowed_and_nobody_else(session, tokens):
    number = number_of(session)
    wrong = other_than(number)
    answers = [type_number(wrong).status_code for _time in range(MOST_CODES_OF_ADDRESS + 1)]
    assert answers == [404] * MOST_CODES_OF_ADDRESS + [429]
    assert type_number(number).status_code == 429
    assert type_number(number, "192.0.2.2").status_code == 302


def other_than(number):
    return number[:-1] + ("A" if number[-1] != "A" else "C")


def test_device_that_opened_one_before_is_kept_out_by_nobody(session, tokens, clock):
    number, known = number_of(session), Client()
    assert known.post(reverse("table_number"), {"number": number}).status_code == 302
    wrong = {"number": other_than(number)}
    for _time in range(MOST_CODES_OF_ADDRESS):
        Client().post(reverse("table_number"), wrong)
    assert Client().post(reverse("table_number"), {"number": number}).status_code == 429
    assert [known.post(reverse("table_number"), wrong).status_code for _time in range(6)] == [404] * 5 + [429]
    clock.now += 10
    assert known.post(reverse("table_number"), {"number": number}).status_code == 302


@pytest.mark.nightly("story")
def test_hall_behind_one_address_is_not_slowed(session, tokens):
    number = number_of(session)
    assert {type_number(number).status_code for _time in range(3 * MOST_CODES_OF_ADDRESS)} == {302}
