"""Which results share memory with what they were made from: torch against a target.

    python -m migrate.sharing TARGET

Writes ``rewriters/targets/TARGET/records/copies.json``, by torch's canonical names, each with the calls that showed it:

* ``copies``: torch gives a view, the converted call a copy;
* ``copies of strided``: as before, but only of a tensor that is itself a transposed or sliced view (one that is so by
  the stride of an axis of one element alone lies in one piece in torch, and counts as whole);
* ``shares``: torch gives a copy, the converted call shares memory;
* ``shares of strided``: as before, but only of a transposed or sliced view;
* ``itself``: torch gives another tensor, the converted call the very one that it is of;
* ``another``: torch gives the very tensor that it is of, the converted call another one in its memory;
* ``its shape``: the converted call's is another one, too, yet ``unsqueeze_`` and the like change the shape of both.

Each call is converted as a project's code is, in a function whose callers are not seen (what is known to be a copy is
made to share there), and run in both interpreters: what it was made from is filled with another number, and whoever
changes with it, at once and each time of several, shares its memory. OneFlow's tensors and arrays do share, but what
changes a tensor may arrive later than the next line reads the array: that is a copy here.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from migrate.environments import find_interpreter
from rewriters.convert import convert_sources
from rewriters.storing import replace_text
from rewriters.target import Target, load_target
from rewriters.torch.table import canonical, entry

#: How ``x`` lies in the memory of ``base``, of 4 by 6 numbers.
RECEIVERS = {
    "whole": "base",
    "transposed": "base.t()",
    "columns": "base[:, :4]",
    "steps": "base[::2]",
    "row": "base[1]",
    "column": "base[:, 1]",
    "thin": "base[1:2].t()",
}

#: Calls of a function and of the method of that name, without the tensor.
BOTH = {
    "adjoint": "",
    "chunk": "2; 2, 1; 3, dim=-1",
    "conj": "",
    "detach": "",
    "diagonal": "; 1; 0, 0, 1",
    "flatten": "; 0, 1; 1",
    "index_select": "0, index",
    "moveaxis": "0, 1; (0, 1), (1, 0)",
    "movedim": "0, 1",
    "narrow": "0, 1, 2; 1, 1, 2",
    "permute": "(1, 0)",
    "positive": "",
    "ravel": "",
    "reshape": "(2, -1); (-1,); x.shape",
    "resolve_conj": "",
    "resolve_neg": "",
    "select": "0, 1; 1, -1",
    "split": "1; 2, 1; [1, 1], -1",
    "split_with_sizes": "[1, 1]; [1, 1], 1",
    "squeeze": "; 0; -1",
    "swapaxes": "0, 1",
    "swapdims": "0, 1",
    "t": "",
    "tensor_split": "2; 2, 1; (1,)",
    "transpose": "0, 1; -1, -2",
    "unbind": "; 1",
    "unflatten": "0, (-1, 1); 1, (2, -1)",
    "unsqueeze": "0; -1",
    "hsplit": "2",
    "vsplit": "2",
    "broadcast_to": "(3, *x.shape); x.shape",
    "clone": "",
    "flip": "(0,)",
    "roll": "0, 0; 0",
    "tile": "(1, 1)",
    "clamp": "min=-1e9",
    "masked_fill": "x > 1e9, 0.0",
    "round": "",
    "abs": "",
    "relu": "",
    "nan_to_num": "",
    "sum": "0; (0,)",
    "real": "",
    "take_along_dim": "index2, 0",
    "triu": "-99",
}
METHODS = {
    "as_strided": "(2, 2), (1, 2)",
    "contiguous": "",
    "cpu": "",
    "double": "",
    "expand": "-1, -1; 3, -1, -1; x.shape",
    "expand_as": "x",
    "float": "",
    "repeat": "1, 1",
    "reshape_as": "torch.zeros(x.shape)",
    "to": "torch.float32; 'cpu'; x; torch.float32, copy=True",
    "type": "torch.float32",
    "type_as": "x",
    "unfold": "0, 1, 1; 0, 2, 1; 1, 2, 2",
    "view": "x.shape; torch.int32",
    "view_as": "x",
    "numpy": "",
    "new_tensor": "x",
    "sum_to_size": "x.shape",
    "to_dense": "",
    "tolist": "",
}
PROPERTIES = ("T", "mT", "H", "mH", "data", "real", "imag")
SUBSCRIPTS = ("0", ":, 1", "1:", ":, ::2", "None", "...", "-1, -1", "index", ":, index", "x > -1e9")
FUNCTIONS = {
    "torch.as_tensor": "torch.as_tensor(x)",
    "torch.asarray": "torch.asarray(x)",
    "torch.atleast_1d": "torch.atleast_1d(x)",
    "torch.atleast_2d": "torch.atleast_2d(x)",
    "torch.atleast_3d": "torch.atleast_3d(x)",
    "torch.broadcast_tensors": "torch.broadcast_tensors(x, x[None])",
    "torch.dsplit": "torch.dsplit(x.unsqueeze(0), 2)",
    "torch.from_numpy": "torch.from_numpy(x.numpy())",
    "torch.meshgrid": "torch.meshgrid(x[0], x[1], indexing='ij')",
    "torch.tensor": "torch.tensor(x)",
    "numpy.asarray": "numpy.asarray(x)",
    "numpy.asanyarray": "numpy.asanyarray(x)",
    "numpy.ascontiguousarray": "numpy.ascontiguousarray(x)",
    "copy.copy": "copy.copy(x)",
    "torch.cat": "torch.cat([x])",
    "torch.stack": "torch.stack([x])",
    "torch.where": "torch.where(x > -1e9, x, 0.0)",
    "torch.einsum": "torch.einsum('ij->ji', x)",
    "torch.view_as_complex": "torch.view_as_complex(x.unflatten(1, (-1, 2)))",
    "torch.view_as_real": "torch.view_as_real(torch.view_as_complex(x.unflatten(1, (-1, 2))))",
    "torch.Tensor.flatten": "x.unsqueeze(0).flatten(0, 1)",
    "torch.nn.Flatten": "nn.Flatten(0)(x)",
    "torch.nn.Unflatten": "nn.Unflatten(0, (1, -1))(x)",
    "torch.nn.Identity": "nn.Identity()(x)",
    "torch.nn.Dropout": "nn.Dropout(0.5).eval()(x)",
    "torch.nn.functional.dropout": "F.dropout(x, 0.5, False)",
    "torch.nn.functional.pad": "F.pad(x, (0, 0))",
    "torch.nn.Parameter": "nn.Parameter(x)",
    "torch.nn.functional.threshold": "F.threshold(x, -1e9, 0.0)",
    "torch.nn.functional.unfold": "F.unfold(x[None, None], 1)",
    "torch.Tensor.requires_grad_": "x.requires_grad_(False)",
    "torch.autograd.Variable": "torch.autograd.Variable(x)",
    "torch.Tensor.squeeze": "x.unsqueeze(1).squeeze(1)",
    "torch.Tensor.detach": "x.detach().cpu()",
    "torch.Tensor.numpy": "x.detach().numpy()",
    "torch.Tensor.__getitem__": "x[0:2, 1:3]",
}

#: Tensors made of an array ``a``, which are written to.
ARRAYS = {
    "torch.from_numpy": "torch.from_numpy(a)",
    "torch.as_tensor": "torch.as_tensor(a)",
    "torch.Tensor": "torch.Tensor(a)",
    "torch.FloatTensor": "torch.FloatTensor(a)",
}

ARRAY_HEAD = """\
import numpy
import torch


