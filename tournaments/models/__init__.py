"""The rows of an evening: its plan (`evening`), its results (`results`), what readers see of them (`published`), what
players find wrong (`requests`), who puts himself down for it (`registration`), where it is told (`calendars`), the room
it is played in (`room`); what players have done over all their evenings (`careers`)."""

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
