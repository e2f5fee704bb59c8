"""The search for players, clubs and tournaments by name, and the one with which a director adds somebody.

The module only reads. It finds only players who are shown by name and only what is public. Names that have exactly the
typed words come first, then names that begin with the typed text, then all others. Each of these groups is sorted by
name.

The holders are on the federation's list that the club keeps. Every typed word must begin a word of the name, and two
letters are enough. The beginning of a licence is enough, too.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db.models import Case, Exists, IntegerField, Min, OuterRef, Prefetch, Q, QuerySet, Value, When
from django.db.models.functions import Length

from clubs.models import Club, LicenceHolder, Player, real_clubs
from clubs.names import licence_key, words_of
from clubs.roster.lines import LICENCE
from tournaments.models import Appearance, PublishedPlayer, Tournament

MOST_TYPED, MOST_WORDS = 80, 8
LEAST = 2  # letters that must be typed
A_PAGE = 20
PLAYERS, CLUBS, TOURNAMENTS = KINDS = ("players", "clubs", "tournaments")


class SearchText(NamedTuple):
    """A typed text: the text to show again, and its words in the simplified form of stored names."""

    text: str
    words: list[str]

    @property
    def folded(self) -> str:
        """The words as they stand in the column `folded`: each with a space before it."""
        return "".join(f" {word}" for word in self.words)

    @property
    def is_enough(self) -> bool:
        """True if the text has enough letters to search for."""
        return sum(map(len, self.words)) >= LEAST


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One result of a search.

    `about` tells results with the same name apart: a player's clubs, a tournament's club and season. `key` is the
    player's id if the player has a page, else 0. `club` and `tournament` are the parts of the address (slugs).
    """

    name: str
    about: str
    key: int = 0
    club: str = ""
    tournament: str = ""


def read_asked(typed: str) -> SearchText:
    """Return the typed text as a search text, without unprintable letters and cut to a fixed length."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in typed[:MOST_TYPED]).split())
    return SearchText(text, words_of(text)[:MOST_WORDS])


def search(asked: SearchText, kind: str, number: int = 1) -> Page[SearchHit]:
    """Return a page of the results of one kind. This takes two queries, and a third one for the clubs of players."""
    page = Paginator(by_fitness(FINDERS[kind](asked), asked), A_PAGE).get_page(number)
    page.object_list = [tell_hit(row) for row in page]
    return page


def match_words(asked: SearchText) -> Q:
    """Return the condition of a query for names: each typed word is the beginning of a word of the name.

    A text that is too short matches no name.
    """
    condition = Q() if asked.is_enough else Q(pk=None)
    for word in asked.words:
        condition &= Q(folded__contains=f" {word}")
    return condition


def by_fitness(rows: QuerySet[Any], asked: SearchText) -> QuerySet[Any]:
    """Return the rows in the order in which results are shown. The module's docstring describes the order."""
    same = When(folded_length=len(asked.folded), then=Value(0))  # the same words in any order
    begins = When(folded__startswith=asked.folded, then=Value(1))
    fitness = Case(same, begins, default=Value(2), output_field=IntegerField())
    fitting: QuerySet[Any] = rows.annotate(folded_length=Length("folded"), fitness=fitness)
    return fitting.order_by("fitness", "folded", "pk")


def find_players(asked: SearchText) -> QuerySet[Player]:
    """Return one row for each person that matches: the person's first matching player."""
    fitting = public_players().filter(match_words(asked)).order_by()
    first = fitting.values("person").annotate(first=Min("pk")).values("first")
    clubs = public_players().select_related("club").order_by("pk")
    joined = with_pages(Player.objects.filter(pk__in=first)).select_related("club", "person")
    return joined.prefetch_related(Prefetch("person__players", queryset=clubs, to_attr="shown_in"))


def with_pages(players: QuerySet[Player]) -> QuerySet[Any]:
    """Return the players with `has_page` added: True if a publication contains the person."""
    return players.annotate(has_page=Exists(PublishedPlayer.objects.filter(player__person=OuterRef("person"))))


def public_players() -> QuerySet[Player]:
    """Return the players who are shown by name and who are public.

    A player is public if a publication contains the player, or if the club shows its list of members. A list that the
    club does not show makes nobody public.
    """
    own = Appearance.objects.filter(player=OuterRef("pk"))
    of_merged = Player.objects.filter(Exists(own), merged_into=OuterRef("pk"))
    public = Exists(own) | Exists(of_merged) | Q(club__house__shows_members=True, put_away_at=None)
    return Player.objects.keep_named().filter(public).exclude(club__house__listed=False)


