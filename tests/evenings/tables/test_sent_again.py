"""The commands that a phone sends again after an older copy was put back, and those that are lost, in the guides."""

import json
import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]
SCHEMA = json.loads((PROJECT / "evenings" / "tables" / "screen.schema.json").read_text())
OUTBOX = (PROJECT / "pages" / "static" / "table" / "device" / "outbox.js").read_text()
# The words of the guides for each command, in English and in French: those that come again, and those that are lost.
AGAIN = {
    "enter": ("results", "résultats"),
    "blind": ("results", "résultats"),
    "correct": ("corrections", "corrections"),
    "check": ("checks", "vérifications"),
    "record": ("cards of a deal", "cartes d’une donne"),
    "start": ("the times when étuis began", "débuts d’étuis"),
    "call": ("a call without an answer", "un appel resté sans réponse"),
}
LOST = {
    "not_played": ("étuis that a table kept to play later", "les étuis qu’une table a mis de côté"),
    "undo_not_played": ("étuis that a table kept to play later", "les étuis qu’une table a mis de côté"),
    "call_about": ("the reason of a call", "la raison d’un appel"),
    "uncall": ("withdrawn calls", "un appel retiré"),
    "join": ("which phone enters the results", "quel téléphone saisit"),
    "take_over": ("which phone enters the results", "quel téléphone saisit"),
    "leave": ("which phone enters the results", "quel téléphone saisit"),
    "agree": ("answers to a player’s request", "réponses à la demande d’un joueur"),
}
SENTENCES = {
    "evening.md": (0, r"They send (results.*?)\. These things are lost since the copy: (.*?)\. A check is lost"),
    "evening.fr.md": (1, r"accusé de réception : (résultats.*?)\. Sont perdus, depuis la copie : (.*?) ; et une"),
}


def test_every_command_comes_again_or_is_lost():
    commands = next(each for each in SCHEMA["$defs"].values() if {"key", "kind", "at"} <= {*each.get("required", ())})
    assert {*AGAIN} | {*LOST} == {*commands["properties"]["kind"]["enum"]}
    (kept,) = re.findall(r"const KEPT = \[(.*?)\];", OUTBOX)
    assert {*re.findall(r'"(\w+)"', kept)} | {"start", "call"} == {*AGAIN}


@pytest.mark.parametrize("name", SENTENCES)
def test_guide_says_what_comes_again_and_what_is_lost(name):
    language, sentences = SENTENCES[name]
    text = " ".join((PROJECT / "docs" / name).read_text().replace("\u00a0", " ").replace("\u202f", " ").split())
    told = re.search(sentences, text)
    assert told, "the guide has both lists"
    for commands, words in zip((AGAIN, LOST), told.groups(), strict=True):
        missing = {kind: said[language] for kind, said in commands.items() if said[language] not in words}
        assert missing == {}
