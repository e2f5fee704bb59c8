"""The table of every page and every role. A page that is missing in the table fails the test."""

import re
from functools import cache
from typing import NamedTuple

import pytest
from django.core.cache import caches
from django.db import transaction
from django.http import HttpResponse
from django.test import override_settings
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from clubs.models import Player
from pages.parts.form_parts import CLUB_SETTINGS, TOURNAMENT_SETTINGS
from tests.factories import SEED, make_club
from tests.forged import EVIL, FORGED, SETTINGS, SITE, read_cache
from tests.other_doors import ELSEWHERE
from tests.rankings.series.addresses import PAGES_OF_SERIES
from tests.rankings.simultaneous.addresses import PAGES_OF_SIMULTANEOUS
from tests.registration.cash.addresses import PAGES_OF_CASH
from tests.world import make_world
from tournaments.models import ResultEntry
from tournaments.permissions import Can

READ, ENTER, DIRECT = Can

# Page → method, the role that it needs, and the session or thing below that it is asked for.
PAGES = {
    "home": ("GET", READ, None),
    "rules": ("GET", READ, None),
    "calculator": ("GET", READ, None),
    "rules_page": ("GET", READ, "handbook slug"),
    "rules_booklet": ("GET", READ, None),
    "exercises": ("GET", READ, None),
    "exercise": ("GET", READ, "handbook key"),
    "game": ("GET", READ, None),
    "calendar": ("GET", READ, None),
    "calendar_file": ("GET", READ, None),
    "club_calendar_file": ("GET", READ, "club"),
    "search": ("GET", READ, None),
    "privacy": ("GET", READ, None),
    "imprint": ("GET", READ, None),
    "bots_help": ("GET", READ, None),
    "guide": ("GET", READ, None),
    "favicon": ("GET", READ, None),
    "login": ("GET", READ, None),
    "account_reset_password": ("GET", READ, None),
    "account_reset_password_done": ("GET", READ, None),
    "account_reset_password_from_key_done": ("GET", READ, None),
    "account_inactive": ("GET", READ, None),
    "verify": ("GET", READ, None),
    "robots": ("GET", READ, None),
    "sitemap": ("GET", READ, None),
    "feed": ("GET", READ, None),
    "club_feed": ("GET", READ, "club"),
    "tournament_feed": ("GET", READ, "tournament"),
    "player": ("GET", READ, "person one"),
    "leaderboards": ("GET", READ, None),
    "leaderboards_file": ("GET", READ, None),
    "club_leaderboards": ("GET", READ, "club"),
    "club_leaderboards_file": ("GET", READ, "club"),
    "choose_other": ("GET", READ, "person one"),
    "head_to_head": ("GET", READ, "person one two"),
    "club": ("GET", READ, "club"),
    "tournament": ("GET", READ, "tournament"),
    "session": ("GET", READ, "running"),
    "session_plan": ("GET", READ, "running"),
    "hall": ("GET", READ, "running"),
    "hall_open": ("GET", ENTER, "running"),
    "hall_renew": ("POST", DIRECT, "running"),
    "running_head": ("GET", ENTER, "running"),
    "call_position": ("POST", DIRECT, "running"),
    "clock": ("POST", DIRECT, "running"),
    "last_call": ("POST", DIRECT, "running"),
    "closing": ("POST", DIRECT, "running"),
    "ranking": ("GET", READ, "published"),
    "ranking_version": ("GET", READ, "published version"),
    "versions": ("GET", READ, "published"),
    "feuille": ("GET", READ, "published version entrant"),
    "published_etuis": ("GET", READ, "published version"),
    "results_csv": ("GET", READ, "published version"),
    "podium": ("GET", READ, "published version"),
    "ranking_pdf": ("GET", READ, "published version"),
    "ranking_embedded": ("GET", READ, "published"),
    "published_file": ("GET", READ, "published version"),
    "ask_published_file": ("POST", READ, "published version"),
    "feuilles_pdf": ("GET", READ, "published version"),
    "tournament_file": ("GET", READ, "tournament version"),
    "archives": ("GET", DIRECT, "club"),
    "tournament_archive": ("GET", DIRECT, "tournament"),
    "licences": ("GET", DIRECT, "club"),
    "find_people": ("GET", DIRECT, "club"),
    "members_file": ("GET", DIRECT, "club"),
    "club_statistics": ("GET", DIRECT, "club"),
    "club_statistics_file": ("GET", DIRECT, "club"),
    "session_course": ("GET", DIRECT, "running"),
    "session_course_file": ("GET", DIRECT, "running"),
    "standings_file": ("GET", DIRECT, "running"),
    "rulings_file": ("GET", DIRECT, "running"),
    "registrations_file": ("GET", DIRECT, "draft"),
    "homologation": ("POST", DIRECT, "published"),
    "published_etui": ("GET", READ, "published version etui"),
    "play": ("GET", ENTER, "running play"),
    "play_preview": ("POST", ENTER, "running play"),
    **dict.fromkeys(CLUB_SETTINGS, ("GET", DIRECT, "club")),
    "seasons": ("GET", DIRECT, "club"),
    "season_delete": ("POST", DIRECT, "club season"),
    **PAGES_OF_SERIES,
    **PAGES_OF_SIMULTANEOUS,
    **dict.fromkeys(("team", "programs", "webhooks"), ("GET", DIRECT, "club")),
    "token_end": ("POST", DIRECT, "club token"),
    "webhook": ("GET", DIRECT, "club webhook"),
    "webhook_step": ("POST", DIRECT, "club webhook act"),
    "member_change": ("POST", DIRECT, "club member"),
    "member_end": ("POST", DIRECT, "club member"),
    "member_password": ("POST", DIRECT, "club member"),
    "member_password_revoke": ("POST", DIRECT, "club member"),
    "invitation_revoke": ("POST", DIRECT, "club invitation"),
    "players": ("GET", DIRECT, "club"),
    "club_player": ("GET", DIRECT, "club player"),
    "player_account": ("GET", DIRECT, "club player"),
    "player_claims": ("GET", DIRECT, "club"),
    "claim_answer": ("POST", DIRECT, "club claim"),
    "player_sign_up": ("GET", READ, "club"),
    "player_merge": ("GET", DIRECT, "club player other"),
    "player_person": ("GET", DIRECT, "club player"),
    "names_alike": ("POST", DIRECT, "club"),
    "player_merge_undo": ("POST", DIRECT, "club merge"),
    "practice": ("POST", DIRECT, "club"),
    "practice_delete": ("POST", DIRECT, "club"),
    "tournament_new": ("GET", DIRECT, "club"),
    "session_new": ("GET", DIRECT, "tournament"),
    "evenings": ("GET", DIRECT, "tournament"),
    **dict.fromkeys(TOURNAMENT_SETTINGS, ("GET", DIRECT, "tournament")),
    "prepare_teams": ("GET", DIRECT, "tournament"),
    "matches": ("GET", READ, "tournament"),
    "matches_file": ("GET", READ, "tournament"),
    "match_decide": ("POST", DIRECT, "tournament"),
    "tournament_ranking": ("GET", READ, "tournament"),
    "tournament_version": ("GET", READ, "tournament version"),
    "tournament_csv": ("GET", READ, "tournament version"),
    "tournament_podium": ("GET", READ, "tournament version"),
    "tournament_pdf": ("GET", READ, "tournament version"),
    "tournament_embedded": ("GET", READ, "tournament"),
    "tournament_versions": ("GET", READ, "tournament"),
    "tournament_publish": ("GET", DIRECT, "tournament"),
    "tournament_step": ("POST", DIRECT, "tournament step"),
    "tournament_standings": ("GET", DIRECT, "tournament"),
    "tournament_lots_draw": ("POST", DIRECT, "tournament"),
    "tournament_lots_back": ("POST", DIRECT, "tournament"),
    "sections": ("GET", DIRECT, "tournament"),
    "sections_part": ("POST", DIRECT, "tournament group"),
    "tournament_delete": ("POST", DIRECT, "tournament"),
    "tournament_put_away": ("POST", DIRECT, "tournament"),
    "session_delete": ("POST", DIRECT, "draft"),
    "session_put_away": ("POST", DIRECT, "running"),
    "prints": ("GET", DIRECT, "running"),
    "prints_pdf": ("GET", DIRECT, "running"),
    "prints_tonight": ("POST", DIRECT, "running"),
    "registration": ("GET", DIRECT, "draft"),
    "cut": ("GET", DIRECT, "draft"),
    "evening_mails": ("GET", DIRECT, "draft"),
    **PAGES_OF_CASH,
    "applicant": ("POST", DIRECT, "draft applicant"),
    "seat_present": ("POST", DIRECT, "draft"),
    "sign_up": ("GET", READ, "draft"),
    "session_edit": ("GET", DIRECT, "draft"),
    "plan_choose": ("GET", DIRECT, "draft"),
    "plan_file": ("GET", DIRECT, "running kind"),
    "entrants": ("GET", DIRECT, "draft"),
    "line_ups": ("GET", DIRECT, "draft"),
    "games": ("GET", DIRECT, "draft"),
    "etuis": ("GET", DIRECT, "draft"),
    "start": ("POST", DIRECT, "draft"),
    "unstart": ("POST", DIRECT, "draft"),
    "tables": ("GET", DIRECT, "running"),
    "table_renew": ("POST", DIRECT, "running table"),
    "table_revoke": ("POST", DIRECT, "running table"),
    "arbiter_code": ("POST", DIRECT, "running table"),
    "table_number": ("GET", READ, None),
    "progress": ("GET", ENTER, "running"),
    "standings": ("GET", DIRECT, "running"),
    "lots_draw": ("POST", DIRECT, "running"),
    "lots_back": ("POST", DIRECT, "running"),
    "live_feuille": ("GET", DIRECT, "running entrant"),
    "live_etui": ("GET", DIRECT, "running etui"),
    "changes": ("GET", DIRECT, "running"),
    "change": ("GET", DIRECT, "running operation"),
    "change_undo": ("POST", DIRECT, "running"),
    "publish": ("GET", DIRECT, "running"),
    "publication_step": ("POST", DIRECT, "running step"),
    "bulk": ("GET", ENTER, "running"),
    "sheets": ("GET", ENTER, "running"),
    "log": ("GET", DIRECT, "running"),
    "usual_penalties": ("GET", DIRECT, "club"),
    "usual_remove": ("POST", DIRECT, "club usual"),
    "penalties": ("GET", DIRECT, "running"),
    "penalty_back": ("POST", DIRECT, "running penalty"),
    "etui_rule": ("POST", DIRECT, "running etui"),
    "session_requests": ("GET", DIRECT, "running"),
    "session_request": ("GET", DIRECT, "published request"),
    "request_accept": ("POST", DIRECT, "published request"),
    "request_refuse": ("POST", DIRECT, "published request"),
    "personal_links": ("GET", DIRECT, "running"),
    "link_renew": ("POST", DIRECT, "running entrant"),
    "link_revoke": ("POST", DIRECT, "running entrant"),
    "personal_code": ("GET", READ, None),
    "answered": ("POST", DIRECT, "running call"),
    "playing": ("POST", DIRECT, "running"),
    "play_adjust": ("GET", DIRECT, "running play"),
    "play_record": ("GET", DIRECT, "running play"),
    "confirm": ("POST", DIRECT, "running play"),
    "take": ("POST", DIRECT, "running play"),
    "aside": ("POST", DIRECT, "running play"),
    "withdraw": ("POST", DIRECT, "running play"),
    "annul": ("POST", DIRECT, "running play"),
    "restore": ("POST", DIRECT, "running play"),
}
# A player has an account that is tied to a player of the club, and no role. A former helper or director had the role
# until yesterday.
ROLES = {
    "anonymous": READ,
    "stranger": READ,
    "player": READ,
    "foreign_director": READ,
    "former_helper": READ,
    "former_director": READ,
    "helper": ENTER,
    "director": DIRECT,
}
CRAWLED_EACH_CHANGE = ("anonymous", "player", "director")
EACH_ROLE = [
    role if role in CRAWLED_EACH_CHANGE else pytest.param(role, marks=pytest.mark.nightly("crawl", only=(role,)))
    for role in ROLES
]


