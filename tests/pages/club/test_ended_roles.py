"""The people whose role has ended or shrunk: no link that they made brings it back, and nobody gives a longer role."""

import datetime as dt
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.changes import change_role, end_role
from clubs.accounts.invitations import NewAccount, accept_invitation, invite, invite_director
from clubs.accounts.one_use import help_with_password
from clubs.accounts.players import make_player_link
from clubs.errors import AccountRefused
from clubs.house import change_settings
from clubs.models import Invitation, Membership, PasswordLink, PlayerLink, User, day_of_roles
from clubs.players import add_players
from clubs.roster import RosterLine
from tests.factories import PASSWORD, make_club, make_director, make_helper, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted")]

DAY = dt.timedelta(days=1)
KINDS = {"invitation": Invitation, "player_link": PlayerLink, "password_link": PasswordLink}


def browser_of(user):
    browser = Client()
    browser.force_login(user)
    return browser


def membership(club, user):
    return Membership.objects.get(club=club, user=user)


@pytest.fixture
def other(club):
    """Return the director who leaves; `director` is the one who stays."""
    return make_director(club, "autre")


@pytest.fixture
def links(club, director, other):
    """Return the address of each kind of link that a director can make."""
    now = timezone.now()
    change_settings(club, {"player_accounts": "link"}, now=now, by=director)
    (player,) = add_players(club=club, lines=[RosterLine("Durand", "Zoé")])
    helper = membership(club, make_helper(club, "aide"))
    tokens = {
        "invitation": invite(club, "director", now=now, by=other, whom="complice"),
        "player_link": make_player_link(player, now=now, by=other),
        "password_link": help_with_password(club, helper.pk, now=now, by=other),
    }
    return {kind: reverse(kind, args=[token]) for kind, token in tokens.items()}


def end(club, director, other):
    browser_of(director).post(reverse("member_end", args=[club.slug, membership(club, other).pk]))


def lower(club, director, other):
    fields = {"role": "helper", "ends_on": ""}
    browser_of(director).post(reverse("member_change", args=[club.slug, membership(club, other).pk]), fields)


def reach_last_day(club, director, other):
    Membership.objects.filter(user=other).update(ends_on=day_of_roles() - DAY)


def close_account(club, director, other):
    User.objects.filter(pk=other.pk).update(is_active=False)


def delete_account(club, director, other):
    other.delete()


def remove_in_administration(club, director, other):
    Membership.objects.filter(user=other).delete()


WAYS = [end, lower, reach_last_day, close_account, delete_account, remove_in_administration]


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("way", WAYS)
def test_links_of_a_director_end_with_the_role(club, director, other, links, way):
    assert {kind: Client().get(link).status_code for kind, link in links.items()} == dict.fromkeys(links, 200)
    way(club, director, other)
    assert {kind: Client().get(link).status_code for kind, link in links.items()} == dict.fromkeys(links, 410)
    fields = {"name": "Eve", "email": "", "password": PASSWORD}
    assert {kind: Client().post(link, fields).status_code for kind, link in links.items()} == dict.fromkeys(links, 410)
    assert not User.objects.filter(first_name="Eve").exists()
    assert User.objects.get(username="aide").check_password(PASSWORD)
    team = browser_of(director).get(reverse("team", args=[club.slug]))
    assert (team.context["invitations"], [row.waiting for row in team.context["rows"] if row.waiting]) == ([], [])


@pytest.mark.parametrize("way", [end, lower])
def test_what_ends_is_taken_back_at_once_and_logged(club, director, other, links, way):
    way(club, director, other)
    assert {kind: rows.objects.get().revoked_at is not None for kind, rows in KINDS.items()} == dict.fromkeys(
        KINDS, True
    )
    done = club.log.filter(author=director).values_list("action", flat=True)
    assert {"invitation_revoked", "player_link_revoked", "password_link_revoked"} <= set(done)


def test_links_of_others_and_of_other_clubs_stay(club, director, other, links):
    elsewhere = make_club("ailleurs", "Ailleurs")
    Membership.objects.create(user=other, club=elsewhere, role="director")
    now = timezone.now()
    kept = [invite(elsewhere, "helper", now=now, by=other), invite(club, "helper", now=now, by=director)]
    end(club, director, other)
    assert [Client().get(reverse("invitation", args=[token])).status_code for token in kept] == [200, 200]


def test_role_that_is_given_anew_after_its_end_brings_no_old_link_back(club, director, other, links):
    reach_last_day(club, director, other)
    now = timezone.now()
    accept_invitation(invite(club, "director", now=now, by=director), other, now=now)
    assert membership(club, other).role == "director"
    assert not membership(club, other).is_over
    assert {Client().get(link).status_code for link in links.values()} == {410}


def test_role_that_is_prolonged_after_its_end_brings_no_old_link_back(club, director, other, links):
    reach_last_day(club, director, other)
    fields = {"role": "director", "ends_on": ""}
    browser_of(director).post(reverse("member_change", args=[club.slug, membership(club, other).pk]), fields)
    assert {Client().get(link).status_code for link in links.values()} == {410}


