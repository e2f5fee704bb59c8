"""A club's player in other clubs: a director asks another club, answers what that asks, confirms a link or ends it."""

import datetime as dt
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.accounts.questions import (
    LONGEST,
    answer_question,
    ask_same,
    confirm_link,
    end_link,
    questions_to_club,
    to_confirm,
    waiting_questions,
)
from clubs.house import listed_clubs
from clubs.models import Club, PersonLink, Player, User
from clubs.persons import PersonRefused, joined_links
from clubs.shown import public_name
from tournaments.permissions import Can
from tournaments.web.doors import author, club_page
from tournaments.web.numbers import read_number
from tournaments.words.messages import say


class Question(NamedTuple):
    """What another club asks about a player of this club, as a director here is told it; `account`: the player has one,
    which alone can answer."""

    number: int
    player: Player
    club: Club
    name: str
    asked: str
    since: dt.datetime
    account: bool


class Joined(NamedTuple):
    """A player of another club who is the same person, by what stands for that player in public. `doubtful`: this club
    has not confirmed it."""

    number: int
    player: Player
    club: Club
    name: str
    reason: str
    by_account: bool
    doubtful: bool


class AskForm(forms.Form):
    club = forms.ModelChoiceField(
        Club.objects.none(), to_field_name="slug", empty_label=None, label=gettext_lazy("Club")
    )
    words = forms.CharField(
        label=gettext_lazy("Licence number there, or the whole name"),
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["club"].queryset = listed_clubs().exclude(pk=club.pk)  # type: ignore[attr-defined]


def question_of(link: PersonLink) -> Question:
    assert link.other is not None
    who = link.other.is_now
    name = public_name(link.one)
    return Question(link.pk, who, link.one.club, name, link.asked, link.proposed_at, who.account_id is not None)


def joined_of(club: Club, link: PersonLink) -> Joined | None:
    """None where the other player has been deleted."""
    is_one = link.one.club_id == club.pk
    own, other = (link.one, link.other) if is_one else (link.other, link.one)
    if own is None or other is None:
        return None
    doubtful = (link.one_agreed_at if is_one else link.other_agreed_at) is None
    by_account = link.reason == PersonLink.Reason.ACCOUNT
    reason = link.get_reason_display()
    return Joined(link.pk, own.is_now, other.club, public_name(other), reason, by_account, doubtful)


def persons_of(club: Club, player: Player) -> dict[str, Any]:
    """What a director is told of a player in other clubs. A question of this club's own is the same whomever it is
    about: neither the words nor whether there is anybody."""
    now = timezone.now()
    held = [joined_of(club, link) for link in joined_links(player)]
    return {
        "joined": [each for each in held if each is not None],
        "asks": [question_of(link) for link in questions_to_club(club, now=now) if is_about(link, player)],
        "asked": [(each.pk, each.asked_club, each.proposed_at) for each in waiting_questions(player, now=now)],
    }


def is_about(link: PersonLink, player: Player) -> bool:
    return link.other is not None and link.other.is_now.pk == player.pk


def waiting_for(club: Club) -> list[Player]:
    """Return the club's players about whom something waits for a director's word, each once. One query."""
    found = list(questions_to_club(club, now=timezone.now()) | to_confirm(club))
    asked = [question_of(link).player for link in found if link.accepted_at is None and not speaks(link)]
    doubtful = [joined_of(club, link) for link in found if link.accepted_at is not None]
    return list(dict.fromkeys([*asked, *(each.player for each in doubtful if each is not None)]))


def speaks(link: PersonLink) -> bool:
    """Whether the player asked about has an account, which alone answers."""
    return link.other is not None and link.other.is_now.account_id is not None


@club_page(Can.DIRECT)
def player_person(request: HttpRequest, club: Club, player: int) -> HttpResponse:
    """The button pressed says what is meant: to ask, to answer, to confirm, to end."""
    found = club.players.real().select_related("person", "club").filter(pk=player).first()
    if found is None:
        raise Http404
    typed = request.POST if request.POST.get("action") == "ask" else None
    form = AskForm(club, typed, initial={"words": found.licence})
    if request.method == "POST":
        try:
            if told := act(request, club, found, form):
                messages.success(request, told)
                return redirect("player_person", club.slug, found.pk)
        except PersonRefused as refusal:
            form.add_error(refusal.field or None, say(refusal)) if form.is_bound else messages.error(
                request, say(refusal)
            )
            found.refresh_from_db()
    context = {"club": club, "player": found, "form": form, "clubs": form.fields["club"].queryset.exists()}  # type: ignore[attr-defined]
    return render(request, "persons/club.html", context | persons_of(club, found))


def act(request: HttpRequest, club: Club, player: Player, form: AskForm) -> str:
    """Carry out what was pressed, and return what to say of it; nothing where the form is wrong."""
    by, now = author(request), timezone.now()
    action, link = request.POST.get("action"), read_number(request.POST, "link")
    if action == "ask":
        return ask(player, form, by=by, now=now) if form.is_valid() else ""
    if action in ("agree", "refuse"):
        answered = answer_question(club=club, link_id=link, agree=action == "agree", by=by, now=now)
        if answered.accepted_at:
            return _("The two are one person from now on.")
        return _("Your answer is kept.")
    if action == "confirm":
        confirm_link(club=club, link_id=link, by=by, now=now)
        return _("It is confirmed.")
    ended = end_link(club=club, link_id=link, by=by, now=now)
    return _("They are two people from now on.") if ended.accepted_at else _("The question is taken back.")


def ask(player: Player, form: AskForm, *, by: User, now: dt.datetime) -> str:
    club = form.cleaned_data["club"]
    asked = ask_same(player=player, club=club, words=form.cleaned_data["words"], by=by, now=now)
    if asked.accepted_at:
        return _("The two are one person from now on.")
    return _("%(club)s is asked. You are told here once somebody there agrees.") % {"club": club.name}
