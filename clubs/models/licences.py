"""The model of the changes that a federation's list of licences made to a club's players."""

from django.db import models

from clubs.models.people import Player
from clubs.models.staff import ClubLogEntry


class LicenceChange(models.Model):
    """A change of one player by a list. `before` and `after` hold the changed fields, with days as 2026-08-31.

    `entry` is the line in the club's log about the list. These rows make it possible to undo the list.
    """

    entry = models.ForeignKey(ClubLogEntry, on_delete=models.CASCADE, related_name="licence_changes")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="licence_changes")
    before = models.JSONField()
    after = models.JSONField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.player_id}: {', '.join(self.after)}"
