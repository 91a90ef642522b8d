"""What OneFlow says of its built-ins is so, and calls that mean the same there stay as they stand."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path, PurePosixPath

import pytest

from migrate.environments import Interpreter
from rewriters.convert import convert_sources
from rewriters.target import load_target

TARGET = load_target("oneflow")
SIGNATURES = json.loads((TARGET.records / "signatures.json").read_text(encoding="utf-8"))

HEAD = """\
import json
import torch
import torch.nn.functional as F
"""
CALLS = """\
    torch.cat(xs, 1)
    torch.cat([x, y], dim=-1)
    x.chunk(2, -1)
    torch.chunk(x, 2, dim=1)
    x.sum(1)
    torch.sum(x, 1)
    x.sum(dim=1, keepdim=True)
    x.mean(-1, keepdim=True)
    x.mean(dim=(0, 1))
    x.max(1)
    x.max(dim=1)
    x.max(1, keepdim=True)[0]
    x.argmax(dim=-1)
    x.argmax(1)
    F.softmax(x, -1)
    F.log_softmax(x, dim=1)
    x.flatten(start_dim=-2)
    torch.cumsum(x, dim=1)
    x.split(2, dim=1)
    x.unbind(0)
    torch.clamp(x, min=0)
    torch.triu(x, 1)
    F.mse_loss(x, y, reduction="sum")
    F.mse_loss(x, y)
    F.normalize(x, dim=-1)
    F.conv2d(x.reshape(1, 1, 3, 4), y[:, :3].reshape(1, 1, 3, 3), padding=1)
    F.conv2d(x.reshape(1, 1, 3, 4), y[:, :3].reshape(1, 1, 3, 3), None, 1, 1)
    F.leaky_relu(x, 0.2)
    F.cross_entropy(x, idx, ignore_index=1)
    torch.isclose(x, y)
    x.logsumexp(dim=1)
    torch.all(x > 0, 1)
    torch.index_select(x, 1, idx)
    torch.repeat_interleave(x, 2, 0)
    torch.randint(5, 6, (2, 3))
    torch.zeros_like(torch.randn(2, 3))
    torch.randperm(1)
"""
BODY = """

def calls(x: torch.Tensor, y: torch.Tensor, idx: torch.Tensor, xs: list[torch.Tensor]):
    results = []
{}
    return results


def plain(value):
    return [plain(part) for part in value] if isinstance(value, (list, tuple)) else value.tolist()


