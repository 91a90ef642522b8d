"""Binding a call's arguments to a rule's parameters, and choosing among a rule's overloads."""

from __future__ import annotations

import ast
from collections import abc
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rewriters.infer.joining import is_dtype
from rewriters.infer.ranks import ranks_at_times
from rewriters.infer.values import (
    BOOLEAN,
    COMPLEX,
    DTYPE_IF_ANY,
    FIGURES,
    FLOATING,
    INTEGRAL,
    NAME,
    NUMBER,
    NUMPY,
    OPAQUE,
    SIZE,
    Bottom,
    Choice,
    ClassOf,
    External,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    Method,
    ObjectOf,
    Partial,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.rules.annotations import FOREIGN, RANK, TENSOR_KINDS, TENSORS, WORD
from rewriters.rules.given_values import any_of, comes_of_library, defaults_of, holds_foreign, is_none
from rewriters.rules.refusal import NoMatch, Obstacle, Refusal
from rewriters.rules.rulebook import Rule, dotted
from rewriters.rules.specificity import Signature, contains
from rewriters.text.parsing import expression_of
from rewriters.text.precedence import Form, form_of
from rewriters.text.tree import walk
from rewriters.torch.table import entry, is_tensor_class, of_source


@dataclass(eq=False)
class Argument:
    """One argument of the call, or its receiver.

    order:   position in evaluation order, the receiver first; a part of an argument lies between two.
    keyword: the name it was passed under, None when positional.
    text:    its source with the edits inside it applied.
    changed: whether there are any: then ``node`` is not what stands there.
    fresh:   whether it is a receiver that nobody else can hold, so that what changes it may give another.
    place:   what is bound to the new value, where it is not the receiver itself: x in ``x.mul_(2).add_(1)``.
    called:  what the rules call it, where torch has several names for it.
    """

    node: ast.expr
    order: float
    keyword: str | None = None
    text: str = ""
    star: str = ""
    receiver: bool = False
    changed: bool = False
    fresh: bool = False
    place: Argument | None = None
    called: str | None = None

    @cached_property
    def form(self) -> Form:
        """What its text is, which decides about parentheses: after its own conversion ``x.add(1)`` may be ``x + 1``."""
        if not self.changed and not isinstance(self.node, (ast.Tuple, ast.GeneratorExp)):
            return Form(self.node)
        try:
            return form_of(self.text)
        except SyntaxError:
            return Form(self.node)

    @property
    def value(self) -> Value:
        found: Value = getattr(self.node, "v", Unknown())
        return found


@dataclass
class Bound:
    """Parameters of one overload with what the call gives them.

    arguments: parameter -> argument.
    variadic:  name of ``*args`` -> its arguments, when the rule has one.
    defaults:  parameters that the call does not mention -> the rule's default.
    """

    rule: Rule
    arguments: dict[str, Argument] = field(default_factory=dict)
    variadic: dict[str, list[Argument]] = field(default_factory=dict)
    defaults: dict[str, ast.expr] = field(default_factory=dict)
    extra: dict[str, Argument] = field(default_factory=dict)

    def rule_defaults(self) -> dict[str, ast.expr]:
        """The defaults of the rule's parameters, whether the call mentions them or not."""
        return defaults_of(self.rule.parameters)


# Parameters under which torch also accepts an argument (numpy's names).
SYNONYMS = {"axis": "dim", "keepdims": "keepdim", "x": "input", "x1": "input", "x2": "other"}
SYNONYMS |= dict.fromkeys(("a", "A", "self", "tensor"), "input")  # as torch's documentation has them


Ambient = abc.Mapping[str, str]
"""Keyword-only parameters that the target supplies -> its expression for them."""


def bind(rule: Rule, arguments: Sequence[Argument], ambient: Ambient) -> Bound | None:
    """What each parameter of the rule gets, None when the call does not fit. Raises Refusal for star arguments."""
    if any(argument.star for argument in arguments):
        raise Refusal(Obstacle.STAR_ARGUMENTS)
    spec = rule.parameters
    positional = [a.arg for a in [*spec.posonlyargs, *spec.args]]
    keyword_only = [a.arg for a in spec.kwonlyargs]
    bound = Bound(rule)
    rest: list[Argument] = []
    given = [argument for argument in arguments if argument.keyword is None]
    for name, argument in zip(positional, given, strict=False):
        bound.arguments[name] = argument
    rest = given[len(positional) :]
    if rest and not spec.vararg:
        return None
    if spec.vararg:
        bound.variadic[spec.vararg.arg] = rest
    for argument in arguments:
        if argument.keyword is None:
            continue
        name = argument.called or argument.keyword
        if name not in positional and name not in keyword_only:
            name = SYNONYMS.get(name, name)
        if name in bound.arguments:
            return None
        if name in positional or name in keyword_only:
            bound.arguments[name] = argument
        elif spec.kwarg:
            bound.extra[argument.keyword] = argument
        else:
            return None
    defaults = defaults_of(spec)
    defaults.update({n: expression_of(ambient[n]) for n in asked_for(rule, ambient)})
    for name in [*positional, *keyword_only]:
        if name not in bound.arguments:
            if name not in defaults:
                return None
            bound.defaults[name] = defaults[name]
    return bound


def asked_for(rule: Rule, ambient: Ambient) -> list[str]:
    """The ambient things that a rule asks for."""
    spec = rule.parameters
    pairs = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    return [a.arg for a, default in pairs if default is None and a.arg in ambient]


def choose(rules: Sequence[Rule], arguments: Sequence[Argument], ambient: Ambient) -> Bound:
    """The overload that the call means.

    Raises NoMatch when none fits, Refusal when the types do not decide.
    """
    open_ones: list[Bound] = []
    for rule in rules:
        bound = bind(rule, arguments, ambient)
        if bound is None:
            continue
        fits = admits(bound)
        if fits is False:
            continue
        if fits is True and not any(looks_into(one.rule, rule) for one in open_ones):
            if any(map(is_met_at_times, open_ones)):
                break
            return bound  # right whatever an earlier, undecided one says: each is right for all that it admits
        open_ones.append(bound)
    if not open_ones:
        raise NoMatch
    if any(map(is_met_at_times, open_ones)):
        raise Refusal(Obstacle.RANK_AT_TIMES, "others may call it with other numbers of axes")
    raise Refusal(Obstacle.UNDECIDED_OVERLOAD, "an annotation of the argument would decide")


def looks_into(rule: Rule, other: Rule) -> bool:
    """Whether a rule is for some of the data that another one takes: that one is not right for those."""
    spec = rule.parameters
    data = any(dotted(a.annotation) == FOREIGN for a in [*spec.posonlyargs, *spec.args] if a.annotation is not None)
    return data and contains(Signature.of(other.parameters), Signature.of(spec))


def is_met_at_times(bound: Bound) -> bool:
    """Whether a rule asks for numbers of axes that its arguments have in some of the project's calls, and that there
    may be others: the program is to look when it runs.
    """
    at_times = False
    for parameter in bound.rule.parameters.args:
        argument, asked = bound.arguments.get(parameter.arg), parameter.annotation
        parts = alternatives(asked) if argument is not None and asked is not None else []
        wanted = {ast.literal_eval(p.slice) for p in parts if isinstance(p, ast.Subscript) and dotted(p.value) == RANK}
        if argument is None or not wanted:
            continue
        if isinstance(argument.value, Tensor) and argument.value.ndim in wanted:
            continue
        if wanted.isdisjoint(ranks_at_times(argument.value)):
            return False
        at_times = True
    return at_times


def admits(bound: Bound) -> bool | None:
    """Whether the annotated parameters admit their arguments: yes, no, or not known."""
    spec = bound.rule.parameters
    answer: bool | None = True
    for parameter in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]:
        argument = bound.arguments.get(parameter.arg)
        if parameter.annotation is None or argument is None:
            continue
        if argument.receiver and not asks_for_kind(parameter.annotation):
            continue
        fits = is_of(argument, parameter.annotation)
        if fits is False:
            return False
        if fits is None:
            answer = None
    if spec.vararg and spec.vararg.annotation is not None:
        rest = bound.variadic.get(spec.vararg.arg, [])
        for argument in rest:
            if len(rest) > 1 and argument.value == FIGURES and dotted(spec.vararg.annotation) == "int":
                continue  # one of several sizes is one number
            fits = is_of(argument, spec.vararg.annotation)
            if fits is False:
                return False
            if fits is None:
                answer = None
    return answer


