"""Studies of one's own data, described by a file: ``nestviz study``."""
