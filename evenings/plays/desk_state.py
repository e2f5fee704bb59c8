"""The plays of a session as the director's desk shows them, each with a state that tells what is left to do.

This module only reads, in a fixed number of queries. A result is *odd* if it is far from other tables' results, and a
*clash* if it is impossible with the étui's cards. Only directors see this, except for étuis that they have still to
play themselves.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser

from clubs.models import User
from deals.domain.cards import Seat
from deals.domain.deal import Deal, loads
from evenings.plays.entries import columns_of, entry_in, entry_of, open_contests
from evenings.plays.rulings_given import newest_by_etui
from evenings.plays.session_plays import columns_with_rows, plays_at_tables, rows_of
from evenings.plays.state import VIEWS, WAITED_FOR, PlayState
from evenings.plays.table_plays import TablePlay, table_play
from scoring.contract import find_rules
from scoring.formats import FREE_DEALS, find_format
from scoring.values import Contract, ScoringRules
from tournaments.models import EtuiRuling, Play, PlayingDirector, PlayRecord, ResultEntry, Session, Tournament
from tournaments.rules.clash import Clash, clashes, unlikely
from tournaments.rules.entry import Entry, ask_about_entry, base_score
from tournaments.rules.etuis import BEFORE, ResultDoubt, doubt_contest, doubt_far, find_etui_part, odd_entries
from tournaments.rules.recorded import DealtCards, clashes_of_stored

MISSING, UNCONFIRMED, DISPUTED, DONE = (
    VIEWS[state].desk for state in (PlayState.TODO, PlayState.ENTERED, PlayState.DISPUTED, PlayState.CONFIRMED)
)
MOST_KEPT = 1_000
# Where the tables deal, no table's result tells a director anything about a deal that is still to be played.
WITH_ETUIS = PlayingDirector.objects.exclude(session__tournament__format=FREE_DEALS.name)
ODD, CHECK_ETUI = "odd", "check_etui"
# In the order of the desk's legend.
STATES = (
    MISSING, "started", "later", UNCONFIRMED, DISPUTED, CHECK_ETUI, ODD, DONE, "not_played", "annulled",
)  # fmt: skip
RINGING = frozenset({DISPUTED, CHECK_ETUI})
TO_LOOK_AT = RINGING | {ODD}
UNITS_OF_CLASHES = {"clash_bouts": "bouts", "clash_points": "points"}


@dataclass(frozen=True, slots=True)
class DeskPlay:
    """A play as the desk shows it. `rows` are all its entries, oldest first; `entry` is the one that counts, or None.

    `state` is one of STATES; it is derived from `finest`, the exact state. `table` and `etui` are numbers. `missing` is
    True if a result is still expected, now or later. `closed` is True if the reader has still to play the étui, and so
    may not see its results. `doubts` are the reasons to look at the result, with figures.
    """

    play: Play
    rows: Sequence[ResultEntry]
    entry: ResultEntry | None
    finest: PlayState
    state: str
    pk: int
    position: int
    table: int
    etui: int
    missing: bool
    closed: bool
    doubts: tuple[ResultDoubt, ...] = ()

    @property
    def annulled(self) -> bool:
        return self.finest == PlayState.ANNULLED

    @property
    def contested(self) -> list[ResultEntry]:
        """The entries that contradict the current one. Empty once a director has decided."""
        return open_contests(self.rows, self.entry) if self.entry else []


def desk_plays(
    session: Session, *, flags: bool, user: User | AnonymousUser | None = None, people: bool = True, **where: Any
) -> list[DeskPlay]:
    """Return the plays of a session, sorted by position, table and étui.

    With `flags`, odd results and clashes are marked in the states. With `people`, the players and the authors of
    entries are read too. If `user` directs and plays, the étuis that the user has still to play are `closed`. `where`
    may restrict the plays, but only to whole étuis, because the plays of an étui are compared with each other.
    """
    if not people and not where:
        playing, closed = playing_as(session, user), hidden_elsewhere(session, user)
        return desk_plays_for(session, playing, flags=flags, revisions=revisions_of(session), closed=closed)
    rulings = newest_by_etui(session.pk)
    found = [table_play(play, rulings.get(play.etui_id)) for play in rows_of(session, people=people, **where)]
    plays = show_plays(session, found, rulings, flags=flags)
    return close_for(playing_as(session, user), list(plays.values()), hidden_elsewhere(session, user))


def show_plays(
    session: Session, found: Sequence[TablePlay], rulings: Mapping[int, EtuiRuling], *, flags: bool
) -> dict[int, DeskPlay]:
    """Return the plays of whole étuis as the desk shows them, by their ids.

    With `flags`, odd results and clashes are marked, and the plays to look at have their doubts.
    """
    flagged = flags_of(session, found, rulings) if flags else {}
    plays = {each.play.pk: desk_play(each, flagged.get(each.play.pk, "")) for each in found}
    doubted = [each for each in found if flags and plays[each.play.pk].state in TO_LOOK_AT]
    return plays | {
        each.play.pk: replace(shown := plays[each.play.pk], doubts=tuple(doubts_of(each, shown, found, rulings)))
        for each in doubted
    }


def desk_plays_for(
    session: Session,
    playing: PlayingDirector | None,
    *,
    flags: bool,
    revisions: Mapping[int, int],
    closed: Set[int] = frozenset(),
) -> list[DeskPlay]:
    """Return all plays of a session from the cache, without players and authors.

    `revisions` are those of its tables, by the table's id. `closed` has the ids of the étuis that the user has still to
    play in another section.
    """
    rows = keep_desk_rows(session, revisions, flags=flags)
    return close_for(playing, list(rows.plays.values()), closed)


def find_plays_to_look_at(plays: Iterable[DeskPlay]) -> list[DeskPlay]:
    """Return the plays to look at, in playing order: first those for which the desk rings, then the odd ones."""
    return sorted((each for each in plays if each.state in TO_LOOK_AT), key=lambda each: each.state not in RINGING)


def desk_play(each: TablePlay, flag: str, *, closed: bool = False) -> DeskPlay:
    """Return the play as the desk shows it. `flag` is the warning about its result, or ""."""
    play = each.play
    place = play.pk, play.position, play.table.number, play.etui.number
    state, missing = desk_state(each, flag), each.state in WAITED_FOR
    return DeskPlay(play, each.rows, each.current, each.state, state, *place, missing, closed)


def close_for(
    playing: PlayingDirector | None, plays: list[DeskPlay], elsewhere: Set[int] = frozenset()
) -> list[DeskPlay]:
    """Return the plays as a director who plays may see them: plays of étuis still to play become `closed`.

    `elsewhere` has the ids of the étuis that the director has still to play in another section.
    """
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
    """Return the ids of the étuis that the user has still to play, here or in another section.

    Their results are hidden from a director. There are none for a user who does not play, or who has lifted the hiding.
    """
    playing = playing_as(session, user)
    here = left_to_play(session, playing) if playing else frozenset()
    return here | hidden_elsewhere(session, user)


def hidden_elsewhere(session: Session, user: User | AnonymousUser | None) -> frozenset[int]:
    """Return the ids of the étuis that the user has still to play in another section of the same group."""
    if session.group_id is None or user is None or not user.is_authenticated:
        return frozenset()
    declared = WITH_ETUIS.filter(session__group=session.group_id, user=user, lifted_at=None)
    others = declared.exclude(session=session).select_related("session", "entrant")
    return frozenset[int]().union(*(left_to_play(playing.session, playing) for playing in others))


def plays_in(session: Session, user: User) -> Session:
    """Return the session in which the user plays and can lift the hiding: this one, or another section of its group."""
    if playing_as(session, user) is not None or session.group_id is None:
        return session
    declared = PlayingDirector.objects.filter(session__group=session.group_id, user=user, lifted_at=None)
    other = declared.select_related("session__tournament__club").first()
    return other.session if other else session


def left_to_play(session: Session, playing: PlayingDirector) -> frozenset[int]:
    """Return the ids of the étuis of this session that the director has still to play."""
    rulings = newest_by_etui(session.pk)
    found = [table_play(play, rulings.get(play.etui_id)) for play in rows_of(session, people=False)]
    return still_to_play(playing, [desk_play(each, "") for each in found])


def playing_as(session: Session, user: User | AnonymousUser | None) -> PlayingDirector | None:
    """Return the row by which the user, a director, plays in this session. Return None if there is none in force."""
    if user is None or not user.is_authenticated:
        return None
    declared = WITH_ETUIS.filter(session=session, user=user, lifted_at=None)
    return declared.select_related("entrant__player", "entrant__stand_in").first()


def still_to_play(playing: PlayingDirector, plays: Iterable[DeskPlay]) -> frozenset[int]:
    """Return the ids of the étuis, among these plays, that the director has still to play."""
    return frozenset(
        each.play.etui_id
        for each in plays
        if each.entry is None
        and each.finest not in (PlayState.NOT_PLAYED, PlayState.ADJUSTED)
        and playing.entrant_id in each.play.seat_ids.values()
    )


class DeskRows(NamedTuple):
    """The states of a session's plays, and the revisions at which they were read. An instance is never changed.

    `shared` is the session's revision, and `revisions` has those of its tables by the table's id. `found` has the plays
    by the ids of étui and play. `plays` has them by the play's id, in playing order.
    """

    shared: int
    revisions: Mapping[int, int]
    rulings: Mapping[int, EtuiRuling]
    found: dict[int, dict[int, TablePlay]]
    plays: Mapping[int, DeskPlay]


class KeptDeskRows(OrderedDict[tuple[int, bool], DeskRows]):
    """A cache of desk rows in this process, by the session's id and whether the rows have flags.

    The sessions used last stay in it, up to a thousand tables in all.
    """

    def __setitem__(self, key: tuple[int, bool], rows: DeskRows) -> None:
        super().__setitem__(key, rows)
        self.move_to_end(key)
        while len(self) > 1 and sum(len(each.revisions) for each in list(self.values())) > MOST_KEPT:
            self.popitem(last=False)


kept = KeptDeskRows()


def changed_at(session: Session, tables: Sequence[int], before: Mapping[int, DeskPlay]) -> list[Play]:
    """Return the plays of these tables that differ from `before`, as `rows_of` reads them. `before` is by play id.

    The étuis of the plays are the same as before: otherwise the session's revision would have changed.
    """
    changed = []
    for play in plays_at_tables(tables):
        known = before[play.pk].play
        if columns_with_rows(play) != columns_with_rows(known):
            play.session, play.table, play.etui = session, known.table, known.etui
            changed.append(play)
    return changed


def revisions_of(session: Session) -> dict[int, int]:
    return dict(session.tables.values_list("pk", "revision"))


def keep_desk_rows(session: Session, revisions: Mapping[int, int], *, flags: bool) -> DeskRows:
    """Return the desk rows of the session, and keep them in the cache.

    Only tables whose revision has changed are read again, and only the étuis that have changed are compared again. The
    caller has read `revisions` before: the cached rows may be newer than their revisions, but never older.
    """
    before = kept.get((session.pk, flags))
    if before and (before.shared, before.revisions.keys()) != (session.revision, revisions.keys()):
        before = None
    fresh = [pk for pk, own in revisions.items() if before is None or before.revisions[pk] != own]
    if before and not fresh:
        return before
    rulings = before.rulings if before else newest_by_etui(session.pk)
    read = changed_at(session, fresh, before.plays) if before else rows_of(session, people=False)
    touched = {play.etui_id for play in read}
    found: dict[int, dict[int, TablePlay]] = dict(before.found) if before else {}
    found |= {etui: dict(found.get(etui, ())) for etui in touched}
    for play in read:
        found[play.etui_id][play.pk] = table_play(play, rulings.get(play.etui_id))
    made = show_plays(session, [each for etui in touched for each in found[etui].values()], rulings, flags=flags)
    plays = {**before.plays, **made} if before else {play.pk: made[play.pk] for play in read}
    rows = kept[session.pk, flags] = DeskRows(session.revision, dict(revisions), rulings, found, plays)
    return rows


def desk_state(each: TablePlay, flag: str) -> str:
    """Return the state of a play on the desk, one of STATES.

    `flag` is the warning that `flags_of` found, or "". It is ignored once a director has confirmed the result.
    """
    if each.state in (PlayState.ENTERED, PlayState.CONFIRMED):
        assert each.current is not None
        if flag and not any(check.author_id and check.agrees for check in each.current.checks.all()):
            return flag
        if each.current.check_by == Session.Check.NONE:
            return DONE
    return VIEWS[each.state].desk


def flags_of(session: Session, plays: Iterable[TablePlay], rulings: Mapping[int, EtuiRuling]) -> dict[int, str]:
    """Return the warnings about results, by the play's id: CHECK_ETUI, DISPUTED or ODD.

    There is a warning if a result is impossible or unlikely with the étui's cards, or far from the other tables'
    results. There is also a warning if no result gives the score of a fiche.
    """
    format, rules = find_format(session.tournament.format), find_rules(session.tournament.rules)
    if format.has_free_deals:  # each table deals its own cards: nothing is compared
        shown = (each for each in plays if each.current and each.state not in (PlayState.ANNULLED, PlayState.ADJUSTED))
        return {each.play.pk: DISPUTED for each in shown if each.current and no_result_gives(each.play, each.current)}
    groups: dict[tuple[int, int, str, Contract], dict[int, Entry]] = {}
    flags: dict[int, str] = {}
    for each in plays:
        contract = contract_of(each.current, session.tournament)
        if each.current is None or each.state in (PlayState.ANNULLED, PlayState.ADJUSTED):
            continue
        if contract is None:
            # Without its contract a fiche cannot be compared, but perhaps no allowed contract gives its score.
            if format.asks_contract and no_result_gives(each.play, each.current):
                flags[each.play.pk] = DISPUTED
            continue
        part = part_of(each, rulings)
        group = groups.setdefault((each.play.etui_id, part, each.current.taker, contract), {})
        group[each.play.pk] = entry_of(each.current)
        if flag := flag_of(each.play, each.current, each.record, altered=part != BEFORE):
            flags[each.play.pk] = flag
    odd = (odd_in(tuple(entries.items()), group[-1], rules) for group, entries in groups.items())
    return {pk: ODD for group in odd for pk in group} | flags


def part_of(each: TablePlay, rulings: Mapping[int, EtuiRuling]) -> int:
    """Return whether the play came before or after an alteration of its étui."""
    ruling = rulings.get(each.play.etui_id)
    return find_etui_part(ruling.split if ruling else None, each.play.position, each.play.table.number)


def doubts_of(
    each: TablePlay, shown: DeskPlay, found: Iterable[TablePlay], rulings: Mapping[int, EtuiRuling]
) -> Iterator[ResultDoubt]:
    """Yield the reasons to look at a play, with figures. `found` has all plays of its étui, and perhaps others."""
    row, tournament, part = each.current, each.play.session.tournament, part_of(each, rulings)
    if row is None:
        return
    rules, own = find_rules(tournament.rules), entry_of(row)
    score = base_score(own, rules)
    if shown.state == CHECK_ETUI:
        of_record = record_clashes_of(each.play, row, each.record, altered=part != BEFORE)
        for clash in (*clashes_of(each.play, row), *of_record):
            unit = UNITS_OF_CLASHES.get(clash.code, "")
            yield ResultDoubt(clash.code, unit, (getattr(row, clash.field),) if unit else ())
    elif shown.state == DISPUTED and shown.contested:
        yield doubt_contest(own, entry_of(shown.contested[0]), rules)
    elif shown.state == DISPUTED:
        yield ResultDoubt("no_result" if no_result_gives(each.play, row) else "other_side", "scores", (score,))
    elif is_unlikely(each.play, row):
        yield ResultDoubt("unlikely", "bouts", (row.bouts or 0,))
    else:
        contract = contract_of(row, tournament)
        others = [
            entry_of(other.current)
            for other in found
            if other.play.etui_id == each.play.etui_id
            and other is not each
            and other.current is not None
            and part_of(other, rulings) == part
            and (other.current.taker, contract_of(other.current, tournament)) == (row.taker, contract)
            and other.state not in (PlayState.ANNULLED, PlayState.ADJUSTED)
        ]
        yield doubt_far(own, others, rules)


# The desk needs this for all étuis at every request. A new result changes only one étui; the others are in the cache.
@lru_cache(maxsize=4_096)
def odd_in(entries: tuple[tuple[int, Entry], ...], contract: Contract, rules: ScoringRules) -> frozenset[int]:
    """Return the ids of the odd plays. `entries` has (play id, entry) pairs of one étui, taker and contract."""
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


def flag_of(play: Play, row: ResultEntry, record: PlayRecord | None, *, altered: bool) -> str:
    """Return the warning about a result that needs no other table's result, or "" if there is none.

    `altered`: whether the étui's cards were altered before the play, so that they are not known.
    """
    if clashes_of(play, row) or record_clashes_of(play, row, record, altered=altered):
        return CHECK_ETUI
    if no_result_gives(play, row):
        return DISPUTED
    return ODD if is_unlikely(play, row) else ""


def clashes_of(play: Play, row: ResultEntry) -> tuple[Clash, ...]:
    """Return the values of a result that are impossible with the étui's cards. Return () if the cards are not known."""
    if not play.etui.cards or row.kind != ResultEntry.EntryKind.FACTS:
        return ()
    return clashes_in(columns_of(row), play.etui.cards, find_rules(play.session.tournament.rules))


