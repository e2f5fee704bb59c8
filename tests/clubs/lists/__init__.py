"""The lists of people that clubs paste or upload: their columns and their rows."""
