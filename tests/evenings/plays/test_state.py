"""The state of a play: what it follows from, and that lists, standings, desk, table and SQL agree about it."""

import datetime as dt
import uuid
from collections import Counter
from contextlib import suppress

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plays import adjusting, entering, ruling
from evenings.plays.desk_state import desk_plays, hidden_etuis
from evenings.plays.session_plays import find_owing, find_plays, find_sessions_waiting, plays_of
from evenings.plays.state import AT_THE_TABLE, VIEWS, WAITED_FOR, PlayState, find_play_state, with_states
from evenings.plays.table_plays import plays_at
from evenings.sessions.lists import progress_of
from evenings.standings import computing
from pages.doors import session_url
from tests.examples import draw_examples
from tests.factories import enter, garde, make_director, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import Entrant, EntryCheck, Play, Session

RESULTS = (PlayState.ENTERED, PlayState.CONFIRMED, PlayState.DISPUTED)
NOW = dt.datetime(2026, 11, 20, 20, 30, tzinfo=dt.UTC)


def decide(ruling="", etui_ruling="", *, is_replay=False, result=None, started=False):
    return find_play_state(ruling=ruling, etui_ruling=etui_ruling, is_replay=is_replay, result=result, started=started)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (decide(), "todo"),
        (decide("restored", "restored"), "todo"),
        (decide("withdrawn", "split"), "todo"),
        (decide(started=True), "started"),
        (decide("withdrawn", started=True), "started"),
        (decide("later", started=True), "later"),
        (decide("not_played", started=True), "not_played"),
        (decide("not_played", "split"), "not_played"),
        (decide(is_replay=True, started=True), "not_played"),
        (decide("later", is_replay=True), "not_played"),
        (decide(result=PlayState.ENTERED, started=True), "entered"),
        (decide("not_played", "split", result=PlayState.CONFIRMED), "confirmed"),
        (decide("later", "restored", result=PlayState.DISPUTED), "disputed"),
        (decide(is_replay=True, result=PlayState.CONFIRMED), "annulled"),
        (decide("adjusted"), "adjusted"),
        (decide("adjusted", "split", result=PlayState.DISPUTED), "adjusted"),
        (decide("adjusted", is_replay=True, result=PlayState.CONFIRMED), "adjusted"),
        (decide("adjusted", "annulled"), "annulled"),
        (decide("annulled"), "annulled"),
        (decide("annulled", result=PlayState.DISPUTED), "annulled"),
        (decide("", "annulled"), "annulled"),
        (decide("not_played", "annulled", is_replay=True), "annulled"),
    ],
)
def test_state_follows_from_rulings_the_result_what_was_set_aside_the_start(state, expected):
    assert state == expected


def test_play_is_at_the_table_until_it_has_a_result_or_is_set_aside():
    assert {state for state in PlayState if state in AT_THE_TABLE} == {decide(), decide(started=True)}


def test_each_state_has_its_name_in_lists_in_standings_and_on_the_desk():
    assert {str(state): tuple(view) for state, view in VIEWS.items()} == {
        "todo": ("missing", "missing", "missing"),
        "started": ("missing", "missing", "started"),
        "later": ("later", "missing", "later"),
        "not_played": ("not_played", "not_played", "not_played"),
        "entered": ("entered", "scored", "unconfirmed"),
        "confirmed": ("entered", "scored", "done"),
        "disputed": ("entered", "scored", "disputed"),
        "adjusted": ("adjusted", "scored", "done"),
        "annulled": ("annulled", "annulled", "annulled"),
    }
    assert {"todo", "started", "later"} == WAITED_FOR


# Everything that can happen to a play


