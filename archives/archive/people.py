"""The search for the people of an archive in a club: players by licence, then by name; authors by name.

Players of other clubs are not searched: a player who is new to the club's list becomes a new person.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.contrib.auth.hashers import make_password

from archives.errors import ArchiveError
from clubs.matching import name_key
from clubs.models import Club, Person, Player, ShownWord, User, validate_name
from clubs.names import licence_key
from clubs.players import KnownPlayers
from clubs.roles import memberships_now
from clubs.roster import RosterLine
from clubs.shown import Way, lock_clubs, privacy, raise_names_version, update_visibility
from rankings.leaderboards.keeping import wish_rating
from tournaments.locks import lock_club

NEW = None  # the answer that a doubtful player is not on the list
Row = Mapping[str, Any]
BY_LICENCE, BY_NAME, ANSWERED, NOBODY, ERASED, DOUBT = "licence", "name", "answer", "new", "erased", "doubt"


@dataclass(slots=True)
class FoundPlayer:
    """A player of an archive, and the matching player on the club's list.

    `how` says how the player was found. In case of doubt, a director chooses one of the `candidates`. `player` is None
    until then, and for somebody who is new to the list.
    """

    row: int
    name: str
    licence: str
    how: str
    player: Player | None = None
    candidates: list[Player] = field(default_factory=list)

    @property
    def described(self) -> dict[str, Any]:
        """The player as plain data, for a preview."""
        columns = {"row": self.row, "name": self.name, "licence": self.licence, "how": self.how}
        columns |= {"player": self.player.pk} if self.player else {}
        if not self.candidates:
            return columns
        return columns | {
            "candidates": [{"player": one.pk, "name": one.listed, "licence": one.licence} for one in self.candidates]
        }


def find_players(club: Club, rows: Sequence[Row], answers: Mapping[int, int | None]) -> list[FoundPlayer]:
    """Return, for each player of an archive, the matching player on the club's list.

    `answers` are the decisions of a director about doubtful players, by the row in the archive. An answer is a player
    of the list, or None for somebody new. Raise `ArchiveError` for an answer that names nobody of the list, or that
    gives two rows the same player. If two rows without an answer match the same player, both are doubtful.
    """
    known_players = KnownPlayers(club)
    players = [find_player(known_players, row, answers) for row in rows]
    taken: dict[int, FoundPlayer] = {}
    doubtful: list[FoundPlayer] = []
    for each in players:
        if each.player is not None and (other := taken.setdefault(each.player.pk, each)) is not each:
            if ANSWERED not in (each.how, other.how):
                doubtful += [other, each]
                continue
            raise ArchiveError(
                "archive_one_player",
                one=other.name,
                other=each.name,
                player=each.player.name,
                first=other.row,
                second=each.row,
            )
    for each in doubtful:
        if each.player is not None:
            each.how, each.candidates, each.player = DOUBT, [each.player], None
    return players


def find_player(known: KnownPlayers, row: Row, answers: Mapping[int, int | None]) -> FoundPlayer:
    line = RosterLine(row["last_name"], row["first_name"], licence=row["licence"])
    number = row["row"]
    if row["erased_at"]:
        return FoundPlayer(number, f"no. {row['erased_number']}", "", ERASED)
    found_player = FoundPlayer(number, f"{line.first_name} {line.last_name}".strip(), line.licence, NOBODY)
    if number in answers:
        found_player.how = ANSWERED
        if answers[number] is not NEW:
            found_player.player = known.by_id.get(answers[number] or 0)
            if found_player.player is None or found_player.player.merged_into_id is not None:
                raise ArchiveError("archive_answer", row=number, name=found_player.name)
        return found_player
    by_licence = known.by_licence.get(licence_key(line.licence)) if line.licence else None
    if by_licence is not None:
        if name_key(by_licence) == name_key(line):
            found_player.how, found_player.player = BY_LICENCE, by_licence
        else:
            found_player.how, found_player.candidates = DOUBT, [by_licence]
        return found_player
    # Different licences mean different people, even if the names are equal.
    namesakes = [one for one in known.by_name.get(name_key(line), []) if not (line.licence and one.licence)]
    if len(namesakes) == 1:
        found_player.how, found_player.player = BY_NAME, namesakes[0]
    elif namesakes:
        found_player.how, found_player.candidates = DOUBT, namesakes
    return found_player


def bring_players(
    club: Club, rows: Sequence[Row], found: Sequence[FoundPlayer], *, by: User | None, now: dt.datetime
) -> dict[int, int]:
    """Add the players who are new to the locked club's list. Return the id of each player, by the row in the archive.

    If both sites say how a player is shown in public, the stricter choice counts. A rating that is switched off on
    either site is off.
    """
    new = [(row, each) for row, each in zip(rows, found, strict=True) if each.player is None]
    persons = Person.objects.bulk_create(Person() for _each in new)
    columns = ("first_name", "last_name", "licence", "category", "series", "ladies", "country", "origin")
    numbers = set(club.players.filter(licence="").values_list("last_name", flat=True))
    for (row, each), person in zip(new, persons, strict=True):
        player = Player(club=club, person=person, **{name: row[name] for name in columns})
        if each.how == ERASED:
            player.erased_at = player.put_away_at = dt.datetime.fromisoformat(row["erased_at"])
            player.erased_number = row["erased_number"]
            # the name of an erased player gives a key that nobody reads; only the keys must differ
            if player.last_name in numbers:
                player.last_name = f"{player.last_name} ({person.pk})"
        else:
            player.clean_fields(exclude={"club", "person", "account", "folded", "merged_into"})
        each.player = player
    Player.objects.bulk_create(each.player for _row, each in new if each.player is not None)
    raise_names_version(club.pk)
    added = {person.pk for person in persons}
    for row, each in zip(rows, found, strict=True):
        assert each.player is not None
        tell_shown(each.player, row["shown"], is_new=each.player.person_id in added, by=by, now=now)
        if row["unrated"] and each.player.erased_at is None:
            wish_rating(player=each.player, off=True, way=Way.DIRECTOR, by=by, now=now)
    return {each.row: each.player.pk for each in found if each.player is not None}


def tell_shown(player: Player, shown: str, *, is_new: bool, by: User | None, now: dt.datetime) -> None:
    """Store how a player was shown on the other site, as a choice of the club, if it is stricter than here."""
    person = Person.objects.get(pk=player.person_id)
    if is_new:
        update_visibility(person)  # a young player is shown by initials, unless somebody says otherwise
    if player.erased_at is None and (privacy(shown) > privacy(person.shown) or (is_new and shown != person.shown)):
        ShownWord.objects.create(player=player, shown=shown, own=False, way=ShownWord.WordWay.DIRECTOR, by=by, at=now)
        update_visibility(person)


def lock_people(club: Club, found: Sequence[FoundPlayer]) -> None:
    """Lock the club, and all other clubs in which its players play, before choices about these players are stored."""
    lock_clubs(*(each.player for each in found if each.player is not None))
    lock_club(club.pk)


def find_authors(club: Club, names: Sequence[str]) -> dict[str, User | None]:
    """Return, for each author, the account with a role in the club and exactly this name, or None."""
    accounts = User.objects.filter(is_active=True, pk__in=memberships_now().filter(club=club).values("user"))
    called: dict[str, list[User]] = {}
    for user in accounts:
        called.setdefault(user.shown_name, []).append(user)
    return {name: called[name][0] if len(called.get(name, ())) == 1 else None for name in names}


def bring_authors(club: Club, rows: Sequence[Row]) -> dict[int, int]:
    """Return the account of each author, by the row in the archive.

    An author without an account gets a closed account, with which nobody can log in: a name without address and
    password.
    """
    authors = find_authors(club, [row["name"] for row in rows])
    return {row["row"]: (authors[row["name"]] or close_account(club, row["name"])).pk for row in rows}


def close_account(club: Club, name: str) -> User:
    """Return the closed account for an author of this name in the club's archives. Create it if there is none."""
    validate_name(name)
    digest = sha256(f"{club.pk} {name}".encode()).hexdigest()
    username = f"archive-{digest[:24]}"
    closed = {"last_name": name[:150], "is_active": False, "password": make_password(None)}
    return User.objects.get_or_create(username=username, defaults=closed)[0]
