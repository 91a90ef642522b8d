"""``container[index]``."""

from __future__ import annotations

import ast
from abc import ABC
from typing import TypeGuard

from rewriters.infer.computed_names import pattern
from rewriters.infer.either import ARRAYS, holders
from rewriters.infer.joining import element, held, joined
from rewriters.infer.other_libraries import OF_INDICES
from rewriters.infer.own_operators import OwnOperators
from rewriters.infer.ranks import indexed
from rewriters.infer.syntax import constant_int, is_dict_of
from rewriters.infer.values import (
    BOTTOM,
    NAME,
    NUMPY,
    SIZE,
    STR,
    UNKNOWN,
    Bottom,
    Either,
    External,
    Instance,
    Items,
    Mapping,
    ObjectOf,
    Plain,
    Series,
    Tensor,
    Unknown,
    Value,
)

# What these give of an index is that index.
INDICES = {"numpy.s_", "numpy.index_exp"}


class Subscripts(OwnOperators, ABC):
    """Interprets subscripts."""

    def ev_Subscript(self, node: ast.Subscript) -> Value:
        container = self.as_items(self.ev(node.value))
        within = self.ev(node.slice)
        index = node.slice
        if is_dict_of(node.value):
            owner = self.owner_of_dict(node.value)
            if isinstance(index, ast.Constant) and isinstance(index.value, str):
                return self.attribute(owner, index.value)
            return self.any_attribute(owner, pattern(index))
        if isinstance(container, Either):
            return joined(self.part(one, within, index) for one in holders(container))
        return self.part(container, within, index)

    def part(self, container: Value, within: Value, index: ast.expr) -> Value:
        """``container[index]``."""
        if isinstance(container, Bottom):
            return BOTTOM
        if isinstance(container, Tensor):
            return indexed(container, within.values if is_tuple(within) else [within])
        if isinstance(container, Items):
            number = constant_int(index)
            if number is not None and -len(container.values) <= number < len(container.values):
                return container.values[number]
            if isinstance(index, ast.Slice):
                return Series(element(container), container.kind)
        if isinstance(within, Tensor) and isinstance(container, (Items, Series, Plain)):
            if isinstance(container, Plain):
                return container if container in ARRAYS else UNKNOWN
            return element(container)
        if isinstance(container, Mapping):
            if isinstance(index, ast.Constant):
                for key, value in container.known:
                    if key == index.value:
                        return value
            return container.element
        if isinstance(container, Instance) and container.name == "torch.Size" and isinstance(index, ast.Slice):
            return SIZE
        if isinstance(container, (Series, Items)):
            return container if isinstance(index, ast.Slice) else element(container)
        if isinstance(container, Instance) and container.members is not None:
            container = container.members
            for key, value in container.known:
                if isinstance(index, ast.Constant) and key == index.value:
                    return value
            return container.element
        if (
            isinstance(container, Instance)
            and container.element is not None
            and container.name != "torch.nn.ModuleDict"
        ):
            return container if isinstance(index, ast.Slice) else container.element
        if isinstance(container, ObjectOf):
            return self.item_of(container, within)
        if isinstance(container, External) and container.name in INDICES:
            return within if container.name == "numpy.s_" or is_tuple(within) else Items((within,))
        if isinstance(container, External) and container.name in OF_INDICES:
            return NUMPY
        if isinstance(container, Plain):
            return container if container == NUMPY else STR if container in (STR, NAME) else held(container)
        return container if isinstance(container, Unknown) else UNKNOWN


def is_tuple(index: Value) -> TypeGuard[Items]:
    """Whether an index is one of several axes: a list of numbers is one index."""
    return isinstance(index, Items) and index.kind == "tuple"
