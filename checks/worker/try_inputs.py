"""Builds models of a torch project and tries inputs on them: what ``check --init`` cannot read off the source.

Run in the interpreter that has torch. The job: ``project``, a list of ``entries``
(MODULE:NAME), the file ``out``. For each entry two JSON lines are appended there: {"start": entry}, so that whoever
waits knows what a crash or hang was about, then {"entry", "found", "inputs": [spec, ...], "parameters"} or {"entry",
"reason", "where"}.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import itertools
import json
import os
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TRIES = 60  # combinations of candidates for the arguments of one model
SECONDS = 40.0  # for one model
LARGEST = 1_000_000_000  # parameters: larger ones are not built here
BATCH, LENGTH = 2, 16
SIZES = {
    "n_channels in_channels in_chans channels input_channels": 3,
    "num_classes n_classes nclass out_channels n_class classes": 10,
    "vocab_size ntoken num_tokens n_vocab vocab num_embeddings": 100,
    "dim d_model hidden_size hidden_dim embed_dim n_embd emb_dim embedding_dim input_dim in_features input_size": 64,
    "out_features output_dim output_size latent_dim": 32,
    "mlp_dim": 128,
    "image_size img_size": 64,
    "patch_size": 8,
    "heads n_head num_heads nhead n_heads": 4,
    "depth num_layers n_layer n_layers nlayers": 2,
}
"""Arguments of constructors by their usual names."""

SIDES = (64, 32, 224, 28, 128, 256)  # of images, the likely ones first

INTEGER_NAMES = ("id", "ids", "idx", "index", "indices", "token", "tokens", "input_ids", "label", "labels", "target")


class NotTried(Exception):
    """Why there is no input; ``where`` is file:line in the project, when known."""

    def __init__(self, message: str, where: str | None = None) -> None:
        super().__init__(message)
        self.where = where


def attempt(entry: str, project: str) -> dict[str, Any]:
    """The line for one entry."""
    try:
        written, model = build(entry, project)
        specs = find_inputs(model, project)
    except NotTried as error:
        return {"entry": entry, "reason": str(error), "where": error.where}
    parameters = sum(value.numel() for value in model.parameters())
    return {"entry": entry, "found": written, "inputs": specs, "parameters": parameters}


def build(entry: str, project: str) -> tuple[str, Any]:
    """(the entry with the arguments that it needs, the model in eval mode). Raises NotTried."""
    import torch

    module_name, _, name = entry.partition(":")
    try:
        module = importlib.import_module(module_name)
        make = getattr(module, name)
    except (Exception, SystemExit) as error:
        raise NotTried(f"importing {module_name}: {said(error)}", place(error, project)) from None
    required = [item for item in parameters_of(make) if item.default is item.empty]
    arguments: dict[str, tuple[str, Any]] = {}
    for item in required:
        supposed = argument(item, name, module)
        if supposed is None:
            raise NotTried("needs arguments: " + ", ".join(item.name for item in required))
        arguments[item.name] = supposed
    written = ", ".join(f"{key}={text}" for key, (text, _) in arguments.items())
    written = f"{entry}({written})" if written else entry
    torch.manual_seed(0)
    try:
        refuse_large(lambda: make(**{key: value() for key, (_, value) in arguments.items()}))
        model = make(**{key: value() for key, (_, value) in arguments.items()})
    except NotTried:
        raise
    except (Exception, SystemExit) as error:
        raise NotTried(f"building it: {said(error)}", place(error, project)) from None
    if not isinstance(model, torch.nn.Module):
        raise NotTried(f"it returns {type(model).__name__}, no module")
    return written, model.eval()


def argument(item: inspect.Parameter, name: str, module: Any) -> tuple[str, Any] | None:
    """(as it is written, a function that makes it), for an argument of a constructor whose value can be supposed.

    A configuration whose class needs nothing itself: ``config: GPTConfig``, or ``config`` beside a class GPTConfig.
    A size whose name says what it is, and for which any value is as good: ``num_classes``.
    """
    kind = item.annotation
    if kind is item.empty and item.name in ("config", "cfg", "args", "hparams"):
        kind = name + "Config"
    kind = getattr(module, kind, None) if isinstance(kind, str) else kind
    if isinstance(kind, type) and kind.__module__ == module.__name__:
        if all(inner.default is not inner.empty for inner in parameters_of(kind)):
            return kind.__name__ + "()", kind
        return None
    size = next((value for names, value in SIZES.items() if item.name in names.split()), None)
    return None if size is None else (str(size), lambda: size)


def refuse_large(make: Any) -> None:
    """Raise NotTried for a model that would fill the memory: its size is known on torch's meta device."""
    import torch

    try:
        with torch.device("meta"):
            size = sum(value.numel() for value in make().parameters())
    except Exception:
        return  # its constructor wants real values: then it is built, and tells its own faults
    if size > LARGEST:
        raise NotTried(f"has {size / 1e9:.1f}G parameters, too many to try here")


