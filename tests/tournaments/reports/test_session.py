"""The report of a session as typed values: reports of all releases are read, and written again with the same bytes."""

from fractions import Fraction

import pytest

from tests.factories import make_tournament, published_session
from tests.tournaments.reports.stored import FILES, as_bytes, list_stored
from tournaments.reports.codec import decode, encode
from tournaments.reports.session import RankedPlayer, decode_report
from tournaments.versions import digest_figures


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_reports_of_every_release_encode_to_the_bytes_and_digest_that_they_had(path):
    stored = list_stored(path, "tournaments_publication")
    assert stored
    for data, digest in stored:
        again = encode(decode_report(data))
        assert as_bytes(again) == as_bytes(data)
        assert digest_figures(again) == digest


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_report_of_a_release_has_anything_that_the_values_do_not_know(path):
    for data, _ in list_stored(path, "tournaments_publication"):
        report = decode_report(data)
        plays = [play for etui in report.etuis for play in etui.plays]
        for value in (report, *report.players, *report.together, *report.etuis, *plays):
            assert value.as_stored == {}


@pytest.mark.parametrize("auction", ["imposed", "free"])
def test_report_published_now_encodes_to_its_bytes_and_its_figures_are_exact(db, auction):
    data = published_session(make_tournament(auction=auction)).publications.get().data
    report = decode_report(data)
    assert as_bytes(encode(report)) == as_bytes(data)
    assert [player.overall for player in report.players] == [Fraction(row["overall"]) for row in data["players"]]
    notes = [play.notes for etui in report.etuis for play in etui.plays if play.notes]
    assert notes
    assert all(isinstance(note, Fraction) for each in notes for note in each.values())
    assert report.people == {row["player"] for row in data["players"]}


ROW = {"id": 7, "line": "N", "player": 12, "number": 1, "stand_ins": [], "overall": "175/3"}


@pytest.mark.parametrize(
    ("shape", "attribute", "value"),
    [
        ({"attacks": 2, "defences": 3}, "deals", None),  # stored before the deals were counted
        ({"attacks": 2, "defences": 3, "deals": 6}, "deals", 6),
        ({"medal": {"colour": "gold"}}, "as_stored", {"medal": {"colour": "gold"}}),  # of a later release
        ({"penalty": "2.50"}, "penalty", Fraction(5, 2)),  # written in another way than today
        ({"stand_ins": [{"player": 3, "from": 2, "to": None}]}, "people", [12, 3]),
        ({"overall": ["175/3", "exact"]}, "overall", None),  # in a shape that no release has written
        ({}, "ranked", True),
    ],
)
def test_players_of_other_releases_decode_and_encode_as_they_were(shape, attribute, value):
    data = ROW | shape
    player = decode(RankedPlayer, data)
    assert getattr(player, attribute) == value
    assert as_bytes(encode(player)) == as_bytes(data)


def test_notes_that_were_fixed_in_reports_of_old_stand_as_lines_alone():
    play = {"id": 1, "position": 1, "table": 1, "seats": {"N": 1}, "state": "adjusted", "notes": None}
    data = {"auction": "imposed", "session": 1, "date": "2025-01-01", "players": []}
    data["etuis"] = [{"number": 1, "plays": [play | {"fixed": ["N", "E"]}, play | {"fixed": {"N": "60"}}, play]}]
    report = decode_report(data)
    assert [play.fixed for play in report.etuis[0].plays] == [{"N": "", "E": ""}, {"N": "60"}, {}]
    assert as_bytes(encode(report)) == as_bytes(data)


def test_what_is_changed_is_stored_as_it_is_now_and_nothing_of_what_stood_there():
    player = decode(RankedPlayer, ROW | {"penalty": "2.50"})
    assert encode(player.change(penalty=None)) == ROW | {"penalty": None}
    assert encode(player.change(rank_general=1)) == ROW | {"penalty": "2.50", "rank_general": 1}
