"""The table of the queues of jobs. Settings, the doctor, the upgrade, metrics and the thread of a laptop read it."""

from typing import NamedTuple


class JobQueue(NamedTuple):
    """A queue of jobs, which has a worker of its own.

    `jobs`: the names of the tasks that it holds. `waits`: what waits if no worker takes them. `is_needed`: whether the
    doctor calls a missing worker an error, and not just a warning.
    """

    jobs: tuple[str, ...]
    waits: str
    is_needed: bool = True


REST = "rest"  # the queue of every task that no queue names
# A laptop has one thread for all queues but `mails`. It takes the jobs of an earlier queue first.
QUEUES = {
    # People in a hall wait for standings, so these wait for no other job.
    "standings": JobQueue(("tournaments.tasks.compute_standings",), "Rankings wait; entering goes on."),
    REST: JobQueue((), "Seasons, careers, files and deletions wait."),
    # Mails and the calls of webhooks wait for servers of others, which may be slow or silent. A laptop has a thread for
    # them. While this queue has no worker, they go to the queue `rest`.
    "mails": JobQueue(
        (
            "tournaments.tasks.call_webhook",
            "tournaments.tasks.mail_evening",
            "tournaments.tasks.mail_feuilles",
            "tournaments.tasks.mail_field",
            "tournaments.tasks.mail_invitations",
            "tournaments.tasks.mail_series",
            "tournaments.tasks.note_worker_of_mails",
            "tournaments.tasks.send_queued_mails",
        ),
        "Mails and webhooks are left to the queue rest, which rankings of tournaments then wait for.",
    ),
    # A search takes a core for seconds.
    "searches": JobQueue(("tournaments.tasks.search_plans",), "Proposals of plans wait.", is_needed=False),
    # Bots think for as long as there are games for them: no person and no other job waits behind them.
    "bots": JobQueue(
        ("tournaments.tasks.play_by_bots", "rooms.tasks.close_room"),
        "Rooms stay open after their hour, and no bots play étuis.",
        is_needed=False,
    ),
}
