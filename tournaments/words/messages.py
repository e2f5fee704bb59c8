"""The functions that turn codes into sentences: errors, questions, score lines, plans, and the names of game values.

An unknown code or value raises `KeyError`. The texts are in the classes of errors and in `tournaments.words`.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from decimal import Decimal
from functools import lru_cache
from typing import Any, Protocol

from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, ngettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from deals.domain.deal import DealError
from deals.domain.reading import IN_JSON, IN_TEXT, JsonPlace, TextPlace
from deals.exports.documents import LETTERS
from deals.models import SEAT_CHOICES
from movements import LinePlan, Plan, PlanError, PlanFault, PlanFigures, Seating
from movements.plan.plan import SEATS, Shifts
from referee.errors import GameError, PlayRefused
from scoring.contract import ScoreLine
from scoring.errors import ScoringError
from scoring.plausibility import Question
from tournaments.errors import ActionRefused
from tournaments.models import ArbiterCall, Session
from tournaments.published import Shows
from tournaments.rules.entry import Bout, EntryError
from tournaments.words.desk_sentences import CHANGE_REASONS, TEAM_LETTERS, TEAM_LINES
from tournaments.words.figures import etuis_text
from tournaments.words.plan_sentences import (
    ALIKE,
    ALL_THROUGH,
    ANNOUNCEMENT,
    ANNOUNCEMENTS,
    AT_REST,
    CHOSEN,
    COUNTED,
    ETUIS,
    FAULTS_ALIKE,
    FIGURES,
    PROPOSALS,
    TAKES,
)
from tournaments.words.sentences import LINES, PHASE_NAMES, QUESTIONS, Family
from tournaments.words.team_plans import say_team_worth
from wording import CodedText, Plural, QuotedText, Text
from wording.figures import NONE


class ProposedWay(Protocol):
    """A proposed or chosen plan, with the code and params of the sentence that describes it."""

    @property
    def code(self) -> str: ...

    @property
    def params(self) -> dict[str, Any]: ...


LABELS: Mapping[str, Mapping[str, str | Promise]] = {
    "contract": {
        "prise": _("Prise"),
        "garde": _("Garde"),
        "garde_sans": _("Garde sans"),
        "garde_contre": _("Garde contre"),
    },
    "line": dict(SEAT_CHOICES) | TEAM_LINES,
    "letter": LETTERS | TEAM_LETTERS,
    "hand": {"": _("the whole deal"), **dict(SEAT_CHOICES), "chien": _("the chien")},
    "bout": {"21": "21", "petit": pgettext_lazy("the bout", "Petit"), "excuse": _("Excuse")},
    "call": dict(ArbiterCall.CallReason.choices),
    "standing": {
        "provisional": _("provisional"),
        "official": _("official"),
        "withdrawn": pgettext_lazy("of a ranking", "withdrawn"),
    },
    "part": {
        field.name.removeprefix("shows_"): field.verbose_name
        for field in Session._meta.fields
        if field.name.removeprefix("shows_") in Shows._fields
    },
    "side": {"none": _("nobody"), "attack": _("the attack"), "defence": _("the defence")},
    "poignee": {
        "simple": _("simple poignée"),
        "double": _("double poignée"),
        "triple": _("triple poignée"),
    },
    "chelem": {
        "none": _("no chelem"),
        "announced_made": _("chelem announced and made"),
        "announced_failed": _("chelem announced and failed"),
        "unannounced_made": _("chelem made, not announced"),
        "suffered": _("chelem suffered"),
        "announced_suffered": _("chelem announced and suffered"),
    },
    "state": {
        "missing": pgettext_lazy("state of a play", "missing"),
        "later": pgettext_lazy("state of a play", "to be played later"),
        "not_played": pgettext_lazy("state of a play", "not played"),
        "entered": pgettext_lazy("state of a play", "entered"),
        "scored": pgettext_lazy("state of a play", "scored"),
        "adjusted": pgettext_lazy("state of a play", "decided by the arbiter"),
        "annulled": pgettext_lazy("state of a play", "annulled"),
    },
    "tie": {
        "attack": _("attack percentage"),
        "defence": _("defence percentage"),
        "best_etui": _("best étui"),
        "best_game": _("best game"),
        "contracts": _("contracts made, where all facts are known"),
        "tops": _("number of tops"),
        "draw": _("drawing of lots"),
    },
    "phase": PHASE_NAMES,
}

# For each class of errors: the kind of label (a key of LABELS) that shows a param, by the param's name.
KINDS: Mapping[type[CodedText], Mapping[str, str]] = {
    ScoringError: {"contract": "contract", "chelem": "chelem", "side": "side", "first": "line", "second": "line"},
    EntryError: {"taker": "line", "etui_taker": "line", "side": "side"},
    DealError: {"hand": "hand", "other": "hand"},
    PlayRefused: {"seat": "hand", "other": "hand", "highest": "contract", "phase": "phase"},
    GameError: {"seat": "hand", "other": "hand", "contract": "contract"},
    PlanError: {"line": "line"},
    ActionRefused: {"line": "line"},
}


def label(kind: str, value: str) -> str:
    """Return the name of a value in the active language. `kind` is a key of `LABELS`.

    For example, `label("letter", "W")` is "O" in French.
    """
    return str(LABELS[kind][value])


def say_bouts(bouts: Iterable[Bout]) -> str:
    """Return the names of the bouts in one text, in the order "21, Petit, Excuse"."""
    return ", ".join(label("bout", bout) for bout in Bout if bout in bouts)


def say_ties(criteria: Iterable[str]) -> str:
    """Return the names of the criteria that separate equal players, in one text: "best étui, number of tops".

    Without criteria, the text says that equal players share a rank.
    """
    return ", ".join(label("tie", criterion) for criterion in criteria) or gettext("they share a rank")


def say(error: CodedText) -> str:
    """Return the sentence of an error in the active language: what is wrong, where, and what to do."""
    kinds = next((KINDS[kind] for kind in type(error).__mro__ if kind in KINDS), {})
    return sentence(Family({error.code: translate(error.text)}, kinds), error.code, error.told)


def translate(text: Text) -> Promise:
    """Return a text from pure code as a lazy translation: its language is chosen when it is shown."""
    return ngettext_lazy(*text) if isinstance(text, Plural) else _(text)


def say_reason(reason: str) -> str:
    """Return a reason as it was typed. If the site itself stored it as a code, return the code's sentence."""
    return str(CHANGE_REASONS.get(reason, reason))


