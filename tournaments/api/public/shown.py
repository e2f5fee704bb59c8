"""How people stand in the answers that everybody may read."""

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework import serializers

from clubs.models import Shown


class ShownOut(serializers.Serializer[Any]):
    """Somebody in a ranking: by name, or as he wishes to be shown, and then without a number that joins evenings."""

    player = serializers.IntegerField(
        allow_null=True, help_text="his number, the same in all evenings of a club; null unless he is shown by name"
    )
    name = serializers.CharField(help_text="what stands for the player: his name, his initials, or that he is hidden")
    shown = serializers.ChoiceField(Shown.values)


def for_readers(players: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Of a report's players, with the number of those alone who are shown by name."""
    return [{**player, "player": player["known_as"]} for player in players]
