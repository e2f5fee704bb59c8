"""The lists of a cut: the rankings that it can read, and the players who go on, withdrew, or moved up.

This module only reads.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Max

from clubs.models import Player
from registration.errors import RegistrationRefused
from tournaments.models import Applicant, Cut, Publication, Session, TournamentPublication
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
