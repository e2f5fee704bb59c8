"""The organiser's side of a simultaneous on several sites: the sealed file, and the key from the opening hour on."""

import datetime as dt
import uuid

from django.db import transaction

from archives.elsewhere.sealed_file import AboutSimultaneous, draw_key, write_sealed_file
from clubs.log import log_club_action
from clubs.models import User
from deals.looks import record_look
from deals.models import DealLook
from rankings.publication.etuis import make_etui_set
from rankings.simultaneous.locking import lock_simultaneous
from tournaments.models import SealedEtuis, Simultaneous


@transaction.atomic
def send_sealed_file(*, simultaneous_id: int, address: str, by: User, now: dt.datetime) -> bytes:
    """Return the sealed file of a simultaneous for other sites. `address` is its public page on this site.

    Its key is drawn with the first file, and stays. The log of looks and the club's log record who made the file:
    whoever has the file and the key knows all cards.
    """
    simultaneous = lock_simultaneous(simultaneous_id)
    sealed, _made = SealedEtuis.objects.get_or_create(
        simultaneous=simultaneous, defaults={"key": uuid.uuid4(), "secret": draw_key(), "made_at": now}
    )
    deal_set = simultaneous.deal_set
    etuis = list(deal_set.etuis.order_by("number"))
    record_look(
        deal_set=deal_set,
        user=by,
        first=etuis[0].number,
        last=etuis[-1].number,
        now=now,
        kind=DealLook.LookKind.EXPORTED,
        document="sealed",
    )
    log_club_action(simultaneous.club, "sealed_file_made", now=now, by=by, simultaneous=simultaneous.title)
    about = AboutSimultaneous(
        key=sealed.key,
        title=simultaneous.title,
        organiser=simultaneous.club.name,
        address=address,
        opens_at=simultaneous.opens_at,
        closes_at=simultaneous.closes_at,
        public_at=simultaneous.public_at,
    )
    return write_sealed_file(about, make_etui_set(deal_set, etuis, with_seed=True), sealed.secret)


def read_sealed_key(simultaneous: Simultaneous, now: dt.datetime) -> str:
    """Return the key that opens the sealed cards, from the opening hour on. Before it, return ""."""
    if now < simultaneous.opens_at:
        return ""
    return SealedEtuis.objects.filter(simultaneous=simultaneous).values_list("secret", flat=True).first() or ""