@pytest.mark.parametrize("way", [end, lower])
def test_whoever_ends_a_role_is_shown_who_came_by_its_invitations(club, director, other, way):
    for name, by in (("Complice Un", other), ("Zoé Deux", director)):
        accept_invitation(
            invite(club, "helper", now=timezone.now(), by=by), NewAccount(name, PASSWORD), now=timezone.now()
        )
    name = {end: "member_end", lower: "member_change"}[way]
    fields = {"role": "helper", "ends_on": ""}
    page = browser_of(director).post(reverse(name, args=[club.slug, membership(club, other).pk]), fields)
    assert [each.user.shown_name for each in page.context["came"]] == ["Complice Un"]
    again = browser_of(director).get(reverse("team", args=[club.slug])).content.decode()
    assert re.findall(r"Sur invitation de (\w+), qui ne dirige plus ce club", again) == ["autre"]


def test_whoever_came_by_an_invitation_of_the_site_is_not_doubted(club, director, root):
    token = invite_director(club, now=timezone.now(), by=root, whom="Zoé")
    accept_invitation(token, NewAccount("Zoé Durand", PASSWORD), now=timezone.now())
    page = browser_of(director).get(reverse("team", args=[club.slug])).content.decode()
    assert ("Sur invitation de root" in page, "qui ne dirige plus" in page) == (True, False)
    User.objects.filter(pk=root.pk).update(is_superuser=False)
    assert "qui ne dirige plus" in browser_of(director).get(reverse("team", args=[club.slug])).content.decode()


def test_whoever_lowers_their_own_role_is_led_to_the_page_of_the_club(club, director, other):
    accept_invitation(
        invite(club, "helper", now=timezone.now(), by=other), NewAccount("Zoé", PASSWORD), now=timezone.now()
    )
    change = reverse("member_change", args=[club.slug, membership(club, other).pk])
    page = browser_of(other).post(change, {"role": "helper", "ends_on": ""})
    assert (page.status_code, page["Location"]) == (302, reverse("club", args=[club.slug]))


@pytest.mark.nightly("crawl")
def test_nobody_gives_a_role_that_ends_later_than_their_own(club, director, other):
    today = day_of_roles()
    Membership.objects.filter(user=other).update(ends_on=today + 5 * DAY)
    browser, team = browser_of(other), reverse("team", args=[club.slug])
    for day in ("", today + 6 * DAY):
        page = browser.post(team, {"role": "helper", "whom": "Ève", "ends_on": day})
        assert (list(page.context["form"].errors), 'value="Ève"' in page.content.decode()) == (["ends_on"], True)
    assert Invitation.objects.count() == 0
    assert "link" in browser.post(team, {"role": "helper", "ends_on": today + 5 * DAY}).context
    helper = membership(club, make_helper(club, "aide"))
    mine, directors = membership(club, other), membership(club, director)
    tried = [
        (mine, "director", None),
        (mine, "director", today + 6 * DAY),
        (helper, "director", None),
        (helper, "director", today + 6 * DAY),
    ]
    for member, role, day in tried:
        with pytest.raises(AccountRefused) as refused:
            change_role(club, member.pk, role, now=timezone.now(), by=other, ends_on=day)
        assert refused.value.code == "longer_than_yours"
    change_role(club, helper.pk, "director", now=timezone.now(), by=other, ends_on=today + 5 * DAY)
    change_role(club, helper.pk, "helper", now=timezone.now(), by=other, ends_on=today + 3 * DAY)
    change_role(club, mine.pk, "director", now=timezone.now(), by=director, ends_on=today + 9 * DAY)
    assert directors.ends_on is None


def test_invitation_ends_where_its_maker_comes_to_have_less(club, director, other):
    token = invite(club, "helper", now=timezone.now(), by=other)
    short = invite(club, "helper", now=timezone.now(), by=other, ends_on=day_of_roles() + DAY)
    member = membership(club, other)
    change_role(club, member.pk, "director", now=timezone.now(), by=director, ends_on=day_of_roles() + 5 * DAY)
    assert [Client().get(reverse("invitation", args=[each])).status_code for each in (token, short)] == [410, 200]


def test_invitation_never_shortens_a_role(club, director, other):
    Membership.objects.filter(user=other).update(ends_on=day_of_roles() + 9 * DAY)
    for role in ("director", "helper"):
        accept_invitation(
            invite(club, role, now=timezone.now(), by=director, ends_on=day_of_roles() + DAY), other, now=timezone.now()
        )
    assert (membership(club, other).role, membership(club, other).ends_on) == ("director", day_of_roles() + 9 * DAY)


