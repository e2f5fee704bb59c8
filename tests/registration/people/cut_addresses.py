"""The addresses of cuts and games for `test_roles`: address → method → the role that it needs."""

from tournaments.permissions import Can

CUTS = {
    "sessions/{session}/cut/": dict.fromkeys(("GET", "PUT", "DELETE"), Can.DIRECT),
    "sessions/{session}/cut/fill/": {"POST": Can.DIRECT},
    "sessions/{session}/cut/show/": {"POST": Can.DIRECT},
    "sessions/{session}/cut/players/1/": {"PUT": Can.DIRECT},
}
GAMES = {
    "sessions/{session}/games/": dict.fromkeys(("GET", "PATCH"), Can.DIRECT),
    "sessions/{session}/games/1/": dict.fromkeys(("PUT", "DELETE"), Can.DIRECT),
    "sessions/{session}/games/1/closing/": dict.fromkeys(("PUT", "DELETE"), Can.DIRECT),
}
CUTS_AND_GAMES = {**CUTS, **GAMES}
