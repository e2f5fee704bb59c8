"""The papers of an evening of teams: guide cards by member, table cards, badges, lists, score sheets; feuilles."""
