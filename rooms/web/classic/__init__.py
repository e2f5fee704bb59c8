"""The pages of tables for four: the halls, a room of one's own, and the table itself."""
