"""The ways in which people are shown in public: by name, by initials, hidden, or by a number once erased."""

import pytest
from django.utils import timezone
from django.utils.translation import override

from clubs.accounts.players import tie, untie
from clubs.accounts.questions import answer_question, end_link
from clubs.editing import edit_player
from clubs.models import Club, ClubLogEntry, Person, Player, ShownWord, Visibility
from clubs.names import initials_of
from clubs.players import add_players
from clubs.roster import RosterLine
from clubs.shown import (
    PUBLIC,
    PlayerColumns,
    ShownRefused,
    Way,
    call_in_public,
    choose_shown,
    how_shown,
    is_named,
    newest_words,
    public_name,
)
from registration.people.merging import merge_players, undo_merge
from tests.factories import make_club, make_user
from tests.joined import ask, director_of, join_players


@pytest.fixture
def player():
    return add_players(club=make_club(), lines=[RosterLine("Saint-Jean", "Élise")])[0]


@pytest.mark.parametrize(
    ("first", "last", "initials"),
    [
        ("Élise", "Saint-Jean", "É. S.-J."),
        ("Jean-Pierre", "Dupont", "J.-P. D."),
        ("Jean Pierre", "de La Tour", "J. P. L. T."),
        ("Éric", "d’Artagnan", "É. D."),
        ("E\u0301lise", "(Martin)", "É. M."),
        ("zoé", "nom", "Z. N."),
        ("", "Dupont", "D."),
        ("", "123", ""),
    ],
)
def test_initials(first, last, initials):
    assert initials_of(first, last) == initials


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("shown", "french", "english"),
    [
        (Visibility.NAME, "Élise Saint-Jean", "Élise Saint-Jean"),
        (Visibility.INITIALS, "É. S.-J.", "É. S.-J."),
        (Visibility.HIDDEN, "Joueur masqué", "Hidden player"),
    ],
)
def test_public_name_is_what_was_chosen_in_the_reader_s_language(
    player, shown, french, english, django_assert_num_queries
):
    player.person.shown = shown
    player.person.save()
    player = Player.objects.select_related(*PUBLIC).get(pk=player.pk)
    with django_assert_num_queries(0):
        with override("fr"):
            assert public_name(player) == french
        with override("en"):
            assert public_name(player) == english
        assert is_named(player) == (shown == Visibility.NAME)
    assert Player.objects.keep_named().exists() == (shown == Visibility.NAME)
    assert player.name == "Élise Saint-Jean"


@pytest.mark.django_db
def test_initials_of_a_name_without_letters_are_hidden(player):
    player.person.shown, player.first_name, player.last_name = Visibility.INITIALS, "", "123"
    with override("en"):
        assert public_name(player) == "Hidden player"


@pytest.mark.parametrize(
    ("chosen", "last", "erased", "shown"),
    [
        (Visibility.NAME, "Martin", False, Visibility.NAME),
        (Visibility.NAME, "Martin", True, Visibility.HIDDEN),
        (Visibility.INITIALS, "Martin", False, Visibility.INITIALS),
        (Visibility.INITIALS, "Martin", True, Visibility.HIDDEN),
        (Visibility.INITIALS, "123", False, Visibility.HIDDEN),
        (Visibility.HIDDEN, "Martin", False, Visibility.HIDDEN),
    ],
)
def test_erased_players_and_those_without_initials_to_show_are_hidden(chosen, last, erased, shown):
    erased_at = timezone.now() if erased else None
    assert how_shown(PlayerColumns(1, "", last, erased_at, None, chosen, "", "", "")) == shown


@pytest.mark.django_db
def test_who_is_erased_is_a_number_for_everybody(player):
    player.person.shown, player.erased_at = Visibility.HIDDEN, timezone.now()
    player.save()
    with override("fr"):
        assert {public_name(player), player.name, player.listed} == {f"Joueur n°\xa0{player.pk}"}
    assert not is_named(player)
    assert list(Player.objects.keep_named()) == []


@pytest.mark.django_db
def test_who_was_merged_is_shown_as_whom_he_is_now(player):
    (other,) = add_players(club=player.club, lines=[RosterLine("St-Jean", "Élise")])
    other.merged_into = player
    other.save()
    player.person.shown = Visibility.HIDDEN
    player.person.save()
    with override("en"):
        assert {called.name for called in call_in_public([player.pk, other.pk]).values()} == {"Hidden player"}


# The text that is shown


@pytest.fixture
def club(player):
    return player.club


