"""What the inference knows of an expression: the abstract values.

Three answers to "is it a tensor": ``Tensor`` is yes, ``Unknown`` and ``Bottom`` are unknown, everything else is no.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rewriters.infer.cells import BASES, DERIVED, Cell, Cells, Kinship, OfClass, reading
from rewriters.text.tree import Nodes
from rewriters.torch.table import mro

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**words):
        return lambda function: function


T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def abstract_value(kind: type[T]) -> type[T]:
    """A dataclass with slots to which nothing is stored again. Types say so, no guard at run time: millions are made,
    and a frozen one takes three times as long to make.
    """
    return dataclass(unsafe_hash=True, slots=True)(kind)


class Value:
    """Base of all abstract values."""

    __slots__ = ()

    def __reduce__(self) -> tuple[type[Value], tuple[Any, ...]]:
        """What processes hand each other, in bulk: what dataclasses do instead asks for their fields each time."""
        return self.__class__, tuple(getattr(self, name) for name in self.__match_args__)  # type: ignore[attr-defined]


@abstract_value
class Unknown(Value):
    """Nothing is known for sure; never guessed.

    tensor: one of the ways in which it is made is known to give a tensor.
    low:    of these kinds of dtype below floating-point numbers one of the ways gives it; FIGURED where another gives
            a number, OF_NUMPY where one gives what numpy computes of what is not known: of a number, a number or an
            array of its own; OR_ELSE where another way is not known; LOOKED_UP where it comes out of what others hold
            by a key that is not known: a tensor is not this name's alone; TYPED where one is Python's type for a dtype.
    """

    tensor: bool = False
    low: int = 0


@abstract_value
class Either(Unknown):
    """One of a few values of different classes, at most one a tensor: unknown, until something tells them apart."""

    values: tuple[Value, ...] = ()


@abstract_value
class Bottom(Value):
    """Not computed yet (recursion, a function nobody calls); absorbed by any other value."""


BOTTOM = Bottom()


# Kinds of dtypes, in the order of torch's promotion; a set of them is their sum.
BOOLEAN, INTEGRAL, FLOATING, COMPLEX = 1, 2, 4, 8
ANY_KIND = BOOLEAN | INTEGRAL | FLOATING | COMPLEX
FIGURED, OF_NUMPY, OR_ELSE, LOOKED_UP, TYPED = 16, 32, 64, 128, 256
# Hints: it is of float64 at times, it has no axes at times, it is of 8 bits at times, of truth values at times, it is
# made of integers and of something of which no kind is known; it is of float64 at times and of another width at others,
# of integers in one call and of any kind in another, of 16 bits and floating-point at times.
WIDE, BARE, BYTES, TRUTHS, INTEGERS, NARROW, AT_TIMES, HALF = 1, 2, 4, 8, 16, 32, 64, 128


@abstract_value
class Tensor(Value):
    """A torch.Tensor.

    assumed: known only by being a parameter of a Module's ``forward``: such a value may still be a list or a dict, so
    methods that those have too are left alone.
    kinds:   of which kinds its dtype may be.
    ndim:    its number of axes, where that is known.
    hints:   what something says that it is at times, where kinds and ndim leave it open.
    """

    assumed: bool = False
    kinds: int = ANY_KIND
    ndim: int | None = None
    hints: int = 0


def is_bare(value: Value) -> bool:
    """Whether it is a tensor that has no axes, or has none at times as far as something says."""
    return isinstance(value, Tensor) and (value.ndim == 0 or (value.ndim is None and bool(value.hints & BARE)))


@abstract_value
class Plain(Value):
    """Certainly no tensor: an int, a str, a value of the standard library, numpy, ..."""

    kind: str = "object"


@abstract_value
class Ref(Value):
    """A torch module, class, function or constant itself, by canonical name."""

    name: str


@abstract_value
class Instance(Value):
    """An instance of a torch class other than Tensor.

    element: what iterating gives (ModuleList, DataLoader).
    result:  what calling gives, where the class alone does not say.
    members: what a ModuleDict holds under its keys.
    first:   the object of the project that a Sequential calls with what it is given.
    """

    name: str
    element: Value | None = None
    result: Value | None = None
    members: Mapping | None = None
    first: ObjectOf | None = None


@abstract_value
class Items(Value):
    """A tuple or list of known length."""

    values: tuple[Value, ...]
    kind: str = "tuple"


@abstract_value
class Series(Value):
    """A list, iterator, range, ... whose elements are all of one value."""

    element: Value
    kind: str = "list"


@abstract_value
class Mapping(Value):
    """A dict by its values and keys; ``known`` holds the values under literal keys."""

    element: Value
    known: tuple[tuple[Any, Value], ...] = ()
    key: Value = Unknown()


@abstract_value
class External(Value):
    """A module, class or function of another library, by dotted name."""

    name: str


@abstract_value
class Alias(Value):
    """A type that has a name of the project's, by what an annotation with it promises."""

    promised: Value


