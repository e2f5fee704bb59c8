"""The stamps of screens: the same stamp means the same screen, for tables' devices, the hall screen and the desk."""

import datetime as dt
import re
import uuid
from contextlib import suppress

import pytest
from django.db import connection, transaction
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st

from evenings.changes.carry_out import change_session, number_of_plan, undo_change
from evenings.glance import get_table_for_token
from evenings.plays import desk_state, ruling
from evenings.plays.common import kept_common
from evenings.sessions import running
from evenings.sessions.running import close_session, reopen_session
from evenings.sessions.setup import edit_session
from evenings.standings import computing
from evenings.tables import devices
from evenings.tables.commands import receive
from evenings.tables.here import Here
from evenings.tables.state import build_table_state, glance_of, stamp_of
from pages.desk import desk, hall, settled
from pages.desk.settled import settled_of
from pages.doors import address_of, session_url
from rankings.publication.publishing import SESSIONS, Terms
from tests.evenings.plays.test_state import Evening
from tests.evenings.tables.phones import command, tokens_of
from tests.examples import draw_examples
from tests.factories import enter, enter_all, make_director, started_session
from tournaments.errors import ActionRefused, Conflict
from tournaments.locks import lock_play, lock_session
from tournaments.models import ArbiterCall, Session, Table, TableToken
from tournaments.permissions import get_session_for, kept_session
from tournaments.rules.operations import Leave
from tournaments.versions import DirectorWord
from tournaments.words import stamps

PHONES = ("phone-one", "phone-two")
TICKS = re.compile(r'data-now="[^"]*"|data-clock-figure\s*>[^<]*<|csrfmiddlewaretoken" value="[^"]*"|seen=\w+')


