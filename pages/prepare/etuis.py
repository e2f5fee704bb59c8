"""The page on which a director makes or chooses the étuis of a session. The pages of the deal set show their cards."""

import datetime as dt
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.db.models import Case, Count, Exists, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from deals.domain.cards import Seat
from deals.domain.etui import leader
from deals.models import DealSet, Etui
from deals.sets import MAX_ETUIS
from evenings.plans.by_format import find_players_of_set
from evenings.plans.starting import check_etuis
from evenings.sessions.checklist import preparation_of
from evenings.sessions.setup import Insists, prepare_deals, use_deal_set
from pages.acting import signed
from pages.doors import FORM, author, session_page, session_url
from pages.form_fields import ShortTextField
from pages.origins import describe_origin
from scoring.formats import Format, find_format
from tournaments.errors import ActionRefused
from tournaments.models import Play, Session
from tournaments.permissions import Can
from tournaments.rules.formats import OF_SIMULTANEOUS
from tournaments.words.formats import speak_as_format
from tournaments.words.messages import say


class EtuisForm(forms.Form):
    """A form for the étuis to make for a session.

    `needed`: the number of étuis that the session plays.
    """

    GENERATED, TABLE = "generated", "table"
    how = forms.ChoiceField(
        label=_("Cards"),
        choices=[
            (GENERATED, _("dealt by the site, from a secret draw")),
            (TABLE, _("dealt at the tables in position 1")),
        ],
        initial=GENERATED,
        widget=forms.RadioSelect,
    )
    count = forms.IntegerField(label=_("Number of étuis"), min_value=1, max_value=MAX_ETUIS)

    def __init__(self, needed: int, format: Format, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        speak_as_format(format, self.fields)
        if needed:
            self.fields["count"].initial = needed
            self.fields["count"].help_text = _("You can prepare more; the session uses the first ones.")


class DealSetField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, deal_set: DealSet) -> str:
        row: Any = deal_set  # a query has added the columns that are read below
        kind = describe_origin(deal_set, imported=bool(row.imported))
        told = ngettext("%(name)s: %(count)s étui, %(kind)s", "%(name)s: %(count)s étuis, %(kind)s", row.count)
        text = told % {"name": deal_set.name, "count": row.count, "kind": kind}
        if row.over:
            warning = _("Its cards are public: %(set)s") if row.over == OVER_PUBLIC else _("Already played: %(set)s")
            return warning % {"set": text}
        if row.played_to:
            return _("%(set)s, played up to étui %(number)s") % {"set": text, "number": row.played_to}
        return text