def form(a: numpy.ndarray):
    return {call}


def run():
    a = numpy.arange(24.0, dtype="float32").reshape(4, 6)
    made = eval("form")(a)
    made.fill_(99.0)
    return [a[0, 1] == 99.0], False


def reshape():
    return False
"""

HEAD = """\
import copy
import numpy
import torch
import torch.nn as nn
import torch.nn.functional as F


def form(x: torch.Tensor, index: torch.Tensor, index2: torch.Tensor):
    return {call}


def run():
    base = torch.arange(24.0).reshape(4, 6)
    index = torch.tensor([0, 1])
    x = {receiver}
    index2 = torch.zeros(x.shape, dtype=torch.int64)
    made = eval("form")(x, index, index2)
    pieces = list(made) if isinstance(made, (list, tuple)) else [made]
    before = [numbers(piece) for piece in pieces]
    same = any(piece is x for piece in pieces)
    base.fill_(99.0)
    return [numbers(piece) != first for piece, first in zip(pieces, before)], same


def reshape():
    base = torch.arange(24.0).reshape(4, 6)
    index = torch.tensor([0, 1])
    x = {receiver}
    index2 = torch.zeros(x.shape, dtype=torch.int64)
    made = eval("form")(x, index, index2)
    axes = len(x.shape)
    if isinstance(made, torch.Tensor):
        made.unsqueeze_(0)
    return len(x.shape) != axes


def numbers(piece):
    return repr(piece.tolist())
"""

RUNNER = """\
import importlib, json, sys
sys.path.insert(0, ".")
def shapes(module):
    try:
        return module.reshape()
    except BaseException:  # a shape that does not change in place changes nothing else
        return False
