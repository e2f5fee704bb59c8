"""Each play of a session as the director's desk shows it: in one state, named by what there is to do about it.

Reads only, in a fixed number of queries. What is odd, or clashes with the étui's cards, is told by other tables and by
cards: it is for directors alone, and of an étui that a director has still to play not even for that one.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, cast

from django.contrib.auth.models import AnonymousUser
from django.db.models import FilteredRelation

from clubs.models import User
from deals.domain.deal import Deal
from deals.domain.notation import loads
from scoring.contract import find_rules
from scoring.values import Contract, ScoringRules
from tournaments.models import EtuiRuling, Play, PlayingDirector, ResultEntry, Session, Tournament
from tournaments.plays.checks import open_contests
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
    """A play with all its entries, oldest first, and the `entry` that counts; `state` is one of the desk's, which
    stands for the `finest`.

    `table` and `etui` are the numbers of both. `missing`: a result is waited for; one to be played later is still owed.
    `closed`: its reader has still to play the étui and may not see it.
    """

    play: Play
    rows: Sequence[ResultEntry]
    entry: ResultEntry | None
    finest: State
    state: str
    pk: int
    position: int
    table: int
    etui: int
    missing: bool
    closed: bool = False

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
    if not people and not where:
        playing, closed = playing_as(session, user), hidden_elsewhere(session, user)
        return desk_plays_for(session, playing, flags=flags, revisions=revisions_of(session), closed=closed)
    rulings = newest_by_etui(session.pk)
    found = [table_play(play, rulings.get(play.etui_id)) for play in rows_of(session, people=people, **where)]
    flagged = flags_of(session, found, rulings) if flags else {}
    plays = [desk_play(each, flagged.get(each.play.pk, "")) for each in found]
    return close_for(playing_as(session, user), plays, hidden_elsewhere(session, user))


def desk_plays_for(
    session: Session,
    playing: PlayingDirector | None,
    *,
    flags: bool,
    revisions: Mapping[int, int],
    closed: Set[int] = frozenset(),
) -> list[DeskPlay]:
    """All of a session without people, from what is kept; `revisions` of its tables were read before. `closed`: étuis
    that who asks has to play in another section."""
    board = keep_board(session, revisions, flags=flags)
    return close_for(playing, list(board.plays.values()), closed)


def desk_play(each: TablePlay, flag: str, *, closed: bool = False) -> DeskPlay:
    play = each.play
    place = play.pk, play.position, play.table.number, play.etui.number
    state, missing = desk_state(each, flag), each.state in WAITED_FOR
    return DeskPlay(play, each.rows, each.current, each.state, state, *place, missing, closed)


def close_for(
    playing: PlayingDirector | None, plays: list[DeskPlay], elsewhere: Set[int] = frozenset()
) -> list[DeskPlay]:
    """The plays as a director who plays himself may see them: here, or `elsewhere` on the same étuis."""
    closed = elsewhere | (still_to_play(playing, plays) if playing else frozenset())
    if not closed:
        return plays
    return [
        desk_play(TablePlay(each.play, each.rows, each.finest), "", closed=True)
        if each.play.etui_id in closed
        else each
        for each in plays
    ]


def hidden_etuis(session: Session, user: User | AnonymousUser) -> frozenset[int]:
    """Ids of the étuis whose results stay hidden from a director who has still to play them, here or in another
    section; lifted, none."""
    playing = playing_as(session, user)
    here = left_to_play(session, playing) if playing else frozenset()
    return here | hidden_elsewhere(session, user)


def hidden_elsewhere(session: Session, user: User | AnonymousUser | None) -> frozenset[int]:
    """Those that he has still to play in another section on the same étuis."""
    if session.group_id is None or user is None or not user.is_authenticated:
        return frozenset()
    declared = PlayingDirector.objects.filter(session__group=session.group_id, user=user, lifted_at=None)
    others = declared.exclude(session=session).select_related("session", "entrant")
    return frozenset[int]().union(*(left_to_play(playing.session, playing) for playing in others))


def plays_in(session: Session, user: User) -> Session:
    """Where he plays who is shown nothing here: there he lifts what is hidden. In this session, or in a section."""
    if playing_as(session, user) is not None or session.group_id is None:
        return session
    declared = PlayingDirector.objects.filter(session__group=session.group_id, user=user, lifted_at=None)
    other = declared.select_related("session__tournament__club").first()
    return other.session if other else session


def left_to_play(session: Session, playing: PlayingDirector) -> frozenset[int]:
    rulings = newest_by_etui(session.pk)
    found = [table_play(play, rulings.get(play.etui_id)) for play in rows_of(session, people=False)]
    return still_to_play(playing, [desk_play(each, "") for each in found])


def playing_as(session: Session, user: User | AnonymousUser | None) -> PlayingDirector | None:
    """The director's own declaration, unless it is lifted."""
    if user is None or not user.is_authenticated:
        return None
    declared = PlayingDirector.objects.filter(session=session, user=user, lifted_at=None)
    return declared.select_related("entrant__player", "entrant__stand_in").first()


def still_to_play(playing: PlayingDirector, plays: Iterable[DeskPlay]) -> frozenset[int]:
    return frozenset(
        each.play.etui_id
        for each in plays
        if each.entry is None
        and each.finest not in (State.NOT_PLAYED, State.ADJUSTED)
        and playing.entrant_id in (each.play.north_id, each.play.east_id, each.play.south_id, each.play.west_id)
    )