def say_question(question: Question) -> str:
    """Return the text of a question about an entered value that is possible but unlikely."""
    return sentence(QUESTIONS, question.code, question.params)


def say_line(line: ScoreLine) -> str:
    """Return the text that says how one line of a score is computed. The line's points are not in it."""
    code = ("made" if line.params["made"] else "failed") if line.kind == "contract" else line.kind
    return write_line(code, tuple(line.params.items()), get_language())


# A list of plays has the same lines again and again.
@lru_cache(maxsize=4_096)
def write_line(code: str, params: tuple[tuple[str, int | str], ...], _language: str | None) -> str:
    return sentence(LINES, code, dict(params))


def say_fault(fault: PlanFault) -> str:
    """Return the sentence for a fault, which makes it impossible to play a plan."""
    return sentence(Family({fault.code: translate(fault.text)}), fault.code, fault.told | _say_seat(fault))


def say_faults(faults: Iterable[PlanFault]) -> list[tuple[PlanFault, str]]:
    """Return pairs of a fault and a sentence. Faults that differ only in seats or étuis share one sentence.

    The pair has the first of these faults.
    """
    alike: dict[tuple[object, ...], list[PlanFault]] = {}
    for fault in _causes(list(faults)):
        own = ALIKE.get(fault.code, ())
        alike.setdefault((fault.code, *(item for item in fault.params.items() if item[0] not in own)), []).append(fault)
    return [(group[0], say_fault(group[0]) if len(group) == 1 else _say_alike(group)) for group in alike.values()]


def _causes(faults: list[PlanFault]) -> list[PlanFault]:
    """Return the faults without those that only follow from another one.

    If an étui or a player is at two tables at once, a player seems to play an étui twice. The second fault is left out.
    """
    twice = {
        (fault.params["position"], *(fault.params.get(name) for name in names))
        for fault in faults
        for code, names in (("etui_twice", ("etui",)), ("seated_twice", ("line", "number")))
        if fault.code == code
    }

    def follows(fault: PlanFault) -> bool:
        params = fault.params
        return fault.code == "replayed" and any(
            (position, *who) in twice
            for position in (params["first"], params["position"])
            for who in ((params["etui"],), (params["line"], params["number"]))
        )

    return [fault for fault in faults if not follows(fault)]


