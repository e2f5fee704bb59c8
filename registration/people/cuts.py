"""The cut between two rounds: the rankings that it can read, filling the next session's list, undoing it.

Each service locks the session's row first. So two directors who confirm at the same time make one cut.
"""

import datetime as dt
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max

from clubs.models import Player, User
from evenings.sessions.seating import current_seats
from evenings.sessions.setup import set_entrants
from registration.errors import RegistrationRefused
from registration.people.applicants import NewApplicant, list_down, said_by, signs_up_teams
from registration.people.links import make_token
from registration.people.registration import MOST, end_registration
from tournaments.errors import ActionRefused
from tournaments.locks import lock_draft, lock_session
from tournaments.log import log_action
from tournaments.models import Applicant, Cut, Publication, Registration, Session, TournamentPublication
from tournaments.reports.session import decode_report
from tournaments.reports.tournament import decode_tournament
from tournaments.rules.cut import CutLine, CutRules, CutState, CutTies, PlacedPlayer, make_cut

ON = (CutState.IN, CutState.MOVED_UP)
Ranking = Publication | TournamentPublication


class CutSource(NamedTuple):
    """A published ranking that a cut can read. `key` identifies it in forms: the letter s or t and a number."""

    key: str
    ranking: Ranking
    level: int

    @property
    def session(self) -> int | None:
        """The number of the session, or None for the ranking of a tournament."""
        return self.ranking.session.number if isinstance(self.ranking, Publication) else None

    @property
    def version(self) -> int:
        return self.ranking.version


class CutRound(NamedTuple):
    """A session of a tournament whose players come by a cut. `round` counts from 1; `places` are those of the cut.

    `elsewhere` is the name of the tournament out of which the players of a consolation are, if it is another one.
    """

    round: int
    session: int
    places: int
    is_consolation: bool
    elsewhere: str = ""

    @property
    def before(self) -> int:
        """The round whose players go on."""
        return self.round - 1


class ListedLine(NamedTuple):
    """A line of the list, with its player. `applicant` is the player's row in the list of people, or None."""

    line: CutLine
    player: Player
    applicant: Applicant | None

    @property
    def state(self) -> str:
        return self.line.state.value


class CutChange(NamedTuple):
    """The changes that a newer version of the ranking would bring: the players who come in, and those who go out."""

    version: int
    withdrawn: bool
    come_in: Sequence[Player]
    go_out: Sequence[Player]


def list_sources(session: Session) -> list[CutSource]:
    """Return the newest published rankings of the tournament that a cut for this session can read, newest first."""
    earlier = Publication.objects.filter(
        session__tournament=session.tournament_id, session__number__lt=session.number, session__put_away_at=None
    )
    sources: list[CutSource] = []
    newest = TournamentPublication.objects.filter(tournament=session.tournament_id).order_by("-version").first()
    if newest is not None and newest.status != Publication.PublicationStatus.WITHDRAWN:
        level = max((each.level for each in decode_tournament(newest.data).rounds), default=0)
        sources.append(CutSource(f"t{newest.pk}", newest, level))
    last = earlier.values("session").annotate(newest=Max("version")).values_list("session", "newest")
    by_session = dict(last)
    rows = earlier.select_related("session").filter(version__in=set(by_session.values()))
    for row in sorted(rows, key=lambda row: -row.session.number):
        is_newest = by_session[row.session_id] == row.version
        if is_newest and row.status != Publication.PublicationStatus.WITHDRAWN:
            sources.append(CutSource(f"s{row.pk}", row, row.session.level))
    return sources


def list_rounds(tournament_id: int) -> list[CutRound]:
    """Return the sessions of a tournament that have a cut, in the order of play. This takes one query."""
    cuts = Cut.objects.filter(session__tournament=tournament_id, session__put_away_at=None)
    rounds = []
    for cut in cuts.order_by("session__number").select_related("session", "out_of__session__tournament"):
        before = cut.out_of and cut.out_of.session.tournament
        elsewhere = before.name if before and before.pk != tournament_id and before.put_away_at is None else ""
        rounds.append(
            CutRound(cut.session.level + 1, cut.session.number, cut.places, cut.out_of_id is not None, elsewhere)
        )
    return rounds


