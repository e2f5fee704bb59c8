"""The arbiter's codes as rows: what each step stores, logs and refuses. `web/table/test_arbiter` has their pages."""

import datetime as dt

import pytest

from evenings.tables.devices import CodeAnswer, leave_table, let_in, make_code
from tests.evenings.tables.values import NOW
from tests.factories import started_session
from tournaments.errors import ActionRefused
from tournaments.models import ArbiterCode, Session
from tournaments.permissions import digest_secret, find_arbiter

TEN = dt.timedelta(minutes=10)
LATER = NOW + dt.timedelta(minutes=9)


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session(positions=1).pk


@pytest.fixture
def table(session):
    return session.tables.select_related("session__tournament__club").get(number=1)


@pytest.fixture
def code(table, director):
    return make_code(table=table, by=director, now=NOW)


def wrong(code):
    return f"{(int(code.code) + 1) % 10**8:08}"


def stored(code):
    """Return the fields of the code that change, as the database has them."""
    return ArbiterCode.objects.values_list(
        "code", "grant", "tries_left", "made_at", "expires_at", "came_at", "ended_at"
    ).get(pk=code.pk)


def list_logged(table, director):
    rows = table.session.log.filter(action__startswith="arbiter").order_by("id")
    assert {(row.author, row.words, *row.params.items()) for row in rows} <= {(director, "table 1", ("table", 1))}
    return [(row.action, row.at) for row in rows]


def test_code_has_eight_digits_and_ends_the_one_before(table, director, code):
    assert (len(code.code), code.code.isdigit(), code.table, code.author) == (8, True, table, director)
    assert stored(code) == (code.code, "", 50, NOW, NOW + TEN, None, None)
    newer = make_code(table=table, by=director, now=LATER)
    assert stored(code) == ("", "", 50, NOW, NOW + TEN, None, LATER)
    assert stored(newer) == (newer.code, "", 50, LATER, LATER + TEN, None, None)
    assert list_logged(table, director) == [("arbiter_code_made", NOW), ("arbiter_code_made", LATER)]


def test_typed_code_gives_a_grant_for_ten_minutes_more_and_works_no_more(table, director, code):
    typed = code.code
    answer = let_in(table=table, code=typed, now=LATER)
    assert stored(code) == ("", digest_secret(answer.grant), 50, NOW, LATER + TEN, LATER, None)
    assert (answer.is_spent, find_arbiter(table, answer.grant, LATER)) == (False, code)
    for again in (typed, ""):
        assert let_in(table=table, code=again, now=LATER) == CodeAnswer("", is_spent=False)
    assert list_logged(table, director) == [("arbiter_code_made", NOW), ("arbiter_came", LATER)]


def test_wrong_codes_are_counted_and_the_last_try_ends_the_code(table, director, code):
    ArbiterCode.objects.filter(pk=code.pk).update(tries_left=2)
    typed = code.code
    assert let_in(table=table, code=wrong(code), now=NOW) == CodeAnswer("", is_spent=False)
    assert stored(code) == (typed, "", 1, NOW, NOW + TEN, None, None)
    assert let_in(table=table, code=wrong(code), now=LATER) == CodeAnswer("", is_spent=True)
    assert stored(code) == ("", "", 0, NOW, NOW + TEN, None, LATER)
    assert let_in(table=table, code=typed, now=LATER) == CodeAnswer()
    assert list_logged(table, director) == [("arbiter_code_made", NOW), ("arbiter_code_spent", LATER)]


def test_director_who_leaves_the_table_ends_the_code_once(table, director, code):
    grant = let_in(table=table, code=code.code, now=NOW).grant
    for _time in range(2):
        leave_table(table=table, now=LATER)
    assert stored(code) == ("", "", 50, NOW, NOW + TEN, NOW, LATER)
    assert find_arbiter(table, grant, NOW) is None
    made, came, left = list_logged(table, director)
    assert (made, came, left) == (("arbiter_code_made", NOW), ("arbiter_came", NOW), ("arbiter_left", LATER))


def test_each_step_is_refused_where_the_session_is_not_under_way(table, director, code):
    Session.objects.filter(pk=table.session_id).update(closed_at=NOW)
    with pytest.raises(ActionRefused, check=lambda refused: refused.code == "session_closed"):
        make_code(table=table, by=director, now=NOW)
    Session.objects.filter(pk=table.session_id).update(closed_at=None, status="draft", started_at=None)
    for step in (
        lambda: make_code(table=table, by=director, now=NOW),
        lambda: let_in(table=table, code=code.code, now=NOW),
        lambda: leave_table(table=table, now=NOW),
    ):
        with pytest.raises(ActionRefused, check=lambda refused: refused.code == "session_not_started"):
            step()
    assert stored(code) == (code.code, "", 50, NOW, NOW + TEN, None, None)
