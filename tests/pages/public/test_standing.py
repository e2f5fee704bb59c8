"""The status of a published ranking on public pages: provisional, official, corrected, taken back, switched off."""

import datetime as dt
import re
from decimal import Decimal
from functools import partial

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play, restore_play, withdraw_result
from evenings.plays.penalties import Sanction, give_penalty, take_back_penalty
from evenings.plays.ruling import annul_etui, restore_etui, split_etui
from evenings.standings import computing
from pages.doors import session_url
from rankings.publication.publishing import SESSIONS, switch_parts
from tests import shared_evenings
from tests.factories import enter, make_director, publish, started_session
from tests.pages.public.test_pages import correct_and_publish
from tests.pages.reading import read, words
from tests.rankings.publication.test_publishing import correct_first
from tournaments.models import Penalty, Publication, Session, SessionStandings
from tournaments.published import Shows
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
MOMENT = dt.datetime(2026, 11, 22, 22, 40, tzinfo=dt.UTC)
PARTS = {
    "ranking": "ranking",
    "feuille": "feuilles",
    "published_etuis": "etui_pages",
    "published_etui": "etui_pages",
    "results_csv": "file",
}


@pytest.fixture(autouse=True)
def nothing_kept():
    yield
    caches["pages"].clear()


session = shared_evenings.published_with_cards_read_again


@pytest.fixture
def say(director):
    return lambda reason="": DirectorWord(director, timezone.now(), reason)


def reader(language="en"):
    return Client(headers={"accept-language": language})


def ask(session, name="ranking", *rest, language="en"):
    return reader(language).get(session_url(name, session, *rest))


def show(session, say, **switches):
    switch_parts(session_id=session.pk, shows=Shows(**switches), word=say())


def correct(session, director, say):
    correct_first(session, director)
    return SESSIONS.publish(session.pk, DirectorWord(director, timezone.now(), "étui 1 relu"))


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize(
    ("language", "until"),
    [("en", "provisional until 22 November 2026, 23:40"), ("fr", "provisoire jusqu’au 22 novembre 2026 à 23:40")],
)
def test_every_page_of_a_provisional_version_says_until_when(session, language, until, monkeypatch):
    Publication.objects.update(official_from=MOMENT)
    monkeypatch.setattr(timezone, "now", lambda: MOMENT - dt.timedelta(hours=1))
    entrant = session.entrants.first().pk
    for name, rest in {
        "ranking": (),
        "published_etuis": (1,),
        "published_etui": (1, 1),
        "feuille": (1, entrant),
    }.items():
        assert until in words(ask(session, name, *rest, language=language)), name


def test_official_ranking_says_since_when_and_that_the_one_before_had_its_figures(session, say):
    before = read(ask(session)).rows
    tag = ask(session)["ETag"]
    SESSIONS.make_official(session.pk, word=say())
    page = ask(session)
    assert re.search(r"official Official since .*, version 2\.", words(page))
    assert (read(page).rows, page["ETag"] == tag) == (before, False)
    assert "This version was “provisional”: version 2, with the same figures, has replaced it." in words(
        ask(session, "ranking_version", 1)
    )


@pytest.mark.nightly("story")
def test_correction_is_visible_as_one(session, director, say):
    SESSIONS.make_official(session.pk, word=say())
    correct(session, director, say)
    page = words(ask(session))
    assert "provisional until" in page
    assert "Being checked again: étui 1 relu" in page
    assert "What changed in version 3" in page
    (change,) = re.findall(r"Étui 1, table \d: \S+ became \+200", page)
    listed = words(ask(session, "versions"))
    assert change in listed
    assert "Reason: étui 1 relu" in listed
    assert re.findall(r"Version \d", listed) == ["Version 3", "Version 2", "Version 1"]
    assert "replaces this one" in words(ask(session, "ranking_version", 2))


def test_reopened_ranking_says_why_with_the_same_figures(session, say):
    SESSIONS.make_official(session.pk, word=say())
    rows = read(ask(session)).rows
    SESSIONS.reopen(session.pk, word=say("table 3 à revoir"))
    page = ask(session)
    assert read(page).rows == rows
    assert "provisional until" in words(page)
    assert "Being checked again: table 3 à revoir" in words(page)


