"""The published ranking of a simultaneous: its versions, its public pages, and the organiser's page."""

import csv
import io
import re
from contextlib import nullcontext
from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, ClubLogEntry, Person, ShownWord, Visibility
from clubs.players import raise_names_version
from clubs.shown import choose_shown
from evenings.plays.ruling import annul_etui
from pages import ranking_pages
from pages.public import field
from rankings.simultaneous.field.publishing import FIELDS
from tests.factories import make_director, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.simultaneous.national_day import (
    DAY,
    HOUR,
    play_in,
    word,
)
from tournaments.errors import ActionRefused
from tournaments.models import ResultEntry, Session, Simultaneous

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(director):
    return browser_of(director)


@pytest.fixture
def client():
    """Return a browser without an account, in English."""
    return browser_of()


def url(name, simultaneous, *rest):
    return reverse(name, args=[simultaneous.club.slug, simultaneous.slug, *rest])


def open_now(simultaneous):
    """Let the public hour be over, with all results entered before it."""
    over = timezone.now() - HOUR
    ResultEntry.objects.update(entered_at=over - HOUR)
    Simultaneous.objects.filter(pk=simultaneous.pk).update(opens_at=over - DAY, closes_at=over, public_at=over)


def close_sessions(sessions):
    Session.objects.filter(pk__in=[each.pk for each in sessions]).update(closed_at=timezone.now())


def test_nothing_is_shown_before_the_organiser_publishes(client, browser, played):
    simultaneous, _sessions = played
    for name in ("field", "field_versions", "field_file"):
        assert client.get(url(name, simultaneous)).status_code == 404
    page = client.get(url("field", simultaneous))
    assert "The ranking is not published yet" in words(page)
    assert "Nom001" not in words(page)
    assert client.get(url("field_publish", simultaneous)).status_code in (302, 403)
    live = words(browser.get(url("field_publish", simultaneous)))
    assert "Nom0" in live
    assert "Hiver0" in live


@pytest.mark.nightly("story")
def test_organiser_publishes_and_everybody_reads(client, browser, played):
    simultaneous, _sessions = played
    assert browser.post(url("field_publish", simultaneous)).status_code == 302
    page = client.get(url("field", simultaneous))
    assert page.status_code == 200
    text = words(page)
    assert "40 players" in text
    assert "Hiver0" in text
    assert "Hiver1" in text
    assert "provisional" in text
    # the feuilles and étuis wait for the public hour
    assert url("field_etui", simultaneous, 1) not in page.content.decode()
    assert "The étuis and everybody’s notes open on" in text
    again = words(browser.get(url("field_publish", simultaneous)))
    assert "Nothing has changed since" in again


@pytest.mark.nightly("story")
def test_etuis_and_feuilles_open_at_the_public_hour(client, director, played):
    simultaneous, sessions = played
    publish(sessions[0], by=director)
    FIELDS.publish(simultaneous.pk, word(director))
    entrant = sessions[0].entrants.order_by("pk")[0]
    closed = [url("field_etui", simultaneous, 1), url("field_feuille", simultaneous, entrant.pk)]
    assert [client.get(address).status_code for address in closed] == [404, 404]
    open_now(simultaneous)
    FIELDS.settle_all()
    pages = [client.get(address) for address in closed]
    assert [page.status_code for page in pages] == [200, 200]
    assert "Played 10 times" in words(pages[0])
    assert "Étui by étui" in words(pages[1])
    assert "All clubs" in words(pages[1])
    row = next(
        each for each in simultaneous.publications.order_by("-version")[0].data["players"] if each["id"] == entrant.pk
    )
    assert f"{float(Fraction(row['overall'])):.2f}" in words(pages[1])
    assert closed[0] in client.get(url("field", simultaneous)).content.decode()
    # a club that has published nothing shows no étuis of its players
    other = sessions[1].entrants.order_by("pk")[0]
    assert "does not show this evening" in words(client.get(url("field_feuille", simultaneous, other.pk)))


@pytest.mark.nightly("story")
def test_a_feuille_has_the_notes_of_the_field(director, played):
    from rankings.simultaneous.field.feuilles import read_field_feuille
    from rankings.simultaneous.field.report import read_field_ranking

    simultaneous, sessions = played
    publish(sessions[0], by=director)
    publication = FIELDS.publish(simultaneous.pk, word(director))
    ranking = read_field_ranking(publication.data)
    for entrant in sessions[0].entrants.all():
        row = ranking.find_row(entrant.pk)
        feuille = read_field_feuille(ranking.rules, row)
        notes = {"attack": [], "defence": []}
        for each in feuille.lines:
            takes = each.line.play.seats[each.line.play.taker] == entrant.pk
            notes["attack" if takes else "defence"].append(each.note)
        for part, found in notes.items():
            assert sum(found) / len(found) == getattr(row, part)


