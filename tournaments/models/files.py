"""The models of files that a job makes: large ones for readers, and those of a club for its directors."""

from django.db import models
from django.db.models import Q

from clubs.models import Club, User
from tournaments.models.evening import Session, Tournament


class WantedFile(models.Model):
    """A large file with published tables of a session. A job makes the file, and the site keeps it for a day.

    `key` identifies the content: the same file is made once for everybody who asks for it. `told` is a digest of what
    readers may see. If that has changed, the file is no longer handed out. `asker` is a digest of the account, the
    device or the network address that asked first. For each asker, one file at a time is made. `done` steps of `steps`
    are over.
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


class ClubFile(models.Model):
    """A file that a job makes for a director of a club, or that a director uploads. The site keeps it for a day.

    `work` is the name of the job's task, with its `details`. The file is about `tournament` or `session`. Only
    `account` can open the file. `content` is first the uploaded file, then the file that the job made. `outcome` is the
    result of the job, for the page. `refusal` has the code and the params of a refusal. For each account, one file at a
    time is made.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="files")
    account = models.ForeignKey(User, on_delete=models.CASCADE, related_name="club_files")
    tournament = models.ForeignKey(Tournament, null=True, on_delete=models.CASCADE, related_name="+")
    session = models.ForeignKey(Session, null=True, on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=43, unique=True)
    work = models.CharField(max_length=30)
    details = models.JSONField(default=dict)
    asked_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True)
    made_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    outcome = models.JSONField(default=dict)
    refusal = models.JSONField(default=list)
    name = models.CharField(max_length=200, blank=True)
    content_type = models.CharField(max_length=100, blank=True)
    content = models.BinaryField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["account"], condition=Q(made_at=None, failed_at=None), name="one_club_file_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.work} {self.name}"
