"""The model of large files that a job makes for readers."""

from django.db import models
from django.db.models import Q

from tournaments.models.evening import Session


class WantedFile(models.Model):
    """A large file of what is published of a session, which a job makes, and which is kept for a day.

    `key` stands for its content: the same file is made once for everybody who asks for it. `told` stands for what
    readers may see: a file that was made before a change is handed out no more. `asker` is a digest of the account or
    the network address that asked first; nobody has two files made at once. `done` of `steps` are over.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="wanted_files")
    version = models.PositiveIntegerField()
    table = models.CharField(max_length=12)
    kind = models.CharField(max_length=4)
    language = models.CharField(max_length=8)
    key = models.CharField(max_length=64, unique=True)
    told = models.CharField(max_length=64)
    token = models.CharField(max_length=43, unique=True)
    asker = models.CharField(max_length=64)
    asked_at = models.DateTimeField()
    steps = models.PositiveSmallIntegerField(default=1)
    done = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    name = models.CharField(max_length=200, blank=True)
    content = models.BinaryField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["asker"], condition=Q(made_at=None, failed_at=None), name="one_file_at_a_time_for_each_asker"
            ),
            models.CheckConstraint(
                condition=Q(made_at=None) | Q(failed_at=None, content__isnull=False), name="made_file_has_content"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id} v{self.version} {self.table}.{self.kind}"
