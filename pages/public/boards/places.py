"""The ratings and places of one person, as the person's page shows them."""

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from clubs.models import Club
from pages.public.boards.words import MEASURES, say_kind, write_points, write_value
from rankings.careers.subjects import Subject
from rankings.leaderboards.reading import OwnPlace, read_places
from scoring.rating.players import LEAST_DEALS
from tournaments.models import PersonRating
from tournaments.words.figures import decimal


class ShownRating(NamedTuple):
    """A rating with its texts. In a free auction, `attack` and `defence` are ""."""

    game: str
    figure: str
    within: str
    attack: str
    defence: str


class ShownPlace(NamedTuple):
    """A place on a list, with its texts and the link to the list."""

    club: Club | None
    game: str
    measure: str
    position: int
    figure: str
    url: str


class ShownPlaces(NamedTuple):
    """The ratings and places of a person. `is_provisional`: a rating is from few deals."""

    ratings: list[ShownRating]
    places: list[ShownPlace]
    is_provisional: bool


def show_places(subject: Subject) -> ShownPlaces:
    """Return the ratings and places of a person, in all clubs that the reader may know of. Two queries."""
    found = read_places(subject.player.person_id, subject.clubs)
    return ShownPlaces(
        [show_rating(rating) for rating in found.ratings],
        [show_place(place) for place in found.places],
        any(rating.deals < LEAST_DEALS for rating in found.ratings),
    )


def show_rating(rating: PersonRating) -> ShownRating:
    within = f"± {decimal(Fraction(rating.within), 2)}"
    return ShownRating(
        say_kind(rating.kind),
        write_points(rating.figure),
        within,
        write_side(rating.attack),
        write_side(rating.defence),
    )


def write_side(figure: Decimal | None) -> str:
    return "" if figure is None else write_points(figure)


def show_place(place: OwnPlace) -> ShownPlace:
    address = reverse("club_leaderboards", args=[place.club.slug]) if place.club else reverse("leaderboards")
    asked = urlencode({"game": str(place.kind), "by": place.measure.value})
    figure = write_value(place.measure, place.figure)
    return ShownPlace(
        place.club, say_kind(place.kind), str(MEASURES[place.measure]), place.position, figure, f"{address}?{asked}"
    )