def test_hidden_players_are_not_named_in_any_file_or_page(client, director, played):
    simultaneous, sessions = played
    FIELDS.publish(simultaneous.pk, word(director))
    player, club = sessions[0].entrants.order_by("pk")[0].player, sessions[0].tournament.club.slug
    before = words(
        client.get(url("field", simultaneous) + f"?q={player.last_name}&club={sessions[0].tournament.club.slug}")
    )
    assert player.last_name in before
    now = timezone.now()
    choose_shown(player=player, shown=Visibility.HIDDEN, way=ShownWord.WordWay.DIRECTOR, by=director, now=now)
    assert Person.objects.get(pk=player.person_id).shown == Visibility.HIDDEN
    for address in (f"{url('field', simultaneous)}?club={club}", f"{url('field_file', simultaneous)}?kind=csv"):
        content = client.get(address).content.decode()
        rows = [line for line in content.splitlines() if player.last_name in line and "Hiver0" in line]
        assert rows == []
        assert "Hidden player" in content
    found = words(client.get(f"{url('field', simultaneous)}?q={player.last_name}&club={club}"))
    assert "Nobody here is called" in found


def test_file_has_every_player_with_club_and_rank(client, director, played):
    simultaneous, _sessions = played
    FIELDS.publish(simultaneous.pk, word(director))
    content = client.get(url("field_file", simultaneous) + "?kind=csv").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(content), delimiter=";"))
    assert sum("Hiver0" in row for row in rows) == sum("Hiver1" in row for row in rows) == 20
    assert client.get(url("field_file", simultaneous) + "?kind=xlsx").content[:2] == b"PK"


@pytest.mark.nightly("story")
def test_official_only_when_all_have_closed(director, played):
    simultaneous, sessions = played
    FIELDS.publish(simultaneous.pk, word(director))
    with pytest.raises(ActionRefused, match="still count"):
        FIELDS.make_official(simultaneous.pk, word(director))
    provisional = simultaneous.publications.get()
    assert provisional.official_from > simultaneous.public_at
    close_sessions(sessions)
    FIELDS.publish(simultaneous.pk, word(director))
    assert FIELDS.make_official(simultaneous.pk, word(director)).status == "official"
    logged = ClubLogEntry.objects.filter(club=simultaneous.club).values_list("action", flat=True)
    assert {"field_published", "field_official"} <= set(logged)


def test_what_came_in_is_published_when_the_field_is_over(director, played):
    simultaneous, sessions = played
    first = FIELDS.publish(simultaneous.pk, word(director))
    annul_etui(session_id=sessions[0].pk, etui=1, reason="x", by=director, now=timezone.now())
    FIELDS.settle_all()
    assert simultaneous.publications.count() == 1
    close_sessions(sessions)
    FIELDS.settle_all()
    last = simultaneous.publications.order_by("-version")[0]
    assert (last.version, last.published_by, last.status) == (2, None, "provisional")
    assert last.data != first.data
    assert last.data["complete"]
    FIELDS.settle_all()
    assert simultaneous.publications.count() == 2
    FIELDS.settle_all()
    simultaneous.publications.filter(pk=last.pk).update(official_from=timezone.now() - HOUR)
    FIELDS.settle_all()
    assert simultaneous.publications.order_by("-version")[0].status == "official"


def test_a_correction_after_the_end_needs_a_reason_and_makes_a_version(client, browser, director, played):
    simultaneous, sessions = played
    close_sessions(sessions)
    FIELDS.publish(simultaneous.pk, word(director))
    FIELDS.make_official(simultaneous.pk, word(director))
    annul_etui(session_id=sessions[0].pk, etui=1, reason="x", by=director, now=timezone.now())
    with pytest.raises(ActionRefused):
        FIELDS.publish(simultaneous.pk, word(director))
    FIELDS.publish(simultaneous.pk, word(director, "étui 1 de Hiver0"))
    versions = words(client.get(url("field_versions", simultaneous)))
    assert "étui 1 de Hiver0" in versions
    assert re.search(r"The percentages of \d\d players change", versions)
    old = client.get(url("field_version", simultaneous, 1))
    assert "version 3 replaces this one" in words(old)
    withdrawn = browser.post(url("field_step", simultaneous, "withdraw"), {"reason": "erreur de calcul"})
    assert withdrawn.status_code == 302
    for address in (url("field", simultaneous), url("field_version", simultaneous, 1)):
        page = client.get(address)
        assert page.status_code == 404
        assert "erreur de calcul" in words(page)
    FIELDS.settle_all()


