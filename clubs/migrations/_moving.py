"""Functions with which 0004 moves what persons had to their players. Rows are read a few at a time."""

import datetime as dt
from itertools import groupby

from django.db.models import F, Q

A_FEW = 500
ORDER = ("name", "initials", "hidden")  # from the most open to the most private
YOUNG = ("youth", "junior")
COPIES = {"joined", "parted"}


def in_chunks(rows):
    """Lists of rows in the order of their keys. What is written meanwhile is not read again."""
    last = 0
    while chunk := list(rows.filter(pk__gt=last).order_by("pk")[:A_FEW]):
        last = chunk[-1].pk
        yield chunk


def move_links(apps, _editor):
    """Write who has agreed to each link: both sides, or for one by licence neither, unless a director of the other club made it.
    What waits for an answer has the word of the club that asks."""
    PersonLink, Membership = apps.get_model("clubs", "PersonLink"), apps.get_model("clubs", "Membership")
    for chunk in in_chunks(PersonLink.objects.select_related("other")):
        who = {link.accepted_by_id for link in chunk}
        directs = set(Membership.objects.filter(user__in=who, role="director").values_list("user", "club"))
        for link in chunk:
            link.asked_club_id = link.other.club_id
            two = link.reason != "licence" or (link.accepted_by_id, link.other.club_id) in directs
            if link.accepted_at is None or two:
                link.one_agreed_by_id, link.one_agreed_at = link.proposed_by_id, link.proposed_at
            if link.accepted_at is not None and two:
                link.other_agreed_by_id, link.other_agreed_at = link.accepted_by_id, link.accepted_at
        fields = ["asked_club", "one_agreed_by", "one_agreed_at", "other_agreed_by", "other_agreed_at"]
        PersonLink.objects.bulk_update(chunk, fields)


def move_accounts(apps, _editor):
    """An account is every player of the person who had it; but where two were made one person on the word of one club,
    it is the players of the side on which it was: a join moves no right."""
    Person, Player = apps.get_model("clubs", "Person"), apps.get_model("clubs", "Player")
    for persons in in_chunks(Person.objects.exclude(account=None)):
        accounts = {person.pk: person.account_id for person in persons}
        rows = Player.objects.filter(person__in=accounts, merged_into=None, erased_at=None).order_by("person", "pk")
        tied = []
        for pk, players in groupby(rows, key=lambda player: player.person_id):
            taken = set()
            for player in without_taken(apps, accounts[pk], list(players)):
                if player.club_id not in taken:
                    taken.add(player.club_id)
                    player.account_id = accounts[pk]
                    tied.append(player)
        Player.objects.bulk_update(tied, ["account"], batch_size=A_FEW)


def without_taken(apps, account, players):
    """The players without those that had the account by nothing but one club's word."""
    PersonLink = apps.get_model("clubs", "PersonLink")
    ids = [player.pk for player in players]
    links = PersonLink.objects.filter(one__in=ids, other__in=ids, ended_at=None, accepted_at__isnull=False)
    for link in links.filter(one_agreed_at=None):
        moved = link.moved if isinstance(link.moved, dict) else {}
        came = {player.pk for player in players if player.pk in moved.get("players", ())}
        brought = moved.get("account") == account
        other_side = [player for player in players if (player.pk in came) != brought]
        if not has_come(apps, account, other_side):
            players = [player for player in players if player not in other_side]
    return players


def has_come(apps, account, players):
    """Return whether the log of a club has it that the account was tied to one of these players."""
    ClubLogEntry = apps.get_model("clubs", "ClubLogEntry")
    for player in players:
        name = f"{player.first_name} {player.last_name}".strip()
        lines = ClubLogEntry.objects.filter(club=player.club_id, params__whom=name)
        if lines.filter(Q(action="player_came", author=account) | Q(action="player_tied")).exists():
            return True
    return False


def move_words(apps, _editor):
    """Each word becomes one on every player that it held for, in the order in which they were said; a director's, on
    those of the clubs that this director directs, where there are any. What a join or a parting copied is left out
    where that of which it is a copy is there."""
    ShownWord = apps.get_model("clubs", "ShownWord")
    for words in in_chunks(ShownWord.objects.filter(player=None)):
        told = Told(apps, {word.person_id for word in words})
        made = []
        for word in words:
            if word.way in COPIES and word.at in told.moments:
                continue
            way = word.way if word.way not in COPIES else "account" if word.own else "director"
            said = {"shown": word.shown, "own": word.own, "way": way, "by_id": word.by_id, "at": word.at}
            for player in told.players_of(word):
                made.append(ShownWord(person_id=word.person_id, player_id=player.pk, **said))
        ShownWord.objects.bulk_create(made, batch_size=A_FEW)
        ShownWord.objects.filter(pk__in=[word.pk for word in words]).delete()
    settle_all(apps)


