"""The settings about which a format leaves less choice, or none.

Match points and marks are added up, so sessions have no mean. Nothing but lots separates teams with equal match points.
A team match has four quarters of 4 to 6 étuis. Every match counts, and all count alike.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from clubs.session_settings import SETTINGS, settings_with
from movements.teams import LEAST_OF_QUARTER, MOST_OF_QUARTER
from scoring.formats import Format
from scoring.ranking import CRITERIA
from scoring.ties import TieBreak

SUM = "sum"
FITTED = ("ties", "counting", "best_of", "carry_over")  # the rules of a tournament that depend on its format


def list_ties(format: Format) -> tuple[TieBreak, ...]:
    """Return the criteria that can separate equal competitors in this format."""
    return tuple(CRITERIA[format.unit])


def list_countings(format: Format, countings: Collection[str]) -> list[str]:
    """Return those of the `countings` of several sessions that the format can have."""
    return [each for each in countings if each == SUM or format.in_per_cent]


def find_wrong_rule(format: Format, rules: Mapping[str, Any]) -> str | None:
    """Return the name of the first of the tournament's rules that the format cannot have. None if there is none."""
    fitted = fit_rules(format, rules)
    return next((name for name, value in rules.items() if fitted[name] != value), None)


def fit_rules(format: Format, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules of a tournament as the format can have them. `rules` may have each of `FITTED`."""
    fitted = dict(rules)
    if "ties" in rules:
        fitted["ties"] = [each for each in rules["ties"] if each in list_ties(format)]
    if "counting" in rules and not list_countings(format, [rules["counting"]]):
        fitted["counting"] = SUM
    if format.has_matches:
        fitted |= dict.fromkeys(rules.keys() & {"best_of", "carry_over"})
    return fitted


def bound_setting(format: Format, name: str) -> tuple[Any, Any]:
    """Return the smallest and the largest value of a session's setting in this format, None without a limit."""
    if format.has_matches and name == "positions":
        return format.quarters, format.quarters
    if format.has_matches and name == "etuis_per_position":
        return LEAST_OF_QUARTER, MOST_OF_QUARTER
    if format.has_matches and name in settings_with("is_weight"):
        return SETTINGS[name].default, SETTINGS[name].default
    return SETTINGS[name].least, SETTINGS[name].most


def list_bounded(format: Format) -> list[str]:
    """Return the names of the settings of a session that have narrower bounds in this format."""
    return [name for name, each in SETTINGS.items() if bound_setting(format, name) != (each.least, each.most)]


def list_settings(format: Format, names: Sequence[str]) -> list[str]:
    """Return those of the settings of a session about which the format leaves a choice."""
    return [name for name in names if not (format.has_matches and name in settings_with("is_weight"))]


def fit_session(format: Format, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a session, each with the nearest value that the format can have."""
    fitted = dict(settings)
    for name in list_bounded(format):
        if name in fitted:
            least, most = bound_setting(format, name)
            fitted[name] = min(max(fitted[name], least), most)
    return fitted
