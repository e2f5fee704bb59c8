"""The pages of rooms: `doors` checks access, `lobby` has the lobby and rankings, `table` has the card table."""
