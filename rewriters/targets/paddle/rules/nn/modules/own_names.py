"""Names of a program's modules that Paddle's layers have for themselves: ``_transform``, ``full``, ``_dtype``."""

import inspect
import sys

import paddle

from rewriters.rule import rule

# Chosen by rewriters/targets/paddle/passes/own_names.py, which also lists the names that Paddle never asks for.
OWN_NAMES = (
    *("_apply", "_build_once", "_built", "_customized_attrs", "_dtype", "_dygraph_call_func", "_full_name"),
    *("_helper", "_loaddict_holder", "_obtain_parameters_buffers", "_original_funcs", "_set_op_attrs"),
    "_startup_program",
    *("_state_dict_impl", "_to_impl", "_transform", "add_parameter", "add_sublayer", "astype", "backward"),
    *("clear_gradients", "create_parameter", "create_tensor", "create_variable", "float16", "full", "full_name"),
    *("get_sublayer", "load_dict", "named_sublayers", "register_forward_post_hook", "register_state_dict_hook"),
    *("set_dict", "set_state_dict", "set_sublayer", "sharded_state_dict", "sublayers", "to_static_state_dict"),
)
STORING = [inspect.unwrap(getattr(paddle.nn.Layer, name)).__code__ for name in ("__setattr__", "__delattr__")]
REGISTERING = [
    inspect.unwrap(getattr(paddle.nn.Layer, name)).__code__
    for name in ("register_buffer", "add_parameter", "add_sublayer", "__getattr__")
]


class OwnName:
    """A name that Paddle's layers have too: under it Paddle finds its own, and the program finds the program's."""

    def __init__(self, name, value=None, given=False):
        self.name, self.value, self.given, self.theirs = name, value, given, f"paddle {name}"

    def asked_by(self, frame):
        """(whether Paddle asks for itself, whether what it asks for is about to be stored)."""
        named = frame.f_locals.get("name") == self.name  # what a method that stores has been given
        if named and frame.f_code in REGISTERING:
            return False, True
        storing = named and frame.f_code in STORING
        frame = frame.f_back if storing else frame
        return frame.f_globals.get("__name__", "").startswith("paddle."), storing

    def of_paddle(self, layer, owner):
        if layer is not None and self.theirs in layer.__dict__:
            return layer.__dict__[self.theirs]
        start = super(LayerOfOwnNames, owner if layer is None else layer)
        return getattr(start, self.name)

    def __get__(self, layer, owner=None):
        paddles, storing = self.asked_by(sys._getframe(1))
        if paddles:
            return self.of_paddle(layer, owner)
        if layer is not None and self.name in layer.__dict__ and not hasattr(type(self.value), "__set__"):
            return layer.__dict__[self.name]
        if self.given:
            bind = getattr(type(self.value), "__get__", None)
            return self.value if bind is None else bind(self.value, layer, owner)
        for kind in ("_parameters", "_buffers", "_sub_layers") if layer is not None else ():
            if self.name in layer.__dict__.get(kind, ()):
                return layer.__dict__[kind][self.name]
        if storing:
            raise AttributeError(self.name)
        return self.of_paddle(layer, owner)

    def __set__(self, layer, value):
        if self.asked_by(sys._getframe(1))[0]:
            layer.__dict__[self.theirs] = value
        elif hasattr(type(self.value), "__set__"):
            self.value.__set__(layer, value)
        else:
            layer.__dict__[self.name] = value

    def __delete__(self, layer):
        name = self.theirs if self.asked_by(sys._getframe(1))[0] else self.name
        if name not in layer.__dict__:
            raise AttributeError(self.name)
        del layer.__dict__[name]


class OwnApply(OwnName):
    """``_apply``: torch's is given a function of a tensor, Paddle's one of a tensor and of where it is to be."""

    def __get__(self, layer, owner=None):
        if layer is None:
            return super().__get__(layer, owner)
        if self.asked_by(sys._getframe(1))[0]:
            if not self.given:
                return self.of_paddle(layer, owner)
            own = self.value.__get__(layer, owner)
            return lambda func, *where: own(lambda tensor: func(tensor, *where[:3]))
        if self.given:
            return self.value.__get__(layer, owner)
        theirs = self.of_paddle(layer, owner)

        def apply(fn, recurse=True):
            def change(tensor, *where):
                made = fn(tensor)
                if made is not tensor and isinstance(tensor, paddle.base.framework.EagerParamBase):
                    tensor.value().get_tensor()._share_data_with(made.value().get_tensor())
                return made

            theirs(change, None, None, True, recurse)
            return layer

        return apply


@rule("torch.nn.Module:named")
class LayerOfOwnNames(paddle.nn.Layer):
    """A layer whose names are the program's: what Paddle's layers have under one of them stays theirs alone."""

    vars().update({name: (OwnApply if name == "_apply" else OwnName)(name) for name in OWN_NAMES})

    def __init__(self, *args, **kwargs):
        # torch's constructor, called once more, leaves the tensors that are plain attributes
        plain = self.__dict__.get("_non_persistable_buffer_names_set", ())
        kept = {name: tensor for name, tensor in self.__dict__.get("_buffers", {}).items() if name in plain}
        super().__init__(*args, **kwargs)
        for name, tensor in kept.items():
            setattr(self, name, tensor)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for name in OWN_NAMES:
            if name in cls.__dict__ and not isinstance(cls.__dict__[name], OwnName):
                setattr(cls, name, (OwnApply if name == "_apply" else OwnName)(name, cls.__dict__[name], given=True))
