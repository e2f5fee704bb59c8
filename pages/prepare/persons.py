"""The page on which directors say that a player of their club and a player of another club are one person.

A link joins the two players. Directors ask the other club for a link, answer its questions, and confirm or end links.
"""

import datetime as dt
from typing import Any, NamedTuple

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
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
from clubs.persons import joined_links
from clubs.shown import public_name
from pages.acting import done, refusals_in, refusals_told, signed
from pages.doors import club_page
from tournaments.numbers import read_number
from tournaments.permissions import Can


class ClubQuestion(NamedTuple):
    """A question of another club about a player of this club, as a director sees it.

    `player` is the player of this club, `club` is the other club, and `name` is the public name of its player. If
    `account` is true, this club's player has an account: then only the player can answer, not a director.
    """

    number: int
    player: Player
    club: Club
    name: str
    asked: str
    since: dt.datetime
    account: bool


class ClubJoinedPlayer(NamedTuple):
    """A player of another club who is joined with a player of this club as one person.

    `player` is the player of this club; `club` and `name` (the public name) are those of the other player. `doubtful`
    is true if this club has not confirmed the link.
    """

    number: int
    player: Player
    club: Club
    name: str
    reason: str
    by_account: bool
    doubtful: bool


class PersonAskForm(forms.Form):
    club = forms.ModelChoiceField(
        Club.objects.none(), to_field_name="slug", empty_label=None, label=gettext_lazy("Club")
    )
    words = forms.CharField(
        label=gettext_lazy("Licence number in that club, or full name"),
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, club: Club, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["club"].queryset = listed_clubs().exclude(pk=club.pk)  # type: ignore[attr-defined]


def question_of(link: PersonLink) -> ClubQuestion:
    assert link.other is not None
    who = link.other.is_now
    name = public_name(link.one)
    return ClubQuestion(link.pk, who, link.one.club, name, link.asked, link.proposed_at, who.account_id is not None)


def joined_of(club: Club, link: PersonLink) -> ClubJoinedPlayer | None:
    """Return the joined player of the other club, or None if one of the two players has been deleted."""
    is_one = link.one.club_id == club.pk
    own, other = (link.one, link.other) if is_one else (link.other, link.one)
    if own is None or other is None:
        return None
    doubtful = (link.one_agreed_at if is_one else link.other_agreed_at) is None
    by_account = link.reason == PersonLink.LinkReason.ACCOUNT
    reason = link.get_reason_display()
    return ClubJoinedPlayer(link.pk, own.is_now, other.club, public_name(other), reason, by_account, doubtful)


def persons_of(club: Club, player: Player) -> dict[str, Any]:
    """Return the links and questions about a player, as a director may see them.

    About a question that this club asked, the page shows only the other club and the day. It does not show the typed
    name, so nobody learns from the page whether the other club has such a player.
    """
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
    """Return the club's players about whom the directors must decide something, each player once.

    Another club asks about the player, or this club has not confirmed a link of the player. This makes one query.
    """
    found = list(questions_to_club(club, now=timezone.now()) | to_confirm(club))
    asked = [question_of(link).player for link in found if link.accepted_at is None and not speaks(link)]
    doubtful = [joined_of(club, link) for link in found if link.accepted_at is not None]
    return list(dict.fromkeys([*asked, *(each.player for each in doubtful if each is not None)]))


def speaks(link: PersonLink) -> bool:
    """Return whether the player of the question has an account. Then only the player can answer."""
    return link.other is not None and link.other.is_now.account_id is not None


@club_page(Can.DIRECT)
def player_person(request: HttpRequest, club: Club, player: int) -> HttpResponse:
    """Show the player's links to other clubs. A POST asks for a link, answers a question, confirms or ends a link."""
    found = club.players.real().select_related("person", "club").filter(pk=player).first()
    if found is None:
        raise Http404
    typed = request.POST if request.POST.get("action") == "ask" else None
    form = PersonAskForm(club, typed, initial={"words": found.licence})
    if request.method == "POST":
        with refusals_in(form) if form.is_bound else refusals_told(request):
            if text := act(request, club, found, form):
                return done(request, text, "player_person", club.slug, found.pk)
        found.refresh_from_db()
    context = {"club": club, "player": found, "form": form, "clubs": form.fields["club"].queryset.exists()}  # type: ignore[attr-defined]
    return render(request, "persons/club.html", context | persons_of(club, found))


def act(request: HttpRequest, club: Club, player: Player, form: PersonAskForm) -> str:
    """Carry out the posted action and return its message, or "" if the form is not valid."""
    action, link = request.POST.get("action"), read_number(request.POST, "link")
    if action == "ask":
        return ask_other_club(player, form, **signed(request)) if form.is_valid() else ""
    if action in ("agree", "refuse"):
        answered = answer_question(club=club, link_id=link, agree=action == "agree", **signed(request))
        if answered.accepted_at:
            return _("The two are now one person.")
        return _("Your answer is saved.")
    if action == "confirm":
        confirm_link(club=club, link_id=link, **signed(request))
        return _("Confirmed.")
    ended = end_link(club=club, link_id=link, **signed(request))
    return _("They are now two people.") if ended.accepted_at else _("The question is withdrawn.")


def ask_other_club(player: Player, form: PersonAskForm, *, by: User, now: dt.datetime) -> str:
    club = form.cleaned_data["club"]
    asked = ask_same(player=player, club=club, words=form.cleaned_data["words"], by=by, now=now)
    if asked.accepted_at:
        return _("The two are now one person.")
    return _("%(club)s has been asked. If somebody there agrees, you will see it here.") % {"club": club.name}
