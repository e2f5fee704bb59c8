"""The pieces of the desk: those that are sent turn an old page into the present one, whatever has happened."""

import re
from html.parser import HTMLParser

import pytest
from django.core.cache import caches
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from redis.exceptions import ConnectionError as NoRedis

from evenings.plays import desk_state, ruling
from evenings.sessions import running
from pages.desk import settled
from pages.doors import session_url
from tests.factories import enter, make_director, make_helper, make_tournament, started_session
from tests.pages.browsing import browser_of
from tests.tournaments.test_stamps import STORIES, Hall, histories
from tournaments.job_health import job_health
from tournaments.rules.entry import Fiche

VOID = {"input", "br", "img"}
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')
PIECE = re.compile(r'<div hx-swap-oob="innerHTML:#([\w-]+)">')
DIRECTOR, HELPER = "director", "helper"
# Four desks that are open at once, each with what its address asks for.
OPEN = ((DIRECTOR, {}), (DIRECTOR, {"show": "look"}), (DIRECTOR, {"position": "2"}), (HELPER, {}))


class Elements(HTMLParser):
    """The positions of the elements of a page that have an id: where each begins and ends, with and without tags."""

    def __init__(self, page):
        super().__init__()
        self.begins = [0]
        for line in page.split("\n"):
            self.begins.append(self.begins[-1] + len(line) + 1)
        self.open, self.found = [], {}
        self.feed(page)

    @property
    def at(self):
        line, column = self.getpos()
        return self.begins[line - 1] + column

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append((dict(attrs).get("id"), self.at, self.at + len(self.get_starttag_text())))

    def handle_endtag(self, tag):
        name, outer, inner = self.open.pop()
        if name:
            self.found[name] = outer, inner, self.at, self.at + len(f"</{tag}>")


def put(page, name, piece):
    """Return the page with `piece` inside the element of that id."""
    _, begin, end, _ = Elements(page).found[name]
    return page[:begin] + piece + page[end:]


def outer(page, name):
    begin, _, _, end = Elements(page).found[name]
    return page[begin:end]


def plain(page):
    """Return the page without what differs each time, and without spaces that nobody sees."""
    return re.sub(r"\s*(<[^>]*>)\s*", r"\1", re.sub(r"\s+", " ", TOKEN.sub("", page)))


class Screen:
    """A desk that somebody has open, with the page that it shows."""

    def __init__(self, client, session, asked):
        self.client, self.address, self.asked = client, session_url("progress", session), asked
        self.whole = self.pieces = 0
        self.page = self.draw()

    def draw(self):
        return self.client.get(self.address, self.asked).content.decode()

    @property
    def poll(self):
        address = re.search(r'hx-get="([^"]*)"\s+hx-trigger="every', self.page)[1]
        return address.replace("&amp;", "&")

    def ask(self):
        """Ask for news, as the script of the page does."""
        answer = self.client.get(self.poll, headers={"hx-request": "true"})
        if answer.status_code == 204:
            return answer
        if answer.headers.get("HX-Reswap") == "none":
            self.take(answer.content.decode())
            self.pieces += 1
        else:
            self.page = answer.content.decode()
            self.whole += 1
        return answer

    def take(self, told):
        poll = outer(told, "desk-poll")
        self.page = self.page.replace(outer(self.page, "desk-poll"), re.sub(r'hx-swap-oob="true"\s*', "", poll))
        for name, piece in changes(told).items():
            self.page = put(self.page, name, piece)

    def is_right(self):
        assert plain(self.page) == plain(self.draw())


def changes(told):
    """Return the pieces of an answer by the ids of their elements."""
    parts = PIECE.split(told)
    return {name: piece.rstrip().removesuffix("</div>") for name, piece in zip(parts[1::2], parts[2::2], strict=True)}


@pytest.fixture
def evening(db):
    session = started_session()
    return Hall(session, make_director(session.tournament.club))


def follow(evening, history):
    """Play a history while four desks ask for news in turn, so that they hold pages of different age."""
    with transaction.atomic():
        desk_state.kept.clear()
        settled.kept.clear()
        evening = Hall(evening.session, evening.director)
        club = evening.session.tournament.club
        clients = {DIRECTOR: browser_of(evening.director), HELPER: browser_of(make_helper(club))}
        screens = [Screen(clients[who], evening.session, asked) for who, asked in OPEN]
        for time, (deed, number, variant) in enumerate(history):
            evening.happen(deed, number, variant)
            for screen in screens[time % 2 :: 2]:
                screen.ask()
                screen.is_right()
        transaction.set_rollback(True)
    return screens


