"""The sentences of the arbiter's report of an evening of triplettes, in both languages, after everything happened."""

import re

import pytest
from django.utils import timezone

from outgoing.paper.evening_report import evening_report
from pages.doors import session_url
from tests.outgoing.paper.teams.eventful import reread
from tests.outgoing.paper.test_evening_report import text_of
from tests.outgoing.paper.test_report_aloud import CODES
from tests.pages.browsing import browser_of
from tests.pages.reading import words

pytestmark = pytest.mark.django_db


IN_FRENCH = (
    "Équipes 8 et 1 arrivée plus tard Première couleur blanc Tables 4",
    "Tables et positions Chaque équipe rencontre les autres à tour de rôle ; toutes les tables jouent les mêmes étuis. "
    "Modifié au cours de la soirée, voir plus bas.",
    "Équipe 4 : Éloïse Remplaçante remplace Prénom04 Fam204 Jean Petit",
    "Équipe 6 s’en va après la position 2. Jean Petit",
    "Équipe 9 joue à partir de la position 3. Jean Petit",
    "Équipes arrivées en retard ou parties, et remplaçants N° Équipe Quoi",
    "4 Équipe 4 Éloïse Remplaçante remplace Prénom04 Fam204 à partir de la position 3 (malade)",
    "6 Équipe 6 partie après la position 2",
    "9 Équipe 9 arrivée pour la position 3",
    "Étui 1 : annulé pour tout le monde carte retournée Jean Petit",
    "l’arbitre décide (note de Équipe 5 : 60 · note de Équipe 7 : 40 · compte pour les autres) renonce Jean Petit",
    "Équipe 1 : pénalité, −1,50 au pourcentage retard Jean Petit",
    "Étui 2, position 1, table 2 : Prénom02 Fam302 a attaqué hors de son tour ; c’était à Prénom02 Fam202 (blanc)",
    "Version 1 : le classement est publié, à titre provisoire Jean Petit",
)
IN_ENGLISH = (
    "Teams 8 and 1 that came later First colour white Tables 4",
    "Tables and positions Every team meets the others in turn; all tables play the same étuis. "
    "Changed during the evening, see below.",
    "Team 4: Éloïse Remplaçante replaces Prénom04 Fam204 Jean Petit",
    "Team 6 leaves after position 2. Jean Petit",
    "Team 9 plays from position 3 on. Jean Petit",
    "Teams that came late or left, and substitutes No. Team What",
    "4 Team 4 Éloïse Remplaçante replaces Prénom04 Fam204 from position 3 on (malade)",
    "6 Team 6 left after position 2",
    "9 Team 9 came for position 3",
    "Étui 1: annulled for everybody carte retournée Jean Petit",
    "the arbiter decides (note of Team 5: 60 · note of Team 7: 40 · counts for the others) renonce Jean Petit",
    "Team 1: penalty, −1.50 on the percentage retard Jean Petit",
    "Étui 2, position 1, table 2: Prénom02 Fam302 attacked out of turn; it was the turn of Prénom02 Fam202 (white)",
    "Version 1: the ranking is published, provisional Jean Petit",
)


def tell(session, language: str) -> str:
    report = text_of(evening_report(reread(session), language=language, now=timezone.now()))
    return report.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(("language", "sentences"), [("fr", IN_FRENCH), ("en", IN_ENGLISH)])
def test_report_of_teams_tells_it_all_in_sentences(session, language, sentences):
    report = tell(session, language)
    assert [sentence for sentence in sentences if sentence not in report] == []
    assert re.findall(CODES, report.replace("None.", "")) == []
    assert "compte-arbitre" not in report


def test_french_report_of_teams_has_no_english_word(session):
    report = tell(session, "fr")
    english = ("When", "replaces", "team", "Team", "attacked", "turn of", "left", "came", "the ", "Form ")
    assert [word for word in english if word in report] == []


def test_page_of_changes_says_the_changes_of_teams_as_the_report(session, evening):
    page = words(browser_of(evening.director).get(session_url("changes", session)))
    assert "Team 6 leaves after position 2." in page
    assert "Team 9 plays from position 3 on." in page