@abstract_value
class Method(Value):
    """A bound method of a torch object: canonical name and receiver."""

    name: str
    receiver: Value


@dataclass(eq=False, slots=True)
class FunctionInfo:
    """One ``def`` or ``lambda`` of the project, and what is known of its calls."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    module: ModuleInfo
    owner: ClassInfo | None = None
    kind: str = "function"  # function, method, staticmethod, classmethod, property
    opaque: bool = False  # behind a decorator that may change what it returns
    compiled: bool = False  # ... for arrays of numpy's
    arguments: dict[str, Value] = field(default_factory=dict)
    returns: Value = BOTTOM
    yields: Value = BOTTOM
    # Names whose containers it changes in place: what they hold then. Parameters that a call contradicts.
    changes: dict[str, Value] = field(default_factory=dict)
    filled: dict[str, Value] = field(default_factory=dict)  # ... of its own names, by functions inside it
    remakes: int = 0  # what it changes of tensors, by `axes_in_place.py`
    doubted: frozenset[str] = frozenset()
    promises: dict[str, Value] = field(default_factory=dict)
    # Parameters of a ``forward`` that a call gives what is not known.
    unclear: frozenset[str] = frozenset()
    # What its syntax alone tells, kept: names declared nonlocal in it, those that it binds, whether it returns a value.
    shared: frozenset[str] | None = None
    bound: frozenset[str] | None = None
    gives: bool | None = None
    chooses: tuple[Any, ...] | None = None  # which of its parameters it gives back, and when, once looked for
    shown: frozenset[str] | None = None  # names that its body surely uses as tensors alone can be used
    # What callers give it, and what they may see of it; the last time that its body was interpreted.
    asked: Cell = field(default_factory=Cell)
    answers: Cell = field(default_factory=Cell)
    last: Any = None

    @property
    def name(self) -> str:
        return getattr(self.node, "name", "<lambda>")


@dataclass(eq=False, slots=True)
class ClassInfo:
    """One class of the project."""

    node: ast.ClassDef
    module: ModuleInfo
    bases: list[Value] = field(default_factory=list)
    functions: dict[str, FunctionInfo] = field(default_factory=dict)
    attributes: dict[str, Value] = field(default_factory=dict)
    derived: list[ClassInfo] = field(default_factory=list)
    filled: frozenset[str] = frozenset()  # fields, as a dataclass has them, that a call has filled
    # What is stored under computed names (`setattr(self, name, v)`, `self.__dict__.update(...)`), by pattern.
    computed: dict[str, Value] = field(default_factory=dict)
    # By its names, and of its bases, of what derives from it, of computed names.
    cells: OfClass = field(init=False)
    # The order of look-up, what derives from it at any depth, each with what it depends on; of which count of changes.
    order: tuple[int, list[ClassInfo | str], Kinship] | None = None
    under: tuple[int, dict[ClassInfo, int], Kinship] | None = None

    def __post_init__(self) -> None:
        self.cells = OfClass(self)

    def below(self) -> dict[ClassInfo, int]:
        """The project's classes that derive from it, at any depth, each with its place among them."""
        if self.under is not None and self.under[0] == reading.derived:
            reading.groups.add(self.under[2])
            return self.under[1]
        found: dict[ClassInfo, None] = {}
        for one in self.derived:
            found |= dict.fromkeys((one, *one.below()))
        found.pop(self, None)
        group = Kinship(one.cells[DERIVED] for one in (self, *found))
        self.under = reading.derived, {one: place for place, one in enumerate(found)}, group
        reading.groups.add(self.under[2])
        return self.under[1]

    def linear(self) -> list[ClassInfo | str]:
        """The project's classes and torch's (by name) in order of look-up; "?" stands for an unknown base."""
        if self.order is not None and self.order[0] == reading.bases:
            reading.groups.add(self.order[2])
            return self.order[1]
        found: list[ClassInfo | str] = [self]
        for base in self.bases:
            if isinstance(base, ClassOf):
                found += [c for c in base.info.linear() if c not in found] if base.info is not self else []
            elif isinstance(base, Ref):
                found += [name for name in mro(base.name) if name not in found]
            elif not isinstance(base, (Plain, External)):
                found.append("?")
        group = Kinship(one.cells[BASES] for one in found if not isinstance(one, str))
        reading.groups.add(group)
        self.order = reading.bases, found, group
        return found

    def torch_base(self) -> str | None:
        """The first torch class among the ancestors."""
        return next((c for c in self.linear() if isinstance(c, str) and c != "?"), None)

    def fields(self) -> list[str]:
        """Of a dataclass or a NamedTuple, in order: names that the class annotates, those of its bases first."""
        return list(self.declared())

    def declared(self) -> dict[str, ClassInfo]:
        """These names, with the class that annotates them first."""
        found: dict[str, ClassInfo] = {}
        for owner in reversed([one for one in self.linear() if isinstance(one, ClassInfo)]):
            for part in owner.node.body:
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                    found.setdefault(part.target.id, owner)
        return found

    @property
    def is_module(self) -> bool:
        return "torch.nn.Module" in self.linear()


