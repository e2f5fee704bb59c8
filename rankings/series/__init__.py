"""The series of events, such as a club's championship: rules, clubs, events, typed lists, rankings and versions."""
