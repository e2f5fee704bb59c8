"""The pages of the club's players: find, add, edit, put away or delete players, merge two entries, undo a merge.

Two entries are merged if they turn out to be one person. The last day of a membership is stored here too.
"""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.editing import (
    FIELDS,
    count_mixed,
    delete_player,
    edit_player,
    find_written,
    latest_entry,
    put_player_away,
    set_member_until,
    undo_alike,
    write_alike,
)
from clubs.matching import KnownNames, KnownPlayer
from clubs.models import Club, ClubLogEntry, Player, PlayerMerge, ShownWord
from clubs.names import words_of
from clubs.players import ListCounts, known_of, sort_by_name, take_counted
from clubs.roster import RosterLine
from clubs.shown import choose_shown, read_rating_wish
from pages.acting import done, refusals_in, refusals_told, signed
from pages.doors import ACTION, TOP, author, club_page
from pages.first_steps import next_step
from pages.form_fields import DayField
from pages.prepare.persons import persons_of, waiting_for
from pages.roster_forms import RosterForm, answer_list
from pages.roster_rows import done_counted
from rankings.leaderboards.keeping import RATING_ACTIONS, wish_rating
from registration.cash.payers import keeps_cash_box
from registration.people.merging import merge_players, merges_of, preview_merge, undo_merge
from tournaments.numbers import read_number
from tournaments.permissions import Can
from tournaments.words.messages import say
from tournaments.words.shown_sentences import choices_of


class MembershipForm(forms.Form):
    """A form for the last day of a player's membership. Empty for a player who is no member."""

    member_until = DayField(
        gettext_lazy("Member of the club until"),
        required=False,
        help_text=gettext_lazy("Empty: not a member. The check-in proposes the fee for members until this day."),
    )


def save_membership(request: HttpRequest, club: Club, player_id: int) -> HttpResponse | None:
    """Store the posted day and return the redirect to the player, or None if it is no day."""
    form = MembershipForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(form.errors["member_until"][0]))
        return None
    set_member_until(club=club, player_id=player_id, until=form.cleaned_data["member_until"], by=author(request))
    return done(request, _("The membership is saved."), "club_player", club.slug, player_id)


A_PAGE = 100
MOST_ALIKE = 8


class PlayerForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form for a player's data. The help texts say which fields only directors see."""

    class Meta:
        model = Player
        fields = FIELDS
        help_texts = {
            "licence": gettext_lazy("Only for directors: no public page or file shows it."),
            "category": gettext_lazy("For rankings of their own."),
            "series": gettext_lazy("The player’s class at the federation: for rankings of their own."),
            "ladies": gettext_lazy("Only if the player wants to be ranked there too."),
        }


