"""torch.onnx by paddle.onnx, which needs the package paddle2onnx; torch.export by paddle.jit."""

import os

import paddle
import torch

from rewriters.rule import alias, rule

# the modes of torch.onnx.export(training=...): whether the model is exported in train mode; None: as it is
alias("torch.onnx.TrainingMode.EVAL", "False")
alias("torch.onnx.TrainingMode.PRESERVE", "None")
alias("torch.onnx.TrainingMode.TRAINING", "True")


def input_specs(args, names, dynamic_axes):
    """What the exported model takes; axes whose length may change are None."""
    specs = []
    for number, arg in enumerate(args if isinstance(args, (tuple, list)) else [args]):
        name = names[number] if names else None
        changing = (dynamic_axes or {}).get(name, ())
        shape = [None if axis in changing else length for axis, length in enumerate(arg.shape)]
        specs.append(paddle.static.InputSpec(shape, arg.dtype, name=name))
    return specs


@rule(torch.onnx.export)
def onnx_export(
    model,
    args=(),
    f=None,
    *,
    kwargs=None,
    verbose=None,
    input_names=None,
    output_names=None,
    opset_version=None,
    dynamo=True,
    external_data=True,
    dynamic_shapes=None,
    custom_translation_table=None,
    report=False,
    optimize=True,
    verify=False,
    profile=False,
    dump_exported_program=False,
    artifacts_dir=".",
    export_params=True,
    keep_initializers_as_inputs=False,
    dynamic_axes=None,
    training=False,
    operator_export_type=None,
    do_constant_folding=True,
    custom_opsets=None,
    export_modules_as_functions=False,
    autograd_inlining=True,
):
    if dynamic_shapes is not None or kwargs is not None:
        raise NotImplementedError("paddle.onnx.export takes positional inputs; say changing lengths by dynamic_axes")
    if training or (training is None and model.training):
        raise NotImplementedError("paddle.onnx.export writes a model for inference; leave training=... out")
    if not isinstance(f, (str, os.PathLike)):
        raise NotImplementedError("paddle.onnx.export writes a file; give its path as f")
    was_training = model.training
    model.eval()
    # needs paddle2onnx; the names of the outputs are Paddle's own
    paddle.onnx.export(
        model,
        os.fspath(f).removesuffix(".onnx"),  # Paddle adds the ending
        input_spec=input_specs(args, input_names, dynamic_axes),
        opset_version=opset_version or 13,
    )
    if was_training:
        model.train()


@rule(torch.onnx.is_in_onnx_export)
def is_in_onnx_export():
    # a model is exported by tracing it as a static program
    return not paddle.in_dynamic_mode()