def find_clubs(asked: SearchText) -> QuerySet[Club]:
    return Club.objects.exclude(house__listed=False).filter(match_words(asked))


def find_tournaments(asked: SearchText) -> QuerySet[Tournament]:
    public = Tournament.objects.filter(real_clubs("club"), put_away_at=None).exclude(club__house__listed=False)
    return public.filter(match_words(asked)).select_related("club", "season")


FINDERS: dict[str, Callable[[SearchText], QuerySet[Any]]] = {
    PLAYERS: find_players,
    CLUBS: find_clubs,
    TOURNAMENTS: find_tournaments,
}


def tell_hit(row: Player | Club | Tournament) -> SearchHit:
    """Return a row that was found as a result."""
    if isinstance(row, Club):
        return SearchHit(row.name, "", club=row.slug)
    if isinstance(row, Tournament):
        season = f" · {row.season.name}" if row.season else ""
        return SearchHit(row.name, f"{row.club.name}{season}", club=row.club.slug, tournament=row.slug)
    clubs = dict.fromkeys(each.club.name for each in row.person.shown_in)  # type: ignore[attr-defined]
    key = row.pk if row.has_page else 0  # type: ignore[attr-defined]
    return SearchHit(row.name, ", ".join(clubs) or row.club.name, key=key)


MOST = 12
SEPARATORS = re.compile(r"[;,\t]")
LABELS = {name: Player._meta.get_field(name).verbose_name for name in ("category", "series", "origin")}  # type: ignore[union-attr]


class FoundPerson(NamedTuple):
    """A person that the search finds. `is_away` is true for a player of the club who was put away.

    `facts` are licence, series, category and club. `line` is the text that the readers of names read as this person.
    """

    name: str
    facts: list[str]
    line: str
    is_member: bool = False
    is_away: bool = False


def find_people(club: Club, asked: SearchText) -> list[FoundPerson]:
    """Return at most MOST people whose name or licence begins with the typed text. This takes at most three queries."""
    found: list[Player | LicenceHolder] = [*search_by_name(club.players.real(), asked, "licence")]
    if len(found) < MOST and settings.LICENCE_SEARCH:
        licences = club.players.real().exclude(licence="").values_list("licence", flat=True)
        holders = LicenceHolder.objects.filter(list__club=club).exclude(key__in=set(map(licence_key, licences)))
        found += search_by_name(holders, asked, "key")
    return [tell_person(who, club) for who in found[:MOST]]


def search_by_name(rows: QuerySet[Any], asked: SearchText, licence: str) -> QuerySet[Any]:
    """Return the rows that the text finds, the fittest first. `licence` is the column of licences."""
    is_licence = asked.is_enough and any(map(str.isdigit, asked.text))
    text = licence_key(asked.text) if licence == "key" else "".join(asked.text.split())
    condition = match_words(asked) | (Q(**{f"{licence}__startswith": text}) if is_licence else Q(pk=None))
    return by_fitness(rows.filter(condition), asked)[:MOST]


def tell_person(who: Player | LicenceHolder, club: Club) -> FoundPerson:
    """Return somebody as a result. The line of a holder has category and series, and the club if it is another one."""
    if isinstance(who, Player):
        return FoundPerson(who.listed, list_facts(who), write_line(who), True, who.put_away_at is not None)
    facts = {"category": who.get_category_display(), "series": who.series, "origin": who.find_origin(club)}
    line = write_line(who, [f"{LABELS[name]}: {value}" for name, value in facts.items() if value])
    return FoundPerson(str(who), list_facts(who), line)


def list_facts(who: Player | LicenceHolder) -> list[str]:
    """Return licence, series, category and, of a holder, the club, without those that are empty."""
    club = who.club_name if isinstance(who, LicenceHolder) else ""
    return [str(told) for told in (who.licence, who.get_series_display(), who.get_category_display(), club) if told]


def write_line(who: Player | LicenceHolder, told: list[str] | None = None) -> str:
    """Return somebody as a line of a list: "Dupont; Marie; 0012345; category: senior"."""
    licence = who.licence if LICENCE.match(who.licence) else ""
    parts = (who.last_name, who.first_name, licence, *(told or ()))
    return "; ".join(text for part in parts if (text := " ".join(SEPARATORS.sub(" ", part).split())))
