"""An exporter's .onnx as it is handed out: ``python finish_onnx.py JOB``, in the interpreter that has ONNX Runtime.

The job, JSON: ``model`` (the file, written over), ``inputs`` and ``outputs`` (of the manifest), ``axes`` (input ->
axis -> name), ``fold`` (whether onnxslim folds constants), ``about`` (metadata), ``layers`` (a folder of what layers
return, or None), ``largest`` (bytes of a file; weights of more lie in one beside), ``done`` (the file for the
answer). The answer: inputs and outputs as the file has them, opset, nodes, files; or {"error": ...}.
"""

from __future__ import annotations

import os

import numpy as np
import onnx
import onnxruntime

# They lie beside this script.
from answering import Refused, answer  # isort: skip
from array_folders import paths  # isort: skip

DATA = "model.onnx.data"

ALIKE = 1e-4
"""How far the values of one tensor may be apart, in another framework, relative."""


def finish(job):
    """Do it; the answer."""
    model, beside = read(job["model"], job["largest"])
    graph = model.graph
    if len(graph.output) != len(job["outputs"]):
        raise Refused(
            f"the exporter wrote {len(graph.output)} outputs, the model returns {len(job['outputs'])} tensors"
        )
    for value, sizes, told in zip(graph.output, inferred(model), job["outputs"], strict=True):
        as_told(graph, value, sizes, told)
    rename(graph, {old.name: new["name"] for old, new in zip(graph.output, job["outputs"], strict=True)})
    name_axes(graph, job["axes"])
    if beside and job["layers"]:
        raise Refused("--layers is for models of 2 GB at most: export without it")
    if job["fold"] and not beside:
        import onnxslim

        model = onnxslim.slim(model)
        if model is None:
            raise Refused("onnxslim gave no model back: export with --no-fold")
        graph = model.graph
    del model.metadata_props[:]
    onnx.helper.set_model_props(model, job["about"])
    files = ["model.onnx"]
    if beside:
        place_beside(model, job["model"])
        files.append(DATA)
    onnx.save(model, job["model"])
    onnx.checker.check_model(job["model"])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(job["model"], options, providers=["CPUExecutionProvider"])
    held = {item.name for item in session.get_inputs()}
    return {
        "inputs": [item for item in job["inputs"] if item["name"] in held],
        "outputs": [
            {**told, "name": item.name, "shape": [size if isinstance(size, int) else None for size in item.shape]}
            for told, item in zip(job["outputs"], session.get_outputs(), strict=True)
        ],
        "opset": next(item.version for item in model.opset_import if item.domain in ("", "ai.onnx")),
        "nodes": len(graph.node),
        "files": files,
        "layers": layer_tensors(model, job["layers"]) if job["layers"] else None,
    }


def read(path, largest):
    """The exporter's model, and whether its weights are so many bytes that they stay in a file beside it: then without
    them.
    """
    bare = onnx.load(path, load_external_data=False)
    named = {os.path.join(os.path.dirname(path), name) for name in locations(bare)}
    if os.path.getsize(path) + sum(map(os.path.getsize, named)) > largest and named:
        return bare, True
    return onnx.load(path), False


def locations(model):
    """The files in which the model's weights lie."""
    for tensor in model.graph.initializer:
        if onnx.external_data_helper.uses_external_data(tensor):
            yield onnx.external_data_helper.ExternalDataInfo(tensor).location


def place_beside(model, path):
    """Call the one file of weights as those are called that are handed out."""
    names = set(locations(model))
    if len(names) > 1:
        raise Refused(f"the exporter wrote weights into {len(names)} files")
    folder = os.path.dirname(path)
    os.replace(os.path.join(folder, *names), os.path.join(folder, DATA))
    for tensor in model.graph.initializer:
        for entry in tensor.external_data:
            if entry.key == "location":
                entry.value = DATA


