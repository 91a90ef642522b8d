"""The model, run by Triton's Python back end: ``engine.py`` beside this file loads it, as ``export.json`` says.

Requests that Triton hands over together are run as one batch where the model is served in batches.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os

import numpy as np
import triton_python_backend_utils as pb_utils

FRESH, USED = b"dltensor", b"used_dltensor"
API = ctypes.pythonapi
API.PyCapsule_GetPointer.restype = ctypes.c_void_p
API.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
API.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
API.PyCapsule_New.restype = ctypes.py_object
API.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def taken(request, name):
    """An input. By DLPack: the back ends built against numpy 1 read arrays wrongly beside numpy 2, and say nothing."""
    return np.from_dlpack(pb_utils.get_input_tensor_by_name(request, name))


def given(name, array):
    """An output. The back end renames capsules as numpy does not expect it: it gets one that numpy does not look at."""
    array = np.ascontiguousarray(array).reshape(np.shape(array))
    if not array.flags.writeable:
        array = array.copy()
    capsule = array.__dlpack__()
    pointer = API.PyCapsule_GetPointer(capsule, FRESH)
    API.PyCapsule_SetName(capsule, USED)
    return pb_utils.Tensor.from_dlpack(name, API.PyCapsule_New(pointer, FRESH, None))


class TritonPythonModel:
    """What Triton calls."""

    def initialize(self, args):
        """Load the model, and see that arrays reach Triton as they are."""
        folder = os.path.join(args["model_repository"], args["model_version"])
        config = json.loads(args["model_config"])
        threads = int(config["parameters"]["threads"]["string_value"])
        with open(os.path.join(folder, "export.json"), encoding="utf-8") as file:
            self.manifest = json.load(file)
        self.outputs = [item["name"] for item in self.manifest["outputs"]]
        self.batched = config["max_batch_size"] > 0
        for kind in sorted({item["dtype"] for side in ("inputs", "outputs") for item in self.manifest[side]}):
            told = np.arange(6).reshape(2, 3).astype(kind)
            found = np.from_dlpack(given("probe", told))
            if found.dtype != told.dtype or not np.array_equal(found, told):
                raise pb_utils.TritonModelException(f"this Triton does not take arrays of {kind} from this numpy")
        spec = importlib.util.spec_from_file_location("engine", os.path.join(folder, "engine.py"))
        engine = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(engine)
        self.run = engine.load(folder, self.manifest, threads)

    def execute(self, requests):
        """An answer for each request."""
        answers = [None] * len(requests)
        arrays = [[self.shaped(request, item) for item in self.manifest["inputs"]] for request in requests]
        for group in self.groups(arrays):
            for number, answer in zip(group, self.answered([arrays[number] for number in group])):
                answers[number] = answer
        return answers

    def shaped(self, request, item):
        """An input; without axes where the model has none."""
        array = taken(request, item["name"])
        return array if self.batched or item["shape"] else array.reshape(())

    def groups(self, arrays):
        """Numbers of requests that go together: those of one shape, but for the batch."""
        if not self.batched:
            return [[number] for number in range(len(arrays))]
        found = {}
        for number, each in enumerate(arrays):
            found.setdefault(tuple(value.shape[1:] for value in each), []).append(number)
        return list(found.values())

    def answered(self, group):
        """The answers to requests that go together."""
        try:
            if len(group) == 1:
                return [self.answer(self.run(list(group[0])))]
            sizes = [len(each[0]) for each in group]
            returned = self.run([np.concatenate(values) for values in zip(*group)])
            places = np.cumsum(sizes)[:-1]
            parts = [np.split(np.asarray(value), places) for value in returned]
            return [self.answer(each) for each in zip(*parts)]
        except Exception as error:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            said = f"{type(error).__name__}: {' '.join(lines[:3])}"[:400]
            refused = pb_utils.InferenceResponse(error=pb_utils.TritonError(f"the model refuses these inputs: {said}"))
            if len(group) == 1:
                return [refused]
            # One of them may be at fault: each by itself.
            return [self.answered([each])[0] for each in group]

    def answer(self, values):
        tensors = []
        for name, item, value in zip(self.outputs, self.manifest["outputs"], values):
            value = np.asarray(value)
            if str(value.dtype) != item["dtype"]:
                raise TypeError(f"the model returns {name} as {value.dtype}, export.json says {item['dtype']}")
            tensors.append(given(name, value if self.batched or value.ndim else value.reshape(1)))
        return pb_utils.InferenceResponse(output_tensors=tensors)
