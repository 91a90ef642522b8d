"""``x.name``: of tensors, torch's objects, the project's own, modules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rewriters.infer import dtypes
from rewriters.infer.cells import BASES, COMPUTED, reading
from rewriters.infer.computed_names import fits, has_beginning
from rewriters.infer.joining import either_way, element, gives_tensor, join, joined, may_be_held
from rewriters.infer.look_ups import is_method, is_unset
from rewriters.infer.narrowing import Narrowing
from rewriters.infer.other_libraries import ENUMS, NUMBERS
from rewriters.infer.python_types import names_of
from rewriters.infer.syntax import attribute_given
from rewriters.infer.torch_members import ADDED, CONTEXT, GROUPS, KEPT, REGISTERED
from rewriters.infer.values import (
    BOTTOM,
    FLOAT,
    HELD,
    HOLDERS,
    MAYBE,
    NAME,
    NUMPY,
    OBJECT,
    STR,
    TENSOR,
    UNKNOWN,
    Bottom,
    Choice,
    ClassInfo,
    ClassOf,
    Either,
    External,
    FunctionInfo,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    Method,
    ModuleOf,
    ObjectOf,
    Partial,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.infer.words import value_of_word
from rewriters.torch.table import canonical, entry, is_module, is_tensor_class, mro, version_of

PAIR = ("values", "indices")
# What numpy gives in Python's own types.
OF_PYTHON = {"shape", "ndim", "size", "item", "tolist", "dtype", "itemsize", "nbytes", "strides"}
# What gives the objects that an array holds in another order.
OF_ARRAYS = {"flat", "T", "tolist", "ravel", "flatten", "reshape", "copy", "item", "transpose", "squeeze"}


def hands_on(values: Iterable[Value]) -> bool:
    """Whether a call with these arguments may give a tensor: what is given one, or a function to call, may."""
    for value in values:
        if isinstance(value, (Tensor, FunctionOf, Partial, Method, ObjectOf, Choice)):
            return True
        if isinstance(value, (Items, Series, Mapping)):
            parts = value.values if isinstance(value, Items) else [value.element]
            if hands_on(parts):
                return True
    return False


# What classes and functions have as texts.
TEXTS = {"__name__", "__qualname__", "__module__", "__doc__"}

# Of torch's values, those that are a text or None.
TOLD = {"torch.version.cuda"}

# Where stray attributes are kept whose names are computed.
ANY = ""
# So many classes that derive from one are looked into one by one; of more, those that have what is asked for, and one
# cell for all classes is noted.
MANY = 8

# Methods that modules alone have: whatever is asked for one is one.
OF_MODULES = {
    "register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook",
    "register_full_backward_pre_hook", "register_state_dict_pre_hook", "register_load_state_dict_post_hook",
}  # fmt: skip

# What a named tuple has for what dataclasses.replace does.
REPLACING = "builtin._replace"
# And what its fields hold, by their names.
AS_DICT = "builtin._asdict"

# What makes an object of a class without ``__init__``.
MAKING = "builtin.__new__"


def is_dict(info: ClassInfo) -> bool:
    """Whether the class derives from dict."""
    return any(Plain("builtin:dict") in one.bases for one in info.linear() if isinstance(one, ClassInfo))


@cache
def tells_of_tensor(name: str) -> bool:
    """``x.shape``, ``x.dtype``: what tells something of a tensor is stored nowhere under a name that is computed."""
    known = entry(f"torch.Tensor.{name}") or {}
    return known.get("kind") == "property" and known.get("result", "Tensor") != "Tensor"


class Attributes(Narrowing):
    """Looks attributes up."""

    def attribute(self, receiver: Value, name: str) -> Value:
        """``receiver.name``."""
        if isinstance(receiver, Bottom):
            return BOTTOM
        if isinstance(receiver, Choice):
            told = [(one, self.attribute(one, name)) for one in receiver.values]
            # What has no such attribute raises, and was none of these.
            has = [value for one, value in told if value != UNKNOWN or not self.lacks(one, name)]
            return joined(has) if has else UNKNOWN
        if isinstance(receiver, Ref):
            if name in TEXTS and not is_module(receiver.name):
                return STR
            if version_of(receiver.name) is not None or receiver.name in TOLD:
                return self.attribute(STR, name)
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
            reading.cells |= {receiver.info.named[name], receiver.info.bound}
            if name in receiver.info.scope or name in receiver.info.rebound:
                return join(receiver.info.scope.get(name, BOTTOM), receiver.info.rebound.get(name, BOTTOM))
            return ModuleOf(inner) if inner else BOTTOM if self.project.is_open() else UNKNOWN
        if isinstance(receiver, External):
            full = f"{receiver.name}.{name}"
            inner = self.project.find(full)
            return ModuleOf(inner) if inner else FLOAT if full in NUMBERS else External(full)
        if isinstance(receiver, Items) and name in PAIR and len(receiver.values) == len(PAIR):
            return receiver.values[PAIR.index(name)]  # what torch gives here is a named tuple
        if receiver == NAME:
            return self.attribute(STR, name)  # what is asked of a text is asked of one
        names = names_of(receiver)
        if names is not None:
            # What its type has not, it cannot be asked for: then it is something else, whatever was claimed.
            return Method(f"builtin.{name}", receiver) if name in names else UNKNOWN
        if isinstance(receiver, Plain):
            return self.plain_attribute(receiver, name)
        if isinstance(receiver, Unknown):
            own = MAYBE if receiver.tensor and name in dtypes.ALIKE else UNKNOWN
            if name in OF_ARRAYS and may_be_held(receiver):
                return HELD
            if name in OF_MODULES and name not in self.project.others.names:
                return Method(f"torch.nn.Module.{name}", Instance("torch.nn.Module"))
            found: Value = self.remembered(Attributes.stray_attribute, own, name)
            return found
        return UNKNOWN

    def stray_attribute(self, own: Unknown, name: str) -> Value:
        """An attribute of what is not known, of which ``own`` is known otherwise."""
        named = (name,) if tells_of_tensor(name) or name in self.project.settings else (name, ANY)
        reading.cells.update(map(self.project.stray_cell, named))
        return either_way(own, *(self.project.stray.get(one, BOTTOM) for one in named))

    def plain_attribute(self, receiver: Plain, name: str) -> Value:
        """An attribute of an argparse namespace, an array, a path, ...: no tensor, unless one is put there."""
        if receiver.kind in HOLDERS:
            return UNKNOWN
        if receiver.kind == "builtin:dict" and name == "fromkeys":
            return Plain("builtin:dict.fromkeys")
        found: Value = self.remembered(Attributes.plain_found, NUMPY if receiver == NUMPY else OBJECT, name)
        return found

    def plain_found(self, receiver: Plain, name: str) -> Value:
        stray = self.project.stray.get(name, BOTTOM)
        reading.cells |= {self.project.stray_cell(name), self.project.scattering}
        if not isinstance(stray, (Bottom, Plain)):
            return either_way(UNKNOWN, stray)
        if self.project.scattered and receiver != NUMPY:
            reading.cells.add(self.project.stray_cell(ANY))
            return either_way(UNKNOWN, self.project.stray.get(ANY, BOTTOM))
        return NUMPY if receiver == NUMPY and name not in OF_PYTHON else OBJECT

    def torch_attribute(self, klass: str, receiver: Value, name: str) -> Value:
        if name == "param_groups" and "torch.optim.Optimizer" in mro(klass):
            return GROUPS
        if name in KEPT and klass == CONTEXT and (isinstance(receiver, Instance) or name != "saved_tensors"):
            return KEPT[name]
        if isinstance(receiver, Instance) and receiver.members is not None:
            for key, value in receiver.members.known:
                if key == name:
                    return value
        if name in REGISTERED and "torch.nn.Module" in mro(klass):
            return REGISTERED[name]
        for base in mro(klass):
            known = entry(base) or {}
            if name in known.get("attributes", {}):
                return value_of_word(known["attributes"][name])
            if name in known.get("methods", {}):
                return Method(f"{base}.{name}", receiver)
        added = isinstance(receiver, Instance) and name in ADDED and "torch.nn.Module" in mro(klass)
        return TENSOR if added else UNKNOWN

    def project_attribute(self, receiver: ObjectOf | ClassOf, name: str) -> Value:
        """What an attribute may be: a class's own, a base's, what a derived class has in its place, what is stored."""
        found: Value = self.remembered(Attributes.found_attribute, receiver, name)
        return found

    def found_attribute(self, receiver: ObjectOf | ClassOf, name: str) -> Value:
        info = receiver.info
        found = self.described(receiver, self.inherited(receiver, name))
        below = {} if isinstance(receiver, ObjectOf) and receiver.exact else info.below()
        for derived in self.among(below, name):
            if name in derived.functions or name in derived.attributes:
                found = join(found, self.own(derived, receiver, name, BOTTOM))
        reading.cells.add(self.project.stray_cell(name))
        if name in self.project.stray and not self.has_function(receiver, name):
            found = join(found, self.project.stray[name])
        if not is_method(found):
            above = [one for one in info.linear() if isinstance(one, ClassInfo)]
            reading.cells.update(owner.cells[COMPUTED] for owner in above)
            for owner in (*above, *self.among(below, COMPUTED)):
                for likeness, value in owner.computed.items():
                    if fits(likeness, name):
                        owners = [*above, *self.among(below, name)]
                        reading.cells.update(one.cells.read(name) for one in above)
                        stored = any(name in one.attributes for one in owners)
                        alone = isinstance(found, Unknown) and has_beginning(likeness) and not stored
                        found = value if alone else join(found, value)
        if name == "__new__" and isinstance(found, Unknown) and isinstance(receiver, ClassOf):
            return Method(MAKING, receiver)
        if name == "_replace" and isinstance(found, Unknown) and info.fields():
            return Method(REPLACING, receiver)
        if name == "_asdict" and isinstance(found, Unknown) and info.fields():
            return Method(AS_DICT, receiver)
        if found == UNKNOWN and is_unset(info, name) and self.project.is_open():
            return BOTTOM  # no body that stores it has been interpreted
        if isinstance(found, Unknown) and not name.startswith("__"):
            found = either_way(found, self.computed_attribute(receiver))
        return self.answered_attribute(receiver, name, found)

    def among(self, below: dict[ClassInfo, int], name: str) -> Iterable[ClassInfo]:
        """In their order, of these classes at least those that have something under the name; it is noted as read."""
        if len(below) > MANY:
            reading.cells.add(self.project.named_cell(name))
            return sorted((one for one in self.project.classes_with(name) if one in below), key=below.__getitem__)
        reading.cells.update([one.cells[name] if name == COMPUTED else one.cells.read(name) for one in below])
        return below

    def described(self, receiver: ObjectOf | ClassOf, found: Value) -> Value:
        """What is found under a name; of a descriptor of the project's, what its ``__get__`` gives."""
        if not isinstance(found, ObjectOf) or not isinstance(receiver, ObjectOf):
            return found
        for owner in found.info.linear():
            if isinstance(owner, ClassInfo) and "__get__" in owner.functions:
                getting = FunctionOf(owner.functions["__get__"], found)
                gives = self.call(getting, [receiver, ClassOf(receiver.info)], {})
                return either_way(HELD, gives) if isinstance(gives, Unknown) else gives
        return found

    def computed_attribute(self, receiver: ObjectOf | ClassOf) -> Value:
        """What ``__getattr__`` gives, with what is in a dict that has its keys for attributes."""
        asked = self.inherited(receiver, "__getattr__")
        if isinstance(asked, Method):  # torch's, of modules
            return UNKNOWN
        gives = asked.info.returns if isinstance(asked, FunctionOf) else UNKNOWN
        kept = any("__getattr__" in one.attributes for one in receiver.info.linear() if isinstance(one, ClassInfo))
        if isinstance(receiver, ObjectOf) and is_dict(receiver.info) and (kept or isinstance(asked, FunctionOf)):
            return either_way(gives, self.values_in(receiver))
        return gives

    def any_attribute(self, receiver: Value, likeness: str) -> Value:
        """What lies under a name that is computed: it is not known, but that there are tensors among it is."""
        if not isinstance(receiver, (ObjectOf, ClassOf)):
            is_object = isinstance(receiver, Plain) and (receiver == OBJECT or receiver.kind in HOLDERS)
            return HELD if is_object or isinstance(receiver, (Unknown, Instance)) else UNKNOWN
        owners = [owner for owner in receiver.info.linear() if isinstance(owner, ClassInfo)]
        reading.cells.add(self.project.rounds)
        reading.cells.update(cell for owner in owners for cell in owner.cells.values())
        held = [one for owner in owners for name, one in owner.attributes.items() if fits(likeness, name)]
        held += [one for owner in owners for one in owner.computed.values()]
        return MAYBE if any(map(gives_tensor, held)) else HELD if "?" in receiver.info.linear() else UNKNOWN

    def values_in(self, held: Value) -> Value:
        """What lies in a dict; of a class of the project's that is one, whether its calls give it tensors."""
        if isinstance(held, Mapping):
            return held.element
        if isinstance(held, Either):
            return either_way(*map(self.values_in, held.values))
        if isinstance(held, ObjectOf):
            owners = [owner for owner in held.info.linear() if isinstance(owner, ClassInfo)]
            reading.cells.add(self.project.rounds)
            reading.cells.update(cell for owner in owners for cell in owner.cells.values())
            functions = [function for owner in owners for function in owner.functions.values()]
            reading.cells.update(function.asked for function in functions)
            given = [one for function in functions for one in function.arguments.values()]
            given += [one for owner in owners for one in owner.attributes.values()]
            return either_way(*(one.element if isinstance(one, Mapping) else one for one in given))
        return UNKNOWN if not gives_tensor(held) else held

    def iterated(self, value: Value) -> Value:
        """What going through a value gives; of an object of the project's, what its own ``__iter__`` gives."""
        value = self.as_items(value)
        if isinstance(value, ClassOf) and is_enum(value.info):
            return ObjectOf(value.info, exact=True)
        if not isinstance(value, ObjectOf):
            return element(value)
        method = self.project_attribute(value, "__iter__")
        if not isinstance(method, FunctionOf):
            return ANY_MODULE if value.info.torch_base() in HOLDING_MODULES else UNKNOWN
        given = self.call(method, [], {})
        if isinstance(given, ObjectOf):
            step = self.project_attribute(given, "__next__")
            return self.call(step, [], {}) if isinstance(step, FunctionOf) else UNKNOWN
        return element(given)

    def own(self, owner: ClassInfo, receiver: ObjectOf | ClassOf, name: str, otherwise: Value) -> Value:
        """What the class itself has under the name: a function, and what its instances store."""
        found: Value = owner.attributes.get(name, BOTTOM)
        function = owner.functions.get(name)
        if function is not None:
            reading.cells.add(function.answers)
            if function.opaque and function.node not in self.project.told.results:
                return UNKNOWN
            if function.kind == "property":
                return join(found, self.got(function, receiver))
            bound = isinstance(receiver, ObjectOf) or function.kind == "classmethod"
            return join(found, FunctionOf(function, receiver if bound and function.kind != "staticmethod" else None))
        return found if name in owner.attributes else otherwise

    def got(self, function: FunctionInfo, receiver: ObjectOf | ClassOf) -> Value:
        """What a property gives; where that is an attribute of the object, what this object's is."""
        kept = attribute_given(function.node)
        if not kept or function.node in self.project.told.results or isinstance(receiver, ClassOf):
            return function.returns
        return function.returns if self.has_function(receiver, kept) else self.project_attribute(receiver, kept)

    def inherited(self, receiver: ObjectOf | ClassOf, name: str) -> Value:
        """By the order of look-up. What instances store is in one place, whichever class's method stores it."""
        stored: Value = BOTTOM
        named = False
        for owner in receiver.info.linear():
            if isinstance(owner, ClassInfo):
                reading.cells.add(owner.cells.read(name))
                if name in owner.functions:
                    return join(stored, self.own(owner, receiver, name, BOTTOM))
                if name in owner.attributes:
                    stored, named = join(stored, owner.attributes[name]), True
            elif isinstance(stored, Bottom):
                if owner == "?":
                    return UNKNOWN
                if is_tensor_class(owner):
                    return self.attribute(TENSOR, name)
                found = self.torch_attribute(owner, receiver, name)
                if not isinstance(found, Unknown):
                    return found
            elif owner != "?":
                of_torch = self.torch_attribute(owner, receiver, name)
                if not isinstance(of_torch, (Unknown, Method)):
                    return join(stored, of_torch)
        if is_enum(receiver.info) and (isinstance(stored, Tensor) or (not named and name == "name")):
            return UNKNOWN if named else STR  # a member is no tensor, what it stores may be one
        return stored if named else UNKNOWN

    def super_value(self) -> Value:
        assert self.owner is not None
        reading.cells.add(self.owner.cells[BASES])
        bases = self.owner.bases
        for base in bases:
            if isinstance(base, ClassOf):
                return ObjectOf(base.info, exact=True)
            if isinstance(base, Ref):
                return TENSOR if is_tensor_class(base.name) else Instance(base.name)
        return UNKNOWN


# Modules that hold others, and give these when they are gone through or indexed.
HOLDING_MODULES = {"torch.nn.ModuleList", "torch.nn.Sequential"}
ANY_MODULE = Instance("torch.nn.Module")


def is_enum(info: ClassInfo) -> bool:
    """Whether going through the class gives its members."""
    bases = [base for one in info.linear() if isinstance(one, ClassInfo) for base in one.bases]
    return any(isinstance(base, External) and base.name in ENUMS for base in bases)
