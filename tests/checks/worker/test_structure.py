from __future__ import annotations

import dataclasses
import importlib.util
from collections import OrderedDict, namedtuple
from pathlib import Path

import numpy as np

from checks.parity.structure import differences
from checks.worker.structure import flatten

_spec = importlib.util.spec_from_file_location("numpy_runtime", Path(__file__).parents[1] / "numpy_runtime.py")
runtime = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(runtime)

ONE = np.ones((2, 3), np.float32)
Pair = namedtuple("Pair", ["values", "indices"])


@dataclasses.dataclass
class Output:
    logits: np.ndarray
    cache: object = None


def test_paths_of_nested_results():
    value = Output(ONE, OrderedDict(past=[ONE, (ONE, None)], pair=Pair(ONE, 3), flag=True, name="x"))
    arrays, nodes = flatten(value, runtime)
    assert list(arrays) == [
        "output.logits",
        "output.cache['past'][0]",
        "output.cache['past'][1][0]",
        "output.cache['pair'][0]",
        "output.cache['pair'][1]",
        "output.cache['flag']",
    ]
    assert nodes["output.logits"] == {"kind": "tensor", "dtype": "float32", "shape": [2, 3]}
    assert nodes["output.cache['past'][1][1]"] == {"kind": "value", "value": "None"}
    assert nodes["output.cache['flag']"]["dtype"] == "bool"


def told(torch, target):
    return differences(flatten(torch, runtime)[1], flatten(target, runtime)[1])


def test_list_and_tuple_are_alike():
    assert told((ONE, [ONE]), [ONE, (ONE,)]) == {}
    assert told(Pair(ONE, ONE), (ONE, ONE)) == {}


def test_outermost_difference_only():
    assert told((ONE, ONE), ONE) == {
        "output": "structure: torch returns sequence of 2, the target tensor float32[2, 3]"
    }
    assert told({"a": (ONE, ONE)}, {"a": None}) == {
        "output['a']": "structure: torch returns sequence of 2, the target None"
    }
    assert list(told((ONE,), (ONE, ONE))) == ["output"]


def test_values_dtypes_and_shapes():
    assert told("a", "b") == {"output": "structure: torch returns 'a', the target 'b'"}
    assert told(ONE, ONE.astype(np.float64)) == {"output": "dtype: torch float32, the target float64"}
    assert told(ONE, ONE.T) == {"output": "shape: torch [2, 3], the target [3, 2]"}
    assert told(1.0, 1) == {"output": "dtype: torch float, the target int"}
    assert list(told(ONE, object())) == ["output"]
