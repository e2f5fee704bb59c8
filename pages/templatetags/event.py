"""The template tags for the ranking of a tournament: columns, cells, and the rules in words."""

from decimal import Decimal
from fractions import Fraction

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rankings.events.report import ShownRound, TournamentReport, say_round_name
from rankings.rows import RankedRow, StepResult
from scoring.formats import MarkPoints, MatchPoints
from tournaments.models import Session
from tournaments.words.figures import decimal, percent_sign, show_marks, show_match_points
from tournaments.words.messages import say_ties
from wording.figures import NONE

register = template.Library()
# the most letters of a name, for each CSS class
NAME_SIZES = ((16, "who-short"), (26, "who-long"), (72, "who-longest"))
NO_BREAK = SafeString("\N{NO-BREAK SPACE}")


@register.simple_tag
def say_counting(report: TournamentReport) -> str:
    """Return in sentences how the results of the sessions make one ranking."""
    data = report.data
    if report.in_match_points:
        said = [_("Classement général: the sum of the match points of the sessions.")]
    elif report.in_marks:
        said = [_("Classement général: the sum of the marks of the sessions. A missed session counts 0.")]
    elif report.is_sum:
        said = [_("Classement général: the sum of the percentages of the sessions.")]
    else:
        said = [_("Classement général: the mean of the percentages of the sessions played.")]
    if report.weighted:
        said.append(_("Each session counts as many times as its coefficient."))
    if data.best_of:
        told = ngettext("The best %(n)s session counts.", "The best %(n)s sessions count.", data.best_of)
        said.append(told % {"n": data.best_of})
    if data.least_sessions > 1:
        said.append(_("Players are ranked from %(n)s sessions on.") % {"n": data.least_sessions})
    if report.has_final:
        share = 100 if data.carry_over is None else data.carry_over
        told = _("Finalists come first, with %(share)s of what they had before the final.")
        said.append(told % {"share": f"{share}{percent_sign()}"})
    return " ".join(said)


@register.simple_tag
def say_equals(report: TournamentReport) -> str:
    """Return in a sentence how tied players are ranked."""
    ties = report.data.ties
    if not ties:
        return _("Tied players share a rank.")
    told = _("Ties are separated by: %(criteria)s. Players who are still tied share a rank.")
    return told % {"criteria": say_ties(ties)}


@register.simple_tag
def round_head(each: ShownRound) -> SafeString:
    """Return the head of a session's column, such as "S2 × 1.5", as HTML. The full name is shown as a tooltip."""
    full = _("Session %(number)s") % {"number": each.first.number}
    short = _("S%(number)s") % {"number": each.first.number}
    head = format_html('<abbr title="{}">{}</abbr>', full, short)
    if name := say_round_name(each):
        head = format_html('{} <span class="quiet nowrap">{}</span>', head, name)
    if each.coefficient == 1:
        return head
    return format_html('{} <span class="quiet">× {}</span>', head, write_coefficient(each.coefficient))


@register.filter(name="coefficient")
def write_coefficient(value: Decimal | Fraction) -> str:
    """Return a coefficient with no more decimals than it needs, at most two."""
    coefficient = Fraction(value)
    places = 0 if coefficient.denominator == 1 else 1 if (coefficient * 10).denominator == 1 else 2
    return decimal(coefficient, places)


@register.simple_tag
def say_round(each: ShownRound) -> str:
    """Return a session of the ranking in words, such as "S2: 20 November 2026, coefficient 1.5, final, version 1"."""
    parts = [date_format(each.first.day)]
    if each.turn and each.stage != Session.Stage.FINAL:
        parts.append(say_round_name(each))
    if each.coefficient != 1:
        parts.append(_("coefficient %(figure)s") % {"figure": write_coefficient(each.coefficient)})
    if each.stage:
        parts.append(str(Session.Stage(each.stage).label))
    for one in each.sessions:
        section = _("section %(name)s") % {"name": one.section or one.number} if each.parted else ""
        version = _("version %(number)s") % {"number": one.version} if one.version else ""
        parts += [part for part in (section, version) if part]
    short = _("S%(number)s") % {"number": each.first.number}
    return _("%(name)s: %(parts)s") % {"name": short, "parts": ", ".join(parts)}


