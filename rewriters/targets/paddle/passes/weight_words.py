"""Which uses of a tensor are the same whether its matrix is torch's or transposed: the names of them."""

from __future__ import annotations

WEIGHTS = {"weight", "weight_orig", "weight_mask", "weight_v", "weight_g", "weight_bar"}
"""Attributes under which a Linear has its matrix, or what its matrix is made of."""

SOURCES = WEIGHTS | {"parameters", "named_parameters", "state_dict", "get_parameter", "get_parameters", "param_groups"}
SOURCES |= {
    "_parameters",
    "load_state_dict",
    "torch_load",
    "getattr",
    "attrgetter",
    "setattr",
    "load",
    "load_file",
    "load_url",
}
SOURCES |= {"load_state_dict_from_url"}
"""Names without which a file has no weights of its own making."""

HOLDS_LINEARS = {
    f"torch.nn.{name}"
    for name in (
        *("Module", "Linear", "LazyLinear", "Sequential", "ModuleList", "ModuleDict", "DataParallel"),
        *("Transformer", "TransformerEncoder", "TransformerDecoder"),
        *("TransformerEncoderLayer", "TransformerDecoderLayer"),
    )
} | {"torch.nn.parallel.DistributedDataParallel", "torch.optim.swa_utils.AveragedModel"}
"""torch's classes of which an instance may hold a Linear. What is no torch.nn class at all may."""

# Attributes of a tensor that say nothing of its layout.
SAFE_ATTRIBUTES = {
    *("data", "grad", "dtype", "device", "requires_grad", "is_leaf", "grad_fn", "ndim", "name", "is_cuda", "layout"),
    *("itemsize", "nbytes", "is_sparse", "is_meta", "is_quantized", "retains_grad", "_version", "real"),
}
# What gives a tensor of the same layout, element by element.
ELEMENTWISE = {
    *("clone", "detach", "contiguous", "cpu", "cuda", "to", "float", "double", "half", "bfloat16", "type", "type_as"),
    *("abs", "neg", "exp", "log", "log1p", "expm1", "sqrt", "rsqrt", "square", "sign", "tanh", "sigmoid", "relu"),
    *("reciprocal", "round", "floor", "ceil", "trunc", "sin", "cos", "erf", "isnan", "isinf", "isfinite", "signbit"),
    *("add", "sub", "mul", "div", "multiply", "divide", "subtract", "true_divide", "pow", "lerp", "addcmul", "addcdiv"),
    *("clamp", "clip", "clamp_min", "clamp_max", "maximum", "minimum", "eq", "ne", "gt", "ge", "lt", "le"),
    *("logical_and", "logical_or", "logical_not", "masked_fill", "where", "bool", "int", "long", "nan_to_num"),
    *("requires_grad_", "retain_grad", "share_memory_", "pin_memory", "bernoulli", "logical_xor", "fmod", "remainder"),
}
# Of these, the ones whose arguments say nothing of elements.
CASTS = {
    *("clone", "detach", "contiguous", "cpu", "cuda", "to", "float", "double", "half", "bfloat16", "type", "bool"),
    *("requires_grad_", "retain_grad", "share_memory_", "pin_memory", "detach_", "int", "long", "type_as"),
}
# Those in place; "copy" and "set" are told apart by what is copied.
INPLACE = {
    *("zero", "fill", "normal", "uniform", "add", "sub", "mul", "div", "pow", "lerp", "addcmul", "addcdiv", "clamp"),
    *("clip", "clamp_min", "clamp_max", "abs", "neg", "exp", "sqrt", "rsqrt", "sign", "tanh", "sigmoid", "relu"),
    *("copy", "masked_fill", "detach", "round", "square", "bernoulli", "trunc", "floor", "ceil", "reciprocal"),
    *("nan_to_num", "log_normal", "exponential", "cauchy", "logical_and", "logical_or", "log", "multiply", "divide"),
    *("subtract", "maximum", "minimum", "random", "geometric", "erfinv"),
}
FILLING = {"normal", "uniform", "random", "cauchy", "log_normal", "exponential", "geometric", "fill", "zero"}
"""Of those in place the ones that take numbers alone, whatever they are given is called."""
# Over all elements alike, unless they are given an axis.
REDUCTIONS = {
    *("norm", "sum", "mean", "std", "var", "max", "min", "amax", "amin", "all", "any", "prod", "median", "item"),
    *("count_nonzero", "logsumexp", "quantile", "nansum", "nanmean", "histc", "unique", "var_mean", "std_mean"),
}
# What is asked of a tensor that has no layout.
QUESTIONS = {
    *("numel", "nelement", "dim", "ndimension", "element_size", "data_ptr", "is_floating_point", "is_complex"),
    *("is_contiguous", "backward", "register_hook", "register_post_accumulate_grad_hook", "get_device", "__hash__"),
    *("requires_grad_", "untyped_storage", "type", "is_shared"),
}
FLAT = {"view", "reshape", "flatten", "ravel"}
"""What puts a tensor into one row, in an order that only reductions do not see."""

