"""The tables and figures that people paste or upload, as texts."""
