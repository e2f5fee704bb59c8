"""The ranking of a tournament as typed values: rankings of all releases are read, and written with the same bytes."""

from fractions import Fraction

import pytest

from rankings.events.counting import count_live, figure
from scoring.formats import FREE_AUCTION, INDIVIDUAL
from tests.factories import make_director, make_tournament
from tests.rankings.events.several import published_sessions
from tests.tournaments.reports.stored import FILES, as_bytes, list_stored
from tournaments.reports.codec import decode, encode
from tournaments.reports.tournament import (
    PublishedTournament,
    TournamentPlayer,
    decode_tournament,
)
from tournaments.versions import digest_figures


def list_values(ranking):
    """Return a ranking with every value in it, each of them decoded."""
    results = [result for player in ranking.players for result in player.results if result is not None]
    return [ranking, *ranking.players, *results, *ranking.rounds, *(one for _, one in ranking.sessions)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_published_tournaments_of_every_release_encode_to_their_bytes_and_digest(path):
    stored = list_stored(path, "tournaments_tournamentpublication")
    assert stored
    for data, digest in stored:
        ranking = decode_tournament(data)
        values = list_values(ranking)
        assert len(values) > 3
        assert all(value.as_stored == {} for value in values)
        again = encode(ranking)
        assert as_bytes(again) == as_bytes(data)
        assert digest_figures(again) == digest


@pytest.mark.parametrize("auction", ["imposed", "free"])
def test_ranking_of_a_tournament_computed_now_encodes_to_its_bytes(db, auction):
    tournament = make_tournament(auction=auction)
    published_sessions(tournament, by=make_director(tournament.club))
    data = figure(tournament, count_live(tournament))
    ranking = decode_tournament(data)
    values = list_values(ranking)
    assert all(value.as_stored == {} for value in values)
    assert [player.total for player in ranking.players] == [Fraction(row["total"]) for row in data["players"]]
    assert len({result.overall for player in ranking.players for result in player.results}) > 2
    assert as_bytes(encode(ranking)) == as_bytes(data)


@pytest.mark.parametrize(("auction", "played"), [("imposed", INDIVIDUAL), ("free", FREE_AUCTION)])
def test_ranking_knows_the_format_of_its_sessions(auction, played):
    assert decode(PublishedTournament, {"auction": auction, "counting": "sum"}).format is played


RESULT = {"session": 1, "overall": "50", "attack": None, "defence": None, "counts": True, "unranked": ""}
ROW = {"player": 7, "rank": 1, "before": None, "told": "", "total": "175/3", "played": 1, "in_final": False}


@pytest.mark.parametrize(
    ("shape", "attribute", "value"),
    [
        ({"total": "2.50"}, "as_stored", {"total": "2.50"}),  # written in another way than today
        ({"total": ["175/3"]}, "total", None),  # in a shape that no release has written
        ({"medal": "gold"}, "as_stored", {"medal": "gold"}),  # of a later release
        ({"results": [None]}, "results", (None,)),
        ({"results": [RESULT | {"overall": "50.0"}]}, "played", 1),
        ({"results": "all"}, "results", ()),
    ],
)
def test_players_of_other_releases_decode_and_encode_as_they_were(shape, attribute, value):
    data = ROW | shape
    player = decode(TournamentPlayer, data)
    assert getattr(player, attribute) == value
    assert as_bytes(encode(player)) == as_bytes(data)
