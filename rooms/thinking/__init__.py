"""The bots of rooms, which think in a child process and get views only."""
