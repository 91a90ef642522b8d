"""What stands in the output for a torch class that is handed on as a value, and which of a target's classes rules make.

A torch class that is only tested for or compared becomes the target's class or classes. One that is handed on may be
called, wherever it arrives, with torch's arguments: that is the rule's function, made into a class by ``torch_class``.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from functools import cache

from rewriters.rules.rulebook import Rule, Rulebook, dotted
from rewriters.text.tree import walk
from rewriters.torch.table import entry, is_tensor_class

TORCH_CLASS = '''
class TorchClass(abc.ABCMeta):
    """A class of torch, to be handed on: calling it with torch's arguments makes what stands for its instances.

    It is equal to the classes of these, and isinstance() and dictionaries take it for them. The constructor of a class
    that derives from it takes torch's arguments.
    """

    _own = ()  # while it is being made: a library that notes each new class takes it for none of those

    def __new__(mcs, name, bases, namespace, **words):
        if not any(isinstance(base, TorchClass) for base in bases):
            return super().__new__(mcs, name, bases, namespace)
        bases = tuple(base._base if isinstance(base, TorchClass) else base for base in bases)
        return type(bases[0])(name, bases, namespace, **words)

    def __call__(cls, *args, **kwargs):
        others = {name: kwargs.pop(name) for name in ("device", "dtype") if name in kwargs.keys() - cls._takes}
        made = cls._make(*args, **kwargs)
        others = {name: value for name, value in others.items() if value is not None}
        return made.to(**others) if others else made

    @property
    def __signature__(cls):
        return cls._signature

    def __eq__(cls, other):
        if not cls._own:
            return cls is other
        return any(other is own for own in (cls, cls._base, *cls._own)) or getattr(other, "_own", None) == cls._own

    def __hash__(cls):
        return hash(cls._own[0]) if cls._own else type.__hash__(cls)

    def __instancecheck__(cls, value):
        return isinstance(value, cls._own)

    def __subclasscheck__(cls, other):
        return any(type.__subclasscheck__(own, other) for own in cls._own)  # an ABC would ask its subclasses: this one


@functools.lru_cache(maxsize=None)
def _derived_too(derived, kind):
    """The class, derived from another of those that stand for its base as well."""
    return type(derived)(derived.__name__, (derived, kind), {"__module__": derived.__module__})


def torch_class(*own, name, base=None, like=None):
    """Makes a function into the class of what it returns, which is one of these; base: of derived classes; like: what
    takes its arguments.
    """

    def decorate(make):
        def __init__(self, *args, **kwargs):
            made = make(*args, **kwargs)
            if not isinstance(made, own[0]):
                raise NotConvertedError(f"a class derived from {name} can't be made with {args}, {kwargs}")
            if type(made) is not own[0]:
                self.__class__ = _derived_too(type(self), type(made))
            self.__dict__.update(made.__dict__)
            reset = getattr(type(self), "reset_parameters", None)
            if reset is not getattr(own[0], "reset_parameters", None):
                self.reset_parameters()

        if not isinstance(own[0], type):
            return make  # a function in a class's place
        signature = inspect.signature(like or make)
        own_self = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        __init__.__signature__ = signature.replace(parameters=[own_self, *signature.parameters.values()])
        names = {"__init__": __init__, "__doc__": make.__doc__, "__module__": make.__module__}
        kind = type(own[0])
        handed_on = {"_make": staticmethod(make), "_own": own, "_base": base or kind(name, own[:1], names)}
        handed_on |= {"_signature": signature, "_takes": signature.parameters.keys()}
        meta = TorchClass if issubclass(TorchClass, kind) else type("TorchClass", (TorchClass, kind), {})
        made = meta(name, own[:1], names)
        made.__qualname__ = make.__name__
        for key, value in handed_on.items():
            setattr(made, key, value)
        return made

    return decorate
'''


def stands_for_class(key: str, book: Rulebook) -> bool:
    """Whether what a torch name becomes as a value is a class: its rules are functions, and known to make some."""
    known = entry(key)
    rules = book.rules.get(key, ())
    if not known or known["kind"] != "class" or is_tensor_class(key) or key in book.aliases or key in book.same:
        return False
    if not rules or rules[0].is_class or f"{key}:value" in book.rules:
        return False
    return bool(made_classes(book, key))


def class_for(key: str) -> str:
    """The class of torch that a special rule stands for, where it is handed on: ``torch.optim.SGD:groups``."""
    return key if key.endswith(":base") else key.partition(":")[0]


@cache
def made_classes(book: Rulebook, key: str) -> tuple[tuple[str, Rule | None], ...]:
    """The classes of what a constructor's rules make, the usual one first: (dotted name of the target's, None), or
    (name in a rule file, a rule of that file). Empty where they do not follow.

    Special rules of the class (``torch.nn.Linear:tied``) make others of its instances.
    """
    found: dict[str, Rule | None] = {}
    if key in book.aliases:
        return ((book.aliases[key], None),)
    for rule in book.rules.get(key, ()):
        if rule.is_class:
            return ((rule.name, rule),)
        for name, own in returned(rule, rule.node, ()):
            if not name:
                return ()
            found.setdefault(name, own)
    plain = sorted(found.items(), key=lambda item: item[1] is not None)
    return tuple(plain)


def is_emitted(book: Rulebook, key: str) -> bool:
    """Whether the rule under a name is a class, which is emitted into the helper module."""
    return bool(book.rules.get(key)) and book.rules[key][0].is_class


def special_classes(book: Rulebook, key: str, variants: Iterable[str]) -> list[str]:
    """The target's classes that the special rules among ``variants`` make of a torch class."""
    names = [name for name in sorted(variants) if name.startswith(f"{key}:")]
    return list(dict.fromkeys(made for name in names for made, own in made_classes(book, name) if own is None))


