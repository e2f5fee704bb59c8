"""What made the difference on an étui, by the codes of `tournaments.rules.difference`."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from tournaments.rules.difference import Difference, Reason
from tournaments.words.family import Family
from tournaments.words.figures import decimal, points
from tournaments.words.messages import label, sentence, sign

REASONS = Family(
    {
        "taker": gettext_lazy("%(best_score)s: %(best)s; %(worst_score)s: %(worst)s."),
        "contract": gettext_lazy("%(best)s at %(best_score)s, %(worst)s at %(worst_score)s: %(gain)s points."),
        "made": ngettext_lazy(
            "Made at %(best_score)s, failed at %(worst_score)s: %(gain)s points (made once in %(plays)s plays).",
            "Made at %(best_score)s, failed at %(worst_score)s: %(gain)s points"
            " (made %(count)s times in %(plays)s plays).",
            "count",
        ),
        "failed": ngettext_lazy(
            "Failed at %(best_score)s, made at %(worst_score)s: %(gain)s points (made once in %(plays)s plays).",
            "Failed at %(best_score)s, made at %(worst_score)s: %(gain)s points"
            " (made %(count)s times in %(plays)s plays).",
            "count",
        ),
        "bouts": gettext_lazy(
            "%(best)s at %(best_score)s, %(worst)s at %(worst_score)s: %(target)s points to make instead of %(other)s,"
            " which is worth %(gain)s points."
        ),
        "points": gettext_lazy(
            "%(best)s points in the attack’s tricks at %(best_score)s, %(worst)s at %(worst_score)s: %(gain)s points."
        ),
        "petit_au_bout": gettext_lazy(
            "Petit au bout to %(best)s at %(best_score)s, to %(worst)s at %(worst_score)s: %(gain)s points."
        ),
        "poignee": gettext_lazy("%(best)s at %(best_score)s, %(worst)s at %(worst_score)s: %(gain)s points."),
        "chelem": gettext_lazy("%(best)s at %(best_score)s, %(worst)s at %(worst_score)s: %(gain)s points."),
    },
)


def say_difference(difference: Difference) -> list[str]:
    """A sentence for each reason."""
    scores = {"best_score": sign(difference.best), "worst_score": sign(difference.worst)}
    return [say_reason(reason, scores) for reason in difference.reasons]


def say_reason(reason: Reason, scores: Mapping[str, str]) -> str:
    say = SIDES.get(reason.code, str)
    sides = {side: say(reason.params[side]) for side in ("best", "worst")}
    gain = decimal(reason.gain, int(reason.gain.denominator != 1))
    return sentence(REASONS, reason.code, {**reason.params, **sides, **scores, "gain": gain})


def say_taker(line: str | None) -> str:
    return _("everyone passed") if line is None else _("%(line)s takes") % {"line": label("line", line)}


def say_poignees(shown: tuple[tuple[str, str], ...]) -> str:
    told = [
        _("%(poignee)s of %(side)s") % {"poignee": label("poignee", poignee), "side": label("side", side)}
        for poignee, side in shown
    ]
    return ", ".join(told) or _("no poignée")


def say_bouts(count: int) -> str:
    return str(BOUTS % {"count": count})


BOUTS = ngettext_lazy("%(count)s bout", "%(count)s bouts", "count")
SIDES: Mapping[str, Callable[[Any], str]] = {
    "taker": say_taker,
    "contract": lambda contract: label("contract", contract),
    "petit_au_bout": lambda side: label("side", side),
    "poignee": say_poignees,
    "chelem": lambda chelem: label("chelem", chelem),
    "bouts": say_bouts,
    "points": points,
}
