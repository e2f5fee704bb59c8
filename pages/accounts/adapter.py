"""The site's own version of some steps of allauth, the library that handles accounts and logins."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from clubs.accounts.changes import find_account_language
from clubs.guard import client_address
from clubs.models import User
from pages.accounts.log_in import choose_landing
from pages.letters import queue_letter
from tournaments.models import QueuedMail

NOWHERE = "::"


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False: nobody can register on allauth's own page. Other pages of the site create accounts."""
        return False

    def is_ajax(self, request: HttpRequest) -> bool:
        """Return False, so that allauth always answers with a page. Programs use the API instead."""
        return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        user = request.user
        return choose_landing(user) if isinstance(user, User) else reverse("home")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request) or NOWHERE

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Do nothing here. `clubs.guard` counts wrong passwords."""

    def post_login(self, request: HttpRequest, user: User, **hooks: Any) -> HttpResponse:
        """Set the language of the user's club, unless a language was chosen on this device."""
        response: HttpResponse = super().post_login(request, user, **hooks)
        if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES and (language := find_account_language(user)):
            response.set_cookie(settings.LANGUAGE_COOKIE_NAME, language, samesite="Lax", secure=settings.HTTPS)
        return response

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *rest: Any, **more: Any
    ) -> None:
        """Add a message about what was done, except for logins and logouts, which the page shows anyway."""
        if message_template not in ("account/messages/logged_in.txt", "account/messages/logged_out.txt"):
            super().add_message(request, level, message_template, *rest, **more)

    def send_password_reset_mail(self, user: User, email: str, context: dict[str, Any]) -> None:
        """Queue the mail with a link for a new password. The link of `context` is not stored: a job makes another."""
        queue_letter(QueuedMail(kind=QueuedMail.PageMailKind.PASSWORD, user=user, email=email))

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Queue the mail that confirms an address of an account."""
        address = emailconfirmation.email_address
        queue_letter(QueuedMail(kind=QueuedMail.PageMailKind.CONFIRM, user=address.user, row=address.pk))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Raise an error: no request sends a mail. Mails of pages are queued (`pages.letters`)."""
        raise NotImplementedError(template_prefix)
