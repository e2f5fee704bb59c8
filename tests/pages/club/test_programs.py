"""The page of the tokens of programs: made and shown once, seen and ended by every director of the club."""

import datetime as dt
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from archives.privacy.periods import forget_what_is_over
from clubs.accounts import program_tokens
from clubs.accounts.changes import change_role, end_role
from clubs.accounts.invitations import accept_invitation, invite
from clubs.accounts.program_tokens import (
    NewToken,
    end_program_token,
    find_program_token,
    make_program_token,
    note_token_use,
)
from clubs.errors import AccountRefused
from clubs.models import Club, Membership, ProgramToken, User, day_of_roles
from tests.factories import make_club, make_director, make_helper
from tests.pages.browsing import browser_of

pytestmark = pytest.mark.django_db

DAY = dt.timedelta(days=1)
SECRET = re.compile(r"topage_[\w-]{43}")


@pytest.fixture
def other(club):
    return make_director(club, "autre")


def page_of(club):
    return reverse("programs", args=[club.slug])


def fields(**given):
    return {"name": "Site", "scopes": ["read"], "ends_on": f"{day_of_roles() + 30 * DAY}"} | given


def make(club, user, name="Site", *, days=30, scopes=("read",)):
    asked = NewToken(name, frozenset(scopes), day_of_roles() + days * DAY)
    return make_program_token(club, asked, now=timezone.now(), by=user)


def log_of(club):
    return [(row.action, row.params) for row in club.log.order_by("pk")]


def test_token_is_shown_once_and_only_its_digest_is_stored(club, director):
    browser = browser_of(director)
    made = browser.post(page_of(club), fields(scopes=["read", "enter"]))
    (secret,) = set(SECRET.findall(made.content.decode()))
    assert "no-store" in made["Cache-Control"]
    token = ProgramToken.objects.get()
    assert (token.may_read, token.may_enter, token.may_direct) == (True, True, False)
    rows = str([list(model.objects.values_list()) for model in (ProgramToken, type(club.log.get()))])
    assert secret not in rows
    assert secret.removeprefix("topage_") not in rows
    assert not SECRET.search(browser.get(page_of(club)).content.decode())
    assert find_program_token(secret, timezone.now()) == token
    assert log_of(club) == [("token_made", {"token": "Site"})]


def test_page_is_empty_at_first_and_proposes_to_read_for_a_year(club, director):
    page = browser_of(director).get(page_of(club))
    assert "No program has access" in page.content.decode()
    assert page.context["form"].initial == {"scopes": ["read"], "ends_on": day_of_roles() + 365 * DAY}


def test_each_director_sees_and_ends_the_tokens_of_all(club, director, other):
    secret = make(club, director, "Écran")
    note_token_use(ProgramToken.objects.get().pk, now=timezone.now())
    browser = browser_of(other)
    page = browser.get(page_of(club)).content.decode()
    for told in (
        "Écran",
        "May: read everything, including what is not public.",
        "Created by directrice",
        "Last use: ",
        "valid until",
    ):
        assert told in page, told
    end = reverse("token_end", args=[club.slug, ProgramToken.objects.get().pk])
    for _time in range(2):
        answer = browser.post(end, follow=True)
        assert "The token has ended: no program can use it any more." in answer.content.decode()
    token = ProgramToken.objects.get()
    assert (token.ended_by, find_program_token(secret, timezone.now())) == (other, None)
    assert "ended by autre on" in browser.get(page_of(club)).content.decode()
    assert log_of(club)[1:] == [("token_ended", {"token": "Écran", "whom": "directrice"})]


def test_director_of_another_club_ends_nothing(club, director):
    secret = make(club, director)
    elsewhere = make_club("ailleurs", "Ailleurs")
    browser, token = browser_of(make_director(elsewhere, "voisine")), ProgramToken.objects.get().pk
    assert browser.post(reverse("token_end", args=[club.slug, token])).status_code == 403
    assert browser.post(reverse("token_end", args=[elsewhere.slug, token])).status_code == 302
    assert find_program_token(secret, timezone.now()) is not None
    assert "Site" not in browser.get(page_of(elsewhere)).content.decode()


def test_helper_makes_no_token(club):
    helper = make_helper(club)
    assert browser_of(helper).post(page_of(club), fields()).status_code == 403
    with pytest.raises(AccountRefused) as refused:
        make(club, helper)
    assert refused.value.code == "directs_no_longer"


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("scopes", [], "required"),
        ("scopes", ["all"], "in the list"),
        ("name", "", "required"),
        ("name", "S" * 81, "80"),
        ("name", "a\u202eb", ""),
        ("ends_on", "", "required"),
        ("ends_on", "2020-01-01", "This day has passed: choose another."),
        ("ends_on", "2099-01-01", "A token lasts until"),
    ],
    ids=["no-scope", "unknown-scope", "no-name", "long-name", "hidden-sign", "no-day", "past", "too-late"],
)
def test_wrong_form_says_why_and_keeps_what_was_typed(club, director, field, value, told):
    typed = fields(**{field: value})
    form = browser_of(director).post(page_of(club), typed).context["form"]
    assert list(form.errors) == [field]
    assert told in str(form.errors[field])
    assert {name: form[name].value() for name in typed} == typed
    assert ProgramToken.objects.count() == 0


