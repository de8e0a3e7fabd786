"""Search for classifiers that control the two error rates."""