for name in json.load(open("names.json")):
    try:
        module = importlib.import_module(name)
        ran = [module.run() for _ in range(6)]
        found = [all(all(changed) for changed, _ in ran), ran[0][1], shapes(module)]
    except BaseException as error:  # that of a mark is no Exception
        found = repr(error)[:200]
    print("\\n@" + json.dumps([name, found]), flush=True)
"""


def calls() -> Iterator[tuple[str, str]]:
    """Canonical names and calls of them on ``x``."""
    for name, forms in BOTH.items():
        for arguments in (part.strip() for part in forms.split(";")):
            yield f"torch.Tensor.{name}", f"x.{name}({arguments})"
            if entry(f"torch.{name}") or entry(canonical(f"torch.{name}")):
                yield f"torch.{name}", f"torch.{name}(x{', ' if arguments else ''}{arguments})"
    for name, forms in METHODS.items():
        yield from ((f"torch.Tensor.{name}", f"x.{name}({part.strip()})") for part in forms.split(";"))
    yield from ((f"torch.Tensor.{name}", f"x.{name}") for name in PROPERTIES)
    yield from (("torch.Tensor.__getitem__", f"x[{text}]") for text in SUBSCRIPTS)
    yield from FUNCTIONS.items()


Answer = tuple[bool, bool, bool] | str


def answers(interpreter_of: str, programs: dict[str, str], helpers: dict[str, str]) -> dict[str, Answer]:
    """For each program whether all results changed, one is what it is of, one shapes that; or how it failed."""
    interpreter = find_interpreter(interpreter_of)
    found: dict[str, Answer] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**programs, **helpers}.items():
            Path(folder, f"{name}.py").write_text(text)
        while left := sorted(programs.keys() - found.keys()):
            Path(folder, "names.json").write_text(json.dumps(left))
            done = subprocess.run(
                [str(interpreter.python), "-c", RUNNER],
                cwd=folder,
                env=interpreter.environ(),
                capture_output=True,
                text=True,
                check=False,
            )
            lines = [line[1:] for line in done.stdout.splitlines() if line.startswith("@")]
            for name, one in map(json.loads, lines):
                found[name] = one if isinstance(one, str) else tuple(one)
            if not lines and len(left) == len(programs):
                raise SystemExit(done.stderr[-2000:])
            if done.returncode:
                found[next(name for name in left if name not in found)] = "the process ended"
    return found


def differences(target: Target) -> dict[str, dict[str, list[str]]]:
    """What ``copies.json`` holds."""
    listed = [(name, call, receiver) for name, call in calls() for receiver in RECEIVERS]
    listed += [(name, call, "array") for name, call in ARRAYS.items()]
    sources = {
        f"call{number}": (HEAD if receiver in RECEIVERS else ARRAY_HEAD).format(
            call=call, receiver=RECEIVERS.get(receiver, "")
        )
        for number, (_, call, receiver) in enumerate(listed)
    }
    done = convert_sources({PurePosixPath(f"{n}.py"): text.encode() for n, text in sources.items()}, target)
    converted = {path.stem: data.decode() for path, data in done.files.items()}
    helpers = {path.stem: text for path, text in done.helpers.items()}
    ours, theirs = answers("torch", sources, {}), answers(target.name, converted, helpers)
    kinds = ("copies", "copies of strided", "shares", "shares of strided", "itself", "another", "its shape")
    found: dict[str, dict[str, list[str]]] = {kind: defaultdict(list) for kind in kinds}
    for number, (name, call, receiver) in enumerate(listed):
        before, after = ours[f"call{number}"], theirs[f"call{number}"]
        if isinstance(before, str) or isinstance(after, str):
            if isinstance(after, str) and not isinstance(before, str):
                print(f"{receiver}: {call}: {after}")
            continue
        if before[0] != after[0]:
            found["shares" if after[0] else "copies"][canonical(name)].append(f"{receiver}: {call}")
        if after[1] and not before[1]:
            found["itself"][canonical(name)].append(f"{receiver}: {call}")
        elif before[1] and not after[1] and after[0]:
            found["another"][canonical(name)].append(f"{receiver}: {call}")
        elif after[2] and not before[2]:
            found["its shape"][canonical(name)].append(f"{receiver}: {call}")
    for kind in ("copies", "shares"):
        for name, forms in list(found[kind].items()):
            if not any(form.startswith(("whole:", "array:", "thin:")) for form in forms):
                found[f"{kind} of strided"][name] = found[kind].pop(name)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("target")
    target = load_target(parser.parse_args().target)
    path = target.records / "copies.json"
    found = differences(target)
    replace_text(path, json.dumps(found, indent=1, sort_keys=True) + "\n")
    print(f"{', '.join(f'{len(names)} {kind}' for kind, names in found.items())} -> {path}")


if __name__ == "__main__":
    main()
