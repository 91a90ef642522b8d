"""torch.nn.modules: what all modules have."""

import types
from collections import namedtuple

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import alias, differs, rule, same
from rewriters.targets.jax.rules.nn.modules.closures import followed, holds
from rewriters.targets.jax.rules.nn.modules.stored import (
    BEGUN,
    ORDER,
    Held,
    children_of,
    each_module,
    each_variable,
    own_of,
    parts_of,
)
from rewriters.targets.jax.rules.nn.parameter import Buffer, Count, Frozen, set_trained

same(
    "torch.nn.Module.train", "torch.nn.Module.eval", "torch.nn.Module.training", "torch.nn.Module.parameters",
    "torch.nn.Module.named_parameters", "torch.nn.Module.buffers", "torch.nn.Module.named_buffers",
    "torch.nn.Module.modules", "torch.nn.Module.named_modules", "torch.nn.Module.children",
    "torch.nn.Module.named_children", "torch.nn.Module.apply", "torch.nn.Module.add_module",
    "torch.nn.Module.register_module", "torch.nn.Module.register_buffer", "torch.nn.Module.register_parameter",
    "torch.nn.Module.get_submodule", "torch.nn.Module.get_parameter", "torch.nn.Module.get_buffer",
    "torch.nn.Module.state_dict", "torch.nn.Module.load_state_dict", "torch.nn.Module.to", "torch.nn.Module.cpu",
    "torch.nn.Module.cuda", "torch.nn.Module.float", "torch.nn.Module.double", "torch.nn.Module.half",
    "torch.nn.Module.bfloat16", "torch.nn.Module.extra_repr", "torch.nn.Module.requires_grad_",
)  # fmt: skip

Keys = namedtuple("Keys", "missing_keys unexpected_keys")


def is_buffer(variable):
    return not isinstance(variable, (nnx.Param, Frozen))


def has_dtype(value):
    return isinstance(value, jnp.dtype) or (not isinstance(value, str) and hasattr(value, "dtype"))


class Called:
    """What calls a module, by torch's name for it: of a module, or of its class."""

    def __get__(self, module, kind):
        return kind.__call__ if module is None else module.__call__


class TorchMethods:
    """What torch's modules answer to, under torch's names and with parameters in torch's layout."""

    deterministic = False  # which train() and eval() set

    def __setattr__(self, name, value):
        held = vars(self).get(name)
        if isinstance(held, nnx.Variable) and isinstance(value, jax.Array):
            held.set_value(value)
            return
        super().__setattr__(name, value)
        order = vars(self).get(ORDER, ())
        if name not in order and isinstance(vars(self).get(name), (nnx.Module, nnx.Variable)):
            super().__setattr__(ORDER, (*order, name))

    def train(self, mode=True):
        set_training(self, mode)
        for _, part in children_of(self):  # each by its own method, which its class may have
            if isinstance(part, TorchMethods):
                part.train(mode)
            else:
                part.train() if mode else part.eval()
        return self

    def eval(self):
        return self.train(False)

    @property
    def training(self):
        return not self.deterministic

    forward = Called()

    @property
    def _modules(self):
        return Held(self, parts_of)

    @property
    def _parameters(self):
        return Held(self, lambda module: own_of(module, lambda variable: not is_buffer(variable)))

    @property
    def _buffers(self):
        return Held(self, lambda module: own_of(module, is_buffer))

    def parameters(self, recurse=True):
        return (view for _, view in self.named_parameters(recurse=recurse))

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        found = each_variable(self, (nnx.Param, Frozen), prefix, recurse, remove_duplicate)
        return ((name, view) for name, view, _ in found)

    def buffers(self, recurse=True):
        return (view for _, view in self.named_buffers(recurse=recurse))

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        found = each_variable(self, nnx.Variable, prefix, recurse, remove_duplicate)
        return ((name, view) for name, view, variable in found if is_buffer(variable))

    def modules(self):
        return (module for _, module in each_module(self))

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        return each_module(self, prefix, once=remove_duplicate)

    def children(self):
        return (part for _, part in children_of(self))

    def named_children(self):
        return iter(children_of(self))

    def apply(self, fn):
        apply_below(self, fn)
        return self

    def add_module(self, name, module):
        setattr(self, name, module)

    register_module = register_parameter = add_module

    def register_buffer(self, name, tensor, persistent=True):
        if tensor is None:  # an array that is stored under the name later is a buffer of the module's, too
            super().__setattr__(BEGUN, (*vars(self).get(BEGUN, ()), (name, persistent)))
        setattr(self, name, None if tensor is None else Buffer(tensor, persistent=persistent))

    def get_submodule(self, target):
        return dict(self.named_modules())[target]

    def get_parameter(self, target):
        return dict(self.named_parameters())[target]

    def get_buffer(self, target):
        return dict(self.named_buffers())[target]

    def kept(self):
        """(torch's name, in torch's layout) of what a state_dict has."""
        found = each_variable(self, nnx.Variable, once=False)
        return {
            name: view
            for name, view, variable in found
            if isinstance(variable, Count) or variable.get_metadata().get("persistent", True)
        }

    def state_dict(self, *, destination=None, prefix="", keep_vars=False):
        return {prefix + name: view if keep_vars else view[...] for name, view in self.kept().items()}

    def load_state_dict(self, state_dict, strict=True, assign=False):
        own = self.kept()
        missing = [name for name in own if name not in state_dict and not isinstance(own[name], Count)]
        others = [name for name in state_dict if name not in own]
        if strict and (missing or others):
            raise RuntimeError(f"state_dict lacks {missing}, and has {others}, which the model has not")
        for name, view in own.items():
            if name in state_dict:
                value = jnp.asarray(state_dict[name]).astype(view.dtype)
                if value.shape != view.shape:
                    raise RuntimeError(f"{name} is of shape {value.shape} in the state_dict, {view.shape} in the model")
                view.set_value(value)
        return Keys(missing, others)

    def requires_grad_(self, requires_grad=True):
        for _, _, variable in each_variable(self, (nnx.Param, Frozen)):
            set_trained(variable, requires_grad)
        return self

    def of_dtype(self, dtype):
        """The module with all its floats of the dtype."""
        for _, _, variable in each_variable(self, nnx.Variable):
            if jnp.issubdtype(variable.dtype, jnp.floating):
                variable.set_value(variable.get_value().astype(dtype))
        return self

    def to(self, *args, dtype=None, device=None, non_blocking=False, memory_format=None):
        for given in (*args, dtype):
            if given is not None and has_dtype(given):
                dtype = given.dtype if hasattr(given, "dtype") else given
                if not jnp.issubdtype(dtype, jnp.inexact):
                    raise TypeError("nn.Module.to only accepts floating point or complex dtypes")
                self.of_dtype(dtype)
        return self

    def cpu(self):
        return self

    def cuda(self, device=None):
        return self

    def float(self):
        return self.of_dtype(jnp.float32)

    def double(self):
        return self.of_dtype(jnp.float64)

    def half(self):
        return self.of_dtype(jnp.float16)

    def bfloat16(self):
        return self.of_dtype(jnp.bfloat16)

    def extra_repr(self):
        return ""

    def _get_name(self):
        return type(self).__name__


