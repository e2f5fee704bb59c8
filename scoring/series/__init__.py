"""The counting of series, such as a club's championship: `points` for ranks, `standings` over all events."""
