"""The pages of series, as a director and as readers meet them."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Person, ShownWord, Visibility
from clubs.shown import choose_shown
from evenings.sessions.setup import create_session
from rankings.series.choosing import choose_events
from rankings.series.computing import refresh_series
from tests.factories import make_club, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.series import season
from tests.rankings.series.seasons import FIRST, hold, make_series, name_players, thursdays
from tournaments.models import Series, SeriesClub, SeriesList, SeriesPublication, Session

pytestmark = pytest.mark.django_db
DAY, WEEK = dt.timedelta(days=1), dt.timedelta(weeks=1)

club = season.club
director = season.director
people = season.people


@pytest.fixture
def browser(director):
    return browser_of(director)


@pytest.fixture
def client():
    """Return a browser without an account, in English."""
    return browser_of()


@pytest.fixture
def evenings(club, people):
    """Return the tournament of the club, with two published evenings."""
    ada, bob, cyr, _dan = people
    tournament = thursdays(club)
    hold(tournament, FIRST, {ada: 60, bob: 50, cyr: 40})
    hold(tournament, FIRST + WEEK, {bob: 61, ada: 52})
    return tournament


@pytest.fixture
def series(club, director, evenings):
    made = make_series(club, director)
    refresh_series(made.pk, now=timezone.now())
    return made


def url(name, series, *rest):
    return reverse(name, args=[series.club.slug, series.slug, *rest])


def renew(series):
    refresh_series(series.pk, now=timezone.now())


FORM = {
    "title": "Challenge des jeudis",
    "starts_on": "2026-09-01",
    "ends_on": "2027-08-31",
    "chooses": "sessions",
    "format": "",
    "brings": "percent",
    "table": "",
    "presence": "",
    "ranks": "alterne",
    "counting": "sum",
    "best_of": "",
    "least": "1",
    "carry_over": "100",
}


def test_director_creates_a_series_and_readers_see_its_ranking(browser, client, club, evenings):
    page = browser.get(reverse("series_new", args=[club.slug]))
    assert page.status_code == 200
    made = browser.post(reverse("series_new", args=[club.slug]), FORM)
    found = Series.objects.get()
    assert made.url == url("series_events", found)
    renew(found)
    text = words(client.get(url("series", found)))
    assert "Zoé Ada" in text
    assert "112" in text  # 60 + 52
    assert "111" in text  # 50 + 61
    assert "Challenge des jeudis" in words(client.get(reverse("series_list", args=[club.slug])))
    bar = client.get(reverse("club_leaderboards", args=[club.slug])).content.decode()
    assert reverse("series_list", args=[club.slug]) in bar


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"ends_on": "2026-08-31"}, "ends_on"),
        ({"brings": "table"}, "table"),
        ({"brings": "table", "table": "25 beaucoup"}, "table"),
        ({"brings": "table", "table": "1 " * 101}, "table"),
        ({"best_of": "0"}, "best_of"),
        ({"carry_over": "101"}, "carry_over"),
        ({"title": ""}, "title"),
    ],
)
def test_wrong_rules_are_refused_and_what_was_typed_stays(browser, club, wrong, field):
    page = browser.post(reverse("series_new", args=[club.slug]), FORM | wrong)
    assert page.status_code == 200
    assert page.context["form"].errors.keys() == {field}
    assert Series.objects.count() == 0
    if field != "title":
        assert 'value="Challenge des jeudis"' in page.content.decode()


def test_new_rules_say_first_what_they_would_do(browser, series):
    rules = FORM | {"brings": "table", "table": "10 5", "do": "look"}
    page = browser.post(url("series_settings", series), rules)
    # ada 10 + 5, bob 5 + 10: both are first, and the third of the larger evening gets 0
    assert page.context["effect"].moved == 1
    assert page.context["effect"].without == (3, 3)
    assert Series.objects.get().rules["brings"] == "percent"
    browser.post(url("series_settings", series), rules | {"do": "save"})
    assert Series.objects.get().rules["table"] == ["10", "5"]


@pytest.mark.nightly("story")
def test_event_that_is_not_ticked_counts_no_more_and_comes_back(browser, client, series):
    first, second = Session.objects.order_by("pk")
    told = {f"s{each.pk}-coefficient": "1" for each in (first, second)}
    answer = browser.post(url("series_events", series), told | {f"s{first.pk}-counts": "on"})
    assert answer.status_code == 302, words(answer)
    assert series.events.get().included is False
    renew(series)
    text = words(client.get(url("series", series)))
    assert "112" not in text
    browser.post(url("series_events", series), told | {f"s{each.pk}-counts": "on" for each in (first, second)})
    renew(series)
    assert "112" in words(client.get(url("series", series)))
    assert series.events.get().included is None  # the rule decides again


def test_older_form_does_not_undo_what_another_director_has_decided(browser, series, club):
    """Change a coefficient, then untick another event on a page that was opened before."""
    first, second = Session.objects.order_by("pk")
    address, colleague = url("series_events", series), browser_of(make_director(club, "deux"))
    told = {name: value for name, value in fields_of(browser.get(address)).items() if name != "csrfmiddlewaretoken"}
    assert browser.post(address, told | {f"s{first.pk}-coefficient": "2"}).status_code == 302
    unticked = {name: value for name, value in told.items() if name != f"s{second.pk}-counts"}
    assert colleague.post(address, unticked).status_code == 302
    found = {event.key: (event.coefficient, event.counts) for event in choose_events(series)}
    assert found[f"s{first.pk}"] == (2, True)
    assert found[f"s{second.pk}"] == (1, False)


def fields_of(page):
    """Return the values that a browser would send for each event of the page."""
    told = {}
    for _event, form, _published in page.context["rows"]:
        for field in form:
            value = field.value()
            if value is not False:
                told[field.html_name] = "on" if value is True else str(value)
    return told


def test_wrong_coefficient_is_refused_and_kept(browser, series):
    first, second = Session.objects.order_by("pk")
    told = {f"s{first.pk}-coefficient": "0", f"s{second.pk}-coefficient": "1"}
    page = browser.post(url("series_events", series), told)
    assert page.status_code == 200
    assert 'role="alert"' in page.content.decode()
    assert series.events.count() == 0


def test_page_of_a_player_says_what_counts_and_what_is_needed(client, series, people):
    _ada, bob, *_others = people
    tournament = Session.objects.first().tournament
    create_session(tournament=tournament, date=timezone.localdate() + WEEK)
    text = words(client.get(url("series_player", series, bob.pk)))
    assert "1 event is still to come" in text
    assert "1.001 in this event" in text or " 1 in this event" in text  # 112 against 111
    assert "Highest possible total: 211.00" in text  # 111 and 100 more


def test_page_of_a_player_counts_what_was_played_yesterday_and_is_not_published(client, series, people):
    _ada, bob, *_others = people
    tournament, today = Session.objects.first().tournament, timezone.localdate()
    address = url("series_player", series, bob.pk)
    create_session(tournament=tournament, date=today - 2 * WEEK)
    assert "No further event is planned yet." in words(client.get(address))  # nobody expects these results any more
    create_session(tournament=tournament, date=today - DAY)
    text = words(client.get(address))
    assert "The results of 1 event are not published yet." in text
    assert "to come" not in text
    assert "With the awaited results, Jeudis, " in text
    assert "Highest possible total: 211.00" in text
    create_session(tournament=tournament, date=today + WEEK)
    text = words(client.get(address))
    assert "1 event is still to come" in text
    assert "Highest possible total: 311.00" in text


def test_hidden_player_has_no_page_and_no_name(client, browser, series, people, director):
    ada, *_others = people
    choose_shown(player=ada, shown="hidden", way=ShownWord.WordWay.DIRECTOR, by=director, now=timezone.now())
    renew(series)
    page = client.get(url("series", series))
    assert "Ada" not in words(page)
    assert client.get(url("series_player", series, ada.pk)).status_code == 302
    assert client.get(url("series_player", series, 10**6)).status_code == 302
    assert browser.get(url("series_player", series, ada.pk)).status_code == 200


@pytest.mark.nightly("story")
def test_file_has_the_ranking(client, series):
    file = client.get(url("series_file", series) + "?kind=csv").content.decode("utf-8-sig")
    assert "Zoé Ada" in file
    assert client.get(url("series_file", series) + "?kind=doc").status_code == 404


@pytest.mark.nightly("story")
def test_typed_list_asks_then_counts_and_is_replaced(browser, client, series, club):
    browser.post(url("series_settings", series), FORM | {"brings": "places"})
    told = {"title": "Coupe", "day": "2026-10-01", "source": "feuille", "figures": "points"}
    listed = told | {"text": "ADA Zoé 12\nNouvelle Zoé 7,5"}
    page = browser.post(url("series_type", series), listed)
    assert page.status_code == 200
    assert SeriesList.objects.count() == 0
    saved = browser.post(url("series_type", series), listed | {"shown": page.context["form"].shown})
    assert saved.status_code == 302
    renew(series)
    # places: 3 and 1, and 12 points
    assert "16" in words(client.get(url("series", series)))
    assert club.players.filter(last_name__iexact="nouvelle").exists()
    event = series.events.get()
    again = told | {"text": "ADA Zoé 2"}
    address = url("series_type", series) + f"?event={event.pk}"
    page = browser.post(address, again)
    browser.post(address, again | {"shown": page.context["form"].shown})
    assert SeriesList.objects.filter(event=event).count() == 2  # the older list stays
    renew(series)
    assert "feuille" in words(client.get(url("series", series)))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ADA Zoé", "no number at its end"),
        ("", "required"),
        ("ADA Zoé 12\nADA Zoé 3", "lines 1 and 2 are both"),
    ],
)
def test_wrong_list_is_refused_with_its_line(browser, series, text, code):
    browser.post(url("series_settings", series), FORM | {"brings": "places"})
    told = {"title": "Coupe", "day": "2026-10-01", "source": "feuille", "figures": "points", "text": text}
    page = browser.post(url("series_type", series), told)
    shown = page.context["form"].shown
    if shown:
        page = browser.post(url("series_type", series), told | {"shown": shown, **out_of(page)})
    assert code in words(page).lower()
    assert SeriesList.objects.count() == 0


def out_of(page):
    """Return the answers to all questions of the page: the likely ones."""
    return {question.name: question.checked for question in page.context["form"].questions if question.checked}


def test_points_are_refused_beside_percentages(browser, series):
    told = {"title": "Coupe", "day": "2026-10-01", "source": "feuille", "figures": "points", "text": "ADA Zoé 12"}
    page = browser.post(url("series_type", series), told)
    page = browser.post(url("series_type", series), told | {"shown": page.context["form"].shown})
    assert "Percentages count in this championship" in words(page)


@pytest.mark.nightly("story")
def test_club_is_asked_agrees_and_leaves_and_what_it_played_stays(browser, client, series, club):
    other = make_club("voisins", "Voisins")
    neighbour = browser_of(make_director(other, "voisine"))
    (eve,) = name_players(other, "Eve")
    hold(thursdays(other, "Lundis"), FIRST, {eve: 70})
    browser.post(url("series_clubs", series), {"slug": "voisins"})
    renew(series)
    assert "Zoé Eve" not in words(client.get(url("series", series)))
    row = SeriesClub.objects.get()
    answer = reverse("series_answer", args=["voisins", row.pk])
    assert browser.post(answer, {"do": "agree"}).status_code in (302, 403)  # another club's director cannot agree
    assert SeriesClub.objects.get().agreed_at is None
    neighbour.post(answer, {"do": "agree"})
    renew(series)
    assert "Zoé Eve" in words(client.get(url("series", series)))
    neighbour.post(answer, {"do": "leave"})
    renew(series)
    assert "Zoé Eve" in words(client.get(url("series", series)))
    browser.post(url("series_clubs", series), {"row": row.pk, "reason": ""})
    assert SeriesClub.objects.get().taken_out_at is None
    browser.post(url("series_clubs", series), {"row": row.pk, "reason": "hors délai"})
    renew(series)
    assert "Zoé Eve" not in words(client.get(url("series", series)))


def test_same_name_in_two_clubs_is_shown_to_directors(browser, series):
    other = make_club("voisins", "Voisins")
    neighbour = browser_of(make_director(other, "voisine"))
    (twin,) = name_players(other, "Ada")
    hold(thursdays(other, "Lundis"), FIRST, {twin: 70})
    browser.post(url("series_clubs", series), {"slug": "voisins"})
    neighbour.post(reverse("series_answer", args=["voisins", SeriesClub.objects.get().pk]), {"do": "agree"})
    assert "the same name" in words(browser.get(url("series_clubs", series)))
    Person.objects.filter(pk=twin.person_id).update(shown=Visibility.HIDDEN)
    shown = words(browser.get(url("series_clubs", series)))
    assert "the same name" not in shown  # nobody learns from a championship who a hidden player of another club is


def test_preview_of_rules_does_not_name_a_hidden_leader(browser, series, people):
    ada = people[0]
    rules = FORM | {"brings": "table", "table": "10 5", "do": "look"}
    assert ada.name in words(browser.post(url("series_settings", series), rules))
    Person.objects.filter(pk=ada.person_id).update(shown=Visibility.HIDDEN)
    assert ada.name not in words(browser.post(url("series_settings", series), rules))


@pytest.mark.nightly("story")
def test_final_ranking_is_frozen_with_its_champion_until_a_reason_is_given(browser, client, series, club, people):
    _ada, bob, *_others = people
    assert browser.post(url("series_publish", series), {}).status_code == 302
    assert "provisional" in words(client.get(url("series", series)))
    browser.post(url("series_step", series, "official"))
    text = words(client.get(url("series", series)))
    assert "Champion: Zoé Ada" in text
    listed = words(client.get(reverse("series_list", args=[club.slug])))
    assert "Most titles" in listed
    hold(Session.objects.first().tournament, FIRST + 2 * WEEK, {bob: 65})
    renew(series)
    assert "Champion: Zoé Ada" in words(client.get(url("series", series)))
    page = browser.post(url("series_publish", series), {})
    assert page.context["form"].errors.keys() == {"reason"}
    browser.post(url("series_publish", series), {"reason": "une soirée oubliée"})
    browser.post(url("series_step", series, "official"))
    assert "Champion: Zoé Bob" in words(client.get(url("series", series)))
    assert SeriesPublication.objects.count() == 4


def test_final_ranking_that_counts_a_hidden_evening_is_held_back(browser, client, series, club):
    browser.post(url("series_publish", series), {})
    browser.post(url("series_step", series, "official"))
    Session.objects.filter(pk=Session.objects.first().pk).update(shows_ranking=False)
    text = words(client.get(url("series", series)))
    assert "no longer shown" in text
    assert "Ada" not in text
    assert client.get(url("series_file", series)).status_code == 404
    assert "Ada" not in words(client.get(reverse("series_list", args=[club.slug])))


def test_live_ranking_shows_nothing_of_an_evening_hidden_since(client, series):
    Session.objects.filter(pk=Session.objects.first().pk).update(shows_ranking=False)
    text = words(client.get(url("series", series)))
    assert "112" not in text
