"""The rows of an evening and of its publications.

`evening` has the plan, `results` the results, `published` what readers see of them, `requests` what players find wrong,
`registration` who signs up, `calendars` the personal calendars, `mailing` the mails, and `room` the room where it is
played. `careers` has what players have done over all their evenings.
"""

from deals.models import Etui
from tournaments.models.calendars import CalendarLink
from tournaments.models.careers import Appearance, CareerBasis, CareerSeason
from tournaments.models.evening import (
    MOST_POSITIONS,
    PEOPLE,
    Entrant,
    PlanVersion,
    Play,
    SectionGroup,
    Session,
    Table,
    Tournament,
)
from tournaments.models.mailing import FeuilleMail, SentFeuille
from tournaments.models.published import (
    Publication,
    PublishedPlayer,
    TieDraw,
    TournamentPublication,
    TournamentStandings,
    Version,
)
from tournaments.models.registration import Applicant, Registration
from tournaments.models.requests import CorrectionRequest, PersonalLink, RequestAnswer
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
from tournaments.models.room import ArbiterCall, ArbiterCode, LogEntry, PlayingDirector, TableDevice, TableToken

__all__ = [
    "MOST_POSITIONS",
    "PEOPLE",
    "Appearance",
    "Applicant",
    "ArbiterCall",
    "ArbiterCode",
    "CalendarLink",
    "CareerBasis",
    "CareerSeason",
    "ChangedEtui",
    "CorrectionRequest",
    "Entrant",
    "EntryCheck",
    "Etui",
    "EtuiRuling",
    "EtuiStandings",
    "FeuilleMail",
    "LogEntry",
    "Penalty",
    "PersonalLink",
    "PlanVersion",
    "Play",
    "PlayingDirector",
    "Publication",
    "PublishedPlayer",
    "Registration",
    "RequestAnswer",
    "ResultEntry",
    "Ruling",
    "SectionGroup",
    "SentFeuille",
    "Session",
    "SessionStandings",
    "Table",
    "TableDevice",
    "TableToken",
    "TieDraw",
    "Tournament",
    "TournamentPublication",
    "TournamentStandings",
    "UsualPenalty",
    "Version",
]
