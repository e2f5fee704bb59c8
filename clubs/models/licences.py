"""The models of the federation's list of licences: the list that a club keeps, and the changes that it made."""

from django.conf import settings
from django.db import models

from clubs.models.accounts import Club, ClubLogEntry
from clubs.models.folded import Findable, FoldedField
from clubs.models.people import Player


class LicenceList(models.Model):
    """The federation's list that a club has read. A newer one replaces it.

    `columns` has the headings of the file, each with the name of what was read there, or "" if it was not read.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="licence_list")
    file = models.CharField(max_length=200)
    columns = models.JSONField(default=list)
    read_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    read_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.club_id}: {self.file}"


class LicenceHolder(Findable):
    """A person on the federation's list, who need not be a player of any club here. Only directors see the person.

    `key` is the licence as licences are compared. The values of `category` and `series` are those of `Player`.
    """

    list = models.ForeignKey(LicenceList, on_delete=models.CASCADE, related_name="holders")
    licence = models.CharField(max_length=20)
    key = models.CharField(max_length=20)
    last_name = models.CharField(max_length=80)
    first_name = models.CharField(max_length=80, blank=True)
    category = models.CharField(max_length=8, choices=Player.Category, blank=True)
    series = models.CharField(max_length=9, choices=Player.SeriesClass, blank=True)
    until = models.DateField(null=True)
    club_name = models.CharField(max_length=120, blank=True)
    folded = FoldedField(of=("first_name", "last_name"))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["list", "key"], name="holder_licence_once_per_list")]

    def __str__(self) -> str:
        return f"{self.last_name} {self.first_name}".strip()

    def find_origin(self, club: Club) -> str:
        """Return the club of origin that this person has as a player of `club`: "" if it is the same club."""
        return self.club_name if self.club_name != club.name else ""


class ErasedHolder(models.Model):
    """A person who asked to be erased. No list is read with this person again. The digest names nobody."""

    digest = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return self.digest


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
