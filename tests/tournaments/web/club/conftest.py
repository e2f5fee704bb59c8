"""The director of a club's pages, who needs no session."""

from tests import evenings

director = evenings.director_of_club
