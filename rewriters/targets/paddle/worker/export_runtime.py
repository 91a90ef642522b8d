"""Paddle's models on disk as they are deployed: saved, run by Paddle Inference, and its checkpoints read.

Loaded by path in the interpreter that has Paddle; imports nothing else than it.
"""

from __future__ import annotations

import importlib.util
import os

import numpy
import paddle

FORWARD = """
import paddle


class Exported(paddle.nn.Layer):
    def __init__(self, model, fill, gather):
        super().__init__()
        self.model = model
        self.fill = fill
        self.gather = gather

    def forward({arguments}):
        args, kwargs = self.fill([{inputs}])
        returned = self.model(*args, **kwargs)
        return self.gather(returned)
"""
"""A layer over tensors alone: ``to_static`` wants as many parameters as there are inputs, and their source."""


def tensors(value):
    """The tensors in nested containers, in order; of a program that is traced too."""
    if isinstance(value, (paddle.Tensor, paddle.pir.Value)):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [found for item in value for found in tensors(item)]
    return []


def save(model, fill, inputs, folder, asked):
    """Write the model, in eval mode, to the folder: ``model.json`` and ``model.pdiparams``.

    fill:   tensors -> (args, kwargs) of the model.
    asked:  names and axes of the inputs, ``form``: what it is for, ``project``: the folder of the model's code.
    Returns files, shapes of the outputs (a size that is free is None), and of each kind of operator where it is called.
    """
    fill = paddle.jit.not_to_static(fill)
    gather = paddle.jit.not_to_static(tensors)
    spec = [
        paddle.static.InputSpec(
            [None if str(axis) in asked["axes"][name] else size for axis, size in enumerate(value.shape)],
            str(value.dtype).split(".")[-1],
            name,
        )
        for name, value in zip(asked["names"], inputs, strict=True)
    ]
    paddle.jit.enable_to_static(True)
    try:
        with beside("tracing").traced(model, asked["project"], asked["form"]):
            layer = paddle.jit.to_static(
                layer_of(len(inputs), folder)(model, fill, gather), input_spec=spec, full_graph=True
            )
            layer.eval()
            traced = layer.forward.concrete_program
            paddle.jit.save(layer, os.path.join(folder, "model"), input_spec=spec)
    finally:
        paddle.jit.enable_to_static(False)
    hold(model, fill, inputs, folder, asked)
    return {
        "files": ["model.json", "model.pdiparams"],
        "sites": sites(traced.main_program),
        "shapes": [[None if size < 0 else size for size in value.shape] for value in tensors(traced.outputs)],
    }


def hold(model, fill, inputs, folder, asked):
    """Whether what was saved gives the model's results, at the example's sizes and at others of the axes that are free:
    what was decided while it was traced may not hold for others, nor for values. Raises ValueError.
    """
    program = paddle.jit.load(os.path.join(folder, "model"))
    for more in sorted({0, int(any(asked["axes"].values()))}):
        given = [grown(value, asked["axes"][name], more) for name, value in zip(asked["names"], inputs, strict=True)]
        args, kwargs = fill(given)
        try:
            wanted = tensors(model(*args, **kwargs))
        except Exception:
            if not more:
                raise
            return  # these sizes are not the model's
        try:
            found = tensors(program(*given))
            told = [list(value.shape) for value in found]
        except Exception as error:
            told = f"{type(error).__name__}: {str(error).strip().splitlines()[-1]}"
        shapes = [list(value.shape) for value in wanted]
        sizes = ", ".join(f"{name} {list(value.shape)}" for name, value in zip(asked["names"], given, strict=True))
        if told != shapes:
            raise ValueError(f"the program gives other results than the model for {sizes}: {told} in place of {shapes}")
        if not all(map(near, found, wanted)) and all(map(near, tensors(model(*args, **kwargs)), wanted)):
            raise ValueError(f"the program gives other values than the model for {sizes}")


def near(value, other):
    """Whether two tensors are the same but for rounding, coarsely: 1 % of the largest element."""
    value, other = ((paddle.as_real(x) if x.is_complex() else x.astype("float64")).numpy() for x in (value, other))
    finite = other[numpy.isfinite(other)]
    most = 0.01 * float(abs(finite).max()) if finite.size else 0.0
    return numpy.allclose(value, other, rtol=0.01, atol=most, equal_nan=True)


def grown(value, axes, more):
    """The tensor with so many more elements along the axes that are free: its first ones again."""
    for axis in map(int, axes):
        value = paddle.concat([value, *[paddle.slice(value, [axis], [0], [1])] * more], axis=axis)
    return value


def beside(name):
    """A file of this folder."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"_migrate_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def layer_of(count, folder):
    """The class for so many inputs. Its file must be there while it is traced, and goes then."""
    path = os.path.join(folder, "_exported.py")
    names = [f"input_{number}" for number in range(count)]
    with open(path, "w", encoding="utf-8") as file:
        file.write(FORWARD.format(arguments=", ".join(["self", *names]), inputs=", ".join(names)))
    spec = importlib.util.spec_from_file_location("_migrate_exported", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Exported


def sites(program):
    """Of each kind of operator of the program the first: its layers, and the frames that it was called from."""
    found = {}
    for op in program.global_block().ops:
        if op.name() not in found:
            attributes = op.attrs()
            frames = [line.strip() for line in attributes.get("op_callstack", ()) if line.startswith("  File ")]
            found[op.name()] = {"layer": attributes.get("struct_name", "").strip("/"), "frames": frames}
    return found


def load(folder, manifest, threads):
    """What runs the saved program: arrays in the order of its inputs -> arrays in that of its outputs."""
    from paddle import inference

    config = inference.Config(os.path.join(folder, "model.json"), os.path.join(folder, "model.pdiparams"))
    config.disable_glog_info()
    config.set_cpu_math_library_num_threads(threads)
    predictor = inference.create_predictor(config)

    def run(arrays):
        for item, array in zip(manifest["inputs"], arrays, strict=True):
            predictor.get_input_handle(item["name"]).copy_from_cpu(array)
        predictor.run()
        return [predictor.get_output_handle(name).copy_to_cpu() for name in predictor.get_output_names()]

    return run


def version():
    """Of what runs it."""
    return paddle.__version__


def read_checkpoint(path):
    """Name -> tensor, of a checkpoint of Paddle's own."""
    return paddle.load(path)
