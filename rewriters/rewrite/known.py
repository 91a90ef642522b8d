"""What is known of a file before it is rewritten, and where in it the rewriter is: neither ever changes."""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from rewriters.infer.imports import names_listed
from rewriters.infer.origins import Origins
from rewriters.infer.values import ModuleInfo
from rewriters.members import Members
from rewriters.places import Places
from rewriters.places.layers import LayersInPlace
from rewriters.regions import Plan
from rewriters.rewrite.class_names import asks
from rewriters.rewrite.class_uses import Travel, class_names, hashed, uses_of_classes
from rewriters.rewrite.imports import Binding
from rewriters.rules.rulebook import Rulebook
from rewriters.rules.tidy import Signatures, signatures
from rewriters.target import Target
from rewriters.text.precedence import PLACING, places
from rewriters.text.source_text import Source
from rewriters.text.tree import Nodes


@dataclass(frozen=True, eq=False)
class Shared:
    """What is known of all files of a component.

    variants: keys of special rules that answer somewhere in it.
    places:   who sees what changes in place.
    layers:   who sees what layers change.
    members:  of the project's own modules.
    origins:  where what is not known comes from.
    travel:   what is handed on between the files.
    named_otherwise: attributes of most layers that some class of torch's, which the project names, has otherwise here.
    handed:   arguments that are what holds a parameter, and are written to where they come.
    holders:  of functions, the parameters by which such arguments come.
    """

    target: Target
    book: Rulebook
    variants: frozenset[str]
    travel: Travel
    places: Places
    layers: LayersInPlace
    members: Members = field(default_factory=Members)
    origins: Origins = field(default_factory=Origins)
    named_otherwise: frozenset[str] = frozenset()
    handed: Container[ast.AST] = ()
    holders: Mapping[ast.AST, Container[str]] = field(default_factory=dict)

    @cached_property
    def signatures(self) -> Signatures:
        return signatures(self.target.folder)


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of a file.

    keys:        the uses for which the target's passes choose a special rule, with its key.
    handed_on:   names that other files import from this one.
    helper:      the name by which the helper module is called, helper_import: the statement that imports it.
    plan:        what becomes a static graph; None where that is not asked for.
    graphs:      the module that has what the plan uses.
    imported:    whether other files import this one.
    """

    source: Source
    module: ModuleInfo
    shared: Shared
    keys: Mapping[ast.AST, str]
    handed_on: frozenset[str]
    helper: str
    helper_import: str
    plan: Plan | None = None
    graphs: str = ""
    imported: bool = False

    @property
    def nodes(self) -> Nodes:
        return self.source.nodes

    def read_elsewhere(self, names: set[str]) -> set[str]:
        """Those of the names that other files import, or read as attributes."""
        return (names & self.handed_on) | self.shared.travel.reads.elsewhere(self.module, names)

    def staying(self, unread: set[str]) -> frozenset[str]:
        """Names that the file says to have, and those of a package that others read as ``pkg.name``, itself not."""
        listed = names_listed(self.module.tree) or frozenset()
        return listed | self.shared.travel.reads.elsewhere(self.module, unread if self.module.package else ())

    @cached_property
    def needed(self) -> dict[ast.AST, int]:
        """The precedence that a place asks of what stands there."""
        return places(self.nodes.of(*PLACING))

    @cached_property
    def tested(self) -> set[ast.AST]:
        return tested(self.nodes)

    @cached_property
    def taken_apart(self) -> dict[ast.AST, tuple[ast.expr, int] | None]:
        return taken_apart(self.nodes)

    @cached_property
    def class_names(self) -> set[str]:
        """Names that are read only where classes are tested for."""
        own = class_names(self.nodes)
        return own - self.read_elsewhere(own)

    @cached_property
    def uses_of_classes(self) -> tuple[set[ast.AST], set[ast.AST]]:
        return uses_of_classes(self.nodes, self.read_elsewhere)

    @property
    def displays(self) -> set[ast.AST]:
        """Displays of classes that are tested with and nothing else."""
        return self.uses_of_classes[0]

    @property
    def dicts(self) -> set[ast.AST]:
        """Dicts whose keys are only looked up."""
        return self.uses_of_classes[1]

    @cached_property
    def hashed(self) -> set[ast.AST]:
        return hashed(self.nodes)

    @cached_property
    def names_asked(self) -> dict[ast.AST, list[tuple[str, str]] | None]:
        return asks(self.nodes)

    @cached_property
    def rebindable(self) -> set[str]:
        """Names that a function other than the one they are used in may bind anew."""
        return {name for node in self.nodes.of(ast.Global, ast.Nonlocal) for name in node.names}

    @cached_property
    def quote(self) -> str:
        """The one that the file has more of."""
        return "'" if self.source.buffer.count(b"'") > self.source.buffer.count(b'"') else '"'


class Context(NamedTuple):
    """Where in the file the rewriter is.

    functions:     those around, outermost first.
    shadowed:      names that are bound there by other means than imports.
    own:           those of them that the innermost function itself binds.
    anchor:        the statement above which comments are put: the one around that begins its line.
    quotes:        of the f-strings around.
    in_class_test: in the classes of an isinstance.
    in_annotation: in what says what something is.
    in_pattern:    in the class of a ``case``.
    in_bases:      in what a class derives from.
    style:         the import by which the source names what is being rewritten.
    """

    functions: tuple[ast.AST, ...] = ()
    shadowed: frozenset[str] = frozenset()
    own: Set[str] = frozenset()
    anchor: ast.stmt | None = None
    statement: ast.stmt | None = None
    quotes: frozenset[str] = frozenset()
    in_class_test: bool = False
    in_annotation: bool = False
    in_pattern: bool = False
    in_bases: bool = False
    style: Binding | None = None

    @property
    def function(self) -> ast.AST | None:
        """The innermost; None at the top of the file."""
        return self.functions[-1] if self.functions else None


PARTS = {"values": 0, "indices": 1}


def taken_apart(nodes: Nodes) -> dict[ast.AST, tuple[ast.expr, int] | None]:
    """Calls of whose pair of results nothing is left: unpacked (None), or (the expression that takes one, which)."""
    found: dict[ast.AST, tuple[ast.expr, int] | None] = {}
    for node in nodes.of(ast.Assign):
        if len(node.targets) == 1 and isinstance(node.targets[0], (ast.Tuple, ast.List)):
            parts = node.targets[0].elts
            if len(parts) == 2 and not any(isinstance(part, ast.Starred) for part in parts):
                found[node.value] = None
    for node in nodes.of(ast.Subscript):
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if index in (0, 1) and type(index) is int and isinstance(node.ctx, ast.Load):
            found[node.value] = (node, index)
    for node in nodes.of(ast.Attribute):
        if node.attr in PARTS and isinstance(node.ctx, ast.Load):
            found[node.value] = (node, PARTS[node.attr])
    return found


def tested(nodes: Nodes) -> set[ast.AST]:
    """Expressions of which only the truth or the identity matters."""
    found: set[ast.AST] = {node.test for node in nodes.of(ast.If, ast.While, ast.IfExp, ast.Assert)}
    found |= {node.operand for node in nodes.of(ast.UnaryOp) if isinstance(node.op, ast.Not)}
    for node in nodes.of(ast.Compare):
        if all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            found |= {node.left, *node.comparators}
    return found.union(*(node.values for node in nodes.of(ast.BoolOp)))
