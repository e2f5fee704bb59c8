"""The sentence for an entry of a session's log. An action without a sentence raises `KeyError`."""

from dataclasses import replace
from typing import Any

from django.db.models import CharField, Field
from django.utils.formats import localize
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import LogEntry, Session, Tournament
from tournaments.words.log_sentences import LOG
from tournaments.words.messages import say_ties, sentence

SETTINGS = {field.name: field for model in (Session, Tournament) for field in model._meta.fields}

# older rows of the log have this setting
SETTINGS["auction"] = CharField(SETTINGS["format"].verbose_name, choices=Tournament.Auction.choices)

YES_NO = "yes,no,maybe"  # a message of Django's own catalogue
NAMES = {"ties": _("how ties are separated"), "season": _("season")}


# The place of a play in the sentences, and its words where the tables deal.
PLACE = _("Table %(table)s, position %(position)s, étui %(etui)s")
PLACE_OF_DEAL = _("Table %(table)s, game %(position)s, deal %(etui)s")

# The sentences about a position, where the tables deal.
GAMES = {
    "position_called": _("Game %(position)s called"),
    "call_taken_back": _("Call of game %(position)s undone"),
    "last_call": _("Last call of game %(position)s at every table"),
    "last_call_table": _("Last call of game %(position)s at table %(table)s"),
    "last_call_taken_back": _("Last call of game %(position)s undone at every table"),
    "last_call_table_taken_back": _("Last call of game %(position)s undone at table %(table)s"),
}


def say_log(entry: LogEntry, *, stride: int = 0) -> str:
    """Return the sentence that says what was done, in the active language. Author, time and device are not in it.

    `stride`: where the tables deal, by how many numbers the first deal of a game follows that of the game before. Then
    a play is told as a deal of a game. Otherwise it is 0.
    """
    told = dict(entry.params)
    if "setting" in told:
        field = SETTINGS[told["setting"]]
        name = NAMES.get(field.name, field.verbose_name)
        told |= {"setting": name, **{when: say_value(field, told[when]) for when in ("before", "after")}}
    if stride and entry.action in GAMES:
        return sentence(replace(LOG, texts=GAMES), entry.action, told)
    if stride and "etui" in told and "position" in told:
        text = str(LOG.texts[entry.action]).replace(str(PLACE), str(PLACE_OF_DEAL))
        told["etui"] -= (told["position"] - 1) * stride
        return sentence(replace(LOG, texts={entry.action: text}), entry.action, told)
    return sentence(LOG, entry.action, told)


def say_value(field: "Field[Any, Any]", kept: str) -> str:
    """Return the value of a setting as its form shows it. `kept` is the text that the log has for the value."""
    if field.name == "ties":
        return say_ties(kept.split(",") if kept else ())
    if not kept and field.null:
        return str(_("nothing"))
    if field.is_relation:
        return kept
    value = field.to_python(kept)
    if isinstance(value, bool):
        yes, no, _maybe = gettext(YES_NO).split(",")
        return yes if value else no
    return str(dict(field.flatchoices).get(value, localize(value)))
