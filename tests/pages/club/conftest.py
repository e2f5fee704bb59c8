"""The director of a club's pages, who needs no session."""

from tests import shared_evenings

director = shared_evenings.director_of_club
