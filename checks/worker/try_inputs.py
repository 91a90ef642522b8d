"""Builds models of a torch project and tries inputs on them: what ``check --init`` cannot read off the source.

Run in the interpreter that has torch, off the network. The job: ``project``, a list of ``entries``
(MODULE:NAME), ``settings`` (option -> default of the project's command lines), ``hints`` (entry -> specs of tensors
that its code makes), ``given`` (entry -> what a script makes the model with, by place or name), the file ``out``. For
each entry two JSON lines are appended there: {"start": entry}, so that whoever waits knows what a crash or hang was
about, then {"entry", "found", "inputs": [spec, ...], "parameters", "seconds"} or {"entry", "reason", "where"}.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import itertools
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .entry import script_folders
from .offline import refuse
from .try_building import NotTried, Settings, build, parameters_of, place, said

TRIES = 60  # combinations of candidates for the arguments of one model
SECONDS = 40.0  # for one model
LONG = 1.0  # seconds of a forward, after which a smaller model is tried
BATCH, LENGTH = 2, 16

SIDES = (64, 32, 224, 28, 128, 256)  # of images, the likely ones first

LENGTHS = re.compile(r"(?:^|_)(?:lengths?|lens?|sizes)$")
"""Names of arguments that say how long each sequence of a batch is."""

EDGES = ("edges", "edge_index", "edge_idx", "edge_indices")
"""Of arguments that say which nodes of a graph belong together, in two rows."""

INTEGER_NAMES = ("id", "ids", "idx", "index", "indices", "token", "tokens", "input_ids", "label", "labels", "target")


def attempt(entry: str, project: str, settings: Settings, hints: list[str]) -> dict[str, Any]:
    """The line for one entry.

    settings: option -> default of the project's command lines. hints: specs of tensors that its code makes.
    """
    try:
        first = tried(entry, project, settings, hints, False)
    except NotTried as error:
        smaller = shrunk(entry, project, settings, hints) if "too many" in str(error) else None
        return smaller or {"entry": entry, "reason": str(error), "where": error.where}
    return (shrunk(entry, project, settings, hints) or first) if first["seconds"] > LONG else first


def shrunk(entry: str, project: str, settings: Settings, hints: list[str]) -> Any:
    """The line for a smaller model of that entry, None where none is to be had."""
    try:
        return tried(entry, project, settings, hints, True)
    except NotTried:
        return None


def tried(entry: str, project: str, settings: Settings, hints: list[str], small: bool) -> dict[str, Any]:
    """The line of what works. Raises NotTried."""
    written, model = build(entry, project, settings, small)
    sizes = [int(size) for size in re.findall(r"=(\d+)\b", written)]
    specs, seconds = find_inputs(model, project, [*hints, *of_sizes(model)], sizes)
    parameters = sum(value.numel() for value in model.parameters())
    return {"entry": entry, "found": written, "inputs": specs, "parameters": parameters, "seconds": seconds}


def find_inputs(model: Any, project: str, hints: list[str], sizes: list[int]) -> tuple[list[str], float]:
    """(specs of inputs that the model takes, positional where they can be; seconds of a forward). Raises NotTried.

    sizes: that the model was made with.
    """
    import torch
    from torch import nn

    shaped = (nn.Embedding, nn.EmbeddingBag, nn.RNNBase, nn.modules.conv._ConvNd)
    needed = [item for item in parameters_of(model.forward) if item.default is item.empty]
    if not needed and parameters_of(model.forward):
        needed = parameters_of(model.forward)[:1]  # forward(x=None): called without it, most have nothing to do
    if not needed:
        return [], alone(model, project)
    flat = not any(isinstance(layer, shaped) for layer in model.modules())
    if flat and len(needed) > 1:  # of a state and an action, a layer may take both beside one another
        hints = [*hints, *(f"float32[{BATCH},{size}]" for size in dict.fromkeys(sizes) if size > 1)]
    choices = [candidates(item, position, model, hints) for position, item in enumerate(needed)]
    deadline = time.perf_counter() + SECONDS
    first: tuple[str, str, str | None] | None = None
    tried = 0
    for specs in itertools.islice(combinations(choices), TRIES):
        if time.perf_counter() > deadline:
            break
        tried += 1
        started = time.perf_counter()
        try:
            with torch.no_grad():
                returned = model(**{item.name: tensor(spec) for item, spec in zip(needed, specs)})
        except Exception as error:
            first = first or (", ".join(specs), said(error), place(error, project))
            continue
        if not any(isinstance(value, torch.Tensor) for value in leaves(returned)):
            raise NotTried(f"returns a {type(returned).__name__} without tensors")
        named = [item.kind is item.KEYWORD_ONLY for item in needed]
        written = [f"{item.name}={spec}" if key else spec for item, spec, key in zip(needed, specs, named)]
        return written, time.perf_counter() - started
    names = ", ".join(item.name for item in needed)
    if first is None:
        raise NotTried(f"forward({names}): no layer tells what goes in")
    raise NotTried(f"forward({names}): tried {tried} inputs, first {first[0]}: {first[1]}", first[2])


def alone(model: Any, project: str) -> float:
    """Seconds of a forward of a model that is given nothing. Raises NotTried."""
    import torch

    started = time.perf_counter()
    try:
        with torch.no_grad():
            model()
    except Exception as error:
        raise NotTried(f"forward(): {said(error)}", place(error, project)) from None
    return time.perf_counter() - started


def of_sizes(model: Any) -> list[str]:
    """Specs of sequences whose size the model's class names as what goes in: ``input_dim=80``."""
    known = [item.default for item in parameters_of(type(model)) if item.name in ("input_dim", "input_size", "n_mels")]
    return [f"float32[{BATCH},{LENGTH},{size}]" for size in known if type(size) is int and size > 1]


