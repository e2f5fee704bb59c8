"""The pages of a club with ten seasons, beside those of a club with one.

    python -m bench.seasons [--seasons 10] [--evenings 20] [--rounds 20] [--folder FOLDER]

Two clubs play the same evenings with players of the same names: one club for one season, the other for ten. Each page
is then built for both clubs in turn, without cached pages. Only processor time counts, and the median of each. The exit
code is 1 if, in the club with ten seasons, a page makes more queries or takes more than 10 % longer.
The clubs played in a FOLDER stay there, and the next run with it only measures.

Then championships are measured: one of a club in its first season, one in its tenth, and one of fifty clubs in
their tenth. Behind these two lie nine seasons of evenings and ended championships. The job that computes the
standings from nothing, and the pages, are compared with those of the first. The championship of fifty clubs has fifty
times as many players and results, so its time is divided by that. `--only-series` leaves the pages of clubs out.
"""

import argparse
import datetime as dt
import sys
from collections.abc import Callable
from typing import Any

from bench.site import new_place, set_up

AT_MOST = 1.10
MOST_OF_A_LIST = 2.5  # the list with ten championships, beside that with one: it has ten times as many rows
LIST = "championships"
CLUBS, EVENINGS, PLAYERS = 50, 4, 20  # of a championship: the evenings of each club in a season, and their players
TABLES = 5
YOUNG, OLD = "jeune", "ancien"  # the slugs of the clubs


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seasons", type=int, default=10)
    parser.add_argument("--evenings", type=int, default=20, help="of each season")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--only-series", action="store_true", help="measure only championships")
    parser.add_argument("--folder", help="keep the clubs here, and measure them again without playing")
    args = parser.parse_args()
    with new_place(args.folder):
        set_up()
        from django.db import transaction

        from clubs.models import Club

        missed = []
        if not args.only_series:
            if not Club.objects.filter(slug=OLD).exists():
                with transaction.atomic():
                    make_club_of(YOUNG, 1, args.evenings)
                    make_club_of(OLD, args.seasons, args.evenings)
            young, old = pages_of(YOUNG), pages_of(OLD)
            missed += [compare(name, young[name], old[name], args.rounds) for name in young]
        missed += measure_series(args.seasons, args.rounds)
    return int(any(missed))


def compare(
    name: str,
    young: Callable[[], int],
    old: Callable[[], int],
    rounds: int,
    *,
    at_most: float = AT_MOST,
    share: int = 1,
    more: int = 0,
) -> bool:
    """Print the figures of a page in both clubs. Return whether the club with more seasons needs more than allowed.

    `share` is how many times as much the old one has to do: its time is divided by it. It may make `more` queries.
    """
    from bench.evening import medians

    queries = young(), old()
    taken = medians({"young": young, "old": old}, rounds)
    ratio = taken["old"] / taken["young"] / share
    missed = queries[1] > queries[0] + more or ratio > at_most
    sys.stdout.write(
        f"{name:26}{queries[0]:4} → {queries[1]:<4} queries{1000 * taken['young']:8.1f} ms"
        f"{1000 * taken['old']:9.1f} ms{ratio:7.2f}   goal ≤ {at_most:g}{'   missed' if missed else ''}\n"
    )
    return missed


def measure_series(seasons: int, rounds: int) -> list[bool]:
    """Print the figures of three championships. Return for each whether it misses its goal."""
    from django.db import transaction

    from tournaments.models import Series

    if not Series.objects.filter(club__slug="serie-50-0").exists():
        with transaction.atomic():
            for word, clubs, years in (("serie-1", 1, 1), ("serie-10", 1, seasons), ("serie-50", CLUBS, seasons)):
                make_series_of(word, clubs, years)
    one, ten, fifty = (steps_of_series(f"{word}-0") for word in ("serie-1", "serie-10", "serie-50"))
    missed = []
    for words, others in (("", ten), (f", {CLUBS} clubs", fifty)):
        for name in one:
            is_list = name == LIST
            at_most, share = MOST_OF_A_LIST if is_list else AT_MOST, CLUBS if words else 1
            more = 3 * is_list  # without an ended championship nothing is read about champions
            missed.append(
                compare(name + words, one[name], others[name], rounds, at_most=at_most, share=share, more=more)
            )
    return missed


