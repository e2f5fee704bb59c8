"""The director's page about the tables' devices: which are there, and codes replaced and revoked."""

import pytest
from django.urls import reverse
from django.utils import timezone

from pages.desk.devices import row_of
from pages.doors import session_url
from tests import shared_evenings
from tests.evenings.tables.phones import Phone, tokens_of
from tests.factories import draft_session, started_session
from tests.pages.reading import read, words
from tests.pages.table.test_screen import at, visit
from tournaments.models import ArbiterCode, Session, Table, TableToken


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    session = started_session(cards=True, positions=3, etuis_per_position=2)
    tokens_of(session)
    return session.pk


@pytest.fixture
def tokens(session):
    return tokens_of(session)


director = shared_evenings.browser_of_session_director


def test_director_sees_the_devices_and_replaces_and_revokes_codes(session, tokens, director):
    Phone(tokens[1]).send("join", name="<i>Tablette</i>")
    Phone(tokens[1], "phone-two").send("join")
    page = director.get(session_url("tables", session))
    assert "<strong>&lt;i&gt;Tablette&lt;/i&gt; 1</strong> enters results, last seen at" in page.content.decode()
    assert "2 follows, last seen at" in words(page)
    assert reverse("table_screen", args=[tokens[1]]) in read(page).links
    director.post(session_url("table_renew", session, 1))
    assert [visit("table_state", token).status_code for token in (tokens[1], tokens_of(session)[1])] == [404, 200]
    director.post(session_url("table_revoke", session, 1))
    assert "code blocked" in words(director.get(session_url("tables", session)))
    assert not TableToken.objects.filter(table__number=1, revoked_at=None).exists()


def test_page_of_a_desk_only_session_offers_no_code(session, tokens, director):
    at(session, devices=Session.Devices.DESK)
    page = director.get(session_url("tables", session))
    assert "In this session only the desk enters results" in words(page)
    assert tokens[1] not in page.content.decode()
    assert director.post(session_url("table_renew", session, 1)).status_code == 404


def test_session_in_preparation_has_no_devices_yet(director, session):
    draft = draft_session(session.tournament)
    assert director.get(session_url("tables", draft)).url == session_url("session", draft)
    assert director.post(session_url("table_renew", draft, 1)).status_code == 404


@pytest.mark.parametrize("ended_at", [None, timezone.now()])
def test_code_of_the_arbiter_is_shown_until_it_has_ended(ended_at):
    code, table = ArbiterCode(ended_at=ended_at), Table(pk=1)
    table._prefetched_objects_cache = {"tokens": [TableToken(pk=1)], "devices": [], "arbiter_codes": [code]}
    row = row_of(table, {1}, None, [])
    assert (row.arbiter, row.is_spent) == ((None, True) if ended_at else (code, False))
