"""The backup of a site: all its rows in one file, and the way back.

The file is gzip of JSON lines. The first line tells the format, the release and the migrations; then each table has a
line with its columns and a line for each row; the last line has the number of rows of each table and the SHA-256 of all
lines before it. A file without that line is cut.
"""
