"""The forms with which an evening is prepared. They only check formats; `sessions` decides what is allowed."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubs.licences import is_held
from clubs.matching import LineState
from clubs.models import Club, Season
from clubs.players import sort_by_name, write_with_licence
from clubs.session_settings import SETTINGS, settings_with
from deals.models import LINE_CHOICES
from pages.form_fields import DayField, FigureField, ShortTextField
from pages.roster_forms import RosterForm
from scoring.formats import INDIVIDUAL, Format, find_format
from tournaments.models import Session, Tournament
from tournaments.rules.formats import BOUNDS, NEVER, bound_setting, list_settings
from tournaments.words.format_cards import list_format_choices
from tournaments.words.formats import say_word, speak_as_format

MAX_TABLE = 199


class TournamentForm(forms.Form):
    name = ShortTextField(_("Tournament name"), 120)
    auction = forms.ChoiceField(
        label=_("How it is played"),
        choices=list_format_choices,
        initial=Tournament.Auction.IMPOSED,
        widget=forms.RadioSelect,
    )
    meeting = forms.ChoiceField(
        label=_("Who meets whom"),
        choices=Tournament.MeetingKind.choices,
        initial=Tournament.MeetingKind.LEAGUE,
        required=False,
        widget=forms.RadioSelect,
    )
    federation = forms.BooleanField(
        label=_("Official FFT event"),
        required=False,
        help_text=_("Tables then see no results before the ranking is published."),
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

    @property
    def rare_format(self) -> bool:
        """True if the form of play that is chosen is among the rare ones, which the page folds away."""
        word = self["auction"].value()
        return any(card.rare for each, card in list_format_choices() if each == word) or "meeting" in self.errors

    @property
    def rest_wrong(self) -> bool:
        """True if a value is wrong in the part about the season and the federation, which the page folds away."""
        return any(name in self.errors for name in ("season", "federation"))

    def clean_meeting(self) -> str:
        return str(self.cleaned_data["meeting"] or self.initial.get("meeting") or Tournament.MeetingKind.LEAGUE)


class Tick(forms.CheckboxInput):
    """A checkbox that sends an empty value if it is not ticked.

    So the server can tell a page with an empty checkbox from a page without the checkbox, which changes nothing.
    """

    def render(self, name: str, *args: Any, **kwargs: Any) -> SafeString:
        return format_html('<input type="hidden" name="{}" value="">{}', name, super().render(name, *args, **kwargs))

    def value_omitted_from_data(self, data: Mapping[str, Any], files: object, name: str) -> bool:
        return name not in data


# By setting: the options of its form field that its database column does not give.
ON_PAGE: dict[str, dict[str, Any]] = {
    "date": {"widget": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")},
    "starts_at": {"widget": forms.TimeInput(attrs={"type": "time"}, format="%H:%M")},
    "positions": {"help_text": _("How many times players sit down at a table, including the first position.")},
    "etuis_per_position": {"help_text": _("Four, or a multiple of four, lets each line attack equally often.")},
    "minutes_per_etui": {"help_text": _("Including the time to put the hands back into the étui.")},
    "barometer": {
        "widget": Tick(attrs={"value": "on"}),
        "help_text": _("In each position. This needs copies of the étuis, or one copy that goes round."),
    },
    "devices": {"label": _("Who enters the results")},
    "shows_after": {"label": _("What a table sees after its entry")},
    "hidden_positions": {"help_text": _("To keep the suspense until the end.")},
    "whole_records": {
        "widget": Tick(attrs={"value": "on"}),
        "help_text": _(
            "After its result, a table can tap all cards of a deal. The opening lead alone is always possible."
        ),
    },
    "coefficient": {
        "help_text": _("The percentages of this session are multiplied by it in the tournament ranking."),
        "required": False,
        "max_digits": None,
        "form_class": FigureField,
        "localize": True,
        "error_messages": {
            "min_value": _("A coefficient is above 0: write 1 if the session counts like the others."),
            "max_value": _("A coefficient is at most 100."),
        },
        "widget": forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    },
    "stage": {
        "label": _("Stage of the tournament"),
        "help_text": _("Players in a final are ranked before all others."),
    },
}


def make_setting_field(name: str, format: Format) -> forms.Field:
    """Return the form field of a session's setting. It is made from the database column and checks the bounds."""
    options = dict(ON_PAGE.get(name, {}))
    least, most = bound_setting(format, name)
    if isinstance(least, dt.date):
        options["validators"] = [MinValueValidator(least), MaxValueValidator(most)]
    elif isinstance(least, int | Decimal):
        options |= {"min_value": least, "max_value": most}
    column: Any = Session._meta.get_field(name)
    field: forms.Field = column.formfield(**options)
    return field


