"""The visitors of the rooms: accounts and guests."""
