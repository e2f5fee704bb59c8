"""The corrections that players request: personal links, requests, answers of the other players, decisions."""
