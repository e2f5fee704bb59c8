"""The erasure of a person: a number replaces the name, also in texts, and other personal data is deleted.

Results, notes, ranks and publications stay, because they belong to the other players too. `everything` lists which
fields of which models are emptied. An erasure cannot be undone. If two people erase the same person at once, the second
one waits and then finds nothing left to do.

A player may ask for it by the personal link, which somebody else may have found. Therefore a director has to do the
erasing, or declines it.
"""

import datetime as dt
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import JSONField, Q, QuerySet, TextField
from django.db.models.functions import Cast, Coalesce

from archives.privacy.everything import PERSONAL_DATA, TYPED
from archives.privacy.people import write_number_for_name
from archives.privacy.personal_data import Moment, PersonalData
from archives.privacy.whom import Whom, rows_about, seats_of, under_way
from clubs.accounts.changes import end_account, end_log_ins, require_leave
from clubs.licences import forget_holders
from clubs.log import log_club_action
from clubs.models import Club, Person, PersonLink, Player, User
from clubs.names import simplify_name, words_of
from clubs.persons import links, log_link, regroup
from clubs.shown import raise_names_version
from evenings.sessions.seating import unseat_player
from evenings.teams.changing import forget_name, give_up_captain, remove_member
from evenings.teams.common import has_played
from evenings.teams.naming import contains_family_name
from rankings.leaderboards.keeping import forget_on_leaderboards
from registration.people.registration import withdraw
from tournaments.errors import ActionRefused
from tournaments.locks import lock_apart, lock_club, lock_session
from tournaments.models import Applicant, LogEntry, Session, Team, TeamMember

WORD = re.compile(r"[^\W_]+")
PARTS = ",;/·|"
SHORTEST = 3  # a family name with fewer letters is not searched for alone
# Words of the game that may also be family names. Alone in a text, such a word means the game.
GAME = frozenset(
    {
        "petit",
        "garde",
        "prise",
        "excuse",
        "table",
        "chien",
        "roi",
        "dame",
        "cavalier",
        "valet",
        "atout",
        "donne",
        "nord",
        "est",
        "sud",
        "ouest",
    }
)

Words = tuple[str, ...]


class WordPlace(NamedTuple):
    """A word of a text: its place, its simplified form for comparison, and whether it begins with a capital."""

    start: int
    end: int
    word: str
    capital: bool


