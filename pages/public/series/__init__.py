"""The public pages of series: a ranking with its versions, files and PDF."""