CREATION = {"zeros", "ones", "empty", "full", "rand", "randn", "normal"}
"""torch's functions that are given a shape: a tensor of a weight's shape is laid out as the weight."""
LIKE = {"zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like"}

# torch's functions to which a weight, or several, may be given.
TORCH_TAKES = {
    *("torch.is_tensor", "torch.numel", "torch.is_floating_point", "torch.is_complex", "torch.nn.Parameter"),
    *("torch.allclose", "torch.equal", "torch.isclose", "torch.autograd.grad", "torch.autograd.backward"),
    *("torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad_norm", "torch.nn.utils.clip_grad_value_"),
    *("torch.nn.utils.get_total_norm", "torch.nn.utils.clip_grads_with_norm_", "torch.save"),
    *(
        f"torch.nn.init.{name}"
        for name in (
            *("normal_", "uniform_", "constant_", "zeros_", "ones_", "trunc_normal_", "eye_", "orthogonal_"),
            *("xavier_normal_", "xavier_uniform_", "xavier_normal", "xavier_uniform", "normal", "uniform", "constant"),
        )
    ),
    *("torch.Tensor.copy_", "torch._foreach_norm", "torch.norm", "torch.linalg.vector_norm"),
    *(f"torch._foreach_{name}" for name in ("add_", "mul_", "sub_", "div_", "lerp_", "zero_", "copy_", "sqrt_")),
}
KAIMING = {f"torch.nn.init.kaiming_{kind}" for kind in ("normal_", "uniform_", "normal", "uniform")}

# Python's own functions: of those that hand on what they are given, and those that ask nothing of a layout.
HAND_ON = {"list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "zip", "enumerate", "dict", "filter"}
HAND_ON |= {"OrderedDict", "chain", "deepcopy", "copy", "defaultdict", "islice", "cycle", "from_iterable", "tee"}
ASK_NOTHING = {"len", "id", "isinstance", "type", "hasattr", "hash", "bool", "callable", "setattr", "delattr", "any"}
ASK_NOTHING |= {"next", "getattr", "map", "all", "vars", "sum", "min", "max", "issubclass", "float"}
# Methods that take weights, of what is no tensor.
CONTAINERS_TAKE = {"append", "extend", "insert", "update", "add", "setdefault", "load_state_dict", "register_parameter"}
CONTAINERS_TAKE |= {"register_buffer", "set_state_dict", "add_param_group", "remove", "index", "count", "get", "pop"}
CONTAINERS_TAKE |= {"unscale_", "clip_grad_norm_", "clip_grad_value_", "add_histogram", "copy_to", "discard"}
# Words in names of numbers: where it is not known what such a name holds, it is no matrix.
SCALAR_WORDS = (
    *("lr", "rate", "alpha", "beta", "decay", "moment", "eps", "wd", "scale", "gain", "std", "factor", "tau", "coef"),
    *("lam", "step", "mu", "sigma", "gamma", "rho", "bias_correction", "denom", "temperature", "clip", "max_norm"),
    *("weight_decay", "num", "count", "total", "size", "dampening", "threshold", "thresh", "sparsity", "ratio", "prob"),
    *("noise_level", "delta", "strength", "epsilon", "norm", "world", "limit", "bound", "value", "const", "power"),
)
# Under which an optimizer's group, or a parameter's state, has something that is no weight.
OPTIONS = {
    *("lr", "initial_lr", "momentum", "weight_decay", "betas", "eps", "nesterov", "dampening", "amsgrad", "maximize"),
    *("step", "name", "lr_scale", "alpha", "centered", "rho", "lr_decay", "epoch", "args", "config", "iter_num"),
    *("best_loss", "best_acc", "best_val_loss", "loss", "iteration", "global_step", "hyper_parameters", "max_lr"),
}
