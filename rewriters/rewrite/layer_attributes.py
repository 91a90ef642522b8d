"""Attributes of what may be any of torch's layers: ``self.conv.out_channels``, where a function made ``self.conv``.

Of a layer whose class is known the rule under ``torch.nn.Conv2d.out_channels`` answers. Of any other a
helper does that looks at run time what it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from rewriters.infer.joining import torch_class
from rewriters.infer.values import Bottom, Choice, ClassOf, External, Instance, ObjectOf, Ref, Unknown, Value
from rewriters.report import Outcome
from rewriters.rewrite.beside import has_what_tensors_lack
from rewriters.rewrite.removed_parameters import RemovedParameters
from rewriters.rewrite.resolving import stores, value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rewrite.said_names import may_be_one_of
from rewriters.rewrite.torch_attributes import (
    BY_NAME,
    METHODS,
    OF_MODULES,
    SPECIFIC,
    layer_attributes,
    layer_settings,
    modules_settings,
    names_of_layers,
    private_names,
)
from rewriters.rules.render import enclosed
from rewriters.rules.rulebook import Rulebook, dotted
from rewriters.text.tree import is_still, last_name, text_of, walk

OF_OPTIMIZERS = {"param_groups", "get_last_lr"}
OF_MANY = frozenset({"weight"})
"""Names that most layers have alike: asked in projects that name a class of which the target's layer has another."""
SETTINGS = re.compile(
    r"(?:^|_)(?:cfg|conf|configs?|args?|opts?|options|hps|hparams?|params?|kwargs|settings|spec|self|cls)$"
)


def named_otherwise(book: Rulebook, texts: Iterable[bytes]) -> frozenset[str]:
    """Of the names that most layers have alike, those that a class has otherwise which some of the texts name."""
    wanted = {name: layer_attributes(book)[name] for name in OF_MANY & set(layer_attributes(book))}
    short = {name: [owner.rpartition(".")[2].encode() for owner in owners] for name, owners in wanted.items()}
    held = list(texts) if short else []
    return frozenset(name for name, classes in short.items() if any(one in text for text in held for one in classes))


