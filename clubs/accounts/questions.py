"""The questions that ask whether a player of one club is also a player of another club, and their answers.

Both sides have to agree. For a player with an account, only that account answers. For a player without one, the
directors of the player's club answer. If the player of the asking club has no account, the director who asks has
answered for that side.

Asking must not tell a director who plays in the other club. Whether the question finds a player, a hidden player or
nobody, the same rows are written with as many queries. The asking club sees the result only when both sides agree.
"""

import datetime as dt

from django.db import transaction
from django.db.models import Q, QuerySet

from clubs.accounts.players import untie
from clubs.log import log_club_action, make_entry
from clubs.models import Club, ClubLogEntry, PersonLink, Player, User
from clubs.names import words_of
from clubs.persons import (
    PersonRefused,
    check_apart,
    join,
    joined_links,
    links,
    lock_link,
    lock_persons,
    log_link,
    open_questions,
    part,
)
from clubs.roles import directs

MOST_A_DAY = 10  # the most questions of one director in a day
DAY = dt.timedelta(days=1)
LIFE = dt.timedelta(days=30)
LONGEST = 160


@transaction.atomic
def ask_same(*, player: Player, club: Club, words: str, by: User, now: dt.datetime) -> PersonLink:
    """Ask a club whether somebody on its list is this player. Return the link, which waits for an answer.

    `words`: a name or a licence. If the director directs both clubs and neither player has an account, the two players
    are joined at once. A common licence only finds the player: it is not yet an answer.
    """
    User.objects.select_for_update(of=("self",)).get(pk=by.pk)
    lock_persons(player)
    check_question(player, club, words, by=by, now=now)
    other = find_elsewhere(club, words)
    link = PersonLink(one=player, other=other, asked_club=club, asked=words.strip(), proposed_by=by, proposed_at=now)
    link.reason, link.one_agreed_by, link.one_agreed_at = reason_of(link), by, now
    if directs(by, club):
        if other is None:
            raise PersonRefused("person_elsewhere", "words")
        link.other_agreed_by, link.other_agreed_at = by, now
    log_entry = make_entry(player.club, "person_asked", now=now, by=by, whom=player.name, other_club=club.name)
    lines = [log_entry]
    if other is not None:  # the author is not stored, or the asker could read this name in an export of their own data
        lines += [make_entry(club, "person_question", now=now, by=None, whom=other.name, other_club=player.club.name)]
    ClubLogEntry.objects.bulk_create(lines)
    link.save()
    return go_on(link, by=by, now=now) if directs(by, club) else link


def reason_of(link: PersonLink) -> PersonLink.LinkReason:
    """Return the reason that the link shows once both sides agree. The asking side does not see it before that."""
    same = link.other is not None and link.one.licence and link.one.licence == link.other.licence
    return PersonLink.LinkReason.LICENCE if same else PersonLink.LinkReason.DIRECTORS


def check_question(player: Player, club: Club, words: str, *, by: User, now: dt.datetime) -> None:
    """Raise PersonRefused for a reason that the asking director may know.

    The check does not look at the player whom `words` may find, so the error tells nothing about that player.
    """
    if player.club.is_practice:
        raise PersonRefused("person_practice")
    if club.pk == player.club_id or club.is_practice:
        raise PersonRefused("person_club_unknown", "club")
    if not words_of(words) or len(words.strip()) > LONGEST:
        raise PersonRefused("person_words_missing", "words")
    if player.person.players.real().filter(club=club).exists():
        raise PersonRefused("person_already", name=player.name)
    if waiting_questions(player, now=now).filter(asked_club=club).exists():
        raise PersonRefused("person_asked_already", club=club.name)
    questions = ClubLogEntry.objects.filter(author=by, action="person_asked", at__gt=now - DAY)
    if questions.count() >= MOST_A_DAY:
        raise PersonRefused("person_asked_often", count=str(MOST_A_DAY))


def find_elsewhere(club: Club, words: str) -> Player | None:
    """Return the club's player with this licence, or the only one with this name, or None.

    It always takes two queries: one reads the whole list of the club, one reads one player. So the time that it takes
    does not tell whether somebody was found.
    """
    wanted, licence = sorted(words_of(words)), words.strip()
    by_licence, by_name = [], []
    rows = club.players.real().order_by("pk").values_list("pk", "licence", "first_name", "last_name")
    for pk, number, first, last in rows.iterator():
        if number and number == licence:
            by_licence.append(pk)
        if sorted(words_of(f"{first} {last}")) == wanted:
            by_name.append(pk)
    players = by_licence or by_name
    chosen = players[0] if len(players) == 1 else None
    return Player.objects.select_related("club", "person").filter(pk=chosen or 0).first()


def waiting_questions(player: Player, *, now: dt.datetime) -> QuerySet[PersonLink]:
    """Return the questions about a player that look open to the asking club, answered or not."""
    return links().filter(one=player, accepted_at=None, ended_at=None, proposed_at__gt=now - LIFE)


def questions_to_club(club: Club, *, now: dt.datetime) -> QuerySet[PersonLink]:
    """Return the questions about players of a club that the club has not answered yet."""
    questions = open_questions().filter(other__club=club, other__erased_at=None, other_agreed_at=None)
    return questions.filter(proposed_at__gt=now - LIFE)


def questions_to_account(user: User, *, now: dt.datetime) -> QuerySet[PersonLink]:
    """Return the questions about the account's own players that the account has to answer."""
    one = Q(one__account=user) & ~Q(one_agreed_by=user)
    is_for_user = Q(other__account=user) | Q(other__merged_into__account=user)
    agreed = Q(other_agreed_by=user, other_agreed_at__isnull=False)
    return open_questions().filter(one | is_for_user & ~agreed, proposed_at__gt=now - LIFE)


