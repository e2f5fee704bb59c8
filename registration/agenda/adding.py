"""The search with which a director adds somebody: the club's players, then holders of licences who are not members.

The holders are on the federation's list that the club keeps. Every typed word must begin a word of the name, and two
letters are enough. The beginning of a licence is enough, too.
"""

import re
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Q, QuerySet

from clubs.models import Club, LicenceHolder, Player
from clubs.names import licence_key
from clubs.roster.lines import LICENCE
from registration.agenda.search import SearchText, by_fitness, match_words

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
    found = [tell_player(player) for player in search_by_name(club.players.real(), asked, "licence")]
    if len(found) < MOST and settings.LICENCE_SEARCH:
        licences = club.players.real().exclude(licence="").values_list("licence", flat=True)
        holders = LicenceHolder.objects.filter(list__club=club).exclude(key__in=set(map(licence_key, licences)))
        found += [tell_holder(holder, club) for holder in search_by_name(holders, asked, "key")]
    return found[:MOST]


def search_by_name(rows: QuerySet[Any], asked: SearchText, licence: str) -> QuerySet[Any]:
    """Return the rows that the text finds, the fittest first. `licence` is the column of licences."""
    is_licence = asked.is_enough and any(map(str.isdigit, asked.text))
    text = licence_key(asked.text) if licence == "key" else "".join(asked.text.split())
    found = match_words(asked) | (Q(**{f"{licence}__startswith": text}) if is_licence else Q(pk=None))
    return by_fitness(rows.filter(found), asked)[:MOST]


def tell_player(player: Player) -> FoundPerson:
    return FoundPerson(player.listed, list_facts(player), write_line(player), True, player.put_away_at is not None)


def tell_holder(holder: LicenceHolder, club: Club) -> FoundPerson:
    """Return a holder. The line has category and series, and the holder's club if it is another one."""
    told = {"category": holder.get_category_display(), "series": holder.series, "origin": holder.find_origin(club)}
    line = write_line(holder, [f"{LABELS[name]}: {value}" for name, value in told.items() if value])
    return FoundPerson(str(holder), [*list_facts(holder), *filter(None, [holder.club_name])], line)


def list_facts(who: Player | LicenceHolder) -> list[str]:
    return [*filter(None, [who.licence, who.get_series_display(), who.get_category_display()])]


def write_line(who: Player | LicenceHolder, told: list[str] | None = None) -> str:
    """Return somebody as a line of a list: "Dupont; Marie; 0012345; category: senior"."""
    licence = who.licence if LICENCE.match(who.licence) else ""
    parts = (who.last_name, who.first_name, licence, *(told or ()))
    return "; ".join(text for part in parts if (text := " ".join(SEPARATORS.sub(" ", part).split())))
