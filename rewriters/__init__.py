"""Rewriting: torch source in, target source out. One folder per target holds that target's rules and data."""
