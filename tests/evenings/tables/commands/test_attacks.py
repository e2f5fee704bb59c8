"""The two teams of a play on a table's screen, without a database: who attacks, who defends, and who has attacked."""

import pytest
from django.utils.translation import override

from clubs.models import Person, Player
from clubs.models.people import Visibility
from deals.models import Etui
from evenings.plays import attackers
from evenings.plays.common import Common
from evenings.tables.attacks import attack_data, attacker_data, read_attacker, teams_data
from evenings.teams.lineups import SeatPlaces
from scoring.formats import INDIVIDUAL, QUADRETTES, TRIPLETTES
from tests.evenings.plays.test_checks import row
from tests.evenings.tables.values import NAMES, NOW, make_play, make_session
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, Team, TeamMember
from tournaments.rules.entry import Fiche

ONE, TWO = (Team(pk=pk, number=pk, name=name) for pk, name in ((1, "Les Sauges"), (2, "Les Menthes")))
INITIALS = ["A. R.", "L. P.", "Z. B.", "M. B."]
SECOND = SeatPlaces(2, {"S": 4, "N": 3, "E": 2, "W": 1})


def make_member(team, place, name, **how):
    first, last = name.split()
    player = Player(first_name=first, last_name=last, person=Person(shown=Visibility.INITIALS))
    return TeamMember(pk=10 * team.pk + place, team=team, place=place, player=player, **how)


MEMBERS = [make_member(team, place, name) for team in (ONE, TWO) for place, name in enumerate(NAMES, 1)]
GONE = make_member(ONE, 2, "Eva Noir", ended_at=NOW)


def make_common(*, members=(GONE, *MEMBERS), line_ups=None, parted=()):
    return Common({}, {}, {}, {}, None, members, line_ups or {}, parted)


def make_attack(format=TRIPLETTES, taker="S", *, badge=2, position=1, rest=TWO):
    """Return a play in which team ONE attacks and the others defend."""
    attacking, defending = Entrant(pk=1, team=ONE), Entrant(pk=2, team=rest)
    people = [attacking if seat == taker else defending for seat in "NESW"]
    etui = Etui(pk=7, number=7, taker=taker, dealer="W")
    play = make_play(make_session(format), people=people, position=position, etui=etui).play
    play.badge = badge
    return play


def list_members(names):
    return [{"place": place, "name": name} for place, name in enumerate(names, 1)]


@pytest.mark.parametrize("tell", [attack_data, teams_data])
@pytest.mark.parametrize("play", [make_play(make_session(INDIVIDUAL)).play, make_attack(badge=0)])
def test_nothing_is_told_of_teams_where_single_players_play_or_nobody_has_a_turn(tell, play):
    assert tell(play, make_common(), by_name=True) == {}


@pytest.mark.parametrize(
    ("by_name", "teams", "names"),
    [(True, ["Les Sauges", "Les Menthes"], NAMES), (False, ["Équipe 1", "Équipe 2"], INITIALS)],
)
def test_attack_has_both_teams_and_the_members_of_the_attacking_one(by_name, teams, names):
    told = {"team": teams[0], "defence": teams[1], "badge": 2, "members": list_members(names)}
    quadrettes = make_attack(QUADRETTES, "N")
    with override("fr"):
        assert attack_data(make_attack(), make_common(), by_name=by_name) == {"attack": told}
        assert attack_data(quadrettes, make_common(), by_name=by_name) == {"attack": told | {"coloured": False}}


LINE_UP = SeatPlaces(1, {"S": 1, "N": 2, "E": 3, "W": 4})
BOTH = {1: (SECOND,), 2: (LINE_UP, SECOND)}
WITHOUT_THE_LAST = [member for member in MEMBERS if member.pk != 24]


@pytest.mark.parametrize(
    ("how", "common", "seats"),
    [
        ({}, {"line_ups": BOTH}, {"N": 2, "E": 3, "W": 4, "S": 2}),
        ({"position": 2}, {"line_ups": BOTH}, {"N": 3, "E": 2, "W": 1, "S": 2}),
        ({}, {"line_ups": BOTH, "members": WITHOUT_THE_LAST}, {"N": 2, "E": 3, "S": 2}),
        ({"badge": 5}, {"line_ups": BOTH}, {"N": 2, "E": 3, "W": 4}),  # the attacker has left
        ({}, {"line_ups": {1: (LINE_UP,)}}, None),
        ({}, {"line_ups": {2: (SECOND,)}}, None),
        ({"taker": "N"}, {"line_ups": BOTH}, None),
    ],
)
@pytest.mark.parametrize(("by_name", "names"), [(True, NAMES), (False, INITIALS)])
def test_attack_has_who_sits_where_by_the_line_ups(how, common, seats, by_name, names):
    told = attack_data(make_attack(QUADRETTES, **how), make_common(**common), by_name=by_name)
    expected = seats and {seat: names[place - 1] for seat, place in seats.items()}
    assert told["attack"].get("seats") == expected


@pytest.mark.parametrize(
    ("taker", "parted", "order", "more"),
    [
        ("N", (), "NE", {}),
        ("S", (2,), "NE", {}),
        ("E", (), "EN", {}),
        ("E", (1,), "NE", {"attacking": "N"}),
    ],
)
def test_teams_stand_by_line_or_the_attacking_one_first(taker, parted, order, more):
    told = teams_data(make_attack(taker=taker), make_common(parted=parted), by_name=True)
    names = ({"name": name} for name in ("Les Sauges", "Les Menthes"))
    assert told == {"teams": dict(zip(order, names, strict=True))} | more


@pytest.mark.parametrize(
    ("badge", "attacker", "told"),
    [(0, 13, {}), (2, None, {"attacker": 2}), (2, 13, {"attacker": 3}), (2, 99, {"attacker": 2})],
)
def test_entry_has_the_place_of_the_member_who_attacked(badge, attacker, told):
    entry = row(attacker_id=attacker)
    assert attacker_data(make_attack(badge=badge), entry, make_common()) == told


@pytest.mark.parametrize(
    ("data", "attacker"), [({}, 99), ({"attacker": None}, 99), ({"attacker": 1}, None), ({"attacker": 3}, 13)]
)
def test_screen_names_the_attacker_by_place(monkeypatch, data, attacker):
    monkeypatch.setattr(attackers, "members_of", lambda teams: MEMBERS)
    entry = Fiche("S", 60, attacker=99)
    assert read_attacker(entry, data, make_attack(badge=1)) == Fiche("S", 60, attacker=attacker)


@pytest.mark.parametrize(
    ("place", "code"),
    [
        *((place, "command_malformed") for place in (True, False, "1", 1.0, 0, -1, 10)),
        (9, "attacker_unknown"),
    ],
)
def test_place_is_a_number_from_1_to_9_of_a_member(monkeypatch, place, code):
    monkeypatch.setattr(attackers, "members_of", lambda teams: MEMBERS)
    with pytest.raises(ActionRefused) as refused:
        read_attacker(Fiche("S", 60), {"attacker": place}, make_attack())
    assert (refused.value.code, refused.value.field) == (code, "attacker")
