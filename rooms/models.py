"""The rows of rooms: who plays where, and each game as a record of moves. Other modules decide who may see them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from deals.domain.cards import LINES
from deals.domain.profile import get_profile
from deals.models import LINE_CHOICES


class RoomKind(models.TextChoices):
    """The kinds of rooms: a departure of the half-hour, the étui of the day, the week's room, a table for four."""

    HALF = "half", _("half-hour")
    DAY = "day", _("étui of the day")
    WEEK = "week", _("room of the week")
    CLASSIC = "classic", _("classic")


class RoomAuction(models.TextChoices):
    """The ways to decide who takes: a garde is imposed on the étui's taker, or the players bid."""

    IMPOSED = "imposed", _("imposed Garde, as in clubs")
    FREE = "free", _("free auction")


NEWER = "→"  # between two versions of the bots


class Room(models.Model):
    """A room with étuis of its own, which everybody plays between two hours.

    `deal_set` belongs to no club. Its commitment is known before the room opens, its seed after the room is closed.
    `level` is that of the bots, and `bots_version` the version of their rules. It is "1→2" if the site was upgraded
    while the room was open. `closed_at`: when the notes and ranks were stored.
    """

    kind = models.CharField(max_length=10, choices=RoomKind)
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField()
    etuis = models.PositiveSmallIntegerField()
    level = models.PositiveSmallIntegerField()
    bots_version = models.CharField(max_length=20)
    deal_set = models.OneToOneField("deals.DealSet", on_delete=models.PROTECT, related_name="room")
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-opens_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "opens_at"], condition=~Q(kind="classic"), name="room_departs_once"
            ),
            models.CheckConstraint(condition=Q(closes_at__gt=F("opens_at")), name="room_closes_after_it_opens"),
            models.CheckConstraint(condition=Q(etuis__gte=1), name="room_has_etuis"),
        ]
        indexes = [models.Index(fields=["closes_at"], condition=Q(closed_at=None), name="room_to_close")]

    def __str__(self) -> str:
        return f"{self.kind} {self.opens_at:%Y-%m-%d %H:%M}"

    @property
    def auction(self) -> RoomAuction:
        """The auction of its étuis."""
        profile = self.deal_set.profile
        return RoomAuction.FREE if not profile or get_profile(profile).for_auction else RoomAuction.IMPOSED

    @property
    def moves_given(self) -> int:
        """The number of moves that the site writes in each game: the auction if the garde is imposed, else none."""
        return len(LINES) if self.auction == RoomAuction.IMPOSED else 0

    @property
    def has_newer_bots(self) -> bool:
        """True if the bots were upgraded while the room was open, so that the seed does not give their answers."""
        return NEWER in self.bots_version


class Visitor(models.Model):
    """A person or a program that plays in rooms: an account, or a guest with a name and the digest of a cookie.

    `simple_name` is the name without accents and capitals, by which a name that is taken is found.
    A guest who was forgotten keeps the row as a number, without name and digest. So does an account that was erased.
    """

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="visitor"
    )
    name = models.CharField(max_length=40, blank=True)
    simple_name = models.CharField(max_length=80, blank=True)
    cookie_digest = models.CharField(max_length=64, blank=True)
    is_program = models.BooleanField(default=False)
    country = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    reported_at = models.DateTimeField(null=True, blank=True)
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    forgotten_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["cookie_digest"], condition=~Q(cookie_digest=""), name="visitor_cookie_digest_once"
            ),
            models.UniqueConstraint(
                fields=["name"],
                condition=Q(account=None, forgotten_at=None) & ~Q(name=""),
                name="visitor_guest_name_once",
            ),
            models.CheckConstraint(
                condition=Q(account__isnull=False) | ~Q(cookie_digest="") | Q(forgotten_at__isnull=False),
                name="visitor_is_somebody",
            ),
            models.CheckConstraint(
                condition=Q(forgotten_at=None) | (Q(account=None) & Q(cookie_digest="") & Q(name="")),
                name="visitor_forgotten_without_name",
            ),
        ]
        indexes = [
            models.Index(fields=["seen_at"], condition=Q(account=None), name="visitor_guest_seen"),
            models.Index(fields=["simple_name"], condition=~Q(simple_name=""), name="visitor_simple_name"),
        ]

    def __str__(self) -> str:
        return f"visitor {self.pk}"


