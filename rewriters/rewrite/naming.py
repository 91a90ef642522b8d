"""A torch object used as a value: the target's text for it."""

from __future__ import annotations

import ast
from collections.abc import Collection

from rewriters.report import Outcome
from rewriters.rewrite.imports import Binding
from rewriters.rewrite.resolving import Callee, Resolving
from rewriters.rewrite.torch_class import (
    class_for,
    derives_from,
    is_emitted,
    made_classes,
    special_classes,
    stands_for_class,
)
from rewriters.rules.rulebook import Rule, dotted
from rewriters.rules.tidy import Signature
from rewriters.text.parsing import literal_of
from rewriters.torch.alone import made_alone
from rewriters.torch.table import entry, python_names, version_of


class Names(Resolving):
    """Resolves names to torch's, and writes the target's."""

    def value_text(self, key: str, callee: Callee, as_class: bool) -> tuple[Outcome, str, str]:
        """(outcome, text, detail) of a torch object used as a value."""
        with self.draft.within(style=callee.style):
            book = self.book
            version = version_of(key)
            if version is not None:
                quote = "'" if '"' in self.here.quotes else '"'
                return Outcome.INLINED, f"{quote}{version}{quote}", "torch's version"
            told = self.here.in_class_test or self.here.in_annotation
            if as_class and told and made_alone(key) and not book.rules.get(key):
                why = f"nothing is one in {self.target.title}: only torch makes such objects"
                return Outcome.HELPER, self.draft.stand_in(key), why
            if self.here.in_annotation and f"{key}:annotated" in book.aliases:
                return Outcome.INLINED, self.constant(book.aliases[f"{key}:annotated"]), "alias"
            # What is read and never tested is named plainly, where that is a class.
            plain = self.here.in_annotation and key in book.aliases and f"{key}:annotated" not in book.rules
            if as_class and told and not plain and (named := book.rules.get(f"{key}:test")):
                return Outcome.HELPER, self.draft.helper_text(named), named[0].where
            if as_class and self.here.in_class_test and f"{key}:test" in book.aliases:
                return Outcome.INLINED, self.constant(book.aliases[f"{key}:test"]), "alias"
            if told_by := book.rules.get(f"{key}:told"):
                return Outcome.HELPER, f"{self.draft.helper_text(told_by)}()", told_by[0].where
            if key in book.refusals:
                return Outcome.MARKED, self.draft.stand_in(key), book.refusals[key]
            if callee.spelling in book.spelled:
                return Outcome.INLINED, self.constant(book.spelled[callee.spelling]), "alias"
            if key in book.aliases:
                return Outcome.INLINED, self.constant(book.aliases[key]), "alias"
            if key in book.same:
                return Outcome.SAME, self.same_text(key), ""
            if named := book.rules.get(f"{key}:value"):
                return Outcome.HELPER, self.draft.handed_on_text(f"{key}:value"), named[0].where
            rules = book.rules.get(key, [])
            if not rules and key in python_names():
                owner, _, last = python_names()[key].rpartition(".")
                free = owner == "builtins" and last not in {*self.here.shadowed, *self.draft.table.stored}
                return Outcome.INLINED, last if free else self.draft.spell(f"{owner}.{last}"), "Python's own"
            if not rules:
                return Outcome.MARKED, self.draft.stand_in(key), self.draft.no_rule(key)
            if rules[0].is_class:
                why = f"{rules[0].where}, a class that {self.target.title} lacks"
                return Outcome.HELPER, self.draft.helper_text(rules), why
            if as_class or stands_for_class(class_for(key.removesuffix(":base")), book):
                return self.class_text(key, rules, as_class)
            names = plain_targets(rules, self.target.packages)
            if len(names) == 1 and any(transparent(rule, self.shared.signatures.get(names[0])) for rule in rules):
                return Outcome.INLINED, self.draft.spell(names[0]), rules[0].where
            return Outcome.HELPER, self.draft.handed_on_text(key), "Value: used as a value, its calls are not known"

    def same_text(self, key: str) -> str:
        """A name that is the same here, a method by way of its class: that may be the helper module's."""
        owner, _, name = key.rpartition(".")
        rules = self.book.rules.get(owner, [])
        if rules and rules[0].is_class:
            return f"{self.draft.helper_text(rules)}.{name}"
        return self.draft.spell(self.map_name(key))

    def bound_text(self, key: str, binding: Binding) -> tuple[Outcome, str, str]:
        """What an import's name is bound to, where other statements bind it too: under another name, by its path."""
        found = self.value_text(key, Callee(key, style=binding), as_class=False)
        if found[1] != binding.name and "." not in found[1]:
            return self.value_text(key, Callee(key), as_class=False)
        return found

    def class_text(self, key: str, rules: list[Rule], as_class: bool) -> tuple[Outcome, str, str]:
        """(outcome, text, detail) of a torch class: tested for, derived from, in an annotation, or handed on."""
        where = rules[0].where
        made = made_classes(self.book, key)
        names = [name for name, own in made if own is None]
        own = [name for name, rule in made if rule is not None and not derives_from(rule, name, names)]
        if not made:
            names = plain_targets(rules, self.target.packages)
        if self.here.in_class_test and as_class:
            names += [name for name in special_classes(self.book, key, self.shared.variants) if name not in names]
            if names and not own and not (self.here.in_pattern and len(names) > 1):
                return Outcome.INLINED, self.listed(names), where
            return self.handed_on(key, rules)
        if self.here.in_bases and key.endswith(":base"):
            return Outcome.INLINED, self.draft.spell(names[0]), where
        if not as_class or self.here.in_bases:
            signature = self.shared.signatures.get(names[0]) if len(names) == 1 else None
            if takes_all(key, rules, signature):
                return Outcome.INLINED, self.draft.spell(names[0]), where
            if self.here.in_bases and takes_all(key, rules, signature, self.shared.travel.keywords):
                return Outcome.INLINED, self.draft.spell(names[0]), where
            if not made and self.here.in_bases:
                text = names[0] if len(names) == 1 and names[0].rpartition(".")[2][:1].isupper() else ""
                why = f"{key} is made by a function in {self.target.title}, which nothing derives from"
                return (
                    (Outcome.INLINED, self.draft.spell(text), where)
                    if text
                    else (Outcome.MARKED, self.draft.stand_in(key), why)
                )
            if len(names) > 1 and self.here.in_bases:
                return Outcome.MARKED, self.draft.stand_in(key), f"{key} is several classes in {self.target.title}"
            return self.handed_on(key, rules)
        return (Outcome.INLINED, self.draft.spell(names[0]), where) if names else self.handed_on(key, rules)

    def classes_of(self, key: str, based: bool) -> list[str] | None:
        """The text of each class of which instances of a torch class are; None where some are a rule file's own."""
        made = made_classes(self.book, key)
        if not made or any(rule is not None for _, rule in made):
            return None
        variants = [name for name in self.shared.variants if based or not name.endswith(":base")]
        special = special_classes(self.book, key, variants)
        emitted = [name for name in sorted(variants) if name.startswith(f"{key}:") and is_emitted(self.book, name)]
        texts = [self.draft.spell(name) for name in [*(name for name, _ in made), *special]]
        return list(dict.fromkeys([*texts, *(self.draft.helper_text(self.book.rules[name]) for name in emitted)]))

    def listed(self, names: list[str]) -> str:
        """A class, or a tuple of several."""
        return self.draft.spell(names[0]) if len(names) == 1 else f"({', '.join(map(self.draft.spell, names))})"

    def handed_on(self, key: str, rules: list[Rule]) -> tuple[Outcome, str, str]:
        if not stands_for_class(class_for(key), self.book):
            return Outcome.HELPER, self.draft.helper_text(rules), "Value: used as a value, its calls are not known"
        self.draft.helper_used = True
        name = self.draft.helper.use_class(key)
        return Outcome.HELPER, f"{self.known.helper}.{name}", "Value: a class that is handed on takes torch's arguments"

    def constant(self, text: str) -> str:
        """An alias's text: a dotted name of the target or of Python (``math.pi``), or a literal such as ``None``."""
        return self.draft.spell(text) if "." in text or text in self.target.packages else text

    def map_name(self, key: str) -> str:
        """The target's name for a torch name that is the same there."""
        module, _, name = key.rpartition(".")
        while module:
            mapped = self.draft.table.mapped(module)
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


