"""The rows of an evening: its plan (`evening`), its results (`results`), who puts himself down for it
(`registration`), the room it is played in (`room`)."""

from deals.models import Etui
from tournaments.models.evening import MOST_POSITIONS, PEOPLE, Entrant, PlanVersion, Play, Session, Table, Tournament
from tournaments.models.registration import Applicant, Registration
from tournaments.models.results import (
    ChangedEtui,
    EntryCheck,
    EtuiRuling,
    EtuiStandings,
    Penalty,
    Publication,
    PublishedPlayer,
    ResultEntry,
    Ruling,
    SessionStandings,
)
from tournaments.models.room import ArbiterCall, ArbiterCode, LogEntry, PlayingDirector, TableDevice, TableToken

__all__ = [
    "MOST_POSITIONS",
    "PEOPLE",
    "Applicant",
    "ArbiterCall",
    "ArbiterCode",
    "ChangedEtui",
    "Entrant",
    "EntryCheck",
    "Etui",
    "EtuiRuling",
    "EtuiStandings",
    "LogEntry",
    "Penalty",
    "PlanVersion",
    "Play",
    "PlayingDirector",
    "Publication",
    "PublishedPlayer",
    "Registration",
    "ResultEntry",
    "Ruling",
    "Session",
    "SessionStandings",
    "Table",
    "TableDevice",
    "TableToken",
    "Tournament",
]
