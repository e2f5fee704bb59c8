"""The forms for changes to a session under way, one for each operation, for example a late arrival.

The forms check only that each value has the right format. The method `operation` returns the operation with the values
typed. In it, players who are not yet in the club's list have the ids −1, −2, and so on; `lines` holds their names.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.players import sort_by_name, write_with_licence
from clubs.roster import RosterLine
from deals.domain.cards import LINES
from evenings.changes.ways import find_held, find_settled
from evenings.plans.current import SessionPlan
from pages.roster_rows import RowsToAsk, read_typed_names
from tournaments.models import MOST_POSITIONS, Entrant
from tournaments.rules.operations import Arrive, Leave, Operation, Resize, Return, Substitute, Swap, WrongEtuis
from tournaments.words.messages import label

CHOOSE = ("", _("choose…"))
MAX_TYPED = 2000
UNRANKED = "unranked"


class ChangeForm(forms.Form):
    """A form for one operation.

    `title` and `about` describe the operation to a director; `operation` returns it with the values typed.
    """

    kind: ClassVar[str]
    title: ClassVar[str | Promise]
    about: ClassVar[str | Promise]
    operation: Callable[[], Operation]

    def __init__(self, evening: SessionPlan, data: Any = None) -> None:
        super().__init__(data)
        self.evening: Any = evening
        self.session = evening.session
        self.lines: list[RosterLine] = []
        self.questions: list[RowsToAsk] = []
        self.settled, self.held = find_settled(self.session), find_held(self.session)
        self.fill()

    def fill(self) -> None:
        """Set the choices and the initial values of the fields."""

    @property
    def over(self) -> bool:
        """True if the evening is too far advanced for this operation."""
        return False

    @property
    def plain(self) -> list[forms.BoundField]:
        """The fields that are drawn one below the other."""
        return list(self)

    def offer(self, name: str, choices: Iterable[tuple[Any, Any]], initial: object = None) -> None:
        self.fields[name].choices = list(choices)  # type: ignore[attr-defined]
        if initial is not None:
            self.fields[name].initial = initial

    def there(self) -> list[Entrant]:
        """Return the entrants who have not gone home, in the order of names."""
        return by_name(entrant for entrant in self.evening.entrants if entrant.last_position is None)

    def free_players(self) -> list[tuple[int, str]]:
        """Return the club's players who are not in the session, as choices."""
        taken = {pk for entrant in self.evening.entrants for pk in (entrant.player_id, entrant.stand_in_id)}
        players = self.session.tournament.club.players.keep_listed()
        return [(player.pk, write_with_licence(player)) for player in sort_by_name(players) if player.pk not in taken]

    def clean_text(self) -> list[int]:
        """Return the ids of the players whose names are typed, one on each line.

        A doubtful name adds a question to `questions`, which the page shows below the field. Raise ValidationError if
        a name is wrong, or if a question has no answer yet.
        """
        names = read_typed_names(self.cleaned_data["text"], self.session.tournament.club, self.data)
        self.questions = names.questions
        if names.errors:
            raise forms.ValidationError(names.errors)
        ids = []
        for taken in names.taken:
            if taken.player is None:
                self.lines.append(taken.line)
            ids.append(taken.player or -len(self.lines))
        return ids


def by_name(entrants: Iterable[Entrant]) -> list[Entrant]:
    found = list(entrants)
    order = {player.pk: place for place, player in enumerate(sort_by_name(entrant.single for entrant in found))}
    return sorted(found, key=lambda entrant: order[entrant.single.pk])


def choices_of(entrants: Iterable[Entrant]) -> list[tuple[int, str]]:
    """Return the entrants with line and starting number as choices, in the order in which they are given."""
    letters: dict[str, str] = {line: label("letter", line) for line in LINES}
    return [(one.pk, f"{name_of(one)} · {letters[one.line]} {one.number}{say_filler(one)}") for one in entrants]


def say_filler(entrant: Entrant) -> str:
    """Return the remark after a filler's name in a list of entrants, or "" for everybody else."""
    return "" if entrant.ranked else " · " + gettext("completes the table")


def name_of(entrant: Entrant) -> str:
    return f"{entrant.single.last_name} {entrant.single.first_name}".strip()


def number_choices(numbers: Iterable[int]) -> list[tuple[int, str]]:
    return [(number, str(number)) for number in numbers]


