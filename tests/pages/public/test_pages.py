"""The public pages: clubs and published rankings, frozen, cached by their ETag, without a log-in."""

from shutil import copytree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from evenings.plays.entering import annul_play, correct_result
from evenings.sessions.setup import edit_session
from rankings.publication.report import read_report
from tests import shared_evenings
from tests.factories import (
    draft_session,
    enter,
    enter_all,
    make_club,
    make_director,
    make_tournament,
    publish,
    published_session,
    started_session,
)
from tests.pages.reading import read, words
from tests.registration.agenda.evenings import make_evening
from tournaments.rules.entry import AllPassed, Fiche
from tournaments.words.figures import percent
from tournaments.words.stamps import site_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader():
    """Return a browser of a stranger in English.

    Messages differ by language; figures are tested in both.
    """
    return Client(headers={"accept-language": "en"})


session = shared_evenings.published_with_cards


@pytest.fixture
def report(session):
    return read_report(session.publications.get().data)


def address(name, session, **more):
    tournament = session.tournament
    where = {"club": tournament.club.slug, "tournament": tournament.slug, "number": session.number}
    return reverse(name, kwargs=where | more)


def correct_and_publish(session):
    """Correct the best result of the first étui so that it becomes the worst, and publish a new version."""
    report = read_report(session.publications.get().data)
    best = report.topage(report.data.etuis[0])[0]
    play = session.plays.select_related("etui").get(pk=best.id)
    director = session.tournament.club.memberships.get(role="director").user
    correct_result(
        play_id=play.pk,
        entry=Fiche(play.etui.taker, -300),
        reason="relu",
        seen_version=1,
        by=director,
        now=timezone.now(),
    )
    return publish(session, by=director)


def test_home_without_anything_says_so_and_leads_to_the_rules(reader):
    response = reader.get(reverse("home"))
    assert "No ranking has been published yet" in words(response)
    assert read(response).links.count(reverse("rules")) == 2


def test_home_lists_clubs_and_latest_rankings(reader, session):
    links = read(reader.get(reverse("home"))).links
    assert {reverse("club", args=["club"]), address("ranking", session)} <= set(links)


def test_club_without_a_tournament_says_so(reader):
    make_club()
    assert "No tournament yet" in words(reader.get(reverse("club", args=["club"])))


def test_unknown_club_is_not_found(reader):
    assert reader.get(reverse("club", args=["nobody"])).status_code == 404


def test_club_shows_tournaments_as_one_list_with_next_evening_and_last_ranking(reader, session):
    other = make_evening("2031-02-03", tournament=session.tournament)
    make_evening("2031-02-10", tournament=session.tournament)
    response = reader.get(reverse("club", args=["club"]))
    page = words(response)
    assert "3 sessions · next one on 3 February 2031 Ranking of 20 November" in page
    assert read(response).links.count(address("ranking", session)) == 2  # on its podium, and of its tournament
    assert address("session", other) not in read(response).links


@pytest.mark.nightly("story")
def test_club_leads_its_director_alone_to_players_and_a_new_tournament(client, reader):
    club = make_club()
    client.force_login(make_director(club))
    doors = {reverse("players", args=["club"]), reverse("tournament_new", args=["club"])}
    assert doors <= set(read(client.get(reverse("club", args=["club"]))).links)
    assert not doors & set(read(reader.get(reverse("club", args=["club"]))).links)


def test_tournament_shows_of_a_draft_its_date_alone(reader):
    session = draft_session()
    response = reader.get(reverse("tournament", args=["club", session.tournament.slug]))
    assert "20 November 2026" in words(response)
    assert address("session", session) not in read(response).links


def test_tournament_leads_its_director_to_a_first_session(client):
    tournament = make_tournament()
    client.force_login(make_director(tournament.club))
    response = client.get(reverse("tournament", args=["club", tournament.slug]))
    assert reverse("session_new", args=["club", tournament.slug]) in read(response).links


def test_ranking_before_publication_is_not_found_and_says_what_to_expect(reader):
    session = started_session()
    response = reader.get(address("ranking", session))
    assert response.status_code == 404
    assert "not published yet" in words(response)


@pytest.mark.parametrize("name", ["published_etuis", "ranking_version"])
def test_version_that_does_not_exist_is_not_found(reader, session, name):
    assert reader.get(address(name, session, version=2)).status_code == 404


