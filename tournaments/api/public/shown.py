"""The names of people in public answers."""

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework import serializers

from clubs.models import Visibility


class ShownOut(serializers.Serializer[Any]):
    """A player in a ranking: by name, or as the player wishes to be shown.

    In the second case there is no number that would link the player's evenings.
    """

    player = serializers.IntegerField(
        allow_null=True,
        help_text="the player’s number, the same in all evenings of a club; null unless the player is shown by name",
    )
    name = serializers.CharField(help_text="how the player is shown: the name, the initials, or “hidden player”")
    shown = serializers.ChoiceField(Visibility.values)


def for_readers(players: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the players of a report. Only those who are shown by name keep their number."""
    return [{**player, "player": player["known_as"]} for player in players]
