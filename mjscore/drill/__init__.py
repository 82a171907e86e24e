"""Exercises in scoring: hands drawn at random, questions about them, and explanations of wrong answers."""
