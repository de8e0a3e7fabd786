"""Solve the q-OCSVM: one direction, one offset per quantile."""