def candidates(item: inspect.Parameter, position: int, model: Any, hints: list[str]) -> list[str]:
    """Specs for one argument, the likely ones first: what the code itself makes, then what its layers take."""
    import torch.nn as nn

    if item.annotation in (int, "int"):
        return ["4", "1", "0"]
    if item.annotation in (float, "float"):
        return ["0.5"]
    if item.annotation in (bool, "bool"):
        return ["False"]
    found: list[str] = [spec for spec in hints if not position or spec.startswith("float")]
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
        elif not type(layer).__module__.startswith("torch."):
            own = [value for value in layer.parameters(recurse=False) if value.ndim == 2]
            found += [f"float32[{BATCH},{value.shape[0]}]" for value in own[:1]]  # input @ weight
    found = list(dict.fromkeys(found))
    indices = [spec for spec in found if spec.startswith("int")]
    name = item.name.lower()
    if position and is_state(name):
        found = [*states(model), *found]
    if position and ("mask" in name):
        found = [f"bool[{BATCH},{LENGTH}]", *found]
    elif position and name in ("t", "time", "timestep", "timesteps", "step", "steps"):
        found = [f"int64[{BATCH}]<10", f"float32[{BATCH}]", *found]
    elif position and LENGTHS.search(name):  # each as long as the batch: shorter ones have to be in order at times
        found = [f"{length}<=int64[{BATCH}]<{length + 1}" for length in (LENGTH, 64)]
    elif name in EDGES:  # as many as there are nodes, so that what is given of each may be given by a layer's size
        rows = f"int64[{BATCH}]<{BATCH}"
        found = [f"[{rows}, {rows}]", f"int64[2,{BATCH}]<{BATCH}", *found]
    elif name in ("adj", "adjacency", "adj_matrix"):
        found = [f"float32[{BATCH},{BATCH}]", *found]
    elif name in INTEGER_NAMES and position and not indices:
        found = [f"int64[{BATCH}]<10", f"int64[{BATCH},{LENGTH}]<10", *found]
    elif name in INTEGER_NAMES or name.endswith(("_ids", "_tokens")):
        found = [*indices, *(spec for spec in found if spec not in indices)]
    elif name in ("image", "images", "img", "imgs", "pixel_values"):
        found.sort(key=lambda spec: spec.count(",") != 3)
    usual = [f"float32[{BATCH},3,64,64]", f"float32[{BATCH},{LENGTH}]", f"float32[{BATCH},{LENGTH},32]"]
    return found + [spec for spec in usual if spec not in found]


def is_state(name: str) -> bool:
    return name in ("h", "hx", "hc", "carry") or "hidden" in name or "state" in name