def speaks_for(player: Player, said_by: int | None, said_at: dt.datetime | None) -> bool:
    """Return whether there is an answer for the player that is still valid.

    If the player has an account, only the answer of that account is valid. `said_by`: the key of the account that
    answered. `said_at`: when it answered, or None.
    """
    return said_at is not None and player.account_id in (None, said_by)


def go_on(link: PersonLink, *, by: User, now: dt.datetime) -> PersonLink:
    """Join the two players if both sides have agreed. Otherwise save the link, which waits for the other side."""
    assert link.other is not None
    both = speaks_for(link.one, link.one_agreed_by_id, link.one_agreed_at) and speaks_for(
        link.other.is_now, link.other_agreed_by_id, link.other_agreed_at
    )
    if not both:
        link.save()
        return link
    check_apart(link.one, link.other.is_now)
    return join(link, by=by, now=now)


@transaction.atomic
def answer_question(*, club: Club, link_id: int, agree: bool, by: User, now: dt.datetime) -> PersonLink:
    """Record a director's answer for a player of the club that was asked. Return the link.

    Raise PersonRefused if the question is over, or if the player has an account: then only that account can answer.
    """
    link = lock_link(open_questions().filter(pk=link_id, other__club=club, other__erased_at=None))
    assert link.other is not None
    other = link.other.is_now
    if other.account_id is not None:
        raise PersonRefused("person_account_answers", name=other.name)
    return write_answer(link, agree=agree, by=by, now=now)


@transaction.atomic
def answer_as_account(*, user: User, link_id: int, agree: bool, now: dt.datetime) -> PersonLink:
    """Record the answer of an account for its own player, on either side. Return the link."""
    link = lock_link(questions_to_account(user, now=now).filter(pk=link_id))
    if link.one.account_id != user.pk:
        return write_answer(link, agree=agree, by=user, now=now)
    if not agree:
        log_club_action(link.one.club, "person_refused", now=now, by=user, whom=link.one.name)
        return part(link, by=user, now=now)
    link.one_agreed_by, link.one_agreed_at = user, now
    log_club_action(link.one.club, "person_agreed", now=now, by=user, whom=link.one.name)
    if link.other is None:
        link.save()
        return link
    return go_on(link, by=user, now=now)


def write_answer(link: PersonLink, *, agree: bool, by: User, now: dt.datetime) -> PersonLink:
    """Save the answer of the side that was asked. A refusal is shown only to the club of that side.

    Otherwise the asking club would learn that such a player exists.
    """
    assert link.other is not None
    who = link.other.is_now
    log_club_action(who.club, "person_agreed" if agree else "person_refused", now=now, by=by, whom=who.name)
    if not agree:
        link.refused_at, link.asked = now, ""
        link.save(update_fields=["refused_at", "asked"])
        return link
    link.other_agreed_by, link.other_agreed_at, link.asked = by, now, ""
    return go_on(link, by=by, now=now)


# The links that both sides accepted, and old links that one club alone accepted.


def to_confirm(club: Club) -> QuerySet[PersonLink]:
    """Return the accepted links of the club's players to which this club has not yet agreed."""
    held = links().filter(accepted_at__isnull=False, ended_at=None)
    return held.filter(Q(one__club=club, one_agreed_at=None) | Q(other__club=club, other_agreed_at=None))


@transaction.atomic
def confirm_link(*, club: Club, link_id: int, by: User, now: dt.datetime) -> PersonLink:
    """Record that the club agrees to an old link, to which it had not agreed before. Return the link."""
    link = lock_link(to_confirm(club).filter(pk=link_id))
    for side, player in (("one", link.one), ("other", link.other)):
        if player is not None and player.club_id == club.pk and getattr(link, f"{side}_agreed_at") is None:
            setattr(link, f"{side}_agreed_by", by)
            setattr(link, f"{side}_agreed_at", now)
    link.save()
    log_link(link, "person_confirmed", now=now, by=by)
    return link


@transaction.atomic
def end_link(*, club: Club, link_id: int, by: User, now: dt.datetime) -> PersonLink:
    """End a link of a player of the club, or withdraw a question of the club. Return the link.

    If the link exists because one account has both players, the club's own player loses the account.
    """
    is_open = Q(one__club=club, accepted_at=None)
    held = Q(accepted_at__isnull=False) & (Q(one__club=club) | Q(other__club=club))
    link = lock_link(links().filter(is_open | held, pk=link_id, ended_at=None))
    own = link.one if link.one.club_id == club.pk else link.other
    if link.accepted_at is None:
        log_club_action(club, "person_taken_back", now=now, by=by, whom=link.one.name)
    elif own is not None and link.reason == PersonLink.LinkReason.ACCOUNT:
        untie(own.is_now, by=by, now=now)
        link = links().get(pk=link.pk)
    return link if link.ended_at is not None else part(link, by=by, now=now)


@transaction.atomic
def end_as_account(*, user: User, link_id: int, now: dt.datetime) -> PersonLink:
    """End a link between a player of this account and a player without this account. Return the link."""
    mine = Q(one__account=user) | Q(other__account=user) | Q(other__merged_into__account=user)
    link = lock_link(links().filter(mine, pk=link_id, ended_at=None, accepted_at__isnull=False))
    return part(link, by=user, now=now)


@transaction.atomic
def part_from_all(player: Player, *, by: User, now: dt.datetime) -> None:
    """End every link of a player with players of other clubs, except links through a common account.

    Whoever looks after the site may do this.
    """
    lock_persons(player)
    for link in joined_links(player).exclude(reason=PersonLink.LinkReason.ACCOUNT):
        part(link, by=by, now=now)