class Name:
    """All names that a person had, and the `number` that replaces them.

    `called` has pairs of first name and family name.
    """

    def __init__(self, called: Iterable[tuple[str, str]], number: str) -> None:
        names = [(tuple(words_of(first)), tuple(words_of(last))) for first, last in called]
        orders = {order for first, last in names for order in (first + last, last + first) if order}
        self.forms: list[Words] = sorted(orders, key=len, reverse=True)
        self.families = {last for _first, last in names if last and is_telling(last)}
        self.number = number

    def take_out(self, text: str, *, alone: bool = False) -> str:
        """Return the text with the number in place of each full name.

        Order of the names, accents and hyphens do not matter.

        With `alone`, the number also replaces the family name where it stands alone and begins with a capital.
        """
        whole = unicodedata.normalize("NFC", text)
        places = list(self.find(whole, [*map(place_of, WORD.finditer(whole))], alone=alone))
        for start, end in reversed(places):
            whole = whole[:start] + self.number + whole[end:]
        return whole if places else text

    def find(self, text: str, places: list[WordPlace], *, alone: bool) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each name in the text."""
        at = 0
        while at < len(places):
            length = next((len(form) for form in self.forms if stands_at(form, text, places, at)), 0)
            if not length and alone:
                length = next((len(each) for each in self.families if words_at(places, at, len(each)) == each), 0)
                length = length if any(place.capital for place in places[at : at + length]) else 0
            if length:
                yield places[at].start, places[at + length - 1].end
            at += length or 1

    def take_out_of(self, value: Any, *, alone: bool = False) -> Any:
        """Return a text, or JSON data with all its texts, with the number in place of each name."""
        if isinstance(value, str):
            return self.take_out(value, alone=alone)
        if isinstance(value, list):
            return [self.take_out_of(each, alone=alone) for each in value]
        if isinstance(value, dict):
            return {key: self.take_out_of(each, alone=alone) for key, each in value.items()}
        return value


def is_telling(family: Words) -> bool:
    """Return whether the family name may be searched for alone: it is long enough and no word of the game."""
    return len("".join(family)) >= SHORTEST and not (len(family) == 1 and family[0] in GAME)


def place_of(match: re.Match[str]) -> WordPlace:
    return WordPlace(match.start(), match.end(), simplify_name(match[0]), match[0][0].isupper())


def words_at(places: list[WordPlace], at: int, length: int) -> Words:
    return tuple(place.word for place in places[at : at + length])


def stands_at(form: Words, text: str, places: list[WordPlace], at: int) -> bool:
    """Return whether the name stands at this place of the text.

    A name of one word must stand by itself, between punctuation. Otherwise it may be the first name of somebody else.
    """
    if words_at(places, at, len(form)) != form:
        return False
    if len(form) > 1:
        return True
    before, after = text[: places[at].start].rstrip(), text[places[at].end :].lstrip()
    return (not before or before[-1] in PARTS) and (not after or after[0] in PARTS)


def ask_erasure(player: Player, *, now: dt.datetime) -> None:
    """Store the request to erase a player. If there is a request already, its time stays."""
    Player.objects.real().filter(pk=player.pk, erasure_asked_at=None).update(erasure_asked_at=now)


def ask_no_more(player: Player) -> None:
    """Withdraw the request to erase a player."""
    Player.objects.filter(pk=player.pk).update(erasure_asked_at=None)


@transaction.atomic
def decline_erasure(player: Player, *, by: User, now: dt.datetime) -> None:
    """Decline the request to erase a player and log it, for a director. If there is no request, do nothing."""
    if Player.objects.filter(pk=player.pk).exclude(erasure_asked_at=None).update(erasure_asked_at=None):
        log_club_action(player.club, "erasure_declined", now=now, by=by, whom=player.name)


A_BATCH = 500  # rows written at a time


class Erasure:
    """The erasure of a person whose rows are locked: the players in `whom` and, if `account` is True, the account.

    `name` has all names of the person, which are to be removed from texts.
    """

    def __init__(self, whom: Whom, clubs: Sequence[int], *, account: bool) -> None:
        self.whom, self.clubs, self.account = whom, clubs, account
        self.players = list(Player.objects.filter(pk__in=whom.players).order_by("pk"))
        first = next((each for each in self.players if each.merged_into_id is None), None)
        called = [(each.first_name, each.last_name) for each in self.players]
        applied = self.rows("tournaments.Applicant").values_list("first_name", "last_name")
        if account and whom.account is not None:
            called += [(whom.account.first_name, whom.account.last_name), ("", whom.account.username)]
        self.name = Name([*called, *applied], write_number_for_name(first) if first else "–")

    def rows(self, model: str) -> QuerySet[Any]:
        """Return the person's own rows of a model."""
        kept = next(each for each in PERSONAL_DATA if each.model == model and each.whose)
        return rows_about(kept, self.meant, kept.whose)

    @property
    def meant(self) -> Whom:
        """The person whose rows are erased. The account is left out if it stays."""
        return self.whom if self.account else Whom(self.whom.players, self.whom.person, None, self.whom.club)


def check_erasure(whom: Whom, *, account: bool) -> None:
    """Raise an error if the person may not be erased now.

    `ActionRefused`: the person plays in a session under way. `AccountRefused`: the account has duties, such as being a
    club's only director.
    """
    playing = Session.objects.filter(pk__in=seats_of(whom).values("session")) & under_way()
    if (session := playing.select_related("tournament").order_by("pk").first()) is not None:
        raise ActionRefused("erasure_while_playing", tournament=session.tournament.name, number=session.number)
    if account and whom.account is not None:
        require_leave(whom.account)


