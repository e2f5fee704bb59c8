"""The models of mails: the feuilles de route, and the letters about an evening to the people who signed up for it.

Fields and constraints only.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, validate_name
from tournaments.models.evening import Session
from tournaments.models.published import Publication
from tournaments.models.registration import Applicant
from tournaments.models.series import SeriesPublication
from tournaments.models.simultaneous import FieldPublication


class FeuilleMail(models.Model):
    """A subscription: the account gets the feuilles of its players by mail, from `asked_at` on.

    The row is deleted when the subscription ends. Each letter has a link to end it, and `token` is part of that link.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="feuille_mail")
    token = models.CharField(max_length=43, unique=True)
    asked_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.user_id)


class SentFeuille(models.Model):
    """A record that an account has got the feuilles of a published version by mail. Each version is sent once."""

    publication = models.ForeignKey(Publication, on_delete=models.CASCADE, related_name="sent_feuilles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sent_feuilles")
    sent_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["publication", "user"], name="feuille_sent_once_a_version")]

    def __str__(self) -> str:
        return f"{self.publication_id} {self.user_id}"


class SentSeriesLetter(models.Model):
    """A record that an account has got its places in a published version of a series by mail, once for each version."""

    publication = models.ForeignKey(SeriesPublication, on_delete=models.CASCADE, related_name="sent_letters")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sent_series_letters")
    sent_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["publication", "user"], name="series_letter_once_a_version")]

    def __str__(self) -> str:
        return f"{self.publication_id} {self.user_id}"


class SentFieldLetter(models.Model):
    """A record that an account has got its places in a published version of a simultaneous by mail, once a version."""

    publication = models.ForeignKey(FieldPublication, on_delete=models.CASCADE, related_name="sent_letters")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sent_field_letters")
    sent_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["publication", "user"], name="field_letter_once_a_version")]

    def __str__(self) -> str:
        return f"{self.publication_id} {self.user_id}"


class EveningMail(models.Model):
    """A letter about a session to people who signed up for it, by a director, or the reminder of the day before.

    `key` identifies the form that was sent, so that the same form makes one letter. `date` is the session's date when
    the letter was made. A session has one reminder for each date. `ended_at` is set once nobody is left to write to.
    """

    class MailKind(models.TextChoices):
        CANCELLED = "cancelled", _("The session is cancelled")
        MOVED = "moved", _("The session takes place at another time")
        PLACE = "free", _("A place is free (to people on the waiting list)")
        NEWS = "news", _("Something else, in your own words")
        REMINDER = "reminder", _("Reminder of the day before")

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="evening_mails")
    kind = models.CharField(max_length=9, choices=MailKind)
    text = models.TextField(max_length=2000, blank=True)
    date = models.DateField()
    key = models.CharField(max_length=64, unique=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    asked_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session", "date"], condition=Q(kind="reminder"), name="reminder_once_for_each_date"
            )
        ]
        indexes = [
            models.Index(fields=["session", "asked_at"], name="evening_mail_of_session"),
            models.Index(fields=["author", "asked_at"], name="evening_mail_of_director"),
            models.Index(fields=["asked_at"], condition=Q(ended_at=None), name="evening_mail_under_way"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.session_id}"


class EveningMailRecipient(models.Model):
    """An account that gets a letter once, with the first of its applicants.

    `outcome` says how it ended. The mail server refused the letter for now at `claimed_at`, or never if that is None.
    `token` identifies the letter. A letter is sent again if nobody knows whether it had left. By the
    token, mail programs then see that it is the same.
    """

    class MailOutcome(models.TextChoices):
        WAITS = "", _("not sent yet")
        SENT = "sent", _("sent")
        REFUSED = "refused", _("refused by the e-mail server")
        LEFT_OUT = "left_out", _("not sent: no longer needed or wanted")

    mail = models.ForeignKey(EveningMail, on_delete=models.CASCADE, related_name="recipients")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="evening_mails")
    applicant = models.ForeignKey(Applicant, on_delete=models.CASCADE, related_name="evening_mails")
    token = models.CharField(max_length=43, unique=True)
    claimed_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=8, blank=True, choices=MailOutcome, default=MailOutcome.WAITS)
    done_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["mail", "user"], name="evening_mail_once_for_each_account")]

    def __str__(self) -> str:
        return f"{self.mail_id} {self.user_id}"


class EveningMailWish(models.Model):
    """The link by which an account stops the mails about evenings. It is made with the first mail.

    `stopped_at` is set while the account wants no such mails.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="evening_mail_wish")
    token = models.CharField(max_length=43, unique=True)
    stopped_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return str(self.user_id)


class QueuedMail(models.Model):
    """A mail that a page has asked for, and that a job sends. The row is deleted when it is sent.

    It has no link: the job makes the links. `row` is the id of what the letter is about: an address of an account, an
    invitation, a link of a player, or a webhook. For an account that somebody asks for, `email` and `name` are as
    they were typed. `given_up_at` is set if the mail was not sent within a day; then the row names nobody.
    """

    class PageMailKind(models.TextChoices):
        PASSWORD = "password", _("link for a new password")
        CONFIRM = "confirm", _("confirmation of an address")
        SIGN_UP = "sign_up", _("link that creates an account")
        STAFF = "staff", _("invitation to the staff of a club")
        PLAYER = "player", _("link that opens the account of a player")
        WEBHOOK = "webhook", _("webhook switched off")

    kind = models.CharField(max_length=8, choices=PageMailKind)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="queued_mails")
    club = models.ForeignKey(Club, null=True, on_delete=models.CASCADE, related_name="queued_mails")
    row = models.PositiveBigIntegerField(null=True)
    email = models.EmailField(blank=True)
    name = models.CharField(max_length=120, blank=True, validators=[validate_name])
    language = models.CharField(max_length=2, choices=settings.LANGUAGES)
    asked_at = models.DateTimeField()
    given_up_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.asked_at}"