def _say_alike(faults: list[PlanFault]) -> str:
    first, params = faults[0], [{**fault.params, **_say_seat(fault)} for fault in faults]
    who = dict.fromkeys(
        str(one["seat"]) if "seat" in one else f"{one.get('line')} {one.get('number')}" for one in params
    )
    etuis = {int(one["etui"]) for one in params if "etui" in one}
    listed = {
        "who": ", ".join(who),
        "etuis": etuis_text(etuis),
        "tables": etuis_text(int(one["table"]) for one in params if "table" in one),
        "count": len(etuis) or len(faults) - 1,
    }
    return sentence(Family(FAULTS_ALIKE), first.code, first.params | listed)


def _say_seat(fault: PlanFault) -> dict[str, str]:
    """Return the names of a fault's line and seat in the active language, for the params `line` and `seat`.

    A plan from a file may have unknown lines: they are returned unchanged. A seat without a line is a group of étuis,
    which move from table to table like players.
    """
    named: dict[str, str] = {}
    if "line" in fault.params:
        line = str(fault.params["line"])
        named["line"] = label("line", line) if line in LABELS["line"] else line
    if "seat" in fault.params:
        seat = str(fault.params["seat"])
        line, _space, number = seat.partition(" ")
        named["seat"] = f"{label('line', line)} {number}" if line in LABELS["line"] else str(ETUIS % {"numbers": seat})
    return named


def say_proposal(proposal: ProposedWay) -> str:
    """Return the sentence that describes a proposed or chosen plan. `say_figures` says how good the plan is."""
    counted = {name: str(text % {"count": proposal.params.get(name, 0)}) for name, text in COUNTED.items()}
    said = sentence(Family(PROPOSALS), proposal.code, proposal.params | counted)
    return f"{said} {CHOSEN}" if getattr(proposal, "chosen", False) else said


def say_worth(plan: Plan[Any], found: PlanFigures, *, imposed: bool = True) -> list[str]:
    """Return short texts that say what a plan of four lines or of teams needs and how good it is.

    With `imposed` (the étuis name the taker), they also say how often players attack. If the attacks are not equal,
    they say how to make them equal.
    """
    if plan.seating is not Seating.LINES:
        return say_team_worth(plan, found)
    said = [*_say_takes(plan, found), *say_figures(found, imposed=imposed, partly=bool(plan.stays))]
    if imposed and plan.etuis_per_position % SEATS and _apart(found) > 1:
        said.append(sentence(Family(FIGURES), "attacks_four", {}))
    return said


def _say_takes(plan: LinePlan, found: PlanFigures) -> list[str]:
    if plan.tables == 1:
        codes = []
    elif plan.barometer_after is None:
        codes = ["moving"]
    else:
        codes = ["barometer" if plan.barometer else "barometer_from", "copies" if found.copies > 1 else "goes_round"]
    codes.append("fill_copies" if plan.barometer and found.copies > 1 else "fill")
    if plan.shifts is None and plan.positions > 1:
        codes.append("guide_cards")
    first = (plan.barometer_after or 0) + 1
    params = asdict(found) | {"first": first, "all": found.etuis * found.copies}
    return [sentence(Family(TAKES), code, params) for code in codes]


def say_figures(figures: PlanFigures, *, imposed: bool = True, partly: bool = False) -> list[str]:
    """Return short texts that say how good a plan is: meetings, rests, comparisons, étuis and, if `imposed`, attacks.

    `partly` is True if some players are there for a part of the evening only. The figures do not count the étuis and
    attacks of these players.
    """
    least, most = min(figures.exempt, default=0), max(figures.exempt, default=0)
    params = asdict(figures) | {"least": least, "most": most, "apart": _apart(figures)}
    codes = [*_figure_codes(figures, least, most), *(_attack_codes(figures) if imposed else ())]
    texts = {**FIGURES, **ALL_THROUGH} if partly else FIGURES
    return [sentence(Family(texts), code, params) for code in codes]


