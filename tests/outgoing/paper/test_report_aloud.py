"""The sentences of the arbiter's report, in both languages, after an evening in which everything happened.

They are whole sentences with the names of people, and hold no account's name and no code.
"""

import re

import pytest

from pages.doors import session_url
from tests.outgoing.paper.eventful import ARBITER, DIRECTOR, Eventful
from tests.outgoing.paper.test_evening_report import told
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tournaments.log import list_logged

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("print")]

IN_FRENCH = (
    "Joueurs 28 et 1 arrivé plus tard Tables 7",
    "Tables et positions 28 joueurs : 7 tables, sans exempt. Modifié au cours de la soirée, voir plus bas.",
    "Position 1, table 1 : l’étui 10 a été joué au lieu du 1. Position 1, table 2 : l’étui 1 a été joué au lieu du 10.",
    "Annulation : Tardif Paul joue à partir de la position 2.",
    "Zoé Nom019 remplacé par Éloïse Remplaçante à partir de la position 2",
    "Zoé Nom024 remplacé à partir de la position 2 par Marc Doublure, qui joue avec ses propres pourcentages",
    "Marc Doublure a remplacé Zoé Nom024 à partir de la position 2, avec ses propres pourcentages",
    "Étui 10, position 1, table 1 : le détail est corrigé, le score reste +74",
    "Étui 6, position 2, table 2 : le résultat est retiré mauvaise ligne Jean Petit",
    "Étui 8, position 3, table 1 : la donne compte de nouveau",
    "l’arbitre décide (note de Zoé Nom026, Zoé Nom005 : la meilleure de 60 et de la moyenne du joueur · "
    "compte pour les autres)",
    "l’arbitre décide (note de Zoé Nom005 : 87,5 · note de Zoé Nom012 : 40 · ne compte pas pour les autres)",
    "Étui 7, position 4, table 1 : la donne se joue finalement",
    "Tirage au sort, du premier au dernier : Zoé Nom001, Zoé Nom005 Jean Petit",
    "une irrégularité : renonce, carte vue Jean Petit",
    "Version 3 : le classement est retiré erreur de section Jean Petit",
    "Version 6 : le classement est de nouveau provisoire fiche retrouvée Jean Petit",
)
IN_ENGLISH = (
    "Players 28 and 1 who came later Tables 7",
    "Tables and positions 28 players: 7 tables, nobody rests. Changed during the evening, see below.",
    "Position 1, table 1: étui 10 was played instead of 1. Position 1, table 2: étui 1 was played instead of 10.",
    "Undone: Tardif Paul plays from position 2 on.",
    "Zoé Nom019 replaced by Éloïse Remplaçante from position 2 on",
    "Zoé Nom024 replaced from position 2 on by Marc Doublure, who plays for percentages of their own",
    "Marc Doublure replaced Zoé Nom024 from position 2 on, for percentages of their own",
    "Étui 10, position 1, table 1: the details are corrected, the score is still +74",
    "Étui 6, position 2, table 2: the result is withdrawn mauvaise ligne Jean Petit",
    "Étui 8, position 3, table 1: the deal counts again",
    "the arbiter decides (note of Zoé Nom026, Zoé Nom005: the better of 60 and the player’s own mean · counts for the",
    "the arbiter decides (note of Zoé Nom005: 87.5 · note of Zoé Nom012: 40 · does not count for the others)",
    "Étui 7, position 4, table 1: the deal is to be played after all",
    "Lots drawn, first to last: Zoé Nom001, Zoé Nom005 Jean Petit",
    "an irregularity: a revoke, a card seen Jean Petit",
    "Version 3: the ranking is withdrawn erreur de section Jean Petit",
    "Version 6: the ranking is provisional again fiche retrouvée Jean Petit",
)
CODES = r"@\w|better \d|_[a-z]|\bchoice\b|%\(|\{|\bNone\b"


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return Eventful()


@pytest.fixture
def session(db, evening):
    return evening.session


@pytest.mark.nightly("print")
@pytest.mark.parametrize(("language", "sentences"), [("fr", IN_FRENCH), ("en", IN_ENGLISH)])
def test_report_tells_it_all_in_sentences(session, language, sentences):
    report = told(session, language).replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert [sentence for sentence in sentences if sentence not in report] == []
    left = report if language == "fr" else report.replace("the better of 60", "")
    assert re.findall(CODES, left) == []
    assert "Keep" not in report
    assert [account for account in (ARBITER, DIRECTOR) if account in report] == []


def test_french_report_has_no_english_word(session):
    report = told(session, "fr")
    english = ("When", "replaced by", "undone", "Undone", "better", "ranking", "the ", "result", "came ", "Version 3:")
    assert [word for word in english if word in report] == []


@pytest.mark.parametrize("page", ["log", "changes", "penalties"])
def test_pages_of_the_evening_name_people_and_not_their_accounts(session, evening, page):
    text = words(browser_of(evening.director).get(session_url(page, session)))
    assert "Jean Petit" in text
    assert ARBITER not in text


def test_desk_names_no_account(session, evening):
    text = words(browser_of(evening.director).get(session_url("session", session)))
    assert "To look at 15" in text
    assert [account for account in (ARBITER, DIRECTOR) if account in text] == []


def test_versions_of_a_play_name_people_and_not_their_accounts(session, evening):
    play = evening.plays(2)[0]
    text = words(browser_of(evening.director).get(session_url("play", session, play.pk)))
    assert "Version 2, Jean Petit" in text
    assert [account for account in (ARBITER, DIRECTOR) if account in text] == []


def test_log_is_narrowed_to_a_person_by_name_or_account(session, evening):
    _actions, authors = list_logged(session)
    assert authors == [(ARBITER, "Jean Petit"), (DIRECTOR, "Odile Marchand")]
    browser = browser_of(evening.director)
    rows = read(browser.get(session_url("log", session), {"q": "Petit étui", "action": "annulled"})).rows[1:]
    assert [row[2] for row in rows] == ["Jean Petit", "Jean Petit"]
