"""An .onnx as OpenVINO's own format: ``python to_openvino.py JOB``, in the interpreter that has OpenVINO.

The job, JSON: ``model`` (the .onnx), ``folder`` (for model.xml and model.bin), ``done`` (the file for the answer). The
answer: files, or {"error": ...}.
"""

from __future__ import annotations

import os

import openvino

# It lies beside this script.
from answering import answer  # isort: skip


def convert(job):
    """Write model.xml and model.bin."""
    openvino.save_model(
        openvino.convert_model(job["model"]), os.path.join(job["folder"], "model.xml"), compress_to_fp16=False
    )
    return {"files": ["model.xml", "model.bin"]}


if __name__ == "__main__":
    answer(convert)
