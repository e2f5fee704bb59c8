"""The pages of a club's webhooks: a director makes one, sends trials, sees the last calls, switches it on or off."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club, Webhook
from outgoing.webhooks.setup import (
    EVENTS,
    EXAMPLE,
    MOST_LETTERS,
    WebhookGiven,
    change_webhook,
    make_webhook,
    remove_webhook,
    renew_webhook_secret,
    switch_webhook,
    try_webhook,
)
from pages.acting import done, refusals_in, signed
from pages.doors import ACTION, club_page
from tournaments.permissions import Can, require_found

SHOWN_CALLS = 20
EVENT_LABELS = {
    "published": gettext_lazy("a ranking is published"),
    "corrected": gettext_lazy("a ranking is corrected, or open for corrections again"),
    "official": gettext_lazy("a ranking becomes official"),
    "withdrawn": gettext_lazy("a ranking is withdrawn"),
}


class WebhookForm(forms.Form):
    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=MOST_LETTERS,
        help_text=gettext_lazy("The https address where your program listens."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "url", "placeholder": EXAMPLE}),
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("Call it when"),
        choices=[(event, EVENT_LABELS[event]) for event in EVENTS],
        widget=forms.CheckboxSelectMultiple,
    )

    @property
    def given(self) -> WebhookGiven:
        return WebhookGiven(self.cleaned_data["url"], frozenset(self.cleaned_data["events"]))


@club_page(Can.DIRECT, real=True)
def show_webhooks(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the webhooks. A POST makes one; its secret is shown only once, on this page."""
    form = WebhookForm(request.POST or None, initial={"events": list(EVENTS)})
    told: dict[str, Any] = {}
    if form.is_valid():
        with refusals_in(form):
            made, secret = make_webhook(club, form.given, **signed(request))
            told = {"secret": secret, "made": made}
            form = WebhookForm(initial={"events": list(EVENTS)})
    listed = [(webhook, webhook.calls.first()) for webhook in club.webhooks.all()]
    context = {"club": club, "form": form, "webhooks": listed, "site_url": settings.SITE_URL}
    return render(request, "club/webhooks/list.html", context | told)


@club_page(Can.DIRECT)
def show_webhook(request: HttpRequest, club: Club, webhook: int) -> HttpResponse:
    """Show one webhook with its last calls. A POST changes it, or gives it a new secret, which is shown only once."""
    found = get_webhook(club, webhook)
    start = {"url": found.url, "events": [event for event in EVENTS if getattr(found, f"on_{event}")]}
    renews, secret = "renew" in request.POST, ""
    form = WebhookForm(None if renews else request.POST or None, initial=start)
    if renews:
        secret = renew_webhook_secret(club, found.pk, **signed(request))
    elif form.is_valid():
        with refusals_in(form):
            change_webhook(club, found.pk, form.given, **signed(request))
            return done(request, _("The webhook is saved."), "webhook", club.slug, found.pk)
    calls = list(found.calls.all()[:SHOWN_CALLS])
    context = {
        "club": club,
        "webhook": found,
        "form": form,
        "calls": calls,
        "waits": any(call.next_at is not None for call in calls),
        "secret": secret,
        "site_url": settings.SITE_URL,
    }
    return render(request, "club/webhooks/one.html", context)


@club_page(Can.DIRECT, ACTION, back="webhook webhook")
def webhook_step(request: HttpRequest, club: Club, webhook: int, act: str) -> HttpResponse:
    """Do one step with a webhook: send a "trial", switch it "on" or "off", or "remove" it."""
    steps: dict[str, tuple[Callable[..., Any], dict[str, bool], str]] = {
        "trial": (try_webhook, {}, _("The trial is on its way. Look at the calls below in a few seconds.")),
        "on": (switch_webhook, {"on": True}, _("The webhook is switched on: it hears of what happens from now on.")),
        "off": (switch_webhook, {"on": False}, _("The webhook is switched off.")),
        "remove": (remove_webhook, {}, _("The webhook is removed.")),
    }
    if act not in steps:
        raise Http404
    do, more, text = steps[act]
    found = get_webhook(club, webhook)
    do(club, found.pk, **signed(request), **more)
    if act == "remove":
        return done(request, text, "webhooks", club.slug)
    return done(request, text, "webhook", club.slug, found.pk)


def get_webhook(club: Club, webhook_id: int) -> Webhook:
    """Return the webhook of the club with this id. Raise `Http404` if there is none."""
    return require_found(club.webhooks.filter(pk=webhook_id).first())