@pytest.mark.parametrize("by", ["alterne", "general"])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_ranking_shows_every_player_with_rank_and_percentages(session, report, by, language):
    response = Client(headers={"accept-language": language}).get(address("ranking", session), {"by": by})
    players = report.ranking.order("alterne") if by == "alterne" else report.players
    rows = read(response).rows[1:]
    assert [row[0].split()[0] for row in rows] == [str(getattr(player, f"rank_{by}")) for player in players]
    with translation.override(language):
        assert [row[-3:-1] for row in rows] == [
            [percent(player.attack).replace("\xa0", " "), percent(player.defence).replace("\xa0", " ")]
            for player in players
        ]
        shown = [(percent(player.overall), percent(player.overall, 2)) for player in players]
    assert all(row[-1] in [text.replace("\xa0", " ") for text in texts] for row, texts in zip(rows, shown, strict=True))


def test_ranking_is_alterne_unless_asked_otherwise(reader, session):
    plain = read(reader.get(address("ranking", session))).rows
    assert plain == read(reader.get(address("ranking", session), {"by": "alterne"})).rows
    assert plain == read(reader.get(address("ranking", session), {"by": "nonsense"})).rows


def test_ranking_by_line_has_a_table_of_each_line(reader, session, report):
    rows = read(reader.get(address("ranking", session), {"by": "line"})).rows
    shown = [row for row in rows if row[0] != "Rank"]
    expected = [player for line in "NESW" for player in report.ranking.list_of_line(line)]
    assert [row[0].split()[0] for row in shown] == [str(player.rank_line) for player in expected]


def test_ranking_marks_the_first_three_and_whom_the_reader_looks_for(reader, session):
    page = read(reader.get(address("ranking", session), {"q": "ZOE nom007"}))
    marked = [row for row, kind in zip(page.rows, page.classes, strict=True) if "is-me" in kind]
    assert len(marked) == 1
    assert "Zoé Nom007" in marked[0][2]
    firsts = [row[0] for row, kind in zip(page.rows, page.classes, strict=True) if "is-first" in kind]
    assert firsts
    assert {int(rank.split()[0]) for rank in firsts} <= {1, 2, 3}


def test_ranking_says_when_nobody_has_the_name(reader, session):
    page = reader.get(address("ranking", session), {"q": "<Nobody>"})
    assert "Nobody here is called “&lt;Nobody&gt;”" in page.content.decode()


def test_ranking_tells_its_version_and_what_is_missing_or_annulled(reader):
    session = started_session()
    director = make_director(session.tournament.club)
    plays = list(session.plays.select_related("etui"))
    enter_all(session, by=director, plays=plays[2:])
    annul_play(play_id=plays[5].pk, reason="étui faux", by=director, now=timezone.now())
    publish(session, by=director, allow_missing=True)
    page = words(reader.get(address("ranking", session)))
    assert "version 1. 2 results are missing. 1 deal is annulled." in page


def test_ranking_of_a_free_auction_shows_no_attack_and_no_defence(reader):
    session = published_session(make_tournament(auction="free"))
    response = reader.get(address("ranking", session))
    assert read(response).rows[0] == ["Rank", "Line and numberNo.", "Player", "Général", "Deals", "Global"]
    assert "¼" not in words(response)


def test_free_auction_passed_by_everyone_is_shown_as_such(reader):
    session = started_session(make_tournament(auction="free"))
    director = make_director(session.tournament.club)
    first, *others = session.plays.select_related("etui")
    enter(first, AllPassed(), by=director)
    enter_all(session, by=director, plays=others)
    publish(session, by=director)
    etui_page = reader.get(address("published_etui", session, version=1, etui=first.etui.number))
    feuille = reader.get(address("feuille", session, version=1, entrant=first.north_id))
    assert words(etui_page).count("everyone passed, position 1, table 1") == len("NESW")
    assert words(feuille).count("everyone passed") == 1


def test_publication_is_answered_304_to_whoever_has_it(reader, session, report):
    etui = report.data.etuis[0].number
    entrant = report.players[0].id
    for url in (
        address("ranking", session),
        address("ranking_version", session, version=1),
        address("feuille", session, version=1, entrant=entrant),
        address("published_etuis", session, version=1),
        address("published_etui", session, version=1, etui=etui),
    ):
        first = reader.get(url)
        again = reader.get(url, headers={"if-none-match": first["ETag"]})
        assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
        assert first["Cache-Control"] == "no-cache"
        assert not first.cookies


def test_etag_differs_between_languages(session):
    tags = {
        Client(headers={"accept-language": language}).get(address("ranking", session))["ETag"]
        for language in ("fr", "en")
    }
    assert len(tags) == 2


