"""The settings about which a format leaves less choice or none, and the errors about what a format does not offer.

Match points and marks are added up, so sessions have no mean. Nothing but lots separates teams with equal match points.
A team match has four quarters of 4 to 6 étuis. Every match counts, and all count alike.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from clubs.session_settings import SETTINGS, settings_with
from movements.teams import LEAST_OF_QUARTER, MOST_OF_QUARTER
from scoring.formats import (
    FORMATS,
    FREE_AUCTION,
    FREE_AUCTION_3,
    FREE_AUCTION_5,
    FREE_DEALS,
    IN_GAMES,
    MEETING_TEAMS,
    QUADRETTES,
    TEAM_MATCH,
    Format,
    Total,
)
from scoring.ranking import CRITERIA
from scoring.ties import TieBreak
from wording import CodedText

SUM = "sum"
COUNTINGS = {Total.MEAN: ("mean", SUM), Total.SUM: (SUM,)}  # of several sessions, by the total of one
FITTED = ("ties", "counting", "best_of", "carry_over")  # the rules of a tournament that depend on its format
# By format: the rules of a tournament that are fixed, and the bounds of a session's settings if they are narrower.
FIXED: Mapping[str, Mapping[str, Any]] = {TEAM_MATCH.name: {"best_of": None, "carry_over": None}}
BOUNDS: Mapping[str, Mapping[str, tuple[Any, Any]]] = {
    TEAM_MATCH.name: {
        "positions": (TEAM_MATCH.quarters, TEAM_MATCH.quarters),
        "etuis_per_position": (LEAST_OF_QUARTER, MOST_OF_QUARTER),
        **{name: (SETTINGS[name].default, SETTINGS[name].default) for name in settings_with("is_weight")},
    },
}
# By format: the usual values of settings that are not those of other formats. Then the settings and the switches of a
# publication that the format lacks, and the values that a setting cannot have.
USUAL: Mapping[str, Mapping[str, str]] = {FREE_DEALS.name: {"shows_after": "ranking"}}
LACKING: Mapping[str, Collection[str]] = {
    QUADRETTES.name: ("substitutes_ranked",),  # a substitute joins the team
    TEAM_MATCH.name: ("substitutes_ranked", *settings_with("is_weight")),
    FREE_AUCTION_3.name: ("barometer",),  # all tables play the same étuis
    FREE_AUCTION_5.name: ("barometer",),
    FREE_DEALS.name: ("barometer", "whole_records", "etuis", "cards"),  # nobody knows the cards
}
NEVER: Mapping[str, Mapping[str, str]] = {FREE_DEALS.name: {"shows_after": "topage"}}
# The settings that only one format has.
OWN: Mapping[str, str] = {
    **dict.fromkeys(("meeting", "win_points", "draw_points"), TEAM_MATCH.name),
    "drops_worst": FREE_DEALS.name,
}
DEALING = (FREE_DEALS.name,)
BIDDING = (FREE_AUCTION.name, *IN_GAMES)
NAMING_ATTACKERS = (QUADRETTES.name, TEAM_MATCH.name)


TABLE_SIZES: Mapping[str, int] = {each.name: each.size for each in (FREE_AUCTION_3, FREE_AUCTION_5)}


def list_others(*names: str) -> tuple[str, ...]:
    """Return the names of all formats but these."""
    return tuple(name for name in FORMATS if name not in names)


# By the code of an error: the formats that do not offer what the error is about.
REFUSING: Mapping[str, Collection[str]] = {
    "dealt_again": DEALING,
    "etui_is_a_number": DEALING,
    "line_ups_not_played": list_others(*NAMING_ATTACKERS),
    "no_free_deals": list_others(*DEALING),
    "notes_not_fixed": DEALING,
    "pass_not_allowed": list_others(*BIDDING),
    "plan_of_games": IN_GAMES,
    "plan_of_teams": MEETING_TEAMS,
    "players_not_played": MEETING_TEAMS,
    "quarters_not_played": list_others(TEAM_MATCH.name),
    "sheet_elsewhere": list_others(*DEALING),
    "teams_not_played": list_others(*MEETING_TEAMS),
}


OF_TRIALS = list_others(*IN_GAMES)  # the formats whose published étuis readers may play against bots
# The formats in which the clubs of a simultaneous tournament may play its étuis.
OF_SIMULTANEOUS = list_others(*MEETING_TEAMS, *DEALING)


def find_table_size(format: str) -> int:
    """Return 3 or 5 if étuis of the format with this name are for so many players at each table, otherwise 0."""
    return TABLE_SIZES.get(format, 0)


def require_offered(format: str, *refusals: CodedText) -> None:
    """Raise the first of these errors whose subject the format with this name does not offer.

    Raise KeyError for an error whose code `REFUSING` does not have.
    """
    for refusal in refusals:
        if format in REFUSING[refusal.code]:
            assert isinstance(refusal, Exception)
            raise refusal


def list_ties(format: Format) -> tuple[TieBreak, ...]:
    """Return the criteria that can separate equal competitors in this format."""
    return tuple(CRITERIA[format.unit])


def list_countings(format: Format, countings: Collection[str]) -> list[str]:
    """Return those of the `countings` of several sessions that the format can have."""
    return [each for each in countings if each in COUNTINGS[format.total]]


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
    return fitted | {name: value for name, value in FIXED.get(format.name, {}).items() if name in rules}


def bound_setting(format: Format, name: str) -> tuple[Any, Any]:
    """Return the smallest and the largest value of a session's setting in this format, None without a limit."""
    return BOUNDS.get(format.name, {}).get(name, (SETTINGS[name].least, SETTINGS[name].most))


def list_bounded(format: Format) -> list[str]:
    """Return the names of the settings of a session that have narrower bounds in this format."""
    return [name for name in SETTINGS if name in BOUNDS.get(format.name, {})]


def list_settings(format: Format, names: Iterable[str]) -> list[str]:
    """Return those of the settings, of a tournament or of a session, about which the format leaves a choice."""
    lacking = LACKING.get(format.name, ())
    return [name for name in names if name not in lacking and OWN.get(name, format.name) == format.name]


def fit_session(format: Format, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a session, each with the nearest value that the format can have."""
    fitted = dict(settings)
    for name in list_bounded(format):
        if name in fitted:
            least, most = bound_setting(format, name)
            fitted[name] = min(max(fitted[name], least), most)
    return fitted