def names(patterns, prefix=""):
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if str(pattern.pattern) not in ("admin/", "api/v1/"):
                yield from names(pattern.url_patterns)
        elif isinstance(pattern, URLPattern):
            yield pattern.name


def test_every_page_is_in_the_table():
    assert set(names(get_resolver().url_patterns)) - ELSEWHERE == set(PAGES)


pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def world(rows_of_the_file):
    return make_world(make_club(), ROLES)


def address(world, name):
    """Return the address of a page about the thing that the table names."""
    if (where := PAGES[name][2]) is None:
        return reverse(name)
    thing, *rest = where.split()
    if thing == "person":
        return reverse(name, args=[world["named"][part] for part in rest])
    club, tournament = world["club"].slug, world["tournament"].slug
    if thing == "handbook":
        return reverse(name, args=[{"slug": "cards", "key": "petit-sec"}[rest[0]]])
    if thing in ("club", "tournament"):
        people = [world["named"][part] for part in rest]
        return reverse(name, args=[*[club, tournament][: 1 + (thing == "tournament")], *people])
    session = world[thing]
    parts = {
        "version": 1,
        "entrant": world["entrant"][thing],
        "etui": 1,
        "table": 1,
        "operation": "arrive",
        "play": world["play"][thing],
        "penalty": 1,
        "applicant": 1,
        "call": 1,
        "request": world["request"],
        "kind": "csv",
        "step": "show",
    }
    return reverse(name, args=[club, tournament, session.number, *(parts[part] for part in rest)])


