"""The events of a session as rows of the arbiter's report; and its changes, and the players who were not there."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import F
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import User
from evenings.changes.preview import OperationNames, operation_of, say_exchange, say_operation
from evenings.plans.free.laying import find_deal_stride
from evenings.plays.entries import entry_of
from evenings.plays.penalties import name_penalty_action
from evenings.sessions.checklist import say_chosen_plan
from movements import LinePlan, read_plan
from scoring.contract import find_rules
from scoring.formats import find_format
from tournaments.models import (
    Applicant,
    ArbiterCall,
    CorrectionRequest,
    Entrant,
    EntryCheck,
    EtuiRuling,
    LogEntry,
    Penalty,
    PlanVersion,
    Play,
    Publication,
    ResultEntry,
    Ruling,
    Session,
)
from tournaments.rules.entry import GameSheet, base_score
from tournaments.rules.operations import Substitute
from tournaments.words.log_sentences import LOG, say_log
from tournaments.words.messages import label, say_reason, sentence, show_signed
from tournaments.words.rulings import say_adjusted, say_play_place

TIMES = (
    "started", "start_taken_back", "position_called", "call_taken_back", "clock_moved", "clock_stopped",
    "clock_resumed", "last_call", "last_call_table", "last_call_taken_back", "last_call_table_taken_back",
    "session_closed", "session_reopened",
)  # fmt: skip
PARTS = ("part_shown", "part_hidden")
LOTS = ("lots_drawn", "lots_taken_back")
BESIDE = " · "
ASIDE = (Ruling.RulingKind.NOT_PLAYED, Ruling.RulingKind.LATER)


class ReportRow(NamedTuple):
    """A row of the report. `at` is the time by which rows are sorted; the other columns are text."""

    at: dt.datetime
    what: str
    why: str
    by: str
    when: str


class Teller:
    """The names that the rows of one report need, read once, and the format of times.

    `hidden` has the ids of étuis whose events are left out.
    """

    def __init__(self, session: Session, hidden: frozenset[int]) -> None:
        self.session, self.hidden = session, hidden
        self.rules, self.format = find_rules(session.tournament.rules), find_format(session.tournament.format)

    @cached_property
    def entrants(self) -> dict[int, Any]:
        return self.session.entrants.select_related("player", "stand_in", "team").in_bulk()

    @cached_property
    def stride(self) -> int:
        """The number of deals of a game where the tables deal, else 0."""
        return find_deal_stride(self.session)

    @cached_property
    def plays(self) -> dict[int, Play]:
        return self.session.plays.select_related("etui", "table").in_bulk()

    def row(
        self, at: dt.datetime, what: str, *, why: str = "", by: User | str | None = "", article: str = ""
    ) -> ReportRow:
        """Return a row. `by` is an account, for which the person's name is written, or the name of a device."""
        reasons = [say_reason(why) if why else "", _("article %(article)s") % {"article": article} if article else ""]
        who = by.shown_name if isinstance(by, User) else by or ""
        return ReportRow(at, what, BESIDE.join(filter(None, reasons)), who, self.moment(at))

    def moment(self, at: dt.datetime) -> str:
        """Return the time of day. If it is not the date of the session, the date stands before it."""
        local = timezone.localtime(at)
        hour = date_format(local, "TIME_FORMAT")
        return hour if local.date() == self.session.date else f"{date_format(local, 'SHORT_DATE_FORMAT')} {hour}"

    def full(self, at: dt.datetime | None) -> str:
        """Return date and time, or "" for None."""
        return date_format(timezone.localtime(at), "DATETIME_FORMAT") if at else ""

    def day(self, date: dt.date) -> str:
        return date_format(date, "DATE_FORMAT")

    def place(self, play: Play) -> str:
        """Return étui, position and table of a play, in words. Where the tables deal, they are deal, game and table."""
        return say_play_place(self.number(play), play, self.format.name)

    def number(self, play: Play) -> int:
        """Return the number of a play's étui or, where the tables deal, that of the deal in its game."""
        return play.etui.number - (play.position - 1) * self.stride

    def name_seated(self, play: Play) -> dict[str, str]:
        """Return the names of the four players, or of the two teams, by line.

        A stand-in is named in the positions that the stand-in played.
        """
        seated = {line: self.entrants[pk] for line, pk in play.seat_ids.items()}
        return {
            line: each.own_name if each.team_id is not None else each.person_at(play.position).name
            for line, each in seated.items()
        }

    def score(self, row: ResultEntry) -> str:
        entry = entry_of(row)
        if isinstance(entry, GameSheet):
            return ", ".join(f"{label('letter', seat)} {show_signed(mark)}" for seat, mark in entry.marks)
        return show_signed(base_score(entry, self.rules))

    def sees(self, play: Play) -> bool:
        """Return whether events of this play may be in the report."""
        return play.etui_id not in self.hidden