@register.simple_tag
def result_cell(result: StepResult | None) -> str:
    """Return a percentage, match points or marks as text.

    It is in brackets if it does not count, and a dash if the player missed the session.
    """
    if result is None or result.overall is None:
        return NONE
    match result.overall:
        case MatchPoints():
            written = show_match_points(result.overall)
        case MarkPoints():
            written = show_marks(result.overall)
        case _:
            written = decimal(result.overall, 2)
    section = f" {result.section}" if result.section else ""
    return f"{written}{section}" if result.counts else f"({written}){section}"


@register.simple_tag
def cells_in_line(report: TournamentReport, player: RankedRow) -> str:
    """Return all results of a player in one line, for narrow screens: "S1 62.5 · S2 – · S3 (48.1)"."""
    heads = [_("S%(number)s") % {"number": each.first.number} for each in report.rounds]
    heads = [
        f"{head} ({name})" if (name := say_round_name(each)) else head
        for head, each in zip(heads, report.rounds, strict=True)
    ]
    cells = [result_cell(result) for result in player.results]
    return " · ".join(f"{head}\N{NO-BREAK SPACE}{cell}" for head, cell in zip(heads, cells, strict=True))


@register.simple_tag
def say_played(player: RankedRow) -> SafeString:
    """Return the number of sessions that a player played, such as "12/30", with words for screen readers, as HTML."""
    results = player.results
    count = sum(result is not None and result.overall is not None for result in results)
    told = ngettext("%(n)s session of %(all)s played", "%(n)s sessions of %(all)s played", count)
    return format_html(
        '<span aria-hidden="true">{}/{}</span><span class="visually-hidden">{}</span>',
        count,
        len(results),
        told % {"n": count, "all": len(results)},
    )


@register.filter
def name_size(name: str) -> str:
    """Return the CSS class that makes a name of this length fit in a row on a phone. See `ranking.css`."""
    return next((size for most, size in NAME_SIZES if len(name) <= most), "")


@register.simple_tag
def show_rank_move(player: RankedRow) -> SafeString | str:
    """Return the ranks that the player gained or lost by the last session, as HTML; "" for a player without a rank."""
    gained = player.moved
    if gained is None:
        return format_html('<span class="quiet">{}</span>', pgettext("in a ranking", "new")) if player.rank else ""
    if not gained:
        return said_beside("=", _("as before"))
    told = ngettext("%(n)s place up", "%(n)s places up", gained) if gained > 0 else ""
    told = told or ngettext("%(n)s place down", "%(n)s places down", -gained)
    sign = "▲" if gained > 0 else "▼"
    n = abs(gained)
    return said_beside(f"{sign}\N{NO-BREAK SPACE}{n}", told % {"n": n})


@register.simple_tag
def since_former(player: RankedRow) -> SafeString | str:
    """Return a sign that tells whether the player did better than in the previous session, as HTML.

    Return "" if one of the two percentages is missing.
    """
    now, before = player.overall, player.former
    if now is None or before is None:
        return ""
    if now == before:
        return said_beside("=", _("as before")) + NO_BREAK
    return (said_beside("▲", _("better than")) if now > before else said_beside("▼", _("worse than"))) + NO_BREAK


def said_beside(seen: str, told: str) -> SafeString:
    """Return the sign `seen` as HTML, with the text `told` for screen readers and as a tooltip."""
    return format_html(
        '<span class="quiet" title="{0}"><span aria-hidden="true">{1}</span>'
        '<span class="visually-hidden">{0}</span></span>',
        told,
        seen,
    )


@register.simple_tag
def say_unranked(player: RankedRow) -> str:
    """Return in brackets why a player with percentages has no rank."""
    if player.played:
        told = ngettext("(unranked: %(n)s session only)", "(unranked: %(n)s sessions only)", player.played)
        return told % {"n": player.played}
    return _("(unranked in each session)")
