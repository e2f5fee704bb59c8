"""What happened in an evening, row by row, for the arbiter's report: when, what, why, by whom. Reads only, in words."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import F, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.contract import find_rules
from tournaments.models import (
    Applicant,
    ArbiterCall,
    CorrectionRequest,
    EntryCheck,
    EtuiRuling,
    LogEntry,
    Penalty,
    Play,
    ResultEntry,
    Ruling,
    Session,
)
from tournaments.plays.entries import entry_of
from tournaments.rules.entry import base_score
from tournaments.words.log_sentences import LOG
from tournaments.words.log_words import say_log
from tournaments.words.messages import label, say_reason, sentence, sign

TIMES = (
    "started", "start_taken_back", "position_called", "call_taken_back", "clock_moved", "clock_stopped",
    "clock_resumed", "last_call", "last_call_table", "last_call_taken_back", "last_call_table_taken_back",
    "session_closed", "session_reopened",
)  # fmt: skip
SETTINGS = (
    "edited",
    "etuis_added",
    "public_etuis",
    "redirected",
    "counts_no_longer",
    "director_plays",
    "hiding_lifted",
)
BESIDE = " · "
ASIDE = (Ruling.Kind.NOT_PLAYED, Ruling.Kind.LATER)


class Row(NamedTuple):
    """Rows are in the order of `at`; the other columns are words."""

    at: dt.datetime
    what: str
    why: str
    by: str
    when: str


class Teller:
    """Who and what a session's rows name, read once; and how moments are written."""

    def __init__(self, session: Session, hidden: frozenset[int]) -> None:
        self.session, self.hidden = session, hidden
        self.rules = find_rules(session.tournament.rules)

    @cached_property
    def entrants(self) -> dict[int, Any]:
        return self.session.entrants.select_related("player", "stand_in").in_bulk()

    @cached_property
    def plays(self) -> dict[int, Play]:
        return self.session.plays.select_related("etui", "table").in_bulk()

    def row(self, at: dt.datetime, what: str, *, why: str = "", by: object = "", article: str = "") -> Row:
        told = [say_reason(why) if why else "", _("article %(article)s") % {"article": article} if article else ""]
        return Row(at, what, BESIDE.join(filter(None, told)), str(by or ""), self.moment(at))

    def moment(self, at: dt.datetime) -> str:
        """The hour and, on another day than the evening's, the date."""
        local = timezone.localtime(at)
        hour = date_format(local, "TIME_FORMAT")
        return hour if local.date() == self.session.date else f"{date_format(local, 'SHORT_DATE_FORMAT')} {hour}"

    def full(self, at: dt.datetime | None) -> str:
        return date_format(timezone.localtime(at), "DATETIME_FORMAT") if at else ""

    def day(self, date: dt.date) -> str:
        return date_format(date, "DATE_FORMAT")

    def place(self, play: Play) -> str:
        told = {"etui": play.etui.number, "position": play.position, "table": play.table.number}
        return _("Étui %(etui)s, position %(position)s, table %(table)s") % told

    def score(self, row: ResultEntry) -> str:
        return sign(base_score(entry_of(row), self.rules))

    def sees(self, play: Play) -> bool:
        return play.etui_id not in self.hidden


def in_order(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=attrgetter("at"))


def logged(teller: Teller, entries: Iterable[LogEntry]) -> Iterator[Row]:
    """Lines of the log as they are read there; who was changed stands in their words alone."""
    for entry in entries:
        named = entry.words if entry.action.startswith(("plan_", "undo_")) else ""
        yield teller.row(
            entry.at, say_log(entry), why=named, by=entry.author.get_username() if entry.author else entry.device
        )


def times(teller: Teller) -> list[Row]:
    found = teller.session.log.filter(action__in=TIMES).select_related("author").order_by("at", "id")
    return list(logged(teller, found))


def changes(teller: Teller) -> list[Row]:
    wanted = Q(action__regex="^(plan|undo)_") & ~Q(action="plan_choice") | Q(action__in=SETTINGS)
    found = teller.session.log.filter(wanted).select_related("author").order_by("at", "id")
    return list(logged(teller, found))


