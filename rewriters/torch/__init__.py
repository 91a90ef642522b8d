"""What is known of PyTorch itself: the interpreter it runs in, and generated tables of its names."""

from pathlib import Path

from rewriters.target import Environment

ENVIRONMENT = Environment(python="3.11", requirements=("torch==2.13.0", "numpy"), module="torch")
WORKER = Path(__file__).parent / "worker"
"""The files that run in torch's interpreter."""
