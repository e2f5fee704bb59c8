"""Each play of a session as the director's desk shows it: in one state, named by what there is to do about it.

Reads only, in a fixed number of queries. What is odd, or clashes with the étui's cards, is told by other tables and by
cards: it is for directors alone, and of an étui that a director has still to play not even for that one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch

from clubs.models import User
from deals.domain.notation import loads
from scoring.contract import Contract, rules_named
from tournaments.models import (
    PEOPLE,
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
from tournaments.plays.entries import entry_of
from tournaments.plays.etui_rulings import newest_by_etui
from tournaments.plays.state import VIEWS, WAITED_FOR, State
from tournaments.plays.table_plays import TablePlay, table_play
from tournaments.rules.clash import Clash, clashes, unlikely
from tournaments.rules.entry import Auction, Entry, questions
from tournaments.rules.odd import odd_entries
from tournaments.rules.split import part_of

MISSING, UNCONFIRMED, DISPUTED, DONE = (
    VIEWS[state].desk for state in (State.TODO, State.ENTERED, State.DISPUTED, State.CONFIRMED)
)
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
    session: Session, *, flags: bool, user: User | AnonymousUser | None = None, **where: Any
) -> list[DeskPlay]:
    """The plays of a session by position, table and étui; odd and clashing ones are told only where `flags` asks.

    For a `user` who directs and plays, what is still to play is `closed`. `where` may narrow to whole étuis: plays of
    an étui are compared with each other.
    """
    rulings = newest_by_etui(session.pk)
    found = [table_play(play, rulings.get(play.etui_id)) for play in rows_of(session, **where)]
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
    return still_to_play(session, user, [table_play(play, rulings.get(play.etui_id)) for play in rows_of(session)])


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


def rows_of(session: Session, **where: Any) -> Any:
    checks = Prefetch("checks", queryset=EntryCheck.objects.select_related("author"))
    entries = ResultEntry.objects.select_related("author").order_by("version").prefetch_related(checks)
    return (
        session.plays.filter(**where)
        .select_related("table", "etui", *PEOPLE)
        .prefetch_related(
            Prefetch("entries", queryset=entries), Prefetch("rulings", queryset=Ruling.objects.order_by("id"))
        )
        .order_by("position", "table__number", "etui__number")
    )


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
    rules = rules_named(session.tournament.rules)
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
    return {pk: ODD for group, entries in groups.items() for pk in odd_entries(entries, group[-1], rules)} | flags


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
    return clashes(entry_of(row), loads(play.etui.cards), rules_named(play.session.tournament.rules))


def is_unlikely(play: Play, row: ResultEntry) -> bool:
    """Whether the étui's cards allow the bouts only by an accident of play."""
    facts = bool(play.etui.cards) and row.kind == ResultEntry.Kind.FACTS
    return facts and unlikely(entry_of(row), loads(play.etui.cards))


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
