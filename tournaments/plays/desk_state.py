"""Each play of a session as the director's desk shows it: in one state, named by what there is to do about it.

Reads only, in a fixed number of queries. What is odd, or clashes with the étui's cards, is told by other tables and by
cards: it is for directors alone, and of an étui that a director has still to play not even for that one.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch

from clubs.models import User
from deals.domain.deal import Deal
from deals.domain.notation import loads
from scoring.contract import find_rules
from scoring.values import Contract, ScoringRules
from tournaments.models import (
    EntryCheck,
    EtuiRuling,
    Play,
    PlayingDirector,
    ResultEntry,
    Ruling,
    Session,
    Tournament,
)
from tournaments.plays.checks import current_of, open_contests
from tournaments.plays.entries import columns_of, entry_in, entry_of
from tournaments.plays.etui_rulings import newest_by_etui
from tournaments.plays.people import seat_people
from tournaments.plays.state import VIEWS, WAITED_FOR, State
from tournaments.plays.table_plays import TablePlay, table_play
from tournaments.rules.clash import Clash, clashes, unlikely
from tournaments.rules.entry import Auction, Entry, questions
from tournaments.rules.odd import odd_entries
from tournaments.rules.split import part_of

MISSING, UNCONFIRMED, DISPUTED, DONE = (
    VIEWS[state].desk for state in (State.TODO, State.ENTERED, State.DISPUTED, State.CONFIRMED)
)
MOST_KEPT = 1_000
ODD, CHECK_ETUI = "odd", "check_etui"
# In the order in which a legend names them: to be done first.
STATES = (
    MISSING, "started", "later", UNCONFIRMED, DISPUTED, CHECK_ETUI, ODD, DONE, "not_played", "annulled",
)  # fmt: skip
RINGING = frozenset({DISPUTED, CHECK_ETUI})
TO_LOOK_AT = RINGING | {ODD}


@dataclass(frozen=True, slots=True)
class DeskPlay:
    """A play with all its entries, oldest first; `state` is one of the desk's, which stands for the `finest`.

    `closed`: its reader has still to play the étui and may not see it.
    """

    play: Play
    rows: Sequence[ResultEntry]
    finest: State
    state: str
    closed: bool = False

    @property
    def entry(self) -> ResultEntry | None:
        """The result that counts."""
        return current_of(self.rows)

    @property
    def missing(self) -> bool:
        """Whether a result is waited for; one to be played later is still owed."""
        return self.finest in WAITED_FOR

    @property
    def annulled(self) -> bool:
        return self.finest == State.ANNULLED

    @property
    def contested(self) -> list[ResultEntry]:
        """The versions that speak against the one that counts, while no director has had the last word."""
        return open_contests(self.rows, self.entry) if self.entry else []


def desk_plays(
    session: Session, *, flags: bool, user: User | AnonymousUser | None = None, people: bool = True, **where: Any
) -> list[DeskPlay]:
    """The plays of a session by position, table and étui; odd and clashing ones are told only where `flags` asks, and
    who sits there and who entered where `people` does.

    For a `user` who directs and plays, what is still to play is `closed`. `where` may narrow to whole étuis: plays of
    an étui are compared with each other.
    """
    rulings = newest_by_etui(session.pk)
    if people or where:
        found = [table_play(play, rulings.get(play.etui_id)) for play in rows_of(session, people=people, **where)]
    else:
        found = kept_plays(session, rulings)
    flagged = flags_of(session, found, rulings) if flags else {}
    closed = still_to_play(session, user, found)
    return [
        DeskPlay(
            play=each.play,
            rows=each.rows,
            finest=each.state,
            state=desk_state(each, "" if each.play.etui_id in closed else flagged.get(each.play.pk, "")),
            closed=each.play.etui_id in closed,
        )
        for each in found
    ]


def hidden_etuis(session: Session, user: User | AnonymousUser) -> frozenset[int]:
    """Ids of the étuis whose results stay hidden from a director who has still to play them; lifted, none."""
    if playing_as(session, user) is None:
        return frozenset()
    rulings = newest_by_etui(session.pk)
    return still_to_play(
        session, user, [table_play(play, rulings.get(play.etui_id)) for play in rows_of(session, people=False)]
    )


def playing_as(session: Session, user: User | AnonymousUser | None) -> PlayingDirector | None:
    """The director's own declaration, unless it is lifted."""
    if user is None or not user.is_authenticated:
        return None
    declared = PlayingDirector.objects.filter(session=session, user=user, lifted_at=None)
    return declared.select_related("entrant__player", "entrant__stand_in").first()