def find_source(session: Session, key: str) -> CutSource:
    """Return the source with this key. Raise `RegistrationRefused` if its ranking is no longer the newest one."""
    source = next((each for each in list_sources(session) if each.key == key), None)
    if source is None:
        raise RegistrationRefused("cut_ranking_changed", "source")
    return source


def list_earlier_cuts(session: Session) -> list[Cut]:
    """Return the cuts of the club whose remaining players can fill this session, the newest first."""
    cuts = Cut.objects.filter(session__tournament__club=session.tournament.club_id, out_of=None)
    rows = cuts.exclude(session=session).select_related("session__tournament", "publication", "tournament_publication")
    return list(rows.order_by("-pk")[:20])


def read_ranked(ranking: Ranking, club_id: int) -> list[PlacedPlayer]:
    """Return the ranked players of a published ranking, with the ids that they have now.

    For a tournament, only players of its last round so far are returned. Substitutes without a rank are left out, and
    so are players who were erased since.
    """
    players = Player.objects.filter(club=club_id)
    present = dict(players.exclude(merged_into=None).values_list("pk", "merged_into_id"))
    erased = set(players.exclude(erased_at=None).values_list("pk", flat=True))
    ranked: dict[int, PlacedPlayer] = {}
    rows = place_in_session(ranking) if isinstance(ranking, Publication) else place_in_tournament(ranking)
    for row in rows:
        player = present.get(row.player) or row.player
        if player in erased:
            continue
        mine = row._replace(player=player)
        ranked[player] = min(ranked.get(player, mine), mine, key=lambda each: each.rank)
    return list(ranked.values())


def place_in_session(publication: Publication) -> list[PlacedPlayer]:
    """Return the players of a session with their ranks in its first ranking. Teams are left out.

    That is the classement alterné where there are lines, as on the pages.
    """
    rows = decode_report(publication.data).players
    has_lines = any(row.line for row in rows)
    ranks = [(row, row.rank_alterne if has_lines else row.rank_general) for row in rows]
    return [PlacedPlayer(row.player, rank, row.overall) for row, rank in ranks if row.player and rank is not None]


def place_in_tournament(publication: TournamentPublication) -> list[PlacedPlayer]:
    """Return the ranked players of a tournament who have a result in its highest level. Teams are left out."""
    ranking = decode_tournament(publication.data)
    top = max((each.level for each in ranking.rounds), default=0)
    places = [place for place, each in enumerate(ranking.rounds) if each.level == top]
    placed = []
    for row in ranking.players:
        results = [result for place in places if (result := row.results[place]) is not None]
        if row.player and row.rank is not None and results:
            placed.append(PlacedPlayer(row.player, row.rank, results[-1].overall))
    return placed


def rules_of_cut(cut: Cut) -> CutRules:
    return CutRules(cut.places, CutTies(cut.ties), cut.lot)


def find_cut_ranking(cut: Cut) -> Ranking:
    """Return the published ranking that the cut reads."""
    ranking = cut.publication or cut.tournament_publication
    assert ranking is not None
    return ranking


def find_candidates(ranking: Ranking, club_id: int, out_of: Cut | None) -> list[PlacedPlayer]:
    """Return the players whom a cut can take: all who are ranked or, for a consolation, those who do not go on."""
    ranked = read_ranked(ranking, club_id)
    if out_of is None:
        return ranked
    applicants = Applicant.objects.filter(session=out_of.session_id).exclude(cut_rank=None)
    taken = set(applicants.values_list("player", flat=True))
    return [row for row in ranked if row.player not in taken]


