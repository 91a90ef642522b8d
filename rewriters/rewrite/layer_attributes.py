"""Attributes of what may be any of torch's layers: ``self.conv.out_channels``, where a function made ``self.conv``.

Of a layer whose class is known the rule under ``torch.nn.Conv2d.out_channels`` answers. Of any other a
helper does that looks at run time what it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cached_property

from rewriters.infer.joining import torch_class
from rewriters.infer.values import Bottom, Choice, Instance, Unknown, Value
from rewriters.report import Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rewrite.torch_attributes import METHODS, layer_attributes
from rewriters.rules.rulebook import Rulebook, dotted

SPECIFIC = frozenset(
    """
    in_channels out_channels kernel_size output_padding padding_mode in_features out_features num_features num_groups
    num_channels running_mean running_var track_running_stats embedding_dim num_embeddings normalized_shape
    elementwise_affine negative_slope param_groups get_last_lr module is_floating_point is_complex
    """.split()  # noqa: SIM905
)
"""Names that say of what has them that it is a layer, an optimizer, a dtype, or a program's settings."""
OF_MODULES = SPECIFIC | {"stride", "padding", "dilation", "padding_idx", "groups", "eps", "momentum", "affine"}
"""Those, and what else layers have: asked of what is a module, or is called."""
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

    def of_layer(self, node: ast.Attribute) -> bool:
        """``x.out_channels`` by a helper that looks at run time what ``x`` is; False where it stays as it is."""
        called = self.source.nodes.parents.get(node)
        is_called = isinstance(called, ast.Call) and called.func is node
        if is_called or node.attr in METHODS or not isinstance(node.ctx, ast.Load):
            return False
        if not self.may_have(node.value, node.attr):
            return False
        self.ask(node, node)
        return True

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
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        counts = {"getattr": (2, 3), "hasattr": (2,)}.get(name, ())
        wanted = node.args[1] if len(node.args) in counts and not node.keywords else None
        text = wanted.value if isinstance(wanted, ast.Constant) else None
        if wanted is None or not isinstance(text, str):
            return False
        if not self.may_have(node.args[0], text) and not self.surely_keeps(node.args[0], text):
            return False
        source = self.source
        source.edit(source.start(node.func), source.end(node.func), self.helper(node, text))
        self.walk.visit(node.args[0])
        rest = node.args[2] if len(node.args) == 3 else None
        start = source.end(node.args[0])
        if rest is not None:
            source.edit(start, source.start(rest), ", ")
            self.walk.visit(rest)
        elif name == "getattr":
            source.edit(start, source.end(wanted), "")
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
        last = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        return name in SPECIFIC | OF_MANY and not SETTINGS.search(last)

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
