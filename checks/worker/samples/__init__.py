"""Samples of a proof, run in the target's interpreter; torch's answers are found by the same code."""