def apply_below(module, fn):
    """Calls the function with a module's parts, then with the module."""
    for _, part in children_of(module):
        apply_below(part, fn)
    fn(module)


@rule(torch.nn.Module)
class Module(TorchMethods, nnx.Module):
    """As torch's: attributes may become arrays and modules later; what a parameter is given becomes its value."""

    @classmethod
    def _pytree_meta_construct(cls, self, *args, **kwargs):
        self.__init__(*args, **kwargs)
        for name, value in list(vars(self).items()):  # what was put into lists and dicts since they were stored
            if isinstance(value, (list, dict)) and not name.startswith("_pytree"):
                self.__setattr__(name, value)

    def __setattr__(self, name, value):
        held = vars(self).get(name)
        if isinstance(held, nnx.Variable) and isinstance(value, jax.Array):
            held.set_value(value)
        else:
            value = followed(value)
            super().__setattr__(name, nnx.data(value) if holds(value, (jax.Array, nnx.Variable, nnx.Pytree)) else value)


# A layer is a module of NNX's, and none of the class that a program's own derive from.
alias("torch.nn.Module:test", "flax.nnx.Module")


@rule("torch.nn.Module.forward=:unknown")
def set_forward(holder, function):
    if isinstance(holder, type) and issubclass(holder, nnx.Module):
        holder.__call__ = function
    elif isinstance(holder, nnx.Module):  # of this one alone, and of its copies, which reach their own parts
        own = {"__call__": lambda self, *args, **kwargs: self.called(*args, **kwargs)}
        if isinstance(function, types.MethodType) and function.__self__ is holder:
            own = {"__call__": function.__func__}
        else:
            holder.called = followed(function)
        object.__setattr__(holder, "__class__", type(type(holder).__name__, (type(holder),), own))
    else:
        holder.forward = function


@rule("torch.nn.Module.training=", "torch.nn.Module.training=:unknown")
def set_training(holder, mode):
    if not isinstance(holder, nnx.Module):
        holder.training = mode
        return
    for name in ("deterministic", "use_running_average"):  # of this module alone, as train() has them for all
        if hasattr(holder, name):
            setattr(holder, name, not mode)


@rule("torch.nn.Module.to:of a type")
def dtype_of(kind):
    """The dtype that is meant by one of Python's types; all else as it is."""
    return jnp.float64 if kind is float else jnp.complex128 if kind is complex else kind


# What torch calls of a module's own class, and Flax's do not


@rule("torch.nn.Module._load_from_state_dict:own", "torch.nn.Module.set_extra_state:own")
def unheard_when_loaded(self):
    differs("modules do not call this here when a state is loaded; change the dict before load_state_dict")


@rule("torch.nn.Module._save_to_state_dict:own", "torch.nn.Module.get_extra_state:own")
def unheard_when_saved(self):
    differs("modules do not call this here when a state_dict is made; add to what state_dict() gives")


@rule("torch.nn.Module._apply:own")
def unheard_when_cast(self):
    differs("modules do not call this here when they are cast; define to(), float() and their like")
