"""The settings of a laptop's site that keeps its connections to PostgreSQL from request to request, as a server does.

A real server would also need collected static files.
"""

from config.settings import *  # noqa: F403
from config.settings import DATABASES

DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
