"""The director's guide inside the site, in both languages: its words in bold are on the site's pages."""

import re
import tomllib
from html import unescape

import polib
import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from pages.doors import session_url
from pages.public.about import SOURCES, read_guide
from tests.factories import draft_session, make_director, make_helper, make_tournament, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words

pytestmark = pytest.mark.django_db

# Bold words that are on no page: numbered examples, words that are only stressed, and the word for bold itself.
NO_LABELS = {"bold", "gras", "score sheets, always", "Call position 1", "Call position 2", "Lancer la position 1"}
NO_LABELS |= {"Present: take €5.00", "Présent : encaisser 5,00 €"}
NO_LABELS |= {"Lancer la position 2", "The player's account", "Seat", "Take over", "Done", "Open the evening again"}


def page(language):
    return Client(headers={"accept-language": language}).get(reverse("guide"))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["A director's evening", "When things fail"]),
        ("fr", ["La soirée d’un directeur", "Quand quelque chose lâche"]),
    ],
)
def test_guide_is_read_in_the_language_of_the_reader(language, told):
    answer = page(language)
    assert answer.status_code == 200
    assert [text for text in told if text not in unescape(words(answer))] == []
    html = answer.content.decode()
    anchors = re.findall(r'<a href="#([\w-]+)">', html.partition('class="contents')[2])
    assert len(anchors) == 13
    assert all(f'<h2 id="{anchor}">' in html for anchor in anchors)
    assert html.count('<table class="table">') == 1


def test_both_languages_have_the_same_chapters():
    assert len({len(read_guide(language).chapters) for language in SOURCES}) == 1


@pytest.mark.parametrize("language", sorted(SOURCES))
def test_strong_words_of_the_guide_stand_on_the_pages(language):
    text = (settings.BASE_DIR / "docs" / SOURCES[language]).read_text()
    inside = re.sub(r"^\*\*[^*]+\*\*", "", text, flags=re.MULTILINE)  # the first words of a paragraph are its title
    strong = {" ".join(each.split()) for each in re.findall(r"\*\*([^*]+)\*\*", inside)} - NO_LABELS
    catalogue = polib.pofile(str(settings.BASE_DIR / "tournaments/locale/fr/LC_MESSAGES/django.po"))
    labels = {entry.msgid if language == "en" else entry.msgstr for entry in catalogue}
    assert len(strong) > 25
    assert strong - labels == set()


@pytest.mark.parametrize("role", ["director", "helper"])
def test_desk_leads_to_the_guide(role):
    session = started_session()
    club = session.tournament.club
    client = browser_of(make_director(club) if role == "director" else make_helper(club))
    content = client.get(session_url("session", session)).content.decode()
    assert f'href="{reverse("guide")}"' in content


def test_session_in_preparation_leads_its_director_to_the_guide():
    session = draft_session(make_tournament())
    content = browser_of(make_director(session.tournament.club)).get(session_url("session", session)).content.decode()
    assert f'href="{reverse("guide")}"' in content.partition("<main")[2].partition("</main>")[0]


def test_image_of_the_site_has_the_guide():
    """Check that the image installs the wheel, and that the wheel has the documents."""
    built = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
    assert "docs" in built["wheel"]["only-include"]
    assert "!dist/*.whl" in (settings.BASE_DIR / ".dockerignore").read_text().splitlines()
