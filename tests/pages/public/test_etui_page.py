"""The page of an étui: scores with their frequency, best players, what made the difference, a reader's own evening."""

import gzip
import re
from collections import Counter
from functools import partial

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.models import Person, Visibility
from clubs.players import raise_names_version
from evenings.plays.adjusting import adjust_play
from evenings.plays.ruling import annul_etui, split_etui
from pages.doors import session_url
from rankings.publication.report import read_report
from scoring.ranking import Line
from tests.factories import (
    enter,
    enter_all,
    garde,
    make_director,
    make_tournament,
    publish,
    published_session,
    started_session,
)
from tests.pages.browsing import browser_of
from tests.pages.public.test_pages import address
from tests.pages.reading import read, words
from tournaments.models import Play, Publication, Session
from tournaments.rules.entry import AllPassed, Fiche

pytestmark = pytest.mark.django_db
POINTS = (49, 49, 38, 30, 61)  # with two bouts: +66, +66, −56, −72, +90


@pytest.fixture
def reader():
    return Client(headers={"accept-language": "en"})


def played(auction="imposed", points=POINTS, etui=1, *, by=None, publishes=True):
    """Return a session of five tables, whose étui 1 was played with these points (None: not played)."""
    session = started_session(make_tournament(auction=auction), cards=True)
    by = by or make_director(session.tournament.club)
    plays = session.plays.select_related("etui").order_by("etui__number", "position", "table__number")
    others = [play for play in plays if play.etui.number != etui]
    enter_all(session, by=by, plays=others)
    for play, wanted in zip(plays.filter(etui__number=etui), points, strict=True):
        if wanted is not None:
            entry = garde(play.etui.taker, points=wanted) if isinstance(wanted, int) else wanted(Line(play.etui.taker))
            enter(play, entry, by=by)
    if publishes:
        publish(session, by=by, allow_missing=True)
    return session


def etui_page(reader, session, etui=1, **asked):
    return reader.get(address("published_etui", session, version=1, etui=etui), asked)


def said(by):
    return {"by": by, "now": timezone.now(), "reason": "Une carte en trop"}


def frequencies(page):
    return [row for row in read(page).rows if len(row) == 4][1:]


@pytest.mark.nightly("story")
def test_scores_come_with_how_often_and_both_notes(reader):
    page = etui_page(reader, played())
    assert frequencies(page) == [
        ["+90", "1", "100.0%", "0.0%"],
        ["+66", "2", "62.5%", "37.5%"],
        ["−56", "1", "25.0%", "75.0%"],
        ["−72", "1", "0.0%", "100.0%"],
    ]
    (shown,) = page.context["fields"]
    assert [(bar.of.label, bar.of.value) for bar in shown.chart.bars] == [
        ("−72", 1),
        ("−56", 1),
        ("+66", 2),
        ("+90", 1),
    ]
    assert "5 plays, from −72 to +90. Most often: +66, 2 times." in words(page)


@pytest.mark.nightly("story")
def test_scores_that_each_came_once_are_drawn_themselves(reader):
    page = etui_page(reader, played(points=(49, 45, 38, 30, 61)))
    (shown,) = page.context["fields"]
    assert [bar.of.value for bar in shown.chart.bars] == [-72, -56, 58, 66, 90]
    assert [bar.of.label for bar in shown.chart.bars] == ["0%", "25%", "50%", "75%", "100%"]


@pytest.mark.nightly("story")
def test_who_did_best_as_taker_and_in_defence(reader):
    session = played(points=(61, 61, 38, 30, 49))
    (shown,) = etui_page(reader, session).context["fields"]
    report = read_report(session.publications.get().data)
    plays = report.topage(report.etui(1))
    taker, defence = shown.best
    assert {player.id for player in taker.players} == {play.taker_player.id for play in plays[:2]}
    assert {player.id for player in defence.players} == {
        player.id for line, player in plays[-1].players.items() if line != plays[-1].taker
    }
    text = words(etui_page(reader, session))
    assert "Best as taker (+90)" in text
    assert "Best in defence (−72)" in text


@pytest.mark.nightly("story")
def test_what_made_the_difference_is_said_in_both_languages(reader):
    session = played()
    page = etui_page(reader, session)
    assert page.context["reasons"] == [
        "Made at +90, failed at −72: 100 points (made 3 times in 5 plays).",
        "61 points in the attack’s tricks at +90, 30 at −72: 62 points.",
    ]
    assert f'href="{reverse("rules_page", args=["bonuses"])}"' in page.content.decode()
    french = etui_page(Client(headers={"accept-language": "fr"}), session)
    assert french.context["reasons"][0] == (
        "Réussie à +90, chutée à −72\N{NO-BREAK SPACE}: 100 points (réussie 3 fois sur 5)."
    )


