"""The changes that the federation's list makes in a club's list of players: compared, then applied, and undone.

The club keeps the list (`clubs.licences.storing`), so the two can be compared at any time. Players are matched by their
licence. A player without a licence is matched by exactly the same name, and a director decides. Nobody is added, and no
licence is taken away.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, ClassVar, NamedTuple

from django.db import transaction
from django.db.models import Q

from clubs.editing import lock_list
from clubs.licences.storing import KEPT
from clubs.log import make_entry, say_author
from clubs.models import Club, ClubLogEntry, LicenceChange, LicenceHolder, Player, User
from clubs.names import licence_key, words_of
from clubs.shown import raise_names_version
from wording import Refusal, Texts
from wording import gettext_noop as _

READ, BACK = "licences_read", "licences_back"
NAMES = ("last_name", "first_name")
FIELDS = (*NAMES, "licence", "series", "licence_until")
Values = dict[str, str]
Steps = Mapping[int, tuple[Values, Values]]  # player's id → the values before and after the change


class LicencesRefused(Refusal):
    """A refused change by the federation's list. Nothing was written."""

    messages: ClassVar[Texts] = {
        "licences_changed": _(
            "Somebody changed the players or the federation’s list in the meantime: look at the changes again."
        ),
        "licences_shared": _("Two players are to get the licence %(licence)s: choose one of them."),
        "licences_newer": _("A newer list has been read since then: these changes can no longer be undone."),
    }


class LicenceStep(NamedTuple):
    """The change of one player, with the values before and after it by field. Days are texts such as 2026-08-31.

    For a player without a licence it is a question: `holders` have exactly this name, and nothing changes without an
    answer. `likely` is the answer if it is clear.
    """

    player: Player
    before: Values
    after: Values
    holders: Sequence[LicenceHolder] = ()
    likely: LicenceHolder | None = None


class LicenceReview(NamedTuple):
    """The changes that a list makes (`steps`), the questions that it leaves, and the players whom it does not change.

    `ended`: holders in the club whose last day is over. `absent`: players with a licence that the list lacks. `same`:
    the number of players on the list who stay as they are.
    """

    steps: list[LicenceStep]
    questions: list[LicenceStep]
    ended: list[LicenceHolder]
    absent: list[Player]
    same: int

    @property
    def digest(self) -> str:
        """A digest of what the page shows. It proves that the changes are those that the director saw."""
        rows = [*self.steps, *self.questions]
        shown = [(each.player.pk, each.before, each.after, [holder.pk for holder in each.holders]) for each in rows]
        return sha256(repr(shown).encode()).hexdigest()


class ReadLicences(NamedTuple):
    """A list that was applied and can be undone: the log entry's id, the number of players, who, when.

    `newer` is true if a newer list has been read since then. The changes can then no longer be undone.
    """

    entry: int
    players: int
    by: str
    at: dt.datetime
    newer: bool = False


def review_licences(club: Club, *, today: dt.date) -> LicenceReview:
    """Return the changes that the club's stored list would make. This takes two queries, and no write."""
    players = list(club.players.real().order_by("pk"))
    keys = Counter(licence_key(player.licence) for player in players if player.licence)
    bare = [player for player in players if not player.licence and player.put_away_at is None]
    wanted = Q(key__in=keys) | Q(folded__in=[player.folded for player in bare])
    holders = list(LicenceHolder.objects.filter(wanted, list__club=club).order_by("pk"))
    by_key = {holder.key: holder for holder in holders}
    steps, ended, absent, same = [], [], [], 0
    for player in (player for player in players if player.licence):
        holder = by_key.get(licence_key(player.licence))
        if holder is None or (keys[holder.key] > 1 and player.licence != holder.licence):
            absent += [player] if player.put_away_at is None else []
            continue
        ended += [holder] if holder.until is not None and holder.until < today else []
        if after := find_changes(player, holder):
            steps.append(make_step(player, after))
        else:
            same += 1
    return LicenceReview(steps, ask_about_names(bare, holders, keys), ended, absent, same)


def ask_about_names(
    bare: Sequence[Player], holders: Iterable[LicenceHolder], taken: Collection[str]
) -> list[LicenceStep]:
    """Return a question for each player without a licence whose name a holder has. `taken`: licences of others."""
    named = defaultdict[str, list[LicenceHolder]](list)
    for holder in holders:
        if holder.key not in taken:
            named[holder.folded].append(holder)
    namesakes = Counter(player.folded for player in bare)
    return [
        LicenceStep(player, {}, {}, alike, alike[0] if len(alike) == namesakes[player.folded] == 1 else None)
        for player in bare
        if (alike := named[player.folded])
    ]


def make_step(player: Player, after: Values) -> LicenceStep:
    return LicenceStep(player, {name: value_of(player, name) for name in after}, after)


