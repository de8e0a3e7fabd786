"""Published tables and figures, computed anew and compared: ``nestviz reproduce``."""
