"""``x.name``: of tensors, torch's objects, the project's own, modules."""

from __future__ import annotations

from rewriters.infer import dtypes
from rewriters.infer.narrowing import Narrowing
from rewriters.source.table import canonical, entry, is_tensor_class, mro
from rewriters.values import (
    BOTTOM,
    NUMPY,
    OBJECT,
    TENSOR,
    UNKNOWN,
    Bottom,
    Choice,
    ClassInfo,
    ClassOf,
    External,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    Method,
    ModuleOf,
    ObjectOf,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
    join,
)
from rewriters.words import value_of_word

PAIR = ("values", "indices")
BASIC = {"int", "float", "bool", "str", "bytes", "list", "dict", "tuple", "number"}
# What numpy gives in Python's own types.
OF_PYTHON = {"shape", "ndim", "size", "item", "tolist", "dtype", "itemsize", "nbytes", "strides"}


class Attributes(Narrowing):
    """Looks attributes up."""

    def attribute(self, receiver: Value, name: str) -> Value:
        """``receiver.name``."""
        if isinstance(receiver, Bottom):
            return BOTTOM
        if isinstance(receiver, Choice):
            found: Value = BOTTOM
            for one in receiver.values:
                found = join(found, self.attribute(one, name))
            return found
        if isinstance(receiver, Ref):
            return Ref(canonical(f"{receiver.name}.{name}"))
        if isinstance(receiver, Tensor):
            known = entry(f"torch.Tensor.{name}")
            if known is None:
                return UNKNOWN
            if known["kind"] == "property":
                return dtypes.attribute(receiver, name) or value_of_word(known.get("result", ""))
            return Method(f"torch.Tensor.{name}", receiver)
        if isinstance(receiver, Instance):
            return self.torch_attribute(receiver.name, receiver, name)
        if isinstance(receiver, (ObjectOf, ClassOf)):
            return self.project_attribute(receiver, name)
        if isinstance(receiver, ModuleOf):
            inner = self.project.find(f"{receiver.info.name}.{name}")
            if name in receiver.info.scope or name in receiver.info.rebound:
                return join(receiver.info.scope.get(name, BOTTOM), receiver.info.rebound.get(name, BOTTOM))
            return ModuleOf(inner) if inner else BOTTOM if self.project.open else UNKNOWN
        if isinstance(receiver, External):
            full = f"{receiver.name}.{name}"
            inner = self.project.find(full)
            return ModuleOf(inner) if inner else External(full)
        if isinstance(receiver, Items) and name in PAIR and len(receiver.values) == len(PAIR):
            return receiver.values[PAIR.index(name)]  # what torch gives here is a named tuple
        if isinstance(receiver, (Items, Series, Mapping)) or (isinstance(receiver, Plain) and receiver.kind in BASIC):
            return Method(f"builtin.{name}", receiver)
        # an attribute of an argparse namespace, an array, a path, ...: whatever it is, no tensor
        if receiver == NUMPY and name not in OF_PYTHON:
            return NUMPY
        return OBJECT if isinstance(receiver, Plain) else UNKNOWN

    def torch_attribute(self, klass: str, receiver: Value, name: str) -> Value:
        if isinstance(receiver, Instance) and receiver.members is not None:
            for key, value in receiver.members.known:
                if key == name:
                    return value
        for base in mro(klass):
            known = entry(base) or {}
            if name in known.get("attributes", {}):
                return value_of_word(known["attributes"][name])
            if name in known.get("methods", {}):
                return Method(f"{base}.{name}", receiver)
        return UNKNOWN

    def project_attribute(self, receiver: ObjectOf | ClassOf, name: str) -> Value:
        for owner in receiver.info.linear():
            if isinstance(owner, ClassInfo):
                function = owner.functions.get(name)
                if function is not None and not function.opaque:
                    if function.kind == "property":
                        return function.returns
                    bound = isinstance(receiver, ObjectOf) or function.kind == "classmethod"
                    return FunctionOf(function, receiver if bound and function.kind != "staticmethod" else None)
                if name in owner.attributes:
                    return owner.attributes[name]
            elif owner == "?":
                return UNKNOWN
            elif is_tensor_class(owner):
                return self.attribute(TENSOR, name)
            else:
                found = self.torch_attribute(owner, receiver, name)
                if not isinstance(found, Unknown):
                    return found
        return UNKNOWN

    def super_value(self) -> Value:
        assert self.owner is not None
        bases = self.owner.bases
        for base in bases:
            if isinstance(base, ClassOf):
                return ObjectOf(base.info)
            if isinstance(base, Ref):
                return TENSOR if is_tensor_class(base.name) else Instance(base.name)
        return UNKNOWN