def _figure_codes(figures: PlanFigures, least: int, most: int) -> Iterator[str]:
    if not figures.repeated:
        yield "no_meeting_repeated"
    else:
        yield "repeated_once" if figures.most_meetings == 2 else "repeated"
        yield "bound" if figures.bound else "no_bound"
    if figures.replays:
        yield "replays"
    if not most:
        yield "no_rest"
    else:
        yield "rest_in_each" if least == most else "rest_in_some"
        if figures.most_exempt <= 1:
            yield "no_rest_twice"
        else:
            yield "rests" if figures.exemption_gap else "rests_alike"
    yield "balance"
    if not figures.missing:
        yield "every_etui"
    else:
        yield "played_alike" if figures.least_played == figures.most_played else "played"


def _attack_codes(figures: PlanFigures) -> Iterator[str]:
    if not figures.least_attacks:
        yield "attacks_never"
    else:
        yield "attacks_alike" if figures.least_attacks == figures.most_attacks else "attacks"
    if _apart(figures) > 1:
        yield "attacks_apart"


def _apart(figures: PlanFigures) -> int:
    """Return the difference between the most and the fewest attacks."""
    return figures.most_attacks - figures.least_attacks


def announcement(shifts: Shifts) -> str:
    """Return the announcement that tells players and étuis how to move after every position.

    `shifts` has the number of tables by which each line and the étuis move.
    """
    announced = ANNOUNCEMENTS.get(shifts)
    return str(announced or ANNOUNCEMENT % {name: show_signed(shift) for name, shift in shifts._asdict().items()})


def say_tables_at_rest(plan: LinePlan) -> str:
    """Return the text that lists the tables with an empty seat, position by position. Return "" if there is none."""
    positions = range(1, plan.positions + 1)
    at_rest = [[play.table for play in plan.at(position) if not play.complete] for position in positions]
    tables = ", ".join("+".join(map(str, numbers)) or "–" for numbers in at_rest)
    return str(AT_REST % {"tables": tables}) if any(at_rest) else ""


def show_signed(score: int | None) -> str:
    """Return a score with its sign, as on a fiche: "+106", "−42", "0". There is a dash for a missing one."""
    if score is None:
        return NONE
    return f"{score:+d}".replace("-", "−") if score else "0"


def sentence(family: Family, code: str, params: Mapping[str, Any]) -> str:
    """Return the text of the code with its params filled in, and with a capital letter first."""
    values = {name: show_param(family.kinds.get(name), value) for name, value in params.items()}
    text = str(family.texts[code] % values)
    return text[:1].upper() + text[1:]


def show_param(kind: str | None, value: Any) -> Any:
    """Return the value of a param as a sentence shows it, in the active language.

    `kind` is "decimal", a key of LABELS whose label is shown, or None: then the type of the value decides.
    """
    if kind == "decimal":
        return localize(Decimal(value))
    if kind is not None:
        return label(kind, str(value))
    if isinstance(value, PlanFault):
        return say_fault(value)
    if isinstance(value, CodedText):
        return say(value)
    if isinstance(value, QuotedText):
        return pgettext("what somebody typed", "“%(typed)s”") % {"typed": value.typed}
    if isinstance(value, TextPlace | JsonPlace):
        return translate(IN_TEXT if isinstance(value, TextPlace) else IN_JSON) % asdict(value)
    return localize(value) if isinstance(value, Decimal | dt.date) else value


# The messages of Django's own form fields and log-in for which the site has its own texts. No code uses them: they are
# here so that `make messages` puts them into the site's catalogues. There each message, by exactly Django's message id,
# gets a text that replaces Django's own, in French and in English. The English catalogue has only these messages.
FIELD_SENTENCES = (
    _("Ensure this value is less than or equal to %(limit_value)s."),
    _("Ensure this value is greater than or equal to %(limit_value)s."),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
        "limit_value",
    ),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s digit in total.",
        "Ensure that there are no more than %(max)s digits in total.",
        "max",
    ),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s decimal place.",
        "Ensure that there are no more than %(max)s decimal places.",
        "max",
    ),
    ngettext_lazy(
        "Ensure this filename has at most %(max)d character (it has %(length)d).",
        "Ensure this filename has at most %(max)d characters (it has %(length)d).",
        "max",
    ),
    # The value sent by the form is an internal number. The texts in the catalogues leave it out.
    # xgettext:no-python-format
    _("Select a valid choice. %(value)s is not one of the available choices."),
    _("Select a valid choice. That choice is not one of the available choices."),
    _("No file was submitted. Check the encoding type on the form."),
    _("The submitted file is empty."),
    _("Please enter a correct %(username)s and password. Note that both fields may be case-sensitive."),
)
