"""The error for an input that cannot be scored. Other modules decide when to raise it.

A page or the API shows the translated text of the error's `code`. `str(error)` is the English text.
"""

from collections.abc import Mapping
from typing import ClassVar

from wording import CodedText, Plural, Texts
from wording import gettext_noop as _


class ScoringError(CodedText, ValueError):
    """An input that cannot be scored. `field`: the name of the wrong field; `params`: the values in the message.

    Points in `params` are Decimals.
    """

    messages: ClassVar[Texts] = {
        "required": _("%(field)s is missing: fill it in."),
        "unknown_field": _("%(field)s is not a field of a result: remove it, or use one of these: %(choices)s."),
        "duplicate_field": _("%(field)s and %(other)s say the same thing: give only one of them."),
        "unknown_value": _("“%(value)s” is not a value of %(field)s. Use one of these: %(choices)s."),
        "not_a_number": _("“%(value)s” is not a number: write %(field)s in digits."),
        "not_whole": _("%(value)s is not a whole number: write %(field)s without a fraction."),
        "not_half": _("%(value)s is not a whole number of half points: write %(field)s like 49 or 49.5."),
        "players": _("Tarot is scored for 3, 4 or 5 players, not %(value)s: correct the number of players."),
        "bouts": _("There are 0 to 3 bouts in the attack’s tricks, not %(value)s: correct the bouts."),
        "points_range": _("The attack’s points run from 0 to 91, not %(value)s: correct the points."),
        "points_half": _(
            "Half points are impossible with four players, and the points are %(value)s: count the tricks again."
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
            "%(contract)s: a chelem made gives %(possible)s points, not %(value)s. Check the chelem, the "
            "points and the bouts."
        ),
        "chelem_failed_points": _(
            "%(contract)s: a failed chelem leaves the defence a trick, so the attack has at most %(limit)s "
            "points, not %(value)s. Check the chelem, the points and the bouts."
        ),
        "chelem_suffered_points": _(
            "%(contract)s: a chelem suffered leaves the attack %(possible)s points, not %(value)s. Check the "
            "chelem, the points and the bouts."
        ),
        "trick_for_each": Plural(
            "%(contract)s with %(bouts)s bout: when each side has a trick, the attack has %(least)s to "
            "%(most)s points, not %(value)s. Did one side win every trick? Then enter the chelem; otherwise "
            "check the points and the bouts.",
            "%(contract)s with %(bouts)s bouts: when each side has a trick, the attack has %(least)s to "
            "%(most)s points, not %(value)s. Did one side win every trick? Then enter the chelem; otherwise "
            "check the points and the bouts.",
            "bouts",
        ),
        "petit_without_bout": _(
            "The petit au bout goes to %(side)s, which has no bout, although the Petit is one. Check the petit au"
            " bout and the bouts."
        ),
        "petit_au_bout_chelem": _(
            "%(chelem)s: a side without a trick cannot have the petit au bout, but here it goes to %(side)s. "
            "Check the petit au bout and the chelem."
        ),
        "poignees_trumps": _(
            "The poignées shown need %(needed)s trumps, but there are only %(trumps)s: check who showed what."
        ),
        "poignees_one_hand": _(
            "The attack is one hand and can show only one poignée, not %(value)s: check its poignées."
        ),
        "partner": _(
            "Only with five players can the taker have a partner or play alone, and here there are %(players)s. "
            "Correct the partner or the number of players."
        ),
        "people_at_table": _(
            "There are %(value)s players at this table, and the format wants %(least)s to %(most)s: correct the names."
        ),
        "player_twice": _(
            "%(player)s has two seats at the same table, %(first)s and %(second)s: correct one of the names."
        ),
        "player_on_two_lines": _(
            "%(player)s sits on %(second)s here and on %(first)s before. Players keep their line: correct "
            "the name or the line."
        ),
        "partner_seat": _(
            "Only a player of a deal for five is a partner, and nobody plays at %(value)s: correct the partner."
        ),
        "marks_without_player": _("Marks are given for a seat at which nobody plays: correct the marks."),
        "two_teams": _(
            "A deal of étui %(etui)s is not between two teams. Name one team in the taker’s seat and one other team "
            "in the three other seats."
        ),
        "half_twice": _(
            "%(attacking)s attacks %(defending)s twice on étui %(etui)s. Remove one of the two results, or correct "
            "its étui."
        ),
        "fixed_points": _(
            "“%(value)s” is not a number of match points: write a figure from −%(most)s to %(most)s with at most three "
            "decimals, such as 12.5 or -3.162."
        ),
        "fixed_note": _(
            "“%(value)s” is not a note from 0 to 100: write it as 60, 62.5 or 175/2. Or write “better 60” for the "
            "better of 60 and the player’s own mean."
        ),
        "taker_missing": _("A base score of %(base_score)s needs a taker: choose the line that took."),
    }

    def __init__(self, code: str, field: str, params: Mapping[str, object] | None = None) -> None:
        self.code = code
        self.field = field
        self.params = dict(params or {})
        super().__init__(code, field, self.params)