def takes_account(whom: Whom) -> bool:
    """Return whether the account is erased together with the players.

    The request of the account's owner always erases the account. A director's request erases it only if it has no other
    use.
    """
    if whom.account is None or whom.by_link:
        return False
    account = whom.account
    elsewhere = Player.objects.real().filter(account=account).exclude(pk__in=whom.players)
    busy = account.memberships.exists() or account.is_staff or account.is_superuser
    return whom.club is None or not (elsewhere.exists() or busy)


def asked_by_confirmed_account(whom: Whom) -> bool:
    """Return whether the owner of an account with a confirmed address asks, and no director."""
    confirmed = EmailAddress.objects.filter(user=whom.account, verified=True)
    return whom.account is not None and whom.club is None and confirmed.exists()


@transaction.atomic
def erase(whom: Whom, *, by: User | None, now: dt.datetime) -> bool:
    """Erase the person. Return whether there was anything to erase.

    Raise an error as `check_erasure` does, before any row is changed.
    """
    check_erasure(whom, account=takes_account(whom))
    claim_registrations(whom)
    leave_coming_evenings(whom, now=now)
    erasure = lock_all(whom)
    check_erasure(whom, account=erasure.account)
    if not erasure.account and all(player.erased_at for player in erasure.players):
        return False
    part_from_others(erasure, by=by, now=now)
    free_of_name(erasure)
    if erasure.account and whom.account is not None:
        end_log_ins(whom.account)
    forget_on_leaderboards(whom.players, whom.person)
    forget_holders(erasure.players, everywhere=asked_by_confirmed_account(whom))
    for kept in PERSONAL_DATA:
        delete_rows(kept, erasure)
        empty_rows(kept, erasure, now=now)
    Player.objects.filter(pk__in=whom.players).update(
        erased_at=now, erased_number=Coalesce("erased_number", "pk"), put_away_at=now, erasure_asked_at=None
    )
    if erasure.account and whom.account is not None:
        end_account(whom.account, now=now)
    raise_names_version(*erasure.clubs)
    author = None if erasure.account and by == whom.account else by
    for player in erasure.players:
        if player.merged_into_id is None and player.erased_at is None:
            log_club_action(
                Club.every.get(pk=player.club_id),
                "player_erased",
                now=now,
                by=author,
                whom=write_number_for_name(player),
            )
    return True


def lock_all(whom: Whom) -> Erasure:
    """Lock all rows that the erasure needs, and return the erasure.

    They are the account, then the clubs, then the person. The clubs are those that list the person, and those in which
    the account has a role. Nobody can meanwhile tie the player to an account, join persons, or merge players.
    """
    account = takes_account(whom)
    clubs = Q(pk__in=Player.objects.filter(pk__in=whom.players).values("club"))
    if account and whom.account is not None:
        lock_apart(User, [whom.account.pk])
        clubs |= Q(pk__in=whom.account.memberships.values("club"))
    ids = list(Club.every.filter(clubs).order_by("pk").values_list("pk", flat=True))
    others = Player.objects.filter(person=whom.person).values_list("club", flat=True) if whom.person else ()
    for pk in sorted({*ids, *others}):
        lock_club(pk)
    lock_apart(Person, [whom.person] if whom.person else [])
    return Erasure(whom, ids, account=account)


def claim_registrations(whom: Whom) -> None:
    """Tie old registrations under exactly the player's name to the player, so that they are erased too.

    They are registrations without an account and without a player, for example of somebody who never came. Nothing is
    tied if another player of the club has the same name.
    """
    for player in Player.objects.real().filter(pk__in=whom.players):
        words = " ".join(sorted(words_of(player.name)))
        if not has_twin(player.club_id, [tuple(words.split())], whom):
            loose = Applicant.objects.filter(session__tournament__club=player.club_id, player=None, user=None)
            with_licence = f"{words} {player.licence}"
            twice = Q(key__startswith=f"{words} #") | Q(key__startswith=f"{with_licence} #")
            loose.filter(Q(key__in={words, with_licence}) | twice).update(player=player)


