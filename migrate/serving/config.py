"""``config.pbtxt``: what Triton needs to know of a model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from migrate.errors import Unusable

TYPES = {
    "bool": "BOOL", "uint8": "UINT8", "uint16": "UINT16", "uint32": "UINT32", "uint64": "UINT64", "int8": "INT8",
    "int16": "INT16", "int32": "INT32", "int64": "INT64", "float16": "FP16", "float32": "FP32", "float64": "FP64",
}  # fmt: skip
"""Triton's names, of what numpy has too."""

THREADS = {"python": "threads", "onnxruntime": "intra_op_thread_count"}
"""The parameter that says how many threads an instance has, by Triton's back end."""


@dataclass(frozen=True)
class Config:
    """A model's configuration.

    name, backend: the model's, Triton's back end.
    batch:     the largest batch, 0 where the model is not served in batches: shapes hold the first axis then.
    delay:     microseconds that a request waits for others. instances: models side by side. threads: of each.
    inputs, outputs: {"name", "dtype", "shape"}; a size that is no number is free.
    """

    name: str
    backend: str
    batch: int
    delay: int
    instances: int
    threads: int
    inputs: Sequence[Mapping[str, Any]]
    outputs: Sequence[Mapping[str, Any]]

    def text(self) -> str:
        """The file. Raises Unusable: a type that Triton's clients do not have."""
        lines = [
            f"name: {json.dumps(self.name)}",
            f"backend: {json.dumps(self.backend)}",
            f"max_batch_size: {self.batch}",
        ]
        for side, items in (("input", self.inputs), ("output", self.outputs)):
            lines += [f"{side} [", ",\n".join(self.tensor(item) for item in items), "]"]
        lines.append(f"instance_group [ {{ kind: KIND_CPU, count: {self.instances} }} ]")
        if self.batch:
            lines.append(f"dynamic_batching {{ max_queue_delay_microseconds: {self.delay} }}")
        if self.backend in THREADS:
            value = f'{{ string_value: "{self.threads}" }}'
            lines.append(f'parameters {{ key: "{THREADS[self.backend]}", value: {value} }}')
        return "\n".join(lines) + "\n"

    def tensor(self, item: Mapping[str, Any]) -> str:
        """An input or output. Triton has none without axes: it gets an axis of one, which the model does not see; where
        there are no batches, Triton does not take it off again, and model.py does.
        """
        if item["dtype"] not in TYPES:
            raise Unusable(
                f"{item['name']} is {item['dtype']}, which requests to a server have no type for",
                f"cast it in the model; the types are {', '.join(TYPES)}",
            )
        sizes = [size if isinstance(size, int) else -1 for size in item["shape"][1 if self.batch else 0 :]]
        shape = f"dims: [ {', '.join(map(str, sizes or [1]))} ]" + (
            "" if sizes or not self.batch else ", reshape: { shape: [ ] }"
        )
        return f"  {{ name: {json.dumps(item['name'])}, data_type: TYPE_{TYPES[item['dtype']]}, {shape} }}"
