"""The check-in list with which a director notes who has come before a session starts, and seats them.

It has the applicants (people who have signed up) and walk-ins (people who come without signing up).

Where teams play, the list has the teams that signed up, and those that walk in.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings as django_settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.guard import find_full
from clubs.guard.counting import count_of_session
from clubs.models import Player
from clubs.names import simplify_name, words_of
from clubs.players import sort_by_name
from clubs.roster import MAX_NAME
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, FORM, Phase, author, session_page, session_url
from pages.registration.forms import RegistrationForm, WalkInForm
from pages.registration.team_forms import TeamWalkInForm
from pages.roster_rows import done_counted
from registration.cash.payers import keeps_cash_box, list_payers
from registration.errors import RegistrationRefused
from registration.people.applicants import (
    ListedApplicant,
    ListedTeam,
    NewApplicant,
    find_next,
    list_down,
    list_players_of,
    list_teams_down,
    list_withdrawn,
    players_of_team,
    said_by,
    signs_up_teams,
)
from registration.people.registration import (
    accept_applicant,
    answer_together,
    check_in,
    decline,
    find_registration,
    set_registration,
    walk_in,
)
from registration.people.seats import find_who, seat_present, seat_present_teams
from registration.people.teams import (
    accept_team,
    check_in_team,
    decline_team,
    put_back_team,
    walk_in_player,
    walk_in_team,
)
from tournaments.addresses import link_to
from tournaments.models import Applicant, Registration, Session
from tournaments.numbers import parse_number, read_number
from tournaments.permissions import Can


def group_rows(session: Session, teams: Sequence[ListedTeam], rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the teams as the page shows them, with the rows of their players, in the order of their captains' names.

    Each row tells whether the player still has to answer. A team is hidden if all of its rows are.
    """
    size, by_player = players_of_team(session), {row["applicant"].pk: row for row in rows}
    found = []
    for team in teams:
        own = [by_player[each.pk] for each in team.members]
        for row in own:
            row |= {"waits": 0, "held": False, "unanswered": row["applicant"].agreed_at is None}
        found.append(
            {
                "captain": team.captain,
                "rows": own,
                "waits": team.waits,
                "complete": team.complete_at is not None,
                "held": team.held,
                "missing": size - len(own),
                "present": all(row["applicant"].present_at for row in own),
                "unnamed": any(row["applicant"].accepted_at is None for row in own)
                or bool(team.captain.team_name and team.captain.team_name_shown_at is None),
                "hidden": all(row["hidden"] for row in own),
            }
        )
    order = {row["applicant"].pk: place for place, row in enumerate(rows)}
    return sorted(found, key=lambda each: order[each["captain"].pk])


def count_present_teams(teams: Sequence[dict[str, Any]]) -> int:
    """Return how many teams can be seated: all of their players are present."""
    return sum(team["present"] and team["missing"] <= 0 for team in teams)


def make_team_walk_in(session: Session, players: Sequence[Player], data: Any = None) -> TeamWalkInForm:
    return TeamWalkInForm(data, players=players, count=players_of_team(session))


def let_walk_in(request: HttpRequest, session: Session, form: TeamWalkInForm) -> bool:
    """Add the team of the form as present. If the form names a `captain`, add its first player to that team instead.

    Return False if the form has errors.
    """
    if not form.is_valid():
        return False
    with refusals_in(form):
        if "captain" in request.POST:
            captain = read_number(request.POST, "captain")
            walk_in_player(session_id=session.pk, captain_id=captain, person=form.people[0], **signed(request))
        else:
            name = form.cleaned_data["team_name"]
            walk_in_team(session_id=session.pk, people=form.people, name=name, **signed(request))
    return not form.errors


def keep_typed(request: HttpRequest, teams: Sequence[dict[str, Any]], form: TeamWalkInForm) -> bool:
    """Keep a refused name beside the team to which it was typed, with the errors.

    Return False if the name was typed for no team of the list: then the form for new teams keeps it.
    """
    captain = read_number(request.POST, "captain")
    team = next((each for each in teams if each["captain"].pk == captain), None)
    if team is None or team["missing"] <= 0:
        return False
    team |= {"typed": request.POST.get("player_1", ""), "errors": [*form.errors.values()]}
    return True


def change_team_at_door(request: HttpRequest, session: Session, captain: int, word: str) -> None:
    """Carry out the director's action on a team.

    It is `team_here`, `team_accept`, `team_decline` or `team_back`. Raise `RegistrationRefused` for another one.
    """
    asked: dict[str, Any] = {"session_id": session.pk, "captain_id": captain, "now": timezone.now()}
    if word == "team_here":
        check_in_team(**asked)
    elif word == "team_accept":
        accept_team(**asked)
    elif word == "team_decline":
        decline_team(by=author(request), **asked)
    elif word == "team_back":
        put_back_team(by=author(request), **asked)
    else:
        raise RegistrationRefused("registration_step_unknown")


