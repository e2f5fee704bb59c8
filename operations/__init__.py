"""The work of whoever runs a site: keep its rows in a file, and bring them back."""
