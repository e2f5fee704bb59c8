"""The declarations of personal data for all models of the project, and the list of models that have none.

A test fails if a model is in neither list. It also fails if a field that points to people, or could contain a name, is
not declared.
"""

from collections.abc import Mapping

from archives.privacy.evenings import PERSONAL_DATA_OF_EVENINGS
from archives.privacy.people import PERSONAL_DATA_OF_PEOPLE
from archives.privacy.personal_data import PersonalData, WithholdReason
from archives.privacy.rooms import NOBODYS_OF_ROOMS, PERSONAL_DATA_OF_ROOMS
from archives.privacy.tournaments import (
    PERSONAL_DATA_OF_CASH,
    PERSONAL_DATA_OF_MAILS,
    PERSONAL_DATA_OF_SERIES,
    PERSONAL_DATA_OF_SIMULTANEOUS,
    PERSONAL_DATA_OF_TEAMS,
)

HOLDER = ("licence", "key", "last_name", "first_name", "club_name", "folded")
# Models that are not about a person, but have texts typed by a director, which may contain a name. And the federation's
# list, whose people are nobody's players: `clubs.licences.forget_holders` deletes whoever is erased.
TYPED = (
    PersonalData(
        name="",
        model="clubs.LicenceHolder",
        club="list__club",
        hides=dict.fromkeys(HOLDER, WithholdReason.FEDERATION),
    ),
    PersonalData(
        name="",
        model="tournaments.Session",
        club="tournament__club",
        hides={"public_etuis_reason": WithholdReason.OTHERS},
        frees=("public_etuis_reason",),
        codes=("section",),
    ),
    PersonalData(
        name="",
        model="tournaments.UsualPenalty",
        club="club",
        hides={"reason": WithholdReason.OTHERS, "article": WithholdReason.OTHERS},
        frees=("reason", "article"),
    ),
)
PERSONAL_DATA: tuple[PersonalData, ...] = (
    *PERSONAL_DATA_OF_PEOPLE,
    *PERSONAL_DATA_OF_EVENINGS,
    *PERSONAL_DATA_OF_CASH,
    *PERSONAL_DATA_OF_MAILS,
    *PERSONAL_DATA_OF_TEAMS,
    *PERSONAL_DATA_OF_SERIES,
    *PERSONAL_DATA_OF_SIMULTANEOUS,
    *PERSONAL_DATA_OF_ROOMS,
)

# Models that are not about a person. Their text fields contain no names of people: this was checked.
NOBODYS: Mapping[str, tuple[str, ...]] = {
    **NOBODYS_OF_ROOMS,
    "auth.Permission": ("name", "codename"),
    "auth.Group": ("name",),
    "auth.Group_permissions": (),
    "clubs.Club": ("name", "slug", "time_zone", "folded"),
    "clubs.ClubLogo": ("kind", "data", "digest"),
    "clubs.ClubSettings": ("address", "contact", "embedders", "format"),  # the club's own data, meant to be public
    "clubs.ErasedHolder": ("digest",),
    "clubs.FirstRun": ("key_digest",),
    "clubs.Season": ("name",),
    "contenttypes.ContentType": ("app_label", "model"),
    "deals.Etui": ("cards",),
    "sessions.Session": ("session_key", "session_data"),  # UserSession has the owner, and its erasure ends this row
    "tournaments.BotSpread": ("digest", "bots_version", "contract", "plays"),  # of bots
    "tournaments.CareerBasis": ("basis",),
    "tournaments.ChangedEtui": (),
    "tournaments.Fee": ("name",),
    "tournaments.FieldStandings": ("basis", "data"),  # figures by number, made again from the results
    "tournaments.EtuiStandings": ("plays", "sums"),  # figures by number, made again from the results
    "tournaments.PrizePlan": ("lines",),  # ranks, categories and amounts: nothing else can be read
    "tournaments.Registration": ("code", "password"),
    "tournaments.SectionGroup": (),
    "tournaments.Leaderboard": ("period", "basis"),
    "tournaments.LeaderboardBasis": ("basis",),
    "tournaments.RatedSession": ("players", "plays"),  # figures by number, made again from the publications
    "tournaments.SealedEtuis": ("secret", "content", "organiser", "address"),  # a club and its étuis
    "tournaments.Series": ("title", "slug", "rules"),
    "tournaments.SeriesEvent": ("title",),
    "tournaments.SeriesStandings": ("basis", "data"),
    "tournaments.SessionStandings": ("data", "sums"),
    "tournaments.Table": (),
    "tournaments.TableDevice": ("device", "name", "label"),  # a table's device: its owner is not stored
    "tournaments.TableToken": ("token", "number"),
    "tournaments.Tournament": ("name", "slug", "rules", "ties", "folded"),
    # These files have published data, and are kept for a day. Once a name in a file is hidden or erased, nobody gets
    # the file any more.
    "tournaments.WantedFile": ("table", "kind", "language", "key", "told", "token", "asker", "name", "content"),
    "tournaments.TournamentStandings": ("basis", "data"),
    "clubs.WebhookCall": ("kind",),
}
