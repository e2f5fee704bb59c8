"""The names and numbers of players in public answers."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from clubs.models import Visibility
from tournaments.events.report import ShownCompetitor
from tournaments.publication.report import ShownPlayer
from tournaments.reports.codec import list_field_names


class ShownOut(serializers.Serializer[Any]):
    """A player in a ranking: by name, or as the player wishes to be shown.

    A player who is not shown by name has no number, so that nobody can find the same player in several evenings.
    """

    player = serializers.IntegerField(
        allow_null=True,
        help_text="the player’s number, the same in all evenings of a club; null unless the player is shown by name",
    )
    name = serializers.CharField(help_text="how the player is shown: the name, the initials, or “hidden player”")
    shown = serializers.ChoiceField(Visibility.values)


def for_readers(players: Iterable[ShownPlayer | ShownCompetitor]) -> list[dict[str, Any]]:
    """Return the players of a report for the public. Only players who are shown by name keep their number."""
    return [
        {name: getattr(player, name) for name in list_field_names(type(player))} | {"player": player.known_as}
        for player in players
    ]
