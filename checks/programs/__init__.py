"""Whole programs, run in torch and in a target: what they show on the way is compared."""