def make_series_of(word: str, clubs: int, seasons: int) -> None:
    """Make clubs with a championship over all of them in each season: the last one under way, the others official."""
    from django.utils import timezone

    from rankings.series.computing import refresh_series
    from rankings.series.publishing import SERIES_OF_CLUBS
    from rankings.series.setup import SeriesGiven, create_series
    from tests.factories import make_club, make_director, make_tournament
    from tests.rankings.series.seasons import hold, name_players
    from tournaments.models import SeriesClub
    from tournaments.rules.series import SeriesSettings
    from tournaments.versions import DirectorWord

    now = timezone.now()
    there = [make_club(f"{word}-{number}", f"Club {word} {number}") for number in range(clubs)]
    director = make_director(there[0], f"directrice-{word}")
    people = [name_players(club, *(f"Nom{place:02}" for place in range(PLAYERS))) for club in there]
    figures = [80 - 3 * place for place in range(PLAYERS)]
    for season in reversed(range(seasons)):
        first = dt.date(2026 - season, 9, 1)
        for number, club in enumerate(there):
            tournament = make_tournament(club, name=f"Jeudis {first.year}")
            for week in range(EVENINGS):
                order = [*people[number][week:], *people[number][:week]]
                brought = [figure + number / 100 for figure in figures]  # so that few players are equal
                hold(tournament, first + dt.timedelta(weeks=week), dict(zip(order, brought, strict=True)))
        last = first + dt.timedelta(days=300)
        given = SeriesGiven(f"Challenge {first.year}", first, last, SeriesSettings(best_of=3))
        series = create_series(club=there[0], given=given, by=director, now=now)
        SeriesClub.objects.bulk_create(
            SeriesClub(series=series, club=club, asked_at=now, asked_by=director, agreed_at=now) for club in there[1:]
        )
        refresh_series(series.pk, now=now)
        if season:
            SERIES_OF_CLUBS.publish(series.pk, DirectorWord(director, now))
            SERIES_OF_CLUBS.make_official(series.pk, DirectorWord(director, now))


def steps_of_series(slug: str) -> dict[str, Callable[[], int]]:
    """Return the functions that are measured about the newest championship of a club. Each counts its queries."""
    from django.core.cache import caches
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import reverse
    from django.utils import timezone

    from rankings.series.computing import refresh_series
    from tournaments.models import Series, SeriesStandings

    series = Series.objects.filter(club__slug=slug).latest("starts_on")
    place = [slug, series.slug]
    reader = Client()

    def compute() -> int:
        SeriesStandings.objects.filter(pk=series.pk).update(basis={})
        with CaptureQueriesContext(connection) as asked:
            assert refresh_series(series.pk, now=timezone.now())
        return len(asked)

    def page(address: str) -> Callable[[], int]:
        def build() -> int:
            for cache in caches.all(initialized_only=True):
                cache.clear()
            with CaptureQueriesContext(connection) as asked:
                answer = reader.get(address)
            assert answer.status_code == 200, (address, answer.status_code)
            return len(asked)

        return build

    player = series.club.players.earliest("pk").pk
    return {
        "job of a series": compute,
        "its ranking": page(reverse("series", args=place)),
        "its player": page(reverse("series_player", args=[*place, player])),
        LIST: page(reverse("series_list", args=[slug])),
    }


