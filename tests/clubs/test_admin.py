"""The administration pages: open only to the people who run the site, in both languages, with translated names."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from clubs.models import User
from tests.factories import make_club, make_director

pytestmark = pytest.mark.django_db

OURS = {model._meta.model_name: model for model in admin.site._registry if model._meta.app_label == "clubs"}


@pytest.fixture
def root():
    user = make_director(make_club())
    User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    return user


@pytest.mark.nightly("story")
@pytest.mark.parametrize("language", ["fr", "en"])
def test_pages_open_in_both_languages(root, language):
    client = Client(headers={"accept-language": language})
    client.force_login(root)
    index = client.get(reverse("admin:index")).content.decode()
    assert {"fr": "Administration de Topage", "en": "Administration of Topage"}[language] in index
    for name in OURS:
        answers = [client.get(reverse(f"admin:clubs_{name}_{page}")).status_code for page in ("changelist", "add")]
        assert answers == [200, 403 if name == "logintry" else 200]  # nobody writes tries to log in by hand


def test_names_are_translated():
    with override("fr"):
        names = {name: str(model._meta.verbose_name_plural) for name, model in OURS.items()}
    assert names == names | {"club": "clubs", "player": "joueurs", "season": "saisons", "user": "comptes"}


@pytest.mark.nightly("story")
def test_nobody_else_comes_in_or_is_shown_the_way():
    director = make_director(make_club())
    client = Client()
    client.force_login(director)
    assert client.get(reverse("admin:index")).status_code == 302
    pages = (reverse("home"), reverse("club", args=["club"]), reverse("account"), reverse("team", args=["club"]))
    assert [page for page in pages if "/admin/" in client.get(page).content.decode()] == []


def test_secrets_of_the_second_step_are_on_no_page():
    assert Authenticator not in admin.site._registry


def test_lost_telephone_is_helped(root):
    Authenticator.objects.create(user=root, type="totp", data={"secret": "x"})
    client = Client()
    client.force_login(root)
    client.post(reverse("admin:clubs_user_changelist"), {"action": "end_second_step", "_selected_action": [root.pk]})
    assert not Authenticator.objects.exists()