def list_cut(session: Session, cut: Cut) -> list[ListedLine]:
    """Return the lines of a cut that was made.

    A player whom the cut put on the session's list goes on, even if somebody ranked higher came back later.
    """
    candidates = find_candidates(find_cut_ranking(cut), session.tournament.club_id, cut.out_of)
    rows = Applicant.objects.filter(session=session).exclude(cut_rank=None).order_by("withdrawn_at")
    down: dict[int, Applicant] = {}
    for each in rows:
        applicant = down.get(each.player_id or 0)
        if applicant is None or each.withdrawn_at is None:
            down[each.player_id or 0] = each
    gone = {pk for pk, each in down.items() if each.withdrawn_at is not None}
    lines = []
    for line in make_cut(candidates, rules_of_cut(cut), gone):
        applicant = down.get(line.player)
        kept = applicant is not None and applicant.withdrawn_at is None
        lines.append(line._replace(state=CutState.MOVED_UP) if kept and line.state is CutState.OUT else line)
    return add_players_to_lines(lines, down)


def add_players_to_lines(lines: Sequence[CutLine], down: dict[int, Applicant]) -> list[ListedLine]:
    """Return the lines with their players, in the same order. This takes one query."""
    players = Player.objects.in_bulk([line.player for line in lines])
    return [ListedLine(line, players[line.player], down.get(line.player)) for line in lines if line.player in players]


def find_missing_lines(lines: Sequence[ListedLine]) -> list[ListedLine]:
    """Return the lines of players who go on and are not on the session's list yet."""
    return [each for each in lines if each.line.state in ON and each.applicant is None]


def find_cut_change(session: Session, cut: Cut) -> CutChange | None:
    """Return what a newer version of the ranking would change in the cut, or None if there is no newer one."""
    used = find_cut_ranking(cut)
    if isinstance(used, Publication):
        newest: Ranking = Publication.objects.filter(session=used.session_id).order_by("-version")[0]
    else:
        newest = TournamentPublication.objects.filter(tournament=used.tournament_id).order_by("-version")[0]
    if newest.pk == used.pk:
        return None
    if newest.status == Publication.PublicationStatus.WITHDRAWN:
        return CutChange(newest.version, True, (), ())
    club, rules = session.tournament.club_id, rules_of_cut(cut)
    before, after = (
        {line.player for line in make_cut(find_candidates(ranking, club, cut.out_of), rules) if line.state in ON}
        for ranking in (used, newest)
    )
    players = Player.objects.in_bulk(before ^ after)
    come_in = [players[pk] for pk in sorted(after - before) if pk in players]
    return CutChange(newest.version, False, come_in, [players[pk] for pk in sorted(before - after) if pk in players])


# The registration that a cut has made, if no director has changed it since.
AS_MADE = {
    "way": Registration.RegistrationWay.WORD,
    "code": "",
    "password": "",
    "closes_at": None,
    "reminds": False,
    "accepts_at_once": False,
}


class CutGiven(NamedTuple):
    """The choices of a director. `source` is the key of a ranking; or `out_of` is the id of a cut, for a consolation.

    `here` marks all players as present.
    """

    source: str
    places: int
    ties: CutTies = CutTies.ALL
    out_of: int | None = None
    here: bool = False


@transaction.atomic
def make_session_cut(*, session_id: int, given: CutGiven, by: User, now: dt.datetime) -> Cut:
    """Store the cut of a session in preparation, put its players on the session's list, and return it.

    The same request twice has one effect. Raise `RegistrationRefused` if there is another cut already, or if the
    ranking has a newer version.
    """
    session = lock_draft(session_id)
    cut = compose_cut(session, given)
    earlier = Cut.objects.filter(session=session).first()
    if earlier is not None:
        names = ("publication_id", "tournament_publication_id", "out_of_id", "places", "ties")
        if any(getattr(earlier, name) != getattr(cut, name) for name in names):
            raise RegistrationRefused("cut_made_already")
        return earlier
    if not find_candidates(find_cut_ranking(cut), session.tournament.club_id, cut.out_of):
        raise RegistrationRefused("cut_without_players", "source")
    cut.made_at, cut.made_by = now, by
    cut.lot = secrets.token_hex(8) if given.ties is CutTies.DRAW else ""
    close_registration(session, cut)
    cut.save()
    count = put_missing_down(session, cut, now=now, here=given.here)
    log_action(session, "cut_made", now=now, by=by, count=count, places=cut.places)
    return cut