class ChooseSetForm(forms.Form):
    deal_set = DealSetField(label=_("The club’s étuis"), queryset=None, empty_label=None)
    first_etui = forms.IntegerField(
        label=_("Starting with étui"),
        min_value=1,
        max_value=MAX_ETUIS,
        initial=1,
        help_text=_("A large set can serve several sessions, each starting with another étui."),
    )

    reason = ShortTextField(_("Why étuis whose cards are public are played anyway"), 300, required=False)

    def __init__(self, club: Club, players: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["deal_set"].queryset = find_offered_sets(club, players)  # type: ignore[attr-defined]


OVER, OVER_PUBLIC = 1, 2


def find_offered_sets(club: Club, players: int = 4) -> QuerySet[DealSet]:
    """Return the club's sets for this number of players that may be played.

    New ones come first, then fully played ones, last those with public cards.

    `over` is OVER or OVER_PUBLIC for the last two kinds, else 0. Sets with a revealed seed, and copies that the club
    will not play, are left out.
    """
    plays = Play.objects.filter(session__deal_set=OuterRef("pk"), session__publications__isnull=False)
    return (
        club.deal_sets.filter(players=players, free=False, revealed_at=None, given_up_at=None)
        .annotate(
            count=Count("etuis"),
            last=Max("etuis__number"),
            imported=Count("etuis", Q(etuis__origin=Etui.Origin.IMPORTED)),
            known=Exists(Session.objects.filter(deal_set=OuterRef("pk"), cards_shown_at__isnull=False)),
            played_to=Subquery(plays.order_by("-etui__number").values("etui__number")[:1]),
        )
        .annotate(
            over=Case(
                When(played_to__gte=F("last"), known=True, then=OVER_PUBLIC),
                When(played_to__gte=F("last"), then=OVER),
                default=0,
                output_field=IntegerField(),
            )
        )
        .order_by("over", "-created_at", "-pk")
    )


@session_page(Can.DIRECT, FORM)
def etuis(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the étuis of the session. A POST makes new ones or, with the action `choose`, takes an existing set."""
    club, preparation = session.tournament.club, preparation_of(session)
    format = find_format(session.tournament.format)
    players = find_players_of_set(format)
    copy = find_copy_to_play(session, timezone.now())
    making, choosing = (
        EtuisForm(preparation.needed, format),
        ChooseSetForm(club, players, initial={"deal_set": session.deal_set_id or (copy.pk if copy else None)}),
    )
    insisting = False
    if request.method == "POST":
        if session.status != Session.Status.DRAFT:
            raise ActionRefused("session_started")
        try:
            if request.POST.get("action") == "choose":
                choosing = ChooseSetForm(club, players, request.POST)
                if choosing.is_valid():
                    data = dict(choosing.cleaned_data)
                    insists = Insists(data.pop("reason", ""), author(request), timezone.now())
                    use_deal_set(session_id=session.pk, needed=preparation.needed, insists=insists, **data)
                    return preview_change(request, session)
            else:
                making = EtuisForm(preparation.needed, format, request.POST)
                # A double click on the button must not make the étuis twice.
                if request.POST.get("replaces") != str(session.deal_set_id or ""):
                    return redirect(session_url("etuis", session))
                if making.is_valid():
                    make(request, session, making.cleaned_data)
                    return preview_change(request, session)
        except ActionRefused as refusal:
            messages.error(request, say(refusal))
            insisting = refusal.code == "etuis_public"
            choosing.fields["reason"].widget.attrs["autofocus"] = insisting  # the field is far below the message
    context = {
        "session": session,
        "preparation": preparation,
        "making": making,
        "insisting": insisting,
        "copy": copy,
        "choosing": choosing if choosing.fields["deal_set"].queryset else None,  # type: ignore[attr-defined]
        "needed_text": preparation.needed_text if preparation.needed else "",
        "rows": (rows := rows_of(session, preparation.needed)),
        "has_takers": any(format.find_taker(row.taker) for row in rows),
        "draft": session.status == Session.Status.DRAFT,
        "others": list(others_using(session)),
    }
    return render(request, "prepare/etuis.html", context)


def make(request: HttpRequest, session: Session, data: dict[str, Any]) -> None:
    prepare_deals(
        session_id=session.pk, with_cards=data["how"] == EtuisForm.GENERATED, count=data["count"], **signed(request)
    )


def preview_change(request: HttpRequest, session: Session) -> HttpResponse:
    """Redirect to the page of the étuis, with a message about what they still lack for the start."""
    session.refresh_from_db()
    try:
        check_etuis(session, needed=preparation_of(session).needed)
    except ActionRefused as refusal:
        messages.warning(request, say(refusal))
    else:
        messages.success(request, gettext("The étuis are ready."))  # the page itself warns of étuis with another taker
    return redirect(session_url("etuis", session))


def others_using(session: Session) -> Any:
    """Return the other sessions with the same étuis. Somebody who plays in both would know the cards."""
    if session.deal_set is None:
        return Session.objects.none()
    return session.deal_set.sessions.exclude(pk=session.pk).select_related("tournament__club")


class EtuiLabel(NamedTuple):
    """The label of an étui: its number, taker, dealer and leader."""

    number: int
    taker: str
    dealer: str
    leads: str
    origin: str
    played: bool = True


def rows_of(session: Session, needed: int) -> list[EtuiLabel]:
    """Return the étuis of the session's set. `played` is False for étuis that the movement does not use."""
    if session.deal_set is None:
        return []
    played = range(session.first_etui, session.first_etui + needed) if needed else range(MAX_ETUIS + 1)
    players = session.deal_set.players
    rows = [row_of(etui, players)._replace(played=etui.number in played) for etui in session.deal_set.etuis.all()]
    if session.deal_set.master_id is None:
        return rows
    return [row._replace(origin=gettext("of the simultaneous")) for row in rows]


def row_of(etui: Etui, players: int) -> EtuiLabel:
    leads = leader(Seat(etui.dealer), players).value
    return EtuiLabel(etui.number, etui.taker, etui.dealer, leads, etui.get_origin_display())


def find_copy_to_play(session: Session, now: dt.datetime) -> DealSet | None:
    """Return the club's copy of a simultaneous that is played on the day of the session. None if a session has it."""
    format = find_format(session.tournament.format)
    if session.deal_set_id is not None or format.name not in OF_SIMULTANEOUS:
        return None
    return DealSet.objects.filter(
        club=session.tournament.club_id,
        players=find_players_of_set(format),
        simultaneous_club__session=None,
        simultaneous_club__left_at=None,
        simultaneous_club__simultaneous__put_away_at=None,
        simultaneous_club__simultaneous__closed_at=None,
        opens_at__date__lte=session.date,
        held_until__date__gte=session.date,
        held_until__gt=now,
    ).first()