class Evening:
    """An evening in which services act on three plays, two of them of one étui. What is refused is not done."""

    def __init__(self, session, director):
        self.session, self.director, self.now = session, director, NOW
        one, two = session.plays.filter(etui__number=1)[:2]
        self.plays = [one, two, session.plays.filter(etui__number=2)[0]]

    def happen(self, deed, number, variant):
        self.now += dt.timedelta(minutes=1)
        with suppress(ActionRefused, Conflict), transaction.atomic():
            getattr(self, deed)(Play.objects.select_related("etui").get(pk=self.plays[number].pk), variant)

    @property
    def said(self):
        return {"by": self.director, "now": self.now}

    def sent(self, variant):
        return entering.SentEntry(f"Table 1 · {variant % 2}", uuid.uuid4(), "NESW"[variant])

    def start(self, play, variant):
        Play.objects.filter(pk=play.pk).update(started_at=self.now)

    def enter_at_the_table(self, play, variant):
        entry = garde(play.etui.taker, points=40 + variant)
        entering.enter_result(play_id=play.pk, entry=entry, now=self.now, sent=self.sent(variant))

    def enter_at_the_desk(self, play, variant):
        entering.enter_result(play_id=play.pk, entry=garde(play.etui.taker, points=40 + variant), **self.said)

    def correct_at_the_table(self, play, variant):
        entry, seen = garde(play.etui.taker, points=40 + variant), self.version(play)
        entering.correct_result(play_id=play.pk, entry=entry, seen_version=seen, now=self.now, sent=self.sent(variant))

    def correct_at_the_desk(self, play, variant):
        entry, seen = garde(play.etui.taker, points=40 + variant), self.version(play)
        entering.correct_result(play_id=play.pk, entry=entry, seen_version=seen, reason="relu", **self.said)

    def check(self, play, variant):
        for current in play.entries.filter(current=True):
            EntryCheck.objects.create(entry=current, agrees=variant > 0, seat="E", device="x", checked_at=self.now)

    def confirm(self, play, variant):
        ruling.confirm_result(play_id=play.pk, seen_version=self.version(play), **self.said)

    def take_contested(self, play, variant):
        contested = play.entries.filter(contested=True).last()
        number, seen = contested.version if contested else 1, self.version(play)
        ruling.take_contested(play_id=play.pk, version=number, seen_version=seen, reason="relu", **self.said)

    def withdraw(self, play, variant):
        entering.withdraw_result(play_id=play.pk, seen_version=self.version(play), reason="autre ligne", **self.said)

    def annul(self, play, variant):
        entering.annul_play(play_id=play.pk, reason="x", **self.said)

    def adjust(self, play, variant):
        told = [{"score": 46}, {"notes": {"N": "60", "S": "better 60"}}, {"notes": {"E": "40"}, "compared": False}, {}]
        adjusting.adjust_play(play_id=play.pk, reason="x", **told[variant], **self.said)

    def restore(self, play, variant):
        entering.restore_play(play_id=play.pk, reason="x", **self.said)

    def set_aside(self, play, variant):
        entering.not_played(play_id=play.pk, later=variant > 1, **self.said)

    def wait_for(self, play, variant):
        entering.to_be_played(play_id=play.pk, **self.said)

    def rule_on_etui(self, play, variant):
        about = {"session_id": self.session.pk, "etui": play.etui.number, "reason": "x"}
        if variant == 0:
            ruling.annul_etui(**about, **self.said)
        elif variant == 1:
            ruling.split_etui(**about, from_position=2, **self.said)
        else:
            ruling.restore_etui(**about, **self.said)

    def lay_out_as_replay(self, play, variant):
        Play.objects.filter(pk=play.pk).update(is_replay=variant > 0)

    def stand_in(self, play, variant):
        player = Entrant.objects.exclude(session=self.session).values_list("player", flat=True).first()
        Entrant.objects.filter(pk=play.north_id).update(stand_in=player or play.south.player_id, stand_in_from=1)

    def version(self, play):
        return play.entries.filter(current=True).values_list("version", flat=True).first() or 1


HELPERS = {"__init__", "happen", "sent", "version"}
DEEDS = [name for name, value in vars(Evening).items() if callable(value) and name not in HELPERS]
PLAYS, VARIANTS = range(3), range(4)
# Together these stories reach every state.
STORIES = [
    [("start", 0, 0), ("set_aside", 1, 3), ("set_aside", 2, 0)],
    [("enter_at_the_table", 0, 0), ("enter_at_the_desk", 1, 0), ("enter_at_the_table", 2, 0), ("check", 2, 0)],
    [("enter_at_the_table", 0, 0), ("enter_at_the_table", 0, 1), ("rule_on_etui", 1, 1), ("set_aside", 2, 0)],
    [("enter_at_the_table", 0, 0), ("lay_out_as_replay", 0, 1), ("lay_out_as_replay", 1, 1), ("annul", 2, 0)],
    [("enter_at_the_table", 0, 0), ("set_aside", 1, 0), ("rule_on_etui", 0, 0), ("stand_in", 1, 0)],
    [("enter_at_the_table", 0, 0), ("adjust", 0, 0), ("adjust", 1, 1), ("lay_out_as_replay", 2, 1), ("adjust", 2, 2)],
    [("annul", 0, 0), ("restore", 0, 0), ("rule_on_etui", 2, 0), ("rule_on_etui", 2, 2)],  # the newest ruling decides
]
histories = st.lists(
    st.tuples(st.sampled_from(DEEDS), st.sampled_from(PLAYS), st.sampled_from(VARIANTS)), min_size=5, max_size=15
)