def compose_cut(session: Session, given: CutGiven) -> Cut:
    """Return the cut that these choices make, not stored, and set the level that the session gets."""
    if signs_up_teams(session):
        raise RegistrationRefused("cut_of_teams")
    if not 1 <= given.places <= MOST:
        raise RegistrationRefused("cut_places", "places", most=MOST)
    cut, session.level = Cut(session=session, places=given.places, ties=given.ties.value), 0
    if given.out_of is not None:
        cut.out_of = next((each for each in list_earlier_cuts(session) if each.pk == given.out_of), None)
        if cut.out_of is None:
            raise RegistrationRefused("cut_ranking_changed", "source")
        cut.publication, cut.tournament_publication = cut.out_of.publication, cut.out_of.tournament_publication
        if cut.out_of.session.tournament_id == session.tournament_id:
            session.level = max(0, cut.out_of.session.level - 1)
        return cut
    source = find_source(session, given.source)
    if isinstance(source.ranking, Publication):
        cut.publication = source.ranking
    else:
        cut.tournament_publication = source.ranking
    session.level = source.level + 1
    return cut


def close_registration(session: Session, cut: Cut) -> None:
    """Close the registration of a session: its list is filled by the cut. The cut stores how it was before.

    Raise `RegistrationRefused` if people wait for a place.
    """
    if any(each.waits for each in list_down(session)):
        raise RegistrationRefused("cut_people_wait")
    before = Registration.objects.filter(session=session).first()
    if before is not None:
        cut.was_open, cut.places_before = before.is_open, before.places
    Registration.objects.update_or_create(session=session, defaults={"is_open": False, "places": None})


def put_missing_down(session: Session, cut: Cut, *, now: dt.datetime, here: bool = False) -> int:
    """Add the players who go on to the session's list, unless they are on it. Return how many were missing."""
    session.save(update_fields=["level"])
    missing = find_missing_lines(list_cut(session, cut))
    rows = Applicant.objects.filter(session=session, withdrawn_at=None)
    missing_rows = list(rows.select_related("player__merged_into"))
    if sum(not each.waits_for_director for each in missing_rows) + len(missing) > MOST:
        raise ActionRefused("registration_too_many", most=MOST)
    keys = {each.key for each in missing_rows}
    new: list[Applicant] = []
    for each in missing:
        applicant = NewApplicant(each.player.last_name, each.player.first_name, each.player.licence)
        own = next((one for one in missing_rows if is_same_player(one, each, applicant)), None)
        if own is not None:
            own.player, own.cut_rank, own.needs_acceptance = each.player, each.line.rank, False
            own.save(update_fields=["player", "cut_rank", "needs_acceptance"])
            continue
        key = next(key for number in range(1, MOST + 2) if (key := write_key(applicant, number)) not in keys)
        keys.add(key)
        names = {"last_name": applicant.last_name, "first_name": applicant.first_name, "licence": applicant.licence}
        fields = {"player": each.player, "cut_rank": each.line.rank, "registered_at": now, "accepted_at": cut.shown_at}
        shown = {"present_at": now if here else None, "token": make_token(session), "key": key, "by_cut": True}
        new.append(Applicant(session=session, **names, **fields, **shown))
    Applicant.objects.bulk_create(new)
    return len(missing)


def is_same_player(applicant: Applicant, line: ListedLine, asked: NewApplicant) -> bool:
    """Return whether a person who signed up is this player.

    Anybody can sign up under any name. So an equal name counts only if a director has accepted the person, or if the
    account is that of the player.
    """
    if applicant.cut_rank is not None:
        return False
    if applicant.player is not None:
        return applicant.player.is_now.pk == line.player.pk
    is_own = applicant.user_id is not None and applicant.user_id == line.player.account_id
    return (is_own or applicant.accepted_at is not None) and said_by(applicant).is_same(asked)


def write_key(asked: NewApplicant, number: int) -> str:
    return asked.key if number == 1 else f"{asked.key} #{number}"