def is_of(argument: Argument, annotation: ast.expr) -> bool | None:
    """Whether the argument is of the annotated type: ``int``, ``list``, ``torch.Tensor``, ``int | None``, ..."""
    if isinstance(annotation, ast.BinOp):
        if argument.value in (NUMBER, FIGURES) and {"int", "float"} <= set(map(dotted, alternatives(annotation))):
            return True
        parts = alternatives(annotation)
        kinds = sum(KINDS_OF_TENSORS.get(dotted(part) or "", 0) for part in parts)
        of_tensor = [of_kinds(argument.value, kinds)] if kinds and isinstance(argument.value, Tensor) else []
        return any_of([*of_tensor, *(is_of(argument, part) for part in parts)])
    if isinstance(annotation, ast.Tuple):
        return any_of([is_of(argument, part) for part in annotation.elts])
    if isinstance(annotation, ast.Constant) and annotation.value is None:
        return is_none(argument.node)
    if dotted(annotation) == FOREIGN:
        return holds_foreign(argument.value)
    if isinstance(annotation, ast.Subscript) and dotted(annotation.value) == RANK:
        return of_rank(argument.value, ast.literal_eval(annotation.slice))
    if isinstance(annotation, ast.Subscript) and dotted(annotation.value) == WORD:
        node = argument.node
        return isinstance(node, ast.Constant) and node.value == ast.literal_eval(annotation.slice)
    if dotted(annotation) == NUMPY.kind and isinstance(argument.value, Unknown):
        return comes_of_library(argument.node) or None
    return value_is(argument.value, dotted(annotation) or "")


