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
    "standings": JobQueue(("jobs.tasks.compute_standings",), "Rankings wait; entering goes on."),
    REST: JobQueue((), "Seasons, careers, files and deletions wait."),
    # Mails and the calls of webhooks wait for servers of others, which may be slow or silent. A laptop has a thread for
    # them. While this queue has no worker, they go to the queue `rest`.
    "mails": JobQueue(
        (
            "jobs.tasks.call_webhooks",
            "jobs.tasks.mail_evening",
            "jobs.tasks.mail_feuilles",
            "jobs.tasks.mail_field",
            "jobs.tasks.mail_invitations",
            "jobs.tasks.mail_series",
            "jobs.tasks.note_worker_of_mails",
            "jobs.tasks.send_queued_mails",
        ),
        "Mails and webhooks are left to the queue rest, which rankings of tournaments then wait for.",
    ),
    # A search takes a core for seconds.
    "searches": JobQueue(("jobs.tasks.search_plans",), "Proposals of plans wait.", is_needed=False),
    # Bots think for as long as there are games for them: no person and no other job waits behind them.
    "bots": JobQueue(
        ("jobs.tasks.play_by_bots", "rooms.tasks.close_room"),
        "Rooms stay open after their hour, and no bots play étuis.",
        is_needed=False,
    ),
}
