"""Calls: whose they are, and what the project's own functions learn from them."""

from __future__ import annotations

import ast
from dataclasses import replace

from rewriters.infer import dtypes
from rewriters.infer.answers import is_open
from rewriters.infer.attributes import AS_DICT, MAKING, OF_ARRAYS, REPLACING, hands_on
from rewriters.infer.axes_in_place import remade
from rewriters.infer.call_words import asked_for_more, indices, less, literal_keywords, uncounted, with_more
from rewriters.infer.cells import reading
from rewriters.infer.choosing import chosen
from rewriters.infer.either import is_hint
from rewriters.infer.joining import either_way, gives_tensor, join, low_kinds, may_be_held
from rewriters.infer.keepers import HEAPS
from rewriters.infer.named_tuples import named_tuple
from rewriters.infer.other_libraries import COMPILED
from rewriters.infer.syntax import CALLING, is_forward, switches
from rewriters.infer.torch_calls import TorchCalls
from rewriters.infer.values import (
    AT_TIMES,
    BARE,
    BOOLEAN,
    BOTTOM,
    HELD,
    HOLDERS,
    INTEGRAL,
    MAYBE,
    NARROW,
    NONE,
    NUMPY,
    OBJECT,
    TENSOR,
    TRUTHS,
    UNKNOWN,
    WIDE,
    Bottom,
    Choice,
    ClassInfo,
    ClassOf,
    External,
    FunctionInfo,
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
    is_bare,
)
from rewriters.infer.words import contradicts, hinted, is_maybe, refined, value_of_annotation, value_of_word
from rewriters.torch.table import entry

PACKED = Instance("torch.nn.utils.rnn.PackedSequence")
FUTURE = "torch.Future"  # what fork gives


def may_give_tensor(node: ast.Call | None) -> bool:
    """``(x > 0).sum()``, which only a tensor or an array has; ``x.mul(2)`` of what is a tensor at times."""
    function = node.func if node is not None else None
    if not isinstance(function, ast.Attribute):
        return False
    if function.attr == "sum" and isinstance(function.value, ast.Compare):
        return True
    return is_hint(getattr(function.value, "v", UNKNOWN)) and is_tensor_method(function.attr)