def in_order(rows: Iterable[ReportRow]) -> list[ReportRow]:
    """Return the rows sorted by time."""
    return sorted(rows, key=attrgetter("at"))


def report_log(teller: Teller, entries: Iterable[LogEntry]) -> Iterator[ReportRow]:
    """Yield the log entries as rows, in the sentences of the log.

    If an entry has a reason, its sentence contains it.
    """
    for entry in entries:
        yield teller.row(entry.at, say_log(entry, stride=teller.stride), by=entry.author or entry.device)


def times(teller: Teller) -> list[ReportRow]:
    """Return rows for the start, the calls of positions, the clock, last calls and the end."""
    logged = teller.session.log.filter(action__in=TIMES).select_related("author").order_by("at", "id")
    return list(report_log(teller, logged))


def corrections(teller: Teller) -> list[ReportRow]:
    """Return rows for the later entries of plays, each with the score before, and for withdrawn results."""
    rows = []
    versions = defaultdict(list)
    entries = ResultEntry.objects.filter(play__session=teller.session, play__entries__version__gt=1)
    for entry in entries.select_related("author").distinct().order_by("play", "version"):
        versions[entry.play_id].append(entry)
    for play_id, (before, *later) in versions.items():
        play = teller.plays[play_id]
        for entry in later if teller.sees(play) else ():
            score_values = {"place": teller.place(play), "before": teller.score(before), "after": teller.score(entry)}
            if entry.contested:
                what = _("%(place)s: %(after)s was also entered, besides %(before)s") % score_values
            elif score_values["before"] == score_values["after"]:
                what = _("%(place)s: the details are corrected, the score is still %(after)s") % score_values
                before = entry
            else:
                what, before = _("%(place)s: %(before)s became %(after)s") % score_values, entry
            rows.append(teller.row(entry.entered_at, what, why=entry.reason, by=entry.sender_name))
    withdrawn = Ruling.objects.filter(play__session=teller.session, kind=Ruling.RulingKind.WITHDRAWN).select_related(
        "author"
    )
    seen = [ruling for ruling in withdrawn if teller.sees(teller.plays[ruling.play_id])]
    rows += [report_ruling(teller, ruling, _("the result is withdrawn")) for ruling in seen]
    return in_order(rows)


def rulings(teller: Teller) -> list[ReportRow]:
    """Return rows for rulings on plays and étuis, penalties, bonuses, warnings, and draws of lots.

    Plays that one action set aside together are one row.
    """
    session = teller.session
    play_rulings = (
        Ruling.objects.filter(play__session=session).exclude(kind=Ruling.RulingKind.WITHDRAWN).select_related("author")
    )
    seen = [ruling for ruling in play_rulings.order_by("id") if teller.sees(teller.plays[ruling.play_id])]
    before: dict[int, str] = {}
    rows = []
    for ruling in seen:
        if ruling.kind not in ASIDE and (ruling.author or ruling.reason):
            rows.append(report_ruling(teller, ruling, say_ruled(ruling, before.get(ruling.play_id, ""))))
        before[ruling.play_id] = ruling.kind
    rows += set_aside(teller, [ruling for ruling in seen if ruling.kind in ASIDE])
    for word in EtuiRuling.objects.filter(session=session).select_related("author", "etui").order_by("id"):
        if word.etui_id not in teller.hidden:
            rows.append(etui_ruled(teller, word))
    for penalty in Penalty.objects.filter(session=session).select_related("author").order_by("id"):
        rows.append(report_penalty(teller, penalty))
    lots = session.log.filter(action__in=LOTS).select_related("author").order_by("at", "id")
    return in_order([*rows, *report_log(teller, lots)])


