"""The command: CLI, walking a repo, weights, reports, target environments."""

__version__ = "0.1.0"
