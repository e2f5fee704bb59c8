"""The table at which one person plays an étui: what the page draws, the moves of its forms, and the page itself."""
