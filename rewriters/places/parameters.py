"""The parameters of a function of the project, and which of them an argument comes by."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from rewriters.infer.syntax import bound_names
from rewriters.infer.values import NUMPY, Bottom, Items, Mapping, ObjectOf, Series, Tensor, Unknown
from rewriters.text.tree import walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
MAY_HOLD = (Tensor, Unknown, Bottom, Items, Series, Mapping, ObjectOf)


@dataclass(frozen=True)
class Parameters:
    """Without the receiver that the function is bound to.

    positional: those that are given by position.
    keyword:    those that are given by keyword alone.
    args:       the one that takes what is left by position, ``*args``; "" for none.
    kwargs:     the same by keyword.
    receiver:   the one that the function is bound to; "" for none.
    """

    positional: tuple[str, ...] = ()
    keyword: tuple[str, ...] = ()
    args: str = ""
    kwargs: str = ""
    receiver: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.positional, *self.keyword, *filter(None, (self.args, self.kwargs)))

    def taken_by(self, place: int | str, unpacked: bool = False) -> tuple[str, ...]:
        """Those that an argument may come by.

        place:    by position, by keyword, or "**" for what a mapping holds.
        unpacked: by position, it is what ``*`` gives, or stands behind that.
        """
        if isinstance(place, int):
            named = self.positional[place:] if unpacked else self.positional[place : place + 1]
            return (*named, *filter(None, [self.args])) if unpacked or not named else named
        if place == "**":
            return (*self.positional, *self.keyword, *filter(None, [self.kwargs]))
        return (place,) if place in self.positional + self.keyword else tuple(filter(None, [self.kwargs]))


def parameters_of(node: ast.AST, bound: bool = False) -> Parameters:
    """Of a function; what is none has none. bound: its first one is the receiver."""
    spec = getattr(node, "args", None)
    if not isinstance(spec, ast.arguments):
        return Parameters()
    positional = tuple(one.arg for one in [*spec.posonlyargs, *spec.args])
    receiver = positional[0] if bound and positional else ""
    return Parameters(
        positional[1:] if receiver else positional,
        tuple(one.arg for one in spec.kwonlyargs),
        spec.vararg.arg if spec.vararg else "",
        spec.kwarg.arg if spec.kwarg else "",
        receiver,
    )


def free_names(node: ast.AST) -> frozenset[str]:
    """What a function reads from around it, as far as that may be a tensor, or hold some."""
    if not isinstance(node, FUNCTIONS):
        return frozenset()
    parts = walk(node)
    names = [part for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)]
    values = ((part.id, getattr(part, "v", None)) for part in names)
    read = {name for name, value in values if isinstance(value, MAY_HOLD) or value == NUMPY}
    return frozenset(read - bound_names(node, parts)) if read else frozenset()


def owner_of(name: str, function: ast.AST) -> ast.AST:
    """The function around that one which binds the name, or the file."""
    node: ast.AST = function
    while (above := getattr(node, "parent", None)) is not None:
        node = above
        if isinstance(node, FUNCTIONS) and name in bound_names(node):
            break
    return node