def people(teller: Teller) -> list[list[str]]:
    """Who was not there from the beginning to the end, or not himself: where, who, what."""
    rows = []
    for entrant in sorted(teller.entrants.values(), key=lambda each: (each.number, each.line)):
        told = []
        (_number, first, _last), *_rest = stays = entrant.stays
        if first > 1:
            told.append(_("came for position %(position)s") % {"position": first})
        for (_n, _f, last), (_m, back, _l) in pairwise(stays):
            told.append(_("left after position %(last)s, back for %(back)s") % {"last": last, "back": back})
        if stays[-1][2] is not None:
            told.append(_("left after position %(position)s") % {"position": stays[-1][2]})
        if entrant.stand_in:
            given = {"name": entrant.stand_in.name, "position": entrant.stand_in_from}
            told.append(_("%(name)s stood in from position %(position)s") % given)
        if not entrant.ranked:
            told.append(_("completed a table, unranked"))
        if told:
            rows.append([f"{label('letter', entrant.line)} {entrant.number}", entrant.player.name, BESIDE.join(told)])
    seated = {entrant.player_id for entrant in teller.entrants.values()}
    for applicant in Applicant.objects.filter(session=teller.session, withdrawn_at=None, present_at=None):
        if applicant.player_id not in seated:
            rows.append(["", applicant.name, _("was down, and did not come")])
    return rows


def corrections(teller: Teller) -> list[Row]:
    """Every entry after a play's first, with what it replaced, and every result withdrawn."""
    rows = []
    versions = defaultdict(list)
    entries = ResultEntry.objects.filter(play__session=teller.session, play__entries__version__gt=1)
    for entry in entries.select_related("author").distinct().order_by("play", "version"):
        versions[entry.play_id].append(entry)
    for play_id, (before, *later) in versions.items():
        play = teller.plays[play_id]
        for entry in later if teller.sees(play) else ():
            told = {"place": teller.place(play), "before": teller.score(before), "after": teller.score(entry)}
            if entry.contested:
                what = _("%(place)s: %(after)s came too, beside %(before)s") % told
            else:
                what, before = _("%(place)s: %(before)s became %(after)s") % told, entry
            by = entry.author.get_username() if entry.author else entry.device
            rows.append(teller.row(entry.entered_at, what, why=entry.reason, by=by))
    withdrawn = Ruling.objects.filter(play__session=teller.session, kind=Ruling.Kind.WITHDRAWN).select_related("author")
    rows += [ruled(teller, ruling) for ruling in withdrawn if teller.sees(teller.plays[ruling.play_id])]
    return in_order(rows)


def rulings(teller: Teller) -> list[Row]:
    """On plays, on étuis, on players. What was set aside together is one row."""
    session = teller.session
    told = Ruling.objects.filter(play__session=session).exclude(kind=Ruling.Kind.WITHDRAWN).select_related("author")
    seen = [ruling for ruling in told.order_by("id") if teller.sees(teller.plays[ruling.play_id])]
    rows = [ruled(teller, ruling) for ruling in seen if ruling.kind not in ASIDE and (ruling.author or ruling.reason)]
    rows += set_aside(teller, [ruling for ruling in seen if ruling.kind in ASIDE])
    for ruling in EtuiRuling.objects.filter(session=session).select_related("author", "etui").order_by("id"):
        if ruling.etui_id in teller.hidden:
            continue
        tables = ", ".join(map(str, ruling.played_before))
        params = {"etui": ruling.etui.number, "position": ruling.from_position, "tables": tables}
        action = "etui_split_within" if ruling.played_before else f"etui_{ruling.kind}"
        what = sentence(LOG, action, params | {"n": len(ruling.played_before)})
        given = {"why": ruling.reason, "by": ruling.author.get_username(), "article": ruling.article}
        rows.append(teller.row(ruling.ruled_at, what, **given))
    for penalty in Penalty.objects.filter(session=session).select_related("author").order_by("id"):
        rows.append(penalised(teller, penalty))
    return in_order(rows)


def ruled(teller: Teller, ruling: Ruling) -> Row:
    play = teller.plays[ruling.play_id]
    told: list[str] = []
    if ruling.score is not None:
        told.append(_("base score %(score)s") % {"score": sign(ruling.score)})
    if ruling.notes:
        lines = (f"{label('letter', line)} {note}" for line, note in ruling.notes.items())
        told.append(_("notes %(notes)s") % {"notes": ", ".join(lines)})
    if ruling.kind == Ruling.Kind.ADJUSTED and not ruling.compared:
        told.append(_("out of the topage"))
    what = _("%(place)s: %(what)s") % {"place": teller.place(play), "what": ruling.get_kind_display()}
    what = f"{what} ({BESIDE.join(told)})" if told else what
    return teller.row(ruling.ruled_at, what, why=ruling.reason, by=ruling.sender, article=ruling.article)