@pytest.mark.nightly("story")
def test_etag_of_the_ranking_changes_with_a_new_version_even_on_the_old_page(reader, session):
    urls = [address("ranking", session), address("ranking_version", session, version=1)]
    before = [reader.get(url)["ETag"] for url in urls]
    correct_and_publish(session)
    answers = [reader.get(url, headers={"if-none-match": tag}) for url, tag in zip(urls, before, strict=True)]
    assert [answer.status_code for answer in answers] == [200, 200]


@pytest.mark.nightly("story")
@pytest.mark.parametrize("changed", ["templates/base.html", "tournaments/rows.py", "locale/fr/LC_MESSAGES/django.mo"])
def test_page_is_sent_again_once_the_site_writes_it_otherwise(reader, session, tmp_path, settings, changed):
    (locale,) = settings.LOCALE_PATHS
    copytree(settings.BASE_DIR / "templates", tmp_path / "templates")
    copytree(locale, tmp_path / "locale")
    (tmp_path / "tournaments").mkdir()
    (tmp_path / "tournaments" / "rows.py").write_text("ROWS = 1\n")
    settings.BASE_DIR, settings.LOCALE_PATHS = tmp_path, [tmp_path / "locale"]
    site_version.cache_clear()
    had = reader.get(url := address("ranking", session))["ETag"]

    def asked_again():
        site_version.cache_clear()  # as a new process reads it
        return reader.get(url, headers={"if-none-match": had}).status_code

    try:
        assert asked_again() == 304
        with (tmp_path / changed).open("ab") as file:
            file.write(b"\n")
        assert asked_again() == 200
    finally:
        site_version.cache_clear()


def test_page_of_whoever_is_logged_in_is_never_answered_304(client, session):
    client.force_login(session.tournament.club.memberships.get(role="director").user)
    assert "ETag" not in client.get(address("ranking", session)).headers


@pytest.mark.nightly("story")
def test_old_version_keeps_its_figures_after_a_correction_and_names_the_new_one(reader, session):
    url = address("ranking_version", session, version=1)
    before = read(reader.get(url)).rows
    correct_and_publish(session)
    after = reader.get(url)
    assert read(after).rows == before
    assert "version 2 replaces this one" in words(after)
    newest = reader.get(address("ranking", session))
    assert read(newest).rows != before
    assert url in read(reader.get(address("versions", session))).links


def test_correction_without_a_publication_changes_no_public_page(reader, session):
    before = reader.get(address("ranking", session)).content
    play = session.plays.select_related("etui").first()
    correct_result(
        play_id=play.pk,
        entry=Fiche(play.etui.taker, 200),
        reason="relu",
        seen_version=1,
        by=session.tournament.club.memberships.get(role="director").user,
        now=timezone.now(),
    )
    assert reader.get(address("ranking", session)).content == before


def test_no_public_page_shows_the_seed(reader, session, report):
    seed = session.deal_set.seed
    pages = [
        reader.get(url).content.decode()
        for url in (address("ranking", session), address("published_etui", session, version=1, etui=1))
    ]
    assert seed
    assert [seed in page for page in pages] == [False, False]


@pytest.mark.nightly("story")
def test_public_pages_hold_nothing_that_the_content_policy_refuses(reader, session, report):
    for url in (
        reverse("home"),
        reverse("rules"),
        reverse("login"),
        reverse("club", args=["club"]),
        reverse("tournament", args=["club", session.tournament.slug]),
        address("ranking", session),
        address("feuille", session, version=1, entrant=report.players[0].id),
        address("published_etuis", session, version=1),
        address("published_etui", session, version=1, etui=1),
        "/nothing/here/",
    ):
        assert (url, read(reader.get(url)).refused) == (url, [])


def test_language_is_chosen_without_a_token_and_leads_back(session):
    careful = Client(enforce_csrf_checks=True)
    url = address("ranking", session)
    answer = careful.post(reverse("choose_language"), {"language": "en", "next": url})
    assert (answer.status_code, answer["Location"]) == (302, url)
    assert '<html lang="en">' in careful.get(url).content.decode()


def test_login_that_fails_says_so_and_keeps_the_name(reader):
    response = reader.post(reverse("login"), {"username": "directrice", "password": "wrong"})
    assert 'value="directrice"' in response.content.decode()
    assert 'role="alert"' in response.content.decode()


def test_draft_whose_date_changes_shows_the_new_one(reader):
    session = draft_session()
    edit_session(session_id=session.pk, now=timezone.now(), date=session.date.replace(day=27))
    assert "27 November 2026" in words(reader.get(reverse("tournament", args=["club", session.tournament.slug])))


def test_page_of_a_session_leads_strangers_to_its_ranking(reader, session):
    page = reader.get(address("session", session))
    assert "Find a player in the ranking" in words(page)
    assert f'href="{address("ranking", session)}"' in page.content.decode()
