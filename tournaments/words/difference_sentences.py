"""The sentences that explain why the best and the worst scores of an étui differ.

Their codes are those of `tournaments.rules.difference`.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from tournaments.rules.difference import DifferenceReason, ScoreDifference
from tournaments.words.figures import decimal, show_points
from tournaments.words.messages import label, sentence, show_signed
from tournaments.words.sentences import Family

REASONS = Family(
    {
        "taker": gettext_lazy("%(best_score)s: %(best)s; %(worst_score)s: %(worst)s."),
        "contract": gettext_lazy("%(best)s at %(best_score)s, %(worst)s at %(worst_score)s: %(gain)s."),
        "made": ngettext_lazy(
            "Made at %(best_score)s, failed at %(worst_score)s: %(gain)s (made once in %(plays)s plays).",
            "Made at %(best_score)s, failed at %(worst_score)s: %(gain)s (made %(count)s times in %(plays)s plays).",
            "count",
        ),
        "failed": ngettext_lazy(
            "Failed at %(best_score)s, made at %(worst_score)s: %(gain)s (made once in %(plays)s plays).",
            "Failed at %(best_score)s, made at %(worst_score)s: %(gain)s (made %(count)s times in %(plays)s plays).",
            "count",
        ),
        "bouts": gettext_lazy(
            "%(best)s at %(best_score)s, %(worst)s at %(worst_score)s, so %(target)s points to make instead of"
            " %(other)s: %(gain)s."
        ),
        "points": gettext_lazy(
            "%(best)s points in the attack’s tricks at %(best_score)s, %(worst)s at %(worst_score)s: %(gain)s."
        ),
        "petit_au_bout": gettext_lazy(
            "Petit au bout to %(best)s at %(best_score)s, to %(worst)s at %(worst_score)s: %(gain)s."
        ),
        "poignee": gettext_lazy("%(best)s at %(best_score)s, %(worst)s at %(worst_score)s: %(gain)s."),
        "chelem": gettext_lazy("%(best)s at %(best_score)s, %(worst)s at %(worst_score)s: %(gain)s."),
    },
)
POINTS = ngettext_lazy("%(points)s point", "%(points)s points", "count")
COUNTS = ngettext_lazy("the gap counts once", "the gap counts %(count)s times", "count")


def say_difference(difference: ScoreDifference) -> list[str]:
    """Return a sentence for each reason of the difference, and one for the unexplained points if there are any."""
    scores = {"best_score": show_signed(difference.best), "worst_score": show_signed(difference.worst)}
    said = [say_reason(reason, difference.gap, scores) for reason in difference.reasons]
    return [*said, say_rest(difference.rest)] if difference.rest else said


def say_reason(reason: DifferenceReason, gap: int, scores: Mapping[str, str]) -> str:
    """Return the sentence for one reason. `gap` is the whole difference, `scores` the texts of both scores."""
    say = SIDES.get(reason.code, str)
    sides = {side: say(reason.params[side]) for side in ("best", "worst")}
    return sentence(REASONS, reason.code, {**reason.params, **sides, **scores, "gain": say_gain(reason, gap)})


def say_gain(reason: DifferenceReason, gap: int) -> str:
    """Return in words how many points a reason explains, without repeating a figure of its sentence.

    For example, 28 points in tricks against 14 make a difference of 28 points in a Garde: "the gap counts twice".
    """
    if reason.gain == gap:
        return _("the whole difference")
    if reason.code == "points" and 2 * reason.gain in (reason.params["best"], reason.params["worst"]):
        return str(COUNTS % {"count": reason.params["times"]})
    return say_points(reason.gain)


def say_points(points: Fraction) -> str:
    """Return a positive number of points with its noun: "1 point", "2.5 points"."""
    count = 1 if points <= 1 else 2
    return str(POINTS % {"count": count, "points": decimal(points, int(points.denominator != 1))})


def say_rest(rest: Fraction) -> str:
    """Return the sentence about the points that the reasons do not explain, or explain too many (`rest` below 0)."""
    if rest > 0:
        sentence = _("Unexplained: %(points)s, from smaller causes or from what these plays do not have in common.")
    else:
        sentence = _("Together, that is %(points)s too many: something else worked the other way.")
    return sentence % {"points": say_points(abs(rest))}


def say_taker(line: str | None) -> str:
    return _("everyone passed") if line is None else _("%(line)s takes") % {"line": label("line", line)}


def say_poignees(shown: tuple[tuple[str, str], ...]) -> str:
    sentences = [
        _("%(poignee)s of %(side)s") % {"poignee": label("poignee", poignee), "side": label("side", side)}
        for poignee, side in shown
    ]
    return ", ".join(sentences) or _("no poignée")


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
    "points": show_points,
}
