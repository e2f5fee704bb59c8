"""The personal data of every model of the project, or the statement that it has none.

The tests fail for a model in neither list, and for an undeclared field that points to people or could hold a name.
"""

from collections.abc import Mapping

from tournaments.privacy.evenings import PERSONAL_DATA_OF_EVENINGS
from tournaments.privacy.people import PERSONAL_DATA_OF_PEOPLE
from tournaments.privacy.personal_data import PersonalData, WithholdReason

# Models about nobody, but with words typed by a director, which may contain a name.
TYPED = (
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
PERSONAL_DATA: tuple[PersonalData, ...] = (*PERSONAL_DATA_OF_PEOPLE, *PERSONAL_DATA_OF_EVENINGS)

# Models about nobody, with their text fields that were checked: names of clubs and of things, cards, figures.
NOBODYS: Mapping[str, tuple[str, ...]] = {
    "auth.Permission": ("name", "codename"),
    "auth.Group": ("name",),
    "auth.Group_permissions": (),
    "axes.AccessAttemptExpiration": (),
    "clubs.Club": ("name", "slug", "time_zone", "folded"),
    "clubs.ClubLogo": ("kind", "data", "digest"),
    "clubs.ClubSettings": ("address", "contact", "embedders", "format"),  # the club's own data, meant to be public
    "clubs.FirstRun": ("key_digest",),
    "clubs.Season": ("name",),
    "contenttypes.ContentType": ("app_label", "model"),
    "deals.Etui": ("cards",),
    "sessions.Session": ("session_key", "session_data"),  # UserSession says whose it is, and ends it
    "tournaments.CareerBasis": ("basis",),
    "tournaments.ChangedEtui": (),
    "tournaments.EtuiStandings": ("plays", "sums"),  # figures by number, made again from the results
    "tournaments.Registration": ("code", "password"),
    "tournaments.SectionGroup": (),
    "tournaments.SessionStandings": ("data", "sums"),
    "tournaments.Table": (),
    "tournaments.TableDevice": ("device", "name", "label"),  # a table's device: nobody stores whose it is
    "tournaments.TableToken": ("token", "number"),
    "tournaments.Tournament": ("name", "slug", "rules", "ties", "folded"),
    "tournaments.TournamentStandings": ("basis", "data"),
}
