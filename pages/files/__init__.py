"""The files of tables that only directors may have."""
