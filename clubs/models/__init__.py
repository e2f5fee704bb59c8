"""The models of people: accounts, clubs and roles in `accounts`, players and seasons in `people`.

No model here knows a tournament.
"""

from clubs.models.accounts import (
    Club,
    ClubLogEntry,
    FirstRun,
    Invitation,
    LogInTry,
    Membership,
    PasswordLink,
    ProgramToken,
    RoleLimit,
    Scope,
    User,
    day_of_roles,
    in_force,
    is_in_force,
    real_clubs,
)
from clubs.models.folded import Findable, FoldedField, FoundByName, fold
from clubs.models.house import ClubLogo, ClubSettings, ErasedHolder, LicenceChange, LicenceHolder, LicenceList
from clubs.models.people import (
    Person,
    PersonLink,
    Player,
    PlayerClaim,
    PlayerLink,
    PlayerMerge,
    Season,
    ShownWord,
    Visibility,
)
from clubs.models.shown_names import validate_name
from clubs.models.webhooks import Webhook, WebhookCall
from clubs.names import hidden_in
