"""The first page and a club's page: coming evenings, the latest rankings, and links to everything else."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from clubs.house import list_clubs_by_name, settings_of
from clubs.models import Club, ClubLogo, Player, Season, User
from clubs.names import simplify_name
from clubs.roles import clubs_of
from evenings.practice import find_practice
from evenings.sessions.lists import (
    find_present_season,
    seasons_of,
    session_of_the_night,
    sessions_page,
    sessions_with_states,
    since_season,
    tournaments_page,
)
from evenings.sessions.put_away import sessions_with_results
from pages.everybody import answer_everybody, open_club, read_page_number, show_to_everybody, told_of
from pages.first_steps import linked_steps, mark_way
from pages.public.sitemap import let_list
from rankings.events.publishing import TOURNAMENTS
from rankings.listing import RankingEvent, find_latest_events, read_all_podiums
from rankings.publication.newest import latest_publications
from rankings.publication.order import PodiumStep
from registration.agenda.events import next_events, next_of_club, over_clubs, read_tournament_lines, today_in
from registration.agenda.search import with_pages
from registration.people.cuts import list_rounds
from tournaments.models import Tournament
from tournaments.permissions import Can, get_tournament_for, power_of, require_found
from tournaments.versions import is_over
from tournaments.words.format_cards import CARDS

NEXT, LAST = 6, 4  # coming evenings and podiums on the first page
CLUBS_SHOWN = 12  # clubs that are listed before the reader unfolds the list
NEXT_OF_CLUB, LAST_OF_CLUB, LAST_OF_TOURNAMENT = 6, 3, 2
MEMBERS = 60  # rankings on one page
SEASONS_SHOWN = 4  # seasons to which a club's page links; its page of all seasons links to all
ALL_SEASONS = "all"  # the value of the parameter in the address for all seasons


class FrontRanking(NamedTuple):
    """An event with a published ranking, and its podium."""

    event: RankingEvent
    podium: Sequence[PodiumStep]


def say_form(tournament: Tournament) -> str:
    """Return the form of play, with a capital: alone or in teams, and the contract."""
    return capfirst(str(CARDS[tournament.format].told) % {"form": tournament.get_format_display()})


def with_podiums(events: Sequence[RankingEvent]) -> list[FrontRanking]:
    podiums = read_all_podiums([each.version for each in events])
    return [FrontRanking(each, podiums[each.version]) for each in events]


def told_of_rankings(events: Sequence[RankingEvent], now: dt.datetime) -> list[Any]:
    """Return all data of the shown rankings that can change. When a player's name changes, `names_version` changes."""
    return [(*each.told, is_over(each.version, now)) for each in events]


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    listed = list_clubs_by_name()
    clubs, zones = [(slug, name) for slug, name, _zone in listed], {zone for *_club, zone in listed}
    events, latest = next_events(over_clubs(), now, NEXT, zones=zones), find_latest_events(LAST)
    context: dict[str, Any] = {
        "clubs": clubs[:CLUBS_SHOWN],
        "more_clubs": clubs[CLUBS_SHOWN:],
        "events": events,
    }

    def build(request: HttpRequest) -> HttpResponse:
        if isinstance(request.user, User):
            context["tonight"] = session_of_the_night(request.user, date=today_in(None, now))
            context["my_clubs"] = list(clubs_of(request.user))
        return render(request, "public/home.html", context | {"rankings": with_podiums(latest)})

    told = (today_in(None, now), clubs, events, told_of_rankings(latest, now))
    return answer_everybody(request, told, build)


@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    found, now = open_club(request, club), timezone.now()
    directs = power_of(request.user, found) >= Can.DIRECT
    seasons, house = seasons_of(found), settings_of(found)
    choice = SeasonChoice.read(request.GET.get("season", ""), seasons, today_in(found.zone, now))
    shown = tournaments_page(found, choice.which, page=read_page_number(request))
    events, latest = next_of_club(found, now, NEXT_OF_CLUB), find_latest_events(LAST_OF_CLUB, club=found)
    lines = read_tournament_lines(shown.tournaments, found, now)
    context: dict[str, Any] = {
        "club": found,
        "choice": choice,
        "lines": lines,
        "shown": shown,
        "events": events,
        "directs": directs,
        "house": house,
        "logo": ClubLogo.objects.filter(club=found).values_list("digest", flat=True).first(),
        "members": members_of(found).count() if house.shows_members else 0,
    }
    if directs:
        steps = linked_steps(found)
        mark_way(request, found, on=bool(steps))
        context |= {
            "steps": steps,
            "practice": find_practice(found),
            "away": found.tournaments.exclude(put_away_at=None),
        }

    def build(request: HttpRequest) -> HttpResponse:
        return render(request, "public/club.html", context | {"rankings": with_podiums(latest)})

    told = (
        told_of([found, house, *seasons]),
        [(told_of([each.tournament]), each.tournament.total, each.next, each.last) for each in lines],  # type: ignore[attr-defined]
        (shown.number, shown.pages, today_in(found.zone, now)),
        (events, told_of_rankings(latest, now), context["logo"], context["members"]),
    )
    asked = {"season": choice.asked, "page": str(shown.number) if shown.number > 1 else ""}
    return let_list(answer_everybody(request, told, build, asked), house.indexed)