class Told:
    """The persons of some players, now and before, by the links and merges that made them so."""

    def __init__(self, apps, persons):
        PersonLink, PlayerMerge = apps.get_model("clubs", "PersonLink"), apps.get_model("clubs", "PlayerMerge")
        Player, Membership = apps.get_model("clubs", "Player"), apps.get_model("clubs", "Membership")
        self.moves, self.moments = {}, set()
        links = PersonLink.objects.exclude(accepted_at=None).filter(Q(was__in=persons) | Q(one__person__in=persons))
        for link in links.select_related("one").iterator(chunk_size=A_FEW):
            moved = link.moved.get("players", ()) if isinstance(link.moved, dict) else ()
            self.add(moved, link.accepted_at, link.ended_at, link.was_id, link.one.person_id)
        merges = PlayerMerge.objects.filter(Q(person__in=persons) | Q(kept__person__in=persons))
        for merge in merges.select_related("kept").iterator(chunk_size=A_FEW):
            moved = merge.moved.get("clubs.Player.person", ())
            self.add(moved, merge.at, merge.undone_at, merge.person_id, merge.kept.person_id)
        found = Player.objects.filter(Q(person__in=persons) | Q(pk__in=[*self.moves]), erased_at=None)
        self.players = list(found.only("pk", "club", "person").order_by("pk"))
        clubs = {player.club_id for player in self.players}
        self.directed = {}
        for user, club in Membership.objects.filter(role="director", club__in=clubs).values_list("user", "club"):
            self.directed.setdefault(user, set()).add(club)

    def add(self, players, since: dt.datetime, until: dt.datetime | None, was, kept):
        self.moments |= {since, until} - {None}
        for pk in players:
            self.moves.setdefault(pk, []).append((since, until, was, kept))

    def players_of(self, word):
        """Whom a word held for."""
        meant = [player for player in self.players if self.holds(word, player)]
        own = self.directed.get(word.by_id, set()) if word.way == "director" else set()
        return [player for player in meant if player.club_id in own] or meant

    def holds(self, word, player):
        moves = self.moves.get(player.pk, ())
        for since, until, was, kept in moves:
            away = since <= word.at and (until is None or word.at < until)
            if word.person_id in (was, kept) and word.person_id == (kept if away else was):
                return True
        return player.person_id == word.person_id and not any(
            word.at < since and until is None or until is not None and since <= word.at < until
            for since, until, _was, _kept in moves
        )


def check_keys(_apps, editor):
    """Have PostgreSQL check now the keys of what was written: it alters no table that waits for such a check."""
    if editor.connection.vendor == "postgresql":
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        editor.execute("SET CONSTRAINTS ALL DEFERRED")


def settle_all(apps):
    """What follows of how the persons are shown of whom anything was said."""
    ShownWord, Person = apps.get_model("clubs", "ShownWord"), apps.get_model("clubs", "Person")
    Player, Club = apps.get_model("clubs", "Player"), apps.get_model("clubs", "Club")
    said = ShownWord.objects.exclude(player=None).order_by().values("player__person")
    for persons in in_chunks(Person.objects.filter(pk__in=said)):
        ids = [person.pk for person in persons]
        words = ShownWord.objects.filter(player__person__in=ids).order_by("pk")
        newest = {(player, own): shown for player, own, shown in words.values_list("player", "own", "shown").iterator()}
        held = {}
        for player in Player.objects.filter(person__in=ids, erased_at=None):
            shown = [newest.get((player.pk, own), "") for own in (True, False)]
            if not any(shown) and player.category in YOUNG and player.merged_into_id is None:
                shown = ["initials"]
            held.setdefault(player.person_id, []).extend(each for each in shown if each)
        changed = []
        for person in persons:
            shown = max(held.get(person.pk) or ["name"], key=ORDER.index)
            if shown != person.shown:
                person.shown = shown
                changed.append(person)
        Person.objects.bulk_update(changed, ["shown"])
        clubs = Player.objects.filter(person__in=[person.pk for person in changed]).values("club")
        Club.objects.filter(pk__in=clubs).update(names_version=F("names_version") + 1)
