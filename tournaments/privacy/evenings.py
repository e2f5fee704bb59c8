"""The declarations of personal data in sessions and deal sets, one for each kind of row. See `personal_data`."""

import secrets
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.models.seats import list_seat_paths
from tournaments.privacy.people import write_number_for_name
from tournaments.privacy.personal_data import Moment, PersonalData, WithholdReason

PLAYED = list_seat_paths("play__")
AT = "position=play__position table=play__table__number etui=play__etui__number"


def nobodys_token(_row: Any) -> str:
    """Return a random token that opens nothing, in place of a personal token."""
    return f"–{secrets.token_urlsafe(24)}"[:43]


def nobodys_code(_row: Any) -> str:
    """Return a random code that opens nothing, in place of a personal code."""
    return secrets.token_hex(6)


PERSONAL_DATA_OF_EVENINGS = (
    PersonalData(
        name="seats",
        model="tournaments.Entrant",
        title=_("sessions in which you played, or stood in for somebody"),
        whose=("player", "stand_in"),
        session="session",
        shows=(
            "number=id player=player_id line starting_number=number ranked first_position last_position earlier"
            " stand_in=stand_in_id stand_in_from"
        ),
        codes=("earlier",),
    ),
    PersonalData(
        name="teams",
        model="tournaments.TeamMember",
        title=_("teams of which you were a member"),
        whose=("player",),
        club="tournament__club",
        shows=(
            "number=id team=team_id team_number=team__number place from_session=from_session_id from_position"
            " until_session=until_session_id until_position ended_at replaces=replaces_id reason"
        ),
        frees=("reason",),
    ),
    PersonalData(
        name="captains",
        model="tournaments.Team",
        title=_("teams whose captain you were"),
        whose=("captain",),
        club="tournament__club",
        shows="number=id team_number=number name made_at left_at left_reason",
        frees=("name", "left_reason"),
    ),
    PersonalData(
        name="plays",
        model="tournaments.Play",
        title=_("étuis that you played, where and when"),
        whose=list_seat_paths(),
        session="session",
        shows="number=id position table=table__number etui=etui__number started_at is_replay",
    ),
    PersonalData(
        name="results",
        model="tournaments.ResultEntry",
        title=_("results of what you played, and results that you entered"),
        whose=PLAYED,
        by=("author",),
        session="play__session",
        shows=(
            f"play=play_id {AT} version current kind taker contract bouts attack_bouts half_points petit_au_bout"
            " poignees_attack poignees_defence chelem fiche_score seat contested entered_at reason"
        ),
        hides={"device": WithholdReason.DEVICE},
        frees=("reason",),
        codes=(
            "contract",
            "attack_bouts",
            "petit_au_bout",
            "poignees_attack",
            "poignees_defence",
            "chelem",
        ),
    ),
    PersonalData(
        name="records",
        model="tournaments.PlayRecord",
        title=_("records of the cards of what you played, and records that you entered"),
        whose=PLAYED,
        by=("author",),
        session="play__session",
        shows=f"play=play_id {AT} version current text seat contested recorded_at reason",
        hides={"device": WithholdReason.DEVICE},
        frees=("reason",),
        codes=("text",),
    ),
    PersonalData(
        name="checks",
        model="tournaments.EntryCheck",
        title=_("results that you confirmed or disputed from your account"),
        by=("author",),
        session="entry__play__session",
        shows="result=entry_id agrees seat checked_at",
        hides={"device": WithholdReason.DEVICE},
    ),
    PersonalData(
        name="rulings",
        model="tournaments.Ruling",
        title=_("rulings on what you played, and those that you gave"),
        whose=PLAYED,
        by=("author",),
        session="play__session",
        shows=f"play=play_id {AT} kind taker score notes compared article reason ruled_at",
        hides={"device": WithholdReason.DEVICE},
        frees=("article", "reason"),
        codes=("notes",),
    ),
    PersonalData(
        name="etui_rulings",
        model="tournaments.EtuiRuling",
        title=_("rulings that you gave on a whole étui"),
        by=("author",),
        session="session",
        shows="etui=etui__number kind from_position played_before article reason ruled_at",
        frees=("article", "reason"),
        codes=("played_before",),
    ),
    PersonalData(
        name="penalties",
        model="tournaments.Penalty",
        title=_("penalties, bonuses and warnings: those you received, and those you gave"),
        whose=("entrant",),
        by=("author",),
        session="session",
        shows="entrant=entrant_id kind points position reverses=reverses_id article reason given_at",
        frees=("article", "reason"),
    ),
    PersonalData(
        name="registrations",
        model="tournaments.Applicant",
        title=_("sessions for which you signed up"),
        whose=("player", "user"),
        session="session",
        shows=(
            "last_name first_name licence contact registered_at accepted_at moved_up_at present_at withdrawn_at"
            " declined"
        ),
        guards=("licence", "contact"),
        hides={"key": WithholdReason.TWICE, "token": WithholdReason.SECRET},
        empties={
            "last_name": write_number_for_name,
            "first_name": "",
            "licence": "",
            "contact": "",
            "key": write_number_for_name,
            "token": nobodys_token,
        },
    ),
    PersonalData(
        name="personal_links",
        model="tournaments.PersonalLink",
        title=_("your personal links"),
        whose=("entrant",),
        session="entrant__session",
        shows="made_at revoked_at",
        hides={"token": WithholdReason.SECRET, "code": WithholdReason.SECRET},
        empties={"token": nobodys_token, "code": nobodys_code, "revoked_at": Moment.OF_ERASURE},
    ),
    PersonalData(
        name="calendars",
        model="tournaments.CalendarLink",
        title=_("addresses of a calendar of your evenings, created from your account"),
        whose=("user",),
        shows="made_at revoked_at",
        hides={"token": WithholdReason.SECRET},
        goes=("user",),
    ),
    PersonalData(
        name="calendars_by_link",
        model="tournaments.CalendarLink",
        title=_("addresses of a calendar of your evenings, created from a personal link"),
        whose=("personal__entrant",),
        session="personal__entrant__session",
        shows="made_at revoked_at",
        hides={"token": WithholdReason.SECRET},
        goes=("personal__entrant",),
    ),
    PersonalData(
        name="feuilles_by_mail",
        model="tournaments.FeuilleMail",
        title=_("your wish to receive your feuilles de route by e-mail"),
        whose=("user",),
        shows="asked_at",
        hides={"token": WithholdReason.SECRET},
        goes=("user",),
    ),
    PersonalData(
        name="club_files",
        model="tournaments.ClubFile",
        title=_("files of a club that you asked for, or wanted to import, within the last day"),
        whose=("account",),
        club="club",
        shows="work name content_type asked_at begun_at made_at failed_at",
        hides={
            "token": WithholdReason.SECRET,
            **dict.fromkeys(("details", "outcome", "refusal", "content"), WithholdReason.OTHERS),
        },
        goes=("account",),
    ),
    PersonalData(
        name="feuilles_sent",
        model="tournaments.SentFeuille",
        title=_("feuilles de route sent to you by e-mail"),
        whose=("user",),
        session="publication__session",
        shows="sent_at version=publication__version",
        goes=("user",),
    ),
    PersonalData(
        name="requests",
        model="tournaments.CorrectionRequest",
        title=_("corrections that you asked for, with their answers; those that you decided"),
        whose=("entrant",),
        by=("decided_by",),
        session="play__session",
        shows=f"number=id play=play_id {AT} text asked_at accepted answer decided_at withdrawn_at result=entry_id",
        hides={"results_version": WithholdReason.NUMBERS},
        frees=("text", "answer"),
    ),
    PersonalData(
        name="answers",
        model="tournaments.RequestAnswer",
        title=_("your opinions on corrections that others asked for"),
        whose=("entrant",),
        session="entrant__session",
        shows="request=request_id agrees answered_at",
        hides={"device": WithholdReason.DEVICE},
    ),
    PersonalData(
        name="directed_while_playing",
        model="tournaments.PlayingDirector",
        title=_("sessions that you directed and played"),
        whose=("entrant",),
        by=("user",),
        session="session",
        shows="lifted_at",
    ),
    PersonalData(
        name="published_in",
        model="tournaments.PublishedPlayer",
        title=_("publications that name you"),
        whose=("player",),
        session="publication__session",
        shows="version=publication__version status=publication__status published_at=publication__published_at",
    ),
    PersonalData(
        name="career",
        model="tournaments.Appearance",
        title=_("your figures in each session, as your own page adds them up"),
        whose=("player",),
        session="session",
        shows="version entrant is_stand_in rank rank_general ranked overall deals figures",
        hides={"plays": WithholdReason.TWICE},
        codes=("overall", "figures", "plays"),
    ),
    PersonalData(
        name="career_seasons",
        model="tournaments.CareerSeason",
        title=_("your figures season by season, as your own page shows them"),
        whose=("player",),
        shows="season data",
        codes=("data",),
    ),
    PersonalData(
        name="career_duels",
        model="tournaments.CareerDuels",
        title=_("your notes beside those of others on the same étuis, season by season"),
        whose=("player",),
        shows="season",
        hides={"data": WithholdReason.TWICE},
        codes=("data",),
    ),
    PersonalData(
        name="publications",
        model="tournaments.Publication",
        title=_("rankings of sessions that you published"),
        by=("published_by",),
        session="session",
        shows="version status published_at reason",
        hides=dict.fromkeys(("changes", "data", "digest", "frozen"), WithholdReason.FIGURES),
        frees=("reason",),
    ),
    PersonalData(
        name="tournament_publications",
        model="tournaments.TournamentPublication",
        title=_("rankings of tournaments that you published"),
        by=("published_by",),
        club="tournament__club",
        shows="tournament=tournament__name version status published_at reason",
        hides={
            "changes": WithholdReason.FIGURES,
            "data": WithholdReason.FIGURES,
            "digest": WithholdReason.FIGURES,
            "frozen": WithholdReason.FIGURES,
            "sessions": WithholdReason.NUMBERS,
        },
        frees=("reason",),
    ),
    PersonalData(
        name="lots",
        model="tournaments.TieDraw",
        title=_("lots that you drew to separate ties"),
        by=("author",),
        club="tournament__club",
        shows="tournament=tournament__name drawn_at",
        hides={"order": WithholdReason.NUMBERS},
    ),
    PersonalData(
        name="plans",
        model="tournaments.PlanVersion",
        title=_("plans that you made, and plans that you undid"),
        by=("author", "undone_by"),
        session="session",
        shows="number code made_at undone_at",
        hides={
            "data": WithholdReason.NUMBERS,
            "figures": WithholdReason.NUMBERS,
            "params": WithholdReason.OTHERS,
            "operation": WithholdReason.OTHERS,
            "before": WithholdReason.NUMBERS,
            "after": WithholdReason.NUMBERS,
        },
        frees=("params", "operation"),
        codes=("code",),
    ),
    PersonalData(
        name="arbiter_codes",
        model="tournaments.ArbiterCode",
        title=_("codes with which you ruled on a table’s device"),
        by=("author",),
        session="table__session",
        shows="table=table__number made_at came_at ended_at",
        hides={"code": WithholdReason.SECRET, "grant": WithholdReason.SECRET},
    ),
    PersonalData(
        name="calls",
        model="tournaments.ArbiterCall",
        title=_("calls for the arbiter that you answered"),
        by=("answered_by",),
        session="session",
        shows="table=table__number called_at answered_at reason",
    ),
    PersonalData(
        name="log",
        model="tournaments.LogEntry",
        title=_("what you did in sessions, from their logs"),
        by=("author",),
        session="session",
        shows="at action params",
        hides={"device": WithholdReason.DEVICE, "words": WithholdReason.TWICE},
        frees=("params", "words"),
        codes=("action",),
    ),
    PersonalData(
        name="deal_sets",
        model="deals.DealSet",
        title=_("deal sets that you made"),
        by=("created_by",),
        club="club",
        shows="name profile created_at",
        hides={
            "seed": WithholdReason.SECRET,
            "seed_digest": WithholdReason.SECRET,
            "commitment": WithholdReason.SECRET,
            "value_name": WithholdReason.SECRET,
            "value": WithholdReason.SECRET,
        },
        codes=("name", "profile"),
    ),
    PersonalData(
        name="looks",
        model="deals.DealLook",
        title=_("cards that you looked at"),
        by=("user",),
        club="deal_set__club",
        shows="deal_set=deal_set__name first_etui last_etui kind document looked_at",
        codes=("document",),
    ),
)
