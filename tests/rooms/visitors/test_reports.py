"""The names that do not belong here: reported once, hidden by the administrator, and every step is in a log."""

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from rooms.models import Visitor
from rooms.visitors.guests import make_guest
from rooms.visitors.names import (
    VisitorRefused,
    hide_name,
    keep_name,
    list_hidden,
    list_reported,
    report_name,
    show_name_again,
    show_visitor_names,
)

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def guest():
    return make_guest(name="Vilain", now=NOW)[0]


def lines():
    return list(LogEntry.objects.order_by("pk").values_list("object_repr", "change_message", "user__username"))


def test_reported_name_waits_for_the_administrator_once(guest):
    assert [report_name(visitor_id=guest.pk, now=NOW) for _time in range(2)] == [True, True]
    assert list(list_reported()) == [guest]
    assert report_name(visitor_id=guest.pk + 1, now=NOW) is False


def test_hidden_name_is_a_number_everywhere_and_the_log_says_who_hid_it(guest, directrice):
    report_name(visitor_id=guest.pk, now=NOW)
    hide_name(visitor_id=guest.pk, by=directrice, now=NOW)
    guest.refresh_from_db()
    assert show_visitor_names([guest])[guest.pk].name == f"Joueur n°\xa0{guest.pk}"
    assert (list(list_reported()), list(list_hidden())) == ([], [guest])
    assert report_name(visitor_id=guest.pk, now=NOW) is False
    show_name_again(visitor_id=guest.pk, by=directrice)
    guest.refresh_from_db()
    assert show_visitor_names([guest])[guest.pk].name == "Vilain"
    number, who = f"no. {guest.pk}", directrice.username
    assert lines() == [(number, "name hidden", who), (number, "name shown again", who)]


def test_name_with_nothing_wrong_stays(guest, directrice):
    report_name(visitor_id=guest.pk, now=NOW)
    keep_name(visitor_id=guest.pk, by=directrice)
    guest.refresh_from_db()
    assert (list(list_reported()), guest.hidden_at, len(lines())) == ([], None, 1)


def test_forgotten_visitor_has_no_name_to_hide(directrice):
    gone = Visitor.objects.create(created_at=NOW, seen_at=NOW, forgotten_at=NOW)
    with pytest.raises(VisitorRefused, match="visitor_unknown"):
        hide_name(visitor_id=gone.pk, by=directrice, now=NOW)
    assert lines() == []
