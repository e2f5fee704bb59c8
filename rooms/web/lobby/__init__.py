"""The lobby, the page of a room with its ranking and étuis, own results, the best of a month, names."""
