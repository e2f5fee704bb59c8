"""The personal data of rooms: export, erasure, and guests who are forgotten."""
