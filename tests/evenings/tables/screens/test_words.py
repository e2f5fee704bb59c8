"""The messages of a table's screen: all of them in each language, their plurals, and their version."""

import pytest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from deals.domain.cards import CARDS
from evenings.tables import words
from tournaments.words.messages import LABELS

KEPT = (
    "%(count)s saisie conservée ici, pas encore reçue.",
    "%(count)s saisies conservées ici, pas encore reçues.",
    "count",
)
IN_FRENCH = {
    "table": "Table %(table)s",
    "kept_here": [*KEPT],
    "leave": "Cet appareil (%(name)s) quitte la table",
    "badge.1": "bleu",
    "ask.etui": "Quel étui jouez-vous\N{NO-BREAK SPACE}?",
    "state.entered": "saisi",
    "rests": "Cette table est exempte",
    "rank": "rang %(rank)s",
    "suit.0": "pique",
    "denies": "pas d’accord",
    "etui@free": "Donne %(etui)s",
    "call.cards": "l’étui ou ses cartes",
    "side.none": "personne",
    "error.required": "%(field)s manque\N{NO-BREAK SPACE}: indiquez-le.",
    "question.chelem": "%(chelem)s\N{NO-BREAK SPACE}: est-ce exact\N{NO-BREAK SPACE}?",
    "score.poignee": "%(poignee)s montrée par %(side)s",
    "card.77": "Excuse",
    "point": ",",
    "percent": "\N{NO-BREAK SPACE}%",
}


def test_each_message_is_there_in_the_language_of_the_reader():
    told = words.catalogue()
    assert {key: told["fr"][key] for key in IN_FRENCH} == IN_FRENCH
    assert (told["en"]["leave"], told["en"]["point"]) == ("This device (%(name)s) leaves the table", ".")
    assert list(told) == ["fr", "en"]


def test_label_of_every_value_and_name_of_every_card_is_there():
    told = words.catalogue()["fr"]
    labels = {f"{kind}.{value}" for kind in words.KINDS for value in LABELS[kind]}
    assert labels | {f"card.{card}" for card in range(CARDS)} <= told.keys()
    assert {key.split(".")[0] for key in labels} == {"call", "contract", "line", "letter", "side", "poignee", "chelem"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Menu", "Menu"),
        (_("Table %(table)s"), "Table %(table)s"),
        (
            ngettext_lazy("%(n)s trick of %(name)s", "%(n)s tricks of %(name)s", "n"),
            ["%(n)s trick of %(name)s", "%(n)s tricks of %(name)s", "n"],
        ),
    ],
)
def test_plural_has_both_forms_and_the_placeholder_that_chooses(text, told):
    assert words.forms(text) == told


def compute_version():
    """Compute the version anew. The site keeps it."""
    return words.version.__wrapped__()


def test_version_changes_with_messages_and_files_and_not_with_their_order(monkeypatch, tmp_path):
    known = {"fr": {"menu": "Menu", "table": "Table"}}
    for name in ("screen.html", "sw.js", "_keeping.js"):
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(words, "TEMPLATES", tmp_path)
    monkeypatch.setattr(words, "catalogue", lambda: known)
    versions = [compute_version()]
    assert [len(version) for version in versions] == [16]
    known["fr"] = {"table": "Table", "menu": "Menu"}
    assert compute_version() == versions[0]
    known["fr"]["menu"] = "Carte"
    versions.append(compute_version())
    (tmp_path / "sw.js").write_text("another")
    versions.append(compute_version())
    monkeypatch.setattr(words, "FILES", words.FILES[1:])
    versions.append(compute_version())
    assert len(set(versions)) == 4


def test_file_of_the_screen_is_found_by_its_name_among_static_files():
    assert words.find_file("table/words.js") == words.SCRIPTS / "words.js"
    assert {"table/words.js", "css/table/screen.css"} <= set(words.FILES)