def states(model: Any) -> list[str]:
    """Specs of the states that a method of the model makes for a number of sequences: ``init_hidden(batch)``."""
    names = [name for name in dir(model) if "init" in name and is_state(name)]
    found = []
    for made in (getattr(model, name) for name in names):
        needed = [item for item in parameters_of(made) if item.default is item.empty] if callable(made) else []
        for size in (LENGTH, BATCH):
            with contextlib.suppress(Exception):  # of whatever the project's own code raises: then it tells nothing
                found.append(spec_of(made(size)) if len(needed) == 1 else "")
    return [spec for spec in dict.fromkeys(found) if spec]


def spec_of(value: Any) -> str:
    """The spec of tensors in lists and tuples; empty for anything else."""
    if isinstance(value, (list, tuple)):
        inside = [spec_of(one) for one in value]
        text = ", ".join(inside) + ("," if isinstance(value, tuple) and len(inside) == 1 else "")
        return "" if "" in inside else f"[{text}]" if isinstance(value, list) else f"({text})"
    floating = hasattr(value, "is_floating_point") and value.is_floating_point() and value.ndim
    return f"float32[{','.join(map(str, value.shape))}]" if floating else ""


def combinations(choices: list[list[str]]) -> Iterator[list[str]]:
    """One of each, those of likely candidates first."""
    ranks: Iterator[tuple[int, ...]] = itertools.product(*[range(min(len(found), TRIES)) for found in choices])
    if len(choices) > 1:
        ranks = iter(sorted(itertools.islice(ranks, 20_000), key=sum))
    return ([found[rank] for found, rank in zip(choices, chosen)] for chosen in ranks)


def tensor(spec: str) -> Any:
    """A tensor of that spec, or the plain value."""
    import torch

    if spec.startswith(("[", "(")):
        return nested(ast.parse(spec, mode="eval").body, spec)
    low, _, bounded = spec.rpartition("<=")
    dtype, bracket, rest = bounded.partition("[")
    if not bracket:
        return json.loads(spec.lower())
    sizes, _, high = rest.partition("]")
    shape = [int(size) for size in sizes.split(",")]
    if dtype == "bool":
        return torch.ones(shape, dtype=torch.bool)
    return torch.randint(int(low or 0), int(high[1:]), shape) if dtype == "int64" else torch.randn(shape)


def nested(node: ast.expr, spec: str) -> Any:
    """The tensors of a spec that is a list or a tuple of specs."""
    if isinstance(node, (ast.List, ast.Tuple)):
        made = [nested(one, spec) for one in node.elts]
        return made if isinstance(node, ast.List) else tuple(made)
    return tensor(ast.get_source_segment(spec, node) or "")


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


def find_from(project: str, entry: str, others: list[str]) -> None:
    """Have imports start where those of the entry do.

    What other scripts imported from beside them is forgotten: what lies beside this one may have its names.

    others: folders that are looked into after the project's.
    """
    scripts = script_folders(project, entry.partition(":")[0])
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        beside = "." not in name and file.startswith(project + os.sep) and os.path.dirname(file) != project
        if beside and os.path.dirname(file) not in scripts and os.path.basename(file) == name + ".py":
            del sys.modules[name]
    sys.path[:] = [project, *scripts, *others]


def main(arguments: list[str]) -> None:
    """Arguments: the job's file."""
    job = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    project = job["project"]
    import torch

    refuse()

    torch.set_num_threads(job["threads"])
    sys.dont_write_bytecode = True  # only now: torch's compiled modules are worth keeping, the project's are not ours
    paths = job["paths"]
    installed = sys.path[1:]
    sys.argv = [project]
    os.chdir(project)
    with open(job["out"], "a", encoding="utf-8") as out:
        for entry in job["entries"]:
            find_from(project, entry, [*paths["first"], *installed, *paths["last"]])
            for line in ({"start": entry}, None):
                hints, settings = job["hints"].get(entry, []), Settings(job["settings"], job["given"].get(entry, {}))
                out.write(json.dumps(line or attempt(entry, project, settings, hints)) + "\n")
                out.flush()
    os._exit(0)  # threads that the project left behind must not keep the process alive
