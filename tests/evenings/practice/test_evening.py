"""The practice evening: complete for its directors, invisible to everybody else, and deleted without a trace."""

import random
from collections import Counter

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, User
from evenings import practice
from evenings.plays.desk_state import DISPUTED, ODD, TO_LOOK_AT, desk_plays
from evenings.plays.entering import annul_play, correct_result
from evenings.practice import (
    PLAYERS,
    delete_practice,
    find_practice,
    find_slips,
    invent_result,
    invent_results,
    make_practice,
)
from evenings.sessions.setup import create_session
from pages.doors import session_url
from registration.people.cuts import CutGiven, make_session_cut
from scoring.bounds import check_cards
from tests.api.test_roles import NEEDS
from tests.factories import (
    garde,
    make_club,
    make_director,
    make_helper,
    make_tournament,
    make_user,
    publish,
    published_session,
)
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tests.test_access import PAGES
from tournaments.errors import ActionRefused
from tournaments.models import ArbiterCall, Cut, Publication, ResultEntry, Session
from tournaments.rules.etuis import odd_entries

OUTSIDERS = ("anonymous", "stranger", "foreign_director")


@pytest.fixture(scope="module")
def made(rows_of_the_file):
    club = make_club()
    director = make_director(club, "director")
    make_helper(club, "helper")
    make_user("stranger")
    make_director(make_club("ailleurs"), "foreign_director")
    published_session(by=director)
    session = make_practice(club=club, by=director, now=timezone.now())
    return club, director, session


@pytest.fixture
def world(db, made):
    club, director, session = made
    club.refresh_from_db()
    return club, director, Session.objects.select_related("tournament__club").get(pk=session.pk)


@pytest.fixture
def published(world):
    """Return the practice evening, published."""
    _, director, session = world
    publish(session, by=director, allow_missing=True)
    return world


def client_of(role):
    if role == "anonymous":
        return Client(headers={"accept-language": "en"})
    return browser_of(User.objects.get(username=role))


def rows():
    """Return the number of rows of each model."""
    return Counter({model._meta.label: model._base_manager.count() for model in apps.get_models()})


def test_evening_is_under_way_with_results_but_for_the_last_position(world):
    club, director, session = world
    apart = session.tournament.club
    assert apart.practice_of == club
    assert (session.status, session.entrants.count(), session.tables.count()) == ("running", 20, 5)
    assert session.plays.filter(entries=None).count() == session.plays.filter(position=5).count() == 10
    assert make_practice(club=club, by=director, now=timezone.now()) == session
    assert club.players.count() == 0


def test_arbiter_finds_two_disputed_results_two_odd_ones_and_a_call(world):
    _, director, session = world
    states = [each for each in desk_plays(session, flags=True, user=director) if each.entry]
    assert Counter(each.state for each in states if each.state in TO_LOOK_AT) == {DISPUTED: 2, ODD: 2}
    disputed = [each for each in states if each.state == DISPUTED]
    # in one dispute the other side does not agree, in the other two results were sent
    assert sorted(len(each.rows) for each in disputed) == [1, 2]
    call = ArbiterCall.objects.get(session=session, answered_at=None)
    assert (call.table.number, call.reason, call.play.position) == (3, "cards", 5)
    page = words(browser_of(director).get(session_url("session", session)))
    assert "the étui or its cards" in page
    assert session.tables.filter(devices__writes=True).count() == 0


@pytest.mark.parametrize("seed", range(25))
def test_any_practice_evening_has_exactly_two_odd_results(world, seed):
    _, _, session = world
    plays = list(session.plays.filter(position__lt=5).select_related("etui").order_by("pk"))
    entries = invent_results(plays, random.Random(seed))
    by_etui = {}
    for play in plays:
        by_etui.setdefault(play.etui_id, {})[play.pk] = entries[play.pk]
    assert sum(len(odd_entries(group)) for group in by_etui.values()) == 2


def test_results_without_two_odd_ones_are_invented_again(world, monkeypatch):
    _, _, session = world
    plays = list(session.plays.filter(position__lt=5).select_related("etui").order_by("pk"))
    tries = []

    def find_none_at_first(group, entries):
        tries.append(group)
        return find_slips(group, entries) if len(tries) > 20 else iter(())

    monkeypatch.setattr(practice, "find_slips", find_none_at_first)
    entries = invent_results(plays, random.Random(1))
    by_etui = {}
    for play in plays:
        by_etui.setdefault(play.etui_id, {})[play.pk] = entries[play.pk]
    assert sum(len(odd_entries(group)) for group in by_etui.values()) == 2
    assert len(tries) > 20


@pytest.mark.nightly("crawl")
def test_director_plays_it_to_its_ranking_and_every_page_says_what_it_is(published):
    _, director, session = published
    browser = browser_of(director)
    pages = ("session", "hall", "standings", "publish", "prints", "tables", "log", "session_plan", "ranking")
    for name in pages:
        page = browser.get(session_url(name, session))
        assert (name, page.status_code) == (name, 200)
        assert "Practice: invented players, invented results." in words(page)
    for address in (reverse("club", args=[session.tournament.club.slug]), session_url("published_etuis", session, 1)):
        assert "Practice: invented players" in words(browser.get(address))
    assert "no-store" in browser.get(session_url("ranking", session))["Cache-Control"]
    helper = client_of("helper").get(session_url("session", session))
    assert helper.status_code == 200