def still_to_play(session: Session, user: User | AnonymousUser | None, plays: Iterable[TablePlay]) -> frozenset[int]:
    playing = playing_as(session, user)
    if playing is None:
        return frozenset()
    return frozenset(
        each.play.etui_id
        for each in plays
        if each.current is None
        and each.state != State.NOT_PLAYED
        and playing.entrant_id in (each.play.north_id, each.play.east_id, each.play.south_id, each.play.west_id)
    )


class Kept(OrderedDict[tuple[int, int, int], tuple[TablePlay, ...]]):
    """The plays of tables by table, session's revision and the table's own; in the process, the last thousand."""

    def __setitem__(self, key: tuple[int, int, int], plays: tuple[TablePlay, ...]) -> None:
        super().__setitem__(key, plays)
        while len(self) > MOST_KEPT:
            self.popitem(last=False)


kept = Kept()


def kept_plays(session: Session, rulings: Mapping[int, EtuiRuling]) -> list[TablePlay]:
    """All plays of a session, of which only those of tables that were written to since are read anew.

    The revisions are read before the rows: what is kept by them can only be newer, never older.
    """
    keys = {pk: (pk, session.revision, own) for pk, own in session.tables.values_list("pk", "revision")}
    known = {pk: kept.get(key) for pk, key in keys.items()}
    fresh: dict[int, list[TablePlay]] = {pk: [] for pk, plays in known.items() if plays is None}
    if fresh:
        where = {"table__in": list(fresh)} if len(fresh) < len(keys) else {}
        for play in rows_of(session, people=False, **where):
            if play.table_id in fresh:
                fresh[play.table_id].append(table_play(play, rulings.get(play.etui_id)))
    for pk, plays in fresh.items():
        known[pk] = kept[keys[pk]] = tuple(plays)
    found = [each for plays in known.values() for each in plays or ()]
    return sorted(found, key=lambda each: (each.play.position, each.play.table.number, each.play.etui.number))


def rows_of(session: Session, *, people: bool, **where: Any) -> list[Play]:
    checks, entries = EntryCheck.objects.all(), ResultEntry.objects.order_by("version")
    plays = (
        session.plays.filter(**where)
        .select_related("table", "etui")
        .order_by("position", "table__number", "etui__number")
    )
    if people:
        checks, entries = checks.select_related("author"), entries.select_related("author")
    rulings = Prefetch("rulings", queryset=Ruling.objects.order_by("id"))
    results = Prefetch("entries", queryset=entries.prefetch_related(Prefetch("checks", queryset=checks)))
    in_order = plays.order_by("position", "table__number", "etui__number")
    found = list(in_order.prefetch_related(results, rulings))
    for play in found:
        play.session = session
    return seat_people(found) if people else found


def desk_state(each: TablePlay, flag: str) -> str:
    """`flag`: what cards or the other tables say of the result; of no weight once a director has confirmed it."""
    if each.state in (State.ENTERED, State.CONFIRMED):
        assert each.current is not None
        if flag and not any(check.author_id and check.agrees for check in each.current.checks.all()):
            return flag
        if each.current.check_by == Session.Check.NONE:
            return DONE
    return VIEWS[each.state].desk


