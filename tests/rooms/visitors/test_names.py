"""The names of guests: cleaned, of 2 to 40 letters, and no name twice at once."""

import pytest
from django.utils import timezone

from rooms.models import Visitor
from rooms.visitors.guests import forget_guest_now, make_guest, rename_visitor
from rooms.visitors.names import VisitorRefused, clean_guest_name, find_free_name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Élise   Saint-Jean ", "Élise Saint-Jean"),
        ("D’Artagnan 3", "D’Artagnan 3"),
        ("Li", "Li"),
        ("Zoé\u202eluaP", "Zoé luaP"),
        ("o\u0302lo\n", "ôlo"),
        ("A" * 40, "A" * 40),
    ],
)
def test_name_is_cleaned(typed, name):
    assert clean_guest_name(typed) == name


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "guest_name_short"),
        ("A", "guest_name_short"),
        ("1234", "guest_name_short"),
        ("\u200f A \u202e", "guest_name_short"),
        ("A" * 41, "guest_name_long"),
        ("<b>Paul", "guest_name_signs"),
        ("paul@example.org", "guest_name_signs"),
        ("Paul 🂡", "guest_name_signs"),
        ("Zo\u0334\u0335\u0336é", "guest_name_signs"),
    ],
)
def test_text_that_is_no_name_is_refused_with_its_reason(typed, code):
    with pytest.raises(VisitorRefused) as refused:
        clean_guest_name(typed)
    assert (refused.value.code, refused.value.field) == (code, "name")


@pytest.mark.django_db
def test_second_guest_of_a_name_gets_a_number():
    now = timezone.now()
    assert [make_guest(name=name, now=now)[0].name for name in ("Élise", "elise", "ELISE", "Élise 2")] == [
        *("Élise", "elise 2", "ELISE 3", "Élise 2 2"),
    ]


@pytest.mark.django_db
def test_long_name_that_is_taken_keeps_its_length():
    now = timezone.now()
    make_guest(name="A" * 40, now=now)
    assert make_guest(name="A" * 40, now=now)[0].name == "A" * 38 + " 2"


@pytest.mark.django_db
def test_name_of_a_forgotten_guest_is_free_again():
    now = timezone.now()
    first, _token = make_guest(name="Paul", now=now)
    forget_guest_now(visitor=first, now=now)
    assert make_guest(name="Paul", now=now)[0].name == "Paul"


@pytest.mark.django_db
def test_hidden_name_stays_hidden_whatever_the_guest_is_called(directrice):
    now = timezone.now()
    guest, _token = make_guest(name="Vilain", now=now)
    Visitor.objects.filter(pk=guest.pk).update(hidden_at=now, hidden_by=directrice)
    for name in ("Gentil", "Vilain"):
        assert rename_visitor(visitor=guest, name=name, now=now) == name
        guest.refresh_from_db()
        assert (guest.name, guest.hidden_at) == (name, now)


@pytest.mark.django_db
def test_free_name_is_found_by_one_query_that_reads_few_rows(django_assert_num_queries):
    now = timezone.now()
    for name in ("Zoé", "Zoe", *(f"Joueur {letter}" for letter in "abcdefgh")):
        make_guest(name=name, now=now)
    with django_assert_num_queries(1) as asked:
        assert find_free_name("ZOÉ") == "ZOÉ 3"
    assert "simple_name" in asked.captured_queries[0]["sql"].split("WHERE")[1]


@pytest.mark.django_db
def test_simple_name_follows_the_name():
    now = timezone.now()
    guest, _token = make_guest(name="Élise", now=now)
    rename_visitor(visitor=guest, name="Zoé-Anne", now=now)
    assert Visitor.objects.get().simple_name == "zoe anne"
    forget_guest_now(visitor=guest, now=now)
    assert Visitor.objects.get().simple_name == ""
