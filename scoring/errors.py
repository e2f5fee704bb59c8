"""Knows how a refusal is told: a code, the field at fault and the figures; not when to refuse.

An edge (page, API, command) translates by `code` with `params`; `str()` is the English sentence.
"""

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    # reading fields
    "required": "{field} is missing; give it.",
    "unknown_field": "{field} is not a field of a result; remove it, or use one of: {choices}.",
    "duplicate_field": "{field} and {other} say the same thing; give only one of them.",
    "unknown_value": "'{value}' is not a value of {field}; use one of: {choices}.",
    "not_a_number": "'{value}' is not a number; write {field} in digits.",
    "not_whole": "{value} is not a whole number; write {field} without a fraction.",
    "not_half": "{value} is not a whole number of half points; write {field} as 49 or 49.5.",
    # one deal
    "players": "Tarot is scored for 3, 4 or 5 players, not {value}; correct players.",
    "bouts": "There are 0 to 3 bouts in the attack's tricks, not {value}; correct bouts.",
    "points_range": "The attack's points run from 0 to 91, not {value}; correct points.",
    "points_half": "Half points cannot arise with four players, and points say {value}; count the tricks again.",
    "points_too_high": "{value} points are too many: a {contract} with {bouts} of the 3 bouts gives at most {limit};"
    " check points and bouts.",
    "points_too_low": "{value} points are too few: a {contract} with {bouts} of the 3 bouts gives at least {limit};"
    " check points and bouts.",
    "chelem_made_points": "The attack cannot have {value} points with {bouts} of the 3 bouts after a chelem made in a"
    " {contract}, only {possible}; check chelem, points and bouts.",
    "chelem_failed_points": "{value} points are too many: a chelem that failed left the defence a trick, and a"
    " {contract} with {bouts} of the 3 bouts then gives at most {limit}; check chelem, points and bouts.",
    "chelem_suffered_points": "The attack cannot have {value} points with {bouts} of the 3 bouts after a chelem"
    " suffered in a {contract}, only {possible}; check chelem, points and bouts.",
    "trick_for_each": "Once each side has a trick, a {contract} with {bouts} of the 3 bouts gives {least} to {most}"
    " points, not {value}. Did one side win every trick? Then say the chelem; otherwise check points and bouts.",
    "petit_without_bout": "The {side} has no bout, so it cannot have the petit au bout, which would be one;"
    " check petit_au_bout and bouts.",
    "petit_au_bout_chelem": "The {side} won no trick in this chelem ({chelem}), so it cannot have the petit au bout;"
    " check petit_au_bout and chelem.",
    "poignees_trumps": "The poignées shown need {needed} trumps and there are only {trumps}; check who showed what.",
    "poignees_one_hand": "The attack is one hand and shows one poignée at most, not {value}; check poignees_attack.",
    "partner": "The taker has a partner or plays alone (true or false) at five players, and only there;"
    " this is for {players}: correct partner or players.",
    # rankings
    "player_twice": "{player} sits twice at the same table, on {first} and {second}; correct one of the names.",
    "player_on_two_lines": "{player} sits on {second} here and on {first} before; a player keeps one line,"
    " so correct the name or the line.",
    "taker_missing": "A base score of {base_score} needs its taker; say which line took.",
}


class ScoringError(ValueError):
    """Input that cannot be scored. `field` is the input field's name; points in `params` are Decimals."""

    def __init__(self, code: str, field: str, params: Mapping[str, object] | None = None) -> None:
        self.code = code
        self.field = field
        self.params = dict(params or {})
        super().__init__(code, field, self.params)

    def __str__(self) -> str:
        return MESSAGES[self.code].format_map({"field": self.field, **self.params})
