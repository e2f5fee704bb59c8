"""The rules of a series in sentences."""

from collections.abc import Iterable
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rankings.series.choosing import ChosenEvent
from tournaments.rules.series import GENERAL, MARKS, PERCENT, UNSCALED, SeriesSettings
from tournaments.words.figures import decimal, percent_sign


def say_series_rules(settings: SeriesSettings, *, has_final: bool) -> list[str]:
    """Return the rules in sentences, in the order in which they apply."""
    told = [say_brings(settings)]
    if settings.presence:
        more = ngettext(
            "Everybody who plays gets %(points)s point more.",
            "Everybody who plays gets %(points)s points more.",
            1 if settings.presence == 1 else 2,
        )
        told.append(more % {"points": say_series_points(settings.presence)})
    if settings.brings not in UNSCALED:
        told.append(_("Players who share a rank share the points of their places."))
        if settings.ranks == GENERAL:
            told.append(_("The rank is that of the classement général."))
        else:
            told.append(_("The rank is that of the classement alterné, over several sessions of the général."))
    told.append(
        _("The total is the mean of the results.") if settings.counting == "mean" else _("Results are added up.")
    )
    if settings.best_of:
        counted = ngettext("Only the best %(n)s result counts.", "Only the best %(n)s results count.", settings.best_of)
        told.append(counted % {"n": settings.best_of})
    if settings.least > 1:
        told.append(_("Players are ranked from %(n)s events on.") % {"n": settings.least})
    if settings.best_of_day:
        told.append(_("Of several events on one day, only the best result counts."))
    if has_final:
        share = f"{settings.carry_over}{percent_sign()}"
        told.append(_("Finalists come first, with %(share)s of what they had before the final.") % {"share": share})
    return told


def say_no_form() -> str:
    """Return a sentence about evenings with étuis for three or five players at each table."""
    return _(
        "Étuis at three or at five count like the others, with the rank of their only ranking. The federation has no "
        "such form: leave these evenings out of a championship that it homologates, or that counts for its classes."
    )


def say_misfits(settings: SeriesSettings, events: Iterable[ChosenEvent]) -> str:
    """Return a sentence that says why some of the events do not count, or "" if all can."""
    if all(event.fits for event in events):
        return ""
    if settings.brings == MARKS:
        return _("Evenings with étuis have percentages. Marks count here, so these evenings are left out.")
    return _("Evenings of donnes libres have marks. Percentages count here, so these evenings are left out.")


def say_series_points(points: Fraction) -> str:
    """Return points as text, with two decimals unless they are whole."""
    return decimal(points, 0 if points.denominator == 1 else 2)


def say_brings(settings: SeriesSettings) -> str:
    """Return a sentence that tells how many points, or which percentage, an event brings."""
    if settings.brings == "table":
        points = " · ".join(map(say_series_points, settings.table))
        return _("Ranks give points, from the first on: %(points)s. Other ranks give 0.") % {"points": points}
    return {
        PERCENT: _("Each event brings its percentage."),
        MARKS: _("Each event brings its marks. Only donnes libres count."),
        "places": _("Among 20 ranked players the first gets 20 points, the next 19, and the last 1."),
        "hundred": _("The first gets 100 points and the last 0, with equal steps in between."),
    }[settings.brings]
