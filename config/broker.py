"""The Redis transport of Kombu with one bug fixed: a worker that loses its broker closes its channel completely.

`Channel.close` first reads the answer to its last question. If Redis is gone, that read raises, and the channel stays
half open while its connection drops what the channel needs. Celery then closes the connection a second time: the
channel still holds unacknowledged messages, looks for its broker's address, and the AttributeError that follows ends
the worker.
"""

from contextlib import suppress
from queue import Empty

from kombu.transport import redis


class Channel(redis.Channel):
    """A channel that is closed even if its connection is broken."""

    def close(self) -> None:
        """Read the last answer if it still comes, then close the channel. Unacknowledged messages are put back."""
        if self._in_poll:
            with suppress(Empty, *self.connection_errors):
                self._brpop_read()  # type: ignore[no-untyped-call]
        super().close()  # type: ignore[no-untyped-call]


redis.Transport.Channel = Channel