def etui_ruled(teller: Teller, word: EtuiRuling) -> ReportRow:
    tables = ", ".join(map(str, word.played_before))
    params = {"etui": word.etui.number, "position": word.from_position, "tables": tables}
    action = "etui_split_within" if word.played_before else f"etui_{word.kind}"
    what = sentence(LOG, action, params | {"n": len(word.played_before)})
    return teller.row(word.ruled_at, what, why=word.reason, by=word.author, article=word.article)


def say_ruled(ruling: Ruling, before: str) -> str:
    """Return what a ruling does to its play, in words. `before` is the kind of the ruling before it, or ""."""
    if ruling.kind == Ruling.RulingKind.ANNULLED:
        return _("the deal is annulled")
    if ruling.kind == Ruling.RulingKind.ADJUSTED:
        return _("the arbiter decides")
    return _("the deal is to be played after all") if before in ASIDE else _("the deal counts again")


def report_ruling(teller: Teller, ruling: Ruling, what: str) -> ReportRow:
    play = teller.plays[ruling.play_id]
    adjusted = (
        say_adjusted(ruling, teller.name_seated(play), teller.format)
        if ruling.kind == Ruling.RulingKind.ADJUSTED
        else []
    )
    what = _("%(place)s: %(what)s") % {"place": teller.place(play), "what": what}
    what = f"{what} ({BESIDE.join(adjusted)})" if adjusted else what
    return teller.row(ruling.ruled_at, what, why=ruling.reason, by=ruling.sender_name, article=ruling.article)


def set_aside(teller: Teller, found: Iterable[Ruling]) -> list[ReportRow]:
    """Return rows for plays that are not played or played later, one row for all plays that one action set aside."""
    groups = defaultdict(list)
    for ruling in found:
        groups[ruling.ruled_at, teller.plays[ruling.play_id].position, ruling.kind, ruling.sender_name].append(ruling)
    rows = []
    for (at, position, _kind, sender), together in groups.items():
        plays = sorted(
            (play.table.number, teller.number(play)) for play in (teller.plays[each.play_id] for each in together)
        )
        where = ", ".join(
            (_("deal %(etui)s of table %(table)s") if teller.stride else _("étui %(etui)s of table %(table)s"))
            % {"etui": etui, "table": table}
            for table, etui in plays
        )
        row_values = {"position": position, "what": together[0].get_kind_display(), "where": where}
        named = _("Game %(position)s, %(what)s: %(where)s") if teller.stride else None
        what = (named or _("Position %(position)s, %(what)s: %(where)s")) % row_values
        rows.append(teller.row(at, what, why=together[0].reason, by=sender))
    return rows


def report_penalty(teller: Teller, penalty: Penalty) -> ReportRow:
    action = name_penalty_action(penalty, teller.format)
    name = teller.entrants[penalty.entrant_id].name
    params = {"name": name, "points": str(penalty.points), "position": penalty.position}
    what = sentence(LOG, action, params)
    return teller.row(penalty.given_at, what, why=penalty.reason, by=penalty.author, article=penalty.article)


def calls(teller: Teller) -> list[ReportRow]:
    """Return rows for the calls for the arbiter, each with the table's reason and the time of the answer."""
    rows = []
    asked_calls = ArbiterCall.objects.filter(session=teller.session).select_related(
        "answered_by", "table", "play__etui"
    )
    for call in asked_calls.order_by("id"):
        what = _("Table %(table)s calls the arbiter") % {"table": call.table.number}
        if call.play:
            named = _("deal %(etui)s") if teller.stride else _("étui %(etui)s")
            what += " (" + named % {"etui": teller.number(call.play)} + ")"
        if call.answered_at:
            what += ", " + _("answered at %(moment)s") % {"moment": teller.moment(call.answered_at)}
        why = label("call", call.reason) if call.reason else ""
        rows.append(teller.row(call.called_at, what, why=why, by=call.answered_by))
    return rows