@pytest.mark.nightly("story")
def test_scores_without_facts_are_not_explained(reader):
    session = played(points=[partial(Fiche, base_score=score) for score in (90, 66, 66, -56, -72)])
    page = etui_page(reader, session)
    assert "What made the difference" not in words(page)
    assert [row[0] for row in frequencies(page)] == ["+90", "+66", "−56", "−72"]


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([None] * 5, "No play of this étui counts."),
        ([49, None, None, None, None], "Played once: there is nothing to compare it with."),
        ([49] * 5, "Every table reached the same score."),
    ],
    ids=["never", "once", "alike"],
)
def test_what_cannot_be_compared_is_told(reader, points, said):
    page = etui_page(reader, played(points=points))
    assert said in words(page)
    assert 'class="drawn-chart"' not in page.content.decode()
    assert "What made the difference" not in words(page)
    assert "Best as taker" not in words(page)


@pytest.mark.nightly("story")
def test_annulled_etui_counts_for_nobody_and_its_plays_are_named(reader):
    session = played(publishes=False)
    director = session.tournament.club.memberships.get(role="director").user
    annul_etui(session_id=session.pk, etui=1, **said(director))
    publish(session, by=director)
    text = words(etui_page(reader, session))
    assert "No play of this étui counts." in text
    assert re.search(r"Annulled: position \d, table \d · position", text)


@pytest.mark.nightly("story")
def test_fixed_note_is_not_the_note_of_its_score_and_does_best_at_nothing(reader):
    session = played(points=(61, 49, 38, 30, 45), publishes=False)
    director = session.tournament.club.memberships.get(role="director").user
    play = Play.objects.select_related("etui").filter(session=session, etui__number=1).order_by("position").first()
    adjust_play(play_id=play.pk, notes={play.etui.taker: "60"}, **said(director))
    publish(session, by=director)
    page = etui_page(reader, session)
    assert frequencies(page)[0] == ["+90", "1", "–", "0.0%"]
    (shown,) = page.context["fields"]
    assert [best.role for best in shown.best] == ["defence"]
    assert "Decided by the arbiter: position" in words(page)


def test_altered_etui_has_a_table_for_each_part(reader):
    session = played(publishes=False)
    director = session.tournament.club.memberships.get(role="director").user
    split_etui(session_id=session.pk, etui=1, from_position=3, **said(director))
    publish(session, by=director)
    page = etui_page(reader, session)
    assert [(shown.field.is_after, shown.field.count) for shown in page.context["fields"]] == [(False, 2), (True, 3)]
    text = words(page)
    assert "Before the étui was altered" in text
    assert "After the étui was altered" in text


def test_free_auction_counts_the_marks_of_each_seat(reader):
    session = published_session(make_tournament(auction="free"))
    report = read_report(session.publications.get().data)
    etui = report.data.etuis[0]
    page = etui_page(reader, session, etui.number)
    shown = page.context["fields"]
    assert [each.field.line for each in shown] == list("NESW")
    for each in shown:
        marks = Counter(play.marks[each.field.line] for play in report.topage(etui))
        assert {frequency.score: frequency.count for frequency in each.field.frequencies} == marks
        if each.best:
            assert each.best[0].score == max(marks)


@pytest.mark.nightly("story")
def test_own_evening_goes_from_etui_to_etui_and_back_to_the_feuille(reader):
    session = played()
    report = read_report(session.publications.get().data)
    player = report.players[4]
    numbers = [line.etui.number for line in report.feuille(player.id)]
    feuille = read(reader.get(address("feuille", session, version=1, entrant=player.id))).links
    for number in numbers:
        assert address("published_etui", session, version=1, etui=number) + f"?of={player.id}" in feuille
    page = etui_page(reader, session, numbers[1], of=player.id)
    evening = page.context["evening"]
    assert (evening.place, evening.before, evening.after) == (2, numbers[0], numbers[2])
    links = read(page).links
    for number in (numbers[0], numbers[2]):
        assert address("published_etui", session, version=1, etui=number) + f"?of={player.id}" in links
    assert address("feuille", session, version=1, entrant=player.id) in links
    assert page["X-Robots-Tag"] == "noindex"
    assert "X-Robots-Tag" not in etui_page(reader, session, numbers[1])
    marked = [row for row, kind in zip(read(page).rows, read(page).classes, strict=True) if kind == "is-me"]
    assert len(marked) == 2
    assert player.name in marked[1][1]
    assert sum(bar.of.marked for bar in page.context["fields"][0].chart.bars) == 1


@pytest.mark.nightly("story")
@pytest.mark.parametrize("of", ["0", "-1", "x", "999999999", "٣", "9" * 40, "01"])
def test_who_is_none_of_the_session_makes_no_page_of_his_own(reader, of):
    session = played()
    caches["pages"].clear()
    plain = etui_page(reader, session)
    keys = kept_pages()
    asked = etui_page(Client(headers={"accept-language": "en"}), session, of=of)
    assert asked.status_code == 200
    assert asked.content == plain.content
    assert kept_pages() == keys


def kept_pages():
    """Return the number of cached pages."""
    return len(list(caches["pages"]._cache.get_client().scan_iter("*")))


