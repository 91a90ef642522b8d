"""``try: f = torch.ops.aten.f`` with ``except AttributeError``: what the target lacks is answered at conversion."""

from __future__ import annotations

import ast

from rewriters.infer.values import Ref
from rewriters.report import GOES_ON, Code
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.text.tree import walk
from rewriters.torch.table import is_module, python_names

LACKING = "AttributeError"
ANY = frozenset({"Exception", "BaseException"})
PLAIN = (ast.Assign, ast.AnnAssign, ast.Expr)


class Probes(Rewriting):
    """Rewrites attempts to use what another version of torch lacks.

    A handler of AttributeError says that this is one; at the top of a file, one of every error does too.
    """

    def attempted(self, node: ast.Try) -> frozenset[ast.stmt]:
        """The statements of a ``try`` that name what the target lacks: there the program's other way is taken."""
        caught = {name for handler in node.handlers for name in names_of(handler.type)}
        if LACKING not in caught and (self.here.functions or not (caught & ANY)):
            return frozenset()
        return frozenset(part for part in node.body if isinstance(part, PLAIN) and self.lacking(part) is not None)

    def lacking(self, statement: ast.stmt) -> ast.expr | None:
        """The first name of torch's in a statement that has no counterpart."""
        parents = self.source.nodes.parents
        for part in walk(statement):
            value = value_at(part)
            if (
                not isinstance(part, (ast.Name, ast.Attribute))
                or not isinstance(value, Ref)
                or is_module(value.name)
                or isinstance(parents.get(part), ast.Attribute)
            ):
                continue
            key, known = value.name, value.name in python_names() or self.book.answers(value.name)
            if self.names.binding_of(part) is not None and (key in self.book.refusals or not known):
                return part
        return None

    def goes_on(self, statement: ast.stmt) -> None:
        """Write what the program's handler catches, in the place of a statement."""
        part = self.lacking(statement)
        assert part is not None
        value = value_at(part)
        assert isinstance(value, Ref)
        reason = self.book.refusals.get(value.name) or self.draft.no_rule(value.name)
        self.draft.mark(part, value.name, f"{reason}: {GOES_ON}", Code.NO_RULE)
        for name in walk(statement):
            if isinstance(name, ast.Name) and self.names.binding_of(name) is not None:
                self.names.count_load(name)
        self.draft.replace(statement, f'raise {LACKING}("{value.name} has no counterpart here")')


def names_of(caught: ast.expr | None) -> set[str]:
    """The names of the errors that a handler catches."""
    parts = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return {
        "BaseException" if part is None else part.id for part in parts if part is None or isinstance(part, ast.Name)
    }
