"""People: who puts himself down for a session and is there; two players of a list who are one person."""