def test_long_rankings_come_in_parts(client, director, played, monkeypatch):
    monkeypatch.setattr(ranking_pages, "A_PART", 15)
    simultaneous, sessions = played
    publication = FIELDS.publish(simultaneous.pk, word(director))
    page = client.get(url("field", simultaneous)).content.decode()
    assert page.count("<tr\n") + page.count("<tr ") >= 15
    assert "31–40" in page
    last = publication.data["players"][-1]
    mine = client.get(f"{url('field', simultaneous)}?by=general&me={last['player']}").content.decode()
    assert f'id="player-{last["player"]}"' in mine
    only = words(client.get(f"{url('field', simultaneous)}?club={sessions[1].tournament.club.slug}&part=all"))
    assert "20 players" in only


@pytest.mark.nightly("crawl")
def test_ranking_page_takes_the_same_queries_for_more_clubs(organiser, director, client, django_assert_max_num_queries):
    counted = []
    for clubs in (2, 5):
        simultaneous, _sessions = play_in(organiser, director, clubs, slug=f"s{clubs}")
        FIELDS.publish(simultaneous.pk, word(director))
        with django_assert_max_num_queries(30) as asked:
            assert client.get(url("field", simultaneous)).status_code == 200
        counted.append(len(asked))
    assert counted[0] == counted[1]


@pytest.mark.nightly("story")
def test_kept_pages_of_a_field_take_one_query_and_follow_each_change(client, browser, played, director):
    simultaneous, sessions = played
    close_sessions(sessions)
    open_now(simultaneous)
    FIELDS.publish(simultaneous.pk, word(director))
    entrant = sessions[0].entrants.first().pk
    for name, rest, queries in (("field", (), 1), ("field_feuille", (entrant,), 2), ("field_version", (1,), 1)):
        address = url(name, simultaneous, *rest)
        first = client.get(address)
        with CaptureQueriesContext(connection) as asked:
            again = client.get(address)
        assert (first.status_code, len(asked), again.content, again.headers) == (
            200,
            queries,
            first.content,
            first.headers,
        )
        known = {"if-none-match": first["ETag"]}
        assert client.get(address, headers=known).status_code == 304
        with CaptureQueriesContext(connection) as asked:
            assert client.get(address, headers=known).status_code == 304
        assert len(asked) == queries
    page = url("field", simultaneous)
    before = client.get(page)["ETag"]
    raise_names_version(sessions[1].tournament.club_id)
    renamed = client.get(page)["ETag"]
    Simultaneous.objects.filter(pk=simultaneous.pk).update(title="Un autre titre")
    assert "Un autre titre" in words(client.get(page))
    assert len({before, renamed, client.get(page)["ETag"]}) == 3
    FIELDS.withdraw(simultaneous.pk, word(director, "un doute"))
    assert client.get(page).status_code == 404
    Simultaneous.objects.filter(pk=simultaneous.pk).update(slug="ailleurs")
    assert client.get(url("field_version", simultaneous, 1)).status_code == 404


@pytest.mark.nightly("story")
def test_other_directors_cannot_publish_or_step(played):
    simultaneous, sessions = played
    other = browser_of(make_director(sessions[0].tournament.club, "ailleurs"))
    assert other.get(url("field_publish", simultaneous)).status_code in (403, 404)
    assert other.post(url("field_publish", simultaneous)).status_code in (403, 404)
    assert other.post(url("field_step", simultaneous, "official")).status_code in (403, 404)
    assert not simultaneous.publications.exists()


@pytest.mark.parametrize(
    ("stamp", "part", "version", "is_found"),
    [
        (None, "", None, True),  # nothing is published yet, and a page says so
        (None, "", 3, False),
        (SimpleNamespace(withdrawn=False, opened=False), "", None, True),
        (SimpleNamespace(withdrawn=False, opened=False), field.OPENED, None, False),
        (SimpleNamespace(withdrawn=False, opened=True), field.OPENED, None, True),
    ],
)
def test_version_that_is_missing_or_not_yet_open_is_not_found(rf, monkeypatch, stamp, part, version, is_found):
    made = {
        "find_of_club": lambda _model, _club, _slug: Simultaneous(),
        "FIELDS": SimpleNamespace(look_up=lambda _found, _version, _entrant: stamp),
        "refuse_field": lambda _request, _found, _stamp: "nothing yet",
    }
    for name, value in made.items():
        monkeypatch.setattr(field, name, value)
    with nullcontext() if is_found else pytest.raises(Http404):
        assert field.enter_field(rf.get("/"), part, Club(slug="club"), "jour", version)
