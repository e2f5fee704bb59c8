"""The pages of newcomers: the first page of a new site, and the page that an invitation opens.

The form of the first creates the first club and the account of its director. The other leads to a new account, or gives
the role to an account that exists.
"""

from typing import Any

from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from clubs.accounts import founding
from clubs.accounts.invitations import NewAccount, accept_invitation, find_invitation
from clubs.errors import AccountRefused
from clubs.models import User, validate_name
from pages.accounts.forms import RULE
from pages.accounts.log_in import log_in
from pages.acting import done, refusals_in
from pages.doors import FORM
from pages.first_steps import mark_way
from pages.form_fields import MailField, ShortTextField
from tournaments.words.messages import say


class PasswordField(forms.CharField):
    """A field for a new password. Spaces at both ends belong to the password."""

    widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})

    def __init__(self, **options: Any) -> None:
        super().__init__(strip=False, max_length=4096, **options)


class NewcomerForm(forms.Form):
    name = ShortTextField(_("Your name"), 120, autocomplete="name")
    email = MailField(
        _("Your e-mail address, if you like"),
        required=False,
        help_text=_("To log in. Without it, only a director can help if you forget your password."),
    )
    password = PasswordField(label=_("Password"), help_text=RULE)

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or self.cleaned_data
        if "password" in told:
            check_password_for(self, "password", User(username=told.get("name", ""), email=told.get("email", "")))
        return told


class FirstRunForm(NewcomerForm):
    club = forms.CharField(
        label=_("Club name"),
        max_length=120,
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "organization", "autofocus": True}),
    )
    email = MailField(
        _("Your e-mail address"),
        help_text=_("To log in, and to choose a new password if you forget it. Nobody else sees it."),
    )
    key = forms.CharField(
        label=_("Key of the site"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    field_order = ("club", "name", "email", "password", "key")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sentence = _("On the server, this command prints it: %(command)s first_run.")
        self.fields["key"].help_text = sentence % {"command": settings.COMMAND}
        if not settings.SERVER:
            del self.fields["key"]
        elif self.initial.get("key"):
            self.fields["key"].widget = forms.HiddenInput()


def check_password_for(form: forms.Form, field: str, user: User) -> None:
    """Add an error to the form's field if its value is not accepted as a password for this user."""
    try:
        validate_password(form.cleaned_data[field], user)
    except ValidationError as error:
        form.add_error(field, error)


@sensitive_post_parameters("password", "key")
@never_cache
@require_http_methods(FORM)
def begin(request: HttpRequest) -> HttpResponse:
    if founding.is_over():
        return redirect("home")
    form = FirstRunForm(request.POST or None, initial={"key": request.GET.get("key", "")})
    if request.method == "POST" and form.is_valid():
        given = dict(form.cleaned_data)
        key = given.pop("key", "")
        with refusals_in(form):
            user = founding.begin_site(founding.SiteSetup(**given), key=key)
            log_in(request, user)
            club = user.memberships.get().club
            mark_way(request, club, on=True)
            return redirect("players", club.slug)
        if "key" in form.errors:  # show the wrong key, which may have come hidden from the address
            form.fields["key"].widget = FirstRunForm.base_fields["key"].widget
    return render(request, "account/first_run.html", {"form": form})


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(FORM)
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    try:
        found = find_invitation(token, now=timezone.now())
        form = NewcomerForm(request.POST or None)
        user = request.user if isinstance(request.user, User) else None
        if request.method == "POST":
            if "log_in" in request.POST:
                return redirect_to_login(request.path)
            if user is not None:
                accept_invitation(token, user, now=timezone.now())
                return done(request, gettext("You are now on the staff."), "club", found.club.slug)
            if form.is_valid():
                made = accept_invitation(token, NewAccount(**form.cleaned_data), now=timezone.now())
                return log_new_account_in(request, made, reverse("club", args=[found.club.slug]))
    except AccountRefused as refusal:
        status = 404 if refusal.code == "invitation_unknown" else 410
        return render(request, "account/invitation_over.html", {"reason": say(refusal)}, status=status)
    return render(request, "account/invitation.html", {"invitation": found, "form": form})


def log_new_account_in(request: HttpRequest, user: User, path: str) -> HttpResponse:
    """Log the owner of a new account in, and redirect to `path`.

    If the site has a mail server, it sends an e-mail to confirm the address. If another account has the same address,
    only that e-mail says so, not the page.
    """
    log_in(request, user)
    if settings.MAIL and user.email:
        EmailAddress.objects.get(user=user, email=user.email).send_confirmation(request)
    return done(
        request, gettext("Welcome. Your account name is %(name)s: use it to log in.") % {"name": user.username}, path
    )