def find_changes(player: Player, holder: LicenceHolder) -> Values:
    """Return the new values of the fields that change. A name that differs only in capitals or accents stays."""
    after: Values = {}
    if words_of(f"{player.last_name} {player.first_name}") != words_of(f"{holder.last_name} {holder.first_name}"):
        columns = {"last_name": holder.last_name, "first_name": holder.first_name or player.first_name}
        after |= {name: value for name, value in columns.items() if value != value_of(player, name)}
    if holder.series and holder.series != player.series:
        after["series"] = holder.series
    if holder.until is not None and holder.until != player.licence_until:
        after["licence_until"] = holder.until.isoformat()
    return after


def value_of(player: Player, name: str) -> str:
    value = getattr(player, name)
    return value.isoformat() if isinstance(value, dt.date) else value or ""


@transaction.atomic
def apply_licences(*, club: Club, answers: Mapping[int, int], shown: str, by: User, now: dt.datetime) -> ReadLicences:
    """Make the changes that were shown, whose digest is `shown`.

    `answers`: for players without a licence, the chosen holder. Raise `LicencesRefused` if the changes are no longer
    those that were shown, or if two players are to get one licence.
    """
    lock_list(club)
    review = review_licences(club, today=now.date())
    if review.digest != shown:
        raise LicencesRefused("licences_changed")
    steps = review.steps + answer_questions(review.questions, answers)
    done = write_steps(club, {step.player.pk: (step.before, step.after) for step in steps})
    entry = make_entry(club, READ, now=now, by=by, count=str(len(done)))
    entry.save()
    LicenceChange.objects.bulk_create(
        LicenceChange(entry=entry, player=step.player, before=step.before, after=step.after) for step in steps
    )
    return ReadLicences(entry.pk, len(done), say_author(entry), entry.at)


def answer_questions(questions: Iterable[LicenceStep], answers: Mapping[int, int]) -> list[LicenceStep]:
    steps, answered = [], set()
    for question in questions:
        holder = next((each for each in question.holders if each.pk == answers.get(question.player.pk)), None)
        if holder is None:
            continue
        if holder.key in answered:
            raise LicencesRefused("licences_shared", licence=holder.licence)
        answered.add(holder.key)
        steps.append(make_step(question.player, {"licence": holder.licence} | find_changes(question.player, holder)))
    return steps


@transaction.atomic
def undo_licences(*, club: Club, entry_id: int, by: User, now: dt.datetime) -> int:
    """Give the players of that list their former values again, and return how many. The call is idempotent.

    A player who was corrected since then is left unchanged. Raise `ClubLogEntry.DoesNotExist` if the club has no such
    list, and `LicencesRefused` if a newer list has been read.
    """
    lock_list(club)
    entry = club.log.get(pk=entry_id, action=READ)
    if club.log.filter(action=BACK, params__entry=str(entry.pk)).exists():
        return 0
    if club.log.filter(action=KEPT, pk__gt=entry.pk).exists():
        raise LicencesRefused("licences_newer")
    changes = entry.licence_changes.all()
    done = write_steps(club, {change.player_id: (change.after, change.before) for change in changes})
    make_entry(club, BACK, now=now, by=by, count=str(len(done)), entry=str(entry.pk)).save()
    return len(done)


def write_steps(club: Club, steps: Steps) -> list[Player]:
    """Write the values after the change, for players who still have the values before it. Return these players.

    A player stays without change if the licence would go and a namesake without licence is on the list.
    """
    done, renamed = [], False
    bare = set(club.players.real().filter(licence="").values_list(*NAMES))
    for player in club.players.real().filter(pk__in=list(steps)).order_by("pk"):
        before, after = steps[player.pk]
        goes = after.get("licence") == "" and tuple(after.get(name, getattr(player, name)) for name in NAMES) in bare
        if not goes and all(value_of(player, name) == value for name, value in before.items()):
            for name, value in after.items():
                setattr(player, name, read_value(name, value))
            done.append(player)
            renamed = renamed or not after.keys().isdisjoint(NAMES)
    Player.objects.bulk_update(done, FIELDS)
    if renamed or any("series" in steps[player.pk][1] for player in done):
        raise_names_version(club.pk)
    return done


def read_value(name: str, value: str) -> Any:
    if name != "licence_until":
        return value
    return dt.date.fromisoformat(value) if value else None


def find_read_licences(club: Club) -> ReadLicences | None:
    """Return the latest changes by a list, if they have not been undone, else None."""
    entry: ClubLogEntry | None = (
        club.log.filter(action__in=(READ, BACK)).select_related("author").order_by("-pk").first()
    )
    if entry is None or entry.action != READ:
        return None
    newer = club.log.filter(action=KEPT, pk__gt=entry.pk).exists()
    return ReadLicences(entry.pk, int(entry.params["count"]), say_author(entry), entry.at, newer)