class Board(NamedTuple):
    """What the plays of a session came to when it and its tables were at these revisions; nobody changes it.

    `found` by the ids of étui and play, `plays` by that of the play, in playing order.
    """

    shared: int
    revisions: Mapping[int, int]
    rulings: Mapping[int, EtuiRuling]
    found: dict[int, dict[int, TablePlay]]
    plays: Mapping[int, DeskPlay]


class Kept(OrderedDict[tuple[int, bool], Board]):
    """Boards by session and by whether they are flagged: in the process, those of the last thousand tables."""

    def __setitem__(self, key: tuple[int, bool], board: Board) -> None:
        super().__setitem__(key, board)
        self.move_to_end(key)
        while len(self) > 1 and sum(len(each.revisions) for each in list(self.values())) > MOST_KEPT:
            self.popitem(last=False)


kept = Kept()


def revisions_of(session: Session) -> dict[int, int]:
    return dict(session.tables.values_list("pk", "revision"))


def keep_board(session: Session, revisions: Mapping[int, int], *, flags: bool) -> Board:
    """Of which only the tables that were written to since are read anew, and only the étuis played there looked at.

    The revisions are read before the rows: what is kept by them can only be newer, never older.
    """
    before = kept.get((session.pk, flags))
    if before and (before.shared, before.revisions.keys()) != (session.revision, revisions.keys()):
        before = None
    fresh = [pk for pk, own in revisions.items() if before is None or before.revisions[pk] != own]
    if before and not fresh:
        return before
    rulings = before.rulings if before else newest_by_etui(session.pk)
    where = {"table__in": fresh} if before else {}
    read = rows_of(session, people=False, **where)
    touched = {play.etui_id for play in read}
    found: dict[int, dict[int, TablePlay]] = dict(before.found) if before else {}
    found |= {etui: dict(found.get(etui, ())) for etui in touched}
    for play in read:
        found[play.etui_id][play.pk] = table_play(play, rulings.get(play.etui_id))
    flagged = flags_of(session, (each for etui in touched for each in found[etui].values()), rulings) if flags else {}
    made = {pk: desk_play(each, flagged.get(pk, "")) for etui in touched for pk, each in found[etui].items()}
    plays = {**before.plays, **made} if before else {play.pk: made[play.pk] for play in read}
    board = kept[session.pk, flags] = Board(session.revision, dict(revisions), rulings, found, plays)
    return board


def rows_of(session: Session, *, people: bool, **where: Any) -> list[Play]:
    """In two queries, whatever was ruled and said: each play comes with its rulings, each entry with its checks."""
    plays = session.plays.filter(**where).annotate(ruling=FilteredRelation("rulings"))
    plays = plays.select_related("table", "etui", "ruling")  # type: ignore[misc]
    found = gather(plays.order_by("position", "table__number", "etui__number", "ruling__pk"), "ruling", "rulings")
    entries = ResultEntry.objects.filter(play__session=session, **{f"play__{name}": it for name, it in where.items()})
    entries = entries.annotate(word=FilteredRelation("checks")).select_related("word")  # type: ignore[misc]
    if people:
        entries = entries.select_related("author", "word__author")  # type: ignore[misc]
    of_play: dict[int, list[ResultEntry]] = {play.pk: [] for play in found}
    for entry in gather(entries.order_by("version", "pk", "word__pk"), "word", "checks"):
        of_play.get(entry.play_id, []).append(entry)
    for play in found:
        play.session = session
        bring(play, "entries", of_play[play.pk])
    return seat_people(found) if people else found


Row = TypeVar("Row", Play, ResultEntry)


def gather(rows: Iterable[Row], joined: str, name: str) -> list[Row]:
    """Rows that came once for each of what is joined to them, once, with all of that as `name`."""
    found: dict[int, tuple[Row, list[Any]]] = {}
    for row in rows:
        _first, many = found.setdefault(row.pk, (row, []))
        if (one := getattr(row, joined, None)) is not None:  # Django sets none where there is none
            many.append(one)
    return [bring(row, name, many) for row, many in found.values()]


def bring(row: Row, name: str, many: list[Any]) -> Row:
    """As `prefetch_related` does, which asks once for each name."""
    cache = row.__dict__.setdefault("_prefetched_objects_cache", {})
    cache[name] = many
    return row


def desk_state(each: TablePlay, flag: str) -> str:
    """`flag`: what cards or the other tables say of the result; of no weight once a director has confirmed it."""
    if each.state in (State.ENTERED, State.CONFIRMED):
        assert each.current is not None
        if flag and not any(check.author_id and check.agrees for check in each.current.checks.all()):
            return flag
        if each.current.check_by == Session.Check.NONE:
            return DONE
    return VIEWS[each.state].desk


def flags_of(session: Session, plays: Iterable[TablePlay], rulings: Mapping[int, EtuiRuling]) -> dict[int, str]:
    """By the id of the play: its result clashes with the étui's cards, or is far from those of the other tables."""
    rules = find_rules(session.tournament.rules)
    groups: dict[tuple[int, int, str, Contract], dict[int, Entry]] = {}
    flags: dict[int, str] = {}
    for each in plays:
        contract = contract_of(each.current, session.tournament)
        if each.current is None or contract is None or each.state in (State.ANNULLED, State.ADJUSTED):
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
