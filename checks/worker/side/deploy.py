"""Models as they are deployed: saved by the framework that a side has, or loaded by a back end.

What is saved is called over tensors alone, in the order of the artefact's inputs, and returns tensors alone; its
manifest says into which arguments and results they belong.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, Dict

from .. import arrays, entry, nested
from ..structure import walk
from . import intermediate
from .static import rebuilt, skeleton
from .subject import Failed

Job = Dict[str, Any]


def read_own(subject: Any, tools: Any, path: str) -> None:
    """Fill the model from a checkpoint of the framework's own."""
    subject.enter("state")
    try:
        found = tools.read_checkpoint(path)
    except Exception as error:
        said = f"{type(error).__name__}: {error}".splitlines()[0]
        raise Failed(f"{path} is no checkpoint of the framework's own: {said}", checkpoint=True) from None
    if not isinstance(found, dict):
        raise Failed(f"{path} holds a {type(found).__name__}, no parameters by name", checkpoint=True)
    runtime = subject.runtime
    given = {name: runtime.array(value) if runtime.is_tensor(value) else value for name, value in found.items()}
    subject.fill({name: value for name, value in given.items() if hasattr(value, "shape")})


def save(subject: Any, tools: Any, job: Job) -> Job:
    """Save the model to ``folder``, in the ``form`` that is asked for; what the manifest says of it.

    inputs:     the folder of arrays, named ``0:PATH``; positional, keywords: as ``checks.worker.nested`` has them.
    axes:       path of a tensor -> axis -> name, of those whose size is free.
    opset:      of ONNX; None for the exporter's own.
    layers:     the folder for what layers return (``intermediate``), or None.
    """
    subject.enter("inputs")
    if not subject.is_module:
        raise Failed("a function cannot be exported", odd="function")
    runtime, model = subject.runtime, subject.call
    paths = order(job["positional"], job["keywords"])
    given = arrays.read(job["inputs"])
    inputs = [runtime.tensor(given["0:" + path]) for path in paths]

    def fill(values: Any) -> Any:
        by_path = dict(zip(paths, values))
        args = [nested.build(node, by_path.__getitem__) for node in job["positional"]]
        return args, {key: nested.build(node, by_path.__getitem__) for key, node in job["keywords"].items()}

    subject.reseed()
    subject.evaluate()
    with runtime.no_grad(), intermediate.kept(subject, job.get("layers")) as kept:
        args, kwargs = fill(inputs)
        returned = model(*args, **kwargs)
    results = tools.tensors(returned)
    if not results or len(results) < len(walk(returned, runtime)[0]):
        what = f"{subject.text} returns a {type(returned).__name__}"
        raise Failed(f"{what}, of which not every tensor lies in tuples, lists and dicts", odd=type(returned).__name__)
    shape = skeleton(returned, runtime, {id(value): number for number, value in enumerate(results)})
    names = named(subject, paths, len(job["positional"]))
    if kept is not None:
        kept.write(job["layers"], {name: given["0:" + path] for name, path in zip(names, paths)})
    subject.enter("export")
    asked = {
        "form": job["form"],
        "names": names,
        "axes": {name: job["axes"].get(path, {}) for name, path in zip(names, paths)},
        "opset": job["opset"],
        "project": subject.project,
        "entry": subject.text,
        "arguments": {"positional": job["positional"], "keywords": job["keywords"], "paths": paths},
        "readers": [str(nested.__file__), str(entry.__file__)],
    }
    with runtime.no_grad():
        done = tools.save(model, fill, inputs, job["folder"], asked)
    shapes = done.pop("shapes", None) or [list(value.shape) for value in results]
    if len(shapes) != len(results):
        raise Failed(f"{len(results)} tensors are returned, {len(shapes)} were exported", odd="outputs")
    outputs = zip(output_names(shape), output_paths(shape), results)
    return {
        **done,
        "inputs": [described(runtime, *item) for item in zip(names, paths, inputs)],
        "outputs": [{**described(runtime, *item), "shape": sizes} for item, sizes in zip(outputs, shapes)],
        "structure": shape,
    }