def record_clashes_of(play: Play, row: ResultEntry, record: PlayRecord | None, *, altered: bool) -> tuple[Clash, ...]:
    """Return the contradictions between the record that counts, the result and the étui's cards."""
    if record is None:
        return ()
    tournament = play.session.tournament
    deal = deal_of(play.etui.cards) if play.etui.cards and not altered else None
    dealt, contract = DealtCards(Seat(play.etui.dealer), deal), find_format(tournament.format).contract
    return clashes_of_stored(record.text, dealt, entry_of(row), contract, find_rules(tournament.rules))


def is_unlikely(play: Play, row: ResultEntry) -> bool:
    """Return whether the bouts of this result are possible with the étui's cards only by an accident of play."""
    facts = bool(play.etui.cards) and row.kind == ResultEntry.EntryKind.FACTS
    return facts and unlikely_in(columns_of(row), play.etui.cards)


def no_result_gives(play: Play, row: ResultEntry) -> bool:
    """Return whether the result is a fiche with a base score that no result of a deal can give."""
    if row.kind != ResultEntry.EntryKind.FICHE:
        return False
    format = find_format(play.session.tournament.format)
    asked = ask_about_entry(entry_of(row), format=format, players=row.players)
    return any(question.code == "base_score_impossible" for question in asked)


def contract_of(row: ResultEntry | None, tournament: Tournament) -> Contract | None:
    """Return the contract that was played. Return None if everyone passed, or for a fiche in a free auction."""
    if row is None or not row.taker:
        return None
    if row.contract:
        return Contract(row.contract)
    return find_format(tournament.format).contract
