"""Keywords that a target does not know, of all functions at once: what says nothing is left out, what it calls
otherwise is given by its place.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rewriters.infer.values import Instance, Ref
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rules.binding import SYNONYMS, Bound
from rewriters.rules.effects import Effect, effect_of
from rewriters.rules.tidy import Signature, signatures
from rewriters.text.source_text import Edit, Source
from rewriters.torch.overloads import POSITIONAL, is_default, overloads_of, same_text
from rewriters.torch.table import entry

#: What a tensor is made with anyway: parameter -> the values that ask for nothing else.
NOTHING_ASKED = {
    "layout": {"None", "torch.strided"},
    "memory_format": {"None", "torch.contiguous_format", "torch.preserve_format"},
    "pin_memory": {"None", "False"},
    "requires_grad": {"None", "False"},
    "device": {"None"},
    "generator": {"None"},
    "non_blocking": {"True", "False"},
    "implicit": {"True", "False"},
}

#: What attention calls its arguments in every framework.
ATTENTION = {"query", "key", "value", "src", "tgt"}
#: Those of them that mean the same to every rule: no target has another layout. Their values have no name there.
IN_MEMORY = {"layout", "memory_format", "pin_memory"}


class GivenKeywords(Rewriting):
    """Rewrites keywords of calls of torch.

    left_out: what takes an argument out of a call that is being rewritten without it.
    """

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        self.left_out: dict[ast.Call, list[Edit]] = {}
        self.same = signatures(self.target.folder).same

    def unsaid(self, node: ast.Call, key: str, receiver: bool) -> list[ast.keyword | ast.expr]:
        """Arguments that the rule, or the target's function of the same name, has not, and that ask for nothing."""
        if self.takes_anything(key) or any(isinstance(part, ast.Starred) for part in node.args):
            return []
        names = self.names_of(key)
        found = self.behind(node, key, receiver)
        for word in node.keywords:
            name = SYNONYMS.get(word.arg or "", word.arg or "")
            if not name or word.arg is None:
                continue
            known = names is not None and bool({name, word.arg} & names)
            idle = asks_nothing(name, word.value) and (not known or name in IN_MEMORY)
            if idle or (names is not None and not known and is_default(key.partition(":")[0], name, word.value)):
                found.append(word)
        return found

    def behind(self, node: ast.Call, key: str, receiver: bool) -> list[ast.keyword | ast.expr]:
        """The last arguments, given by place, that no rule has a place for: torch's defaults."""
        rules = self.book.rules.get(key, [])
        if not rules or any(rule.parameters.vararg for rule in rules):
            return []
        places = max(len(rule.parameters.posonlyargs) + len(rule.parameters.args) for rule in rules) - receiver
        name = key.partition(":")[0]
        unbound = not receiver and (entry(name) or {}).get("kind") == "method"
        rest = list(enumerate(node.args))[places:]
        found: list[ast.keyword | ast.expr] = [part for place, part in rest if is_default(name, place - unbound, part)]
        return found if len(found) == len(rest) else []

    def names_of(self, key: str) -> set[str] | None:
        """The parameters that are known here; None where that cannot be told."""
        rules = self.book.rules.get(key)
        if rules:
            return {name for rule in rules for name in named(rule.parameters)}
        found = self.same.get(key, [])
        return parameters_of(found)

    def own_name(self, key: str, word: ast.keyword) -> str | None:
        """What the rules call an argument that torch has under several names: ``isin(element=)``, ``elements=``."""
        name, rules = word.arg or "", self.book.rules.get(key)
        if not rules or name in (self.names_of(key) or ()) or SYNONYMS.get(name, name) != name:
            return word.arg
        called = key.partition(":")[0]
        receiver = (entry(called) or {}).get("kind") == "method"
        for overload in overloads_of(called):
            order = [one.name for one in overload if one.kind == POSITIONAL]
            if name in order:
                place = order.index(name) + receiver
                owns = ([one.arg for one in [*r.parameters.posonlyargs, *r.parameters.args]] for r in rules)
                own = next((own[place] for own in owns if place < len(own)), name)
                return name if own in order else own  # another of torch's parameters is no other name of this one
        return word.arg

    def takes_anything(self, key: str) -> bool:
        """Whether a rule takes keywords of any name, or there is nothing to hold them against."""
        rules = self.book.rules.get(key)
        if rules:
            return rules[0].is_class or any(rule.parameters.kwarg for rule in rules)
        return key not in self.book.same

    @contextmanager
    def without(self, node: ast.Call, words: Sequence[ast.keyword | ast.expr]) -> Iterator[None]:
        """The call is rewritten without these arguments meanwhile."""
        args, given, before = node.args, node.keywords, self.left_out.get(node, [])
        edits = removals(self.source, node, words)
        node.args = [part for part in args if part not in words]
        node.keywords = [word for word in given if word not in words]
        self.left_out[node] = [*before, *edits]
        try:
            yield
        finally:
            node.args, node.keywords = args, given
            self.left_out[node] = before
            if not before:
                del self.left_out[node]

    def by_place(self, node: ast.Call, key: str) -> list[Edit]:
        """What the target's function of the same name calls otherwise, by its place: its name is taken away."""
        torchs, theirs = overloads_of(key), self.same.get(key, [])
        known = parameters_of(theirs)
        if not torchs or known is None or any(isinstance(a, ast.Starred) for a in node.args):
            return []
        orders = [[parameter.name for parameter in one if parameter.kind == POSITIONAL] for one in torchs]
        order = orders[0]
        if edits := self.by_name(node, orders, theirs):
            return edits
        place, first = len(node.args), True
        for word in sorted(node.keywords, key=lambda word: (word.value.lineno, word.value.col_offset)):
            name = SYNONYMS.get(word.arg or "", word.arg or "")
            start = self.source.start(word)
            if first and place < len(order) and order[place] == name and name not in known:
                if place == 0 or is_free(theirs, place, order):
                    edits.append(Edit(start, self.source.start(word.value), ""))
                    place += 1
                    continue
            elif name != word.arg and name in known and word.arg not in known:
                edits.append(Edit(start, start + len((word.arg or "").encode()), name))
            first = False
        return edits or self.first_moved(node, order, known)

    def by_name(self, node: ast.Call, orders: list[list[str]], theirs: list[Signature]) -> list[Edit]:
        """What the target's function of the same name has at other places, by its name."""

        def strays(order: list[str]) -> int | None:
            """The first place at which no signature of the target's has what torch has there, though it has it."""
            for place, name in enumerate(order[: len(node.args)]):
                if all(len(one) <= place or one[place][0] != name for one in theirs) and any(
                    parameter[0] == name for one in theirs for parameter in one
                ):
                    return place
            return None

        fitting = [order for order in orders if len(order) >= len(node.args)]
        places = [strays(order) for order in fitting]
        if not fitting or None in places:
            return []
        start = places[0] or 0
        starts = [(name, self.source.start(part)) for name, part in zip(fitting[0], node.args, strict=False)][start:]
        return [Edit(at, at, f"{name}=") for name, at in starts]

    def first_moved(self, node: ast.Call, order: list[str], known: set[str]) -> list[Edit]:
        """``f(dim=0, input=x)``: the input to the front, where nothing tells the order."""
        word = next((word for word in node.keywords if word.arg in order[:1] and word.arg not in known), None)
        if word is None or node.args or any(effect_of(other.value) >= Effect.EFFECT for other in node.keywords):
            return []
        if not isinstance(word.value, (ast.Name, ast.Attribute, ast.Constant)):
            return []
        opening = self.placing.opening(node) + 1
        text = self.source.original(self.source.start(word.value), self.source.end(word.value))
        return [Edit(opening, opening, f"{text}, "), *removals(self.source, node, [word])]

    def call_of_layer(self, node: ast.Call) -> list[Edit]:
        """``layer(input=x, target=y)``: what torch's layers call their arguments is theirs."""
        layer = value_at(node.func)
        if not isinstance(layer, Instance) or not (entry(layer.name) or {}).get("module"):
            return []
        torchs = overloads_of(f"{layer.name}.forward")
        order = [parameter.name for parameter in torchs[0] if parameter.kind == POSITIONAL] if torchs else []
        known = parameters_of(self.same.get(f"{layer.name}.forward", [])) or ATTENTION
        edits: list[Edit] = []
        words = sorted(node.keywords, key=lambda word: (word.value.lineno, word.value.col_offset))
        for name, word in zip(order[len(node.args) :], words, strict=False):
            if word.arg != name or name in known:
                break
            edits.append(Edit(self.source.start(word), self.source.start(word.value), ""))
        return edits or self.in_order(words, order[len(node.args) :], known)

    def in_order(self, words: list[ast.keyword], places: list[str], known: set[str]) -> list[Edit]:
        """``layer(target=y, input=x)``: by their places, where evaluating them in another order changes nothing."""
        given = {word.arg: word for word in words if word.arg}
        front = list(itertools.takewhile(given.__contains__, places))
        if {*front} <= known or len(given) < len(words) or not all(map(is_still, given.values())):
            return []
        start, end = self.source.start(words[0]), self.source.end(words[-1])
        if "#" in self.source.original(start, end):
            return []
        texts = {
            name: self.source.original(self.source.start(w.value), self.source.end(w.value))
            for name, w in given.items()
        }
        rest = [f"{name}={text}" for name, text in texts.items() if name not in front]
        return [Edit(start, end, ", ".join([*(texts[name] for name in front), *rest]))]


