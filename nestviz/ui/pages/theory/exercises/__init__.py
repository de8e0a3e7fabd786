"""Exercises with answers, a file for each chapter; shown by the app and by the manual."""
