"""The errors of pasted lines of teams."""

from typing import ClassVar

from clubs.roster import RosterError
from wording import Texts
from wording import gettext_noop as _


class TeamError(RosterError):
    """The error for a pasted line that is not a team. `params` has the number of the line."""

    messages: ClassVar[Texts] = {
        "team_size": _(
            "Line %(line)s of the list: a team has %(least)s players, and this one has %(found)s. Separate the players "
            "by commas, and write a colon after the team’s name."
        ),
        "team_size_range": _(
            "Line %(line)s of the list: a team has %(least)s to %(most)s players, and this one has %(found)s. Separate "
            "the players by commas, and write a colon after the team’s name."
        ),
        "team_name_long": _("Line %(line)s of the list: the name of a team has at most %(most)s letters. Shorten it."),
        "team_too_long": _(
            "Line %(line)s of the list has more than %(most)s letters: write each team on a line of its own."
        ),
        "team_too_many": _("A list has at most %(most)s teams, and this one has %(found)s: send it in parts."),
        "team_name_twice": _(
            "Line %(line)s of the list: “%(name)s” is already the name of the team on line %(first)s. Give one of them "
            "another name."
        ),
        "team_player_again": _("Line %(line)s of the list names %(name)s twice. Remove one of the two."),
        "team_unclear": _(
            "Line %(line)s of the list, “%(text)s”, can be read in more than one way: say which words are one player."
        ),
    }

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, **params)
        self.field = "teams"
