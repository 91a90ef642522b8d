"""Faults and correct rewritings of the fixtures: what ``migrate check`` must catch, and what it must let through."""
