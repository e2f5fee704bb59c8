"""The Redis transport of the library Kombu, with one bug fixed: a worker that lost its broker stopped.

`Channel.close` first reads an answer that is still to come. If Redis does not answer, this raises an error, and the
channel stays half open. Celery then closes the connection again. This raises an AttributeError, because the connection
no longer has what the channel needs, and the worker ends.
"""

from contextlib import suppress
from queue import Empty

from kombu.transport import redis


class Channel(redis.Channel):
    """A channel that can be closed even if its connection is broken."""

    def close(self) -> None:
        """Read the last answer if it still comes, then close the channel. Messages not yet confirmed are put back."""
        if self._in_poll:
            with suppress(Empty, *self.connection_errors):
                self._brpop_read()  # type: ignore[no-untyped-call]
        super().close()  # type: ignore[no-untyped-call]


redis.Transport.Channel = Channel
