"""An evening with people who signed up by their accounts, for the tests of letters about it."""

from allauth.account.models import EmailAddress
from django.utils import timezone

from outgoing.mailing.evenings import write_to_applicants
from registration.people.applicants import NewApplicant
from registration.people.registration import register, set_registration
from tests.factories import draft_session, make_director, make_user


def make_evening(**settings):
    """Return a session whose registration is open, with its `director`."""
    session = draft_session()
    session.director = make_director(session.tournament.club)
    set_registration(accepts_at_once=True, session_id=session.pk, by=session.director, now=timezone.now(), **settings)
    return session


def make_account(name, *, confirmed=True):
    user = make_user(name.lower())
    EmailAddress.objects.create(user=user, email=f"{name.lower()}@example.org", verified=confirmed, primary=True)
    return user


def sign_up(session, name, *, user=None, **more):
    """Let somebody sign up, with an account of their own unless `user` is given (False for none)."""
    account = make_account(name, confirmed=more.pop("confirmed", True)) if user is None else user or None
    asked = NewApplicant(name, "Max")
    return register(session_id=session.pk, asked=asked, user=account, now=timezone.now(), **more)


def write(session, kind="news", text="Bonjour", *, key="a" * 32, by=None, now=None):
    """Let the director write a letter."""
    by = by or session.director
    return write_to_applicants(session_id=session.pk, kind=kind, text=text, key=key, by=by, now=now or timezone.now())
