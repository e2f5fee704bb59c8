"""The language of every main page: French and English are never mixed, and the switch stays on the page.

The test finds the language by small words that every sentence needs. Names and the nouns of the game contain none.
"""

import re

import pytest
from django.urls import reverse

from pages.doors import session_url
from tests.browser.test_evening import choose, log_in
from tests.factories import draft_session, make_club, make_director, make_tournament, published_session, started_session
from tests.pages.public.test_pages import address

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

SMALL_WORDS = {
    "en": "the of and is are to with from this that not yet for by was you your each every who what where it its will",
    "fr": "le la les un une du et est sont pour avec dans sur qui que vous votre vos cette ces ce il elle ne pas",
}
BOTH_WAYS = (("fr", "en"), ("en", "fr"))
# The texts of a page: its title, its words, and the labels for screen readers and for empty fields.
SAID = """() => [
    document.title,
    document.body.innerText,
    ...[...document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")].flatMap(
        element => ["aria-label", "title", "placeholder", "alt"].map(name => element.getAttribute(name) || "")),
].join("\\n")"""


def small_words(page, language):
    """Return the small words of a language that occur on the page."""
    return set(re.findall(r"\w+", page.evaluate(SAID).lower())) & set(SMALL_WORDS[language].split())


def switch(page, language):
    page.get_by_role("button", name="Menu").click()
    page.click(f"button[name=language][value={language}]")
    page.wait_for_selector(f"html[lang={language}]")


def choose_language(page, language):
    if page.get_attribute("html", "lang") != language:
        switch(page, language)


@pytest.fixture
def club():
    club = make_club()
    make_director(club)
    return club


@pytest.fixture
def tournament(club):
    return make_tournament(club)


@pytest.fixture
def public_pages(club, tournament):
    director = club.memberships.get().user
    session = published_session(tournament, by=director, cards=True)
    entrant = session.publications.get().data["players"][0]["id"]
    return {
        "home": reverse("home"),
        "rules": reverse("rules"),
        **{slug: reverse("rules_page", args=[slug]) for slug in ("cards", "play", "evening", "glossary")},
        "exercise": reverse("exercise", args=["score-garde-sans"]) + "?answer=70",
        "verify": reverse("verify"),
        "verify one": reverse("verify_set", args=[session.deal_set.commitment]),
        "profile": reverse("profile", args=["garde-1"]),
        "login": reverse("login"),
        "club": reverse("club", args=[club.slug]),
        "tournament": reverse("tournament", args=[club.slug, tournament.slug]),
        "session": session_url("session", session),
        "ranking": address("ranking", session),
        "by line": address("ranking", session) + "?by=line&q=rochefoucauld",
        "feuille": address("feuille", session, version=1, entrant=entrant),
        "published_etuis": address("published_etuis", session, version=1),
        "published_etui": address("published_etui", session, version=1, etui=1),
    }


@pytest.fixture
def running(tournament):
    return started_session(tournament, cards=True)


@pytest.fixture
def play_page(running):
    return session_url("play", running, running.plays.first().pk)


@pytest.fixture
def desk_pages(club, tournament, running, play_page):
    draft = draft_session(tournament, cards=True)
    return {
        "desk": session_url("session", running) + "?cell=1-1",
        "play": play_page,
        "fiche": f"{play_page}?kind=fiche",
        "plan": session_url("session_plan", running),
        "standings": session_url("standings", running),
        "publish": session_url("publish", running),
        "draft": session_url("session", draft),
        "entrants": session_url("entrants", draft),
        "étuis": session_url("etuis", draft),
        "edit": session_url("session_edit", draft),
        "players": reverse("players", args=[club.slug]),
        "new tournament": reverse("tournament_new", args=[club.slug]),
        "deal sets": reverse("deal_sets", args=[club.slug]),
        "new deal set": reverse("deal_set_new", args=[club.slug]),
        "import": reverse("deal_set_import", args=[club.slug]),
        **{
            name: reverse(name, args=[club.slug, draft.deal_set_id])
            for name in ("deal_set", "deal_set_cards", "deal_set_statistics", "deal_set_print")
        },
    }


def assert_each_speaks_its_language(page, pages):
    """Check each page in French, then in English by the switch on the page, and switch back."""
    wrong = {}
    for name, url in pages.items():
        page.goto(url)
        for language, other in (("fr", "en"), ("en", "fr")):
            heard = small_words(page, other), small_words(page, language) == set()
            if page.get_attribute("html", "lang") != language or heard != (set(), False):
                wrong[name, language] = heard
            switch(page, other)
            if not page.url.endswith(url):
                wrong[name, f"to {other}"] = page.url
    assert wrong == {}


def test_public_page_speaks_one_language_and_its_switch_keeps_the_page(phone, public_pages):
    assert_each_speaks_its_language(phone, public_pages)


def test_page_of_the_desk_speaks_one_language_and_its_switch_keeps_the_page(laptop, desk_pages):
    log_in(laptop, "directrice")
    assert_each_speaks_its_language(laptop, desk_pages)


def test_what_a_form_answers_is_in_the_language_of_its_page(laptop, play_page):
    log_in(laptop, "directrice")
    for language, other in BOTH_WAYS:
        laptop.goto(play_page)
        choose_language(laptop, language)
        laptop.click("#save")
        laptop.wait_for_selector(".errorlist")
        assert small_words(laptop, other) == set()
        choose(laptop, "bouts", "none")
        laptop.fill("[name=points]", "88")  # more points than an attack without bouts can have
        laptop.wait_for_selector("#preview .state-alert")
        assert small_words(laptop, other) == set()
        laptop.fill("[name=points]", "60")
        laptop.click("details:has([name=chelem]) > summary")
        choose(laptop, "chelem", "announced_failed")  # a possible result that is asked about
        laptop.wait_for_selector("#preview .notice-warning")
        assert small_words(laptop, other) == set()


def test_refused_login_is_told_in_the_language_of_its_page(phone, club):
    for language, other in BOTH_WAYS:
        phone.goto(reverse("login"))
        choose_language(phone, language)
        phone.fill("[name=username]", "directrice")
        phone.fill("[name=password]", "another one")
        phone.press("[name=password]", "Enter")
        phone.wait_for_selector("[role=alert]")
        assert small_words(phone, other) == set()


def test_page_that_is_not_there_says_so_in_the_language_chosen(phone, problems):
    for language, other in BOTH_WAYS:
        phone.goto(reverse("home"))
        choose_language(phone, language)
        phone.goto("/no-such-page/")
        assert phone.get_attribute("html", "lang") == language
        assert small_words(phone, other) == set()
        assert small_words(phone, language) != set()
        problems.clear()  # the browser writes each 404 on the console