def address_in(session, name):
    where = PAGES[name][2]
    if where is None:
        return None
    thing, *rest = where.split()
    tournament = session.tournament
    parts = {
        "version": 1, "entrant": session.entrants.first().pk, "etui": 1, "table": 1, "operation": "arrive",
        "play": session.plays.first().pk, "penalty": 1, "usual": 1, "call": 1, "applicant": 1, "kind": "csv",
    }  # fmt: skip
    base = [tournament.club.slug, tournament.slug, session.number]
    try:
        depth = {"club": 1, "tournament": 2}.get(thing, 3)
        return reverse(name, args=[*base[:depth], *(parts[part] for part in rest)])
    except KeyError:
        return None


def test_director_is_never_told_that_everybody_reads_it_and_finds_back_to_his_club(world):
    club, director, session = world
    browser = browser_of(director)
    page = browser.get(session_url("publish", session))
    assert "only the club’s directors and helpers see the ranking" in words(page)
    assert reverse("club", args=[club.slug]) in read(page).links
    done = browser.post(session_url("publish", session), {"allow_missing": "on"}, follow=True)
    assert "Published (practice)." in words(done)
    assert "verybody" not in words(page) + words(done)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("role", OUTSIDERS)
def test_no_page_of_it_opens_to_anybody_else(published, role):
    _, _, session = published
    client = client_of(role)
    asked = {name: address for name in PAGES if (address := address_in(session, name))}
    assert len(asked) > 50
    found = {}
    for name, address in asked.items():
        answer = client.generic(PAGES[name][0], address)
        leads_to_login = answer.get("Location", "").startswith(reverse("login"))
        found[name] = "login" if leads_to_login else answer.status_code
    expected = {404} if role != "anonymous" else {404, "login"}
    assert {name: answer for name, answer in found.items() if answer not in expected} == {}


@pytest.mark.nightly("story")
@pytest.mark.parametrize("role", OUTSIDERS)
def test_no_answer_of_the_api_tells_of_it(published, role):
    _, director, session = published
    client, apart = client_of(role), session.tournament.club
    where = {
        "slug": apart.slug, "tournament": session.tournament.pk, "session": session.pk, "published": session.pk,
        "entrant": session.entrants.first().pk, "published_entrant": session.entrants.first().pk,
        "play": session.plays.first().pk, "directors_play": session.plays.last().pk,
        "several": session.tournament.pk, "request": 1,
        "of_teams": session.tournament.pk, "session_of_teams": session.pk, "team": 1, "member": 1,
        "player": session.entrants.first().player_id, "other": session.entrants.last().player_id,
        "series": "challenge", "field": "hiver", "field_entrant": session.entrants.first().pk,
    }  # fmt: skip
    own = browser_of(director)  # the director's own visits change nothing for strangers
    assert own.get(f"/api/v1/sessions/{session.pk}/publications/1/").status_code == 200
    assert own.get(session_url("ranking", session)).status_code == 200
    assert client.get(session_url("ranking", session)).status_code == 404
    for path in NEEDS:
        answer = client.get(f"/api/v1/{path.format(**where)}")
        if "{" not in path:  # an address without a number lists all clubs
            assert (path, apart.slug in answer.content.decode()) == (path, False)
        else:
            assert (path, answer.status_code in (401, 403, 404, 405)) == (path, True)


def tells(text, session):
    """Return the words of a practice evening that a text contains."""
    apart = session.tournament.club
    invented = [line.split(",")[0] for line in PLAYERS.split("\n") if line and len(line.split(",")[0]) > 6]
    secrets = [apart.slug, apart.name, session.tournament.name, session.deal_set.commitment, *invented]
    return [secret for secret in secrets if secret and secret in text]


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("role", OUTSIDERS)
def test_crawl_from_the_first_page_never_comes_upon_it(published, role):
    _, _, session = published
    client, waiting, seen = client_of(role), ["/", "/verify/", "/api/v1/clubs/"], set()
    while waiting:
        address = waiting.pop().partition("#")[0]
        if address in seen or not address.startswith("/") or address.startswith(("/static", "/admin", "/api/v1/docs")):
            continue
        seen.add(address)
        answer = client.get(address)
        if answer.status_code != 200 or ("text" not in answer["Content-Type"] and "json" not in answer["Content-Type"]):
            continue
        text = answer.content.decode()
        assert (address, tells(text, session)) == (address, [])
        waiting += [link for link in read(answer).links if "?" not in link] if "html" in answer["Content-Type"] else []
    assert len(seen) > 30


def test_commitment_of_its_etuis_is_not_to_be_verified(world):
    _, _, session = world
    commitment = session.deal_set.commitment
    assert commitment
    assert Client().get(reverse("verify_set", args=[commitment])).status_code == 404
    assert commitment not in Client().get(reverse("verify")).content.decode()


