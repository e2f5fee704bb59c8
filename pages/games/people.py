"""The forms about a player who leaves, comes or is replaced in an evening of donnes libres, and their consequences.

A form is sent twice: first to see the tables as they would be, then to carry it out.
"""

import datetime as dt
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from clubs.models import Player, User
from evenings.plans.free.laying import find_games
from evenings.plans.free.laying_again import require_unbegun
from evenings.plans.free.people import (
    FromDeal,
    find_changed_tables,
    find_mates,
    find_replaced,
    join_games,
    leave_games,
    plan_coming,
    plan_leaving,
    replace_in_games,
)
from evenings.sessions.checklist import say_sizes
from movements import Plan, PlanError, PlanStop
from movements.games import check_people
from movements.games.plan import MOST_DEALS
from pages.acting import refusals_in
from scoring.formats import find_format
from tournaments.models import Session
from tournaments.words.formats import say_word, speak_as_format
from tournaments.words.messages import say


class PeopleForm(forms.Form):
    """The base of the three forms: the game and the deal from which the change counts."""

    action: str
    title: Promise
    game = forms.TypedChoiceField(label=gettext_lazy("From game"), coerce=int)
    deal = forms.IntegerField(
        label=gettext_lazy("From deal"),
        min_value=1,
        max_value=MOST_DEALS,
        initial=1,
        help_text=gettext_lazy("1: the whole game."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def __init__(self, session: Session, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id = f"id_{self.action}_%s"
        self.session, self.games = session, find_games(session)
        last = min(self.games.seated + 1, self.games.positions) if self.games else 1
        self.fields["game"].choices = [(game, str(game)) for game in range(last, 0, -1)]  # type: ignore[attr-defined]
        self.fields["game"].initial = last
        if "number" in self.fields:
            here = self.games.present(last) if self.games else ()
            named = sorted((self.names[number], number) for number in here if number in self.names)
            chosen = [(number, f"{number} · {name}") for name, number in named]
            self.fields["number"].choices = chosen  # type: ignore[attr-defined]
        if "player" in self.fields:
            listed = [(player.pk, player.listed) for player in self.waiting]
            self.fields["player"].choices = listed  # type: ignore[attr-defined]

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of the entrants as in lists, by their starting numbers."""
        return {each.number: each.listed for each in self.session.entrants.select_related("player", "stand_in")}

    @cached_property
    def waiting(self) -> list[Player]:
        """The players of the club's list who do not play in the session."""
        seated = self.session.entrants.values_list("player", "stand_in")
        known = {pk for pair in seated for pk in pair if pk is not None}
        players = self.session.tournament.club.players.keep_listed().exclude(pk__in=known)
        return list(players.order_by("last_name", "first_name"))

    @property
    def moment(self) -> FromDeal:
        given = self.cleaned_data
        return FromDeal(given["game"], given.get("deal") or 1, given.get("table"))

    @property
    def player_name(self) -> str:
        return next(player.listed for player in self.waiting if player.pk == self.cleaned_data["player"])

    def clean(self) -> dict[str, Any]:
        """Refuse a change that is impossible, before its consequences are shown."""
        data = super().clean() or self.cleaned_data
        if not self.errors and self.games is not None:
            with refusals_in(self):
                self.after = self.plan(self.games)
                if self.after.stops != self.games.stops:
                    require_unbegun(self.session, self.after)
        return data

    def plan(self, games: Plan[int]) -> Plan[int]:
        """Return the games after the change."""
        raise NotImplementedError

    def carry_out(self, *, by: User, now: dt.datetime) -> None:
        raise NotImplementedError

    def say_change(self) -> str:
        """Return a sentence about the change."""
        raise NotImplementedError


class LeavingForm(PeopleForm):
    action, title = "leave", gettext_lazy("Somebody leaves")
    number = forms.TypedChoiceField(label=gettext_lazy("Who leaves"), coerce=int)
    field_order = ("number", "game", "deal")

    def plan(self, games: Plan[int]) -> Plan[int]:
        return plan_leaving(games, self.cleaned_data["number"], self.moment)

    def carry_out(self, *, by: User, now: dt.datetime) -> None:
        number = self.cleaned_data["number"]
        leave_games(session_id=self.session.pk, number=number, moment=self.moment, by=by, now=now)

    def say_change(self) -> str:
        told = {"name": self.names[self.cleaned_data["number"]], "game": self.moment.game, "deal": self.moment.deal}
        return _("%(name)s leaves from deal %(deal)s of game %(game)s on.") % told


class ComingForm(PeopleForm):
    action, title = "come", gettext_lazy("Somebody comes")
    player = forms.TypedChoiceField(label=gettext_lazy("Who comes"), coerce=int)
    table = forms.IntegerField(
        label=pgettext_lazy("to which somebody comes", "To table"),
        min_value=1,
        required=False,
        help_text=gettext_lazy("Leave it empty, and the site chooses. Within a game, name the table."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    field_order = ("player", "game", "deal", "table")

    def plan(self, games: Plan[int]) -> Plan[int]:
        return plan_coming(games, self.moment, find_mates(self.session, self.cleaned_data["player"]))

    def carry_out(self, *, by: User, now: dt.datetime) -> None:
        player = self.cleaned_data["player"]
        join_games(session_id=self.session.pk, player_id=player, moment=self.moment, by=by, now=now)

    def say_change(self) -> str:
        told = {"name": self.player_name, "game": self.moment.game, "deal": self.moment.deal}
        return _("%(name)s plays from deal %(deal)s of game %(game)s on.") % told


class ReplacingForm(PeopleForm):
    action, title = "replace", gettext_lazy("Somebody is replaced")
    number = forms.TypedChoiceField(label=gettext_lazy("Who is replaced"), coerce=int)
    player = forms.TypedChoiceField(label=gettext_lazy("Who plays instead"), coerce=int)
    field_order = ("number", "player", "game")

    def __init__(self, session: Session, *args: Any, **kwargs: Any) -> None:
        super().__init__(session, *args, **kwargs)
        del self.fields["deal"]
        speak_as_format(find_format(session.tournament.format), self.fields)

    def plan(self, games: Plan[int]) -> Plan[int]:
        given = self.cleaned_data
        find_replaced(self.session, games, number=given["number"], player_id=given["player"], game=given["game"])
        return games

    def carry_out(self, *, by: User, now: dt.datetime) -> None:
        given = self.cleaned_data
        told = {"number": given["number"], "player_id": given["player"], "game": given["game"]}
        replace_in_games(session_id=self.session.pk, by=by, now=now, **told)

    def say_change(self) -> str:
        told = {"name": self.names[self.cleaned_data["number"]], "other": self.player_name, "game": self.moment.game}
        return say_word(self.session.tournament.format, "replaced_from", told)


FORMS: dict[str, type[PeopleForm]] = {form.action: form for form in (LeavingForm, ComingForm, ReplacingForm)}


def show_change(request: HttpRequest, session: Session, form: PeopleForm) -> HttpResponse:
    """Show the tables as they would be after the change. Nothing is saved."""
    before, after = form.games, form.after
    assert before is not None
    names = form.names | ({after.competitors: form.player_name} if after.competitors > before.competitors else {})
    changed = find_changed_tables(before, after)
    context: dict[str, Any] = {
        "session": session,
        "form": form,
        "about": form.say_change(),
        "tables": [
            (parts[0].position, parts[0].table, [(part.start, part.end, name_in_turn(part, names)) for part in parts])
            for parts in changed
        ],
        "gone": [str(part.table) for part in find_ended(before, changed)],
        "sent": [(name, request.POST.get(name, "")) for name in form.fields],
    }
    if after.seated < after.positions:
        try:
            context["sizes"] = say_sizes(check_people(after, after.seated + 1))
        except PlanError as error:
            context["problem"] = say(error)
    return render(request, "games/change.html", context)


def name_in_turn(part: PlanStop[int], names: dict[int, str]) -> list[str]:
    return [names[number] for number in part.people]


def find_ended(before: Plan[int], changed: list[tuple[PlanStop[int], ...]]) -> list[PlanStop[int]]:
    """Return the last part of each changed table whose game ends early, because too few players stay."""
    ends = {(part.position, part.table): min(part.end, before.etuis_per_position) for part in before.stops}
    return [part for *_first, part in changed if len(part.people) < 5 and part.end < ends[part.position, part.table]]
