"""The figures of a site that is in use, for a program that watches it (Prometheus), at `/metrics`.

No label contains a path, a name or an id. A page is named by its address pattern, a job by its task.
"""