def without_defaults(bound: Bound, key: str) -> Bound:
    """What is given as torch's default is the rule's, where that has another word for it: ``stride=()``, ``None``."""
    for name, default in bound.rule_defaults().items():
        argument = bound.arguments.get(name)
        if argument is None or argument.changed or same_text(ast.unparse(default), argument.node):
            continue
        if is_default(key.partition(":")[0], name, argument.node):
            del bound.arguments[name]
            bound.defaults[name] = default
    return bound


def is_still(word: ast.keyword) -> bool:
    """Whether a value is a name or a constant, of which nothing is rewritten."""
    return isinstance(word.value, (ast.Name, ast.Constant)) and not isinstance(value_at(word.value), Ref)


def parameters_of(theirs: list[Signature]) -> set[str] | None:
    """The names of parameters; None where the target takes whatever comes, or nothing tells."""
    rows = [parameter for one in theirs for parameter in one]
    if not theirs or any(kind in {"variadic", "keywords"} for _, kind, *_ in rows):
        return None
    return {name for name, *_ in rows}


def named(spec: ast.arguments) -> list[str]:
    return [argument.arg for argument in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]]


def is_free(theirs: list[Signature], place: int, order: list[str]) -> bool:
    """Whether what the target has at a place is not another one of torch's parameters."""
    return all(place < len(one) and one[place][0] not in order and one[place][1] == "positional" for one in theirs)


def asks_nothing(name: str, value: ast.expr) -> bool:
    """Whether the value of a parameter that a target may lack asks for what every tensor is anyway."""
    allowed = NOTHING_ASKED.get(name, set())
    meant = value_at(value)
    return (isinstance(meant, Ref) and meant.name in allowed) or (
        isinstance(value, ast.Constant) and repr(value.value) in allowed
    )


def removals(source: Source, node: ast.Call, words: Sequence[ast.keyword | ast.expr]) -> list[Edit]:
    """Arguments taken out, each with the comma before it; those at the front with the one behind."""
    given: list[ast.keyword | ast.expr] = [*node.args, *node.keywords]
    parts = sorted(given, key=lambda part: (part.lineno, part.col_offset))
    edits = []
    front = True
    for index, part in enumerate(parts):
        if part not in words:
            front = False
            continue
        start, end = source.start(part), source.end(part)
        if not front:
            edits.append(Edit(source.buffer.rindex(b",", source.end(parts[index - 1]), start), end, ""))
        elif index + 1 < len(parts):
            edits.append(Edit(start, source.start(parts[index + 1]), ""))
        else:
            edits.append(Edit(start, end, ""))
    return edits
