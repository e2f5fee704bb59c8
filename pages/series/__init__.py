"""The pages of series: the rankings that everybody reads, and the pages of directors."""
