"""The director of the tests of accounts, who needs no session."""

from tests import evenings

director = evenings.director_of_club
