"""The navigation of a place: a club, a tournament or a session has at most five parts, and each part has its pages.

The bar of a place is the same on all of its pages. Its sheet lists every page. This module has the pages of clubs;
`format_places` has those of tournaments and sessions, which depend on the form of play.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pages.parts.form_parts import CLUB_SETTINGS
from tournaments.permissions import Can


class PlaceFacts(NamedTuple):
    """The facts that decide which pages a place has.

    - `power`: the permission level of the reader in the club.
    - `draft`, `ranked`: the session has not started; a ranking of it is published.
    - `etuis`: the version whose étuis readers see, or None.
    - `cash`, `phones`: the club keeps a cash box; the tables have phones.
    - `practice`: the club is for practice.
    """

    power: Can
    draft: bool = False
    ranked: bool = False
    etuis: int | None = None
    cash: bool = False
    phones: bool = False
    practice: bool = False


@dataclass(frozen=True, slots=True)
class PlacePage:
    """A page of a place.

    - `name`: the name of its address. `also`: the names of the addresses below it, on which it is the current page.
    - `need`: the permission level that its door asks for.
    - `when`: whether the place has the page; without it, always. `last`: the further argument of its address, if any.
    """

    name: str
    label: str | Promise
    need: Can = Can.DIRECT
    also: tuple[str, ...] = ()
    when: Callable[[PlaceFacts], bool] | None = None
    last: Callable[[PlaceFacts], int | None] | None = None


@dataclass(frozen=True, slots=True)
class PlacePart:
    """A part of a place, with its pages. Without `on_phone`, a phone shows it in the sheet only."""

    label: str | Promise
    pages: tuple[PlacePage, ...]
    on_phone: bool = True


def is_real(facts: PlaceFacts) -> bool:
    """Return whether the club is a real one, which has more pages than a club for practice."""
    return not facts.practice


class PlaceLink(NamedTuple):
    """A link of the bar or its sheet. `here`: it leads to the current page, or to one of the current part."""

    label: str | Promise
    url: str
    here: bool


class ShownPart(NamedTuple):
    """A part with the links to those of its pages that the reader may open."""

    link: PlaceLink
    pages: list[PlaceLink]
    on_phone: bool


class PlaceBar(NamedTuple):
    """The bar of a place: the parts, the pages of the current part, and what only the sheet has."""

    parts: list[ShownPart]
    pages: list[PlaceLink]
    more: list[PlaceLink]


CLUB = (
    PlacePart(
        _("Evenings"),
        (PlacePage("club", _("Evenings"), Can.READ, ("tournament_new", "members", "player_sign_up")),),
    ),
    PlacePart(
        _("Players"),
        (
            PlacePage(
                "players",
                _("Players"),
                also=(
                    *("club_player", "player_account", "player_merge", "player_person"),
                    *("player_export", "player_erase"),
                ),
            ),
            PlacePage("licences", _("Licences")),
            PlacePage("player_claims", _("Accounts")),
        ),
    ),
    PlacePart(
        _("Étuis"),
        (
            PlacePage(
                "deal_sets",
                _("Étuis"),
                also=(
                    *("deal_set", "deal_set_new", "deal_set_import", "deal_set_cards", "deal_set_statistics"),
                    *("deal_set_bots", "deal_set_type", "deal_set_print"),
                ),
            ),
        ),
    ),
    PlacePart(
        _("Rankings"),
        (
            PlacePage("club_leaderboards", _("Leaderboards"), Can.READ),
            PlacePage(
                "series_list",
                _("Championships and palmarès"),
                Can.READ,
                (
                    *("series", "series_new", "series_player", "series_versions", "series_version", "series_settings"),
                    *("series_events", "series_clubs", "series_type", "series_publish"),
                ),
                when=is_real,
            ),
            PlacePage(
                "simultaneous_list",
                _("Simultaneous"),
                Can.READ,
                (
                    *("simultaneous", "simultaneous_new", "simultaneous_settings", "simultaneous_clubs"),
                    *("simultaneous_rulings", "simultaneous_receive", "simultaneous_open", "simultaneous_sites"),
                    *("simultaneous_key", "field", "field_version", "field_versions", "field_etui", "field_feuille"),
                    "field_publish",
                ),
                when=is_real,
            ),
            PlacePage("club_statistics", _("Statistics"), when=is_real),
        ),
    ),
    PlacePart(
        _("Settings"),
        (
            *(PlacePage(name, section.label, when=is_real) for name, section in CLUB_SETTINGS.items()),
            PlacePage("team", _("Staff"), when=is_real),
            PlacePage("seasons", _("Seasons"), when=is_real),
            PlacePage("usual_penalties", _("Penalties"), when=is_real),
            PlacePage("programs", _("Programs"), when=is_real),
            PlacePage("webhooks", _("Webhooks"), also=("webhook",), when=is_real),
            PlacePage("archives", _("Import")),
        ),
        on_phone=False,
    ),
)


def find_bar(
    parts: Iterable[PlacePart], more: Iterable[PlacePage], facts: PlaceFacts, url_name: str, place: Mapping[str, object]
) -> PlaceBar:
    """Return the bar of a place for a reader who is on the page with the address `url_name`.

    `place` has the arguments of the place's addresses. A part without any page for this reader is left out.
    """

    def link(pages: Iterable[PlacePage]) -> Iterator[PlaceLink]:
        for page in pages:
            if page.need <= facts.power and (page.when is None or page.when(facts)):
                rest = [page.last(facts)] if page.last else []
                url = reverse(page.name, args=[*place.values(), *rest])
                yield PlaceLink(page.label, url, url_name == page.name or url_name in page.also)

    shown = []
    for part in parts:
        if pages := list(link(part.pages)):
            first = PlaceLink(part.label, pages[0].url, any(page.here for page in pages))
            shown.append(ShownPart(first, pages, part.on_phone))
    current = next((part.pages for part in shown if part.link.here and len(part.pages) > 1), [])
    return PlaceBar(shown, current, list(link(more)))