def returned(rule: Rule, function: ast.AST, seen: tuple[str, ...]) -> Iterator[tuple[str, Rule | None]]:
    for value in results(function):
        yield from class_of(rule, function, value, seen)


def results(function: ast.AST) -> list[ast.expr]:
    """What a function returns; what those inside of it return is theirs."""
    inner = [part for part in walk(function) if isinstance(part, ast.FunctionDef) and part is not function]
    theirs = {part for one in inner for part in walk(one)}
    found = [part for part in walk(function) if isinstance(part, ast.Return) and part not in theirs]
    return [part.value for part in found if part.value is not None]


def class_of(rule: Rule, function: ast.AST, node: ast.expr, seen: tuple[str, ...]) -> Iterator[tuple[str, Rule | None]]:
    """The classes that an expression of a rule may be an instance of; "" for what does not follow."""
    if isinstance(node, ast.IfExp):
        yield from class_of(rule, function, node.body, seen)
        yield from class_of(rule, function, node.orelse, seen)
    elif isinstance(node, ast.Name):
        values = [
            part.value
            for part in walk(function)
            if isinstance(part, ast.Assign) and any(isinstance(t, ast.Name) and t.id == node.id for t in part.targets)
        ]
        if not values or node.id in seen:
            yield "", None
        for value in values:
            yield from class_of(rule, function, value, (*seen, node.id))
    elif isinstance(node, ast.Call):
        yield from class_of_call(rule, function, node, seen)
    else:
        yield "", None


def class_of_call(
    rule: Rule, function: ast.AST, node: ast.Call, seen: tuple[str, ...]
) -> Iterator[tuple[str, Rule | None]]:
    name = dotted(node.func) or ""
    statement = rule.source.by_name.get(name)
    known = statement.node if statement is not None else None
    if isinstance(node.func, ast.Attribute) and node.func.attr in {"to", "astype"}:
        yield from class_of(rule, function, node.func.value, seen)
    elif isinstance(known, ast.ClassDef):
        yield name, rule
    elif isinstance(known, ast.FunctionDef) and name in seen:
        return  # what it calls itself for it returns anyway
    elif isinstance(known, ast.FunctionDef):
        given = {parameter.arg: value for parameter, value in zip(known.args.args, node.args, strict=False)}
        for value in results(known):
            if isinstance(value, ast.Name) and value.id in given:
                yield from class_of(rule, function, given[value.id], seen)
            else:
                yield from class_of(rule, known, value, (*seen, name))
    elif "." in name and name.rpartition(".")[2][:1].isupper() and rule.source.names(name):
        yield rule.source.full(name), None
    else:
        yield "", None


def derives_from(rule: Rule, name: str, bases: Collection[str]) -> bool:
    """Whether a class of a rule file derives from one of these classes of the target."""
    statement = rule.source.by_name.get(name)
    node = statement.node if statement is not None else None
    if not isinstance(node, ast.ClassDef):
        return False
    names = [dotted(base) or "" for base in node.bases]
    return any(base in bases or derives_from(rule, base, bases) for base in names)
