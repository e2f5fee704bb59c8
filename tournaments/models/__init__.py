"""The database models of an evening and of its publications.

- `evening`: tournaments, sessions, tables.
- `plays`: entrants, the plays of a plan, and the versions of the plan.
- `results`: the entered results, the arbiter's rulings, penalties, and the standings computed from them.
- `records`: the cards that were played, and what bots make of an étui.
- `published`: the published versions of standings.
- `requests`: players' requests for corrections.
- `registration`: the people who sign up for a session.
- `calendars`: the secret addresses of personal calendars.
- `teams`: the teams of a tournament, their members and line-ups.
- `files`: the files that jobs make.
- `mailing`: the feuilles de route and the letters about evenings sent by mail.
- `hall`: the devices at the tables, calls for the arbiter, and the log.
- `careers`: each player's figures over all published sessions.
- `series`: championships over several tournaments.
- `cash`: fees, payments and prizes.
"""

from deals.models import Etui
from tournaments.models.careers import Appearance, CareerBasis, CareerDuels, CareerSeason
from tournaments.models.cash import CashCount, Fee, Payment, PrizeHanded, PrizePlan
from tournaments.models.evening import MOST_POSITIONS, SectionGroup, Session, Table, Tournament
from tournaments.models.files import ClubFile, WantedFile
from tournaments.models.hall import ArbiterCall, ArbiterCode, LogEntry, PlayingDirector, TableDevice, TableToken
from tournaments.models.mailing import (
    EveningMail,
    EveningMailRecipient,
    EveningMailWish,
    FeuilleMail,
    QueuedMail,
    SentFeuille,
    SentFieldLetter,
    SentSeriesLetter,
)
from tournaments.models.plays import Entrant, PlanVersion, Play
from tournaments.models.published import (
    Publication,
    PublishedPlayer,
    TieDraw,
    TournamentPublication,
    TournamentStandings,
    Version,
)
from tournaments.models.ratings import (
    BoardMeasure,
    GameKind,
    Leaderboard,
    LeaderboardBasis,
    LeaderboardRow,
    PersonRating,
    RatedSession,
)
from tournaments.models.records import BotSpread, PlayRecord
from tournaments.models.registration import Applicant, Cut, Registration
from tournaments.models.requests import CalendarLink, CorrectionRequest, PersonalLink, RequestAnswer
from tournaments.models.results import (
    ChangedEtui,
    EntryCheck,
    EtuiRuling,
    EtuiStandings,
    Penalty,
    ResultEntry,
    Ruling,
    SessionStandings,
    UsualPenalty,
)
from tournaments.models.series import (
    Series,
    SeriesClub,
    SeriesEvent,
    SeriesList,
    SeriesListRow,
    SeriesPublication,
    SeriesStandings,
)
from tournaments.models.simultaneous import (
    FieldPublication,
    FieldRuling,
    FieldStandings,
    SealedEtuis,
    Simultaneous,
    SimultaneousClub,
)
from tournaments.models.teams import LineUp, MatchDecision, Team, TeamMember
