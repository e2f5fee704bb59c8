"""The models of webhooks: the addresses that a club wants called about its rankings, and each call.

Fields and constraints only. The package `outgoing.webhooks` writes the rows.
"""

from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.accounts import Club


class Webhook(models.Model):
    """An address of another site, which this site calls when a ranking of the club changes.

    `since` is the time from which it is called about new versions: when it was made, or switched on again. The secret
    of its signatures is derived from `key` and from the site's own secret (`webhooks.signing`).
    """

    class OffReason(models.TextChoices):
        UNREACHED = "unreached", _("five tries over a day have failed")
        DIRECTOR = "director", _("a director has switched it off")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(_("address"), max_length=500)
    on_published = models.BooleanField(default=True)
    on_corrected = models.BooleanField(default=True)
    on_official = models.BooleanField(default=True)
    on_withdrawn = models.BooleanField(default=True)
    key = models.CharField(max_length=43, unique=True, editable=False)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField()
    off_at = models.DateTimeField(null=True)
    off_reason = models.CharField(max_length=10, blank=True, choices=OffReason)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "url"], name="webhook_address_once_per_club"),
            models.CheckConstraint(
                condition=Q(on_published=True) | Q(on_corrected=True) | Q(on_official=True) | Q(on_withdrawn=True),
                name="webhook_has_an_event",
            ),
            models.CheckConstraint(
                condition=Q(off_at=None, off_reason="") | (Q(off_at__isnull=False) & ~Q(off_reason="")),
                name="webhook_off_with_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.origin

    @property
    def origin(self) -> str:
        """The scheme and the host of the address. The rest may hold a secret, so no log and no mail has it."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"


class WebhookCall(models.Model):
    """A call of a webhook about one version of a ranking, or a trial.

    `kind` is the name of a kind of rankings (`rankings.listing`). `owner` is the id of its session, tournament or
    series. `version` is the number of the version. A trial has the kind "trial" and a number of its own. `next_at` is
    the time of the next try, or None if the call is over. `code` is the status of the last answer. `fault` says why the
    last try failed.
    """

    class CallEvent(models.TextChoices):
        PUBLISHED = "published", _("published")
        CORRECTED = "corrected", _("corrected")
        OFFICIAL = "official", _("official")
        WITHDRAWN = "withdrawn", _("withdrawn")
        TRIAL = "trial", _("trial")

    class CallFault(models.TextChoices):
        ANSWER = "answer", _("the answer is not a success")
        REDIRECT = "redirect", _("the address sends elsewhere, and this is not followed")
        TIME = "time", _("no answer within five seconds")
        LONG = "long", _("the answer is longer than 64 KB")
        UNKNOWN = "unknown", _("no server has this name")
        PRIVATE = "private", _("this name leads to a private network")
        CERTIFICATE = "certificate", _("the certificate is not valid for this name")
        REFUSED = "refused", _("the server could not be reached")
        GARBLED = "garbled", _("the answer is not HTTP")
        HIDDEN = "hidden", _("the ranking is no longer shown, so nothing was sent")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="calls")
    event = models.CharField(max_length=10, choices=CallEvent)
    kind = models.CharField(max_length=12)
    owner = models.PositiveBigIntegerField()
    version = models.PositiveIntegerField()
    made_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True)
    next_at = models.DateTimeField(null=True)
    code = models.PositiveSmallIntegerField(null=True)
    fault = models.CharField(max_length=12, blank=True, choices=CallFault)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "kind", "owner", "version"], name="webhook_call_once_per_version"
            ),
        ]
        indexes = [models.Index(fields=["next_at"], condition=Q(next_at__isnull=False), name="webhook_calls_due")]

    def __str__(self) -> str:
        return f"{self.webhook_id} {self.event} {self.kind} {self.owner} v{self.version}"
