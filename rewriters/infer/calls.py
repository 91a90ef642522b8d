"""Calls: whose they are, and what the project's own functions learn from them."""

from __future__ import annotations

import ast

from rewriters.infer import dtypes
from rewriters.infer.syntax import is_forward
from rewriters.infer.torch_calls import TorchCalls
from rewriters.source.table import entry
from rewriters.values import (
    BOTTOM,
    NUMPY,
    OBJECT,
    UNKNOWN,
    Bottom,
    Choice,
    ClassInfo,
    ClassOf,
    External,
    FunctionOf,
    Instance,
    Method,
    ObjectOf,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
    join,
)
from rewriters.words import value_of_annotation, value_of_word


class Calls(TorchCalls):
    """Calls of anything."""

    def call(
        self,
        callee: Value,
        positional: list[Value],
        keywords: dict[str, Value],
        node: ast.Call | None = None,
        starred: bool = False,
    ) -> Value:
        """The value of calling ``callee``; summaries of the project's own functions learn the arguments."""
        if isinstance(callee, Bottom):
            return BOTTOM
        if isinstance(callee, Choice):
            found: Value = BOTTOM
            for one in callee.values:
                found = join(found, self.call(one, positional, keywords, node, starred))
            return found
        if isinstance(callee, Ref):
            return self.call_torch(callee.name, positional, keywords)
        if isinstance(callee, Method):
            return self.call_method(callee, positional, keywords, node)
        if isinstance(callee, FunctionOf):
            return self.call_function(callee, positional, keywords, starred)
        if isinstance(callee, ClassOf):
            self.construct(callee.info, positional, keywords, starred)
            return ObjectOf(callee.info)
        if isinstance(callee, ObjectOf):
            name = "forward" if callee.info.is_module else "__call__"
            method = self.project_attribute(callee, name)
            if isinstance(method, FunctionOf):
                return self.call_function(method, positional, keywords, starred)
            if isinstance(method, Method):
                return self.call(Instance(callee.info.torch_base() or "torch.nn.Module"), positional, keywords)
            return UNKNOWN
        if isinstance(callee, Instance):
            if callee.result is not None:
                return callee.result
            known = entry(callee.name) or {}
            if callee.name == "torch.nn.Module" or not known.get("module"):
                return UNKNOWN
            return dtypes.module_result(callee.name, value_of_word(known.get("forward", "")))
        if isinstance(callee, External):
            return self.call_external(callee.name, positional)
        if isinstance(callee, Plain) and callee.kind.startswith("builtin:"):
            return self.call_builtin(callee.kind[8:], positional, keywords, node)
        if callee == NUMPY:
            return NUMPY
        return OBJECT if isinstance(callee, Plain) else UNKNOWN

    def construct(self, info: ClassInfo, positional: list[Value], keywords: dict[str, Value], starred: bool) -> None:
        for owner in info.linear():
            if isinstance(owner, ClassInfo) and "__init__" in owner.functions:
                self.call_function(
                    FunctionOf(owner.functions["__init__"], ObjectOf(info)), positional, keywords, starred
                )
                return
            if owner == "?":
                return
        fields = [
            s.target.id for s in info.node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
        ]
        for name, value in [*zip(fields, positional, strict=False), *keywords.items()]:
            if name in fields and isinstance(info.attributes.get(name), (Unknown, Bottom)):
                info.attributes[name] = value

    def call_function(
        self, callee: FunctionOf, positional: list[Value], keywords: dict[str, Value], starred: bool
    ) -> Value:
        info = callee.info
        arguments = info.node.args
        names = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]]
        if callee.receiver is not None and names:
            names = names[1:]
        elif info.kind == "method" and names and positional:
            names, positional = names[1:], positional[1:]
        forward = is_forward(info)
        given = [*zip(names, positional, strict=False), *keywords.items()]
        tensors = {name for name, value in given if isinstance(value, Tensor)}
        if tensors:
            vars(info.node)["tensors"] = tensors | getattr(info.node, "tensors", set())
        for name, value in zip(names, positional, strict=False):
            # What an unknown caller hands to a forward says nothing against its being a tensor.
            if not (forward and isinstance(value, Unknown)):
                self.project.merge(info.arguments, name, value)
        if arguments.vararg:
            for value in positional[len(names) :]:
                self.project.merge(info.arguments, "*" + arguments.vararg.arg, value)
        known = {*names, *(argument.arg for argument in arguments.kwonlyargs)}
        for name, value in keywords.items():
            if name in known and not (forward and isinstance(value, Unknown)):
                self.project.merge(info.arguments, name, value)
        if starred and not forward:
            for name in names[len(positional) :]:
                if name not in keywords:
                    self.project.merge(info.arguments, name, UNKNOWN)
        promised = None
        if not isinstance(info.node, ast.Lambda) and info.module is self.module:
            promised = value_of_annotation(info.node.returns, self.quiet)
        if not isinstance(info.yields, Bottom):
            return Series(info.yields, "iterator")
        return promised if promised is not None else info.returns