@pytest.fixture
def elsewhere():
    """Add a player of another club, who is not known to be the same person."""
    return add_players(club=make_club("ailleurs"), lines=[RosterLine("Saint-Jean", "Élise")])[0]


def say(player, shown, way=Way.DIRECTOR, by=None):
    return choose_shown(player=player, shown=shown, way=way, by=by, now=timezone.now())


def shown(player):
    return Person.objects.get(players=player).shown


def versions():
    return list(Club.objects.order_by("pk").values_list("names_version", flat=True))


@pytest.mark.django_db
def test_each_word_is_a_row_and_the_newest_counts(player, director):
    assert [shown(player), list(newest_words(player.person))] == [Visibility.NAME, []]
    for word in (Visibility.INITIALS, Visibility.HIDDEN, Visibility.NAME):
        say(player, word, by=director)
        assert shown(player) == word
    assert list(player.shown_words.values_list("shown", "by")) == [
        (each, director.pk) for each in (Visibility.NAME, Visibility.HIDDEN, Visibility.INITIALS)
    ]
    assert newest_words(player.person).get().way == Way.DIRECTOR


@pytest.mark.nightly("story")
@pytest.mark.django_db
@pytest.mark.parametrize("way", [Way.ACCOUNT, Way.LINK])
def test_strictest_of_own_word_and_club_s_counts_and_nobody_undoes_another_s(player, director, way):
    for own, club, expected in [
        ("initials", "name", "initials"),
        ("initials", "hidden", "hidden"),
        ("name", "hidden", "hidden"),  # only the club can take back its choice
        ("hidden", "name", "hidden"),
        ("name", "initials", "initials"),
        ("name", "name", "name"),
    ]:
        for _order in range(2):
            say(player, own, way)
            say(player, club, by=director)
            assert shown(player) == expected
            say(player, own, way)
            assert shown(player) == expected


@pytest.mark.django_db
def test_what_is_no_way_of_being_shown_is_refused(player, director):
    with pytest.raises(ShownRefused):
        say(player, "nobody", by=director)
    assert not ShownWord.objects.exists()


@pytest.mark.django_db
def test_word_makes_the_pages_of_all_his_clubs_anew_and_of_no_other(player, elsewhere, director):
    make_club("loin")
    link = ask(player, elsewhere)
    before, by = versions(), director_of(elsewhere.club)
    answer_question(club=elsewhere.club, link_id=link.pk, agree=True, by=by, now=timezone.now())
    joined = versions()
    assert [now - was for was, now in zip(before, joined, strict=True)] == [1, 1, 0]
    say(player, Visibility.HIDDEN, by=director)
    assert [now - was for was, now in zip(joined, versions(), strict=True)] == [1, 1, 0]
    assert shown(elsewhere) == Visibility.HIDDEN


@pytest.mark.django_db
def test_word_is_in_the_log_of_every_club_of_the_person_and_its_author_in_his_own(player, elsewhere, director):
    join_players(player, elsewhere)
    say(player, Visibility.HIDDEN, by=director)
    lines = ClubLogEntry.objects.filter(action="shown_hidden").order_by("pk")
    assert [(each.club, each.author) for each in lines] == [(player.club, director), (elsewhere.club, None)]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("category", "expected"),
    [
        ("youth", Visibility.INITIALS),
        ("junior", Visibility.INITIALS),
        ("senior", Visibility.NAME),
        ("veteran", Visibility.NAME),
        ("", Visibility.NAME),
    ],
)
def test_young_by_initials_unless_somebody_said_otherwise(player, director, category, expected):
    def become(category):
        edit_player(club=player.club, player_id=player.pk, values={"category": category}, by=director)

    before = versions()
    become(category)
    assert shown(player) == expected
    assert [now - was for was, now in zip(before, versions(), strict=True)] == [1]
    become("")
    assert shown(player) == Visibility.NAME
    say(player, Visibility.NAME, by=director)
    become(category)
    assert shown(player) == Visibility.NAME


@pytest.mark.django_db
def test_young_in_one_club_is_young_in_the_other(player, elsewhere, director):
    edit_player(club=player.club, player_id=player.pk, values={"category": "junior"}, by=director)
    join_players(player, elsewhere)
    assert shown(elsewhere) == Visibility.INITIALS
    before = versions()
    edit_player(club=player.club, player_id=player.pk, values={"category": "senior"}, by=director)
    assert shown(elsewhere) == Visibility.NAME
    assert [now - was for was, now in zip(before, versions(), strict=True)] == [1, 1]