def flags_of(session: Session, plays: Sequence[TablePlay], rulings: Mapping[int, EtuiRuling]) -> dict[int, str]:
    """By the id of the play: its result clashes with the étui's cards, or is far from those of the other tables."""
    rules = find_rules(session.tournament.rules)
    groups: dict[tuple[int, int, str, Contract], dict[int, Entry]] = {}
    flags: dict[int, str] = {}
    for each in plays:
        contract = contract_of(each.current, session.tournament)
        if each.current is None or contract is None or each.state == State.ANNULLED:
            continue
        ruling = rulings.get(each.play.etui_id)
        part = part_of(ruling.split if ruling else None, each.play.position, each.play.table.number)
        group = groups.setdefault((each.play.etui_id, part, each.current.taker, contract), {})
        group[each.play.pk] = entry_of(each.current)
        if flag := flag_of(each.play, each.current):
            flags[each.play.pk] = flag
    odd = (odd_in(tuple(entries.items()), group[-1], rules) for group, entries in groups.items())
    return {pk: ODD for group in odd for pk in group} | flags


# Every question of the desk asks all of it again, of which one result has changed one étui: the others are remembered.
@lru_cache(maxsize=4_096)
def odd_in(entries: tuple[tuple[int, Entry], ...], contract: Contract, rules: ScoringRules) -> frozenset[int]:
    """Which plays of an étui's, taker's and contract's are odd."""
    return frozenset(odd_entries(dict(entries), contract, rules))


@lru_cache(maxsize=65_536)
def clashes_in(columns: tuple[Any, ...], cards: str, rules: ScoringRules) -> tuple[Clash, ...]:
    return tuple(clashes(entry_in(columns), deal_of(cards), rules))


@lru_cache(maxsize=65_536)
def unlikely_in(columns: tuple[Any, ...], cards: str) -> bool:
    return unlikely(entry_in(columns), deal_of(cards))


@lru_cache(maxsize=4_096)
def deal_of(cards: str) -> Deal:
    return loads(cards)


def flag_of(play: Play, row: ResultEntry) -> str:
    """What a result says against itself, by the étui's cards or by arithmetic; "" if nothing."""
    if clashes_of(play, row):
        return CHECK_ETUI
    if no_result_gives(play, row):
        return DISPUTED
    return ODD if is_unlikely(play, row) else ""


def clashes_of(play: Play, row: ResultEntry) -> tuple[Clash, ...]:
    """What of a result the étui's cards forbid, where the site knows them."""
    if not play.etui.cards or row.kind != ResultEntry.Kind.FACTS:
        return ()
    return clashes_in(columns_of(row), play.etui.cards, find_rules(play.session.tournament.rules))


def is_unlikely(play: Play, row: ResultEntry) -> bool:
    """Whether the étui's cards allow the bouts only by an accident of play."""
    facts = bool(play.etui.cards) and row.kind == ResultEntry.Kind.FACTS
    return facts and unlikely_in(columns_of(row), play.etui.cards)


def no_result_gives(play: Play, row: ResultEntry) -> bool:
    """Whether a fiche's figure is that of no result."""
    if row.kind != ResultEntry.Kind.FICHE:
        return False
    asked = questions(entry_of(row), auction=cast(Auction, play.session.tournament.auction))
    return any(question.code == "base_score_impossible" for question in asked)


def contract_of(row: ResultEntry | None, tournament: Tournament) -> Contract | None:
    """What was played; of four passes, or of a figure alone after a free auction, it is not known."""
    if row is None or not row.taker:
        return None
    if row.contract:
        return Contract(row.contract)
    return Contract.GARDE if tournament.auction == Tournament.Auction.IMPOSED else None


def count_states(plays: Iterable[DeskPlay]) -> dict[str, int]:
    """How many plays are in each state that occurs, in the legend's order."""
    counts = dict.fromkeys(STATES, 0)
    for each in plays:
        counts[each.state] += 1
    return {state: count for state, count in counts.items() if count}
