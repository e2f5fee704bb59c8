"""The hashing at log-in: exactly one password hash, whatever was typed, so that the time tells nothing."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.test import Client
from django.urls import reverse

from tests.factories import PASSWORD, make_user

TYPED = [
    ("directrice", PASSWORD),
    ("directrice", "no"),
    ("DIRECTRICE", "no"),
    ("directrice@example.org", PASSWORD),
    ("directrice@example.org", "no"),
    ("Directrice@Example.org", "no"),
    ("nobody", "no"),
    ("nobody@example.org", "no"),
    ("closed", PASSWORD),
    ("closed", "no"),
    ("without", "no"),
    ("shared@example.org", "no"),
]


@pytest.fixture
def hashes(settings, monkeypatch):
    """Return a list that grows with each password that is hashed."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    monkeypatch.setattr(PBKDF2PasswordHasher, "iterations", 1)
    real, made = PBKDF2PasswordHasher.encode, []

    def encode(self, password, salt, iterations=None):
        made.append(password)
        return real(self, password, salt, iterations)

    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", encode)
    return made


@pytest.fixture
def people(hashes, db):
    for name in ("directrice", "closed", "without", "un", "deux"):
        user = make_user(name)
        user.email = "shared@example.org" if name in ("un", "deux") else f"{name}@example.org"
        user.is_active = name != "closed"
        user.set_password(PASSWORD) if name != "without" else user.set_unusable_password()
        user.save()
        EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=name == "directrice")
    hashes.clear()


@pytest.mark.parametrize(("name", "password"), TYPED)
def test_log_in_hashes_once(people, hashes, name, password):
    Client().post(reverse("login"), {"username": name, "password": password})
    assert len(hashes) == 1
    hashes.clear()
    Client().post("/api/v1/token/", {"username": name, "password": password}, content_type="application/json")
    assert len(hashes) == 1


def test_whoever_has_to_wait_is_hashed_nothing_for(people, hashes):
    for _time in range(3):
        Client().post(reverse("login"), {"username": "directrice", "password": "no"})
    assert len(hashes) == 2


@pytest.mark.nightly("story")
def test_confirmed_address_goes_before_a_name_and_the_first_before_the_others(people):
    """Check that nobody can take over a log-in by choosing that address as a name, or by entering it too."""
    make_user("directrice@example.org")
    answer = Client().post(reverse("login"), {"username": "directrice@example.org", "password": PASSWORD}, follow=True)
    assert answer.context["user"].username == "directrice"
    answer = Client().post(reverse("login"), {"username": "shared@example.org", "password": PASSWORD}, follow=True)
    assert answer.context["user"].username == "un"