class Hall(Evening):
    """A session to which everything can happen: to its plays, by its tables' devices, by its director, and by time."""

    def __init__(self, session, director):
        super().__init__(session, director)
        self.tokens = tokens_of(session)
        self.known = {}

    def happen(self, deed, number, variant):
        self.now += dt.timedelta(seconds=1)
        with suppress(ActionRefused, Conflict), transaction.atomic():
            getattr(self, deed)(self.find_play(number), variant)

    def find_play(self, number):
        """Return this play or, if a change of plan has removed it, another one that exists."""
        plays = self.session.plays.select_related("etui", "table").order_by("pk")
        return plays.filter(pk=self.plays[number].pk).first() or plays[number]

    def tell(self, kind, at, variant, **fields):
        told = command(kind, **fields)
        receive(Here(at.table), PHONES[variant % 2], told, self.now)

    def say(self, play, variant):
        """Send a command that is about no play."""
        self.tell(("join", "take_over", "leave", "call")[variant], play, variant)

    def take_call_back(self, play, variant):
        self.tell("uncall", play, variant)

    def start(self, play, variant):
        self.tell("start", play, 0, play=play)

    def check(self, play, variant):
        seen = self.version(play)
        self.tell("check", play, variant, play=play, version=seen, agrees=variant > 0, seat="NESW"[variant])

    def set_aside_at_the_table(self, play, variant):
        self.tell(("not_played", "undo_not_played")[variant % 2], play, 0, play=play)

    def answer(self, play, variant):
        for call in ArbiterCall.objects.filter(session=self.session, table=play.table):
            ruling.answer_call(session_id=self.session.pk, call_id=call.pk, **self.said)

    def let_time_pass(self, play, variant):
        self.now += dt.timedelta(minutes=(1, 4, 6, 30)[variant])

    def call_position(self, play, variant):
        at = Session.objects.get(pk=self.session.pk).position
        if variant:
            running.call_position(session_id=self.session.pk, position=at + 1, **self.said)
        else:
            running.take_back_call(session_id=self.session.pk, position=at, **self.said)

    def set_clock(self, play, variant):
        if variant < 2:
            (running.stop_clock, running.resume_clock)[variant](session_id=self.session.pk, **self.said)
        else:
            clock = running.clock_of(Session.objects.get(pk=self.session.pk))
            running.move_clock(session_id=self.session.pk, minutes=(5, -5)[variant - 2], seen=str(clock), **self.said)

    def last_call(self, play, variant):
        at = Session.objects.get(pk=self.session.pk).position
        table = play.table.number if variant % 2 else None
        if variant > 1:
            running.take_back_last_call(session_id=self.session.pk, position=at, table=table, **self.said)
        else:
            running.last_call(session_id=self.session.pk, position=at, table=table, unstarted="later", **self.said)

    def set_up(self, play, variant):
        change = ({"shows_after": "topage"}, {"shows_after": "ranking"}, {"check_by": "blind"}, {"check_by": "none"})
        edit_session(session_id=self.session.pk, **self.said, **change[variant])

    def compute(self, play, variant):
        computing.refresh(self.session.pk, now=self.now)

    def publish(self, play, variant):
        SESSIONS.publish(self.session.pk, DirectorWord(**self.said), Terms(allow_missing=True))

    def close(self, play, variant):
        if variant > 1:
            reopen_session(session_id=self.session.pk, reason="étui oublié", **self.said)
        else:
            close_session(session_id=self.session.pk, **self.said)

    def play_too(self, play, variant):
        if variant:
            ruling.declare_playing(session_id=self.session.pk, entrant_id=play.north_id, **self.said)
        else:
            ruling.lift_hiding(session_id=self.session.pk, **self.said)

    def change_plan(self, play, variant):
        session, seen = self.session, number_of_plan(self.session)
        if variant:
            gone = Leave((play.north_id,), after=variant)
            change_session(session_id=session.pk, operation=gone, choice=0, seen=seen, **self.said)
        else:
            undo_change(session_id=session.pk, seen=seen, **self.said)

    def renew_code(self, play, variant):
        code = devices.renew_token(table=play.table, **self.said)
        self.tokens[play.table.number] = code.token

    # The screens that everybody sees

    def look(self):
        kept_common.cache_clear()  # as another process of the site reads it
        kept_session.cache_clear()
        for table in (1, 2):
            for device in PHONES:
                self.compare(*self.of_table(self.tokens[table], device))
        session = get_session_for(self.director, 2, pk=self.session.pk)
        glance = hall.glance_in(address_of(session), self.now, self.director)
        for asked in (hall.HallQuery(), hall.HallQuery(by_table=True)):
            shown = hall.HallView(session, asked, settled_of(session, glance.names), now=self.now)
            page = render_to_string("hall/_live.html", {"session": session, "hall": shown})
            self.compare(asked.stamp(glance), TICKS.sub("", page))
        request = RequestFactory().get("/", {"show": "look"} if self.now.minute % 2 else {})
        request.user = self.director
        stamp, shown = (
            desk.stamp_for(request, glance),
            desk.make_desk_context(request, desk.read_desk(request, session, glance)),
        )
        page = render_to_string("desk/_progress.html", shown)
        self.compare(stamp, TICKS.sub("", page))

    def of_table(self, token, device):
        glance = glance_of(token, device, now=self.now)
        table = get_table_for_token(token, self.now)
        return stamp_of(glance, device), build_table_state(Here(table), device, stamp="", now=self.now) | {"now": ""}

    def compare(self, stamp, shown):
        assert self.known.setdefault(stamp, shown) == shown


HELPERS = {"__init__", "happen", "find_play", "tell", "look", "of_table", "compare", "sent", "version"}
NOT_BY_ANYBODY = {"lay_out_as_replay", "stand_in"}  # the services do not write these
DEEDS = [
    name
    for name in dir(Hall)
    if callable(getattr(Hall, name)) and not name.startswith("_") and name not in HELPERS | NOT_BY_ANYBODY
]
histories = st.lists(
    st.tuples(st.sampled_from(sorted(DEEDS)), st.sampled_from(range(3)), st.sampled_from(range(4))),
    min_size=6,
    max_size=14,
)
# The screens show an answered call for five minutes, and the next position when the clock is nearly at its end.
STORIES = [
    [("change_plan", 1, 1), ("say", 1, 0), ("start", 1, 0), ("publish", 0, 1), ("renew_code", 2, 3)],
    [("say", 0, 0), ("say", 0, 3), ("answer", 0, 0), ("let_time_pass", 0, 1), ("let_time_pass", 0, 0)],
    [("say", 0, 0), ("start", 0, 0), ("say", 0, 3), ("take_call_back", 0, 0), ("say", 1, 0), ("start", 1, 0)],
    [("call_position", 0, 1), ("let_time_pass", 0, 2), ("let_time_pass", 0, 0), ("let_time_pass", 0, 3)],
    [
        ("set_up", 0, 0), ("say", 0, 0), ("enter_at_the_desk", 0, 0), ("compute", 0, 0), ("enter_at_the_desk", 1, 1),
        ("compute", 0, 0), ("enter_at_the_desk", 2, 0), ("compute", 0, 0), ("correct_at_the_desk", 1, 3),
        ("compute", 0, 0), ("call_position", 0, 1), ("call_position", 0, 1), ("withdraw", 0, 0), ("compute", 0, 0),
    ],
    [
        ("set_up", 0, 0), ("say", 0, 0), ("enter_at_the_table", 0, 0), ("enter_at_the_table", 1, 1), ("check", 0, 1),
        ("compute", 0, 0), ("set_up", 0, 1), ("compute", 0, 0), ("publish", 0, 0),
    ],
    [("enter_at_the_desk", 0, 0), ("close", 0, 0), ("publish", 0, 0), ("close", 0, 2), ("publish", 0, 0)],
]  # fmt: skip