def has_twin(club: int, forms: Iterable[tuple[str, ...]], whom: Whom) -> bool:
    """Return whether another player of the club has one of these names, given as words in any order."""
    twins = Player.objects.real().filter(club=club).exclude(pk__in=whom.players)
    names = twins.values_list("first_name", "last_name")
    called = {tuple(sorted(words_of(f"{first} {last}"))) for first, last in names}
    return any(tuple(sorted(form)) in called for form in forms)


def leave_coming_evenings(whom: Whom, *, now: dt.datetime) -> None:
    """Remove the person from seats, teams and registrations of sessions that have not started."""
    leave_teams(whom.players, now=now)  # this locks tournaments, which must be locked before sessions
    drafts = Session.objects.filter(status=Session.Status.DRAFT)
    seats = seats_of(whom).filter(session__in=drafts, player__in=whom.players).order_by("session")
    for session, player in seats.values_list("session", "player"):
        lock_session(session)
        unseat_player(session_id=session, player_id=player)
    down = Q(player__in=whom.players)
    if whom.account is not None and takes_account(whom):
        down |= Q(user=whom.account)
    waiting = Applicant.objects.filter(down, session__in=drafts, withdrawn_at=None).order_by("session")
    for token in waiting.values_list("token", flat=True):
        withdraw(token=token, now=now)


def leave_teams(players: Sequence[int], *, now: dt.datetime) -> None:
    """Take these players (ids) out of teams that have not played. They are captains of no team any more.

    A team whose name contains the family name of one of them loses its name, and is shown by its number.

    In a team that has played, the membership stays, because the results need it. A director names a substitute if the
    team plays again.
    """
    mine = TeamMember.objects.filter(player__in=players).order_by("tournament", "pk")
    lasts = [last for last in Player.objects.filter(pk__in=players).values_list("last_name", flat=True) if last]
    for member in mine.select_related("team"):
        if any(contains_family_name(member.team.name, last) for last in lasts):
            forget_name(tournament_id=member.tournament_id, team_id=member.team_id, now=now)
        if member.ended_at is None and not has_played(member.team):
            params = {"tournament_id": member.tournament_id, "team_id": member.team_id}
            remove_member(**params, player_id=member.player_id, by=None, now=now)
    for team in Team.objects.filter(captain__in=players).order_by("tournament", "pk"):
        give_up_captain(tournament_id=team.tournament_id, team_id=team.pk, players=players, now=now)


def part_from_others(erasure: Erasure, *, by: User | None, now: dt.datetime) -> None:
    """End the links that join the person with players in other clubs, and the ties to accounts.

    The players in other clubs become persons of their own. Another club may have asked whether the erased player plays
    there too. Such a question stays open but no longer names anybody, so the club learns nothing.
    """
    PersonLink.objects.filter(other__in=erasure.players, accepted_at=None).update(other=None, asked="")
    questions = PersonLink.objects.filter(one__in=erasure.players, accepted_at=None, ended_at=None)
    questions.update(ended_at=now, ended_by=by, asked="")
    own = Q(one__in=erasure.players) | Q(other__in=erasure.players)
    for link in links().filter(own, accepted_at__isnull=False, ended_at=None):
        log_link(link, "person_parted", now=now, by=by)
        PersonLink.objects.filter(pk=link.pk).update(ended_at=now, ended_by=by)
    Player.objects.filter(pk__in=erasure.whom.players).update(account=None)
    regroup(*Person.objects.filter(players__in=erasure.whom.players).distinct())


def delete_rows(kept: PersonalData, erasure: Erasure) -> None:
    """Delete the rows that the declaration `kept` says are deleted with the person."""
    if kept.goes:
        rows_about(kept, erasure.meant, kept.goes).delete()