def disputes(teller: Teller) -> list[ReportRow]:
    """Return rows for results that the other side of the table disputed."""
    disputed = EntryCheck.objects.filter(entry__play__session=teller.session, agrees=False).select_related("author")
    rows = []
    for check in disputed.annotate(play_id=F("entry__play")).order_by("id"):
        play = teller.plays[check.play_id]
        if teller.sees(play):
            what = _("%(place)s: the result is disputed") % {"place": teller.place(play)}
            rows.append(teller.row(check.checked_at, what, by=check.author or check.device))
    return rows


def requests(teller: Teller) -> list[ReportRow]:
    """Return rows for the corrections that players asked for, each with the decision."""
    rows = []
    asked_corrections = CorrectionRequest.objects.filter(play__session=teller.session)
    for correction in asked_corrections.select_related("decided_by", "member__player"):
        play = teller.plays[correction.play_id]
        if not teller.sees(play):
            continue
        correction.entrant = teller.entrants[correction.entrant_id]
        name = correction.asker
        request_values = {"place": teller.place(play), "name": name, "text": correction.text}
        what = _("%(place)s: %(name)s asks: “%(text)s”") % request_values
        if correction.withdrawn_at:
            decision = _("withdrawn")
        elif correction.decided_at is None:
            decision = _("not decided yet")
        else:
            decision = _("granted") if correction.accepted else _("refused")
        why = BESIDE.join(filter(None, (decision, correction.answer)))
        rows.append(teller.row(correction.asked_at, what, why=why, by=correction.decided_by))
    return rows


def publications(teller: Teller) -> list[ReportRow]:
    """Return rows for the published versions, and for changes of the parts that readers see."""
    rows, before = [], None
    for version in (
        teller.session.publications.defer("data", "frozen").select_related("published_by").order_by("version")
    ):
        what = say_published(version, before) % {"version": version.version}
        rows.append(teller.row(version.published_at, what, why=version.reason, by=version.published_by))
        before = version
    logged = teller.session.log.filter(action__in=PARTS).select_related("author").order_by("at", "id")
    return in_order([*rows, *report_log(teller, logged)])


def say_published(version: Publication, before: Publication | None) -> str:
    """Return the sentence for a version, without its number filled in. `before` is the version before it."""
    if version.status == Publication.PublicationStatus.OFFICIAL:
        return _("Version %(version)s: the ranking is official")
    if version.status == Publication.PublicationStatus.WITHDRAWN:
        return _("Version %(version)s: the ranking is withdrawn")
    if before is None:
        return _("Version %(version)s: the ranking is published, provisional")
    if before.status == Publication.PublicationStatus.OFFICIAL and before.digest == version.digest:
        return _("Version %(version)s: the ranking is provisional again")
    return _("Version %(version)s: the ranking is published again, provisional")


SETTINGS = (
    "edited",
    "etuis_added",
    "public_etuis",
    "redirected",
    "counts_no_longer",
    "director_plays",
    "hiding_lifted",
)