@dataclass(eq=False, slots=True)
class ModuleInfo:
    """One source file of the project."""

    path: Path
    name: str
    tree: ast.Module
    nodes: Nodes
    package: bool = False
    scope: dict[str, Value] = field(default_factory=dict)
    # Packages that the project has itself, and of which torch's tables tell too.
    own: frozenset[str] = frozenset()
    # `x.__dict__` and `vars(x)` that others may write through; None: not looked for yet.
    dicts: dict[ast.AST, ast.expr | None] | None = None
    # What functions bind by `global`.
    rebound: dict[str, Value] = field(default_factory=dict)
    # Whether it makes arrays of literal truth values; None: not looked for yet.
    truths: bool | None = None
    # Of what its names hold, by name, and of what functions bind; the last pass over it.
    named: Cells = field(default_factory=Cells)
    bound: Cell = field(default_factory=Cell)
    last: Any = None


@abstract_value
class ModuleOf(Value):
    """A module of the project."""

    info: ModuleInfo


@abstract_value
class ClassOf(Value):
    """A class of the project."""

    info: ClassInfo


@abstract_value
class ObjectOf(Value):
    """An instance of a class of the project.

    exact: not of a class derived from it: it comes out of a call of the class, or is what ``super()`` looks in.
    """

    info: ClassInfo
    exact: bool = False


@abstract_value
class FunctionOf(Value):
    """A function of the project, bound to ``receiver`` where there is one."""

    info: FunctionInfo
    receiver: Value | None = None


@abstract_value
class Partial(Value):
    """A function of the project of which ``functools.partial`` gives some arguments."""

    function: FunctionOf
    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()


@abstract_value
class Choice(Value):
    """One of several project or torch functions, classes or objects: calling it may call any of them."""

    values: tuple[Value, ...]


CALLABLES = (FunctionOf, Partial, ClassOf, ObjectOf, Ref, Instance, Choice)

UNKNOWN = Unknown()
MAYBE = Unknown(tensor=True)
# A comparison of what is a tensor at times.
TRUTHS_AT_TIMES = Unknown(low=BOOLEAN)
# What numpy computes of what is not known; what is looked up.
COMPUTED, HELD = Unknown(low=OF_NUMPY), Unknown(low=LOOKED_UP)
TENSOR, ASSUMED = Tensor(), Tensor(assumed=True)
NONE, NUMBER = Plain("None"), Plain("number")
INT, FLOAT, BOOL, STR, OBJECT = (Plain(kind) for kind in ("int", "float", "bool", "str", "object"))
# No tensor itself; what it has, holds or gives is not known. And of what the project gives as a tensor, where a test
# has said that it is none: others may give it.
OPAQUE, EXCLUDED = Plain("opaque"), Plain("excluded")
# A number, or several in a list, a tuple, ...: what is asked for a number is at times given a pair.
FIGURES = Plain("figures")
# A text, or what stands for one: a path, a class in place of its name.
NAME = Plain("name")
HOLDERS = frozenset({"callable", "type", "opaque", "excluded", "figures", "name"})
# A number or an array of numpy's, or what such a one comes out of: its numbers are not Python's.
NUMPY = Plain("numpy.generic")
# One of these at times, a number of Python's at others.
NUMPY_AT_TIMES = Plain("numpy.generic or number")
SIZE, DTYPE = Instance("torch.Size", element=INT), Instance("torch.dtype")
# Or None, which functions take in a dtype's place and mean something else by.
DTYPE_IF_ANY = Instance("torch.dtype", element=NONE)
# What may be a number of any kind.
ANY_NUMBER = (OBJECT, OPAQUE, FIGURES, NUMPY, NUMPY_AT_TIMES)
NUMERIC = frozenset({"int", "float", "bool", "number"})
