"""Simulated browsers that measure how many sessions a server carries."""
