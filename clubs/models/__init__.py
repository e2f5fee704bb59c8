"""Who people are: accounts, clubs, roles (`accounts`), players and seasons (`people`). No tournament is known here."""

from clubs.models.accounts import Club, Membership, User
from clubs.models.people import Player, Season
from clubs.models.shown_names import validate_name
from clubs.models.site import FirstRun
from clubs.names import hidden_in

__all__ = ["Club", "FirstRun", "Membership", "Player", "Season", "User", "hidden_in", "validate_name"]