def layer_tensors(model, folder):
    """Call of a layer -> the tensor of the graph that is what it returned, found by its values.

    folder: arrays ``layer:CALL`` and ``input:NAME``. Layers that were folded into others have none.
    """
    arrays = {name: np.load(path) for name, path in paths(folder).items()}
    names = [name for node in model.graph.node for name in node.output if name]
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    held = {value.name for value in model.graph.output}
    watched.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names if name not in held)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(watched.SerializeToString(), options, providers=["CPUExecutionProvider"])
    given = {item.name: arrays[f"input:{item.name}"] for item in session.get_inputs()}
    values = dict(zip([item.name for item in session.get_outputs()], session.run(None, given), strict=True))
    by_shape = {}
    for name in names:
        if isinstance(values[name], np.ndarray) and values[name].dtype.kind == "f":
            by_shape.setdefault(values[name].shape, []).append(name)
    found = {}
    for key, array in arrays.items():
        if key.startswith("layer:"):
            apart = [
                (distance(values[name], array), place, name) for place, name in enumerate(by_shape.get(array.shape, []))
            ]
            best = min(apart, default=None)
            if best is not None and best[0] < ALIKE:
                found[key.removeprefix("layer:")] = best[2]
    return found


def distance(one, other):
    """Relative, rms; infinite for what is constant, which would be like many."""
    one, other = one.astype(np.float64), other.astype(np.float64)
    if not one.size or np.ptp(other) == 0:
        return np.inf
    found = np.sqrt(np.mean((one - other) ** 2)) / np.sqrt(np.mean(other**2))
    return found if np.isfinite(found) else np.inf


def inferred(model):
    """Sizes of the outputs as ONNX infers them: 0 where one is free; None for an output of unknown rank."""
    bare = onnx.ModelProto()
    bare.CopyFrom(model)
    for value in bare.graph.output:
        value.type.tensor_type.ClearField("shape")
    found = []
    for value in onnx.shape_inference.infer_shapes(bare).graph.output:
        kind = value.type.tensor_type
        found.append([size.dim_value for size in kind.shape.dim] if kind.HasField("shape") else None)
    return found


def as_told(graph, value, sizes, told):
    """An output of one element that the model returns without axes, without; one of another shape is refused."""
    if sizes is None:
        return
    if len(sizes) == len(told["shape"]):
        if any(size and size != other for size, other in zip(sizes, told["shape"], strict=True) if other is not None):
            raise Refused(f"the exporter wrote {told['name']} as {sizes}, the model has {told['shape']} (0: any)")
        return
    if told["shape"] or sizes not in ([0], [1]):
        raise Refused(f"the exporter wrote {told['name']} with {len(sizes)} axes, the model has {len(told['shape'])}")
    flat = f"{value.name}_of_one"
    rename(graph, {value.name: flat})
    name = f"{told['name']}_without_axes"
    # Run with another number of elements, it is an error.
    graph.initializer.append(onnx.helper.make_tensor(f"{name}_shape", onnx.TensorProto.INT64, [0], []))
    graph.node.append(onnx.helper.make_node("Reshape", [flat, f"{name}_shape"], [name], name=name))
    kind = value.type.tensor_type.elem_type
    value.CopyFrom(onnx.helper.make_tensor_value_info(name, kind, []))


def rename(graph, names):
    """Give tensors other names; a name that is taken by another one moves aside."""
    taken = {name for name in names.values() if names.get(name) != name}
    held = {value.name for value in graph.input}
    if held & (taken - set(names)):
        # An output that is called as an input is.
        names = {old: f"{new}_out" if new in held else new for old, new in names.items()}
    moves = {name: f"{name}_inner" for name in taken - set(names) - held}
    moves.update(names)
    for node in walk(graph):
        for part in (node.input, node.output):
            for position, name in enumerate(part):
                part[position] = moves.get(name, name)
    for part in (graph.output, graph.value_info, graph.initializer):
        for value in part:
            value.name = moves.get(value.name, value.name)


def walk(graph):
    """Nodes, those of branches too."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in [attribute.g, *attribute.graphs]:
                yield from walk(inner)


def name_axes(graph, axes):
    """Free sizes of inputs bear the names that were given; those that an exporter made up go."""
    for value in graph.input:
        for axis, name in axes.get(value.name, {}).items():
            value.type.tensor_type.shape.dim[int(axis)].dim_param = name
    known = {name for named in axes.values() for name in named.values()}
    for value in graph.output:
        for size in value.type.tensor_type.shape.dim:
            if size.dim_param and size.dim_param not in known:
                size.Clear()
    del graph.value_info[:]


if __name__ == "__main__":
    answer(finish)
