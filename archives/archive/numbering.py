"""The numbers of rows in an archive, and the ids that these rows get on this site."""

import datetime as dt
from bisect import bisect_right
from collections.abc import Collection, Iterable

from archives.archive.shapes import ENTRANT, PLAY, PLAYER, RULING, TABLE, Mention
from archives.errors import ArchiveError
from clubs.models import Club, Person, Player
from deals.domain.cards import LINES
from tournaments.models import Entrant, Etui, Play, Ruling, Session, Table
from tournaments.models.seats import make_seat_columns


class RowNumbers:
    """The number that each row of the site has in the archive, by model.

    The archive may mention a deleted row, such as a play that a change removed from the plan. Its number comes after
    the numbers of the rows that exist.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, dict[int, int]] = {}
        self.there: dict[str, list[int]] = {}

    def count(self, model: str, ids: Iterable[int]) -> None:
        """Give numbers to the rows of a model, in the order of their ids."""
        self.there[model] = sorted(ids)
        self.numbers[model] = {pk: number for number, pk in enumerate(self.there[model], start=1)}

    def name_alike(self, model: str, ids: dict[int, int]) -> None:
        """Give rows the numbers of other rows: merged players get the number of the player who remains."""
        self.numbers.setdefault(model, {}).update({pk: self.numbers[model][other] for pk, other in ids.items()})

    def find(self, mention: Mention) -> int:
        """Return the number of a row.

        If the newest row of some moment was deleted, return the number of the newest one left.
        """
        if mention.newest:
            return bisect_right(self.there[mention.model], mention.number)
        numbers = self.numbers[mention.model]
        if mention.number not in numbers:
            numbers[mention.number] = max(numbers.values(), default=0) + 1
        return numbers[mention.number]


AWAY = 32_000  # a number that no table, seat or position can have


class Arrivals:
    """The new ids of the rows of an archive, by model and by number in the archive."""

    def __init__(self) -> None:
        self.ids: dict[str, dict[int, int]] = {}

    def add(self, model: str, ids: Iterable[int]) -> None:
        """Store the ids of a model's rows, in the order of the archive."""
        self.ids[model] = dict(enumerate(ids, start=1))

    def find(self, mention: Mention) -> int:
        """Return the id of the row with this number. Raise `ArchiveError` if the archive has no such row."""
        try:
            return self.ids[mention.model][mention.number]
        except KeyError:
            raise ArchiveError("archive_row_missing", row=mention.number, model=mention.model) from None

    def reserve_gone(self, mentions: Collection[Mention], club: Club, now: dt.datetime) -> None:
        """Reserve ids for deleted rows that the archive mentions, such as plays that are no longer in the plan.

        If a change of the plan is undone later, such a row comes back under its id. So no other row may get that id. To
        reserve an id, a row is created and deleted.
        """
        gone = {
            model: sorted({each.number for each in mentions if each.model == model} - self.ids[model].keys())
            for model in (PLAYER, TABLE, ENTRANT, PLAY, RULING)
        }
        if not any(gone.values()):
            return
        maker = RowMaker(self, club, now)
        for model, numbers in gone.items():
            for number in numbers:
                self.ids[model][number] = maker.take_id(model)


class RowMaker:
    """The maker of temporary rows, which reserve ids, in the first session of the archive."""

    def __init__(self, arrivals: Arrivals, club: Club, now: dt.datetime) -> None:
        self.club, self.now = club, now
        self.session = (
            Session.objects.filter(pk__in=arrivals.ids["tournaments.Session"].values()).order_by("pk").first()
        )
        self.etui = Etui.objects.filter(pk__in=arrivals.ids["deals.Etui"].values()).order_by("pk").first()

    def take_id(self, model: str) -> int:
        """Create a row of the model, delete it, and return its id."""
        if self.session is None or self.etui is None:
            raise ArchiveError("archive_no_session")
        person = Person.objects.create()
        player = Player(club=self.club, person=person, last_name=f"\N{EN DASH}{person.pk}")
        player.save(force_insert=True)
        entrant = Entrant.objects.create(session=self.session, player=player, line="N", number=AWAY)
        table = Table.objects.create(session=self.session, number=AWAY)
        seats = make_seat_columns([entrant.pk] * len(LINES))
        play = Play.objects.create(
            session=self.session, position=AWAY, table=table, etui=self.etui, is_replay=True, **seats
        )
        ruling = Ruling.objects.create(play=play, kind=Ruling.RulingKind.LATER, ruled_at=self.now)
        made = {PLAYER: player, TABLE: table, ENTRANT: entrant, PLAY: play, RULING: ruling}
        taken: int = made[model].pk
        for row in (ruling, play, table, entrant, player, person):
            row.delete()
        return taken