def takes_all(key: str, rules: list[Rule], signature: Signature | None, keywords: frozenset[str] | None = None) -> bool:
    """Whether the target's own class takes all of torch's arguments as they are.

    keywords: those that any call gives, where names of arguments do not matter else.
    """
    documented = [text.partition("=")[0] for text in (entry(key) or {}).get("parameters", ()) if text != "*"]
    return any(
        transparent(rule, signature, keywords)
        and [a.arg for a in rule.parameters.args][: len(documented)] == documented
        for rule in rules
    )


def transparent(rule: Rule, signature: Signature | None, keywords: frozenset[str] | None = None) -> bool:
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
    own = names[: len(parameters)]
    renamed = [name for name, other in zip(parameters, own, strict=False) if name != other]
    if [name for name, _ in passed] != own or (renamed if keywords is None else keywords & set(renamed)):
        return False
    optional = zip(reversed(signature[: len(parameters)]), reversed(spec.defaults), strict=False)
    if not all(is_equal(default, row[2]) for row, default in optional):
        return False
    return [dotted(value) for _, value in passed] == parameters


def is_equal(default: ast.expr, other: str | None) -> bool:
    """Whether both are the same literal, or the same number."""
    try:
        return other is not None and ast.literal_eval(default) == literal_of(other)
    except (ValueError, SyntaxError):
        return False
