"""An account for somebody without a club: the address is confirmed first, and a site without mail has guests only."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from clubs.models import User
from rooms.models import Visitor
from rooms.visitors.finding import VISITOR_COOKIE
from tests.pages.reading import words

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}
PASSWORD = {"password": "a long passphrase"}


@pytest.fixture(autouse=True)
def mails(settings, mails_at_once):
    settings.MAIL = True


def ask(client, name="Zoé", email="Zoe@Example.org"):
    return client.post(reverse("rooms_account"), {"name": name, "email": email}, headers=ENGLISH)


def link():
    return re.search(r"https?://[^/\s]+(/rooms/account/\S+)", mail.outbox[-1].body)[1]


def test_account_is_made_when_its_address_is_confirmed(world):
    client, users = Client(), User.objects.count()
    assert "We are sending an e-mail to" in words(ask(client))
    assert (User.objects.count(), [letter.to for letter in mail.outbox]) == (users, [["zoe@example.org"]])
    assert "Choose a password" in words(client.get(link(), headers=ENGLISH))
    answer = client.post(link(), PASSWORD, headers=ENGLISH)
    assert answer["Location"] == reverse("rooms_me")
    visitor = Visitor.objects.get(account__email="zoe@example.org")
    assert (visitor.name, visitor.account.memberships.count()) == ("Zoé", 0)
    assert EmailAddress.objects.get(user=visitor.account).verified
    assert client.post(link(), PASSWORD).status_code == 410  # once


def test_results_of_the_device_s_guest_follow_into_the_new_account(world):
    client, guest = world.clients["guest"], world.visitors["guest"]
    ask(client)
    client.post(link(), PASSWORD | {"keep": "on"})
    guest.refresh_from_db()
    assert (guest.account.email, guest.name, guest.cookie_digest) == ("zoe@example.org", "Élise", "")
    assert client.cookies[VISITOR_COOKIE].value == ""


def test_results_of_another_person_s_guest_stay_with_the_guest(world):
    client, guest = world.clients["guest"], world.visitors["guest"]
    ask(client)
    client.post(link(), PASSWORD)
    guest.refresh_from_db()
    assert guest.account is None
    assert Visitor.objects.get(account__email="zoe@example.org").name == "Zoé"


def test_known_address_gets_a_letter_and_the_page_tells_nothing(world):
    User.objects.filter(username="solo").update(email="solo@example.org")
    EmailAddress.objects.create(user=User.objects.get(username="solo"), email="solo@example.org", verified=True)
    told = [words(ask(Client(), email=email)).replace(email, "…") for email in ("solo@example.org", "new@example.org")]
    assert told[0] == told[1]
    assert "/rooms/account/" not in mail.outbox[0].body


def test_name_that_does_not_do_is_asked_again(world):
    answer = ask(Client(), name="@")
    assert "Choose a name of 2 letters at least." in words(answer)
    assert mail.outbox == []


def test_forged_link_opens_nothing(world):
    answer = Client().get(reverse("rooms_account_confirm", args=["forged"]))
    assert answer.status_code == 410


def test_site_without_mail_has_guests_only(world, settings):
    settings.MAIL = False
    text = words(Client().get(reverse("rooms_account"), headers=ENGLISH))
    assert "without a club you play here as a guest" in text
    assert ask(Client()).status_code == 200
    assert mail.outbox == []
    assert Client().get(reverse("rooms_account_confirm", args=["x"])).status_code == 404
