"""A torch object used as a value: the target's text for it."""

from __future__ import annotations

import ast
from collections.abc import Collection

from rewriters.rewrite.resolving import Callee, Resolving
from rewriters.rulebook import Rule, dotted
from rewriters.tidy import Signature
from rewriters.tree import walk


class Naming(Resolving):
    """Writes names of the target."""

    def value_text(self, key: str, callee: Callee, as_class: bool) -> tuple[str, str, str]:
        """(outcome, text, detail) of a torch object used as a value."""
        self.style = callee.style
        try:
            book = self.book
            if key in book.refusals:
                return "marked", self.stand_in(key), book.refusals[key]
            if callee.spelling in book.spelled:
                return "inlined", self.constant(book.spelled[callee.spelling]), "alias"
            if key in book.aliases:
                return "inlined", self.constant(book.aliases[key]), "alias"
            if key in book.same:
                return "same", self.spell(self.map_name(key)), ""
            if named := book.rules.get(f"{key}:value"):
                return "helper", self.helper_text(named), named[0].where
            rules = book.rules.get(key, [])
            if not rules:
                return "marked", self.stand_in(key), self.no_rule(key)
            if rules[0].is_class:
                return "helper", self.helper_text(rules), f"{rules[0].where}, a class that {self.target.title} lacks"
            if as_class and self.in_class_test:
                # What else torch's class becomes in this project.
                others = [name for name in sorted(self.variants) if name.startswith(f"{key}:")]
                rules = rules + [rule for name in others for rule in book.rules.get(name, [])]
            names = plain_targets(rules, self.target.packages)
            name = names[0] if len(names) == 1 else None
            if as_class and name:
                return "inlined", self.spell(name), rules[0].where
            if as_class and self.in_class_test and names:
                return "inlined", f"({', '.join(map(self.spell, names))})", rules[0].where
            if as_class and len(made := constructed(rules, self.target.packages)) == 1:
                return "inlined", self.spell(made[0]), rules[0].where
            if as_class and len(rules) > 1:
                return (
                    "marked",
                    self.stand_in(key),
                    f"{key} is several classes in {self.target.title}",
                )
            if name and any(transparent(rule, self.signatures.get(name)) for rule in rules):
                return "inlined", self.spell(name), rules[0].where
            return "helper", self.helper_text(rules), "Value: used as a value, its calls are not known"
        finally:
            self.style = None

    def constant(self, text: str) -> str:
        """An alias's text: a dotted name of the target or of Python (``math.pi``), or a literal such as ``None``."""
        return self.spell(text) if "." in text or text in self.target.packages else text

    def map_name(self, key: str) -> str:
        """The target's name for a torch name that is the same there."""
        module, _, name = key.rpartition(".")
        while module:
            mapped = self.table.mapped(module)
            if mapped is not None:
                return f"{mapped}.{name}"
            module, _, head = module.rpartition(".")
            name = f"{head}.{name}"
        return key


def plain_targets(rules: list[Rule], packages: Collection[str]) -> list[str]:
    """The target's classes or functions of which the overloads are one call each; empty where one is something else."""
    found: list[str] = []
    for rule in rules:
        body = [s for s in rule.node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        last = body[-1] if body else None
        value = last.value if isinstance(last, ast.Return) else None
        name = (
            dotted(value.func)
            if isinstance(value, ast.Call)
            else dotted(value)
            if isinstance(value, ast.Attribute)
            else None
        )
        if not name or name.split(".")[0] not in packages:
            return []
        if name not in found:
            found.append(name)
    return found


def constructed(rules: list[Rule], packages: Collection[str]) -> list[str]:
    """The target's classes that overloads of a constructor make, each at the end or on the way there."""
    calls = (node for rule in rules for node in walk(rule.node) if isinstance(node, ast.Call))
    names = (dotted(node.func) or "" for node in calls)
    found = {n for n in names if n.split(".")[0] in packages and n.rpartition(".")[2][:1].isupper()}
    return sorted(found)


def transparent(rule: Rule, signature: Signature | None) -> bool:
    """Whether the target's own callable takes the rule's arguments as they are: position, name and default."""
    body = [s for s in rule.node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if (
        signature is None
        or len(body) != 1
        or not isinstance(body[0], ast.Return)
        or not isinstance(body[0].value, ast.Call)
    ):
        return False
    call = body[0].value
    spec = rule.parameters
    parameters = [a.arg for a in [*spec.posonlyargs, *spec.args]]
    if spec.vararg or spec.kwarg or spec.kwonlyargs:
        return False
    names = [name for name, _, _ in signature]
    passed = [(names[i] if i < len(names) else "", a) for i, a in enumerate(call.args)] + [
        (w.arg or "", w.value) for w in call.keywords
    ]
    if [name for name, _ in passed] != parameters or names[: len(parameters)] != parameters:
        return False
    optional = zip(reversed(signature[: len(parameters)]), reversed(spec.defaults), strict=False)
    if not all(is_equal(default, row[2]) for row, default in optional):
        return False
    return all(isinstance(value, ast.Name) and value.id == name for name, value in passed)


def is_equal(default: ast.expr, other: str | None) -> bool:
    """Whether both are the same literal, or the same number."""
    try:
        return other is not None and ast.literal_eval(default) == ast.literal_eval(other)
    except (ValueError, SyntaxError):
        return False
