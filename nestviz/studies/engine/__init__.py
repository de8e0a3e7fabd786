"""Compute the cells of a study, here or on a cluster, and store each as it ends."""