def choose_by_ticks(who: Any) -> forms.TypedMultipleChoiceField:
    return forms.TypedMultipleChoiceField(label=who, coerce=int, required=False, widget=forms.CheckboxSelectMultiple)


class ReplanForm(ChangeForm):
    """A form for players who come or go between two positions.

    `after` is the number of the last position before the change, or 0. Positions that are settled cannot change.
    """

    def offer_after(self, text: Callable[[int], Any]) -> None:
        positions = range(self.settled, self.evening.plan.positions)
        choices = [(after, text(after)) for after in positions]
        self.offer("after", choices, min(self.held, max(positions, default=0)))

    @property
    def over(self) -> bool:
        return bool(self.settled >= self.evening.plan.positions)


class ArriveForm(ReplanForm):
    kind = "arrive"
    title = _("Somebody arrives late")
    about = _("One or more players join from a position on; four can make another table.")

    players = choose_by_ticks(_("From the club’s list"))
    text = forms.CharField(
        label=_("Or by name, one on each line"),
        help_text=_("They are added to the club’s list when the change is applied."),
        max_length=MAX_TYPED,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false", "data-find": ""}),
    )
    after = forms.TypedChoiceField(label=_("First position they play"), coerce=int)

    def fill(self) -> None:
        self.offer("players", self.free_players())
        self.offer_after(lambda after: str(after + 1))

    def operation(self) -> Arrive:
        given = self.cleaned_data
        players = dict.fromkeys([*given["players"], *given["text"]])
        return Arrive(tuple(players), given["after"])


class LeaveForm(ReplanForm):
    kind = "leave"
    title = _("Somebody goes home")
    about = _("One or more players. If a whole table gives up, four players leave.")

    entrants = choose_by_ticks(_("Who leaves"))
    after = forms.TypedChoiceField(label=_("Last position they play"), coerce=int)
    unplayed = forms.BooleanField(
        label=_("What their tables have not played by then is not played, and no longer expected"), required=False
    )

    def fill(self) -> None:
        self.offer("entrants", choices_of(self.there()))
        self.offer_after(lambda after: str(after) if after else _("none: they do not play at all"))

    def operation(self) -> Leave:
        given = self.cleaned_data
        return Leave(tuple(given["entrants"]), given["after"], given["unplayed"])


class ReturnForm(ReplanForm):
    kind = "return"
    title = _("Somebody who had left is back")
    about = _("What they played before, with its percentages, stays theirs. They take their old seat, or another.")

    entrants = choose_by_ticks(_("Who is back"))
    after = forms.TypedChoiceField(label=_("First position they play again"), coerce=int)

    def fill(self) -> None:
        gone = by_name(entrant for entrant in self.evening.entrants if entrant.last_position is not None)
        self.offer("entrants", choices_of(gone))
        self.offer_after(lambda after: str(after + 1))

    def operation(self) -> Return:
        given = self.cleaned_data
        return Return(tuple(given["entrants"]), given["after"])


class SubstituteForm(ChangeForm):
    kind = "substitute"
    title = _("A substitute takes a seat")
    about = _("Somebody takes a player’s seat and keeps the line; all other players stay where they are.")

    entrant = forms.TypedChoiceField(label=_("In place of"), coerce=int)
    player = forms.TypedChoiceField(label=_("Substitute, from the club’s list"), coerce=int, required=False)
    text = forms.CharField(
        label=_("Or by name"),
        help_text=_("A new name is added to the club’s list when the change is applied."),
        max_length=400,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "data-find": ""}),
    )
    position = forms.TypedChoiceField(
        label=_("From position"),
        coerce=int,
        help_text=_("In that position the substitute plays the étuis that have no result yet."),
    )
    own = forms.ChoiceField(
        label=_("Percentages"),
        choices=[
            ("yes", _("from then on, the substitute has percentages of their own")),
            (UNRANKED, _("from then on, the substitute has percentages of their own, unranked: to complete the table")),
            ("no", _("the percentages stay those of the player replaced")),
        ],
        initial="yes",
        widget=forms.RadioSelect,
    )

    def fill(self) -> None:
        there = [entrant for entrant in self.there() if entrant.stand_in_id is None]
        there.sort(key=lambda entrant: entrant.ranked)  # the seat of a filler is the best one for a newcomer
        self.offer("entrant", [CHOOSE, *choices_of(there)])
        self.offer("player", [CHOOSE, *self.free_players()])
        last = self.evening.plan.positions
        self.offer("position", number_choices(range(1, last + 1)), min(max(1, self.held), last))

    def clean(self) -> None:
        chosen = self.cleaned_data.get("player")
        named = self.cleaned_data.get("text", [])
        if len(named) + bool(chosen) != 1 and not self.errors:
            self.add_error("player", _("Choose one substitute: from the list or by name."))

    def operation(self) -> Substitute:
        given = self.cleaned_data
        player = given["player"] or given["text"][0]
        own, ranked = given["own"] != "no", given["own"] != UNRANKED
        return Substitute(given["entrant"], player, given["position"], own, ranked)


