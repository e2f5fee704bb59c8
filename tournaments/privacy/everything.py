"""What every model of the project keeps of people, or that it keeps nothing. A model that is in neither list, or a
field that points to people or could hold a name and is not told of, fails the tests."""

from collections.abc import Mapping

from tournaments.privacy.evenings import KEPT_OF_EVENINGS
from tournaments.privacy.kept import Kept, Why
from tournaments.privacy.people import KEPT_OF_PEOPLE

# About nobody, but with words that a director typed, among which somebody's name may be.
TYPED = (
    Kept(
        name="",
        model="tournaments.Session",
        club="tournament__club",
        hides={"public_etuis_reason": Why.OTHERS},
        frees=("public_etuis_reason",),
        codes=("section",),
    ),
    Kept(
        name="",
        model="tournaments.UsualPenalty",
        club="club",
        hides={"reason": Why.OTHERS, "article": Why.OTHERS},
        frees=("reason", "article"),
    ),
)
KEPT: tuple[Kept, ...] = (*KEPT_OF_PEOPLE, *KEPT_OF_EVENINGS)

# Models about nobody, with those of their texts that are looked at: names of clubs and of things, cards, figures.
NOBODYS: Mapping[str, tuple[str, ...]] = {
    "auth.Permission": ("name", "codename"),
    "auth.Group": ("name",),
    "auth.Group_permissions": (),
    "axes.AccessAttemptExpiration": (),
    "clubs.Club": ("name", "slug", "time_zone", "folded"),
    "clubs.ClubLogo": ("kind", "data", "digest"),
    "clubs.ClubSettings": ("address", "contact", "embedders"),  # the club's own, by which it wants to be found
    "clubs.FirstRun": ("key_digest",),
    "clubs.Season": ("name",),
    "contenttypes.ContentType": ("app_label", "model"),
    "deals.Etui": ("cards",),
    "sessions.Session": ("session_key", "session_data"),  # of whom, says usersessions.UserSession; ended with it
    "tournaments.CareerBasis": ("basis",),
    "tournaments.ChangedEtui": (),
    "tournaments.EtuiStandings": ("plays", "sums"),  # figures under numbers, made anew from the results
    "tournaments.Registration": ("code", "password"),
    "tournaments.SectionGroup": (),
    "tournaments.SessionStandings": ("data", "sums"),
    "tournaments.Table": (),
    "tournaments.TableDevice": ("device", "name", "label"),  # a table's: nobody keeps whose it is
    "tournaments.TableToken": ("token", "number"),
    "tournaments.Tournament": ("name", "slug", "rules", "ties", "folded"),
    "tournaments.TournamentStandings": ("basis", "data"),
}
