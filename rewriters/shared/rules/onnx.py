"""torch.onnx: what torch's exporter is told of a program's own operators. It does not run here: nothing asks for it."""

import torch

from rewriters.rule import rule


@rule(torch.onnx.register_custom_op_symbolic)
def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version):
    pass


@rule(torch.onnx.unregister_custom_op_symbolic)
def unregister_custom_op_symbolic(symbolic_name, opset_version):
    pass
