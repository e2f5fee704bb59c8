"""Who people are: accounts, clubs, roles (`accounts`), players and seasons (`people`). No tournament is known here."""

from clubs.models.accounts import Club, Membership, User, day_of_roles, in_force
from clubs.models.folded import Findable, FoldedField, FoundByName, fold
from clubs.models.house import ClubLogo, ClubSettings
from clubs.models.people import (
    Person,
    PersonLink,
    Player,
    PlayerClaim,
    PlayerLink,
    PlayerMerge,
    Season,
    Shown,
    ShownWord,
)
from clubs.models.shown_names import validate_name
from clubs.models.site import FirstRun
from clubs.models.team import ClubLogEntry, Invitation, PasswordLink
from clubs.names import hidden_in

__all__ = [
    "Club",
    "ClubLogEntry",
    "ClubLogo",
    "ClubSettings",
    "Findable",
    "FirstRun",
    "FoldedField",
    "FoundByName",
    "Invitation",
    "Membership",
    "PasswordLink",
    "Person",
    "PersonLink",
    "Player",
    "PlayerClaim",
    "PlayerLink",
    "PlayerMerge",
    "Season",
    "Shown",
    "ShownWord",
    "User",
    "day_of_roles",
    "fold",
    "hidden_in",
    "in_force",
    "validate_name",
]
