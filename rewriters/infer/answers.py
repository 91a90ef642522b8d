"""``--assume KIND:NAME``: what a person says of what the code leaves open.

An answer counts where nothing else is known: what the code itself says stands.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rewriters.infer.import_names import absolute_module
from rewriters.infer.joining import element
from rewriters.infer.syntax import all_arguments, path_of
from rewriters.infer.values import (
    OPAQUE,
    STR,
    TENSOR,
    Bottom,
    Instance,
    Items,
    ModuleInfo,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.infer.values import Mapping as Dictionary
from rewriters.text.tree import walk

KINDS: dict[str, Value] = {
    "tensor": TENSOR,
    "not-tensor": OPAQUE,
    "tensors": Series(TENSOR, "sequence"),
    "tensor-dict": Dictionary(TENSOR, key=STR),
    "module": Instance("torch.nn.Module"),
}
FORM = (
    "write KIND:NAME. KIND is tensor, not-tensor, tensors (a list or tuple of them), tensor-dict or module. NAME is "
    "FUNCTION.VARIABLE (a parameter, or what is assigned in it), CLASS.ATTRIBUTE, FUNCTION() for what it gives, or "
    "LIBRARY.FUNCTION(); with MODULE: before it where several have the name"
)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class UnreadableAnswer(ValueError):
    """No answer: the message says what is wrong; ``FORM`` says how one is written."""


@dataclass(frozen=True)
class Answer:
    """One answer.

    value:  what it says.
    module: the dotted name of the one file it is about, "" for all.
    path:   names of definitions and at last of what is meant, ``("Net", "forward", "x")``.
    called: whether it is about what calling that gives.
    """

    text: str
    value: Value
    module: str
    path: tuple[str, ...]
    called: bool = False

    @staticmethod
    def of(text: str) -> Answer:
        """Raises UnreadableAnswer."""
        kind, colon, name = text.replace(" ", "").partition(":")
        if not colon or kind not in KINDS:
            raise UnreadableAnswer(f"{text!r} has no kind of answer" if colon else f"{text!r} is no KIND:NAME")
        module, _, path = name.rpartition(":")
        called = path.endswith("()")
        words = path.removesuffix("()").split(".")
        if not all(word.isidentifier() for word in words) or not all(w.isidentifier() for w in module.split(".") if w):
            raise UnreadableAnswer(f"{text!r} names nothing that Python could")
        return Answer(text, KINDS[kind], module, tuple(words), called)

    def result(self) -> Value:
        """What a variable or attribute is of which it says what calling it gives."""
        return Instance("torch.nn.Module", result=self.value) if self.called else self.value


@dataclass(frozen=True)
class Answers:
    """The answers about one project, by the definition that they are about.

    told:      definition, or a file's tree -> path of a name in it -> what it is.
    results:   function -> what it gives.
    libraries: dotted name of another library's function -> what it gives.
    matched:   the texts of those that have met something.
    """

    told: Mapping[ast.AST, Mapping[str, Value]]
    results: Mapping[ast.AST, Value]
    libraries: Mapping[str, Value]
    matched: frozenset[str]

    def about(self, place: ast.AST | None, name: str, otherwise: Value) -> Value:
        """What is said of a name in a function, a class or a file, where the code leaves it open."""
        said = self.told.get(place) if place is not None else None
        if said is None or name not in said:
            return otherwise
        told, held = said[name], otherwise
        if isinstance(told, Series) and isinstance(otherwise, (Items, Series)):
            held = element(otherwise)
        elif isinstance(told, Dictionary) and isinstance(otherwise, Dictionary):
            held = otherwise.element
        return told if is_open(held) else otherwise


NO_ANSWERS = Answers({}, {}, {}, frozenset())


def is_open(value: Value) -> bool:
    return isinstance(value, (Unknown, Bottom)) or (isinstance(value, Tensor) and value.assumed)


def find(answers: Iterable[Answer], modules: Iterable[ModuleInfo]) -> Answers:
    """The answers by what they are about."""
    told: dict[ast.AST, dict[str, Value]] = {}
    results: dict[ast.AST, Value] = {}
    libraries: dict[str, Value] = {}
    matched = set()
    asked = list(answers)
    for module in modules if asked else ():
        definitions = qualified_definitions(module.tree)
        imported = imported_roots(module)
        for one in asked:
            if one.module and one.module != module.name:
                continue
            if one.called and len(one.path) > 1 and one.path[0] in imported and not one.module:
                libraries[".".join(one.path)] = one.value
                matched.add(one.text)
                continue
            if one.called and (function := definitions.get(one.path)) is not None:
                results[function] = one.value
                matched.add(one.text)
                continue
            place, rest = innermost(one.path, definitions, module.tree)
            if rest and has_name(place, rest, module):
                told.setdefault(place, {})[".".join(rest)] = one.result()
                matched.add(one.text)
    return Answers(told, results, libraries, frozenset(matched))


def qualified_definitions(tree: ast.Module) -> dict[tuple[str, ...], ast.AST]:
    """Each function and class under the names of those around it and its own."""
    found: dict[tuple[str, ...], ast.AST] = {}
    waiting: list[tuple[tuple[str, ...], ast.AST]] = [((), tree)]
    for above, node in waiting:  # which grows
        for part in ast.iter_child_nodes(node):
            if isinstance(part, DEFINITIONS):
                path = (*above, part.name)
                found[path] = part
                waiting.append((path, part))
            elif not isinstance(part, ast.expr):
                waiting.append((above, part))
    return found


def innermost(
    path: tuple[str, ...], definitions: Mapping[tuple[str, ...], ast.AST], tree: ast.Module
) -> tuple[ast.AST, tuple[str, ...]]:
    """The definition that most of the names lead to, and the names in it."""
    for length in range(len(path), 0, -1):
        if path[:length] in definitions:
            return definitions[path[:length]], path[length:]
    return tree, path


def has_name(place: ast.AST, rest: tuple[str, ...], module: ModuleInfo) -> bool:
    """Whether a function, a class or a file has what the names say."""
    path = ".".join(rest)
    if isinstance(place, ast.ClassDef):
        stored = {part.attr for part in module.nodes.of(ast.Attribute) if not isinstance(part.ctx, ast.Load)}
        named = {getattr(part, "id", getattr(part, "name", "")) for part in walk(place)}
        read = {part.attr for part in walk(place) if isinstance(part, ast.Attribute)}
        return len(rest) == 1 and path in stored | named | read
    around = place if isinstance(place, DEFINITIONS) else None
    own = [part for part in walk(place) if module.nodes.around(part, *DEFINITIONS) is around]
    if len(rest) > 1:
        return any(isinstance(part, ast.Attribute) and path_of(part) == path for part in own)
    names = {part.id for part in own if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    if isinstance(place, (ast.FunctionDef, ast.AsyncFunctionDef)):
        names |= {argument.arg for argument in all_arguments(place.args)}
    return path in names


def imported_roots(module: ModuleInfo) -> set[str]:
    """The first names of what a file imports."""
    found = {item.name.partition(".")[0] for node in module.nodes.of(ast.Import) for item in node.names}
    sources = (
        absolute_module(node.module or "", node.level, module.name, module.package)
        for node in module.nodes.of(ast.ImportFrom)
    )
    return found | {source.partition(".")[0] for source in sources}
