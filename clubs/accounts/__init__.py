"""How accounts come to be and to an end: the first one of a site, invitations, roles, links for a new password."""