class RoomTable(models.Model):
    """A table of a room. `is_filler`: bots alone play it, for the comparison."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    is_filler = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["room", "number"], name="room_table_number_once")]

    def __str__(self) -> str:
        return f"{self.room_id} · {self.number}"


class ClassicTerms(models.Model):
    """The terms of a classic room. `hall`: the number of an open hall on a `day`, None for a room by `link`.

    `is_duplicate`: all tables play the same étuis; otherwise no étui is played twice. A table ends after `deals`, or
    when a seat has `score` points; 0 is no end. `clock`: seconds for a move, 0 for no clock. Then a bot makes the move,
    and if it `takes_over`, the seat. `wait`: seconds after which bots fill the free seats of a new table.
    """

    room = models.OneToOneField(Room, on_delete=models.CASCADE, related_name="terms")
    hall = models.PositiveSmallIntegerField(null=True, blank=True)
    day = models.DateField(null=True, blank=True)
    link = models.CharField(max_length=32, blank=True)
    is_duplicate = models.BooleanField(default=True)
    deals = models.PositiveSmallIntegerField(default=0)
    score = models.PositiveSmallIntegerField(default=0)
    clock = models.PositiveSmallIntegerField(default=45)
    takes_over = models.BooleanField(default=False)
    wait = models.PositiveSmallIntegerField(default=30)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hall", "day"], condition=Q(hall__isnull=False), name="hall_once_a_day"),
            models.UniqueConstraint(fields=["link"], condition=~Q(link=""), name="classic_link_once"),
            models.CheckConstraint(
                condition=Q(hall__isnull=False, day__isnull=False, link="") | (Q(hall=None, day=None) & ~Q(link="")),
                name="classic_hall_or_link",
            ),
        ]

    def __str__(self) -> str:
        return f"terms of {self.room_id}"


class ClassicTable(models.Model):
    """The moments and phrases of a table for four. `begins_at`: when bots fill the free seats.

    `turn_at`: since when the player at turn is waited for. `ready`: the letters of the seats that want the next deal.
    `phrases`: the latest set phrases, each with its seat, code and moment. `ended_at`: the table plays no more deals.
    """

    table = models.OneToOneField(RoomTable, on_delete=models.CASCADE, related_name="classic")
    begins_at = models.DateTimeField()
    turn_at = models.DateTimeField(null=True, blank=True)
    ready = models.CharField(max_length=4, blank=True)
    phrases = models.JSONField(default=list, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"classic {self.table_id}"


class RoomSeat(models.Model):
    """A seat at a table of a room, and who has it. A seat without a visitor belongs to a bot.

    At a classic table only visitors have rows; bots play every other seat. `away_at`: since when a bot plays for a
    visitor who is away. `missed`: how many times the clock ran out since the visitor's last move.

    The figures are stored when the room closes. `notes_sum` is the exact sum of the notes, such as "1225/3", and
    `deals` how many notes there are. `own_deals`: the étuis that the visitor played to the end by hand. `is_guest`
    and `is_program`: what the visitor was when the room closed. Accounts, guests and programs are ranked apart; `rank`
    is None for a seat that is not ranked.
    """

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="seats")
    table = models.ForeignKey(RoomTable, on_delete=models.CASCADE, related_name="seats")
    letter = models.CharField(max_length=1, choices=LINE_CHOICES)
    visitor = models.ForeignKey(Visitor, null=True, blank=True, on_delete=models.PROTECT, related_name="seats")
    is_solo = models.BooleanField(default=True)
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)
    away_at = models.DateTimeField(null=True, blank=True)
    missed = models.PositiveSmallIntegerField(default=0)
    notes_sum = models.CharField(max_length=200, blank=True)
    deals = models.PositiveSmallIntegerField(default=0)
    own_deals = models.PositiveSmallIntegerField(default=0)
    is_guest = models.BooleanField(default=False)
    is_program = models.BooleanField(default=False)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    left_out_at = models.DateTimeField(null=True, blank=True)
    left_out_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    left_out_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["table", "letter"]
        constraints = [
            models.UniqueConstraint(
                fields=["room", "visitor"], condition=Q(is_solo=True), name="room_seat_once_per_visitor"
            ),
            models.UniqueConstraint(
                fields=["table", "letter"], condition=Q(left_at=None), name="room_seat_one_at_a_time"
            ),
            models.UniqueConstraint(
                fields=["visitor"], condition=Q(is_solo=False, left_at=None), name="room_seat_one_classic_table"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.letter}"


class VisitorEtui(models.Model):
    """The fact that a visitor has met an étui. It is written before a hand is shown, and nobody meets one twice."""

    visitor = models.ForeignKey(Visitor, on_delete=models.CASCADE, related_name="etuis_met")
    etui = models.ForeignKey("deals.Etui", on_delete=models.PROTECT, related_name="visitors")
    shown_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["visitor", "etui"], name="visitor_meets_etui_once")]

    def __str__(self) -> str:
        return f"{self.visitor_id} · {self.etui_id}"


class Game(models.Model):
    """An étui at one table: the record of its moves so far, and once it is over its result and score.

    `record` has the moves as `rooms.record.moves` writes them, separated by spaces, and `length` their number. `result`
    is as `scoring.notation.result_to_data` writes it, None if everybody passed. `score` is the base score; `note` the
    exact note of the visitor's seat, once the room is closed. `finished_by`: "hand" if the visitor made every move of
    their seat, "bot" if a bot made the last ones, "" while the game goes on. `bot_seats`: the letters of
    the seats of people for which a bot has made a move. `review` is for the player alone. It has the version of the
    bots and the own cards that cost most, or {} if the player has not asked.
    """

    class Finisher(models.TextChoices):
        HAND = "hand", _("played by hand")
        BOT = "bot", _("finished by the bot")

    table = models.ForeignKey(RoomTable, on_delete=models.CASCADE, related_name="games")
    etui = models.ForeignKey("deals.Etui", on_delete=models.PROTECT, related_name="games")
    record = models.TextField(blank=True)
    length = models.PositiveSmallIntegerField(default=0)
    result = models.JSONField(null=True, blank=True)
    score = models.SmallIntegerField(null=True, blank=True)
    note = models.CharField(max_length=40, blank=True)
    finished_by = models.CharField(max_length=4, choices=Finisher, blank=True)
    begun_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    bot_seats = models.CharField(max_length=4, blank=True)
    review = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "etui"], name="game_once_per_table"),
            models.CheckConstraint(
                condition=(Q(finished_at=None) & Q(finished_by="") & Q(score=None))
                | (Q(finished_at__isnull=False) & ~Q(finished_by="") & Q(score__isnull=False)),
                name="game_finished_with_score",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} · {self.etui_id}"
