"""The director of the tests of accounts, who needs no session."""

from tests import shared_evenings

director = shared_evenings.director_of_club