@pytest.mark.django_db
def test_no_word_of_another_club_shows_more_of_a_junior_of_whom_nothing_was_said(player, elsewhere, director):
    edit_player(club=player.club, player_id=player.pk, values={"category": "junior"}, by=director)
    say(elsewhere, Visibility.NAME, by=director_of(elsewhere.club))
    join_players(elsewhere, player)
    assert [shown(player), shown(elsewhere)] == [Visibility.INITIALS, Visibility.INITIALS]
    say(elsewhere, Visibility.NAME, Way.LINK)
    assert shown(player) == Visibility.INITIALS
    say(player, Visibility.NAME, by=director)
    assert shown(player) == Visibility.NAME


@pytest.mark.nightly("story")
@pytest.mark.django_db
@pytest.mark.parametrize("one", [None, *Visibility])
@pytest.mark.parametrize("other", [None, *Visibility])
@pytest.mark.parametrize("way", [Way.LINK, Way.DIRECTOR])
def test_persons_who_are_joined_are_as_the_strictest_was_and_parted_as_before(
    player, elsewhere, director, one, other, way
):
    for who, word in ((player, one), (elsewhere, other)):
        if word:
            say(who, word, way, by=director_of(who.club))
    expected = max(one or Visibility.NAME, other or Visibility.NAME, key=lambda each: each.privacy)
    words = ShownWord.objects.count()
    link = join_players(player, elsewhere)
    assert [shown(player), shown(elsewhere)] == [expected, expected]
    end_link(club=player.club, link_id=link.pk, by=director, now=timezone.now())
    assert [shown(player), shown(elsewhere)] == [one or Visibility.NAME, other or Visibility.NAME]
    assert ShownWord.objects.count() == words


@pytest.mark.django_db
def test_word_by_an_account_holds_for_all_its_players_and_stays_once_untied(player, elsewhere):
    user, now = make_user("elle"), timezone.now()
    tie(player, user, by=user, now=now)
    tie(elsewhere, user, by=user, now=now)
    say(player, Visibility.HIDDEN, Way.ACCOUNT, by=user)
    untie(player, by=user, now=timezone.now())
    assert Player.objects.get(pk=elsewhere.pk).person_id != Player.objects.get(pk=player.pk).person_id
    assert [shown(player), shown(elsewhere)] == [Visibility.HIDDEN, Visibility.HIDDEN]
    say(elsewhere, Visibility.NAME, Way.LINK)
    assert [shown(player), shown(elsewhere)] == [Visibility.HIDDEN, Visibility.NAME]


@pytest.mark.django_db
@pytest.mark.parametrize(("kept", "gone"), [(Visibility.NAME, Visibility.HIDDEN), (Visibility.HIDDEN, Visibility.NAME)])
def test_players_who_are_merged_are_as_the_more_private_was_and_parted_as_before(player, director, kept, gone):
    (twice,) = add_players(club=player.club, lines=[RosterLine("St-Jean", "Élise")])
    say(player, kept, by=director)
    say(twice, gone, by=director)
    asked = {"club": player.club, "by": director, "now": timezone.now()}
    merge = merge_players(kept_id=player.pk, gone_id=twice.pk, **asked)
    assert [shown(player), shown(twice)] == [Visibility.HIDDEN, Visibility.HIDDEN]
    undo_merge(merge_id=merge.pk, **asked | {"now": timezone.now()})
    assert [shown(player), shown(twice)] == [kept, gone]


@pytest.mark.django_db
def test_merged_player_s_category_makes_the_other_young_until_it_is_undone(player, director):
    (twice,) = add_players(club=player.club, lines=[RosterLine("St-Jean", "Élise")])
    edit_player(club=player.club, player_id=twice.pk, values={"category": "youth"}, by=director)
    asked = {"club": player.club, "by": director, "now": timezone.now()}
    merge = merge_players(kept_id=player.pk, gone_id=twice.pk, **asked)
    assert shown(player) == Visibility.INITIALS
    undo_merge(merge_id=merge.pk, **asked | {"now": timezone.now()})
    assert [shown(player), shown(twice)] == [Visibility.NAME, Visibility.INITIALS]


@pytest.mark.django_db
def test_word_said_after_a_merge_takes_the_place_of_what_was_said_of_both(player, director):
    (twice,) = add_players(club=player.club, lines=[RosterLine("St-Jean", "Élise")])
    say(twice, Visibility.HIDDEN, by=director)
    asked = {"club": player.club, "by": director, "now": timezone.now()}
    merge_players(kept_id=player.pk, gone_id=twice.pk, **asked)
    say(player, Visibility.NAME, by=director)
    assert [shown(player), shown(twice)] == [Visibility.NAME, Visibility.NAME]
