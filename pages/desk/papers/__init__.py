"""The documents that an evening prints: which there are, and their PDFs for an evening of teams."""