class Changes:
    """The versions of a session's plan, in order, with what each of them changed.

    `logged` has the actions whose log entries are reported together with the versions.
    """

    logged: tuple[str, ...] = SETTINGS

    def __init__(self, session: Session) -> None:
        self.session, self.names = session, OperationNames(session)
        self.versions = list(session.plans.select_related("author", "undone_by").order_by("number"))

    @cached_property
    def chosen(self) -> PlanVersion | None:
        """The plan with which the session started, or None if none was stored."""
        return next((one for one in reversed(self.versions) if operation_of(one) is None), None)

    @property
    def made(self) -> list[PlanVersion]:
        """The versions that a director's operation made, undone ones too."""
        return [version for version in self.versions if operation_of(version) is not None]

    def plan_before(self, version: PlanVersion) -> LinePlan | None:
        """Return the plan that was in force when this version was made, or None."""
        held = [
            one
            for one in self.versions
            if one.number < version.number and (one.undone_at is None or one.undone_at > version.made_at)
        ]
        return read_plan(held[-1].data) if held else None

    def say(self, version: PlanVersion) -> str:
        """Return what a version changed, in sentences. For exchanged étuis, they say what each table played."""
        operation = operation_of(version)
        assert operation is not None
        sentences = [say_operation(operation, self.names)]
        if (plan := self.plan_before(version)) is not None:
            sentences += say_exchange(plan, self.session, operation)
        return " ".join(sentences)

    def say_chosen(self) -> str:
        """Return the sentence that describes the plan with which the session started, "" without a plan."""
        return say_chosen_plan(self.chosen) if self.chosen else ""

    @cached_property
    def substitutes(self) -> list[Substitute]:
        """The operations, not undone, by which a substitute plays for percentages of their own."""
        held = (operation_of(version) for version in self.versions if version.undone_at is None)
        return [done for done in held if isinstance(done, Substitute) and done.own]


def report_changes(teller: Teller, plans: Changes) -> list[ReportRow]:
    """Return rows for the changes of the plan, their undoing, and the changes of settings."""
    rows = []
    for version in plans.made:
        change = plans.say(version)
        rows.append(teller.row(version.made_at, change, by=version.author))
        if version.undone_at:
            rows.append(teller.row(version.undone_at, _("Undone: %(what)s") % {"what": change}, by=version.undone_by))
    logged = teller.session.log.filter(action__in=plans.logged).select_related("author").order_by("at", "id")
    return in_order([*rows, *report_log(teller, logged)])


def people(teller: Teller, plans: Changes) -> list[list[str]]:
    """Return rows for the players who came late, left, were replaced, are unranked or did not come.

    A row has the place ("N 3", or "3" without lines), the name, and what happened.
    """
    rows, has_lines = [], bool(teller.format.lines)
    for entrant in sorted(teller.entrants.values(), key=lambda each: (each.number, each.line)):
        happenings = list(say_stay(entrant, plans))
        if not entrant.ranked:
            happenings.append(_("completed a table, unranked"))
        if happenings:
            place = f"{label('letter', entrant.line)} {entrant.number}" if has_lines else str(entrant.number)
            rows.append([place, entrant.player.name, BESIDE.join(happenings)])
    seated = {entrant.player_id for entrant in teller.entrants.values()}
    for applicant in Applicant.objects.filter(session=teller.session, withdrawn_at=None, present_at=None):
        if applicant.player_id not in seated and not applicant.waits_for_director:
            rows.append(["", applicant.name, _("had signed up, but did not come")])
    return rows


def say_stay(entrant: Entrant, plans: Changes) -> Iterator[str]:
    """Yield in short sentences when the entrant came, left and came back, and who replaced whom."""
    replaced = next((done for done in plans.substitutes if done.entrant == entrant.pk), None)
    own = [done for done in plans.substitutes if entrant.player_id is not None and done.player == entrant.player_id]
    replaces = own[0] if own else None
    (_number, first, _last), *_rest = stays = entrant.stays
    if replaces:
        values = {"name": plans.names.entrants([replaces.entrant]), "position": replaces.position}
        yield _("replaced %(name)s from position %(position)s on, for percentages of their own") % values
    elif first > 1:
        yield _("came for position %(position)s") % {"position": first}
    for (_n, _f, last), (_m, back, _l) in pairwise(stays):
        yield _("left after position %(last)s, back for %(back)s") % {"last": last, "back": back}
    if replaced:
        values = {"name": plans.names.players([replaced.player]), "position": replaced.position}
        yield (_("replaced from position %(position)s on by %(name)s, who plays for percentages of their own") % values)
    elif stays[-1][2] is not None:
        yield _("left after position %(position)s") % {"position": stays[-1][2]}
    if entrant.stand_in:
        values = {"name": entrant.stand_in.name, "position": entrant.stand_in_from}
        yield _("replaced by %(name)s from position %(position)s on") % values
