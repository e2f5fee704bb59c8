"""Says in words what a line of a session's log holds. `KeyError` on an action that nobody has a sentence for."""

from typing import Any

from django.db.models import Field
from django.template.defaultfilters import yesno
from django.utils.formats import localize
from django.utils.translation import gettext_lazy as _

from tournaments.models import LogEntry, Session, Tournament
from tournaments.words.log_sentences import LOG
from tournaments.words.messages import say_ties, sentence

SETTINGS = {field.name: field for model in (Session, Tournament) for field in model._meta.fields}

NAMES = {"ties": _("how equals are told apart"), "season": _("season")}


def say_log(entry: LogEntry) -> str:
    """What was done, in the active language; who, when and on which device stand beside it in the row."""
    told = dict(entry.params)
    if "setting" in told:
        field = SETTINGS[told["setting"]]
        name = NAMES.get(field.name, field.verbose_name)
        told |= {"setting": name, **{when: say_value(field, told[when]) for when in ("before", "after")}}
    return sentence(LOG, entry.action, told)


def say_value(field: "Field[Any, Any]", kept: str) -> str:
    """A setting's value as its form shows it, from the text that the log keeps."""
    if field.name == "ties":
        return say_ties(kept.split(",") if kept else ())
    if not kept and field.null:
        return str(_("nothing"))
    if field.is_relation:
        return kept
    value = field.to_python(kept)
    if isinstance(value, bool):
        return str(yesno(value))
    return str(dict(field.flatchoices).get(value, localize(value)))