def find_inputs(model: Any, project: str) -> list[str]:
    """Specs of inputs that the model takes, positional where they can be. Raises NotTried."""
    import torch

    needed = [item for item in parameters_of(model.forward) if item.default is item.empty]
    if not needed and parameters_of(model.forward):
        needed = parameters_of(model.forward)[:1]  # forward(x=None): called without it, most have nothing to do
    if not needed:
        return []
    choices = [candidates(item, position, model) for position, item in enumerate(needed)]
    deadline = time.perf_counter() + SECONDS
    first: tuple[str, str, str | None] | None = None
    tried = 0
    for specs in itertools.islice(combinations(choices), TRIES):
        if time.perf_counter() > deadline:
            break
        tried += 1
        try:
            with torch.no_grad():
                returned = model(**{item.name: tensor(spec) for item, spec in zip(needed, specs)})
        except Exception as error:
            first = first or (", ".join(specs), said(error), place(error, project))
            continue
        if not any(isinstance(value, torch.Tensor) for value in leaves(returned)):
            raise NotTried(f"returns a {type(returned).__name__} without tensors")
        named = [item.kind is item.KEYWORD_ONLY for item in needed]
        return [f"{item.name}={spec}" if key else spec for item, spec, key in zip(needed, specs, named)]
    names = ", ".join(item.name for item in needed)
    if first is None:
        raise NotTried(f"forward({names}): no layer tells what goes in")
    raise NotTried(f"forward({names}): tried {tried} inputs, first {first[0]}: {first[1]}", first[2])


def candidates(item: inspect.Parameter, position: int, model: Any) -> list[str]:
    """Specs for one argument, the likely ones first."""
    import torch.nn as nn

    if item.annotation in (int, "int"):
        return ["4", "1", "0"]
    if item.annotation in (float, "float"):
        return ["0.5"]
    if item.annotation in (bool, "bool"):
        return ["False"]
    found: list[str] = []
    for layer in model.modules():
        if isinstance(layer, (nn.Embedding, nn.EmbeddingBag)):
            found += [f"int64[{shape}]<{layer.num_embeddings}" for shape in (f"{BATCH},{LENGTH}", str(BATCH))]
        elif isinstance(layer, (nn.Conv2d, nn.ConvTranspose2d)):
            found += [f"float32[{BATCH},{layer.in_channels},{side},{side}]" for side in SIDES]
        elif isinstance(layer, (nn.Conv1d, nn.ConvTranspose1d)):
            found += [f"float32[{BATCH},{layer.in_channels},{length}]" for length in (64, 256, 1024)]
        elif isinstance(layer, (nn.Conv3d, nn.ConvTranspose3d)):
            found += [f"float32[{BATCH},{layer.in_channels},{side},{side},{side}]" for side in (16, 32)]
        elif isinstance(layer, nn.Linear):
            size = layer.in_features
            found += [f"float32[{BATCH},{size}]", f"float32[{BATCH},{LENGTH},{size}]"]
            side = round((size / 3) ** 0.5)
            found += [
                f"float32[{BATCH},{c},{s},{s}]" for c, s in ((1, round(size**0.5)), (3, side)) if c * s * s == size
            ]
        elif isinstance(layer, (nn.RNNBase, nn.RNNCellBase)):
            shape = [str(BATCH)] if isinstance(layer, nn.RNNCellBase) else [str(BATCH), str(LENGTH)]
            found.append("float32[{}]".format(",".join([*shape, str(layer.input_size)])))
        elif isinstance(layer, nn.MultiheadAttention):
            found.append(f"float32[{BATCH},{LENGTH},{layer.embed_dim}]")
        elif isinstance(layer, (nn.LayerNorm, nn.RMSNorm)):
            found.append("float32[{}]".format(",".join(map(str, [BATCH, LENGTH, *layer.normalized_shape]))))
        elif isinstance(layer, (nn.BatchNorm1d, nn.BatchNorm2d)):
            side = ",16,16" if isinstance(layer, nn.BatchNorm2d) else ""
            found.append(f"float32[{BATCH},{layer.num_features}{side}]")
    found = list(dict.fromkeys(found))
    indices = [spec for spec in found if spec.startswith("int")]
    name = item.name.lower()
    if position and ("mask" in name):
        found = [f"bool[{BATCH},{LENGTH}]", *found]
    elif position and name in ("t", "time", "timestep", "timesteps", "step", "steps"):
        found = [f"int64[{BATCH}]<10", f"float32[{BATCH}]", *found]
    elif name in INTEGER_NAMES and position and not indices:
        found = [f"int64[{BATCH}]<10", f"int64[{BATCH},{LENGTH}]<10", *found]
    elif name in INTEGER_NAMES or name.endswith(("_ids", "_tokens")):
        found = [*indices, *(spec for spec in found if spec not in indices)]
    elif name in ("image", "images", "img", "imgs", "pixel_values"):
        found.sort(key=lambda spec: spec.count(",") != 3)
    usual = [f"float32[{BATCH},3,64,64]", f"float32[{BATCH},{LENGTH}]", f"float32[{BATCH},{LENGTH},32]"]
    return found + [spec for spec in usual if spec not in found]