def is_tensor_method(name: str) -> bool:
    """Whether a tensor's method of that name gives a tensor."""
    result = (entry(f"torch.Tensor.{name}") or {}).get("result", "")
    return result == "Tensor" or (isinstance(result, list) and any(word == "Tensor" for _, word in result))


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
            if callee.name in CALLING and positional:
                words = {word: value for word, value in keywords.items() if word not in CALLING[callee.name]}
                called = self.call(positional[0], positional[1:], words, None, starred)
                return Instance(FUTURE, called) if callee.name == "torch.jit.fork" else called
            if callee.name == "torch.jit.wait" and positional:
                awaited = positional[0]
                return awaited.element or UNKNOWN if isinstance(awaited, Instance) else UNKNOWN
            if "return_indices" in keywords or "reduction" in keywords:
                keywords = literal_keywords(keywords, node)
            if "as_tuple" in keywords:
                return indices(node)
            if (more := asked_for_more(callee.name, keywords, node)) is not None:
                return with_more(self.call(callee, positional, less(keywords), None, starred), more)
            if callee.name.startswith("torch.optim.") and node is not None:
                self.take_groups(node)
            return uncounted(self.call_torch(callee.name, positional, keywords), callee.name, starred)
        if isinstance(callee, Method):
            return self.call_bound(callee, positional, keywords, node, starred)
        if isinstance(callee, FunctionOf):
            return self.call_function(callee, positional, keywords, starred, node)
        if isinstance(callee, Partial):
            words = dict(callee.keywords) | keywords
            return self.call_function(callee.function, [*callee.positional, *positional], words, starred)
        if isinstance(callee, ClassOf):
            self.construct(callee.info, positional, keywords, starred)
            made = self.has_function(callee, "__new__")
            return UNKNOWN if made else ObjectOf(callee.info, exact=True)
        if isinstance(callee, ObjectOf):
            return self.call_object(callee, positional, keywords, starred, node)
        if isinstance(callee, Instance):
            if callee.first is not None:
                self.call(callee.first, positional, keywords, None, starred)
            if callee.result is not None:
                return callee.result
            known = entry(callee.name) or {}
            if callee.name == "torch.nn.Module" or not known.get("module"):
                return UNKNOWN
            result = dtypes.module_result(callee.name, value_of_word(known.get("forward", "")))
            if isinstance(result, Items) and PACKED in positional[:1]:
                return Items((PACKED, *result.values[1:]))
            return result
        if isinstance(callee, External):
            if callee.name in self.project.told.libraries:
                return self.project.told.libraries[callee.name]
            if callee.name == "dataclasses.replace" and positional and isinstance(positional[0], ObjectOf):
                self.construct(positional[0].info, [], keywords, starred)
                return positional[0]
            if callee.name in HEAPS:
                return self.call_heap(callee.name, positional, node)
            is_named = callee.name == "collections.namedtuple"
            named = self.named_tuple(node) if is_named and node is not None else None
            return named or self.call_external(callee.name, positional, keywords, starred)
        if isinstance(callee, Plain) and callee.kind.startswith("builtin:"):
            return self.call_builtin(callee.kind[8:], positional, keywords, node, starred)
        given = [*positional, *keywords.values()]
        if not isinstance(callee, Plain) or callee.kind in HOLDERS or (callee != COMPILED and hands_on(given)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                of_any = self.given_by_any(node.func.attr, positional)
                if of_any is not None:
                    return of_any
            return self.of_unknown(callee, node, positional, keywords, starred)
        return NUMPY if callee == NUMPY else OBJECT

    def of_unknown(
        self,
        callee: Value,
        node: ast.Call | None,
        positional: list[Value],
        keywords: dict[str, Value],
        starred: bool,
    ) -> Value:
        """Of ``x.any()``, x a tensor at times: not known, but of truth values then."""
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in OF_ARRAYS and may_be_held(callee):
            return HELD
        if not may_give_tensor(node):
            return UNKNOWN
        if node is None or not isinstance(node.func, ast.Attribute) or isinstance(node.func.value, ast.Compare):
            return MAYBE
        called = Method(f"torch.Tensor.{node.func.attr}", TENSOR)
        return either_way(MAYBE, self.call_bound(called, positional, keywords, None, starred))

    def call_bound(
        self,
        callee: Method,
        positional: list[Value],
        keywords: dict[str, Value],
        node: ast.Call | None,
        starred: bool,
    ) -> Value:
        """A call of a method of torch's, or of one that Python gives a class of the project."""
        if "as_tuple" in keywords:
            return indices(node)
        if (more := asked_for_more(callee.name, keywords, node)) is not None:
            return with_more(self.call(callee, positional, less(keywords), None, starred), more)
        if callee.name == MAKING and positional:
            return ObjectOf(positional[0].info) if isinstance(positional[0], ClassOf) else UNKNOWN
        if callee.name == REPLACING and isinstance(callee.receiver, ObjectOf):
            self.construct(callee.receiver.info, [], keywords, starred)
            return callee.receiver
        if callee.name == AS_DICT and isinstance(callee.receiver, ObjectOf):
            held = {name: self.attribute(callee.receiver, name) for name in callee.receiver.info.fields()}
            return self.call_builtin("dict", [], held, None)
        return uncounted(self.call_method(callee, positional, keywords, node, starred), callee.name, starred)

    def call_object(
        self,
        callee: ObjectOf,
        positional: list[Value],
        keywords: dict[str, Value],
        starred: bool,
        node: ast.Call | None,
    ) -> Value:
        """A call of an instance: of a Module, what its forward gives."""
        own = self.project_attribute(callee, "__call__")
        forwards = callee.info.is_module and not self.has_function(callee, "__call__")
        method = self.project_attribute(callee, "forward") if forwards else own
        if isinstance(method, Method):
            return self.call(Instance(callee.info.torch_base() or "torch.nn.Module"), positional, keywords)
        if isinstance(method, Bottom):
            return BOTTOM
        functions = method.values if isinstance(method, Choice) else (method,)
        if not all(isinstance(one, FunctionOf) for one in functions):
            return UNKNOWN
        return self.call(method, positional, keywords, node, starred)

    def named_tuple(self, node: ast.Call) -> ClassOf | None:
        """What ``namedtuple("Point", "x y")`` gives."""
        info = self.project.classes.get(node) or named_tuple(node, self.module)
        if info is None:
            return None
        self.project.classes[node] = info
        return ClassOf(info)

    def construct(self, info: ClassInfo, positional: list[Value], keywords: dict[str, Value], starred: bool) -> None:
        for owner in info.linear():
            if isinstance(owner, ClassInfo):
                reading.cells.add(owner.cells.read("__init__"))
                if "__init__" in owner.functions:
                    made = FunctionOf(owner.functions["__init__"], ObjectOf(info))
                    self.call_function(made, positional, keywords, starred)
                    return
            if owner == "?":
                return
        fields = info.declared()
        given: dict[str, Value] = dict.fromkeys(fields, UNKNOWN) if starred else {}
        given |= dict(zip(fields, positional, strict=False)) | keywords
        for name, value in given.items():
            self.fill(fields.get(name, info), name, value, name in fields)

    def fill(self, info: ClassInfo, name: str, value: Value, declared: bool) -> None:
        """A field of objects of that class takes what a call gives it."""
        reading.cells.add(info.cells[name])
        held = info.attributes.get(name, BOTTOM)
        if declared and isinstance(held, Tensor) and isinstance(value, Tensor):
            told = TRUTHS if value.kinds == BOOLEAN else AT_TIMES if low_kinds(value) & INTEGRAL else 0
            told |= WIDE | NARROW if value.hints & WIDE else 0  # of one width here, of another elsewhere
            told |= BARE if is_bare(value) else 0
            if told & ~held.hints:
                self.project.merge(info.cells[name], info.attributes, name, replace(held, hints=held.hints | told))
        own = name in info.filled  # calls alone say what it holds
        if declared and (own or isinstance(held, (Unknown, Bottom)) or held == NONE or contradicts(held, value)):
            if isinstance(held, Unknown) and name not in info.filled:
                self.project.touch(info.cells[name])
                info.attributes[name] = BOTTOM  # declared without a type that says anything
            info.filled |= {name}
            self.project.merge(info.cells[name], info.attributes, name, value)

    def call_function(
        self,
        callee: FunctionOf,
        positional: list[Value],
        keywords: dict[str, Value],
        starred: bool,
        node: ast.Call | None = None,
    ) -> Value:
        info = callee.info
        reading.cells.add(info.answers)
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
            if forward and isinstance(value, Unknown):
                self.unclear(info, name)
            else:
                self.given(info, name, value)
        if arguments.vararg:
            self.given_more(info, arguments.vararg.arg, positional[len(names) :], starred)
        known = {*names, *(argument.arg for argument in arguments.kwonlyargs)}
        for name, value in keywords.items():
            if name in known and forward and isinstance(value, Unknown):
                self.unclear(info, name)
            elif name in known:
                self.given(info, name, value)
            elif name not in known and arguments.kwarg:
                self.given(info, "**" + arguments.kwarg.arg, value)
        if starred and not forward:
            for name in [*names[len(positional) :], *(argument.arg for argument in arguments.kwonlyargs)]:
                if name not in keywords:
                    self.project.merge(info.asked, info.arguments, name, UNKNOWN)
        self.changed_by(info, names, node)
        if info.remakes:
            remade(self, [*positional, *keywords.values()], info.remakes)
        if isinstance(info.node, ast.AsyncFunctionDef):
            return UNKNOWN
        if not isinstance(info.yields, Bottom):
            return Series(info.yields, "iterator")
        found = None if starred or info.node in self.project.told.results else chosen(info, dict(given), self.call)
        if found is not None:
            return found
        promised = None
        if not isinstance(info.node, ast.Lambda) and info.module is self.module:
            promised = value_of_annotation(info.node.returns, self.quiet)
            if isinstance(info.returns, Bottom) and self.project.is_open():
                promised = None  # its body may say more than the annotation
        doubted = promised is None or is_maybe(promised) or contradicts(promised, info.returns)
        gives = hinted(promised, info.returns) if promised is None or doubted else refined(promised, info.returns)
        told = self.project.told.results
        return told[info.node] if info.node in told and (info.opaque or is_open(gives)) else gives

    def given_to_decorated(self, name: str, positional: list[Value]) -> None:
        """Behind a decorator a function may be given something else: nothing is claimed, but it may be tensors."""
        for info in self.project.decorated.get(name, ()):
            words = [word.arg for word in [*info.node.args.posonlyargs, *info.node.args.args]]
            words = words[1:] if info.kind in {"method", "classmethod"} else words
            tensors = {word for word, value in zip(words, positional, strict=False) if gives_tensor(value)}
            vars(info.node)["tensors"] = tensors | getattr(info.node, "tensors", set())

    def given(self, info: FunctionInfo, name: str, value: Value) -> None:
        """A call gives a parameter that value."""
        self.project.merge(info.asked, info.arguments, name, value)
        if name in info.doubted or not contradicts(info.promises.get(name, UNKNOWN), value):
            return
        if not self.project.is_early():  # a doubt stays: what others give may be what is given where they have told
            info.doubted |= {name}
            self.project.moved(info.asked)

    def given_more(self, info: FunctionInfo, name: str, values: list[Value], starred: bool) -> None:
        """A call gives ``*name`` these values, and others where it is starred itself."""
        promised = info.promises.get("*" + name, UNKNOWN)
        if any(contradicts(promised, value) for value in values) and not self.project.is_early():
            self.given(info, "*" + name, Series(UNKNOWN, "tuple"))
            info.doubted |= {"*" + name}
        of_any = Series(UNKNOWN if starred else BOTTOM, "tuple")
        more = Items(tuple(values)) if values and not starred else of_any
        self.project.merge(info.asked, info.arguments, "*" + name, more)

    def given_opened(self, callee: Value, count: int, opened: list[Value], keywords: dict[str, Value]) -> None:
        """``f(a, **held)``: each parameter that is left may be any of the dict's values, tensors where it has some; but
        switches (``causal=False``) are not taken for tensors.
        """
        if isinstance(callee, Choice):
            for one in callee.values:
                self.given_opened(one, count, opened, keywords)
        if isinstance(callee, ClassOf):
            callee = self.project_attribute(ObjectOf(callee.info), "__init__")
        told = either_way(UNKNOWN, *map(self.values_in, opened))
        if not isinstance(callee, FunctionOf) or told == UNKNOWN or is_forward(callee.info):
            return
        arguments = callee.info.node.args
        names = [word.arg for word in arguments.args][count + (callee.receiver is not None) :]
        names += [word.arg for word in arguments.kwonlyargs]
        filled = {*keywords, *switches(arguments)}
        for name in names + (["**" + arguments.kwarg.arg] if arguments.kwarg else []):
            if name not in filled:
                self.project.merge(callee.info.asked, callee.info.arguments, name, told)

    def unclear(self, info: FunctionInfo, name: str) -> None:
        """A call gives a parameter of a ``forward`` what is not known."""
        if name not in info.unclear:
            info.unclear |= {name}
            self.project.moved(info.asked)

    def changed_by(self, info: FunctionInfo, names: list[str], node: ast.Call | None) -> None:
        """Containers that a call hands over hold afterwards what the function puts into them."""
        if node is None or not info.changes:
            return
        words = [(word.arg, word.value) for word in node.keywords]
        for name, argument in [*zip(names, node.args, strict=False), *words]:
            held = getattr(argument, "v", UNKNOWN)
            if name in info.changes and isinstance(held, (Items, Series, Mapping)):
                self.altered(argument, join(held, info.changes[name]))