class SwapForm(ChangeForm):
    kind = "swap"
    title = _("Two players exchanged seats")
    about = _(
        "Noticed afterwards: the results go to the people who played, and the coming positions take it into account."
    )

    position = forms.TypedChoiceField(label=_("In position"), coerce=int)
    one = forms.TypedChoiceField(label=_("One player"), coerce=int)
    other = forms.TypedChoiceField(label=_("The other player"), coerce=int)

    def fill(self) -> None:
        begun = max(1, self.held)
        self.offer("position", number_choices(range(1, begun + 1)), begun)
        choices = [CHOOSE, *choices_of(by_name(self.evening.entrants))]
        self.offer("one", choices)
        self.offer("other", choices)

    def operation(self) -> Swap:
        given = self.cleaned_data
        return Swap(given["position"], given["one"], given["other"])


class WrongEtuisForm(ChangeForm):
    """A form for a table that played other étuis than planned.

    If the address names a table and a position, the form has a field for each étui planned there.
    """

    kind = "wrong_etuis"
    title = _("A table played other étuis")
    about = _("Results go to the étuis that were played. Nobody changes seat, and nobody plays an étui again.")

    exchange = forms.BooleanField(
        label=_("The table that should have played them played these instead"), required=False
    )
    later = forms.TypedChoiceField(
        label=_("What this table has not played"),
        choices=[("no", _("it does not play it at all")), ("yes", _("it plays it later"))],
        coerce=lambda answer: answer == "yes",
        initial="no",
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, evening: SessionPlan, data: Any = None, *, position: int = 0, table: int = 0) -> None:
        self.position, self.table = position, table
        super().__init__(evening, data)

    def fill(self) -> None:
        first = self.session.first_etui - 1
        self.positions = range(1, max(1, self.held) + 1)
        self.tables = sorted({play.table for at in self.positions for play in self.evening.plan.at(at)})
        plays = [play for play in self.evening.plan.at(self.position) if play.table == self.table and play.complete]
        found = [etui + first for play in plays for etui in play.etuis] if self.position in self.positions else []
        self.planned = sorted(found)
        for etui in self.planned:
            self.fields[f"etui_{etui}"] = forms.IntegerField(
                label=_("Instead of étui %(number)s") % {"number": etui},
                min_value=1,
                max_value=9999,
                initial=etui,
            )
        self.order_fields([*(f"etui_{etui}" for etui in self.planned), "exchange", "later"])

    @property
    def played(self) -> list[forms.BoundField]:
        return [self[f"etui_{etui}"] for etui in self.planned]

    @property
    def plain(self) -> list[forms.BoundField]:
        return [self[name] for name in ("exchange", "later") if name in self.fields]

    def operation(self) -> WrongEtuis:
        given = self.cleaned_data
        pairs = tuple((etui, given[f"etui_{etui}"]) for etui in self.planned if given[f"etui_{etui}"] != etui)
        return WrongEtuis(self.position, self.table, pairs, given["exchange"], bool(given.get("later")))


class ResizeForm(ChangeForm):
    kind = "resize"
    title = _("More or fewer positions")
    about = _("The evening is cut short, or goes on longer than planned.")

    positions = forms.IntegerField(label=_("Positions in all"), min_value=1, max_value=MOST_POSITIONS)

    def fill(self) -> None:
        field = self.fields["positions"]
        field.initial = self.evening.plan.positions
        field.widget.attrs["min"] = max(1, self.held)

    def operation(self) -> Resize:
        return Resize(self.cleaned_data["positions"])


FORMS: Mapping[str, type[ChangeForm]] = {
    form.kind: form
    for form in (ArriveForm, LeaveForm, ReturnForm, SubstituteForm, SwapForm, WrongEtuisForm, ResizeForm)
}
