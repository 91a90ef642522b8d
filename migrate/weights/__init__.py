"""Checkpoints: read without torch, laid out for the target, written one tensor at a time."""