def combinations(choices: list[list[str]]) -> Iterator[list[str]]:
    """One of each, those of likely candidates first."""
    ranks: Iterator[tuple[int, ...]] = itertools.product(*[range(min(len(found), TRIES)) for found in choices])
    if len(choices) > 1:
        ranks = iter(sorted(itertools.islice(ranks, 20_000), key=sum))
    return ([found[rank] for found, rank in zip(choices, chosen)] for chosen in ranks)


def tensor(spec: str) -> Any:
    """A tensor of that spec, or the plain value."""
    import torch

    dtype, bracket, rest = spec.partition("[")
    if not bracket:
        return json.loads(spec.lower())
    sizes, _, high = rest.partition("]")
    shape = [int(size) for size in sizes.split(",")]
    if dtype == "bool":
        return torch.ones(shape, dtype=torch.bool)
    return torch.randint(int(high[1:]), shape) if dtype == "int64" else torch.randn(shape)


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    elif hasattr(value, "__dataclass_fields__"):
        yield from leaves(list(vars(value).values()))
    else:
        yield value


def parameters_of(called: Any) -> list[inspect.Parameter]:
    """Those that a caller may fill, *args and **kwargs left out."""
    try:
        found = inspect.signature(called).parameters.values()
    except ValueError:  # a builtin without a signature
        return []
    return [item for item in found if item.kind not in (item.VAR_POSITIONAL, item.VAR_KEYWORD)]


def said(error: BaseException) -> str:
    line = (str(error).strip().splitlines() or [""])[0]
    return "{}: {}".format(type(error).__name__, line if len(line) < 160 else line[:157] + "...")


def place(error: BaseException, project: str) -> str | None:
    """file:line of the innermost frame in the project."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(project)]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else None


def main(arguments: list[str]) -> None:
    """Arguments: the job's file."""
    job = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    project = job["project"]
    import torch

    torch.set_num_threads(job["threads"])
    sys.dont_write_bytecode = True  # only now: torch's compiled modules are worth keeping, the project's are not ours
    paths = job["paths"]
    sys.path[:] = [project, *paths["first"], *sys.path[1:], *paths["last"]]
    sys.argv = [project]
    os.chdir(project)
    with open(job["out"], "a", encoding="utf-8") as out:
        for entry in job["entries"]:
            for line in ({"start": entry}, None):
                out.write(json.dumps(line or attempt(entry, project)) + "\n")
                out.flush()
    os._exit(0)  # threads that the project left behind must not keep the process alive