@session_page(Can.DIRECT, FORM, phase=Phase.DRAFT)
def registration(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the check-in list. A POST saves the registration's settings, adds a walk-in player, or answers applicants.

    Its `action` says which: `walk_in`, or `accept_all` and `refuse_all` for several applicants.
    """
    if request.method == "POST" and request.POST.get("action") in ("accept_all", "refuse_all"):
        return answer_all(request, session)
    known = find_registration(session)
    teams = list_teams_down(session) if signs_up_teams(session) else None
    down = list_down(session) if teams is None else list_players_of(teams)
    players = free_players(session, down)
    settings, refused = RegistrationForm(instance=known, for_teams=teams is not None), False
    walks_in = WalkInForm(players=players) if teams is None else make_team_walk_in(session, players)
    if request.method == "POST" and request.POST.get("action") == "walk_in" and teams is not None:
        walks_in = make_team_walk_in(session, players, request.POST)
        if let_walk_in(request, session, walks_in):
            return redirect(f"{session_url('registration', session)}#walk-in")
        refused = True
    elif request.method == "POST" and request.POST.get("action") == "walk_in":
        walks_in = WalkInForm(request.POST, players=players)
        if walks_in.is_valid():
            asked, player = walks_in.asked, walks_in.player
            with refusals_in(walks_in):
                walk_in(session_id=session.pk, asked=asked, player=player, **signed(request))
                return redirect(f"{session_url('registration', session)}#walk-in")
    elif request.method == "POST":
        settings = RegistrationForm(request.POST, instance=known, for_teams=teams is not None)
        if settings.is_valid():
            given = dict(settings.cleaned_data)
            set_registration(session_id=session.pk, **signed(request), **given)
            return done(request, _("The settings of the registration are saved."), session_url("registration", session))
    context = context_of(session, known, down, query=request.GET.get("q", "").strip()[:MAX_NAME])
    add_fees(session, context["rows"])
    if teams is not None:
        context["teams"] = group_rows(session, teams, context["rows"])
        context |= {"for_teams": True, "next": None, "seats": count_present_teams(context["teams"])}
        if refused and isinstance(walks_in, TeamWalkInForm) and keep_typed(request, context["teams"], walks_in):
            walks_in = make_team_walk_in(session, players)
    context |= {
        "settings": settings,
        "walk_in": walks_in,
        "sends_mail": django_settings.MAIL,
        "page_link": link_to(request, session_url("sign_up", session)),
    }
    context["strikes"] = read_number(request.GET, "strike")
    return render(request, "sign_up/registration.html", context)


def free_players(session: Session, down: Sequence[ListedApplicant]) -> list[Player]:
    """Return the players of the club's list who have not signed up, in the order of names."""
    taken = [said_by(each.applicant) for each in down]
    by_words: dict[str, list[NewApplicant]] = {}
    for each in taken:
        by_words.setdefault(each.words, []).append(each)
    players = session.tournament.club.players.keep_listed()
    asked = {player: NewApplicant(player.last_name, player.first_name, player.licence) for player in players}
    return sort_by_name(
        player for player, own in asked.items() if not any(map(own.is_same, by_words.get(own.words, ())))
    )


def context_of(
    session: Session, known: Registration | None, down: Sequence[ListedApplicant], *, query: str
) -> dict[str, Any]:
    """Return the template context with the applicants, sorted by name.

    Applicants whose name and licence do not have all words of `query` are marked as hidden.
    """
    there = [each.applicant for each in down if each.applicant.present_at]
    club = session.tournament.club
    who = find_who(club, [applicant for applicant in there if applicant.player_id is None])
    rows = [
        {
            "applicant": each.applicant,
            "waits": each.waits,
            "twice": each.twice,
            "held": each.held,
            "who": found if (found := who.get(each.applicant.pk)) and found.doubtful else None,
            "hidden": not is_found(each.applicant, query),
        }
        for each in sorted(down, key=place_of)
    ]
    return {
        "session": session,
        "registration": known,
        "is_guessed": known is not None and find_full([count_of_session(session.pk)]) is not None,
        "rows": rows,
        "query": query,
        "found": sum(not row["hidden"] for row in rows),
        "next": find_next(down),
        "held": [each.applicant for each in down if each.held and each.applicant.captain_id is None],
        "senders": group_by_address(each.applicant for each in down),
        "withdrawn": list_withdrawn(session),
        "there": len(there),
        "seated": session.entrants.count() if not rows else 0,
        "doubts": sum(each.doubtful for each in who.values()),
    }


def group_by_address(down: Iterable[Applicant]) -> list[list[Applicant]]:
    """Return the applicants of today whom no director has accepted, in groups of one network address.

    In teams they are the captains. A group has at least two applicants.
    """
    groups = defaultdict[str, list[Applicant]](list)
    for each in down:
        if each.address_digest and each.captain_id is None and not (each.accepted_at or each.present_at):
            groups[each.address_digest].append(each)
    return [group for group in groups.values() if len(group) > 1]


def answer_all(request: HttpRequest, session: Session) -> HttpResponse:
    """Accept or refuse together the applicants whom the form names."""
    accepts = request.POST["action"] == "accept_all"
    told = {parse_number(each) for each in request.POST.getlist("applicant")}
    given: dict[str, Any] = {"session_id": session.pk, "by": author(request), "now": timezone.now()}
    count = answer_together(applicant_ids=told, accepts=accepts, **given)
    if accepts:
        message = ngettext("%(count)s registration is accepted.", "%(count)s registrations are accepted.", count)
    else:
        message = ngettext("%(count)s registration is refused.", "%(count)s registrations are refused.", count)
    return done_counted(request, message, count, session_url("registration", session))


def add_fees(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Add to each row whether the applicant has paid, and the fee that is proposed, if the club keeps a cash box."""
    if keeps_cash_box(session.tournament.club) and rows:
        payers = {each.applicant.pk: each for each in list_payers(session) if each.applicant is not None}
        for row in rows:
            if (payer := payers.get(row["applicant"].pk)) is not None:
                row |= {"fee": payer.fee, "paid": payer.payment is not None}


def place_of(listed: ListedApplicant) -> tuple[bool, str, str, int]:
    """Return the key by which the list is sorted: those who wait for the director first, then by the name."""
    applicant = listed.applicant
    return not listed.held, simplify_name(applicant.last_name), simplify_name(applicant.first_name), applicant.pk


def is_found(applicant: Applicant, query: str) -> bool:
    """Return whether the name and licence contain every word of the query, ignoring accents and case."""
    text = " ".join(words_of(f"{applicant.name} {applicant.licence}"))
    return all(word in text for word in words_of(query))


@session_page(Can.DIRECT, ACTION, phase=Phase.DRAFT, back="registration")
def applicant(request: HttpRequest, session: Session, applicant: int) -> HttpResponse:
    """Carry out the director's action on an applicant (`here`, `away`, `accept`, `decline`), or on a captain's team."""
    word, now = request.POST.get("word", ""), timezone.now()
    if word in ("here", "away"):
        check_in(session_id=session.pk, applicant_id=applicant, present=word == "here", now=now)
    elif word == "accept":
        accept_applicant(session_id=session.pk, applicant_id=applicant, now=now)
    elif word == "decline":
        decline(session_id=session.pk, applicant_id=applicant, by=author(request), now=now)
    else:
        change_team_at_door(request, session, applicant, word)
    return redirect(f"{session_url('registration', session)}#applicant-{applicant}")


@session_page(Can.DIRECT, ACTION, phase=Phase.DRAFT, back="registration")
def seat(request: HttpRequest, session: Session) -> HttpResponse:
    """Seat the applicants who are present.

    The form also says which player of the club's list a doubtful applicant is.
    """
    given: dict[str, Any] = {"session_id": session.pk, "answers": read_answers(request.POST)}
    given |= {"by": author(request), "now": timezone.now()}
    entrants = seat_present_teams(**given) if signs_up_teams(session) else seat_present(**given)
    if entrants and entrants[0].team_id is not None:
        told = ngettext("%(count)s team plays.", "%(count)s teams play.", len(entrants))
    else:
        told = ngettext("%(count)s player is seated.", "%(count)s players are seated.", len(entrants))
    return done_counted(request, told, len(entrants), session_url("entrants", session))


def read_answers(given: Mapping[str, str]) -> dict[int, int | None]:
    """Return which player each doubtful applicant is: the player's id, or None for a new player, by the applicant's id.

    Values that are not valid are ignored.
    """
    answers: dict[int, int | None] = {}
    for name, whom in given.items():
        applicant = parse_number(name.removeprefix("who-")) if name.startswith("who-") else 0
        player = parse_number(whom)
        if applicant and (player or whom == "new"):
            answers[applicant] = player or None
    return answers
