"""The forms with which a director makes the étuis of a session, or chooses a set of the club."""

from typing import Any

from django import forms
from django.db.models import Case, Count, Exists, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, When
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from clubs.models import Club, validate_name
from deals.models import DealSet, Etui
from deals.sets import MAX_ETUIS
from pages.origins import describe_origin
from tournaments.models import Play, Session


class EtuisForm(forms.Form):
    """A form for the étuis to make for a session.

    `needed`: the number of étuis that the session plays. `fixed`: whether South takes all of them.
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

    def __init__(self, needed: int, fixed: bool, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if fixed:
            self.fields["how"].help_text = _("South takes every étui: its hand is dealt to be good enough for a Garde.")
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

    reason = forms.CharField(
        label=_("Why étuis whose cards are public are played anyway"),
        max_length=300,
        validators=[validate_name],
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

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
