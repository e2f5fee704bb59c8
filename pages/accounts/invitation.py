"""The page that an invitation opens. It leads to a new account, or gives the role to an account that exists."""

from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from clubs.accounts.invitations import NewAccount, accept_invitation, find_invitation
from clubs.errors import AccountRefused
from clubs.models import User, validate_name
from pages.accounts.first_run import PasswordField, check_password_for
from pages.accounts.forms import RULE
from pages.accounts.log_in import log_in
from pages.acting import done
from pages.doors import FORM
from tournaments.words.messages import say


class NewcomerForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Your name"),
        max_length=120,
        validators=[validate_name],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("Your e-mail address, if you like"),
        required=False,
        help_text=gettext_lazy("To log in. Without it, only a director can help if you forget your password."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = PasswordField(label=gettext_lazy("Password"), help_text=RULE)

    def clean(self) -> dict[str, object]:
        told = super().clean() or self.cleaned_data
        if "password" in told:
            check_password_for(self, "password", User(username=told.get("name", ""), email=told.get("email", "")))
        return told


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
                return done(request, _("You are now on the staff."), "club", found.club.slug)
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
    return done(request, _("Welcome. Your account name is %(name)s: use it to log in.") % {"name": user.username}, path)
