"""The declarations of personal data in series, simultaneous, teams, mails and the cash box. See `personal_data`.

Payments are kept for the years that a club has set, also those of an erased player, who is a number by then.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from archives.privacy.personal_data import ExpiryStep, Period, PersonalData, Rows, WithholdReason
from clubs.models import ClubSettings
from tournaments.models import CashCount, Payment, PrizeHanded

PERSONAL_DATA_OF_SERIES = (
    PersonalData(
        name="series_results",
        model="tournaments.SeriesListRow",
        title=_("results of yours that a club typed for a championship"),
        whose=("player",),
        club="list__event__series__club",
        shows="championship=list__event__series__title event=list__event__title day=list__event__day points rank",
    ),
    PersonalData(
        name="series_lists",
        model="tournaments.SeriesList",
        title=_("lists of results that you typed for championships"),
        by=("made_by",),
        club="event__series__club",
        shows="championship=event__series__title event=event__title source made_at",
        frees=("source",),
    ),
    PersonalData(
        name="series_clubs",
        model="tournaments.SeriesClub",
        title=_("clubs that you asked, brought into championships or took out of them"),
        by=("asked_by", "agreed_by", "left_by", "taken_out_by"),
        club="series__club",
        shows="championship=series__title other_club=club__name asked_at agreed_at left_at taken_out_at reason",
        frees=("reason",),
    ),
    PersonalData(
        name="series_publications",
        model="tournaments.SeriesPublication",
        title=_("rankings of championships that you published"),
        by=("published_by",),
        club="series__club",
        shows="championship=series__title version status published_at reason",
        hides={
            **dict.fromkeys(("changes", "data", "digest", "frozen"), WithholdReason.FIGURES),
            "events": WithholdReason.NUMBERS,
        },
        frees=("reason",),
    ),
)


PERSONAL_DATA_OF_SIMULTANEOUS = (
    PersonalData(
        name="simultaneous",
        model="tournaments.Simultaneous",
        title=_("simultaneous tournaments that you closed"),
        by=("closed_by",),
        club="club",
        shows="title slug opens_at closes_at public_at closed_at",
        hides={"token": WithholdReason.SECRET},
        codes=("title", "slug"),
    ),
    PersonalData(
        name="simultaneous_clubs",
        model="tournaments.SimultaneousClub",
        title=_("clubs that you invited, or brought into simultaneous tournaments or out of them"),
        by=("invited_by", "agreed_by", "left_by"),
        club="simultaneous__club",
        shows="simultaneous=simultaneous__title other_club=club__name invited_at agreed_at left_at reason",
        frees=("reason",),
    ),
    PersonalData(
        name="simultaneous_rulings",
        model="tournaments.FieldRuling",
        title=_("your rulings on étuis of simultaneous tournaments"),
        by=("author",),
        club="simultaneous__club",
        shows="simultaneous=simultaneous__title etui kind from_position played_before reason ruled_at",
        frees=("reason",),
        codes=("played_before",),
    ),
    PersonalData(
        name="simultaneous_publications",
        model="tournaments.FieldPublication",
        title=_("rankings of simultaneous tournaments that you published"),
        by=("published_by",),
        club="simultaneous__club",
        shows="simultaneous=simultaneous__title version status published_at reason",
        hides={
            **dict.fromkeys(("changes", "data", "digest", "frozen"), WithholdReason.FIGURES),
            "sessions": WithholdReason.NUMBERS,
        },
        frees=("reason",),
    ),
)


PERSONAL_DATA_OF_TEAMS = (
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
        name="line_ups",
        model="tournaments.LineUp",
        title=_("line-ups of your teams: who attacks, and who defends in which seat"),
        whose=("attacker__player", "in_north__player", "in_east__player", "in_west__player"),
        by=("author",),
        session="session",
        shows=(
            "number=id team=team_id position quarter attacker=attacker_id north=in_north_id east=in_east_id"
            " west=in_west_id made_at reason"
        ),
        frees=("reason",),
    ),
    PersonalData(
        name="match_decisions",
        model="tournaments.MatchDecision",
        title=_("decisions about matches that you made"),
        by=("author",),
        club="tournament__club",
        shows="number=id winner=winner__number loser=loser__number made_at reason",
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
)


PERSONAL_DATA_OF_MAILS = (
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
        name="feuilles_sent",
        model="tournaments.SentFeuille",
        title=_("feuilles de route sent to you by e-mail"),
        whose=("user",),
        session="publication__session",
        shows="sent_at version=publication__version",
        goes=("user",),
    ),
    PersonalData(
        name="series_letters_sent",
        model="tournaments.SentSeriesLetter",
        title=_("your places in championships, sent to you by e-mail"),
        whose=("user",),
        club="publication__series__club",
        shows="championship=publication__series__title sent_at version=publication__version",
        goes=("user",),
    ),
    PersonalData(
        name="field_letters_sent",
        model="tournaments.SentFieldLetter",
        title=_("your places in simultaneous, sent to you by e-mail"),
        whose=("user",),
        club="publication__simultaneous__club",
        shows="simultaneous=publication__simultaneous__title sent_at version=publication__version",
        goes=("user",),
    ),
    PersonalData(
        name="evening_mails_written",
        model="tournaments.EveningMail",
        title=_("e-mails that you wrote to people who had signed up for a session"),
        by=("author",),
        session="session",
        shows="kind text asked_at ended_at",
        hides={"key": WithholdReason.SECRET},
        frees=("text",),
        codes=("key",),
    ),
    PersonalData(
        name="evening_mails_received",
        model="tournaments.EveningMailRecipient",
        title=_("e-mails about sessions for which you had signed up"),
        whose=("user", "applicant__player", "applicant__user"),
        session="mail__session",
        shows="kind=mail__kind text=mail__text outcome done_at",
        hides={"token": WithholdReason.SECRET, "applicant": WithholdReason.NUMBERS},
        goes=("user",),
    ),
    PersonalData(
        name="mails_that_wait",
        model="tournaments.QueuedMail",
        title=_("e-mails to you that wait to be sent"),
        whose=("user",),
        club="club",
        shows="kind email name language asked_at given_up_at",
        hides={"row": WithholdReason.NUMBERS},
        goes=("user",),
    ),
    PersonalData(
        name="evening_mails_stopped",
        model="tournaments.EveningMailWish",
        title=_("your wish to receive no e-mails about evenings"),
        whose=("user",),
        shows="stopped_at",
        hides={"token": WithholdReason.SECRET},
        goes=("user",),
    ),
)


A_YEAR = dt.timedelta(days=365, hours=6)

PERSONAL_DATA_OF_CASH = (
    PersonalData(
        name="payments",
        model="tournaments.Payment",
        title=_("what you paid for evenings, and what you got back"),
        whose=("player", "applicant__player", "applicant__user"),
        unless={"applicant__user": ("player", "applicant__player")},
        session="session",
        shows="number=id fee=fee__name cents way turn reverses=reverses_id reason at",
        guards=("cents", "way", "reason"),
        hides={"author": WithholdReason.OTHERS},
        frees=("reason",),
    ),
    PersonalData(
        name="prizes",
        model="tournaments.PrizeHanded",
        title=_("prize money that was handed to you"),
        whose=("player",),
        session="session",
        shows="version=publication__version cents turn at",
        guards=("cents",),
        hides={"author": WithholdReason.OTHERS},
    ),
    PersonalData(
        name="",
        model="tournaments.CashCount",
        session="session",
        hides={"author": WithholdReason.OTHERS},
    ),
)


def find_old_money(rows: type[Any]) -> "Any":
    """Return a function that finds the rows of a model of money which are older than their club keeps them."""

    def due(now: dt.datetime) -> Rows:
        usual = ClubSettings._meta.get_field("cash_years").default
        own = ClubSettings.objects.exclude(cash_years=usual).values_list("cash_years", flat=True).distinct()
        house = "session__tournament__club__house"
        old = Q(at__lt=now - usual * A_YEAR) & (Q(**{f"{house}__cash_years": usual}) | Q(**{house: None}))
        for years in own.order_by("cash_years"):
            old |= Q(at__lt=now - years * A_YEAR, **{f"{house}__cash_years": years})
        due_rows: Rows = rows._base_manager.filter(old)
        return due_rows

    return due


def delete_money(rows: Sequence[Any]) -> None:
    if rows:
        type(rows[0])._base_manager.filter(pk__in=[row.pk for row in rows]).delete()


PERIOD_OF_CASH = Period(
    _("Payments and prize money of clubs that keep a cash box"),
    _("ten years, or as many as the club has set"),
    _("The club’s accounts need them. Only the people at the club’s desk see them; an erased player is a number."),
    tuple(ExpiryStep(find_old_money(rows), delete_money) for rows in (Payment, PrizeHanded, CashCount)),
)