def set_aside(teller: Teller, found: Iterable[Ruling]) -> list[Row]:
    """By moment, position and kind: a last call sets aside many at once."""
    groups = defaultdict(list)
    for ruling in found:
        groups[ruling.ruled_at, teller.plays[ruling.play_id].position, ruling.kind, ruling.sender].append(ruling)
    rows = []
    for (at, position, _kind, sender), together in groups.items():
        plays = sorted(
            (play.table.number, play.etui.number) for play in (teller.plays[each.play_id] for each in together)
        )
        where = ", ".join(
            _("étui %(etui)s of table %(table)s") % {"etui": etui, "table": table} for table, etui in plays
        )
        told = {"position": position, "what": together[0].get_kind_display(), "where": where}
        what = _("Position %(position)s, %(what)s: %(where)s") % told
        rows.append(teller.row(at, what, why=together[0].reason, by=sender))
    return rows


def penalised(teller: Teller, penalty: Penalty) -> Row:
    taken_back = penalty.reverses_id is not None
    action = f"{penalty.kind}_taken_back" if taken_back else f"{penalty.kind}{'_position' if penalty.position else ''}"
    name = teller.entrants[penalty.entrant_id].name
    params = {"name": name, "points": str(penalty.points), "position": penalty.position}
    given = {"why": penalty.reason, "by": penalty.author.get_username(), "article": penalty.article}
    return teller.row(penalty.given_at, sentence(LOG, action, params), **given)


def calls(teller: Teller) -> list[Row]:
    """Each with when it was answered."""
    rows = []
    found = ArbiterCall.objects.filter(session=teller.session).select_related("answered_by", "table", "play__etui")
    for call in found.order_by("id"):
        what = _("Table %(table)s calls the arbiter") % {"table": call.table.number}
        if call.play:
            what += " (" + _("étui %(etui)s") % {"etui": call.play.etui.number} + ")"
        if call.answered_at:
            what += ", " + _("answered at %(moment)s") % {"moment": teller.moment(call.answered_at)}
        by = call.answered_by.get_username() if call.answered_by else ""
        rows.append(teller.row(call.called_at, what, by=by))
    return rows


def disputes(teller: Teller) -> list[Row]:
    found = EntryCheck.objects.filter(entry__play__session=teller.session, agrees=False)
    return [
        teller.row(
            check.checked_at, _("%(place)s: the result is disputed") % {"place": teller.place(play)}, by=check.device
        )
        for check in found.annotate(play_id=F("entry__play")).order_by("id")
        if teller.sees(play := teller.plays[check.play_id])
    ]


def requests(teller: Teller) -> list[Row]:
    """Each with what became of it."""
    rows = []
    for asked in CorrectionRequest.objects.filter(play__session=teller.session).select_related("decided_by"):
        play = teller.plays[asked.play_id]
        if not teller.sees(play):
            continue
        name = teller.entrants[asked.entrant_id].name
        told = {"place": teller.place(play), "name": name, "text": asked.text}
        what = _("%(place)s: %(name)s asks: “%(text)s”") % told
        if asked.withdrawn_at:
            decision = _("withdrawn")
        elif asked.decided_at is None:
            decision = _("not decided yet")
        else:
            decision = _("granted") if asked.accepted else _("refused")
        why = BESIDE.join(filter(None, (decision, asked.answer)))
        rows.append(
            teller.row(asked.asked_at, what, why=why, by=asked.decided_by.get_username() if asked.decided_by else "")
        )
    return rows


def publications(teller: Teller) -> list[Row]:
    rows = []
    for version in teller.session.publications.defer("data").select_related("published_by").order_by("version"):
        what = _("Version %(version)s, %(status)s") % {
            "version": version.version,
            "status": version.get_status_display(),
        }
        by = version.published_by.get_username() if version.published_by else ""
        rows.append(teller.row(version.published_at, what, why=version.reason, by=by))
    return rows