@pytest.mark.django_db(transaction=True)
def test_of_two_directors_who_end_one_another_at_once_one_stays():
    club = make_club()
    users = [make_director(club, name) for name in ("un", "deux")]
    members = [membership(club, user) for user in users]

    def end(pair):
        by, member = pair
        return said(lambda: end_role(club, member.pk, now=timezone.now(), by=by))

    ended = at_once(end, [(users[0], members[1]), (users[1], members[0])])
    assert sorted(ended) in (["directs_no_longer", "done"], ["done", "role_gone"])
    assert Membership.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_invitation_that_is_taken_while_its_makers_role_ends_is_listed_or_refused():
    club = make_club()
    director, other = (make_director(club, name) for name in ("un", "deux"))
    token, member = invite(club, "director", now=timezone.now(), by=other), membership(club, other)
    came = []

    def act(what):
        if what == "end":
            return said(lambda: came.extend(end_role(club, member.pk, now=timezone.now(), by=director)))
        return said(lambda: accept_invitation(token, NewAccount("Complice", PASSWORD), now=timezone.now()))

    ended, taken = at_once(act, ["end", "take"])
    assert ended == "done"
    assert (taken, [each.user.shown_name for each in came]) in (("done", ["Complice"]), ("invitation_revoked", []))


def said(act):
    try:
        act()
    except AccountRefused as refusal:
        return refusal.code
    finally:
        connection.close()
    return "done"


def at_once(act, whom):
    together = Barrier(len(whom))

    def go(each):
        together.wait()
        return act(each)

    with ThreadPoolExecutor(len(whom)) as pool:
        return list(pool.map(go, whom))


@pytest.fixture
def root():
    return User.objects.create_superuser("root", password=PASSWORD)


@pytest.mark.parametrize("how", ["over", "closed", "removed"])
def test_administrator_names_the_next_director_of_a_club_that_has_none(club, director, root, how, capsys):
    browser, page = browser_of(root), reverse("site_clubs")
    naming = reverse("site_director", args=[club.slug])
    assert naming not in browser.get(page).content.decode()
    assert browser.post(naming, {"whom": "Zoé"})["Location"] == page
    if how == "over":
        Membership.objects.update(ends_on=day_of_roles() - DAY)
    elif how == "closed":
        User.objects.filter(pk=director.pk).update(is_active=False)
    else:
        Membership.objects.all().delete()
    assert "n’a plus de directeur" in browser.get(reverse("account")).content.decode()
    assert naming in browser.get(page).content.decode()
    call_command("directors")
    assert capsys.readouterr().out == f"{club.slug}\t{club.name}\n"
    assert browser.post(naming, {"whom": ""}).status_code == 200
    assert Invitation.objects.count() == 0
    link = re.search(r"http://testserver(/invitation/[^<]+)", browser.post(naming, {"whom": "Zoé"}).content.decode())[1]
    assert "Zoé" in browser.get(page).content.decode()
    Client().post(link, {"name": "Zoé Durand", "email": "", "password": PASSWORD})
    assert naming not in browser.get(page).content.decode()
    assert club.memberships.get(user__first_name="Zoé").role == "director"


def test_command_makes_a_link_for_the_next_director(club, capsys):
    call_command("directors", club.slug, "--for", "Zoé")
    accept_invitation(
        re.search(r"/invitation/(\S+)/", capsys.readouterr().out)[1], make_user("zoe"), now=timezone.now()
    )
    assert club.memberships.get(user__username="zoe").role == "director"
    with pytest.raises(CommandError, match="no club"):
        call_command("directors", "nulle-part")


@pytest.mark.parametrize("role", ["stranger", "director"])
def test_nobody_else_names_directors(club, director, role):
    user = make_user("passant") if role == "stranger" else director
    naming = reverse("site_director", args=[club.slug])
    assert browser_of(user).post(naming, {"whom": "Zoé"}).status_code == 403
    assert Client().post(naming, {"whom": "Zoé"}).status_code == 302
    assert Invitation.objects.count() == 0


def test_invitation_of_an_administrator_ends_with_the_administration(club, root):
    link = reverse("invitation", args=[invite_director(club, now=timezone.now(), by=root, whom="Zoé")])
    assert Client().get(link).status_code == 200
    User.objects.filter(pk=root.pk).update(is_superuser=False)
    assert Client().get(link).status_code == 410


@pytest.mark.nightly("crawl")
def test_invitation_of_an_administrator_ends_where_the_account_is_deleted(club, root):
    tokens = []
    for name in ("un", "deux"):
        user = User.objects.create_superuser(name, password=PASSWORD)
        tokens.append(invite_director(club, now=timezone.now(), by=user, whom="Zoé"))
    one, two = (User.objects.get(username=name).pk for name in ("un", "deux"))
    browser_of(root).post(reverse("admin:clubs_user_delete", args=[one]), {"post": "yes"})
    chosen = {"action": "delete_selected", "_selected_action": [two], "post": "yes"}
    browser_of(root).post(reverse("admin:clubs_user_changelist"), chosen)
    assert not User.objects.filter(pk__in=[one, two]).exists()
    assert [Client().get(reverse("invitation", args=[each])).status_code for each in tokens] == [410, 410]