class FirstEveningForm(TournamentForm):
    """The form of a club's first evening: its tournament, and the date and the hour of its first session."""

    EVENING = ("date", "starts_at")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= {name: make_setting_field(name, INDIVIDUAL) for name in self.EVENING}


class SessionForm(forms.Form):
    """The settings of a session, one field each. A setting that the page does not send keeps its initial value."""

    FIRST = ("date", "starts_at", "positions", "etuis_per_position", "minutes_per_etui", "barometer")

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament, format = tournament, find_format(tournament.format)
        own, names = self.fields, list_settings(format, self.list_settings())
        self.fields = {name: make_setting_field(name, format) for name in names}
        self.fields |= own
        for name, left_out in NEVER.get(format.name, {}).items():
            if name in self.fields:
                offered: Any = self.fields[name]
                offered.choices = [choice for choice in offered.choices if choice[0] != left_out]
        for name, (least, most) in BOUNDS.get(format.name, {}).items():
            if name in self.fields and least == most:
                self.fields[name].disabled, self.fields[name].initial = True, least
        speak_as_format(format, self.fields)
        if tournament.federation:
            shown = self.fields["shows_after"]
            shown.disabled, shown.initial = True, Session.ShownAfter.NOTHING
            shown.help_text = _("Nothing, in an official FFT event.")
        self.sent = {name for name, field in self.fields.items() if self.is_sent(name, field)}
        if self.is_bound:
            self.data = {name: self.initial[name] for name in self.initial if name not in self.sent} | dict(
                self.data.items()
            )

    @staticmethod
    def list_settings() -> Iterable[str]:
        """Return the names of the settings that the form has."""
        return SETTINGS

    def is_sent(self, name: str, field: forms.Field) -> bool:
        return not field.disabled and not field.widget.value_omitted_from_data(self.data, self.files, name)

    def clean_coefficient(self) -> Decimal:
        given: Decimal | None = self.cleaned_data["coefficient"]
        return Decimal(1) if given is None else given

    @property
    def changes(self) -> dict[str, Any]:
        """The settings that the page has sent, with their cleaned values."""
        return {name: value for name, value in self.cleaned_data.items() if name in self.sent}

    @property
    def weight(self) -> list[forms.BoundField]:
        """The fields for the weight of the session in the tournament's ranking: its coefficient and its stage."""
        return [self[name] for name in settings_with("is_weight") if name in self.fields]

    @property
    def weight_wrong(self) -> bool:
        return any(field.errors for field in self.weight)

    @property
    def rare(self) -> list[forms.BoundField]:
        """The fields that most evenings leave unchanged."""
        left_out = (*self.FIRST, *settings_with("is_weight"))
        return [self[name] for name in SETTINGS if name in self.fields and name not in left_out]

    @property
    def rare_wrong(self) -> bool:
        return any(field.errors for field in self.rare)

    @staticmethod
    def of(session: Session) -> dict[str, object]:
        """Return the initial values of the form for an existing session."""
        return {name: getattr(session, name) for name in SETTINGS}

    def as_session(self) -> Session:
        """Return an unsaved session with the valid values of the form, from which the page computes the times."""
        given = {name: self.initial.get(name, field.initial) for name, field in self.fields.items()}
        told = given | (self.cleaned_data if self.is_valid() or self.is_bound else {})
        return Session(tournament=self.tournament, **{name: told[name] for name in SETTINGS if name in told})


