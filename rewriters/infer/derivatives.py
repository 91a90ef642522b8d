"""Functions with a derivative of their own: what a class below torch.autograd.Function is given, and what it keeps.

The context is taken for an object of the class itself (torch makes a class for it): what ``forward`` stores,
``backward`` reads.
"""

from __future__ import annotations

import ast
from abc import ABC

from rewriters.infer.joining import element, joined
from rewriters.infer.libraries import Libraries
from rewriters.infer.values import (
    COMPLEX,
    FLOATING,
    NONE,
    UNKNOWN,
    Bottom,
    ClassOf,
    FunctionOf,
    Items,
    ObjectOf,
    Series,
    Tensor,
    Value,
)


class Derivatives(Libraries, ABC):
    """What comes of ``apply`` and of ``save_for_backward``."""

    def applied(self, made: ClassOf, positional: list[Value], starred: bool) -> Value:
        """``Class.apply(...)``: its forward and its backward are called, each with the context."""
        context = ObjectOf(made.info)
        forward, setup = (self.project_attribute(made, name) for name in ("forward", "setup_context"))
        backward = self.project_attribute(made, "backward")
        if not isinstance(forward, FunctionOf):
            return UNKNOWN
        apart = isinstance(setup, FunctionOf)  # then forward is called without one
        found = self.call_function(forward, [*([] if apart else [context]), *positional], {}, starred)
        if isinstance(setup, FunctionOf):
            given: Value = Series(UNKNOWN, "tuple") if starred else Items(tuple(positional), "tuple")
            self.call_function(setup, [context, given, found], {}, False)
        if isinstance(backward, FunctionOf) and not isinstance(found, Bottom):
            results = [*found.values] if isinstance(found, Items) else [found]
            known = all(isinstance(one, Tensor) or one == NONE for one in results)
            spec = backward.info.node.args
            count = len([*spec.posonlyargs, *spec.args][1:]) + (spec.vararg is not None)
            gradients = [gradient(one) for one in (results if known else [UNKNOWN] * count)]
            self.call_function(backward, [context, *gradients], {}, False)
        return found

    def saved(self, context: ObjectOf, positional: list[Value], node: ast.Call | None) -> None:
        """``ctx.save_for_backward(...)``; ``node`` where some arguments are starred and of no known number."""
        values: Value = Items(tuple(positional), "tuple")
        if node is not None:
            each = ((word, getattr(word, "v", UNKNOWN)) for word in node.args)
            values = Series(
                joined(
                    element(getattr(word.value, "v", UNKNOWN)) if isinstance(word, ast.Starred) else value
                    for word, value in each
                ),
                "tuple",
            )
        self.project.merge(context.info.cells["saved_tensors"], context.info.attributes, "saved_tensors", values)


def gradient(output: Value) -> Value:
    """Of an output, which torch makes zeros of where there is none."""
    kinds = output.kinds & (FLOATING | COMPLEX) if isinstance(output, Tensor) else 0
    return Tensor(kinds=kinds or FLOATING | COMPLEX, ndim=getattr(output, "ndim", None))
