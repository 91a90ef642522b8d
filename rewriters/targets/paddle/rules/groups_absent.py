"""Whole packages of torch that Paddle has no counterpart for, or another way: what to do instead."""

import paddle
import torch

from rewriters.rule import alias, refuse, rule

alias(torch.nn.modules.conv._ConvNd, "paddle.nn.layer.conv._ConvNd")
alias(torch.nn.modules.instancenorm._InstanceNorm, "paddle.nn.layer.norm._InstanceNormBase")
alias(torch.optim.lr_scheduler._LRScheduler, "paddle.optimizer.lr.LRScheduler")


# Both hand their input on; the first is where paddle.quantization puts an observer.


@rule(torch.quantization.QuantStub)
def QuantStub(qconfig=None):
    return paddle.nn.quant.Stub()


@rule(torch.quantization.DeQuantStub)
def DeQuantStub(qconfig=None):
    return paddle.nn.Identity()


# there are no tensors of these kinds


@rule(
    torch.masked.is_masked_tensor,
    torch.nn.utils.parametrize.is_traceable_wrapper_subclass,
    torch.nn.utils.parametrize.is_opaque_reference_type,
)
def is_masked_tensor(obj):
    return False


@rule(torch.nn.utils.parametrize.get_swap_module_params_on_conversion)
def get_swap_module_params_on_conversion():
    return False


refuse(
    torch.nn.modules.dropout._DropoutNd,
    torch.nn.modules.loss._Loss,
    torch.nn.modules.loss._WeightedLoss,
    "Paddle's layers of this kind have no class in common; derive from paddle.nn.Layer, ask with a tuple of classes",
)
refuse(
    torch.nn.modules.conv._ConvTransposeNd,
    "Paddle's Conv1DTranspose, Conv2DTranspose and Conv3DTranspose have no class of their own; ask for these three",
)
refuse(
    "torch.fx.*",
    "Paddle does not trace a model into a graph of Python objects; change the model's layers "
    "(named_sublayers, setattr), or make a program with paddle.jit.to_static",
)
refuse(
    "torch.library.*",
    "Paddle's operators are registered from C++ (paddle.utils.cpp_extension); for one in Python derive from "
    "paddle.autograd.PyLayer",
)
refuse(
    torch.default_generator,
    torch.random.default_generator,
    "Paddle's is got by a call: write paddle.Generator('cpu') for it, and paddle.seed(...) for its manual_seed",
)
refuse("torch.futures.*", "use concurrent.futures of Python's library")
refuse("torch.monitor.*", "Paddle keeps no statistics of events; log them with visualdl or tensorboardX")
refuse("torch.masked.*", "Paddle has no masked tensors; keep the data and the mask, and use paddle.where")
refuse("torch.nested.*", "Paddle has no nested tensors; keep the padded tensor and its lengths")
refuse(
    "torch.overrides.*",
    "Paddle's functions do not ask their arguments' classes (__torch_function__); wrap the functions that are called",
)
refuse("torch.package.*", "Paddle does not pack code with a model; use paddle.jit.save, or a package of Python's")
refuse(
    "torch.quantization.*",
    "Paddle quantizes a whole model by paddle.quantization: QuantConfig, then QAT or PTQ, quantize and convert",
)
refuse(
    "torch.return_types.*",
    "Paddle's functions return plain tuples; ask for tuple, or name the parts by unpacking",
)
refuse(
    "torch.serialization.*",
    "the inside of torch's files; Paddle's are pickles of arrays: paddle.save, paddle.load",
)
refuse(
    "torch.hub.*",
    "Paddle's hub (paddle.hub.load, list, help) has repositories and a cache folder of its own",
)
refuse(
    torch.cuda.DEVICE_REQUIREMENT,
    torch.cuda.PYTORCH_RELEASES_CODE_CC,
    torch.fft.common_args,
    torch.fft.factory_common_args,
    torch.functional.overload,
    torch.linalg.common_notes,
    torch.nn.utils.parametrize.OpaqueBase,
    torch.special.common_args,
    torch.special.multi_dim_common,
    torch.storage.HAS_NUMPY,
    torch.types.py_sym_types,
    "the inside of torch's own module; leave it out",
)