@pytest.mark.nightly("crawl")
def test_player_of_another_etui_is_given_the_numbers(reader):
    session = played()
    report = read_report(session.publications.get().data)
    entrant = session.entrants.first().pk
    met = {line.etui.number for line in report.feuille(entrant)}
    other = next((etui.number for etui in report.data.etuis if etui.number not in met), None)
    if other is not None:
        assert etui_page(reader, session, other, of=entrant).context["evening"] is None


def test_no_evening_is_put_together_where_feuilles_are_not_shown(reader):
    session = played()
    entrant = session.entrants.first().pk
    etui = read_report(session.publications.get().data).feuille(entrant)[0].etui.number
    assert etui_page(reader, session, etui, of=entrant).context["evening"]
    Session.objects.filter(pk=session.pk).update(shows_feuilles=False)
    page = etui_page(reader, session, etui, of=entrant)
    assert page.context["evening"] is None
    assert 'href="?of=' not in page.content.decode()


def test_cards_that_are_not_published_are_told_of_calmly(reader):
    session = published_session()
    assert "The cards of this étui are not published." in words(etui_page(reader, session))


def test_hands_are_counted(reader):
    page = etui_page(reader, published_session(cards=True))
    hands, chien = page.context["hands"], page.context["chien"]
    trumps = [re.match(r"(\d+) trump", hand.worth) for hand in (*hands, chien)]
    assert sum(int(found[1]) for found in trumps if found) == 21
    for name in ("21", "Petit", "Excuse"):
        assert sum(bool(re.search(rf"\b{name}\b(?! trump)", hand.worth)) for hand in (*hands, chien)) == 1


def huge(session, plays=5000):
    """Give the published étui 1 very many plays by the same players, with a wide range of scores."""
    publication = Publication.objects.get(session=session)
    data = publication.data
    (etui,) = [each for each in data["etuis"] if each["number"] == 1]
    (model, *_rest) = etui["plays"]
    etui["plays"] = [
        model
        | {"id": model["id"] + n, "table": n % 1000 + 1, "position": n // 1000 + 1, "base_score": 2 * (n % 300) - 300}
        for n in range(plays)
    ]
    for play in etui["plays"]:
        play["facts"] = None
    publication.data = data
    publication.save()


@pytest.mark.nightly("story")
def test_etui_played_five_thousand_times_is_small_and_asks_as_little(reader):
    session = played()
    entrant = session.publications.get().data["etuis"][0]["plays"][0]["seats"]["N"]
    asked = []
    for etui in (2, 1):
        if etui == 1:
            huge(session)
        caches["pages"].clear()
        with CaptureQueriesContext(connection) as queries:
            page = etui_page(reader, session, etui, of=entrant)
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 12
    small = len(gzip.compress(page.content))
    assert small < 60_000
    assert len(page.context["rows"]) == 100
    assert page.context["part"].last == 100
    assert etui_page(reader, session, 1, part="50").context["part"].first == 4901
    assert etui_page(reader, session, 1, part="51").context["part"].first == 1
    assert len(page.context["fields"][0].chart.bars) <= 16
    assert len(page.context["fields"][0].best[0].named) == 8


@pytest.mark.nightly("story")
def test_everybody_passed_is_said_as_such(reader):
    session = played("free", points=[lambda _taker: AllPassed()] * 5)
    page = etui_page(reader, session)
    assert "Every table reached the same score." in words(page)
    assert page.context["explained"] is None


@pytest.mark.nightly("crawl")
def test_hidden_player_is_on_no_line_that_a_phone_could_know_and_under_no_name(reader):
    session = played()
    report = session.publications.get().data
    entrant = report["etuis"][0]["plays"][0]["seats"]["N"]
    hidden = session.entrants.select_related("player__person").get(pk=entrant).player
    Person.objects.filter(pk=hidden.person_id).update(shown=Visibility.HIDDEN)
    raise_names_version(session.tournament.club_id)
    page = etui_page(reader, session, of=entrant)
    text = page.content.decode()
    assert hidden.name not in text
    assert f'data-player="{hidden.pk}"' not in text
    assert page.context["evening"].player.name == "Hidden player"
    assert 'data-player="' in text
    assert f'href="?of={entrant}"' not in etui_page(reader, session).content.decode()


@pytest.mark.nightly("story")
def test_sections_that_are_compared_together_are_said_to_be(reader):
    session = played(points=(49, None, None, None, None))
    publication = Publication.objects.get(session=session)
    publication.data |= {"compared_with": [2, 3]}
    publication.save()
    caches["pages"].clear()
    text = words(etui_page(reader, session))
    assert "The notes also take into account the plays of sections 2, 3" in text
    assert "Played once" not in text


def test_director_reads_the_same_as_results_come_in():
    session = played(points=(49, 49, 38, None, None), publishes=False)
    director = session.tournament.club.memberships.get(role="director").user
    browser = browser_of(director)
    page = browser.get(session_url("live_etui", session, 1))
    assert [row.frequency.count for row in page.context["fields"][0].rows] == [2, 1]
    assert page.context["reasons"][0] == "Made at +66, failed at −56: 100 points (made 2 times in 3 plays)."
    assert browser.get(session_url("live_etui", session, 1), {"of": "9" * 40, "part": "x"}).status_code == 200
