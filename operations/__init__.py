"""The work of whoever runs a site: keep its rows in a file, bring them back, and say whether the site is well."""