class LayerAttributes(Rewriting):
    """Rewrites attributes of what may be a layer."""

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        self.removed = RemovedParameters(tools)

    def of_layer(self, node: ast.Attribute) -> bool:
        """``x.out_channels`` by a helper that looks at run time what ``x`` is; False where it stays as it is."""
        called = self.source.nodes.parents.get(node)
        is_called = isinstance(called, ast.Call) and called.func is node
        if is_called or node.attr in METHODS or not isinstance(node.ctx, ast.Load):
            return False
        if not self.may_have(node.value, node.attr):
            return False
        if node.attr in SPECIFIC and has_what_tensors_lack(node, self.source.nodes, names_of_layers() | OF_OPTIMIZERS):
            return False
        self.ask(node, node)
        return True

    def asks(self, node: ast.Call) -> bool:
        """Whether a call asks for such an attribute, by its name or of a schedule; it has been rewritten then."""
        return self.asked(node) or self.method(node)

    def method(self, node: ast.Call) -> bool:
        """``scheduler.get_last_lr()`` likewise; whether it has been rewritten."""
        function = node.func
        if not isinstance(function, ast.Attribute) or function.attr not in METHODS or node.args or node.keywords:
            return False
        if not self.may_have(function.value, function.attr):
            return False
        self.ask(node, function)
        return True

    def ask(self, whole: ast.expr, node: ast.Attribute) -> None:
        start, end = self.source.start(whole), self.source.end(whole)
        self.source.edit(start, start, f"{self.helper(node, node.attr)}(")
        self.walk.visit(node.value)
        self.source.edit(self.source.end(node.value), end, ")")

    def asked(self, node: ast.Call) -> bool:
        """``getattr(x, "out_channels", None)``, ``hasattr(x, "out_channels")``; whether it has been rewritten."""
        if self.removed.by_call(node):
            return True
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "setattr" and len(node.args) == 3 and not node.keywords:
            return self.stored_by_name(node)
        counts = {"getattr": (2, 3), "hasattr": (2,)}.get(name, ())
        wanted = node.args[1] if len(node.args) in counts and not node.keywords else None
        text = text_of(wanted)
        if wanted is None or (isinstance(wanted, ast.Constant) and text is None):
            return False
        if text is None and not self.is_set_below(node):
            return False
        if text is not None and not self.may_have(node.args[0], text) and not self.surely_keeps(node.args[0], text):
            return False
        source = self.source
        source.edit(source.start(node.func), source.end(node.func), self.helper(node, text or BY_NAME))
        self.walk.visit(node.args[0])
        rest = node.args[2] if len(node.args) == 3 else None
        start = source.end(node.args[0])
        if text is None:
            self.walk.visit(wanted)
            start = source.end(wanted)
        if rest is not None:
            source.edit(start, source.start(rest), ", ")
            self.walk.visit(rest)
        elif name == "getattr":
            source.edit(start, source.end(wanted), ", ..." if text in METHODS else "")
        else:
            within = bool(self.known.needed.get(node))
            source.edit(start, source.end(node), f", ...) is not ...{')' if within else ''}")
            if within:
                source.edit(source.start(node), source.start(node), "(")
        return True

    def helper(self, node: ast.expr, name: str) -> str:
        self.draft.helper_used = True
        self.draft.record(node, f".{name}", Outcome.HELPER, "looks at run time whether it is a layer's attribute")
        return f"{self.known.helper}.{self.draft.helper.use_attribute(name)}"

    def stored(self, node: ast.Assign) -> bool:
        """``m.stride = 1``, ``m.stride, m.padding = 1, 2`` by helpers that look at run time what ``m`` is."""
        if self.removed.by_store(node):
            return True
        pairs = list(stores_of(node))
        settings = [target for target, _ in pairs if self.is_stored(target, alone=len(pairs) == 1)]
        if not settings or not (len(pairs) == 1 or self.placing.stands_alone(node)):
            return False
        lines = []
        for target, value in pairs:
            with self.source.collect() as inner:
                self.walk.visit(value)
                self.walk.visit(target.value if target in settings else target)  # type: ignore[attr-defined]
            given = enclosed(self.placing.argument(value, 0, inner), 0)
            if isinstance(target, ast.Attribute) and target in settings:
                of = enclosed(self.placing.argument(target.value, 1, inner), 0)
                lines.append(f"{self.helper(target, f'{target.attr}=')}({of}, {given})")
            else:
                lines.append(f"{self.placing.argument(target, 1, inner).text} = {given}")
        self.draft.replace(node, (self.source.newline + self.source.indentation(node.lineno)).join(lines))
        return True

    def stored_by_name(self, node: ast.Call) -> bool:
        """``setattr(m, "stride", 1)``, ``setattr(m, name, value)`` likewise; whether it has been rewritten."""
        of, name, _ = node.args
        text = text_of(name)
        if text is not None:
            if not self.is_setting(of, text, alone=False):
                return False
        elif isinstance(name, ast.Constant) or not self.may_be_setting(of, name):
            return False
        source = self.source
        helper = self.helper(node, f"{BY_NAME if text is None else text}=")
        source.edit(source.start(node.func), source.end(node.func), helper)
        for part in node.args:
            self.walk.visit(part)
        if text is not None:
            source.edit(source.end(of), source.end(name), "")
        return True

    def is_set_below(self, node: ast.Call) -> bool:
        """``hasattr(m, name)``, ``getattr(m, name)`` in a function that stores under that computed name, too."""
        wanted = [dotted(part) for part in node.args[:2]]
        around = self.here.functions[-1] if self.here.functions else self.source.tree
        return (
            bool(modules_settings(self.book))
            and None not in wanted
            and any(
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Name)
                and call.func.id == "setattr"
                and [dotted(part) for part in call.args[:2]] == wanted
                and self.may_be_setting(*call.args[:2])
                for call in walk(around)
            )
        )

    def may_be_setting(self, of: ast.expr, word: ast.expr) -> bool:
        """Whether what is stored under a computed name may be a setting of a layer's: of what is known to be a module,
        or of anything where the program says such a name as a text.
        """
        names = modules_settings(self.book)
        around = self.here.functions[-1] if self.here.functions else self.source.tree
        if not may_be_one_of(word, names, around, self.source.nodes) or is_file(of):
            return False
        if any(self.may_have(of, name) or self.surely_keeps(of, name) for name in names):
            return True
        value, name = value_at(of), last_name(of)
        if not names or not isinstance(value, (Unknown, Bottom)) or name in {"self", "cls"} or SETTINGS.search(name):
            return False
        return not self.known.shared.travel.words.isdisjoint(names)

    def properties(self, node: ast.ClassDef) -> None:
        """Mark properties of a program's own layer under names that torch's layer below asks it for, and the target's
        does not: ``def stride(self)`` in a class derived from nn.Conv2d.
        """
        values = [value_at(base) for base in node.bases]
        below = [
            v.name if isinstance(v, Ref) else v.info.torch_base() if isinstance(v, ClassOf) else "" for v in values
        ]
        for part in node.body:
            if not isinstance(part, ast.FunctionDef) or part.name not in layer_settings(self.book):
                continue
            owner = next((one for one in below if one and self.names.filed(one, part.name)), None)
            if owner is None or not any(
                last_name(one) in {"property", "cached_property"} for one in part.decorator_list
            ):
                continue
            why = f"{self.target.title}'s layer does not ask this property for its {part.name}: store it in __init__"
            with self.draft.within(anchor=part, statement=part):
                self.draft.differs(part, f"{owner}.{part.name}", why)

    def own_name(self, node: ast.Attribute) -> None:
        """Another name for what a program's own layer keeps where the target's layer below it keeps something else."""
        value = value_at(node.value)
        if not node.attr.startswith("_") or not isinstance(value, ObjectOf) or not stores(value, node):
            return
        base = value.info.torch_base()
        if base is not None and node.attr in private_names(self.book, base):
            self.draft.record(node, f".{node.attr}", Outcome.INLINED, "the target's layer has the name for itself")
            end = self.source.end(node)
            self.source.edit(end - len(node.attr.encode()), end, f"_own{node.attr}")

    def is_stored(self, target: ast.expr, alone: bool) -> bool:
        return isinstance(target, ast.Attribute) and self.is_setting(target.value, target.attr, alone)

    def is_setting(self, of: ast.expr, name: str, alone: bool) -> bool:
        """Whether what is stored under a name may be a layer's setting that the target's layer keeps otherwise.

        alone: where it is the one target, the rule for the layer answers if that is known.
        """
        if name not in layer_settings(self.book):
            return False
        value, called = value_at(of), last_name(of)
        if isinstance(value, (Unknown, Bottom)):
            return name in OF_MODULES and called not in {"self", "cls"} and not SETTINGS.search(called)
        if self.may_have(of, name):
            return True
        return not alone and self.surely_keeps(of, name)

    def may_have(self, node: ast.expr, name: str) -> bool:
        """Whether something may be a layer of which the target's attribute has another name."""
        if name not in layer_attributes(self.book) or name not in OF_MODULES | self.known.shared.named_otherwise:
            return False
        value = value_at(node)
        if isinstance(value, Choice):
            return any(self.keeps(one, name) for one in value.values)
        if isinstance(value, Instance):
            return value.name == "torch.nn.Module"  # of whatever class
        if not isinstance(value, (Unknown, Bottom)):
            return False
        if self.is_called(node):
            return True
        if name in OF_OPTIMIZERS:
            return True  # `opt` is no settings there
        return name in SPECIFIC | OF_MANY and not SETTINGS.search(last_name(node))

    def surely_keeps(self, node: ast.expr, name: str) -> bool:
        """Whether it is a layer of one of torch's classes, of which the target's attribute has another name."""
        value = value_at(node)
        owner = torch_class(value) if isinstance(value, Instance) and name in layer_attributes(self.book) else None
        return owner is not None and owner != "torch.nn.Module" and self.names.filed(owner, name)

    def keeps(self, value: Value, name: str) -> bool:
        """Whether it is a layer of which the target's attribute has another name, or may be."""
        owner = torch_class(value)
        if owner is None:
            return isinstance(value, (Unknown, Bottom))
        return owner == "torch.nn.Module" or self.names.filed(owner, name)

    def is_called(self, node: ast.expr) -> bool:
        """Whether the file calls what goes by the same name: ``self.conv(x)``."""
        text = dotted(node)
        return text is not None and text not in {"self", "cls"} and text in self.called

    @cached_property
    def called(self) -> frozenset[str]:
        """The dotted names that the file calls."""
        return frozenset(dotted(node.func) or "" for node in self.source.nodes.of(ast.Call))


def is_file(node: ast.expr) -> bool:
    """``sys.modules[name]``"""
    return isinstance(node, ast.Subscript) and value_at(node.value) == External("sys.modules")


def stores_of(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is stored to, and what: of ``a.x, b.y = 1, 2`` one after the other, if that makes no difference."""
    target = node.targets[0]
    if len(node.targets) != 1:
        return
    if not isinstance(target, ast.Tuple):
        yield target, node.value
    elif isinstance(node.value, ast.Tuple) and len(node.value.elts) == len(target.elts):
        attributes = all(isinstance(part, ast.Attribute) and is_still(part.value) for part in target.elts)
        if attributes and all(map(is_still, node.value.elts)):
            yield from zip(target.elts, node.value.elts, strict=True)
