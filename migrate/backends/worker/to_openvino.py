"""An .onnx as OpenVINO's own format: ``python to_openvino.py JOB``, in the interpreter that has OpenVINO.

The job, JSON: ``model`` (the .onnx), ``folder`` (for model.xml and model.bin), ``done`` (the file for the answer). The
answer: files, or {"error": ...}.
"""

from __future__ import annotations

import json
import os
import sys

import openvino


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    try:
        model = openvino.convert_model(job["model"])
        openvino.save_model(model, os.path.join(job["folder"], "model.xml"), compress_to_fp16=False)
        answer = {"files": ["model.xml", "model.bin"]}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    with open(job["done"], "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    sys.path[0] = os.devnull
    main()
