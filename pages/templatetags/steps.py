"""The template tags for rankings over several steps: heads and cells of rounds and events, and the rules in words."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import template
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from pages.parts.ranking_rows import RankingRow
from rankings.events.report import TournamentRanking, say_round_name
from rankings.ranking import RankedRow, Ranking, RankingStep, StepResult
from scoring.formats import MarkPoints, MatchPoints, Unit
from scoring.ties import UnrankedReason
from tournaments.models import Session
from tournaments.words.figures import decimal, percent_sign, say_table_size, show_marks, show_match_points
from tournaments.words.messages import say_ties
from wording.figures import NONE

register = template.Library()
# the most letters of a name, for each CSS class
NAME_SIZES = ((16, "who-short"), (26, "who-long"), (72, "who-longest"))
NO_BREAK = SafeString("\N{NO-BREAK SPACE}")
# why an evening does not rank a player
UNRANKED: Mapping[str, Promise | str] = {
    UnrankedReason.FILLER: gettext_lazy("(completes a table, unranked)"),
    UnrankedReason.SUBSTITUTE: gettext_lazy("(substitute, unranked)"),
    UnrankedReason.SHARE: gettext_lazy("(too few deals, unranked)"),
    UnrankedReason.LOOKED: gettext_lazy("(saw cards beforehand, unranked)"),
}


@register.simple_tag
def say_counting(ranking: TournamentRanking) -> str:
    """Return in sentences how the results of the sessions make one ranking."""
    rules, unit = ranking.rules, ranking.shape.unit
    if unit is Unit.MATCH_POINTS:
        said = [_("Classement général: the sum of the match points of the sessions.")]
    elif unit is Unit.MARKS:
        said = [_("Classement général: the sum of the marks of the sessions. A missed session counts 0.")]
    elif ranking.shape.points:
        said = [_("Classement général: the sum of the percentages of the sessions.")]
    else:
        said = [_("Classement général: the mean of the percentages of the sessions played.")]
    if any(each.coefficient != 1 for each in ranking.steps):
        said.append(_("Each session counts as many times as its coefficient."))
    if rules.best_of:
        told = ngettext("The best %(n)s session counts.", "The best %(n)s sessions count.", rules.best_of)
        said.append(told % {"n": rules.best_of})
    if rules.least_sessions > 1:
        said.append(_("Players are ranked from %(n)s sessions on.") % {"n": rules.least_sessions})
    if ranking.has_final:
        share = 100 if rules.carry_over is None else rules.carry_over
        told = _("Finalists come first, with %(share)s of what they had before the final.")
        said.append(told % {"share": f"{share}{percent_sign()}"})
    return " ".join(said)


@register.simple_tag
def say_equals(ranking: TournamentRanking) -> str:
    """Return in a sentence how tied players are ranked."""
    ties = ranking.rules.ties
    if not ties:
        return _("Tied players share a rank.")
    told = _("Ties are separated by: %(criteria)s. Players who are still tied share a rank.")
    return told % {"criteria": say_ties(ties)}


@register.simple_tag
def round_head(each: RankingStep) -> SafeString:
    """Return the head of a session's column, such as "S2 × 1.5", as HTML. The full name is shown as a tooltip."""
    full = _("Session %(number)s") % {"number": each.first.number}
    short = _("S%(number)s") % {"number": each.first.number}
    head = format_html('<abbr title="{}">{}</abbr>', full, short)
    if name := say_round_name(each):
        head = format_html('{} <span class="quiet nowrap">{}</span>', head, name)
    return add_coefficient(head, each)


def add_coefficient(head: SafeString, step: RankingStep) -> SafeString:
    """Return the head of a column with the coefficient of its round or event, if it is not 1."""
    if step.coefficient == 1:
        return head
    return format_html('{} <span class="quiet">× {}</span>', head, write_coefficient(step.coefficient))


@register.filter(name="coefficient")
def write_coefficient(value: Decimal | Fraction) -> str:
    """Return a coefficient with no more decimals than it needs, at most two."""
    coefficient = Fraction(value)
    places = 0 if coefficient.denominator == 1 else 1 if (coefficient * 10).denominator == 1 else 2
    return decimal(coefficient, places)