@pytest.fixture
def evening(db):
    session = started_session()
    return Hall(session, make_director(session.tournament.club))


def follow(evening, history):
    with transaction.atomic():
        desk_state.kept.clear()
        settled.kept.clear()
        evening = Hall(evening.session, evening.director)
        evening.look()
        for deed, number, variant in history:
            evening.happen(deed, number, variant)
            evening.look()
        transaction.set_rollback(True)


@pytest.mark.nightly("crawl")
@draw_examples(
    8,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(histories)
def test_same_stamp_means_the_same_screen_whatever_has_happened(evening, history):
    follow(evening, history)


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("story", STORIES)
def test_same_stamp_means_the_same_screen_when_time_passes(evening, story):
    follow(evening, story)


def test_stamp_is_another_one_in_another_language_and_after_a_deployment(monkeypatch):
    made = set()
    for language in ("fr", "en"):
        with override(language):
            made.add(stamps.make_stamp("a", 1))
    monkeypatch.setattr(stamps, "site_version", lambda: "the next one")
    made.add(stamps.make_stamp("a", 1))
    assert len(made) == 3


def test_nothing_written_after_a_restored_backup_has_a_stamp_that_a_screen_holds(evening):
    """Check as many other writes as were lost: the counters do not return to their old values."""
    tables = Table.objects.filter(pk=evening.plays[0].table_id)
    revisions = tables.values_list("revision", "session__revision")
    with transaction.atomic():
        lock_play(evening.plays[0].pk)
        lock_session(evening.session.pk)
        lost = revisions.get()
        transaction.set_rollback(True)
    lock_play(evening.plays[0].pk)
    lock_session(evening.session.pk)
    assert not set(revisions.get()) & set(lost)


@pytest.mark.nightly("crawl")
def test_topage_of_an_etui_that_a_table_has_not_before_it_leaves_its_stamp_as_it_was(evening):
    """Check that only tables which have just played the étui build their screens anew."""
    session = evening.session
    edit_session(session_id=session.pk, shows_after=Session.ShownAfter.TOPAGE, **evening.said)
    running.call_position(session_id=session.pk, position=1, **evening.said)
    running.call_position(session_id=session.pk, position=2, **evening.said)
    shown = session.plays.select_related("etui", "table").get(position=2, table__number=1)
    behind = session.plays.select_related("etui", "table").get(position=1, table__number=1)
    enter(behind, by=evening.director)
    enter(shown, by=evening.director)
    enter(session.plays.select_related("etui").get(position=2, table__number=3), by=evening.director)
    computing.refresh(session.pk, now=evening.now)

    def stamps_after_a_result(etui):
        plays = session.plays.filter(etui=etui, entries=None).exclude(table__number__in=(1, 3))
        enter(plays.select_related("etui").first(), by=evening.director)
        before = found()
        computing.refresh(session.pk, now=evening.now)
        return [stamp == old for stamp, old in zip(found(), before, strict=True)]

    def found():
        return [stamp_of(glance_of(evening.tokens[table], "", now=evening.now), "") for table in (1, 3)]

    assert stamps_after_a_result(shown.etui) == [False, True]
    assert stamps_after_a_result(behind.etui) == [True, True]


def test_poll_of_a_table_with_nothing_new_asks_once_and_notes_its_device_at_times(
    evening, client, django_assert_num_queries
):
    TableToken.objects.update(expires_at=timezone.now() + devices.LIFETIME)
    address = reverse("table_state", args=[evening.tokens[1]])
    device = {"device": "phone-one"}
    receive(Here(evening.plays[0].table), "phone-one", command("join", key=uuid.uuid4()), evening.now)
    client.get(address, device)
    stamp = client.get(address, device).json()["stamp"]
    with django_assert_num_queries(1):
        assert client.get(address, device | {"seen": stamp}).status_code == 204
    evening.session.tables.get(number=1).devices.update(seen_at=evening.now - dt.timedelta(days=1))
    with django_assert_num_queries(2):
        assert client.get(address, device | {"seen": stamp}).status_code == 204


def test_plan_of_a_glance_is_kept_by_the_connection(evening):
    for table in (1, 2, 1):
        glance_of(evening.tokens[table], "phone-one", now=evening.now)
    with connection.cursor() as cursor:
        cursor.execute("SELECT custom_plans + generic_plans FROM pg_prepared_statements WHERE name = 'glance'")
        [(uses,)] = cursor.fetchall()
    assert uses >= 3


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("tables", [5, 40, 150])
def test_questions_of_desk_and_hall_cost_the_same_queries_however_large_the_hall(
    db, tables, client, django_assert_max_num_queries
):
    session = started_session(tables=tables, positions=2, etuis_per_position=2)
    director = make_director(session.tournament.club)
    enter_all(session, by=director, plays=session.plays.filter(position=1).select_related("etui"))
    client.force_login(director)
    desk_page, poll, head, in_hall = (
        session_url(name, session) for name in ("session", "progress", "running_head", "hall")
    )
    client.get(desk_page)
    settled.kept.clear()
    desk_state.kept.clear()
    with django_assert_max_num_queries(15):  # the highest number: nothing has been read before
        client.get(desk_page)
    with django_assert_max_num_queries(6):
        client.get(desk_page)
    enter(session.plays.filter(position=2).select_related("etui").first(), by=director)
    with django_assert_max_num_queries(8):
        stamp = client.get(poll).context["progress"].stamp
    for address, seen in ((poll, stamp), (head, client.get(head).context["stamp"])):
        with django_assert_max_num_queries(3):
            assert client.get(address, {"seen": seen}).status_code == 204
    seen = {"seen": client.get(in_hall).context["stamp"]}
    client.logout()
    with django_assert_max_num_queries(1):
        assert client.get(in_hall, seen, headers={"hx-request": "true"}).status_code == 204


def test_desk_reads_the_tables_alone_that_were_written_to(db, client, monkeypatch):
    session = started_session(tables=30, positions=2, etuis_per_position=2)
    director = make_director(session.tournament.club)
    client.force_login(director)
    shown = client.get(session_url("progress", session)).context["progress"]
    play = session.plays.filter(table__number=7).select_related("etui").first()
    enter(play, by=director)
    read = []
    plays_at_tables = desk_state.plays_at_tables
    monkeypatch.setattr(desk_state, "plays_at_tables", lambda tables: read.append(tables) or plays_at_tables(tables))
    again = client.get(session_url("progress", session)).context["progress"]
    assert read == [[play.table_id]]
    before, after = ({each.play.pk: each.state for each in one.states} for one in (shown, again))
    assert {pk for pk in after if before[pk] != after[pk]} == {play.pk}
    desk_state.kept.clear()
    assert after == {each.play.pk: each.state for each in desk_state.desk_plays(session, flags=True)}


def test_desk_rows_of_a_thousand_tables_are_kept(db):
    rows = desk_state.DeskRows(0, dict.fromkeys(range(400), 0), {}, {}, [])
    for session in range(4):
        desk_state.kept[session, True] = rows
    assert list(desk_state.kept) == [(2, True), (3, True)]
    desk_state.kept[4, True] = desk_state.DeskRows(0, dict.fromkeys(range(2_000), 0), {}, {}, [])
    assert list(desk_state.kept) == [(4, True)]
