"""The things that happen after the end of a series: what is frozen stays, and a new version says what changed."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.whom import whom_of_player
from clubs.accounts.players import tie, untie
from clubs.models import Person, Player, Visibility
from evenings.sessions.put_away import put_session_away
from rankings.series.computing import refresh_series
from rankings.series.membership import agree_to_series, ask_club, leave_series
from rankings.series.publishing import SERIES_OF_CLUBS
from rankings.series.report import HELD, PUBLISHED, find_seen, read_palmares
from registration.people.merging import merge_players, undo_merge
from tests.deals.exports.test_pdf import flat
from tests.factories import make_club, make_director, make_user
from tests.outgoing.workbooks import SPREADSHEET, text_of_workbook
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.series import season
from tests.rankings.series.seasons import FIRST, hold, make_series, name_players, publish_rows, thursdays
from tests.rankings.series.test_season import rows_of
from tournaments.errors import ActionRefused
from tournaments.models import Session
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
WEEK = dt.timedelta(weeks=1)

club = season.club
director = season.director
people = season.people


def word_of(director, reason="relu"):
    return DirectorWord(director, timezone.now(), reason)


def look_ahead(series):
    return SERIES_OF_CLUBS.find_due(series, series.publications.first(), timezone.now())


@pytest.fixture
def ended(club, director, people):
    """Return an official series of three evenings: Ada 60 and 52, Bob 50 and 61, Dan 40 in the last one."""
    ada, bob, _cyr, dan = people
    tournament = thursdays(club)
    hold(tournament, FIRST, {ada: 60, bob: 50})
    hold(tournament, FIRST + WEEK, {bob: 61, ada: 52})
    hold(tournament, FIRST + 2 * WEEK, {dan: 40})
    series = make_series(club, director)
    SERIES_OF_CLUBS.publish(series.pk, word_of(director))
    SERIES_OF_CLUBS.make_official(series.pk, word_of(director))
    return series


def second_evening():
    return Session.objects.get(date=FIRST + WEEK)


def seen_totals(series):
    seen = find_seen(series, SERIES_OF_CLUBS.look_up(series.pk, None))
    return seen.state, seen.data and [row["total"] for row in seen.data["players"]]


PAGES_THAT_NAME = ("series", "series_versions", "series_embedded", "api_series")
FROZEN = (PUBLISHED, ["112", "111", "40"])


def test_merge_after_the_end_changes_nothing_until_it_is_published(ended, club, director, people):
    _ada, bob, _cyr, dan = people
    merge_players(club=club, kept_id=bob.pk, gone_id=dan.pk, by=director, now=timezone.now())
    assert seen_totals(ended) == FROZEN
    assert [row.champions[0].name for row in read_palmares(club, timezone.now()).rows] == ["Zoé Ada"]
    assert look_ahead(ended)
    with pytest.raises(ActionRefused, match="reason"):
        SERIES_OF_CLUBS.publish(ended.pk, word_of(director, ""))
    SERIES_OF_CLUBS.publish(ended.pk, word_of(director))
    assert seen_totals(ended) == (PUBLISHED, ["151", "112"])


@pytest.mark.nightly("story")
def test_parting_of_persons_after_the_end_changes_nothing_until_it_is_published(club, director, people):
    """Undo a merge, and unlink an account of two clubs, after the ranking counted them as one person each."""
    ada, bob, _cyr, dan = people
    other = make_club("voisins", "Voisins")
    neighbour, account = make_director(other, "voisine"), make_user("bob")
    (twin,) = name_players(other, "Bob")
    evenings = thursdays(club)
    hold(evenings, FIRST, {ada: 60, bob: 50})
    hold(evenings, FIRST + 2 * WEEK, {dan: 40})
    hold(thursdays(other, "Lundis"), FIRST + WEEK, {twin: 61})
    series = make_series(club, director)
    row = ask_club(series_id=series.pk, slug=other.slug, by=director, now=timezone.now())
    agree_to_series(club=other, row_id=row.pk, by=neighbour, now=timezone.now())
    merge = merge_players(club=club, kept_id=ada.pk, gone_id=dan.pk, by=director, now=timezone.now())
    for player, by in ((bob, director), (twin, neighbour)):
        tie(player, account, by=by, now=timezone.now())
    SERIES_OF_CLUBS.publish(series.pk, word_of(director))
    SERIES_OF_CLUBS.make_official(series.pk, word_of(director))
    frozen = (PUBLISHED, ["111", "100"])
    assert seen_totals(series) == frozen
    champion = [row.champions[0].name for row in read_palmares(club, timezone.now()).rows]
    untie(Player.objects.get(pk=twin.pk), by=neighbour, now=timezone.now())
    undo_merge(club=club, merge_id=merge.pk, by=director, now=timezone.now())
    assert seen_totals(series) == frozen
    assert [row.champions[0].name for row in read_palmares(club, timezone.now()).rows] == champion == ["Zoé Bob"]
    assert look_ahead(series)
    SERIES_OF_CLUBS.publish(series.pk, word_of(director))
    assert seen_totals(series) == (PUBLISHED, ["61", "60", "50", "40"])


@pytest.mark.nightly("story")
def test_erasure_after_the_end_takes_the_name_and_no_figure(ended, director, people):
    erase(whom_of_player(people[1]), by=director, now=timezone.now())
    assert seen_totals(ended) == FROZEN
    assert look_ahead(ended) is None
    texts = [words(browser_of().get(reverse(name, args=[ended.club.slug, ended.slug]))) for name in PAGES_THAT_NAME]
    assert [text for text in texts if "Bob" in text] == []
    assert all("Ada" in text for text in texts[:1])


def test_evening_put_away_after_the_end_stays_in_the_frozen_ranking(ended, director):
    evening = second_evening()
    put_session_away(session_id=evening.pk, by=director, now=timezone.now())
    assert seen_totals(ended) == FROZEN
    assert {change["code"] for change in look_ahead(ended).changes} == {"series_events"}


@pytest.mark.nightly("story")
def test_evening_reopened_and_corrected_after_the_end_stays_as_it_was(ended, director, people):
    ada, bob, *_others = people
    evening = second_evening()
    publish_rows(evening, {bob: 61, ada: 52}, status="official")
    publish_rows(evening, {bob: 61, ada: 52}, reason="une feuille relue")
    assert seen_totals(ended) == FROZEN
    assert look_ahead(ended) is None  # the figures are still the same
    publish_rows(evening, {bob: 70, ada: 43})
    assert seen_totals(ended) == FROZEN
    SERIES_OF_CLUBS.publish(ended.pk, word_of(director))
    assert seen_totals(ended)[1] == ["120", "103", "40"]


def test_evening_taken_back_after_the_end_holds_the_ranking_back(ended, club, director):
    publish_rows(second_evening(), {}, status="withdrawn", reason="erreur")
    assert seen_totals(ended) == (HELD, None)
    assert read_palmares(club, timezone.now()).rows == []
    SERIES_OF_CLUBS.publish(ended.pk, word_of(director))
    assert seen_totals(ended) == (PUBLISHED, ["60", "50", "40"])


def test_club_that_leaves_after_the_end_changes_nothing(club, director, people):
    other = make_club("voisins", "Voisins")
    neighbour = make_director(other, "voisine")
    (eve,) = name_players(other, "Eve")
    hold(thursdays(club), FIRST, {people[0]: 60})
    hold(thursdays(other, "Lundis"), FIRST + WEEK, {eve: 50})
    series = make_series(club, director)
    row = ask_club(series_id=series.pk, slug=other.slug, by=director, now=timezone.now())
    agree_to_series(club=other, row_id=row.pk, by=neighbour, now=timezone.now())
    SERIES_OF_CLUBS.publish(series.pk, word_of(director))
    end = dt.datetime(2027, 7, 1, tzinfo=dt.UTC)
    leave_series(club=other, row_id=row.pk, by=neighbour, now=end)
    assert seen_totals(series) == (PUBLISHED, ["60", "50"])
    assert look_ahead(series) is None
    assert rows_of(series)[eve.pk] == (50, 2)


@pytest.fixture
def secrets(club, director, people):
    """Return a series over two clubs, with everything that readers must not find in it, and the words of it.

    A player of each club is hidden, an evening is not published, one is withdrawn and one switched off.
    """
    other = make_club("voisins", "Voisins")
    neighbour = make_director(other, "voisine")
    names = "Cachéici", "Cachélà", "Pasencore", "Reprise", "Éteinte"
    here, there, soon, back, off = (
        name_players(place, name)[0] for place, name in zip((club, other, club, club, club), names, strict=True)
    )
    ada, *_others = people
    evenings = thursdays(club)
    hold(evenings, FIRST, {ada: 60, here: 50})
    hold(thursdays(other, "Lundis"), FIRST + WEEK, {there: 55})
    unpublished = hold(evenings, FIRST + 2 * WEEK, {soon: 77.31})
    unpublished.publications.all().delete()
    withdrawn = hold(evenings, FIRST + 3 * WEEK, {back: 66.17})
    publish_rows(withdrawn, {back: 66.17}, status="withdrawn", reason="erreur")
    switched = hold(evenings, FIRST + 4 * WEEK, {off: 69.23})
    Session.objects.filter(pk=switched.pk).update(shows_ranking=False)
    series = make_series(club, director)
    row = ask_club(series_id=series.pk, slug=other.slug, by=director, now=timezone.now())
    agree_to_series(club=other, row_id=row.pk, by=neighbour, now=timezone.now())
    Person.objects.filter(pk__in=[here.person_id, there.person_id]).update(shown=Visibility.HIDDEN)
    refresh_series(series.pk, now=timezone.now())
    return series, names, [each.pk for each in (ada, here, there, soon, back, off)]


def read_any(answer):
    kind = answer.get("Content-Type", "")
    if kind == "application/pdf":
        return flat(answer.content)
    if kind.startswith(SPREADSHEET):
        return text_of_workbook(answer.content)
    return answer.content.decode()


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("state", ["live", "published", "official"])
@pytest.mark.parametrize("who", ["stranger", "player", "other director"])
def test_no_address_of_a_series_names_the_hidden_or_shows_what_is_not_published(secrets, director, who, state):
    series, names, players = secrets
    if state != "live":
        SERIES_OF_CLUBS.publish(series.pk, word_of(director))
    if state == "official":
        SERIES_OF_CLUBS.make_official(series.pk, word_of(director))
    accounts = {"player": lambda: make_user("joueuse"), "other director": lambda: make_director(make_club("loin"), "x")}
    browser = browser_of(accounts[who]()) if who in accounts else browser_of()
    place = [series.club.slug, series.slug]
    asked = [
        *(reverse(name, args=place) for name in ("series", "series_versions", "series_pdf", "series_file")),
        *(f"{reverse('series', args=place)}?{query}" for query in ("by=category", "sort=total", "part=all", "q=cach")),
        *(f"{reverse('series_file', args=place)}?kind={kind}" for kind in ("csv", "xlsx", "json")),
        *(reverse("series_player", args=[*place, player]) for player in players),
        *(reverse("series_version", args=[*place, version]) for version in (1, 2)),
        *(f"{reverse('series_pdf', args=place)}?version={version}" for version in (1, 2)),
        *(reverse(name, args=place) for name in ("series_feed", "series_embedded", "api_series")),
        *(reverse(name, args=place[:1]) for name in ("club_feed", "api_series_list")),
        reverse("feed"),
        reverse("series_list", args=place[:1]),
        reverse("series_list", args=["voisins"]),
    ]
    texts = {address: read_any(browser.get(address)) for address in asked}
    told = [
        (address, name) for address, text in texts.items() for name in (*names, "77.3", "66.1", "69.2") if name in text
    ]
    assert told == []
    shown = [address for address, text in texts.items() if "Ada" in text]
    assert len(shown) >= 6  # the crawl has read something


@pytest.mark.nightly("crawl")
def test_director_of_the_owner_learns_no_hidden_name_of_another_club(secrets, director):
    series, names, players = secrets
    browser, place = browser_of(director), [series.club.slug, series.slug]
    pages = ("series", "series_clubs", "series_events", "series_settings", "series_publish", "series_versions")
    texts = [words(browser.get(reverse(name, args=place))) for name in pages]
    texts += [words(browser.get(reverse("series_player", args=[*place, player]))) for player in players]
    assert [text for text in texts if names[1] in text] == []