def play(tournament: Any, players: list[int], director: Any, night: dt.datetime) -> None:
    """Play an evening of five positions, and publish it."""
    from deals.sets import create_deal_set
    from evenings.plans.starting import start_session
    from evenings.sessions.setup import create_session, seats_in_order, set_entrants, use_deal_set
    from jobs.demo.club import enter_in_bulk, make_official_in_time
    from rankings.publication.publishing import SESSIONS
    from tournaments.versions import DirectorWord

    session = create_session(tournament=tournament, date=night.date(), positions=5, etuis_per_position=4)
    set_entrants(session_id=session.pk, seats=seats_in_order(players))
    named = {"club": tournament.club, "name": f"{night:%Y-%m-%d}", "now": night, "by": None}
    use_deal_set(session_id=session.pk, deal_set=create_deal_set(count=4 * TABLES, **named))
    start_session(session_id=session.pk, by=director, now=night)
    enter_in_bulk(session, {pk: float(place) for place, pk in enumerate(players)}, by=director, now=night)
    SESSIONS.publish(session.pk, DirectorWord(director, night))
    make_official_in_time(session)


def make_club_of(slug: str, seasons: int, evenings: int) -> None:
    """Play the seasons of a new club."""
    from clubs.models import Season
    from evenings.practice import PLAYERS
    from jobs.demo.club import add_listed
    from rankings.careers.keeping import refresh
    from tests.factories import make_club, make_director
    from tournaments.models import Session, Tournament

    club = make_club(slug, slug.capitalize())
    director = make_director(club, f"directrice-{slug}")
    players = add_listed(club, PLAYERS)[: 4 * TABLES]
    for place in reversed(range(seasons)):
        start = dt.date(2025 - place, 9, 1)
        end = start.replace(year=start.year + 1) - dt.timedelta(days=1)
        season = Season.objects.create(club=club, name=f"{start.year}", starts_on=start, ends_on=end)
        night = dt.datetime.combine(start, dt.time(23), dt.UTC)
        tournament = Tournament.objects.create(
            club=club, season=season, name=f"Saison {start.year}", slug=f"s-{start.year}", created_at=night
        )
        for _week in range(evenings):
            night += dt.timedelta(weeks=1)
            play(tournament, [player.pk for player in players], director, night)
    for number in Session.objects.filter(tournament__club=club).values_list("pk", flat=True):
        refresh(number)


def pages_of(slug: str) -> dict[str, Callable[[], int]]:
    """Return a function for each page of a club: it builds the page and counts its queries."""
    from django.core.cache import caches
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import reverse

    from clubs.models import Player, User
    from tournaments.models import Tournament

    director = User.objects.get(username=f"directrice-{slug}")
    tournament = Tournament.objects.filter(club__slug=slug).latest("season__starts_on")
    players = Player.objects.filter(club__slug=slug).order_by("pk")[:2]
    session = tournament.sessions.order_by("-number")[0]
    reader, logged_in = Client(), Client()
    logged_in.force_login(director)
    of_session = (slug, tournament.slug, session.number)
    entrant = session.entrants.earliest("pk")
    public: dict[str, tuple[str, tuple[Any, ...]]] = {
        "club": ("club", (slug,)),
        "tournament": ("tournament", (slug, tournament.slug)),
        "ranking": ("ranking", of_session),
        "feuille": ("feuille", (*of_session, 1, entrant.pk)),
        "étuis": ("published_etuis", (*of_session, 1)),
        "player": ("player", (players[0].pk,)),
        "head to head": ("head_to_head", (players[0].pk, players[1].pk)),
    }
    directed = {
        "players": ("players", (slug,)),
        "session": ("session", of_session),
        "standings": ("standings", of_session),
        "settings": ("club_settings", (slug,)),
        "étui sets": ("deal_sets", (slug,)),
    }

    def page(client: Client, address: str) -> Callable[[], int]:
        def build() -> int:
            for cache in caches.all(initialized_only=True):
                cache.clear()
            with CaptureQueriesContext(connection) as asked:
                answer = client.get(address)
            assert answer.status_code == 200, (address, answer.status_code)
            return len(asked)

        return build

    return {
        name: page(client, reverse(view, args=args))
        for client, views in ((reader, public), (logged_in, directed))
        for name, (view, args) in views.items()
    }


if __name__ == "__main__":
    sys.exit(main())
