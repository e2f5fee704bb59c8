"""The pages of series for directors: rules, events, clubs, typed lists and the final ranking."""