@require_safe
def tournament(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    found = get_tournament_for(request.user, Can.READ, club__slug=club, slug=tournament)
    shown, house = sessions_page(found, read_page_number(request)), settings_of(found.club)
    newest = found.publications.defer("data", "frozen").order_by("-version")[:1]
    ranking = next(iter(TOURNAMENTS.drop_held(list(newest))), None)
    publications = latest_publications(LAST_OF_TOURNAMENT, tournament=found) if shown.number == 1 else []
    latest = [RankingEvent(each, each.session.date) for each in publications]
    has_rounds = any(getattr(each, "by_cut", False) for each in [*shown.sessions, *shown.ahead])
    rounds = list_rounds(found.pk) if has_rounds else []
    context: dict[str, Any] = {
        "club": found.club,
        "tournament": found,
        "shown": shown,
        "rounds": rounds,
        "newest_ranking": ranking,
    }
    if power_of(request.user, found.club) >= Can.DIRECT:
        context |= {
            "directs": True,
            "away": sessions_with_states(away=True).filter(tournament=found),
            "deletable": not sessions_with_results().filter(tournament=found).exists(),
        }
    told = (
        told_of([found, found.club, *shown.sessions, *shown.ahead]),
        (found.season and found.season.name, shown.total, shown.pages, house.indexed, rounds),
        told_of_rankings(latest, timezone.now()),
        ranking and (ranking.pk, is_over(ranking, timezone.now())),
    )
    asked = {"page": str(shown.number) if shown.number > 1 else ""}

    def build(request: HttpRequest) -> HttpResponse:
        joined = {"form": say_form(found), "rankings": with_podiums(latest)}
        return render(request, "public/tournament.html", context | joined)

    return let_list(answer_everybody(request, told, build, asked), house.indexed)


class SeasonChoice(NamedTuple):
    """The season that a club's page shows.

    If the reader has chosen none, it is the present season, and later seasons are listed with it. `asked` is the choice
    in the address: "", ALL_SEASONS, or the id of a season. `seasons` are all seasons of the club.
    """

    asked: str
    season: Season | None
    present: Season | None
    seasons: list[Season]

    @classmethod
    def read(cls, asked: str, seasons: list[Season], today: dt.date) -> Self:
        """Read the choice from the address. Raise Http404 if the club does not have that season."""
        present = find_present_season(seasons, today)
        if asked in ("", ALL_SEASONS):
            return cls(asked, None if asked else present, present, seasons)
        return cls(
            asked, require_found(next((each for each in seasons if str(each.pk) == asked), None)), present, seasons
        )

    @property
    def which(self) -> Q | None:
        """The query condition for the tournaments to list, or None for all."""
        if self.season is None:
            return None
        return Q(season=self.season) if self.asked else since_season(self.season)

    @property
    def listed(self) -> list[Season]:
        """The seasons to link to: all of them if all are shown, otherwise the newest ones and the chosen one."""
        if self.asked == ALL_SEASONS:
            return self.seasons
        return [each for place, each in enumerate(self.seasons) if place < SEASONS_SHOWN or each == self.season]

    @property
    def older(self) -> Season | None:
        """The season with tournaments before the one that is shown."""
        if self.season is None:
            return None
        before = self.seasons[self.seasons.index(self.season) + 1 :]
        return next((each for each in before if each.is_used), None)  # type: ignore[attr-defined]

    @property
    def older_url(self) -> str:
        """The link to the season before, or ""."""
        return f"?season={self.older.pk}" if self.older else ""


def members_of(club: Club) -> QuerySet[Player]:
    """Return the players of the club's list who are shown by name."""
    return club.players.keep_named().filter(put_away_at=None)


def in_order(members: QuerySet[Player]) -> list[tuple[str, int]]:
    """Return (name, id of the player) for each member, by family name. The id is 0 if the player has no page.

    Python sorts the names, because databases sort accents differently. This makes one query.
    """
    rows = with_pages(members).values_list("last_name", "first_name", "pk", "has_page")
    listed = sorted(rows, key=lambda row: (simplify_name(row[0]), simplify_name(row[1]), row[2]))
    return [(f"{last} {first}".strip(), pk if has_page else 0) for last, first, pk, has_page in listed]


@require_safe
def members(request: HttpRequest, club: str) -> HttpResponse:
    found = open_club(request, club)
    if not settings_of(found).shows_members:
        raise Http404
    names = in_order(members_of(found))
    page = Paginator(names, MEMBERS).get_page(read_page_number(request))
    told = (found.name, len(names), page.object_list)
    asked = {"page": str(page.number) if page.number > 1 else ""}
    build = show_to_everybody("public/front/members.html", {"club": found, "page": page})
    return answer_everybody(request, told, build, asked)
