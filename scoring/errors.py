"""Knows how a refusal is told: a code, the field at fault and the figures; not when to refuse.

An edge (page, API) translates the text of the `code`; `str()` is the English sentence.
"""

from collections.abc import Mapping
from typing import ClassVar

from wording import Coded, Plural, Texts
from wording import gettext_noop as _


class ScoringError(Coded, ValueError):
    """Input that cannot be scored. `field` is the input field's name; points in `params` are Decimals."""

    messages: ClassVar[Texts] = {
        "required": _("%(field)s is missing: give it."),
        "unknown_field": _("%(field)s is not a field of a result: remove it, or use one of: %(choices)s."),
        "duplicate_field": _("%(field)s and %(other)s say the same thing: give only one of them."),
        "unknown_value": _("“%(value)s” is not a value of %(field)s: use one of: %(choices)s."),
        "not_a_number": _("“%(value)s” is not a number: write %(field)s in digits."),
        "not_whole": _("%(value)s is not a whole number: write %(field)s without a fraction."),
        "not_half": _("%(value)s is not a whole number of half points: write %(field)s as 49 or 49.5."),
        "players": _("Tarot is scored for 3, 4 or 5 players, not %(value)s: correct the number of players."),
        "bouts": _("There are 0 to 3 bouts in the attack’s tricks, not %(value)s: correct the bouts."),
        "points_range": _("The attack’s points run from 0 to 91, not %(value)s: correct the points."),
        "points_half": _(
            "Half points cannot arise with four players, and the points say %(value)s: count the tricks again."
        ),
        "points_too_high": Plural(
            "%(contract)s with %(bouts)s bout: the attack has at most %(limit)s points, not %(value)s."
            " Check the points and the bouts.",
            "%(contract)s with %(bouts)s bouts: the attack has at most %(limit)s points, not %(value)s."
            " Check the points and the bouts.",
            "bouts",
        ),
        "points_too_low": Plural(
            "%(contract)s with %(bouts)s bout: the attack has at least %(limit)s points, not %(value)s."
            " Check the points and the bouts.",
            "%(contract)s with %(bouts)s bouts: the attack has at least %(limit)s points, not %(value)s."
            " Check the points and the bouts.",
            "bouts",
        ),
        "chelem_made_points": _(
            "%(contract)s: the points of a chelem made are %(possible)s, not %(value)s."
            " Check the chelem, the points and the bouts."
        ),
        "chelem_failed_points": _(
            "%(contract)s: a chelem that failed left the defence a trick, hence the attack at most"
            " %(limit)s points, not %(value)s. Check the chelem, the points and the bouts."
        ),
        "chelem_suffered_points": _(
            "%(contract)s: the attack’s points in a chelem suffered are %(possible)s, not %(value)s."
            " Check the chelem, the points and the bouts."
        ),
        "trick_for_each": Plural(
            "%(contract)s with %(bouts)s bout: once each side has a trick, the attack has %(least)s to %(most)s"
            " points, not %(value)s. Did one side win every trick? Then say the chelem; otherwise check the points"
            " and the bouts.",
            "%(contract)s with %(bouts)s bouts: once each side has a trick, the attack has %(least)s to %(most)s"
            " points, not %(value)s. Did one side win every trick? Then say the chelem; otherwise check the points"
            " and the bouts.",
            "bouts",
        ),
        "petit_without_bout": _(
            "The petit au bout goes to %(side)s, who have no bout: the Petit would be one."
            " Check the petit au bout and the bouts."
        ),
        "petit_au_bout_chelem": _(
            "%(chelem)s: who won no trick cannot have the petit au bout, and here it goes to %(side)s."
            " Check the petit au bout and the chelem."
        ),
        "poignees_trumps": _(
            "The poignées shown need %(needed)s trumps and there are only %(trumps)s: check who showed what."
        ),
        "poignees_one_hand": _(
            "The attack is one hand and shows one poignée at most, not %(value)s: check its poignées."
        ),
        "partner": _(
            "The taker has a partner, or plays alone, at five players and only there; this is for %(players)s:"
            " correct the partner or the number of players."
        ),
        "player_twice": _(
            "%(player)s sits twice at the same table, on %(first)s and %(second)s: correct one of the names."
        ),
        "player_on_two_lines": _(
            "%(player)s sits on %(second)s here and on %(first)s before. A player keeps one line:"
            " correct the name or the line."
        ),
        "fixed_note": _(
            "“%(value)s” is no note from 0 to 100: write it as 60, 62.5 or 175/2, or as “better 60” for the better of"
            " 60 and the player’s own mean."
        ),
        "taker_missing": _("A base score of %(base_score)s needs its taker: say which line took."),
    }

    def __init__(self, code: str, field: str, params: Mapping[str, object] | None = None) -> None:
        self.code = code
        self.field = field
        self.params = dict(params or {})
        super().__init__(code, field, self.params)
