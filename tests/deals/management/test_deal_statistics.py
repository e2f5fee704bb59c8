"""The command `manage.py deal_statistics`: the tests of uniformity, or statistics of the takers of a profile."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from deals.management.commands import deal_statistics

SEED = bytes(range(32)).hex()


def statistics(*args):
    out = io.StringIO()
    call_command("deal_statistics", "--seed", SEED, *args, stdout=out)
    return out.getvalue()


def test_deal_statistics_of_fair_deals():
    data = json.loads(statistics("--deals", "2000", "--json"))
    assert (data["deals"], data["players"], data["petits_secs_expected"]) == (2000, 4, 3.7)
    assert {test["passed"] for test in data["tests"]} == {True}
    assert [place["place"] for place in data["places"]] == ["N", "E", "S", "W", "chien"]
    assert round(sum(place["points"] for place in data["places"])) == 91


def test_deal_statistics_to_read():
    lines = statistics("--deals", "1000", "--players", "3").splitlines()
    assert lines[:2] == ["deals: 1000", "players: 3"]
    assert [line.split()[0] for line in lines if line.endswith("passed")] == [
        "card_by_place",
        "trump_length_N",
        "trump_length_E",
        "trump_length_S",
        "trump_length_chien",
        "serial",
        "petit_sec",
    ]


@pytest.mark.nightly("statistics")
def test_deal_statistics_of_a_profile_are_those_of_the_takers():
    data = json.loads(statistics("--deals", "1000", "--profile", "garde-1", "--json"))
    assert "tests" not in data
    evaluation = {int(total): count for total, count in data["takers"]["evaluation"].items()}
    assert (min(evaluation), max(evaluation), sum(evaluation.values())) == (48, 58, 1000)
    text = statistics("--deals", "1000", "--profile", "garde-1")
    assert "takers' bouts: " in text


def test_deal_statistics_fail_on_unfair_deals(monkeypatch):
    first = deal_statistics.deal_etui(bytes(32), 1)
    monkeypatch.setattr(deal_statistics, "deal_etui", lambda *args: first)
    with pytest.raises(CommandError, match=r"^These deals are not those of a fair shuffle: card_by_place, .*serial"):
        statistics("--deals", "1000")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--deals", "999"], "--deals '999': write a number from 1000 to 10000000."),
        (["--deals", "x"], "--deals 'x': write a number from 1000 to 10000000."),
        (["--players", "2"], "--players '2': write 3, 4 or 5."),
        (["--profile", "x"], "“x” is not a taker profile. Use one of these: garde-1, garde-1-south, auction-1."),
        (["--profile", "garde-1", "--players", "3"], "A taker profile is only for four players, not for 3: remove it."),
    ],
)
def test_deal_statistics_say_what_is_wrong(args, message):
    with pytest.raises(CommandError) as caught:
        statistics(*args)
    assert (str(caught.value), caught.value.returncode) == (message, 1)
