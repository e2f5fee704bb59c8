"""The contents of an archive: the models whose rows it has, in the order of their creation, and the omitted columns.

A test fails for a model of the project that is in no list. All columns of an archived model are in the archive, except
those in `without`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from django.apps import apps
from django.db.models import Field, Model

from archives.archive.packing import FORMAT as FORMAT
from archives.archive.packing import VERSION as VERSION
from archives.archive.packing import WITH_FREE_DEALS as WITH_FREE_DEALS


class Omission(Enum):
    """The reasons why a column is not in an archive."""

    IMPLIED = "it follows from the file itself: an archive has one tournament, of the club that reads it"
    COMPUTED = "it is computed from other columns"
    TOGETHER = "both wishes of a person are in the archive as one, `unrated`"
    SECRET = "a password, a token, a link or a code: it opens something on its own site"
    DEVICE = "a device, or what a device called its message"
    OF_THE_LIST = "it is about the club's list of players and their accounts, not about the tournament"
    STAMP = "a number by which this site's screens notice a change"
    FILE = "the archive has it as a file of its own"
    ELSEWHERE = "it belongs to a simultaneous of several clubs, which no archive of one tournament has"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRows:
    """The rows of one model: the file `name` has them in the order of their numbers.

    `path` leads from a row to its tournament, as in a query. `without` are the columns that are left out.
    """

    name: str
    model: str
    path: str
    without: Mapping[str, Omission] = field(default_factory=dict)

    @property
    def rows(self) -> type[Model]:
        return apps.get_model(self.model)

    @property
    def columns(self) -> "list[Field[Any, Any]]":
        """The columns that are archived, sorted by name."""
        fields = [each for each in self.rows._meta.concrete_fields if not each.primary_key]
        return sorted((each for each in fields if each.name not in self.without), key=lambda each: each.name)


SENT = {"device": Omission.DEVICE, "key": Omission.DEVICE}
VERSION_FILES = {"data": Omission.FILE, "frozen": Omission.FILE}

SEASONS = ArchivedRows(name="seasons", model="clubs.Season", path="tournaments", without={"club": Omission.IMPLIED})
PLAYERS = ArchivedRows(
    name="players",
    model="clubs.Player",
    path="",
    without={
        "club": Omission.IMPLIED,
        "folded": Omission.COMPUTED,
        **dict.fromkeys(
            (
                "person",
                "account",
                "licence_until",
                "member_until",
                "put_away_at",
                "erasure_asked_at",
                "merged_into",
            ),
            Omission.OF_THE_LIST,
        ),
        **dict.fromkeys(("unrated_by_self", "unrated_by_club"), Omission.TOGETHER),
    },
)
TOURNAMENT = ArchivedRows(
    name="tournament",
    model="tournaments.Tournament",
    path="pk",
    without={"club": Omission.IMPLIED, "archive_key": Omission.FILE, "folded": Omission.COMPUTED},
)
DEAL_SETS = ArchivedRows(
    name="deal_sets",
    model="deals.DealSet",
    path="sessions__tournament",
    without={
        "club": Omission.IMPLIED,
        "seed_digest": Omission.COMPUTED,
        "master": Omission.ELSEWHERE,
        "opens_at": Omission.ELSEWHERE,
        "held_until": Omission.ELSEWHERE,
    },
)
ETUIS = ArchivedRows(name="etuis", model="deals.Etui", path="deal_set__sessions__tournament")
OF_TOURNAMENT = {"tournament": Omission.IMPLIED}
SESSIONS = ArchivedRows(
    name="sessions",
    model="tournaments.Session",
    path="tournament",
    without=OF_TOURNAMENT
    | {"revision": Omission.STAMP, "records_version": Omission.STAMP, "held_until": Omission.ELSEWHERE},
)
PUBLICATIONS = ArchivedRows(
    name="publications", model="tournaments.Publication", path="session__tournament", without=VERSION_FILES
)
TOURNAMENT_PUBLICATIONS = ArchivedRows(
    name="tournament_publications",
    model="tournaments.TournamentPublication",
    path="tournament",
    without=OF_TOURNAMENT | VERSION_FILES,
)
LOG = ArchivedRows(
    name="log", model="tournaments.LogEntry", path="session__tournament", without={"device": Omission.DEVICE}
)
TEAMS = ArchivedRows(name="teams", model="tournaments.Team", path="tournament", without=OF_TOURNAMENT)
MEMBERS = ArchivedRows(name="team_members", model="tournaments.TeamMember", path="tournament", without=OF_TOURNAMENT)
LINE_UPS = ArchivedRows(name="line_ups", model="tournaments.LineUp", path="session__tournament")
DECISIONS = ArchivedRows(
    name="match_decisions", model="tournaments.MatchDecision", path="tournament", without=OF_TOURNAMENT
)
ENTRANTS = ArchivedRows(name="entrants", model="tournaments.Entrant", path="session__tournament")
PLAYS = ArchivedRows(name="plays", model="tournaments.Play", path="session__tournament")
ENTRIES = ArchivedRows(name="entries", model="tournaments.ResultEntry", path="play__session__tournament", without=SENT)
RULINGS = ArchivedRows(
    name="rulings", model="tournaments.Ruling", path="play__session__tournament", without={"device": Omission.DEVICE}
)
RECORDS = ArchivedRows(name="records", model="tournaments.PlayRecord", path="play__session__tournament", without=SENT)
REQUESTS = ArchivedRows(name="requests", model="tournaments.CorrectionRequest", path="play__session__tournament")
ANSWERS = ArchivedRows(
    name="answers",
    model="tournaments.RequestAnswer",
    path="request__play__session__tournament",
    without={"device": Omission.DEVICE},
)
# Each model stands after those to which its rows refer.
ARCHIVED = (
    SEASONS,
    TOURNAMENT,
    PLAYERS,
    ArchivedRows(name="section_groups", model="tournaments.SectionGroup", path="tournament", without=OF_TOURNAMENT),
    DEAL_SETS,
    ETUIS,
    SESSIONS,
    ArchivedRows(
        name="tables",
        model="tournaments.Table",
        path="session__tournament",
        without={"revision": Omission.STAMP},
    ),
    TEAMS,
    MEMBERS,
    LINE_UPS,
    DECISIONS,
    ENTRANTS,
    PLAYS,
    ENTRIES,
    ArchivedRows(name="checks", model="tournaments.EntryCheck", path="entry__play__session__tournament", without=SENT),
    RECORDS,
    RULINGS,
    ArchivedRows(name="etui_rulings", model="tournaments.EtuiRuling", path="session__tournament"),
    ArchivedRows(name="penalties", model="tournaments.Penalty", path="session__tournament"),
    REQUESTS,
    ANSWERS,
    ArchivedRows(
        name="calls", model="tournaments.ArbiterCall", path="session__tournament", without={"key": Omission.DEVICE}
    ),
    ArchivedRows(name="plans", model="tournaments.PlanVersion", path="session__tournament"),
    LOG,
    PUBLICATIONS,
    ArchivedRows(
        name="published_players", model="tournaments.PublishedPlayer", path="publication__session__tournament"
    ),
    TOURNAMENT_PUBLICATIONS,
    ArchivedRows(name="draws", model="tournaments.TieDraw", path="tournament", without=OF_TOURNAMENT),
)
BY_MODEL = {each.model: each for each in ARCHIVED}


@dataclass(frozen=True, slots=True)
class MissingParts:
    """The parts that archives of an older version lack: whole files, and columns of other files.

    `columns` has the value that each missing column gets, by the name of the file and by the name of the column.
    """

    files: tuple[str, ...] = ()
    columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


WITHOUT_ASKING_MEMBERS: Mapping[str, Mapping[str, Any]] = {
    REQUESTS.name: {"member": None},
    ANSWERS.name: {"member": None},
}
# Archives before version 6 did not say whether a player wishes to have no rating.
WITHOUT_WISH: Mapping[str, Mapping[str, Any]] = {PLAYERS.name: {"unrated": False}}
OF_MATCHES: Mapping[str, Any] = {"meeting": "league", "win_points": 2, "draw_points": 1}
WITHOUT_MATCHES: Mapping[str, Mapping[str, Any]] = {TOURNAMENT.name: OF_MATCHES}
WITHOUT_TEAMS: Mapping[str, Mapping[str, Any]] = {
    TOURNAMENT.name: {"first_badge": 0, **OF_MATCHES},
    ENTRANTS.name: {"team": None},
    PLAYS.name: {"badge": 0},
    ENTRIES.name: {"attacker": None},
    **WITHOUT_ASKING_MEMBERS,
}
# What only a tournament of donnes libres, or one with a cut, has, with the values of all others.
OF_FREE_DEALS: Mapping[str, Mapping[str, Any]] = {
    TOURNAMENT.name: {"drops_worst": False},
    SESSIONS.name: {
        "level": 0,
        "seating": "ranking",
        "odd_tables": "threes",
        "fits_deals": False,
        "three_weight": "1.00",
        "five_weight": "1.00",
    },
    DEAL_SETS.name: {"free": False},
    PLAYS.name: {"fifth": None, "resting": ""},
    ENTRIES.name: {"partner": "", "players": 4, "marks": "", "covers": 1},
    RULINGS.name: {"partner": "", "marks": {}},
}
BEFORE = {
    1: MissingParts(
        (RECORDS.name, TEAMS.name, MEMBERS.name, LINE_UPS.name, DECISIONS.name),
        {SESSIONS.name: {"whole_records": False}, **WITHOUT_TEAMS, **WITHOUT_WISH},
    ),
    2: MissingParts((TEAMS.name, MEMBERS.name, LINE_UPS.name, DECISIONS.name), {**WITHOUT_TEAMS, **WITHOUT_WISH}),
    3: MissingParts((LINE_UPS.name, DECISIONS.name), {**WITHOUT_ASKING_MEMBERS, **WITHOUT_MATCHES, **WITHOUT_WISH}),
    4: MissingParts((DECISIONS.name,), {LINE_UPS.name: {"quarter": None}, **WITHOUT_MATCHES, **WITHOUT_WISH}),
    5: MissingParts((), WITHOUT_WISH),
    VERSION: MissingParts(),
}
MISSING = {
    version: MissingParts(
        parts.files,
        {
            name: {**parts.columns.get(name, {}), **OF_FREE_DEALS.get(name, {})}
            for name in {**parts.columns, **OF_FREE_DEALS}
        },
    )
    for version, parts in BEFORE.items()
} | {WITH_FREE_DEALS: MissingParts()}

# Lines of the log with these params are about a table's device, a code, or an IP address from which a code was tried.
LOG_OF_DEVICES = ("id", "address")

# Models of the project whose rows are not in an archive. Those of `numbers.COMPUTED` are missing too: they are computed
# anew.
LEFT_OUT: Mapping[str, str] = {
    "tournaments.BotSpread": "bots play the étuis again",
    "clubs.User": "accounts: authors are in the archive by name alone",
    "clubs.User_groups": "accounts",
    "clubs.User_user_permissions": "accounts",
    "clubs.Club": "the club that reads the archive is another one, or this one",
    "clubs.ClubLogo": "the club's own",
    "clubs.ClubSettings": "the club's own, with its contact",
    "clubs.ClubLogEntry": "the club's own",
    "clubs.ErasedHolder": "who was erased on this site",
    "clubs.FirstRun": "the site's own",
    "clubs.Invitation": "links",
    "clubs.LogInTry": "log-ins",
    "clubs.Membership": "roles on this site",
    "clubs.PasswordLink": "links",
    "clubs.Person": "whom a player is in other clubs is no club's to tell",
    "clubs.LicenceChange": "changes of the club’s list of players",
    "clubs.LicenceHolder": "the federation's list is for the directors of one club",
    "clubs.LicenceList": "the federation's list is for the directors of one club",
    "clubs.PersonLink": "whom a player is in other clubs is no club's to tell",
    "clubs.PlayerClaim": "accounts",
    "clubs.PlayerLink": "links",
    "clubs.PlayerMerge": "a merge is undone where it was made; the archive has the player who remains",
    "clubs.ProgramToken": "tokens",
    "clubs.ShownWord": "each player has the strictest of the words, as `shown`",
    "deals.DealLook": "who looked at the cards on this site; the other site logs its own looks",
    "tournaments.Cut": "it fills the list of people who signed up; the level stays with the session",
    "tournaments.Applicant": "contacts and links of people who signed up",
    "tournaments.ArbiterCode": "codes",
    "tournaments.CalendarLink": "links",
    "tournaments.CashCount": "money stands in no archive",
    "tournaments.ClubFile": "files that are made for a director, or are to be imported",
    "tournaments.EveningMail": "letters to people who signed up",
    "tournaments.EveningMailRecipient": "accounts",
    "tournaments.EveningMailWish": "accounts",
    "tournaments.Fee": "money stands in no archive",
    "tournaments.FeuilleMail": "accounts",
    "tournaments.FieldPublication": "it is about sessions of several clubs",
    "tournaments.FieldRuling": "it is about sessions of several clubs",
    "tournaments.Payment": "money stands in no archive",
    "tournaments.PersonalLink": "links and codes",
    "tournaments.PlayingDirector": "accounts, and of use only while the evening runs",
    "tournaments.PrizeHanded": "money stands in no archive",
    "tournaments.PrizePlan": "money stands in no archive",
    "tournaments.QueuedMail": "mails that wait for a moment",
    "tournaments.Registration": "passwords of evenings to come",
    "tournaments.SentFeuille": "accounts",
    "tournaments.SentFieldLetter": "accounts",
    "tournaments.SentSeriesLetter": "accounts",
    "tournaments.Series": "it is about several tournaments, perhaps of several clubs",
    "tournaments.SeriesClub": "it is about several tournaments, perhaps of several clubs",
    "tournaments.SeriesEvent": "it is about several tournaments, perhaps of several clubs",
    "tournaments.SeriesList": "it is about several tournaments, perhaps of several clubs",
    "tournaments.SeriesListRow": "it is about several tournaments, perhaps of several clubs",
    "tournaments.SeriesPublication": "it is about several tournaments, perhaps of several clubs",
    "tournaments.SealedEtuis": "it is about sessions of several clubs",
    "tournaments.Simultaneous": "it is about sessions of several clubs",
    "tournaments.SimultaneousClub": "it is about sessions of several clubs",
    "tournaments.TableDevice": "devices",
    "tournaments.TableToken": "codes",
    "tournaments.UsualPenalty": "the club's own",
    "clubs.Webhook": "the club's own, with a secret",
    "clubs.WebhookCall": "the club's own: what other programs were told",
    "tournaments.WantedFile": "files that are made again for whoever asks",
}