@register.simple_tag
def say_round(each: RankingStep) -> str:
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
    """Return the result of a round or an event as text: a percentage, points, match points or marks.

    It is in brackets if it does not count, and a dash for somebody who was absent. An event with ranks alone has these.
    """
    figure = None if result is None else result.overall if result.value is None else result.value
    if result is None or figure is None:
        return f"({result.rank})" if result and result.rank else NONE
    match figure:
        case MatchPoints():
            written = show_match_points(figure)
        case MarkPoints():
            written = show_marks(figure)
        case _:
            written = decimal(figure, 0 if result.value is not None and figure.denominator == 1 else 2)
    section = f" {result.section}" if result.section else ""
    return f"{written}{section}" if result.counts else f"({written}){section}"


@register.simple_tag
def cells_in_line(ranking: Ranking[Any], player: RankedRow) -> str:
    """Return all results of a player in one line, for narrow screens: "S1 62.5 · S2 – · S3 (48.1)".

    Of a series, it has the events that the player played: "04/09 62.5 · 18/09 51.3".
    """
    return " · ".join(
        f"{say_short_head(step)}\N{NO-BREAK SPACE}{result_cell(result)}"
        for step, result in zip(ranking.steps, player.results, strict=True)
        if result is not None or step.sessions
    )


def say_short_head(step: RankingStep) -> str:
    """Return the number of a round with its name between cuts, or the day of an event."""
    if not step.sessions:
        return date_format(step.day, "d/m")
    head, name = _("S%(number)s") % {"number": step.first.number}, say_round_name(step)
    return f"{head} ({name})" if name else head


@register.simple_tag
def say_played(ranking: Ranking[Any], player: RankedRow) -> SafeString:
    """Return the number of rounds or events that a player played, such as "12/30", with words for screen readers."""
    steps = len(ranking.steps)
    if ranking.shape.events:
        count = player.played
        told = ngettext("%(n)s event of %(all)s played", "%(n)s events of %(all)s played", count)
    else:
        count = sum(result is not None and result.overall is not None for result in player.results)
        told = ngettext("%(n)s session of %(all)s played", "%(n)s sessions of %(all)s played", count)
    return format_html(
        '<span aria-hidden="true">{}/{}</span><span class="visually-hidden">{}</span>',
        count,
        steps,
        told % {"n": count, "all": steps},
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
    n = abs(gained)
    if gained > 0:
        sign, told = "▲", ngettext("%(n)s place up", "%(n)s places up", n)
    else:
        sign, told = "▼", ngettext("%(n)s place down", "%(n)s places down", n)
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
def say_unranked(ranking: Ranking[Any], row: RankingRow) -> str:
    """Return in brackets why a player with percentages has no rank; "" for a ranked one, and in a series."""
    player = row.player
    if not ranking.shape.over_steps:
        return str(UNRANKED.get(player.unranked, ""))
    if row.rank or ranking.shape.events:
        return ""
    if player.played:
        told = ngettext("(unranked: %(n)s session only)", "(unranked: %(n)s sessions only)", player.played)
        return told % {"n": player.played}
    return _("(unranked in each session)")


@register.simple_tag
def event_head(event: RankingStep) -> SafeString:
    """Return the head of an event's column: its day, with the full name as a tooltip, as HTML."""
    day = date_format(event.day, "d/m")
    size = say_table_size(event.table_size)
    about = ", ".join(filter(None, (event.title, size, date_format(event.day))))
    head = format_html('<abbr title="{}">{}</abbr>', about, day)
    around = '<a href="{1}">{0}</a>' if event.page else '<span class="event-head">{0}</span>'
    head = format_html(around, head, event.page)
    if size:
        head = format_html('{} <span class="quiet">{}</span>', head, size)
    return add_coefficient(head, event)


@register.filter
def write_needed(value: Fraction) -> str:
    """Return what an event must bring as text: to a thousandth, without zeros at the end."""
    places = next(places for places in range(4) if places == 3 or (value * 10**places).denominator == 1)
    return decimal(value, places)


@register.filter
def say_stage(stage: str) -> str:
    """Return the name of a stage, or "" for an event that counts like the others."""
    return str(Session.Stage(stage).label) if stage else ""


@register.simple_tag
def say_use(result: StepResult | None) -> str:
    """Return in a word whether a result counts."""
    if result is None:
        return _("absent")
    return _("counts") if result.counts else _("does not count")