def alternatives(annotation: ast.expr) -> list[ast.expr]:
    """``int | float | None``: each."""
    if isinstance(annotation, ast.BinOp):
        return alternatives(annotation.left) + alternatives(annotation.right)
    return [annotation]


def asks_for_kind(annotation: ast.expr) -> bool:
    """Whether the annotation is of a tensor's dtype or rank: that a receiver is a tensor is known, of which is not."""
    return any(isinstance(part, ast.Name) and part.id in {*KINDS_OF_TENSORS, RANK} for part in walk(annotation))


KINDS = {
    "int": {"int"},
    "float": {"float"},
    "bool": {"bool"},
    "str": {"str"},
    "bytes": {"bytes"},
}


def value_is(value: Value, name: str) -> bool | None:
    """Whether an abstract value is an instance of the named type."""
    if isinstance(value, (Unknown, Bottom)):
        return None
    short = name.rpartition(".")[2]
    if short in TENSORS:
        return isinstance(value, Tensor)
    if value == NAME and short in {"int", "float", "bool", "str"}:
        return short == "str"
    if value in (OPAQUE, FIGURES, NAME) and short not in KINDS_OF_TENSORS:
        return False if value == FIGURES and short in {"str", "bytes", "dtype", "device", "dict"} else None
    if short in KINDS_OF_TENSORS:
        return of_kinds(value, KINDS_OF_TENSORS[short])
    if isinstance(value, Tensor):
        return False
    if short in {"list", "tuple", "Sequence"}:
        if isinstance(value, (Items, Series)):
            kind = value.kind
            return True if short == "Sequence" or kind not in {"list", "tuple"} else kind == short or None
        return short != "list" if isinstance(value, Instance) and value.name == "torch.Size" else False
    if short == "range":
        return isinstance(value, Series) and value.kind == "range"
    if short == "Size":
        if isinstance(value, (Items, Series)):
            return None if value.kind not in {"list", "tuple"} else False
        return value == SIZE
    if short == "dict":
        return isinstance(value, Mapping)
    if short == "dtype":
        return None if value == DTYPE_IF_ANY else is_dtype(value)
    if short in {"device", "Device"}:
        return isinstance(value, Instance) and value.name == "torch.device"
    if isinstance(value, Plain):
        if name == value.kind:
            return True
        if value == NUMBER:
            return None if short in {"int", "float", "bool"} else False
        if value.kind == "object" or "." in value.kind:
            return None  # what a library gives is no tensor, and may be a number, a string, ...
        return value.kind in KINDS.get(short, set()) or (short in {"int"} and value.kind == "bool")
    if isinstance(value, (FunctionOf, Partial, ClassOf, Method, ObjectOf)):
        return short == "Callable" or (None if isinstance(value, ObjectOf) else False)
    if isinstance(value, External):
        return None
    if isinstance(value, Choice):
        found = {value_is(one, name) for one in value.values}
        return found.pop() if len(found) == 1 else None
    if isinstance(value, Ref):
        known = entry(value.name) or {}
        return short == "Callable" if known.get("kind") in {"function", "class"} else None
    if isinstance(value, Instance):
        # A rule names the target's classes: which of them an instance of torch's becomes, its own rule decides.
        of_target = not of_source(name) and "." in name
        return value.name == name or (None if is_tensor_class(name) or of_target else False)
    return False


KINDS_OF_TENSORS = dict(zip(TENSOR_KINDS, (BOOLEAN, INTEGRAL, FLOATING, COMPLEX), strict=True))


def of_rank(value: Value, ndim: int) -> bool | None:
    """Whether it is a tensor of so many axes."""
    if isinstance(value, Tensor):
        return None if value.ndim is None else value.ndim == ndim
    return None if isinstance(value, (Unknown, Bottom)) else False


def of_kinds(value: Value, kinds: int) -> bool | None:
    """Whether it is a tensor with a dtype of these kinds."""
    if not isinstance(value, Tensor) or not value.kinds & kinds:
        return False
    return None if value.kinds & ~kinds else True