@club_page(Can.DIRECT)
def players(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the club's players. A POST first shows how the site reads pasted names. The next POST adds the players."""
    form = RosterForm(club, request.POST or None, request.FILES or None)
    if request.method == "POST" and (answer := answer_list(request, form, lambda: add(request, club, form))):
        return answer
    query, away = request.GET.get("q", "").strip(), "away" in request.GET
    everybody = list(club.players.real())
    listed = [player for player in everybody if away == (player.put_away_at is not None)]
    found = find(listed, query)
    page = Paginator(sort_by_name(found), A_PAGE).get_page(read_number(request.GET, "page") or 1)
    context = {"club": club, "form": form, "page": page, "query": query, "away": away}
    counted = Club.every.filter(pk=club.pk).annotate(n=Count("claims"), entry=latest_entry())
    claims, entry = counted.values_list("n", "entry").get()
    context |= {"merges": merges_of(club)[:5], "claims": claims}
    context["erasures"] = [player for player in everybody if player.erasure_asked_at]
    context |= {"questions": waiting_for(club), "mixed": count_mixed(everybody), "written": find_written(entry)}
    context["next"] = next_step(club) if "added" in request.GET else None
    context["first"] = not context["next"]
    return render(request, "prepare/players.html", context)


@club_page(Can.DIRECT, ACTION)
def names_alike(request: HttpRequest, club: Club) -> HttpResponse:
    """Write family names in capitals like the other names. With `undo`, the id of a log entry, undo such a change."""
    if entry := read_number(request.POST, "undo"):
        try:
            count = undo_alike(club=club, entry_id=entry, **signed(request))
        except ClubLogEntry.DoesNotExist as error:
            raise Http404 from error
        text = ngettext("%(count)s name is in capitals again.", "%(count)s names are in capitals again.", count)
    else:
        count = write_alike(club=club, **signed(request))
        text = ngettext(
            "%(count)s name is now written like the others.", "%(count)s names are now written like the others.", count
        )
    return done_counted(request, text, count, "players", club.slug)


def add(request: HttpRequest, club: Club, form: RosterForm) -> HttpResponse:
    _players, counts = take_counted(club=club, taken=form.taken, told=form.promised)
    to = reverse("players", args=[club.slug]) + "?added" + TOP
    return done_counted(request, say_taken(counts), counts.new + counts.completed, to)


def say_taken(counts: ListCounts) -> str:
    """Return how many players were added and completed, as sentences, without those that are 0."""
    new, completed = counts.new, counts.completed
    told = [
        (new, ngettext("%(count)s player is added.", "%(count)s players are added.", new)),
        (completed, ngettext("%(count)s player is completed.", "%(count)s players are completed.", completed)),
    ]
    return " ".join(text % {"count": count} for count, text in told if count)


def find(listed: list[Player], query: str) -> list[Player]:
    """Return the players whose name or licence contains every word of the query, in any order.

    Accents, capitals and hyphens do not matter.
    """
    wanted = words_of(query)
    if not wanted:
        return listed
    return [player for player in listed if holds(" ".join(words_of(f"{player.name} {player.licence}")), wanted)]


def holds(text: str, wanted: list[str]) -> bool:
    return all(word in text for word in wanted)


@club_page(Can.DIRECT)
def player(request: HttpRequest, club: Club, player: int) -> HttpResponse:
    """Show a player's data. A POST carries out its `action`, such as `save`, `membership`, `shown` or `delete`."""
    found = find_player(club, player)
    if found.merged_into_id:
        return redirect("club_player", club.slug, found.merged_into_id)
    if found.erased_at:
        messages.info(request, _("%(name)s has been erased: only the results are left.") % {"name": found.name})
        return redirect("players", club.slug)
    form = PlayerForm(request.POST if request.POST.get("action") == "save" else None, instance=found)
    if request.method == "POST":
        with refusals_in(form) if form.is_bound else refusals_told(request):
            if answer := change(request, club, found.pk, form):
                return answer
        found = find_player(club, player)  # show the stored values, not those just typed
    query = request.GET.get("q", "").strip()
    context = {"club": club, "player": found, "form": form, "query": query, "alike": alike(club, found, query)}
    context |= persons_of(club, found)
    if keeps_cash_box(club):
        context["membership"] = MembershipForm(initial={"member_until": found.member_until})
    context["shown_as"] = choices_of(found, own=False)
    context["wish"] = read_rating_wish(found, own=False)
    return render(request, "prepare/player.html", context)


def find_player(club: Club, player_id: int) -> Player:
    found = club.players.select_related("person").filter(pk=player_id).first()
    if found is None:
        raise Http404
    return found


def change(request: HttpRequest, club: Club, player_id: int, form: PlayerForm) -> HttpResponse | None:
    """Carry out the posted action and return its redirect, or None if the form is not valid."""
    action = request.POST.get("action")
    if action == "delete":
        delete_player(club=club, player_id=player_id, **signed(request))
        return done(request, _("The player is deleted."), "players", club.slug)
    if action == "membership":
        return save_membership(request, club, player_id)
    if action in ("away", "back"):
        put_player_away(club=club, player_id=player_id, now=timezone.now(), back=action == "back")
        return redirect("club_player", club.slug, player_id)
    if action == "shown":
        found, shown, way = find_player(club, player_id), request.POST.get("shown", ""), ShownWord.WordWay.DIRECTOR
        choose_shown(player=found, shown=shown, way=way, **signed(request))
        return done(request, _("This applies from now on, on every page."), "club_player", club.slug, player_id)
    if action in RATING_ACTIONS:
        found, off, way = find_player(club, player_id), RATING_ACTIONS[action], ShownWord.WordWay.DIRECTOR
        wish_rating(player=found, off=off, way=way, **signed(request))
        return done(request, _("This applies from now on, on every page."), "club_player", club.slug, player_id)
    if not form.is_valid():
        return None
    kept = edit_player(club=club, player_id=player_id, values=form.cleaned_data, by=author(request))
    text = _("Saved: %(name)s, on every page.") % {"name": kept.name}
    return done(request, text, "club_player", club.slug, player_id)


def alike(club: Club, player: Player, query: str) -> list[Player]:
    """Return the players to merge with this one: those with a similar name, or those found by the query."""
    others = club.players.real().exclude(pk=player.pk)
    if query:
        return sort_by_name(find(list(others), query))[:MOST_ALIKE]
    known = [KnownPlayer(*row) for row in known_of(club) if row.id != player.pk]
    line = RosterLine(player.last_name, player.first_name)
    return list(others.filter(pk__in=[each.who.id for each in KnownNames(known).find(line)][:MOST_ALIKE]))


@club_page(Can.DIRECT)
def merge(request: HttpRequest, club: Club, player: int, other: int) -> HttpResponse:
    """Show what changes if `other` is merged into this player. A POST merges the two."""
    kept, gone = find_player(club, player), find_player(club, other)
    if request.method == "POST":
        merge_players(club=club, kept_id=kept.pk, gone_id=gone.pk, **signed(request))
        text = _("%(gone)s is now %(kept)s.") % {"gone": gone.name, "kept": kept.name}
        return done(request, text, "players", club.slug)
    if kept == gone or kept.merged_into_id or gone.merged_into_id:
        return redirect("players", club.slug)
    labels: dict[str, Any] = {field.name: field.verbose_name for field in Player._meta.concrete_fields}
    follows = preview_merge(kept, gone)
    gained = [
        (labels[name], getattr(gone, f"get_{name}_display", lambda own=name: getattr(gone, own))())
        for name in follows.gained
    ]
    context = {"club": club, "kept": kept, "gone": gone, "follows": follows, "gained": gained}
    context["apart"] = say(follows.apart) if follows.apart else ""
    return render(request, "prepare/player_merge.html", context)


@club_page(Can.DIRECT, ACTION)
def merge_undo(request: HttpRequest, club: Club, merge: int) -> HttpResponse:
    try:
        undone = undo_merge(club=club, merge_id=merge, **signed(request))
    except PlayerMerge.DoesNotExist as error:
        raise Http404 from error
    told = {"gone": undone.gone.name, "kept": undone.kept.name}
    return done(request, _("%(gone)s and %(kept)s are two players again.") % told, "players", club.slug)
