"""A person's own account: its page, and the ways back in after a password is forgotten."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from clubs.accounts.one_use import make_password_link
from tests.factories import PASSWORD, make_club, make_director, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mails_at_once")]

NEXT = "another long passphrase"


@pytest.fixture(autouse=True)
def nothing_counted():
    cache.clear()


@pytest.fixture
def user():
    user = make_director(make_club())
    user.email = "directrice@example.org"
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


def log_in(name, password=PASSWORD, client=None, **more):
    client = client or Client()
    return client, client.post(reverse("login"), {"username": name, "password": password} | more)


def token_of(name, password=PASSWORD, **more):
    given = {"username": name, "password": password} | more
    return APIClient().post("/api/v1/token/", given, format="json")


def may(token):
    header = {"HTTP_AUTHORIZATION": f"Token {token}"}
    return APIClient().get("/api/v1/clubs/club/players/", **header).status_code


def choose(client, link, password=NEXT):
    """Follow a link to the form behind it, and choose a password there."""
    page = client.get(link, follow=True)
    return client.post(page.request["PATH_INFO"], {"password1": password, "password2": password})


@pytest.mark.parametrize("name", ["directrice", "DIRECTRICE", "directrice@example.org", "Directrice@Example.org"])
def test_log_in_by_name_or_address(user, name):
    assert log_in(name)[1].status_code == 302
    assert token_of(name).status_code == 200


def test_closed_account_is_let_in_nowhere(user):
    token = token_of("directrice").json()["token"]
    user.is_active = False
    user.save()
    assert log_in("directrice")[1]["Location"] == reverse("account_inactive")
    assert (token_of("directrice").status_code, may(token)) == (401, 401)


def test_changed_password_ends_other_devices_and_tokens(user):
    here, there = log_in("directrice")[0], log_in("directrice")[0]
    token = token_of("directrice").json()["token"]
    assert may(token) == 200
    fields = {"oldpassword": PASSWORD, "password1": NEXT, "password2": NEXT}
    assert here.post(reverse("account_change_password"), fields)["Location"] == reverse("account")
    assert here.get(reverse("account")).status_code == 200
    assert there.get(reverse("account")).status_code == 302
    assert may(token) == 401
    assert log_in("directrice", NEXT)[1].status_code == 302


def test_log_out_everywhere_ends_the_others_and_their_tokens(user):
    here, there = log_in("directrice")[0], log_in("directrice")[0]
    token = token_of("directrice").json()["token"]
    assert len(here.get(reverse("usersessions_list")).context["sessions"]) == 2
    assert here.post(reverse("account_log_out_everywhere")).status_code == 302
    assert here.get(reverse("account")).status_code == 200
    assert there.get(reverse("account")).status_code == 302
    assert may(token) == 401
    assert len(here.get(reverse("usersessions_list")).context["sessions"]) == 1


def test_forgotten_password_is_helped_by_mail(user, settings):
    settings.MAIL = True
    there = log_in("directrice")[0]
    sent = Client().post(reverse("account_reset_password"), {"email": "DIRECTRICE@example.org"})
    assert sent["Location"] == reverse("account_reset_password_done")
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (["directrice@example.org"], "Nouveau mot de passe · Topage")
    assert "Bonjour directrice," in letter.body
    link = re.search(r"http://testserver(\S+)", letter.body)[1]
    client = Client()
    assert choose(client, link)["Location"] == reverse("account_reset_password_from_key_done")
    assert log_in("directrice", NEXT)[1].status_code == 302
    assert there.get(reverse("account")).status_code == 302
    again = client.get(link, follow=True)
    assert again.context["token_fail"]
    assert "Ce lien ne fonctionne plus" in again.content.decode()


def test_letter_is_in_the_language_of_who_asks(user, settings):
    settings.MAIL = True
    Client(headers={"accept-language": "en"}).post(reverse("account_reset_password"), {"email": user.email})
    assert mail.outbox[0].subject == "New password · Topage"


def test_stranger_learns_nothing_of_who_has_an_account(user, settings):
    settings.MAIL = True
    answers = [
        Client().post(reverse("account_reset_password"), {"email": email}, follow=True).content
        for email in (user.email, "nobody@example.org")
    ]
    assert answers[0] == answers[1]
    assert len(mail.outbox) == 1


@pytest.mark.nightly("story")
def test_links_are_not_asked_for_without_end(user, settings):
    settings.MAIL = True
    answers = [
        Client().post(reverse("account_reset_password"), {"email": user.email}).status_code for _time in range(6)
    ]
    assert answers == [302] * 5 + [429]
    others = [
        Client().post(reverse("account_reset_password"), {"email": f"{number}@example.org"}).status_code
        for number in range(30)
    ]
    assert 429 in others


def test_without_mail_the_page_says_who_helps(user):
    page = Client().get(reverse("account_reset_password")).content.decode()
    assert "Demandez à un directeur de votre club" in page
    assert "<form" not in page.partition("<main")[2]
    Client().post(reverse("account_reset_password"), {"email": user.email})
    assert mail.outbox == []


def test_command_makes_a_link_that_serves_once(user, capsys):
    call_command("password_link", "directrice")
    link = re.search(r"directrice: (\S+)", capsys.readouterr().out)[1]
    assert Client().post(link, {"password": NEXT})["Location"] == reverse("account_reset_password_from_key_done")
    assert log_in("directrice", NEXT)[1].status_code == 302
    assert Client().get(link).status_code == 410
    with pytest.raises(CommandError, match="no open account"):
        call_command("password_link", "nobody")


@pytest.mark.parametrize("wrong", ["short", "password"])
def test_link_asks_for_a_password_that_is_one(user, wrong):
    link = reverse("password_link", args=[make_password_link(user, now=timezone.now())])
    page = Client().post(link, {"password": wrong})
    assert list(page.context["form"].errors) == ["password"]


@pytest.mark.parametrize("link", ["/password/choose/1-nothing/", "/password/choose/zzzzzz-a-b/"])
def test_link_that_is_none_says_so(user, link):
    assert Client().get(link).context["token_fail"]


def confirm(client):
    """Give the password again, as the site asks before it changes the safety of an account."""
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def code_now(secret):
    return format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))


@pytest.fixture
def second_step(user):
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    RecoveryCodes.activate(user)
    return secret


def test_second_step_is_set_up_and_given_up(user):
    client, _answer = log_in("directrice")
    asked = client.get(reverse("mfa_activate_totp"))
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    confirm(client)
    form = client.get(reverse("mfa_activate_totp")).context["form"]
    assert client.post(reverse("mfa_activate_totp"), {"code": "000000"}).status_code == 200
    done = client.post(reverse("mfa_activate_totp"), {"code": code_now(form.secret)})
    assert done["Location"] == reverse("mfa_view_recovery_codes")
    assert len(client.get(done["Location"]).context["unused_codes"]) == 10
    assert client.post(reverse("mfa_deactivate_totp")).status_code == 302
    assert not Authenticator.objects.exists()


def test_second_step_is_asked_for_before_anybody_is_in(user, second_step):
    client, answer = log_in("directrice", next="/rules/")
    assert answer["Location"].startswith(reverse("mfa_authenticate"))
    assert client.get(reverse("account")).status_code == 302
    assert client.post(answer["Location"], {"code": "000000"}).status_code == 200
    assert client.post(answer["Location"], {"code": code_now(second_step)})["Location"] == "/rules/"
    assert client.get(reverse("account")).status_code == 200


def test_recovery_code_serves_once(user, second_step):
    code = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()[0]
    client, answer = log_in("directrice")
    assert client.post(answer["Location"], {"code": code}).status_code == 302
    again, answer = log_in("directrice")
    assert again.post(answer["Location"], {"code": code}).status_code == 200


def test_administration_and_tokens_ask_for_the_second_step_too(user, second_step):
    user.is_staff = user.is_superuser = True
    user.save()
    client = Client()
    answer = client.post(reverse("admin:login"), {"username": "directrice", "password": PASSWORD})
    assert answer["Location"].startswith(reverse("mfa_authenticate"))
    assert client.get(reverse("admin:index")).status_code == 302
    refused = token_of("directrice")
    assert (refused.status_code, refused.json()["error"]["code"]) == (401, "second_step")
    assert token_of("directrice", code="000000").status_code == 401
    assert token_of("directrice", code=code_now(second_step)).status_code == 200


def test_codes_are_not_guessed_at_will(user, second_step):
    client, answer = log_in("directrice")
    for _time in range(5):
        client.post(answer["Location"], {"code": "000000"})
    refused = client.post(answer["Location"], {"code": code_now(second_step)})
    assert refused.status_code == 200
    assert refused.context["form"].errors


def test_name_and_address_are_changed(user, settings):
    client, _answer = log_in("directrice")
    client.post(reverse("account"), {"name": "Zoé de La Tour"})
    user.refresh_from_db()
    assert user.shown_name == "Zoé de La Tour"
    confirm(client)
    client.post(reverse("account_email"), {"email": "Zoe@example.org"})
    user.refresh_from_db()
    assert user.email == "zoe@example.org"
    settings.MAIL = True
    client.post(reverse("account_email"), {"email": "autre@example.org", "action_add": ""})
    link = re.search(r"http://testserver(\S+)", mail.outbox[0].body)[1]
    user.refresh_from_db()
    client.post(link)
    user.refresh_from_db()
    assert user.email == "autre@example.org"


@pytest.mark.nightly("story")
def test_address_of_another_account_is_told_to_nobody(user, settings):
    settings.MAIL = True
    make_user("autre")
    client, _answer = log_in("autre")
    confirm(client)
    answers = [
        client.post(reverse("account_email"), {"email": email, "action_add": ""}, follow=True)
        for email in (user.email, "fresh@example.org")
    ]
    texts = [re.sub(r'\S+@example.org|name="csrf\w+" value="\w+"', "", page.content.decode()) for page in answers]
    assert texts[0] == texts[1]


def test_signing_up_is_no_page(user):
    assert Client().get("/signup/").status_code == 404
