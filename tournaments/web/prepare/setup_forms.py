"""The forms of an evening's preparation: only the shape of what is typed; `sessions` decides what may be."""

import datetime as dt
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Case, Count, Exists, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, When
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from clubs.models import Club, Season, validate_name
from clubs.players import sort_by_name, write_with_licence
from deals.models import LINE_CHOICES, DealSet, Etui
from deals.sets import MAX_ETUIS
from tournaments.models import MOST_POSITIONS, Play, Session, Tournament
from tournaments.sessions.setup import YEARS
from tournaments.web.origins import describe_origin
from tournaments.web.prepare.roster_forms import RosterForm

MAX_ETUIS_A_POSITION, MAX_TABLE, MAX_MINUTES = 12, 199, 60


class TournamentForm(forms.Form):
    name = forms.CharField(
        label=_("Name of the tournament"),
        max_length=120,
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    auction = forms.ChoiceField(
        label=_("Contract"),
        choices=Tournament.Auction.choices,
        initial=Tournament.Auction.IMPOSED,
        widget=forms.RadioSelect,
        help_text=_("An FFT individual duplicate imposes the Garde; the free auction compares seat by seat."),
    )
    federation = forms.BooleanField(
        label=_("Event of the federation"),
        required=False,
        help_text=_("Tables then see no result before the ranking is published."),
    )
    season: "forms.ModelChoiceField[Season]" = forms.ModelChoiceField(
        label=_("Season"), queryset=None, required=False, empty_label=_("none")
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seasons = club.seasons.all()
        self.fields["season"].queryset = seasons  # type: ignore[attr-defined]
        if not seasons:
            del self.fields["season"]

    def part(self, *names: str) -> list[forms.BoundField]:
        return [self[name] for name in names if name in self.fields]


class SessionForm(forms.Form):
    """Date, hours, shape, and what concerns the tables' own devices."""

    date = forms.DateField(
        label=_("Date"),
        validators=[
            MinValueValidator(dt.date(YEARS[0], 1, 1)),
            MaxValueValidator(dt.date(YEARS[-1], 12, 31)),
        ],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    starts_at = forms.TimeField(
        label=_("Beginning"), initial=dt.time(20, 30), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    positions = forms.IntegerField(
        label=_("Positions"),
        min_value=1,
        max_value=MOST_POSITIONS,
        initial=5,
        help_text=_("How many times players change tables, the first position counted."),
    )
    etuis_per_position = forms.IntegerField(
        label=_("Étuis a position"),
        min_value=1,
        max_value=MAX_ETUIS_A_POSITION,
        initial=4,
        help_text=_("Four, or a multiple of four, let each line attack equally often."),
    )
    minutes_per_etui = forms.IntegerField(
        label=_("Minutes an étui"),
        min_value=1,
        max_value=MAX_MINUTES,
        initial=9,
        help_text=_("With its reconstruction: the hands are put back into the étui."),
    )
    barometer = forms.BooleanField(
        label=_("Barometer: every table plays the same étuis"),
        required=False,
        help_text=_("In each position; it takes copies of the étuis, or one copy that goes round."),
    )
    devices = forms.ChoiceField(
        label=_("Who enters the results"), choices=Session.Devices.choices, initial=Session.Devices.TABLES
    )
    check_by = forms.ChoiceField(
        label=_("Check by the other side"), choices=Session.Check.choices, initial=Session.Check.SAME
    )
    shows_after = forms.ChoiceField(
        label=_("What a table sees after its entry"),
        choices=Session.Shown.choices,
        initial=Session.Shown.NOTHING,
    )
    hidden_positions = forms.IntegerField(
        label=_("Last positions without the running ranking"),
        min_value=0,
        max_value=MOST_POSITIONS,
        initial=1,
        help_text=_("So that the end keeps its suspense."),
    )

    coefficient = forms.DecimalField(
        label=_("Coefficient"),
        required=False,
        min_value=Decimal("0.01"),
        max_value=100,
        decimal_places=2,
        localize=True,
        initial=1,
        help_text=_("By what the percentages of this session are multiplied in the ranking of the tournament."),
        error_messages={
            "min_value": _("A coefficient is above 0: write 1 where the session counts as the others do."),
            "max_value": _("A coefficient is at most 100."),
        },
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    stage = forms.ChoiceField(
        label=_("Stage of the tournament"),
        choices=Session.Stage.choices,
        required=False,
        help_text=_("Those who play a final are ranked before all others."),
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if tournament.auction == Tournament.Auction.FREE:
            self.fields["etuis_per_position"].help_text = ""  # no étui says who attacks
        if tournament.federation:
            shown = self.fields["shows_after"]
            shown.disabled, shown.initial = True, Session.Shown.NOTHING
            shown.help_text = _("Nothing in an event of the federation.")

    def clean_coefficient(self) -> Decimal:
        given: Decimal | None = self.cleaned_data["coefficient"]
        return Decimal(1) if given is None else given

    @property
    def weight(self) -> list[forms.BoundField]:
        """What the session is in a tournament of several."""
        return [self["coefficient"], self["stage"]]

    @property
    def weight_wrong(self) -> bool:
        return any(field.errors for field in self.weight)

    @property
    def rare(self) -> list[forms.BoundField]:
        """The fields that most evenings leave as they are."""
        return [self[name] for name in ("devices", "check_by", "shows_after", "hidden_positions")]

    @property
    def rare_wrong(self) -> bool:
        return any(field.errors for field in self.rare)

    @classmethod
    def of(cls, session: Session) -> dict[str, object]:
        """What the form shows of a session that is there already."""
        return {name: getattr(session, name) for name in cls.base_fields}

    def as_session(self) -> Session:
        """A session with what can be read of the form, for the hours it leads to; never saved."""
        given = {name: self.initial.get(name, field.initial) for name, field in self.fields.items()}
        told = given | (self.cleaned_data if self.is_valid() or self.is_bound else {})
        return Session(**{name: told[name] for name in told.keys() & SessionForm.base_fields.keys()})


class NewSessionForm(SessionForm):
    """A session, or one for each week until a date."""

    weekly_until = forms.DateField(
        label=_("Every week until"),
        required=False,
        help_text=_(
            "Empty: this evening alone. A date that has a session of this tournament already gets no other one."
        ),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )


class UnderWayForm(SessionForm):
    """What of a session may change while it is played."""

    NAMES = ("check_by", "shows_after", "hidden_positions", "minutes_per_etui", "coefficient", "stage")

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(tournament, *args, **kwargs)
        self.order_fields(self.NAMES)
        for name in set(self.fields) - set(self.NAMES):
            del self.fields[name]


class JoinForm(RosterForm):
    """Who joins the evening: ticked on the club's list, pasted by name, or both."""

    players = forms.MultipleChoiceField(label=_("From the club’s list"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, club: Club, seated: set[int], *args: Any, **kwargs: Any) -> None:
        super().__init__(club, *args, **kwargs)
        self.seated = seated
        free = [player for player in sort_by_name(club.players.listed()) if player.pk not in seated]
        self.listed = [player.pk for player in free]
        self.known = [
            ", ".join(part for part in (player.last_name, player.first_name, player.licence) if part) for player in free
        ]
        self.fields["players"].choices = [(player.pk, write_with_licence(player)) for player in free]  # type: ignore[attr-defined]
        self.fields["players"].required = self.fields["text"].required = False

    def clean_players(self) -> list[int]:
        return [int(player) for player in self.cleaned_data["players"]]

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not told["players"] and not self.questions:
            self.add_error("text", _("Nobody is chosen: tick players of the club’s list, or write names here."))
        return told

    @property
    def joining(self) -> int:
        """How many the ticks and the lines add up to, as far as can be told before they are kept: a doubt is one."""
        ticked = set(self.cleaned_data.get("players", []))
        means = {question.means for question in self.questions if question.means is not None}
        doubts = sum(question.means is None and question.counts for question in self.questions)
        return len((means | ticked) - self.seated) + doubts


class MoveForm(forms.Form):
    player = forms.TypedChoiceField(label=_("Player"), coerce=int)
    number = forms.IntegerField(label=_("Table"), min_value=1, max_value=MAX_TABLE)
    line = forms.ChoiceField(label=_("Line"), choices=LINE_CHOICES)

    def __init__(self, seats: list[tuple[int, str]], *args: Any, **kwargs: Any) -> None:
        """`seats`: id and name of each seated player."""
        super().__init__(*args, **kwargs)
        self.fields["player"].choices = [("", _("choose…")), *seats]  # type: ignore[attr-defined]


class EtuisForm(forms.Form):
    GENERATED, TABLE = "generated", "table"
    how = forms.ChoiceField(
        label=_("Cards"),
        choices=[
            (GENERATED, _("dealt by the site, from a secret seed")),
            (TABLE, _("dealt at the tables in position 1")),
        ],
        initial=GENERATED,
        widget=forms.RadioSelect,
    )
    count = forms.IntegerField(label=_("Number of étuis"), min_value=1, max_value=MAX_ETUIS)

    def __init__(self, needed: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if needed:
            self.fields["count"].initial = needed
            self.fields["count"].help_text = _("More may be prepared; the session uses the first ones.")


class DealSetField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, deal_set: DealSet) -> str:
        row: Any = deal_set  # annotated below
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
    deal_set = DealSetField(label=_("Étuis of the club"), queryset=None, empty_label=None)
    first_etui = forms.IntegerField(
        label=_("From étui"),
        min_value=1,
        max_value=MAX_ETUIS,
        initial=1,
        help_text=_("A large set can serve several sessions, each from another étui on."),
    )

    reason = forms.CharField(
        label=_("Why étuis whose cards are public are played all the same"),
        max_length=300,
        validators=[validate_name],
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["deal_set"].queryset = find_offered_sets(club)  # type: ignore[attr-defined]


OVER, OVER_PUBLIC = 1, 2


def find_offered_sets(club: Club) -> QuerySet[DealSet]:
    """The club's sets that may be played: fresh ones first, then those played to the end, last those whose cards are
    public (`over`). A seed that is revealed or a copy that is given up is offered no more."""
    plays = Play.objects.filter(session__deal_set=OuterRef("pk"), session__publications__isnull=False)
    return (
        club.deal_sets.filter(players=4, revealed_at=None, given_up_at=None)
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
