"""The backup of a site: all its rows in one file, and how they are restored.

The file is JSON lines, packed by gzip. The first line has the format and the migrations. Then each table has a line
with its columns, and a line for each row. The last line has the number of rows of each table, and the SHA-256 of all
lines before it. A file without that last line was cut.
"""