@pytest.fixture
def evening(db):
    session = started_session()
    director = make_director(session.tournament.club)
    player = session.plays.filter(etui__number=1)[0].north_id
    ruling.declare_playing(session_id=session.pk, entrant_id=player, by=director, now=NOW)
    return Evening(session, director)


@pytest.mark.nightly("story")
@draw_examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(histories)
def test_everybody_says_the_same_of_a_play_whatever_has_happened_to_it(evening, history):
    everybody_agrees(evening, history)


@pytest.mark.nightly("story")
def test_everybody_says_the_same_in_every_state(evening):
    assert set[PlayState]().union(*(everybody_agrees(evening, story) for story in STORIES)) == set(PlayState)


def everybody_agrees(evening, history):
    """Return the states of the plays after this history, check that all readers agree, and roll everything back."""
    with transaction.atomic():
        for deed, number, variant in history:
            evening.happen(deed, number, variant)
        session = Session.objects.select_related("tournament__club", "standings").get(pk=evening.session.pk)
        compare(session, finest := finest_states(session))
        transaction.set_rollback(True)
    return set(finest.values())


def finest_states(session):
    return {each.play.pk: each.state for table in session.tables.all() for each in plays_at(table)}


def compare(session, finest):
    known = {pk: PlayState.ENTERED if state in RESULTS else state for pk, state in finest.items()}
    assert dict(with_states(session.plays.order_by()).values_list("pk", "state")) == known
    listed = plays_of(session)
    assert {each.play.pk: each.finest for each in listed} == known
    assert {each.play.pk: each.state for each in listed} == view(finest, "listed")
    assert {each.play.pk: each.state for each in desk_plays(session, flags=False)} == view(finest, "desk")
    computed = computing.compute(session.pk)
    assert {int(pk): play["state"] for pk, play in computed.data["plays"].items()} == view(finest, "counted")
    waited = {each.play.pk for each in listed if each.missing}
    assert waited == {pk for pk, state in finest.items() if state in WAITED_FOR}
    assert find_sessions_waiting([session]) == ({session.pk} if waited else set())
    annulled = {each.play.pk for each in listed if each.annulled}
    assert annulled == {pk for pk, state in finest.items() if state is PlayState.ANNULLED}
    assert find_plays(session) == [each.play.pk for each in listed]
    for name in {each.state for each in listed}:
        assert find_plays(session, name) == [each.play.pk for each in listed if each.state == name]
    progress, counts = progress_of(session), Counter(view(finest, "listed").values())
    assert (progress["plays"], progress["missing"]) == (len(finest), len(waited))
    assert [progress[name] for name in ("annulled", "adjusted", "not_played", "later")] == [
        counts[name] for name in ("annulled", "adjusted", "not_played", "later")
    ]
    owed = Counter((each.play.position, each.play.table.number) for each in listed if each.missing)
    told = find_owing(session, until=session.positions)
    assert {(at, table): count for at, tables in told.items() for table, count in tables.items()} == owed
    (director,) = [declared.user for declared in session.playing_directors.select_related("user")]
    closed = {each.play.etui_id for each in desk_plays(session, flags=False, user=director) if each.closed}
    assert closed == hidden_etuis(session, director)


def view(finest, name):
    return {pk: getattr(VIEWS[state], name) for pk, state in finest.items()}


# The players at the table


@pytest.fixture
def replaced(db):
    """Return an entrant, North at étui 1's first table, for whom a stand-in plays from position 3 on."""
    session = started_session()
    (stand_in,) = add_players(club=session.tournament.club, lines=[RosterLine("Suppléant", "Luc")])
    north = session.plays.filter(position=1, table__number=1)[0].north
    Entrant.objects.filter(pk=north.pk).update(stand_in=stand_in, stand_in_from=3)
    return Entrant.objects.get(pk=north.pk)


@pytest.mark.nightly("story")
def test_play_names_who_sat_there_and_not_whom_he_stood_in_for(replaced):
    browser = browser_of(make_director(replaced.session.tournament.club))
    for play in replaced.session.plays.filter(north=replaced):
        page = words(browser.get(session_url("play", replaced.session, play.pk)))
        names = [name for name in (replaced.player.name, replaced.stand_in.name) if name in page]
        assert names == [replaced.stand_in.name if play.position >= 3 else replaced.player.name]


@pytest.mark.nightly("crawl")
def test_lists_cost_the_same_queries_with_a_stand_in(replaced, django_assert_num_queries):
    session, director = replaced.session, make_director(replaced.session.tournament.club)
    for play in session.plays.select_related("etui")[:6]:
        enter(play, by=director)
    with django_assert_num_queries(5):
        assert [each.play.seats["N"].name for each in plays_of(session)]
    with django_assert_num_queries(4):
        assert [each.play.seats["N"].name for each in desk_plays(session, flags=False)]
