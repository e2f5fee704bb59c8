"""Players, clubs and tournaments by a name that is typed, its accents forgotten: each of its words begins one of the
name's. Reads only; finds nobody who is not shown by name, and nothing that is not public.

First comes what has the very words, then what begins with them, then the rest, each in the order of names.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Case, Exists, IntegerField, Min, OuterRef, Prefetch, Q, QuerySet, Value, When
from django.db.models.functions import Length

from clubs.models import Club, Player
from clubs.names import words_of
from tournaments.models import Appearance, PublishedPlayer, Tournament

MOST_TYPED, MOST_WORDS = 80, 8
LEAST = 2  # letters, all words together
A_PAGE = 20
PLAYERS, CLUBS, TOURNAMENTS = KINDS = ("players", "clubs", "tournaments")


class Asked(NamedTuple):
    """What was typed, as it is shown again, and its words as names are compared."""

    text: str
    words: list[str]

    @property
    def folded(self) -> str:
        return "".join(f" {word}" for word in self.words)

    @property
    def is_enough(self) -> bool:
        return sum(map(len, self.words)) >= LEAST


@dataclass(frozen=True, slots=True)
class Hit:
    """`about`: what tells it from another of its name: a player's clubs, a tournament's club and season. `key`: the
    player's number, where he has a page of his own."""

    name: str
    about: str
    key: int = 0
    club: str = ""
    tournament: str = ""


@dataclass(frozen=True, slots=True)
class Hits:
    """One page of what was found of a kind; pages count from 1."""

    kind: str
    count: int
    hits: list[Hit]
    number: int
    pages: int


def read_asked(typed: str) -> Asked:
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in typed[:MOST_TYPED]).split())
    return Asked(text, words_of(text)[:MOST_WORDS])


def search(asked: Asked, kind: str, page: int = 1) -> Hits:
    """Two queries, and one for the clubs of players, whatever is found."""
    finder = FINDERS[kind]
    found = finder.rows(asked)
    count = found.count()
    pages = max(1, -(-count // A_PAGE))
    number = min(max(page, 1), pages)
    rows = by_fitness(found, asked)[(number - 1) * A_PAGE : number * A_PAGE]
    return Hits(kind, count, [finder.tell(row) for row in rows], number, pages)


def matching(asked: Asked) -> Q:
    """Rows in whose name each of the words begins a word; none for too little."""
    found = Q() if asked.is_enough else Q(pk=None)
    for word in asked.words:
        found &= Q(folded__contains=f" {word}")
    return found


def by_fitness(rows: QuerySet[Any], asked: Asked) -> QuerySet[Any]:
    same = When(folded_length=len(asked.folded), then=Value(0))  # in whatever order: each word begins one of them
    begins = When(folded__startswith=asked.folded, then=Value(1))
    fitness = Case(same, begins, default=Value(2), output_field=IntegerField())
    fitting: QuerySet[Any] = rows.annotate(folded_length=Length("folded"), fitness=fitness)
    return fitting.order_by("fitness", "folded", "pk")


def find_players(asked: Asked) -> QuerySet[Player]:
    """One row of each person: his first that fits."""
    fitting = public_players().filter(matching(asked)).order_by()
    first = fitting.values("person").annotate(first=Min("pk")).values("first")
    clubs = public_players().select_related("club").order_by("pk")
    joined = with_pages(Player.objects.filter(pk__in=first)).select_related("club", "person")
    return joined.prefetch_related(Prefetch("person__players", queryset=clubs, to_attr="shown_in"))


def with_pages(players: QuerySet[Player]) -> QuerySet[Any]:
    """Each with `has_page`, of a name that is shown: whether something published has him."""
    return players.annotate(has_page=Exists(PublishedPlayer.objects.filter(player__person=OuterRef("person"))))


def public_players() -> QuerySet[Player]:
    """Who is shown by name and stands in what readers may have, or on a list of members that his club shows: nobody is
    public by being on a club's list alone."""
    own = Appearance.objects.filter(player=OuterRef("pk"))
    of_merged = Player.objects.filter(Exists(own), merged_into=OuterRef("pk"))
    public = Exists(own) | Exists(of_merged) | Q(club__house__shows_members=True, put_away_at=None)
    return Player.objects.named().filter(public).exclude(club__house__listed=False)


def tell_player(player: Player) -> Hit:
    clubs = dict.fromkeys(each.club.name for each in player.person.shown_in)  # type: ignore[attr-defined]
    key = player.pk if player.has_page else 0  # type: ignore[attr-defined]
    return Hit(player.name, ", ".join(clubs) or player.club.name, key=key)


def find_clubs(asked: Asked) -> QuerySet[Club]:
    return Club.objects.exclude(house__listed=False).filter(matching(asked))


def tell_club(club: Club) -> Hit:
    return Hit(club.name, "", club=club.slug)


def find_tournaments(asked: Asked) -> QuerySet[Tournament]:
    public = Tournament.objects.filter(put_away_at=None, club__practice_of=None).exclude(club__house__listed=False)
    return public.filter(matching(asked)).select_related("club", "season")


def tell_tournament(tournament: Tournament) -> Hit:
    season = f" · {tournament.season.name}" if tournament.season else ""
    return Hit(
        tournament.name, f"{tournament.club.name}{season}", club=tournament.club.slug, tournament=tournament.slug
    )


class Finder(NamedTuple):
    """How rows of a kind are found, and told."""

    rows: Callable[[Asked], QuerySet[Any]]
    tell: Callable[[Any], Hit]


FINDERS = {
    PLAYERS: Finder(find_players, tell_player),
    CLUBS: Finder(find_clubs, tell_club),
    TOURNAMENTS: Finder(find_tournaments, tell_tournament),
}
