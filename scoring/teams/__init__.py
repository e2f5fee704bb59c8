"""The rules of the forms that teams play: triplettes, quadrettes and team matches (FFT 2012, the chapters on teams).

A team is a competitor like a player, so `scoring.ranking` ranks teams too. These modules have the rules that only teams
need. They are about the seats of two teams at a table, match points, the badges of triplettes, leagues and knock-outs.
"""

from scoring.formats import QUADRETTES, TEAM_MATCH, TRIPLETTES, compare_halves, compare_winners
from scoring.plays import EAST_WEST, NORTH_SOUTH, Sides, find_sides
from scoring.teams.badges import AttackSlot, Badge, colour_attacks
from scoring.teams.leagues import LeagueRules, LeagueStanding, TeamMatch, rank_league
from scoring.teams.sides import ATTACK, DEFENCE, fill_team_seats, find_line, name_team_line
from scoring.teams.trees import TreeNode, build_tree
from scoring.topage import match_points

__all__ = [
    "ATTACK",
    "DEFENCE",
    "EAST_WEST",
    "NORTH_SOUTH",
    "QUADRETTES",
    "TEAM_MATCH",
    "TRIPLETTES",
    "AttackSlot",
    "Badge",
    "LeagueRules",
    "LeagueStanding",
    "Sides",
    "TeamMatch",
    "TreeNode",
    "build_tree",
    "colour_attacks",
    "compare_halves",
    "compare_winners",
    "fill_team_seats",
    "find_line",
    "find_sides",
    "match_points",
    "name_team_line",
    "rank_league",
]
