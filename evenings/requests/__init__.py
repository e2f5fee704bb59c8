"""The corrections that players request: personal links, requests, the other players' answers, the decisions."""
