"""The job that sends feuilles de route by e-mail, once for each published version, to all accounts that want them.

A letter contains the same as the player's public page of that version. If the mail server fails, no other work has to
wait: a periodic job, the sweep, tries again for a day.
"""

import datetime as dt
import logging
from collections.abc import Collection, Iterator
from functools import partial
from typing import Any, NamedTuple

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.house import find_club_language
from clubs.models import Player, real_clubs
from evenings.reference import Reference, find_reported_reference, is_alone
from outgoing.mailing.sending import FAULTS, KeptLetter, MailRound, send_kept, spares_others
from outgoing.mailing.wishes import confirmed_address, wishes_in_force, write_stop_headers
from rankings.publication.report import FeuilleLine, PlayedEvening, read_report
from rankings.publication.team_feuilles import MemberLine, list_member_feuilles, list_member_figures
from rankings.ranking import RankedRow
from tournaments.models import FeuilleMail, Publication, PublishedPlayer, SentFeuille, Session
from tournaments.published import PublicPlace, find_published
from tournaments.queue import FEUILLES
from tournaments.reports.parts import MemberPart
from tournaments.words.figures import percent, show_penalty
from tournaments.words.formats import say_word
from tournaments.words.messages import show_signed
from tournaments.words.rulings import say_deal_role

logger = logging.getLogger(__name__)
TRIED_FOR = dt.timedelta(days=1)  # for this time after a publication letters are sent


class Letter(NamedTuple):
    """A letter to one account. `mine` has the account's own players, as the report has them, and the teams they are in.

    `ids` are the ids of the account's players in club lists.
    """

    wish: FeuilleMail
    email: str
    mine: list[RankedRow]
    ids: frozenset[int]


class Open(NamedTuple):
    """A published version whose feuilles readers may see. `ranking` is True if they may see the ranking too."""

    publication: Publication
    session: Session
    ranking: bool


def send_feuilles(session_id: int, *, now: dt.datetime) -> int:
    """Send the letters of the newest published version that are not sent yet. Return how many were sent.

    If the mail server fails, stop: nothing is stored then, so that the sweep tries again. If it refuses an address, go
    on with the other letters. After the seconds of a round, queue the rest.
    """
    shown = find_open(session_id, now)
    if shown is None:
        return 0
    with translation.override(find_club_language(shown.session.tournament.club)):
        # the names of teams without a name, and the texts for hidden names, are in the club's language
        report = read_report(shown.publication.data)
    sent = 0
    with MailRound() as mails:
        for letter in find_letters(shown.publication, report):
            kept = KeptLetter(SentFeuille.objects.all(), {"publication": shown.publication, "user": letter.wish.user})
            try:
                sent += send_kept(kept, partial(write, letter, shown, report), mails, now=now)
            except FAULTS as error:
                logger.warning("a feuille of session %s is not sent: the sweep tries again", session_id, exc_info=True)
                if not spares_others(error):
                    break
            if mails.go_on_later(session_id, FEUILLES):
                break
    return sent


def find_open(session_id: int, now: dt.datetime) -> Open | None:
    """Return the newest version of a session, or None.

    Return None if the version is not recent, or if readers may not see its feuilles. In a simultaneous, a version is
    new when its étuis open.
    """
    if not settings.MAIL:
        return None
    session = Session.objects.select_related("tournament__club__house", "deal_set").filter(pk=session_id).first()
    stamp = None if session is None else find_published(PublicPlace.of(session), now)
    if session is None or stamp is None or stamp.practice or stamp.withdrawn or not stamp.shows.feuilles:
        return None
    publication = Publication.objects.get(pk=stamp.publication)
    opened_at = session.deal_set.held_until if session.deal_set is not None else None
    is_recent = max(publication.published_at, opened_at or publication.published_at) >= now - TRIED_FOR
    return Open(publication, session, stamp.shows.ranking) if is_recent else None


def find_letters(publication: Publication, report: PlayedEvening) -> Iterator[Letter]:
    """Yield the letters that are still to be sent for the publication."""
    wishes = unsent().filter(publication=publication.pk).values("user_id")
    for wish in wishes_in_force().filter(user__in=wishes).order_by("pk"):
        ids = frozenset(Player.objects.filter(is_of(wish.user_id)).values_list("pk", flat=True))
        mine = [player for player in report.players if not ids.isdisjoint(player.people)]
        if mine and (email := confirmed_address(wish.user)):
            yield Letter(wish, email, mine, ids)


def is_of(user: Any) -> Q:
    """Return the condition that a player belongs to the account.

    A merged player belongs to it if the remaining player does.
    """
    return Q(account=user) | Q(merged_into__account=user)


def write(letter: Letter, shown: Open, report: PlayedEvening) -> EmailMessage:
    """Return the letter, in the language of the club.

    Its headers let any mail program end these letters with one click (RFC 8058).
    """
    publication, session = shown.publication, shown.session
    place = session.tournament
    end = settings.SITE_URL + reverse("feuilles_end", args=[letter.wish.token])
    named = [place.club.slug, place.slug, session.number, publication.version]
    ranks = find_reported_reference(report.data, alone=is_alone(session)) if shown.ranking else None
    with translation.override(find_club_language(place.club)), timezone.override(place.club.zone):
        players = [
            {"name": name, "lines": lines, "link": settings.SITE_URL + reverse("feuille", args=[*named, pk]) + query}
            for player in letter.mine
            for name, lines, pk, query in write_feuilles(player, letter.ids, report, ranks)
        ]
        context = {"club": place.club, "publication": publication, "players": players, "end": end}
        subject_values = {"name": place.name, "number": session.number, "date": date_format(session.date)}
        subject = _("Your feuille de route: %(name)s, session %(number)s, %(date)s") % subject_values
        body = render_to_string("mailing/feuille_message.txt", context)
    return EmailMessage(subject, body, to=[letter.email], headers=write_stop_headers(end))


