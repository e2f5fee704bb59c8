"""The page on which users choose a new password, by a link that a director has given them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from clubs.accounts.one_use import choose_password, find_password_link
from clubs.errors import AccountRefused
from clubs.guard import know_account
from pages.accounts.player import PasswordForm
from pages.doors import FORM
from tournaments.words.messages import say


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(FORM)
def password_link(request: HttpRequest, token: str) -> HttpResponse:
    try:
        user = find_password_link(token, now=timezone.now()).user
        form = PasswordForm(user, request.POST or None)
        if request.method == "POST" and form.is_valid():
            user = choose_password(token, form.cleaned_data["password"], now=timezone.now())
            know_account(request, user)  # wrong passwords on other devices do not lock this device out
            return redirect("account_reset_password_from_key_done")
    except AccountRefused as refusal:
        status = 404 if refusal.code == "password_link_unknown" else 410
        return render(request, "password/over.html", {"reason": say(refusal)}, status=status)
    return render(request, "password/choose.html", {"account": user, "form": form})
