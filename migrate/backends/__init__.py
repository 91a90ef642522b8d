"""What runs exported models: back ends, each in an interpreter of its own.

A back end is an entry of ``BACKENDS`` and the files of ``worker/`` that it names: one that runs an artefact for
``migrate check``, and where its own format is made of another, one that makes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rewriters.target import Environment, known_targets, load_target

WORKER = Path(__file__).parent / "worker"


NNCF = "nncf"
"""The environment in which OpenVINO's models are quantized."""


@dataclass(frozen=True)
class Lowering:
    """How an artefact gets a lower precision.

    script:      the file of WORKER that makes it. environment: where it runs, by default the back end's own.
    refusal, mend: where it cannot be made, why, and what to do.
    """

    script: str = ""
    environment: str = ""
    refusal: str = ""
    mend: str = ""


@dataclass(frozen=True)
class Backend:
    """A back end.

    name:    as ``--backend`` and ``migrate env`` take it. title: as people write it.
    environment: what it runs in; None where none is built.
    runs:    the file of WORKER that loads an artefact: ``load(folder, manifest, threads)``, ``version()``.
    formats: those that it runs, the usual one first.
    makes:   format -> (the format that it is made of, the file of WORKER that makes it).
    lowers:  precision -> how its usual format gets it.
    made_in: the environment in which its format is made; "": its own.
    unrun:   why an artefact is not run here, mend: what to do instead; empty where it is.
    """

    name: str
    title: str
    environment: Environment | None
    runs: str
    formats: tuple[str, ...]
    makes: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    lowers: Mapping[str, Lowering] = field(default_factory=dict)
    made_in: str = ""
    unrun: str = ""
    mend: str = ""


AT_THE_GPU = Lowering(
    refusal="TensorRT's engine is built where the GPU is, and gets its precision there",
    mend="leave it away, and run `sh build_engine.sh --fp16` (or --bf16) there",
)

BACKENDS = {
    backend.name: backend
    for backend in (
        Backend(
            "onnxruntime",
            "ONNX Runtime",
            Environment("3.11", ("onnxruntime==1.32.0", "onnx==1.23.2", "onnxslim==0.1.98", "numpy"), "onnxruntime"),
            "run_onnxruntime.py",
            ("onnx", "tensorrt"),
            lowers={
                "float16": Lowering("lower_onnx.py"),
                "int8": Lowering("lower_onnx.py"),
                "bfloat16": Lowering(
                    refusal="ONNX Runtime has no kernels on a CPU that compute convolutions and matrix products in it",
                    mend="--format openvino, or --precision float16",
                ),
            },
        ),
        Backend(
            "openvino",
            "OpenVINO",
            Environment("3.11", ("openvino==2026.4.1", "numpy"), "openvino"),
            "run_openvino.py",
            ("openvino", "onnx"),
            {"openvino": ("onnx", "to_openvino.py")},
            {
                "float16": Lowering("lower_openvino.py"),
                "bfloat16": Lowering("lower_openvino.py"),
                "int8": Lowering("lower_openvino.py", NNCF),
            },
        ),
        Backend(
            "tensorrt",
            "TensorRT",
            None,
            "",
            ("tensorrt",),
            {"tensorrt": ("onnx", "to_tensorrt.py")},
            {"float16": AT_THE_GPU, "bfloat16": AT_THE_GPU, "int8": AT_THE_GPU},
            made_in="onnxruntime",
            unrun="TensorRT runs on NVIDIA's GPUs alone, and migrate builds no interpreter that has it",
            mend="--backend onnxruntime compares the model.onnx that the engine is built of; on the GPU, `trtexec "
            "--loadEngine=model.plan` runs the engine",
        ),
    )
}


SERVER = Environment("3.11", ("nvidia-pytriton==0.7.0",), "pytriton")
"""Triton and its Python back end, as ``migrate serve`` starts them; the models run in their engines' interpreters."""


def environments() -> dict[str, Environment]:
    """Of the back ends, of what converts to their formats, and of the server, by the names for ``migrate env``."""
    found = {name: item.environment for name, item in BACKENDS.items() if item.environment is not None}
    found |= {"triton": SERVER, NNCF: Environment("3.11", ("nncf==3.4.0", *found["openvino"].requirements), NNCF)}
    for target in known_targets():
        for road in load_target(target).roads.values():
            if road.through is not None:
                found[road.through.name] = road.through.environment
    return found