def empty_rows(kept: PersonalData, erasure: Erasure, *, now: dt.datetime) -> None:
    """Replace the values of the fields that the declaration `kept` says are emptied."""
    if not kept.empties:
        return
    rows = list(rows_about(kept, erasure.meant, kept.whose))
    for row in rows:
        for field, value in kept.empties.items():
            if value is Moment.OF_ERASURE:
                setattr(row, field, getattr(row, field) or now)
            else:
                setattr(row, field, value(row) if callable(value) else value)
    kept.rows._base_manager.bulk_update(rows, [*kept.empties], batch_size=A_BATCH)


def free_of_name(erasure: Erasure) -> None:
    """Replace the person's name by the number in texts that other people typed, and in the log.

    In a club where another player has the same name, nothing is replaced: the text may mean the other player.
    """
    for club in erasure.clubs:
        if not has_twin(club, erasure.name.forms, erasure.whom):
            for kept in (*PERSONAL_DATA, *TYPED):
                if kept.frees and kept.club_path:
                    free_rows(kept, kept.rows._base_manager.filter(**{kept.club_path: club}), erasure)
    for kept in PERSONAL_DATA:
        if kept.frees and not kept.club_path:
            free_rows(kept, kept.rows._base_manager.all(), erasure)


def free_rows(kept: PersonalData, rows: QuerySet[Any], erasure: Erasure) -> None:
    """Replace the name in these rows, in the text fields that the declaration `kept` lists."""
    if kept.rows is LogEntry:
        rows = rows.filter(session__in=sat_in(erasure))
    his = set(rows_about(kept, erasure.meant, kept.whose).values_list("pk", flat=True)) if kept.whose else set()
    changed = []
    for row in find_rows_with_name(kept, rows, erasure).iterator(chunk_size=A_BATCH):
        before = [getattr(row, field) for field in kept.frees]
        after = erasure.name.take_out_of(before)
        about_him = row.pk in his or before != after
        after = erasure.name.take_out_of(after, alone=about_him)
        if before != after:
            for field, value in zip(kept.frees, after, strict=True):
                setattr(row, field, fit_to_field(kept, field, value))
            changed.append(row)
    kept.rows._base_manager.bulk_update(changed, kept.frees, batch_size=A_BATCH)


def sat_in(erasure: Erasure) -> QuerySet[Session]:
    """Return the sessions whose log may contain the person's name: the person sat there or was signed up."""
    down = erasure.rows("tournaments.Applicant").values("session")
    return Session.objects.filter(Q(pk__in=seats_of(erasure.whom).values("session")) | Q(pk__in=down))


def find_rows_with_name(kept: PersonalData, rows: QuerySet[Any], erasure: Erasure) -> QuerySet[Any]:
    """Return the rows that may contain the name.

    All rows with typed text are read, because people leave out accents. Rows with JSON, and the log, are searched in
    the database.
    """
    condition = Q()
    for field in kept.frees:
        if isinstance(kept.rows._meta.get_field(field), JSONField) or kept.rows is LogEntry:
            rows = rows.annotate(**{f"{field}_text": Cast(field, TextField())})
            for word in spelt(erasure):
                condition |= Q(**{f"{field}_text__icontains": word})
        else:
            condition |= ~Q(**{field: ""})
    return rows.filter(condition).order_by("pk").only("pk", *kept.frees)


def spelt(erasure: Erasure) -> Iterable[str]:
    """Return the person's family names and account name, as text and as JSON may store their accents."""
    called = {each.last_name for each in erasure.players}
    called |= set(erasure.rows("tournaments.Applicant").values_list("last_name", flat=True))
    if erasure.account and erasure.whom.account is not None:
        called |= {erasure.whom.account.last_name, erasure.whom.account.username}
    return {form for name in called if name for form in (name, json.dumps(name)[1:-1])}


def fit_to_field(kept: PersonalData, field: str, value: Any) -> Any:
    """Return the value, cut to the field's greatest length. The number may be longer than the name that it replaces."""
    most = getattr(kept.rows._meta.get_field(field), "max_length", None)
    return value[:most] if isinstance(value, str) else value