@pytest.mark.nightly("story")
def test_ranking_taken_back_shows_no_figure_in_any_version(session, director, say):
    names = [entrant.name for entrant in session.entrants.all()]
    figures = set(re.findall(r"\d\d\.\d%", words(ask(session))))
    SESSIONS.withdraw(session.pk, word=say("deux soirées mêlées"))
    entrant = session.entrants.first().pk
    where = [
        ("ranking",),
        ("ranking_version", 1),
        ("published_etuis", 1),
        ("published_etui", 1, 1),
        ("feuille", 1, entrant),
    ]
    for address in [*where, ("results_csv", 1), ("versions",)]:
        answer = ask(session, *address)
        assert (answer.status_code, "deux soirées mêlées" in words(answer)) == (404, True)
        assert not figures & set(re.findall(r"\d\d\.\d%", words(answer)))
        assert not [name for name in names if name in words(answer)]
    publish(session, by=director)
    assert ask(session).status_code == 200
    old = ask(session, "ranking_version", 1)
    assert (old.status_code, session_url("ranking", session) in read(old).links) == (404, True)


def rulings_on(session, director):
    """Yield a ruling of every kind, each on a play, an étui or a player of its own, and then what takes them back."""
    said = {"reason": "à revoir", "by": director, "now": timezone.now()}
    of_session = {"session_id": session.pk} | said
    plays = session.plays.select_related("etui").order_by("etui__number", "pk")
    of_etui = {play.etui.number: play for play in reversed(plays)}
    *_, annulled, withdrawn = plays.filter(etui__number=1)
    players = [entrant.pk for entrant in session.entrants.all()]
    yield "corrected", lambda: correct_first(session, director)
    yield "score", lambda: adjust_play(play_id=of_etui[2].pk, score=56, **said)
    yield "out", lambda: adjust_play(play_id=of_etui[2].pk, score=56, notes={"N": "60"}, compared=False, **said)
    yield "notes", lambda: adjust_play(play_id=of_etui[3].pk, notes={"N": "60", "E": "better 60"}, **said)
    yield "Withdraw the ruling", lambda: restore_play(play_id=of_etui[3].pk, **said)
    yield "annulled", lambda: annul_play(play_id=annulled.pk, **said)
    yield "withdrawn", lambda: withdraw_result(play_id=withdrawn.pk, seen_version=1, **said)
    yield "étui annulled", lambda: annul_etui(etui=4, **of_session)
    yield "étui split", lambda: split_etui(etui=5, from_position=3, **of_session)
    yield "étui back", lambda: restore_etui(etui=4, **of_session)
    for player, kind in zip(players, Penalty.PenaltyKind, strict=False):
        points = Decimal(0 if kind == Penalty.PenaltyKind.WARNING else 3)
        sanction = Sanction(kind=kind, points=points)
        yield kind, partial(give_penalty, entrant_id=player, sanction=sanction, **of_session)
    of_position = Sanction(points=Decimal(4), position=1)
    yield "position", lambda: give_penalty(entrant_id=players[3], sanction=of_position, **of_session)
    yield "penalty back", lambda: take_back_penalty(penalty_id=session.penalties.first().pk, **of_session)


@pytest.mark.nightly("story")
def test_nothing_on_a_public_page_moves_while_rulings_are_typed(session, director, say):
    entrant = session.entrants.first().pk
    addresses = [
        ("ranking",),
        ("published_etuis", 1),
        *(("published_etui", 1, etui) for etui in range(1, 6)),
        ("feuille", 1, entrant),
        ("results_csv", 1),
        ("versions",),
    ]

    def read_all():
        answers = {address: ask(session, *address) for address in addresses}
        return {address: (answer.content, answer["ETag"]) for address, answer in answers.items()}

    before, data = read_all(), session.publications.get().data["players"]
    assert {answer.status_code for answer in (ask(session, *address) for address in addresses)} == {200}
    for name, rule in rulings_on(session, director):
        version = Session.objects.get(pk=session.pk).results_version
        rule()
        raised = Session.objects.get(pk=session.pk).results_version > version
        assert raised or name == "warning", name  # the ruling counts in the standings, while readers see no change
        caches["pages"].clear()  # so that the pages are built again, and stay the same
        assert read_all() == before, name
    computing.refresh(session.pk, now=timezone.now())
    assert SessionStandings.objects.get(pk=session.pk).data["players"] != data
    caches["pages"].clear()
    assert read_all() == before