def write_feuilles(
    player: RankedRow, ids: Collection[int], report: PlayedEvening, ranks: Reference | None
) -> Iterator[tuple[str, list[str], int, str]]:
    """Yield the feuilles in one row of the report that belong to the account.

    A player's row has one feuille. A team's row has those of all its members, and only those of the account's own
    players are returned. Each item has a name, its lines of text, and two parts of its address: the entrant's id and
    the query.
    """
    if not player.team:
        say = partial(say_line, report.data.format.name)
        lines = [*say_figures(player, report, ranks), "", *map(say, report.feuille(player.id))]
        yield player.name, lines, player.id, ""
        return
    for number, mine in enumerate(list_member_feuilles(report, player), start=1):
        if mine.member.player in ids:
            name = f"{mine.member.name} ({player.name})"
            figures = [" ".join(figure) for figure in list_member_figures(mine, ranked=bool(ranks))]
            lines = [*figures, "", *map(partial(say_member_line, report.data.format.name), mine.lines)]
            yield name, lines, player.id, f"?member={number}"


def say_member_line(format: str, each: MemberLine) -> str:
    """Return one play of a member's feuille as a line of text, with the member's part in the play."""
    roles = {
        MemberPart.ATTACK: pgettext("a member of a team", "you attack"),
        MemberPart.DEFENCE: pgettext("a member of a team", "you defend"),
        MemberPart.WAIT: pgettext("a member of a team", "you wait"),
    }
    return " · ".join(filter(None, (say_line(format, each.line), roles.get(each.part, ""))))


def say_figures(player: RankedRow, report: PlayedEvening, ranks: Reference | None) -> Iterator[str]:
    """Yield a player's figures, one line each: then the ranks, that of the reference first.

    `ranks` is the reference of the session. It is None if readers may not see the ranking.
    """
    yield " ".join((say_word(report.data.format.name, "figure_head"), percent(player.overall, 2)))
    if ranks and player.rank_general:
        over_all = [row.rank_general for row in report.ranking.together if row.id == player.id]
        if ranks is Reference.SECTIONS and over_all:
            yield " ".join((_("Rank, all sections"), str(over_all[0] or "–")))
        words = {"rank_alterne": _("Rank, alterné"), "rank_general": _("Rank, général")}
        shown_ranks = {name: getattr(player, name) for name in sorted(words, key=lambda name: name != ranks.rank)}
        yield from (f"{words[name]} {rank}" for name, rank in shown_ranks.items() if rank)
    if penalty := show_penalty(player.penalty):
        yield " ".join(penalty)


def say_line(format: str, line: FeuilleLine) -> str:
    """Return one play of the feuille as a line of text: its score or, where the tables deal, what the player did."""
    play = line.play
    place = {"etui": line.deal, "deal": line.deal, "position": play.position, "table": play.table}
    score = "–" if play.base_score is None else show_signed(play.base_score)
    if not line.etui.dealer:
        taker = play.taker_player.name if play.taker_player else ""
        score = say_deal_role(line.role, taker=taker, covers=play.covers, state=play.state)
    fixed = _("fixed by the arbiter") if line.fixed else ""
    return " · ".join(filter(None, (say_word(format, "etui_position_table", place), score, percent(line.note), fixed)))


def find_unsent(now: dt.datetime) -> list[int]:
    """Return the ids of the sessions whose newest version still has letters to send."""
    if not settings.MAIL:
        return []
    newer = Publication.objects.filter(
        session=OuterRef("publication__session"), version__gt=OuterRef("publication__version")
    )
    seen = {
        "publication__session__shows_feuilles": True,
        "publication__session__held_until": None,
    }
    lately = now - TRIED_FOR
    since = Q(publication__published_at__gte=lately) | Q(publication__session__deal_set__held_until__gte=lately)
    new = (
        unsent()
        .filter(since, real_clubs("publication__session__tournament__club"), **seen)
        .exclude(Exists(newer))
        .exclude(publication__status=Publication.PublicationStatus.WITHDRAWN)
    )
    return list(new.order_by("publication__session").values_list("publication__session", flat=True).distinct())


def unsent() -> QuerySet[Any]:
    """Return the published players to whose account a letter is still to be sent, with `user_id`, the account's id.

    The account wants letters, and has got none with the same figures.
    """
    account = Coalesce("player__merged_into__account", "player__account")
    published = PublishedPlayer.objects.annotate(user_id=account).exclude(user_id=None)
    wish = wishes_in_force().filter(user=OuterRef("user_id"), asked_at__lte=OuterRef("publication__published_at"))
    sent = SentFeuille.objects.filter(
        user=OuterRef("user_id"),
        publication__session=OuterRef("publication__session"),
        publication__digest=OuterRef("publication__digest"),
    )
    return published.filter(Exists(wish)).exclude(Exists(sent))
