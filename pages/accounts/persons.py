"""The page on which users say that players of several clubs are one person.

A link joins two players as one person. A club asks for such a link; the user agrees, declines, or ends a link.
"""

import datetime as dt
from typing import NamedTuple

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.accounts.questions import answer_as_account, end_as_account, questions_to_account
from clubs.models import Club, PersonLink, Player, User
from clubs.persons import joined_links
from clubs.shown import public_name
from pages.acting import done, refusals_told
from pages.doors import FORM, author
from tournaments.numbers import read_number


class PersonQuestion(NamedTuple):
    """A question that waits for an answer: whether a player of the user and a player of another club are one person.

    `player` is the user's own player, and `club` is the other club. `name` is the public name of the other club's
    player. It is "" if the user's own club asks: that side may not learn who is on the list of the other club.
    """

    number: int
    player: Player
    club: Club
    name: str
    since: dt.datetime


class OwnJoinedPlayer(NamedTuple):
    """A player of another club who is joined with a player of the user as one person.

    `player` is the user's own player; `club` and `name` are those of the other player. `own` is true if both players
    belong to the same account.
    """

    number: int
    player: Player
    club: Club
    name: str
    own: bool


def question_of(user: User, link: PersonLink) -> PersonQuestion:
    """Return the question of a link that nobody has answered yet.

    On the side that asks, it is the same whether or not the other club has such a player.
    """
    if link.one.account_id == user.pk:
        assert link.asked_club is not None
        return PersonQuestion(link.pk, link.one, link.asked_club, "", link.proposed_at)
    assert link.other is not None
    return PersonQuestion(link.pk, link.other.is_now, link.one.club, public_name(link.one), link.proposed_at)


def joined_of(player: Player, link: PersonLink) -> OwnJoinedPlayer | None:
    own, other = (link.one, link.other) if link.one.is_now.pk == player.pk else (link.other, link.one)
    if own is None or other is None:
        return None
    by_account = link.reason == PersonLink.LinkReason.ACCOUNT
    return OwnJoinedPlayer(link.pk, player, other.club, public_name(other), by_account)


@never_cache
@login_required
@require_http_methods(FORM)
def account_persons(request: HttpRequest) -> HttpResponse:
    """Show the questions and the joined players. A POST agrees, declines, or ends a link."""
    user, now = author(request), timezone.now()
    if request.method == "POST":
        with refusals_told(request):
            return done(request, act(request, user, now=now), "account_persons")
        return redirect("account_persons")
    mine = Player.objects.real().filter(account=user).select_related("club").order_by("club__name")
    held = [joined_of(player, link) for player in mine for link in joined_links(player)]
    context = {
        "questions": [question_of(user, link) for link in questions_to_account(user, now=now)],
        "joined": [each for each in held if each is not None],
    }
    return render(request, "persons/account.html", context)


def act(request: HttpRequest, user: User, *, now: dt.datetime) -> str:
    """Carry out the action of the button pressed, and return the message for the user."""
    action, link = request.POST.get("action"), read_number(request.POST, "link")
    if action == "end":
        end_as_account(user=user, link_id=link, now=now)
        return _("They are now two people.")
    answered = answer_as_account(user=user, link_id=link, agree=action == "agree", now=now)
    if answered.accepted_at:
        return _("The two are now one person.")
    return _("Your answer is saved.")
