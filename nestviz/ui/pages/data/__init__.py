"""The parts of the Data page."""
