"""The life of accounts: the first account of a site, invitations, roles, links for a new password, the end."""