def visit(world, name, role):
    """Return the answer of a page, and roll back its changes to the database."""
    with transaction.atomic():
        response = world["clients"][role].generic(PAGES[name][0], address(world, name))
        transaction.set_rollback(True)
    return response


def text_of(answer):
    """Return everything readable in the answer: its headers and its body."""
    return f"{dict(answer.items())} {answer.content.decode(errors='replace')}"


# The federation's list: for whoever is no director of the club, these pages do not exist.
HIDDEN = ("licences", "find_people")


def outcome(response):
    """Return how a visit ended, in one word or as a status."""
    if response.get("Location", "").startswith(reverse("login")):
        return "login"
    return {200: "open", 302: "open", 403: "forbidden"}.get(response.status_code, response.status_code)


@pytest.fixture(scope="module")
def marked(world):
    """Add secrets to the world, and return it.

    Every result of the running session gets a figure that no page contains otherwise. A player of each session gets a
    licence and other data that only the club's list knows.
    """
    facts = {"contract": "", "bouts": None, "half_points": None, "petit_au_bout": "", "chelem": ""}
    ResultEntry.objects.filter(play__session=world["running"]).update(kind="fiche", fiche_score=31234, **facts)
    for state, licence in (("running", "LIC-8714"), ("published", "LIC-8715")):
        told = {"licence": licence, "category": "veteran", "country": "Groland", "origin": "Club de Nullepart"}
        Player.objects.filter(pk=world[state].entrants.first().player_id).update(**told)
    return world


