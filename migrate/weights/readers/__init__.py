"""Checkpoints of every kind, read without loading or executing anything: where each tensor's bytes lie."""
