"""What is known of PyTorch itself: the interpreter it runs in, and generated tables of its names."""

from pathlib import Path

from rewriters.target import Environment, Road

ENVIRONMENT = Environment(
    python="3.11", requirements=("torch==2.13.0", "numpy", "onnx==1.23.2", "onnxscript==0.7.2"), module="torch"
)
ROADS = {"native": Road(), "onnx": Road(saves="onnx")}
"""Formats that torch writes by itself: torch.export's, and ONNX, for which its interpreter has onnxscript."""

WORKER = Path(__file__).parent / "worker"
"""The files that run in torch's interpreter."""