def described(runtime: Any, name: str, path: str, value: Any) -> Job:
    """A tensor of an artefact; sizes as in the example."""
    return {
        "name": name,
        "path": path,
        "dtype": runtime.dtype(value),
        "shape": [int(size) for size in value.shape],
    }


def order(positional: Any, keywords: Any) -> list[str]:
    """Paths of the tensors in arguments, in the order of an artefact's inputs."""
    return [name for node in [*positional, *keywords.values()] for name in nested.names(node)]


def named(subject: Any, paths: list[str], positional: int) -> list[str]:
    """A name for each tensor in the arguments: its parameter's, with what leads to it inside."""
    called = getattr(subject.call, "forward", subject.call)
    parameters = []
    for item in inspect.signature(called).parameters.values():
        if item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD):
            parameters.append(item.name)
    found = []
    for path in paths:
        head, bracket, rest = path.partition("[")
        if head.isdigit() and int(head) < positional:
            head = parameters[int(head)] if int(head) < len(parameters) else f"input_{head}"
        found.append(plain(head + bracket + rest))
    return unique(found)


def plain(path: str) -> str:
    """A path as an identifier: ``x[0]['ids']`` -> ``x_0_ids``."""
    return re.sub(r"\W+", "_", path).strip("_")


def output_paths(shape: Any) -> list[str]:
    """Where each tensor stands in what the model returns."""
    found: dict[int, str] = {}

    def walk(node: Any, path: str) -> None:
        if isinstance(node, int):
            found[node] = path
        elif node is not None:
            ((kind, items),) = node.items()
            pairs = items if kind == "dict" else enumerate(items)
            for key, item in pairs:
                walk(item, f"{path}[{key!r}]")

    walk(shape, "output")
    return [found[number] for number in sorted(found)]


def output_names(shape: Any) -> list[str]:
    """A name for each: the key under which a mapping has it, else ``output``, ``output_0``."""
    return unique([plain(re.sub(r"^output(?=\['[A-Za-z_])", "", path)) for path in output_paths(shape)])


def unique(names: list[str]) -> list[str]:
    """Names, one that was there before with a number."""
    found: list[str] = []
    for name in names:
        again = (f"{name}_{number}" for number in range(2, len(names) + 2))
        found.append(name if name not in found else next(other for other in again if other not in names + found))
    return found


def loaded(tools: Any, folder: str, manifest: Job, threads: int) -> Any:
    """What runs the artefact. Raises Failed where the back end does not load it."""
    try:
        return tools.load(folder, manifest, threads)
    except Exception as error:
        raise Failed(f"does not load it: {said(error)}", artefact=True) from None


def said(error: BaseException) -> str:
    """Kind and message in a line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines[:3])}"[:400]


class Artefact:
    """What a back end has loaded, called as the model is."""

    def __init__(self, run: Any, manifest: Job, positional: Any, keywords: Any, watch: Any = None) -> None:
        self.run, self.manifest, self.watch = run, manifest, watch
        self.paths = order(positional, keywords)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return rebuilt(
            self.manifest["structure"], self.answers(dict(zip(self.paths, leaves([*args, *kwargs.values()]))))
        )

    def layers(self, *args: Any, **kwargs: Any) -> Any:
        """(call of a layer, its tensor in the artefact) of those that are known."""
        given = dict(zip(self.paths, leaves([*args, *kwargs.values()])))
        names = self.manifest["layers"]
        found = self.watch([given[item["path"]] for item in self.manifest["inputs"]])
        return [(call, found[name]) for call, name in names.items()]

    def answers(self, given: Job) -> Any:
        """Its outputs, in order, for arrays by their paths. Raises Failed."""
        try:
            returned = self.run([given[item["path"]] for item in self.manifest["inputs"]])
        except Exception as error:
            if getattr(error, "status", None) == 0:  # of a server: nothing answers
                raise Failed(said(error), artefact=True) from None
            raise Failed(f"the artefact refuses inputs of these sizes: {said(error)}") from None
        wanted = len(self.manifest["outputs"])
        if len(returned) != wanted:
            raise Failed(f"the artefact returns {len(returned)} tensors, its manifest has {wanted}")
        return returned


def leaves(value: Any) -> list[Any]:
    """The arrays in arguments, in order."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [found for item in value for found in leaves(item)]
    return [value] if hasattr(value, "shape") else []