class Crawl(NamedTuple):
    """The answers of every page to one role, by name, and the content of the cache afterwards."""

    answers: dict[str, HttpResponse]
    texts: dict[str, str]
    kept: str


@pytest.fixture(scope="module")
def crawls(marked):
    """Return a function that asks for every page once by a role, with a forged Host. Several tests use it."""

    def crawl(role):
        client = marked["clients"][role]
        plain, client.defaults = client.defaults, client.defaults | FORGED
        for each in caches:
            caches[each].clear()
        with override_settings(**SETTINGS):
            answers = {name: visit(marked, name, role) for name in PAGES}
        client.defaults = plain
        return Crawl(answers, {name: text_of(answer) for name, answer in answers.items()}, read_cache())

    return cache(crawl)


@pytest.mark.guard("who may open which page, by which method")
@pytest.mark.parametrize("role", EACH_ROLE)
def test_each_page_opens_to_who_may_and_to_nobody_else(crawls, role):
    closed = "login" if role == "anonymous" else "forbidden"
    expected = {name: "open" if ROLES[role] >= need else closed for name, (_, need, _) in PAGES.items()}
    expected |= dict.fromkeys(HIDDEN, 404) if closed == "forbidden" and ROLES[role] < DIRECT else {}
    assert {name: outcome(answer) for name, answer in crawls(role).answers.items()} == expected


