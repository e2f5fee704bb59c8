"""The ranking over all clubs of a simultaneous: the plays of one étui in all sessions are compared together."""
