"""The addresses of cuts for `test_roles`: address → method → the role that it needs."""

from tournaments.permissions import Can

CUTS = {
    "sessions/{session}/cut/": dict.fromkeys(("GET", "PUT", "DELETE"), Can.DIRECT),
    "sessions/{session}/cut/fill/": {"POST": Can.DIRECT},
    "sessions/{session}/cut/show/": {"POST": Can.DIRECT},
    "sessions/{session}/cut/players/1/": {"PUT": Can.DIRECT},
}