def test_it_counts_nowhere_in_the_real_club(published):
    club, director, session = published
    page = words(browser_of(director).get(reverse("club", args=[club.slug])))
    assert session.tournament.name not in page
    assert "Latest ranking" not in page
    assert "Your first evening, in five steps" in page
    assert list(Club.objects.filter(name__contains="practice")) == []


@pytest.mark.nightly("story")
def test_whatever_has_come_to_it_goes_with_one_click(db):
    club = make_club()
    director = make_director(club)
    browser = browser_of(director)
    before = rows()
    address = browser.post(reverse("practice", args=[club.slug])).url
    session = Session.objects.get(tournament__club__practice_of=club)
    assert address == session_url("session", session)
    play = session.plays.filter(entries__isnull=False).select_related("etui").first()
    now = timezone.now()
    correct_result(
        play_id=play.pk, entry=invent_result(play, random.Random(7)), reason="x", seen_version=1, by=director, now=now
    )
    annul_play(play_id=play.pk, reason="x", by=director, now=now)
    given = {"entrant": session.entrants.first().pk, "kind": "penalty", "points": 1, "reason": "x", "apply": "1"}
    browser.post(session_url("penalties", session), given)
    browser.post(session_url("penalty_back", session, session.penalties.first().pk), {"reason": "y", "apply": "1"})
    browser.post(session_url("etui_rule", session, 1), {"kind": "annulled", "reason": "x", "apply": "1"})
    browser.post(session_url("arbiter_code", session, 1))
    browser.get(reverse("deal_set_cards", args=[session.tournament.club.slug, session.deal_set.pk]))
    publish(session, by=director, allow_missing=True)
    answer = browser.post(reverse("practice_delete", args=[session.tournament.club.slug]), follow=True)
    assert "is deleted, with its invented players" in words(answer)
    assert {label: count for label, count in rows().items() if before[label] != count} == {}


@pytest.mark.nightly("story")
def test_deleting_twice_and_without_one_changes_nothing(db):
    club = make_club()
    before = rows()
    for _time in range(2):
        delete_practice(club=club)
    assert (rows(), find_practice(club)) == (before, None)


@pytest.mark.nightly("story")
def test_practice_with_a_cut_and_its_consolation_is_deleted(published):
    club, director, session = published
    told = {"by": director, "now": timezone.now()}
    key = f"s{session.publications.get().pk}"
    second, third = (create_session(tournament=session.tournament, date=session.date) for _ in range(2))
    cut = make_session_cut(session_id=second.pk, given=CutGiven(key, 8), **told)
    make_session_cut(session_id=third.pk, given=CutGiven("", 8, out_of=cut.pk), **told)
    delete_practice(club=club)
    assert (Cut.objects.count(), find_practice(club)) == (0, None)


def test_cuts_of_a_practice_are_deleted_before_the_rankings_that_they_read(db, monkeypatch):
    now = timezone.now()
    apart = Club.every.create(name="Essai", slug="essai", created_at=now, practice_of=make_club())
    tournament = make_tournament(apart)
    first, *others = (Session.objects.create(tournament=tournament, number=each, date=now.date()) for each in (1, 2, 3))
    version = Publication.objects.create(session=first, version=1, results_version=1, published_at=now, data={})
    told = {"publication": version, "places": 8, "made_at": now, "made_by": make_user("directeur")}
    cut = Cut.objects.create(session=others[0], **told)
    Cut.objects.create(session=others[1], out_of=cut, **told)
    left = []

    def stop_at_the_first_session(_session):
        left.append(Cut.objects.count())
        raise ActionRefused("request_over")

    monkeypatch.setattr(practice, "lock_plan_to_remove", stop_at_the_first_session)
    with pytest.raises(ActionRefused):
        practice.erase(apart)
    assert left == [0]


@pytest.mark.guard("a real evening is never thrown away as a trial")
def test_real_evenings_cannot_be_thrown_away_so(world):
    club, director, session = world
    real = published_session(by=director)
    before = ResultEntry.objects.filter(play__session=real).count(), Publication.objects.filter(session=real).count()
    delete_practice(club=real.tournament.club)
    delete_practice(club=club)
    after = ResultEntry.objects.filter(play__session=real).count(), Publication.objects.filter(session=real).count()
    assert (before, Session.objects.filter(pk=session.pk).exists()) == (after, False)


def test_no_slip_is_a_result_that_cannot_be(made, monkeypatch):
    """Check that with three bouts a slip never has 16 points, since the attack then has at least 17.

    The étui's own cards are ignored here.
    """
    monkeypatch.setattr(practice, "is_doubted", lambda _play, _entry: False)
    *_, session = made
    plays = list(session.plays.filter(etui__number=1).select_related("etui", "session__tournament"))
    assert len(plays) > 3
    for points in range(17, 90):
        entries = {play.pk: garde(play.etui.taker, bouts=3, points=points) for play in plays}
        slips = [slip for found in find_slips(plays, entries) for slip in found.values()]
        assert [check_cards(slip.result) for slip in slips] == [None] * len(slips)