x = torch.tensor([[0.5, -1.0, 2.0, 4.0], [3.0, -2.5, 0.25, 1.0], [1.5, 7.0, -0.75, -3.0]])
print("\\n" + json.dumps([plain(value) for value in calls(x, x * x - 1, torch.tensor([2, 0, 1]), [x, x + 1])]))
"""
SCRIPT = HEAD + BODY.format("\n".join(f"    results.append({call.strip()})" for call in CALLS.splitlines()))
LOOK_UP = """
import json, runpy, sys
import oneflow
overloads = runpy.run_path(sys.argv[1])["overloads"]
answer = runpy.run_path(sys.argv[1])["answer"]
"""


def printed(interpreter: Interpreter, command: list[str], folder: Path) -> list:
    ran = subprocess.run(
        [interpreter.python, "-W", "ignore", *command],
        cwd=folder, env=interpreter.environ(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout.splitlines()[-1])


def flat(value: object) -> list[float]:
    return [number for part in value for number in flat(part)] if isinstance(value, list) else [float(value)]  # type: ignore[arg-type]


def test_calls_stay_as_they_are_and_give_what_torch_gives(
    tmp_path: Path, torch_python: Interpreter, oneflow_python: Interpreter
) -> None:
    done = convert_sources({PurePosixPath("script.py"): SCRIPT.encode()}, TARGET)
    made = done.files[PurePosixPath("script.py")].decode()
    assert [new for old, new in zip(SCRIPT.splitlines(), made.splitlines(), strict=True) if old != new] == [
        "import oneflow as torch",
        "import oneflow.nn.functional as F",
    ]
    assert not done.helpers
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "made.py").write_text(made)
    expected = printed(torch_python, ["script.py"], tmp_path)
    found = printed(oneflow_python, ["made.py"], tmp_path)
    assert len(found) == len(expected) == len(CALLS.splitlines())
    for call, mine, theirs in zip(CALLS.splitlines(), expected, found, strict=True):
        assert str(theirs).count("[") == str(mine).count("["), call
        assert flat(theirs) == pytest.approx(flat(mine), rel=1e-5, abs=1e-5), call


def test_every_default_is_what_the_call_has_without_it(tmp_path: Path, oneflow_python: Interpreter) -> None:
    """Where OneFlow's own errors do not tell a default: the call with it gives what the call without it gives."""
    script = (
        LOOK_UP
        + """
x = oneflow.tensor([[0.5, -1.0, 2.0], [3.0, -2.5, 0.25], [1.5, 7.0, -0.75]])
label = oneflow.tensor([2, 0, 1])
given = {
    "cat": ([x, x],), "stack": ([x, x],), "chunk": (x, 2), "topk": (x, 2), "sort": (x,), "flatten": (x,), "diag": (x,),
    "diagonal": (x,), "tril": (x,), "triu": (x,), "isclose": (x, x), "amax": (x,), "bmm": (x[None], x[None]),
    "matmul": (x, x), "logsumexp": (x, 1), "cumsum": (x, 1), "clamp": (x, 0), "nn.functional.gelu": (x,),
    "nn.functional.softplus": (x,), "nn.functional.cross_entropy": (x, label), "nn.functional.mse_loss": (x, x + 1),
    "nn.functional.l1_loss": (x, x + 1), "nn.functional.normalize": (x,), "nn.functional.hardshrink": (x,),
    "nn.functional.binary_cross_entropy_with_logits": (x, x), "nn.functional.conv2d": (x[None, None], x[None, None]),
    "nn.functional.avg_pool2d": (x[None, None], 2), "nn.functional.relu": (x,), "gather": (x, 0, label[None]),
    "nn.functional.binary_cross_entropy": (oneflow.sigmoid(x), oneflow.sigmoid(x)),
    "nn.functional.conv1d": (x[None], x[None]),
}
def plain(value):
    return [part.tolist() for part in value] if isinstance(value, (list, tuple)) else value.tolist()
rows = json.load(open(sys.argv[2]))["signatures"]
tried, wrong = 0, []
for name, arguments in given.items():
    function = oneflow
    for part in name.split("."):
        function = getattr(function, part)
    bare = plain(function(*arguments))
    for parameter, _, default in rows["oneflow." + name][len(arguments):]:
        if default not in (None, "?") and not default.startswith("k"):
            tried += 1
            if plain(function(*arguments, **{parameter: eval(default)})) != bare:
                wrong.append([name, parameter, default])
print("\\n" + json.dumps([tried, wrong]))
"""
    )
    arguments = ["-c", script, str(TARGET.folder / "worker" / "built_ins.py"), str(TARGET.records / "signatures.json")]
    tried, wrong = printed(oneflow_python, arguments, tmp_path)
    assert not wrong
    assert tried > 50


def test_a_method_is_the_function_whose_signature_it_has(tmp_path: Path, oneflow_python: Interpreter) -> None:
    """Such a function's call is written as the method's: both must be the same function of OneFlow's library."""
    script = (
        LOOK_UP
        + """
names = [name for name in dir(oneflow.Tensor) if not name.startswith("_") and hasattr(oneflow, name)]
same, wrong = 0, []
for name in names:
    method, function = getattr(oneflow.Tensor, name), getattr(oneflow, name)
    have = overloads(method, True)
    if have and have == [overload[1:] for overload in overloads(function, False)]:
        mine, theirs = (answer(f, oneflow.ones(1)).split("(")[0] for f in (method, function))
        same += 1
        if mine != theirs:
            wrong.append([name, mine, theirs])
print("\\n" + json.dumps([same, wrong]))
"""
    )
    same, wrong = printed(oneflow_python, ["-c", script, str(TARGET.folder / "worker" / "built_ins.py")], tmp_path)
    assert not wrong
    assert same > 20


def test_what_is_no_built_in_or_is_not_told_has_no_signature(tmp_path: Path, oneflow_python: Interpreter) -> None:
    script = (
        LOOK_UP
        + """
print("\\n" + json.dumps([
    overloads(oneflow.Tensor.reshape, True),  # takes its arguments apart itself
    overloads(oneflow.nn.Linear, False),
    overloads(oneflow.get_default_dtype, False),
    overloads(oneflow.cat, False),
    [[parameter[:2] for parameter in overload] for overload in overloads(oneflow.Tensor.max, True)],
]))
"""
    )
    tensors, dim = ["inputs", "positional", None, "TensorTuple"], ["dim", "positional", "0", "Int64"]
    assert printed(oneflow_python, ["-c", script, str(TARGET.folder / "worker" / "built_ins.py")], tmp_path) == [
        [], [], [], [[tensors, dim]],
        [[], [["dim", "positional"], ["keepdim", "positional"]], [["other", "positional"]]],
    ]  # fmt: skip
    assert SIGNATURES["signatures"]["oneflow.cat"] == [tensors[:3], dim[:3]]
