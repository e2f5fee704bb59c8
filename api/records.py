"""The view of the record of a play: the cards that were played, for directors. Reading it is logged as a look."""

from typing import Any, cast

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Shape, View, operation, query, read_shape
from api.plays import author_of, get_open_play
from clubs.models import User, validate_name
from deals.sets import record_look
from evenings.plays.desk_state import deal_of, record_clashes_of
from evenings.plays.rulings_given import is_altered_before
from evenings.records import choose_record, store_record, withdraw_record
from referee.records.notation import LONGEST, record_from_data, record_to_data
from referee.records.reading import read_record
from scoring.contract import find_rules
from tournaments.models import Play, PlayRecord
from tournaments.rules.recorded import find_record_faults, read_stored_record


class RecordIn(Shape):
    """A record: either JSON in `record`, or a typed `text`."""

    record = serializers.JSONField(required=False)
    text = serializers.CharField(required=False, max_length=LONGEST)
    seen_version = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1)
    reason = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=300, validators=[validate_name]
    )
    key = serializers.UUIDField(required=False, help_text="a record sent again with the same key is stored once")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("record" in attrs) == ("text" in attrs):
            raise serializers.ValidationError({"record": self.fields["record"].error_messages["required"]})
        return attrs


class ChosenIn(Shape):
    version = serializers.IntegerField(min_value=1, max_value=32_767)
    seen_version = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1)
    reason = serializers.CharField(max_length=300, validators=[validate_name])


class SeenIn(Shape):
    seen_version = serializers.IntegerField(min_value=1)


class RecordVersionOut(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    current = serializers.BooleanField()
    contested = serializers.BooleanField()
    author = serializers.CharField()
    device = serializers.CharField(allow_blank=True)
    recorded_at = serializers.DateTimeField()
    reason = serializers.CharField(allow_blank=True)
    record = serializers.DictField()


class RecordFaultOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    seat = serializers.CharField()
    card = serializers.CharField(allow_null=True)
    trick = serializers.IntegerField(allow_null=True)


class PlayRecordOut(serializers.Serializer[Any]):
    """The versions of a record, the newest first.

    `clashes` are the codes of the contradictions between the current record, the result and the étui's cards. `faults`
    are the breaches of the rules of play in the record.
    """

    play = serializers.IntegerField()
    version = serializers.IntegerField(allow_null=True)
    clashes = serializers.ListField(child=serializers.CharField())
    faults = RecordFaultOut(many=True)
    versions = RecordVersionOut(many=True)


class RecordView(View):
    @operation("records_read", "Read the record of the cards of a play. The look is logged", answer=PlayRecordOut)
    def get(self, request: Request, pk: int) -> Response:
        return answer_records(request, get_open_play(request, pk))

    @operation(
        "records_store",
        "Store a record of the cards of a play that has a result. Hands in it are not kept. The same record again"
        " changes nothing (200). A correction needs the version that you have seen, and a reason",
        request=RecordIn,
        answer=PlayRecordOut,
        statuses=(200, 201),
    )
    def post(self, request: Request, pk: int) -> Response:
        play = get_open_play(request, pk)
        body, now = read_shape(RecordIn, request.data), timezone.now()
        row = store_record(
            play_id=pk,
            compose=lambda _head: record_from_data(body["record"]) if "record" in body else read_record(body["text"]),
            seen_version=body["seen_version"],
            reason=body["reason"],
            key=body.get("key"),
            now=now,
            **author_of(request),
        )
        code = status.HTTP_201_CREATED if row.recorded_at == now else status.HTTP_200_OK
        return answer_records(request, play, code)

    @operation("records_choose", "Let another version of the record count", request=ChosenIn, answer=PlayRecordOut)
    def put(self, request: Request, pk: int) -> Response:
        play = get_open_play(request, pk)
        body = read_shape(ChosenIn, request.data)
        choose_record(play_id=pk, by=cast(User, request.user), now=timezone.now(), **body)
        return answer_records(request, play)

    @operation(
        "records_withdraw",
        "Let no record count. All versions are kept. Send the version that you have seen",
        answer=PlayRecordOut,
        query=[query("seen_version", OpenApiTypes.INT)],
    )
    def delete(self, request: Request, pk: int) -> Response:
        play = get_open_play(request, pk)
        body = read_shape(SeenIn, request.query_params.dict() or request.data)
        withdraw_record(play_id=pk, by=cast(User, request.user), now=timezone.now(), **body)
        return answer_records(request, play)


def answer_records(request: Request, play: Play, code: int = status.HTTP_200_OK) -> Response:
    """Return the response with all versions of the record of a play. The look at its cards is logged first."""
    rows = list(play.records.select_related("author").order_by("-version"))
    if rows:
        number, user = play.etui.number, cast(User, request.user)
        record_look(deal_set=play.etui.deal_set, user=user, first=number, last=number, now=timezone.now())
    current = next((row for row in rows if row.current), None)
    data = {
        "play": play.pk,
        "version": current and current.version,
        **doubts_data(play, current),
        "versions": [version_data_of(row) for row in rows],
    }
    return Response(data, status=code)


def doubts_data(play: Play, current: PlayRecord | None) -> dict[str, Any]:
    """Return the clashes and the faults of the record that counts."""
    entry = play.entries.filter(current=True).first()
    if current is None or entry is None:
        return {"clashes": [], "faults": []}
    altered = is_altered_before(play)
    deal = deal_of(play.etui.cards) if play.etui.cards and not altered else None
    faults = find_record_faults(read_stored_record(current.text), deal, find_rules(play.session.tournament.rules))
    return {
        "clashes": [clash.code for clash in record_clashes_of(play, entry, current, altered=altered)],
        "faults": [
            {
                "code": fault.code,
                "seat": str(fault.seat),
                "card": fault.params.get("card"),
                "trick": fault.params.get("trick"),
            }
            for fault in faults
        ],
    }


def version_data_of(row: PlayRecord) -> dict[str, Any]:
    return {
        "version": row.version,
        "current": row.current,
        "contested": row.contested,
        "author": row.author.get_username() if row.author else row.device,
        "device": row.device,
        "recorded_at": row.recorded_at,
        "reason": row.reason,
        "record": record_to_data(read_stored_record(row.text)),
    }
