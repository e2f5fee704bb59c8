"""The numbers of rows in an archive: the columns and shapes that hold them, and the ids that they get here.

Code that copies rows to another site has to replace these ids too. A test fails for a JSON column, or a column of large
integers, that is in no list.
"""

import datetime as dt
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from archives.errors import ArchiveError
from clubs.models import Club, Person, Player
from deals.domain.cards import LINES
from tournaments.models import Entrant, Etui, Play, Ruling, Session, Table
from tournaments.models.seats import ALL_SEAT_COLUMNS, make_seat_columns

PLAYER, ENTRANT, USER = "clubs.Player", "tournaments.Entrant", "clubs.User"
SESSION, TABLE, PLAY = "tournaments.Session", "tournaments.Table", "tournaments.Play"
ENTRY, RULING, ETUI = "tournaments.ResultEntry", "tournaments.Ruling", "deals.Etui"


class Mention(NamedTuple):
    """The number of a row of `model`. With `newest`, it was the highest number in its session at some moment, or 0."""

    model: str
    number: int
    newest: bool = False


@dataclass(frozen=True, slots=True)
class RowNumber:
    """The number of a row of `model`, or None."""

    model: str


@dataclass(frozen=True, slots=True)
class CompetitorNumber(RowNumber):
    """The number of a row of `model`, or minus the number of a team in its tournament.

    `renumber` does not change the number of a team.
    """


@dataclass(frozen=True, slots=True)
class NewestNumber:
    """The highest number that a model's rows had in a session at some moment, or 0. Later rows have higher numbers."""

    model: str


@dataclass(frozen=True, slots=True)
class EachOf:
    """A list of values of one shape."""

    inner: "Shape"


@dataclass(frozen=True, slots=True)
class FirstOf:
    """A list whose first value has a shape. The other values contain no numbers of rows."""

    inner: "Shape"