@transaction.atomic
def fill_session_cut(*, session_id: int, by: User, now: dt.datetime) -> int:
    """Put the players who move up for others on the session's list. Return how many."""
    session, cut = find_draft_cut(session_id)
    count = put_missing_down(session, cut, now=now)
    if count:
        log_action(session, "cut_filled", now=now, by=by, count=count)
    return count


@transaction.atomic
def change_cut_player(*, session_id: int, player_id: int, comes: bool, by: User, now: dt.datetime) -> None:
    """Note that a player of the cut withdraws, or comes back. The player who moved up in the meantime stays."""
    session, _cut = find_draft_cut(session_id)
    rows = Applicant.objects.filter(session=session, player=player_id).exclude(cut_rank=None)
    applicant = rows.filter(withdrawn_at=None).first()
    if not comes and applicant is not None:
        applicant.declined = True
        end_registration(session, applicant, "registration_declined", now=now, by=by)
    gone = rows.exclude(withdrawn_at=None).order_by("-withdrawn_at").first()
    if comes and applicant is None and gone is not None:
        taken = Applicant.objects.filter(session=session, withdrawn_at=None).values_list("key", flat=True)
        keys, name = set(taken), said_by(gone)
        gone.key = next(key for number in range(1, MOST + 2) if (key := write_key(name, number)) not in keys)
        gone.withdrawn_at, gone.declined = None, False
        gone.save(update_fields=["withdrawn_at", "declined", "key"])
        log_action(session, "registration_back", now=now, by=by, words=gone.name, name=gone.name)


@transaction.atomic
def undo_session_cut(*, session_id: int, by: User, now: dt.datetime) -> None:
    """Take back the cut of a session in preparation, with the people whom it put on the list and their seats.

    People who signed up themselves stay on the list. Registration is as it was before, unless somebody has changed it
    since. Do nothing without a cut.
    """
    session = lock_draft(session_id)
    cut = Cut.objects.filter(session=session).first()
    if cut is None:
        return
    if cut.consolations.exists():
        raise ActionRefused("cut_has_consolation")
    rows = Applicant.objects.filter(session=session).exclude(cut_rank=None)
    gone = set(rows.filter(by_cut=True).values_list("player_id", flat=True))
    seats = current_seats(session_id)
    if any(seat.player_id in gone for seat in seats):
        set_entrants(session_id=session_id, seats=[seat for seat in seats if seat.player_id not in gone])
    rows.filter(by_cut=True).delete()
    rows.update(cut_rank=None)
    closed = Registration.objects.filter(session=session, is_open=False, places=None)
    if cut.was_open is not None:
        closed.update(is_open=cut.was_open, places=cut.places_before)
    elif not Applicant.objects.filter(session=session).exists():  # the cut made this registration for its own people
        closed.filter(**AS_MADE).delete()
    cut.delete()
    session.level = 0
    session.save(update_fields=["level"])
    log_action(session, "cut_undone", now=now, by=by)


@transaction.atomic
def show_session_cut(*, session_id: int, by: User, now: dt.datetime) -> None:
    """Show everybody who is qualified. Players who are not shown by name stay unnamed."""
    session = lock_session(session_id)
    cut = Cut.objects.filter(session=session).first()
    if cut is None or cut.shown_at is not None:
        return
    cut.shown_at = now
    cut.save(update_fields=["shown_at"])
    Applicant.objects.filter(session=session, accepted_at=None).exclude(cut_rank=None).update(accepted_at=now)
    log_action(session, "cut_shown", now=now, by=by)


def find_draft_cut(session_id: int) -> tuple[Session, Cut]:
    """Lock a session in preparation and return it with its cut. Raise `RegistrationRefused` if it has none."""
    session = lock_draft(session_id)
    cut = Cut.objects.filter(session=session).first()
    if cut is None:
        raise RegistrationRefused("cut_missing")
    return session, cut


def list_on(lines: Sequence[ListedLine]) -> int:
    """Return how many players of the list are on the session's list now."""
    return sum(each.applicant is not None and each.applicant.withdrawn_at is None for each in lines)
