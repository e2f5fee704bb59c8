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
# A laptop has one thread for all queues. It takes the jobs of an earlier queue first.
QUEUES = {
    # People in a hall wait for standings, so these wait for no other job.
    "standings": JobQueue(("tournaments.tasks.compute_standings",), "Rankings wait; entering goes on."),
    REST: JobQueue((), "Seasons, careers, mails and deletions wait."),
    # A search takes a core for seconds.
    "searches": JobQueue(("tournaments.tasks.search_plans",), "Proposals of plans wait.", is_needed=False),
    # Bots think for as long as there are games for them: no person and no other job waits behind them.
    "bots": JobQueue(
        ("tournaments.tasks.play_by_bots", "rooms.tasks.close_room"),
        "Rooms stay open after their hour, and no bots play étuis.",
        is_needed=False,
    ),
}
