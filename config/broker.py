"""Kombu's Redis transport, with one fault mended: a worker whose broker goes away closes its channel to the end.

`Channel.close` first reads the answer to its last question. Where Redis is gone that raises, and the channel stays
half open while its connection drops what the channel needs. Celery closes the connection a second time: the channel
still holds unacknowledged messages, looks for its broker's address, and the AttributeError of that ends the worker.
"""

from contextlib import suppress
from queue import Empty

from kombu.transport import redis


class Channel(redis.Channel):
    """A channel that a broken connection does not keep open."""

    def close(self) -> None:
        """Read the last answer if it still comes, then close the channel; what is not acknowledged is put back."""
        if self._in_poll:
            with suppress(Empty, *self.connection_errors):
                self._brpop_read()  # type: ignore[no-untyped-call]
        super().close()  # type: ignore[no-untyped-call]


redis.Transport.Channel = Channel