@pytest.mark.nightly("story")
@pytest.mark.parametrize("part", Shows._fields)
def test_each_part_is_switched_alone_and_what_is_off_says_so_and_is_not_linked(session, say, part):
    before = ask(session)["ETag"]
    show(session, say, **{part: False})
    shows = Shows(**{part: False})
    entrant = session.entrants.first().pk
    where = {
        "ranking": (),
        "feuille": (1, entrant),
        "published_etuis": (1,),
        "published_etui": (1, 1),
        "results_csv": (1,),
    }
    urls = {name: session_url(name, session, *rest) for name, rest in where.items()}
    answers = {name: reader().get(url) for name, url in urls.items()}
    assert {name: answer.status_code for name, answer in answers.items()} == {
        name: 200 if getattr(shows, PARTS[name]) else 404 for name in urls
    }
    closed = {url for name, url in urls.items() if answers[name].status_code == 404} - {urls["ranking"]}
    for answer in answers.values():
        if "html" in answer["Content-Type"]:
            assert not closed & set(read(answer).links)
    assert all(
        "has not made this part of session 1 public" in words(answer)
        for answer in answers.values()
        if answer.status_code == 404
    )
    show(session, say)
    assert ask(session)["ETag"] == before
    assert all(reader().get(url).status_code == 200 for url in urls.values())


def test_switch_changes_what_is_kept_at_once(session, say):
    client = reader()
    url = session_url("published_etui", session, 1, 1)
    first = client.get(url)
    assert 'class="card ' in first.content.decode()
    assert "The cards of this étui are not published." not in words(first)
    show(session, say, cards=False)
    second = client.get(url, headers={"if-none-match": first["ETag"]})
    assert (second.status_code, 'class="card ' in second.content.decode()) == (200, False)
    assert "The cards of this étui are not published." in words(second)


@pytest.mark.nightly("story")
def test_ranking_that_is_off_leads_to_the_feuilles_which_tell_no_rank(session, say):
    show(session, say, ranking=False)
    page = ask(session)
    entrant = session.entrants.first().pk
    feuille = session_url("feuille", session, 1, entrant)
    assert feuille in read(page).links
    told = words(reader().get(feuille))
    assert "Rank" not in told
    assert "Global" in told
    assert session_url("ranking", session) not in read(reader().get(reverse("club", args=["club"]))).links
    assert words(reader().get(reverse("home"))).count("Duplicate d’été") == 0


def test_changes_tell_nothing_of_what_is_off(session, say):
    correct_and_publish(session)
    show(session, say, etuis=False)
    page = words(ask(session, "versions"))
    assert ("Étui 1, table" in page, "percentages of" in page) == (False, True)
    show(session, say, ranking=False)
    page = words(ask(session, "versions"))
    assert ("Étui 1, table" in page, "percentages of" in page, "players move" in page) == (True, False, False)


@pytest.mark.parametrize(("what", "told"), [("over", "official"), ("withdrawn", "withdrawn"), ("new", "provisional")])
def test_lists_say_what_a_ranking_is(session, say, what, told):
    if what == "over":  # and nobody has asked for a page since
        Publication.objects.update(official_from=timezone.now() - dt.timedelta(hours=1))
    elif what == "withdrawn":
        SESSIONS.withdraw(session.pk, word=say("x"))
    tournament = reverse("tournament", args=["club", session.tournament.slug])
    assert told in words(reader().get(tournament))
    assert told in words(ask(session, "session"))
    home = words(reader().get(reverse("home")))
    assert (told in home) == (what != "withdrawn")


def test_first_visit_after_the_window_finds_it_official_also_where_the_page_was_kept(session):
    client = reader()
    url = session_url("ranking", session)
    assert [client.get(url).status_code for _time in range(2)] == [200, 200]
    Publication.objects.update(official_from=timezone.now() - dt.timedelta(hours=1))
    assert "Official since" in words(client.get(url))
    assert session.publications.count() == 2


def test_practice_is_for_its_own_alone_also_when_it_is_over(session, django_user_model):
    club = session.tournament.club
    club.practice_of = type(club).objects.create(name="Vrai", slug="vrai", created_at=timezone.now())
    club.save()
    assert ask(session).status_code == 404
    client = reader()
    client.force_login(make_director(club.practice_of, "autre"))
    assert client.get(session_url("ranking", session)).status_code == 200


@pytest.mark.nightly("story")
def test_session_without_all_results_says_so_and_its_changes_count_them():
    session = started_session()
    director = make_director(session.tournament.club)
    plays = list(session.plays.select_related("etui"))
    for play in plays[:20]:
        enter(play, by=director)
    publish(session, by=director, allow_missing=True)
    for play in plays[20:]:
        enter(play, by=director)
    publish(session, by=director)
    assert "5 missing results have come in" in words(ask(session))
