"""The first page of a new site. Its form creates the first club and the account of its director."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from clubs.accounts import founding
from clubs.models import User, validate_name
from pages.accounts.forms import RULE
from pages.accounts.log_in import log_in
from pages.acting import refusals_in
from pages.doors import FORM
from pages.first_steps import mark_way


class PasswordField(forms.CharField):
    """A field for a new password. Spaces at both ends belong to the password."""

    widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})

    def __init__(self, **options: Any) -> None:
        super().__init__(strip=False, max_length=4096, **options)


class FirstRunForm(forms.Form):
    club = forms.CharField(
        label=_("Club name"),
        max_length=120,
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "organization", "autofocus": True}),
    )
    name = forms.CharField(
        label=_("Your name"),
        max_length=120,
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label=_("Your e-mail address"),
        help_text=_("To log in, and to choose a new password if you forget it. Nobody else sees it."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = PasswordField(label=_("Password"), help_text=RULE)
    key = forms.CharField(
        label=_("Key of the site"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sentence = _("On the server, this command prints it: %(command)s first_run.")
        self.fields["key"].help_text = sentence % {"command": settings.COMMAND}
        if not settings.SERVER:
            del self.fields["key"]
        elif self.initial.get("key"):
            self.fields["key"].widget = forms.HiddenInput()

    def clean(self) -> dict[str, Any]:
        told: dict[str, Any] = super().clean() or self.cleaned_data
        if "password" in told:
            check_password_for(self, "password", User(username=told.get("name", ""), email=told.get("email", "")))
        return told


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
