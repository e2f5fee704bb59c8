"""The declarations of personal data in mails, one for each kind of row. See `personal_data`."""

from django.utils.translation import gettext_lazy as _

from archives.privacy.personal_data import PersonalData, WithholdReason

PERSONAL_DATA_OF_MAILS = (
    PersonalData(
        name="feuilles_by_mail",
        model="tournaments.FeuilleMail",
        title=_("your wish to receive your feuilles de route by e-mail"),
        whose=("user",),
        shows="asked_at",
        hides={"token": WithholdReason.SECRET},
        goes=("user",),
    ),
    PersonalData(
        name="feuilles_sent",
        model="tournaments.SentFeuille",
        title=_("feuilles de route sent to you by e-mail"),
        whose=("user",),
        session="publication__session",
        shows="sent_at version=publication__version",
        goes=("user",),
    ),
    PersonalData(
        name="series_letters_sent",
        model="tournaments.SentSeriesLetter",
        title=_("your places in championships, sent to you by e-mail"),
        whose=("user",),
        club="publication__series__club",
        shows="championship=publication__series__title sent_at version=publication__version",
        goes=("user",),
    ),
    PersonalData(
        name="field_letters_sent",
        model="tournaments.SentFieldLetter",
        title=_("your places in simultaneous, sent to you by e-mail"),
        whose=("user",),
        club="publication__simultaneous__club",
        shows="simultaneous=publication__simultaneous__title sent_at version=publication__version",
        goes=("user",),
    ),
    PersonalData(
        name="evening_mails_written",
        model="tournaments.EveningMail",
        title=_("e-mails that you wrote to people who had signed up for a session"),
        by=("author",),
        session="session",
        shows="kind text asked_at ended_at",
        hides={"key": WithholdReason.SECRET},
        frees=("text",),
        codes=("key",),
    ),
    PersonalData(
        name="evening_mails_received",
        model="tournaments.EveningMailRecipient",
        title=_("e-mails about sessions for which you had signed up"),
        whose=("user", "applicant__player", "applicant__user"),
        session="mail__session",
        shows="kind=mail__kind text=mail__text outcome done_at",
        hides={"token": WithholdReason.SECRET, "applicant": WithholdReason.NUMBERS},
        goes=("user",),
    ),
    PersonalData(
        name="mails_that_wait",
        model="tournaments.QueuedMail",
        title=_("e-mails to you that wait to be sent"),
        whose=("user",),
        club="club",
        shows="kind email name language asked_at given_up_at",
        hides={"row": WithholdReason.NUMBERS},
        goes=("user",),
    ),
    PersonalData(
        name="evening_mails_stopped",
        model="tournaments.EveningMailWish",
        title=_("your wish to receive no e-mails about evenings"),
        whose=("user",),
        shows="stopped_at",
        hides={"token": WithholdReason.SECRET},
        goes=("user",),
    ),
)