@pytest.mark.nightly("story")
@settings(
    max_examples=6,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(histories)
def test_pieces_make_of_a_desk_that_is_held_the_one_of_now_whatever_has_happened(evening, history):
    follow(evening, history)


ENTERED = [("enter_at_the_table", 0, 0), ("enter_at_the_table", 1, 1), ("check", 0, 1), ("compute", 0, 0)]


@pytest.mark.nightly("story")
@pytest.mark.parametrize("story", [*STORIES, ENTERED, [("play_too", 0, 1), *ENTERED, ("rule_on_etui", 0, 0)]])
def test_pieces_make_of_a_desk_that_is_held_the_one_of_now_in_each_story(evening, story):
    follow(evening, story)


# What is sent


@pytest.fixture
def session(db):
    return started_session(make_tournament(), tables=30, positions=3, etuis_per_position=2)


@pytest.fixture
def user(session):
    return make_director(session.tournament.club)


@pytest.fixture
def screen(session, user):
    return Screen(browser_of(user), session, {})


@pytest.mark.nightly("story")
def test_result_brings_its_cell_and_the_sums_alone(session, user, screen):
    play = session.plays.select_related("etui").filter(position=1, table__number=7)[0]
    whole = len(screen.page)
    enter(play, by=user)
    told = screen.ask().content.decode()
    cell, *sums = sorted(changes(told))
    assert (cell, sums) == (
        "cell-1-7",
        ["desk-legend", "desk-positions", "desk-standings", "desk-status"],
    )
    assert len(told) < whole / 5
    screen.is_right()


@pytest.mark.nightly("story")
def test_desk_that_the_site_does_not_know_is_sent_whole(session, user, screen):
    for lost in (caches["pages"].clear, lambda: setattr(screen, "page", re.sub("held=.", "held=é", screen.page))):
        enter(session.plays.filter(entries=None).select_related("etui").first(), by=user)
        lost()
        whole = screen.whole
        assert "HX-Reswap" not in screen.ask().headers
        assert screen.whole == whole + 1
        screen.is_right()


@pytest.mark.nightly("story")
def test_desk_of_another_language_is_sent_whole(session, user, screen):
    screen.client.cookies["django_language"] = "fr"
    assert "HX-Reswap" not in screen.ask().headers
    screen.is_right()


@pytest.mark.nightly("story")
def test_call_of_a_position_is_sent_whole(session, user, screen):
    running.call_position(session_id=session.pk, position=1, by=user, now=session.started_at)
    assert "HX-Reswap" not in screen.ask().headers


@pytest.mark.nightly("story")
def test_desk_without_a_cache_is_sent_whole(session, user, screen, monkeypatch):
    def is_down(*_):
        raise NoRedis

    monkeypatch.setattr(type(caches["pages"]), "get", is_down)
    monkeypatch.setattr(type(caches["pages"]), "set", is_down)
    enter(session.plays.select_related("etui").first(), by=user)
    assert "HX-Reswap" not in screen.ask().headers
    screen.is_right()


@pytest.mark.nightly("crawl")
def test_no_piece_tells_a_director_who_plays_what_is_hidden_from_him(session, user, screen):
    plays = list(session.plays.filter(etui__number=1).select_related("etui", "north"))
    ruling.declare_playing(session_id=session.pk, entrant_id=plays[0].north_id, by=user, now=session.started_at)
    screen.ask()
    for play in plays[1:]:
        enter(play, Fiche(play.etui.taker, 51), by=user)  # no result gives this figure
    told = changes(screen.ask().content.decode())
    assert [piece for piece in told.values() if "disputed" in piece] == []
    assert "desk-standings" not in told
    screen.is_right()
    enter(plays[0], by=user)
    told = changes(screen.ask().content.decode())
    assert f"look-{plays[1].pk}" in told["desk-look"]
    screen.is_right()


def test_question_of_a_desk_costs_few_queries_and_fewer_where_nothing_is_new(
    session, user, screen, django_assert_num_queries
):
    enter(session.plays.select_related("etui").first(), by=user)
    with django_assert_num_queries(7):
        assert screen.ask().status_code == 200
    with django_assert_num_queries(3):
        assert screen.ask().status_code == 204


@pytest.mark.nightly("story")
def test_desk_tells_that_rankings_and_mails_wait_and_when_they_go_on(session, user, monkeypatch):
    """Check both desks with nothing else new: while a worker is away, nothing else may change."""
    told = "Rankings are late; you can go on entering results."
    clients = browser_of(user), browser_of(make_helper(session.tournament.club))
    screens = [Screen(client, session, {}) for client in clients]
    assert [told in screen.page for screen in screens] == [False, False]
    for waits in (True, False):
        monkeypatch.setattr(job_health, "find_waiting", lambda waits=waits: ("standings", "mails") if waits else ())
        for screen in screens:
            assert set(changes(screen.ask().content.decode())) == {"desk-away"}
            assert [each in screen.page for each in (told, "E-mails are late")] == [waits, waits]
            screen.is_right()