@dataclass(frozen=True, slots=True)
class FieldsOf:
    """An object with the shapes of its values by key. An object may lack some of these keys, and may have others."""

    fields: Mapping[str, "Shape"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KeyedBy:
    """An object whose keys are numbers of `model` as text, or any text if `model` is None.

    All its values have one shape.
    """

    model: str | None
    inner: "Shape | None" = None


@dataclass(frozen=True, slots=True)
class RowsByLabel:
    """An object with lists of numbers by "app.Model.field"."""


Shape = RowNumber | NewestNumber | EachOf | FirstOf | FieldsOf | KeyedBy | RowsByLabel
Change = Callable[[Mention], int | None]


def renumber(shape: Shape | None, value: Any, change: Change) -> Any:
    """Return the value with each number replaced by `change` of it. If `change` returns None, the number becomes None.

    In a list of numbers, None is left out. Keys are visited in sorted order, because databases return them in different
    orders.
    """
    if shape is None or value is None:
        return value
    match shape:
        case CompetitorNumber() if value < 0:
            return value
        case RowNumber(model):
            return change(Mention(model, value))
        case NewestNumber(model):
            return change(Mention(model, value, newest=True)) or 0 if value else 0
        case EachOf(inner):
            changed = [renumber(inner, each, change) for each in value]
            return [each for each in changed if each is not None] if isinstance(inner, RowNumber) else changed
        case FirstOf(inner):
            return [renumber(inner, value[0], change), *value[1:]]
        case FieldsOf(fields):
            return {key: renumber(fields.get(key), value[key], change) for key in sorted(value)}
        case KeyedBy(model, inner):
            if model is None:
                return {key: renumber(inner, value[key], change) for key in sorted(value)}
            keys = {key: str(change(Mention(model, int(key)))) for key in sorted(value, key=int)}
            return {changed: renumber(inner, value[key], change) for key, changed in keys.items()}
        case RowsByLabel():
            return {
                label: renumber(EachOf(RowNumber(label.rpartition(".")[0])), each, change)
                for label, each in sorted(value.items())
            }


def list_numbers(shape: Shape | None, value: Any) -> list[Mention]:
    """Return the numbers in a value, in the order in which `renumber` meets them."""
    mentions: list[Mention] = []

    def note(mention: Mention) -> int:
        mentions.append(mention)
        return mention.number

    renumber(shape, value, note)
    return mentions


PLAYERS, ENTRANTS, PLAYS = (EachOf(RowNumber(model)) for model in (PLAYER, ENTRANT, PLAY))
SEATS = dict.fromkeys(ALL_SEAT_COLUMNS, RowNumber(ENTRANT))
PLAY_ROWS = KeyedBy(PLAY, FieldsOf({"table_id": RowNumber(TABLE), "etui_id": RowNumber(ETUI), **SEATS}))
RULING_ROWS = EachOf(
    FieldsOf(
        {"id": RowNumber(RULING), "pk": RowNumber(RULING), "play_id": RowNumber(PLAY), "author_id": RowNumber(USER)}
    )
)
# The arguments of all operations (`rules.operations`), and what `changes.carry_out` adds for undoing them.
OPERATION = FieldsOf(
    {
        **{name: RowNumber(ENTRANT) for name in ("entrant", "one", "other")},
        **dict.fromkeys(("entrants", "gone", "returned", "added"), ENTRANTS),
        **dict.fromkeys(("rulings", "rulings_undone"), RULING_ROWS),
        "player": RowNumber(PLAYER),
        "players": PLAYERS,
        "set_aside": PLAYS,
        "team": RowNumber("tournaments.Team"),
    }
)
PEOPLE = EachOf(FieldsOf({"player": RowNumber(PLAYER)}))
RANKED_PLAYERS = EachOf(
    FieldsOf(
        {
            "id": RowNumber(ENTRANT),
            "player": RowNumber(PLAYER),
            "stand_ins": PEOPLE,
            "members": PEOPLE,
        }
    )
)
TEAM_SUMS = EachOf(FieldsOf({"members": PEOPLE}))
SESSION_REPORT = FieldsOf(
    {
        "players": RANKED_PLAYERS,
        "together": RANKED_PLAYERS,
        "teams": TEAM_SUMS,
        "etuis": EachOf(
            FieldsOf(
                {
                    "plays": EachOf(
                        FieldsOf(
                            {
                                "id": RowNumber(PLAY),
                                "seats": KeyedBy(None, RowNumber(ENTRANT)),
                                "attacker": RowNumber(PLAYER),
                            }
                        ),
                    )
                }
            )
        ),
    }
)
TOURNAMENT_REPORT = FieldsOf(
    {
        "rounds": EachOf(FieldsOf({"sessions": EachOf(FieldsOf({"id": RowNumber(SESSION)}))})),
        "players": EachOf(FieldsOf({"player": RowNumber(PLAYER), "members": PEOPLE})),
        "teams": TEAM_SUMS,
    }
)
SERIES_REPORT = FieldsOf(
    {
        "events": EachOf(
            FieldsOf(
                {
                    "session": RowNumber(SESSION),
                    "sections": EachOf(RowNumber(SESSION)),
                    "tournament": RowNumber("tournaments.Tournament"),
                }
            )
        ),
        "players": EachOf(FieldsOf({"player": RowNumber(PLAYER)})),
    }
)
FIELD_REPORT = FieldsOf(
    {
        "clubs": EachOf(FieldsOf({"club": RowNumber("clubs.Club"), "session": RowNumber(SESSION)})),
        "players": EachOf(
            FieldsOf({"id": RowNumber(ENTRANT), "player": RowNumber(PLAYER), "session": RowNumber(SESSION)})
        ),
        "etuis": EachOf(FieldsOf({"parts": EachOf(FieldsOf({"own": RowNumber(SESSION)}))})),
    }
)
COMPETITOR = CompetitorNumber(PLAYER)
CHANGES = EachOf(FieldsOf({"player": COMPETITOR, "moves": EachOf(FirstOf(COMPETITOR))}))

NUMBERS: Mapping[str, Mapping[str, Shape]] = {
    "clubs.PlayerMerge": {"moved": RowsByLabel(), "had": RowsByLabel()},
    "tournaments.PlanVersion": {
        "operation": OPERATION,
        "before": PLAY_ROWS,
        "after": PLAY_ROWS,
        "newest_entry": NewestNumber(ENTRY),
        "newest_ruling": NewestNumber(RULING),
    },
    "tournaments.Publication": {"data": SESSION_REPORT, "changes": CHANGES},
    "tournaments.TournamentPublication": {
        "data": TOURNAMENT_REPORT,
        "changes": CHANGES,
        "sessions": KeyedBy(SESSION),
    },
    "tournaments.SeriesPublication": {"data": SERIES_REPORT, "changes": CHANGES},
    "tournaments.FieldPublication": {"data": FIELD_REPORT, "changes": CHANGES, "sessions": KeyedBy(SESSION)},
    "tournaments.TieDraw": {"order": EachOf(COMPETITOR)},
    # A last call has the ids of the plays that it set aside. The other lines have only names, and the numbers that
    # people read.
    "tournaments.LogEntry": {"params": FieldsOf({"plays": PLAYS})},
}

# Rows that the site computes from other rows. After a new computation their numbers are right.
COMPUTED: Mapping[str, str] = {
    "tournaments.SessionStandings": "standings.computing, from plays, results, rulings and penalties",
    "tournaments.EtuiStandings": "standings.computing, with the standings of their session",
    "tournaments.ChangedEtui": "what is still to compute",
    "tournaments.TournamentStandings": "events.counting, from the standings of the sessions",
    "tournaments.SeriesStandings": "series.computing, from publications",
    "tournaments.FieldStandings": "simultaneous.field.computing, from plays, results, rulings and penalties",
    "tournaments.CareerBasis": "careers.keeping, from publications",
    "tournaments.Appearance": "careers.keeping, from publications",
    "tournaments.RatedSession": "careers.keeping, from publications",
    "tournaments.LeaderboardBasis": "leaderboards.keeping, from rated sessions",
    "tournaments.PersonRating": "leaderboards.keeping, from rated sessions",
    "tournaments.Leaderboard": "leaderboards.keeping, from rated sessions",
    "tournaments.LeaderboardRow": "leaderboards.keeping, from rated sessions",
    "tournaments.CareerSeason": "careers.summaries, from appearances",
    "tournaments.CareerDuels": "careers.duels, from appearances",
}

# Columns with ids of rows inside texts. No code looks up a row by them, so they are not replaced.
NUMBERS_IN_WORDS: Mapping[str, Mapping[str, str]] = {
    "clubs.ClubLogEntry": {"params": "players, with marks of their names, and log lines: clubs.editing"},
    "clubs.WebhookCall": {"owner": "a session, tournament or series, by the kind: no archive has calls"},
    "tournaments.CareerBasis": {"basis": "a publication: careers.keeping"},
    "tournaments.SeriesPublication": {"events": "sessions, tournaments and lists, by a letter and the id"},
    "tournaments.QueuedMail": {"row": "what the letter is about, by its kind: no archive has mails that wait"},
}

# Columns that were checked and contain no id of a row: counts, versions, words, the places of players in a plan.
FROZEN = ("frozen",)  # the numbers belong to another site, and are kept
WITHOUT_NUMBERS: Mapping[str, tuple[str, ...]] = {
    "clubs.Club": ("names_version",),
    "clubs.ClubSettings": ("embedders", "told_version"),
    "clubs.LicenceChange": ("before", "after"),
    "clubs.LicenceList": ("columns",),
    "clubs.Player": ("erased_number",),  # the number that replaces an erased name
    "clubs.PlayerMerge": ("gained",),
    "clubs.User": ("access_version",),
    "clubs.WebhookCall": ("version",),
    "deals.Etui": ("attempt",),
    "mfa.Authenticator": ("data",),
    "rooms.ClassicTable": ("phrases",),
    "rooms.Game": ("result", "review"),
    "tournaments.BotSpread": ("plays",),
    "tournaments.CashCount": ("counted", "float_cents"),
    "tournaments.ClubFile": ("details", "outcome", "refusal"),
    "tournaments.CorrectionRequest": ("results_version",),
    "tournaments.Entrant": ("earlier",),
    "tournaments.EtuiRuling": ("played_before",),
    "tournaments.Fee": ("cents",),
    "tournaments.FieldPublication": ("results_version", *FROZEN),
    "tournaments.FieldRuling": ("played_before",),
    "tournaments.Payment": ("cents",),
    "tournaments.PlanVersion": ("data", "figures", "params"),
    "tournaments.PrizeHanded": ("cents",),
    "tournaments.PrizePlan": ("added",),
    "tournaments.Publication": ("compared_etuis", "results_version", *FROZEN),
    "tournaments.Ruling": ("notes", "marks"),
    "tournaments.Series": ("rules", "revision"),
    "tournaments.SeriesListRow": ("rank",),
    "tournaments.SeriesPublication": ("results_version", *FROZEN),
    "tournaments.Session": ("results_version", "revision", "clock_left", "told_version", "records_version"),
    "tournaments.Simultaneous": ("revision",),
    "tournaments.Table": ("revision",),
    "tournaments.Tournament": ("ties", "revision"),
    "tournaments.TournamentPublication": ("results_version", *FROZEN),
    "tournaments.WantedFile": ("version",),
    "usersessions.UserSession": ("data",),
}


class RowNumbers:
    """The number that each row of the site has in the archive, by model.

    The archive may mention a deleted row, such as a play that a change removed from the plan. Its number comes after
    the numbers of the rows that exist.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, dict[int, int]] = {}
        self.there: dict[str, list[int]] = {}

    def count(self, model: str, ids: Iterable[int]) -> None:
        """Give numbers to the rows of a model, in the order of their ids."""
        self.there[model] = sorted(ids)
        self.numbers[model] = {pk: number for number, pk in enumerate(self.there[model], start=1)}

    def name_alike(self, model: str, ids: dict[int, int]) -> None:
        """Give rows the numbers of other rows: merged players get the number of the player who remains."""
        self.numbers.setdefault(model, {}).update({pk: self.numbers[model][other] for pk, other in ids.items()})

    def find(self, mention: Mention) -> int:
        """Return the number of a row.

        If the newest row of some moment was deleted, return the number of the newest one left.
        """
        if mention.newest:
            return bisect_right(self.there[mention.model], mention.number)
        numbers = self.numbers[mention.model]
        if mention.number not in numbers:
            numbers[mention.number] = max(numbers.values(), default=0) + 1
        return numbers[mention.number]


AWAY = 32_000  # a number that no table, seat or position can have


class Arrivals:
    """The new ids of the rows of an archive, by model and by number in the archive."""

    def __init__(self) -> None:
        self.ids: dict[str, dict[int, int]] = {}

    def add(self, model: str, ids: Iterable[int]) -> None:
        """Store the ids of a model's rows, in the order of the archive."""
        self.ids[model] = dict(enumerate(ids, start=1))

    def find(self, mention: Mention) -> int:
        """Return the id of the row with this number. Raise `ArchiveError` if the archive has no such row."""
        try:
            return self.ids[mention.model][mention.number]
        except KeyError:
            raise ArchiveError("archive_row_missing", row=mention.number, model=mention.model) from None

    def reserve_gone(self, mentions: Collection[Mention], club: Club, now: dt.datetime) -> None:
        """Reserve ids for deleted rows that the archive mentions, such as plays that are no longer in the plan.

        If a change of the plan is undone later, such a row comes back under its id. So no other row may get that id. To
        reserve an id, a row is created and deleted.
        """
        gone = {
            model: sorted({each.number for each in mentions if each.model == model} - self.ids[model].keys())
            for model in (PLAYER, TABLE, ENTRANT, PLAY, RULING)
        }
        if not any(gone.values()):
            return
        maker = RowMaker(self, club, now)
        for model, numbers in gone.items():
            for number in numbers:
                self.ids[model][number] = maker.take_id(model)


class RowMaker:
    """The maker of temporary rows, which reserve ids, in the first session of the archive."""

    def __init__(self, arrivals: Arrivals, club: Club, now: dt.datetime) -> None:
        self.club, self.now = club, now
        self.session = (
            Session.objects.filter(pk__in=arrivals.ids["tournaments.Session"].values()).order_by("pk").first()
        )
        self.etui = Etui.objects.filter(pk__in=arrivals.ids["deals.Etui"].values()).order_by("pk").first()

    def take_id(self, model: str) -> int:
        """Create a row of the model, delete it, and return its id."""
        if self.session is None or self.etui is None:
            raise ArchiveError("archive_no_session")
        person = Person.objects.create()
        player = Player(club=self.club, person=person, last_name=f"\N{EN DASH}{person.pk}")
        player.save(force_insert=True)
        entrant = Entrant.objects.create(session=self.session, player=player, line="N", number=AWAY)
        table = Table.objects.create(session=self.session, number=AWAY)
        seats = make_seat_columns([entrant.pk] * len(LINES))
        play = Play.objects.create(
            session=self.session, position=AWAY, table=table, etui=self.etui, is_replay=True, **seats
        )
        ruling = Ruling.objects.create(play=play, kind=Ruling.RulingKind.LATER, ruled_at=self.now)
        made = {PLAYER: player, TABLE: table, ENTRANT: entrant, PLAY: play, RULING: ruling}
        taken: int = made[model].pk
        for row in (ruling, play, table, entrant, player, person):
            row.delete()
        return taken
