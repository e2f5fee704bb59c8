"""The lists of the columns that contain ids of rows without being foreign keys, and of columns that only seem to.

Code that copies rows to another site has to replace these ids too. A test fails for a JSON column, or a column of large
integers, that is in no list.
"""

from collections.abc import Mapping

from archives.archive.shapes import (
    ENTRANT,
    ENTRY,
    ETUI,
    PLAY,
    PLAYER,
    RULING,
    SESSION,
    TABLE,
    USER,
    CompetitorNumber,
    EachOf,
    FieldsOf,
    FirstOf,
    KeyedBy,
    NewestNumber,
    RowNumber,
    RowsByLabel,
    Shape,
)
from tournaments.models.seats import ALL_SEAT_COLUMNS

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
    "tournaments.TournamentStandings": "events.computing, from the standings of the sessions",
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
    "rooms.Game": ("result",),
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
