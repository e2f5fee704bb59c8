"""The users of the cache that must not lose a key. What can be made again has the cache `computed` or `pages`."""

import ast

from tests.law.packages import MODULES

# Who uses the cache `default`, which never removes a key before its end, and for what. Their keys are few and short.
PRECIOUS = {
    "clubs.guard.counting": "the counters of wrong passwords and codes",
    "config.fault_mails": "the kinds of faults that were mailed in this hour",
    "config.jobs": "the tries of jobs that came to no end",
    "operations.queues": "the counters of jobs",
    "tournaments.job_health": "nothing: it asks Redis for the age of the oldest jobs",
    "outgoing.mailing.invitations": "the invited players for whom nothing is left to send",
    "outgoing.mailing.places": "the versions whose letters were all sent",
    "outgoing.mailing.sending": "the locks of letters that are being sent",
    "tournaments.queue": "the computations that are queued",
}


def test_cache_of_what_must_not_be_lost_is_used_by_few():
    """Name a new user above if its keys are few and short. Otherwise let it use `caches["computed"]`."""
    found = set()
    for module, path in MODULES.items():
        source = path.read_text()
        if "django.core.cache" in source:
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.ImportFrom) and node.module == "django.core.cache":
                    found |= {module for each in node.names if each.name == "cache"}
    assert found == set(PRECIOUS)
