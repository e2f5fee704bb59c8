"""The figures of a site that is in use, for a program that watches it (Prometheus), at `/metrics`.

No label holds a path, a name or an id: a page is named as in its address pattern, a job by its task.
"""