class NewSessionForm(SessionForm):
    """A form for a new session, or for one session each week until a date."""

    weekly_until = DayField(
        _("Every week until"),
        required=False,
        help_text=_(
            "Empty: only this evening. A date that already has a session of this tournament gets no second one."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # the form is only filled in with this date; a form that is sent must have one
        self.fields["date"].initial = timezone.localdate()


class UnderWayForm(SessionForm):
    """The settings of a session that may change while it is played."""

    @staticmethod
    def list_settings() -> Iterable[str]:
        return settings_with("under_way")


class JoinForm(RosterForm):
    """A form for the players who join the evening: ticked on the club's list, pasted by name, or both.

    `find_fit` returns the tables of the evening with so many players more.
    """

    target, action = "join", "join"
    format = INDIVIDUAL.name
    find_fit: Callable[[int], Any]

    players = forms.MultipleChoiceField(label=_("From the club’s list"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, club: Club, seated: set[int], *args: Any, **kwargs: Any) -> None:
        super().__init__(club, *args, **kwargs)
        self.seated = seated
        free = [player for player in sort_by_name(club.players.keep_listed()) if player.pk not in seated]
        self.listed = [player.pk for player in free]
        self.known = [
            ", ".join(part for part in (player.last_name, player.first_name, player.licence) if part) for player in free
        ]
        self.fields["players"].choices = [(player.pk, write_with_licence(player)) for player in free]  # type: ignore[attr-defined]
        self.fields["players"].required = self.fields["text"].required = False

    def clean_players(self) -> list[int]:
        return [int(player) for player in self.cleaned_data["players"]]

    def clean(self) -> dict[str, Any]:
        ticked = set(self.cleaned_data.get("players", []))
        if not self.errors and not ticked and not self.questions:
            self.add_error("text", _("Nobody is chosen: tick players on the club’s list, or write names here."))
        listed = {player.pk or id(player) for player in self.meant}
        self.counts = self.counts._replace(rows=len((listed | ticked) - self.seated))
        return super().clean()

    def list_shown(self) -> list[object]:
        return [*super().list_shown(), sorted(self.cleaned_data.get("players", []))]

    @property
    def confirmed(self) -> bool:
        """True if the page has shown the list, or if all players are chosen and not read.

        A chosen player is ticked, or found for the field of one player.
        A person who is found there is on the club's list, or has a licence of the federation's list.
        """
        quick = self.questions if "quick" in self.data else []
        lines = [each.row.line for each in quick if each.row.state != LineState.SURE]
        found = all(line is not None and is_held(self.club, line) for line in lines)
        chosen = len(self.questions) == len(quick) and found and self.settled and not self.data.get("shown")
        return super().confirmed or chosen

    @property
    def joining(self) -> int:
        """The number of players who are to join, ticked or typed, each counted once.

        A line of which the player is not certain yet counts as one player.
        """
        return self.counts.rows + sum(each.counts and each.asks and not each.checked for each in self.questions)

    @property
    def fit(self) -> Any:
        """The tables that the evening would have with these players. None if nobody is to join."""
        return self.find_fit(self.joining) if self.is_bound else None

    @property
    def saves(self) -> str:
        return say_word(self.format, "seat_players", {"n": self.counts.rows})


class MoveForm(forms.Form):
    player = forms.TypedChoiceField(label=_("Player"), coerce=int)
    number = forms.IntegerField(label=_("Table"), min_value=1, max_value=MAX_TABLE)
    line = forms.ChoiceField(label=_("Line"), choices=LINE_CHOICES)

    def __init__(self, seats: list[tuple[int, str]], *args: Any, **kwargs: Any) -> None:
        """Build the form. `seats` has (id, name) of each seated player."""
        super().__init__(*args, **kwargs)
        self.fields["player"].choices = [("", _("choose…")), *seats]  # type: ignore[attr-defined]


class RemovalForm(MoveForm):
    """The form that only removes a player, where seats are given at the start."""

    number = None  # type: ignore[assignment]
    line = None  # type: ignore[assignment]