@pytest.mark.parametrize("role", EACH_ROLE)
def test_no_page_tells_or_keeps_the_host_that_was_made_up(crawls, role):
    _, texts, kept = crawls(role)
    assert [name for name, text in texts.items() if EVIL in text] == []
    assert EVIL not in kept
    assert SITE in kept or role != "anonymous"


# Pages that the bars of this world do not name: no cash box is kept, no teams play, the running session has no ranking.
NO_ENTRY = {"cash", "line_ups", "matches", "prepare_teams", "session_requests"}
PLACE = re.compile(r'<div class="place .*?<main', re.DOTALL)


@pytest.mark.parametrize("role", ["anonymous", "director"])
def test_every_page_of_a_place_is_the_current_one_in_its_bar(crawls, role):
    """Check whole pages whose address is below a club, a tournament or a session."""
    found = {}
    for name, answer in crawls(role).answers.items():
        below = PAGES[name][0] == "GET" and answer.status_code == 200 and "club" in answer.resolver_match.kwargs
        if below and "<main" in (text := answer.content.decode(errors="replace")):
            found[name] = [bar.count("aria-current=") > 0 for bar in PLACE.findall(text)]
    assert {name for name, bars in found.items() if bars != [True]} == NO_ENTRY & found.keys()
    assert len(found) > 15


def test_private_pages_are_kept_in_no_cache(crawls):
    private = [(name, answer) for name, answer in crawls("director").answers.items() if PAGES[name][1] > READ]
    assert [name for name, answer in private if "no-store" not in answer.get("Cache-Control", "")] == []


# Places where ids, times or lengths stand, which may be any number: addresses, keys of forms, stamps of calendars.
NUMBERED = re.compile(
    r'\b(?:href|action|id|for|name|hx-[a-z-]+)="[^"]*"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|T\d\d:\d\d:[\d.]+'
    r"|T\d{6}Z|'Content-Length': '\d+'"
)


@pytest.mark.guard("results are secret before publication")
@pytest.mark.parametrize("role", EACH_ROLE[:-1])
def test_no_result_shows_before_publication_to_who_does_not_direct(crawls, role):
    pages = {name: re.sub(r"\s", "", NUMBERED.sub("", text)) for name, text in crawls(role).texts.items()}
    assert [name for name, text in pages.items() if "31234" in text or "93702" in text] == []


def test_results_do_show_to_the_director(world):
    """Check that the test above would find them."""
    ResultEntry.objects.filter(play__session=world["running"]).update(reason="figure 31234")
    assert "31234" in text_of(visit(world, "play", "director"))


@pytest.mark.parametrize("role", EACH_ROLE)
def test_no_page_shows_a_seed_or_an_unpublished_card(world, crawls, role):
    hands = [hand for etui in world["running"].deal_set.etuis.all() for hand in etui.cards.split()[:4]]
    texts = crawls(role).texts
    assert [name for name, text in texts.items() if SEED.hex() in text or any(hand in text for hand in hands)] == []


@pytest.mark.nightly("crawl")
def test_page_that_is_kept_is_the_one_that_was_built_and_as_secret(world):
    hands = [hand for etui in world["running"].deal_set.etuis.all() for hand in etui.cards.split()[:4]]
    of_published = [name for name, (method, _, where) in PAGES.items() if method == "GET" and "published" in str(where)]
    for name in of_published:
        visit(world, name, "director")
        built, kept = (text_of(visit(world, name, "anonymous")) for _time in range(2))
        assert (name, built == kept, SEED.hex() in kept) == (name, True, False)
        assert [hand for hand in hands if hand in kept] == []


@pytest.mark.parametrize("role", EACH_ROLE[:-2])
def test_no_licence_and_nothing_else_of_the_list_alone_is_public(crawls, role):
    words = ("LIC-871", "Groland", "Nullepart")
    assert {name for name, text in crawls(role).texts.items() if any(word in text for word in words)} == set()
