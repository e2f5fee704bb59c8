"""The page on which a director writes to the people who signed up for a session, and sees how far the sending is."""

import secrets
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from clubs.house import find_club_language
from outgoing.mailing.evenings import EveningAudience, MailRefused, clean_text, find_audience, write_to_applicants
from outgoing.mailing.letters import Outcome, write_evening_letter
from pages.acting import done, signed
from pages.doors import FORM, Phase, session_page, session_url
from pages.registration.forms import EveningMailForm
from registration.people.registration import is_cancelled
from tournaments.models import EveningMail, Session
from tournaments.permissions import Can
from tournaments.words.messages import say


class MailProgress(NamedTuple):
    """A letter, the number of people who have got it and of all readers, and why each other person has not got it."""

    mail: EveningMail
    sent: int
    total: int
    refused: list[str]
    left_out: list[str]

    @property
    def is_under_way(self) -> bool:
        return self.mail.ended_at is None


@session_page(Can.DIRECT, FORM, phase=Phase.DRAFT, back="registration")
def evening_mails(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the form and the letters sent so far. A POST shows a preview with the readers' names, or sends a letter."""
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "sign_up/_mails_sent.html", {"session": session, "mails": read_progress(session)})
    cancelled = is_cancelled(session)
    form = EveningMailForm(request.POST or None, cancelled=cancelled)
    context: dict[str, Any] = {"session": session, "sends_mail": settings.MAIL, "cancelled": cancelled}
    error, status = "", 200
    if request.method == "POST" and form.is_valid():
        kind, text = form.cleaned_data["kind"], clean_text(form.cleaned_data["text"])
        if request.POST.get("do") == "send":
            try:
                write_to_applicants(
                    session_id=session.pk, kind=kind, text=text, key=request.POST.get("once", ""), **signed(request)
                )
            except MailRefused as refusal:
                error, status = say(refusal), 409
            else:
                return done(request, _("The e-mail is on its way."), f"{session_url('evening_mails', session)}#sent")
        else:
            context |= describe_preview(session, kind, text)
    context |= {"form": form, "error": error, "mails": read_progress(session)}
    return render(request, "sign_up/mails.html", context, status=status)


def describe_preview(session: Session, kind: str, text: str) -> dict[str, Any]:
    """Return the template values of a preview: the letter as the first reader gets it, and the names of all people."""
    audience = find_audience(session, kind)
    return {
        "preview": write_preview(session, kind, text, audience),
        "once": secrets.token_urlsafe(24),
        "count": len(audience.reached),
        "reached": sorted(each.listed for applicants in audience.reached.values() for each in applicants),
        "stopped": sorted(each.listed for each in audience.stopped),
        "unreached": sorted(each.listed for each in audience.unreached),
    }


def write_preview(session: Session, kind: str, text: str, audience: EveningAudience) -> Any:
    """Return the letter in the language of the club, without the links of a reader. None without a reader."""
    first = next(iter(audience.reached.values()), None)
    if first is None:
        return None
    mail = EveningMail(session=session, kind=kind, text=text, date=session.date)
    waiting = {each.pk for each in first if each.moved_up_at is None}
    language = find_club_language(session.tournament.club)
    return write_evening_letter(mail, first, end="…", waiting=waiting, language=language, own=0)


def read_progress(session: Session) -> list[MailProgress]:
    """Return the letters about a session, the newest first, with what happened to them. Two queries."""
    mails = EveningMail.objects.filter(session=session).select_related("author").order_by("-pk")
    found = []
    for mail in mails.prefetch_related("recipients__applicant"):
        recipients = list(mail.recipients.all())
        named = {
            outcome: sorted(each.applicant.listed for each in recipients if each.outcome == outcome)
            for outcome in (Outcome.REFUSED, Outcome.LEFT_OUT)
        }
        sent = sum(each.outcome == Outcome.SENT for each in recipients)
        found.append(MailProgress(mail, sent, len(recipients), named[Outcome.REFUSED], named[Outcome.LEFT_OUT]))
    return found