def test_two_tokens_of_a_director_have_two_names_while_both_work(club, director, other):
    make(club, director)
    browser = browser_of(director)
    assert "You have a token named “Site” already" in browser.post(page_of(club), fields()).content.decode()
    make(club, other)
    end_program_token(club, ProgramToken.objects.get(member__user=director).pk, now=timezone.now(), by=director)
    make(club, director)
    director.set_password("another passphrase for tests")
    director.save()
    make(club, director)  # the password has ended the one before, which keeps no name
    assert ProgramToken.objects.filter(ended_at=None).count() == 2


def test_club_has_a_bounded_number_of_tokens(club, director, monkeypatch):
    monkeypatch.setattr(program_tokens, "MOST", 2)
    make(club, director, "1")
    make(club, director, "2")
    with pytest.raises(AccountRefused) as refused:
        make(club, director, "3")
    assert refused.value.code == "too_many_tokens"
    ProgramToken.objects.filter(name="1").update(ends_on=day_of_roles() - DAY)
    make(club, director, "3")


def test_token_ends_with_the_last_day_of_the_role_at_the_latest(club, director):
    Membership.objects.filter(user=director).update(ends_on=day_of_roles() + 10 * DAY)
    with pytest.raises(AccountRefused) as refused:
        make(club, director, days=11)
    assert refused.value.code == "token_ends_too_late"
    secret = make(club, director, days=10)
    assert find_program_token(secret, timezone.now() + 12 * DAY) is None


def test_role_that_ends_takes_its_tokens_with_it_and_logs_them(club, director, other):
    make(club, other, "Écran")
    end_role(club, other.memberships.get().pk, now=timezone.now(), by=director)
    assert ProgramToken.objects.count() == 0
    assert ("token_ended", {"token": "Écran", "whom": "autre"}) in log_of(club)


@pytest.mark.parametrize("way", ["invited", "prolonged", "removed"])
def test_role_that_is_given_again_brings_no_old_token_back(club, director, other, way):
    secret, now = make(club, other), timezone.now()
    Membership.objects.filter(user=other).update(ends_on=day_of_roles() - DAY)
    assert find_program_token(secret, now) is None
    if way == "removed":  # as in the administration
        Membership.objects.filter(user=other).delete()
    if way == "prolonged":
        change_role(club, other.memberships.get().pk, "director", now=now, by=director)
    else:
        accept_invitation(invite(club, "director", now=now, by=director), other, now=now)
    assert Membership.objects.get(user=other).is_over is False
    assert find_program_token(secret, now) is None


def test_database_refuses_a_token_without_scope_and_two_of_one_name(club, director):
    make(club, director)
    row = ProgramToken.objects.values().get() | {"id": None, "digest": "another"}
    for wrong in (row, row | {"name": "Autre", "may_read": False}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ProgramToken.objects.create(**wrong)


def test_tokens_are_forgotten_thirty_days_after_their_end(club, director):
    make(club, director, "Écran", days=5)
    make(club, director, "Site", days=100)
    make(club, director, "Ended", days=100)
    end_program_token(club, ProgramToken.objects.get(name="Ended").pk, now=timezone.now(), by=director)
    for days, left in ((29, 3), (31, 2), (37, 1), (132, 0)):
        forget_what_is_over(timezone.now() + days * DAY)
        assert (days, ProgramToken.objects.count()) == (days, left)


def test_page_of_practice_leads_to_the_club(club, director):
    Club.every.create(name="Essai", slug="essai", practice_of=club, created_at=timezone.now())
    assert browser_of(director).get(reverse("programs", args=["essai"]))["Location"] == page_of(club)


def test_form_from_another_site_makes_and_ends_nothing(club, director):
    make(club, director)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(director)
    assert browser.post(page_of(club), fields(name="Eve")).status_code == 403
    end = reverse("token_end", args=[club.slug, ProgramToken.objects.get().pk])
    assert browser.post(end).status_code == 403
    assert ProgramToken.objects.get().ended_at is None


@pytest.mark.nightly("race")
@pytest.mark.django_db(transaction=True)
def test_two_directors_at_once_make_one_and_end_it_once(club, director, other):
    start = Barrier(2)

    def both(act):
        def run(user):
            start.wait()
            try:
                return act(User.objects.get(pk=user.pk))
            except AccountRefused as refusal:
                return refusal.code
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as threads:
            return list(threads.map(run, (director, director if act is doubled else other)))

    def doubled(user):
        return len(make(club, user))

    assert sorted(map(str, both(doubled))) == ["50", "token_name_taken"]
    token = ProgramToken.objects.get().pk
    both(lambda user: end_program_token(club, token, now=timezone.now(), by=user))
    assert [action for action, _params in log_of(club)] == ["token_made", "token_ended"]
