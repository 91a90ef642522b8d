"""Questions what a tensor has: ``hasattr(x, "detach")``, ``hasattr(x, "astype")``, which tell tensors from arrays."""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path

from rewriters.infer.values import NONE, Tensor
from rewriters.report import Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rewrite.unknown_methods import may_be_tensor
from rewriters.text.tree import text_of
from rewriters.torch.table import entry

HAS, LACKS, METHOD = "torch.Tensor:has", "torch.Tensor:lacks", "torch.Tensor:has_method"


@cache
def tensor_names(folder: Path) -> dict[str, frozenset[str]]:
    """Names that torch's tensors have and the target's lack, and the reverse, by ``HAS`` and ``LACKS``."""
    path = folder / "records" / "tensor_names.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {HAS: frozenset(known.get("lacking", ())), LACKS: frozenset(known.get("own", ()))}


class TensorQuestions(Rewriting):
    """Has them answered as torch answers."""

    def asks(self, node: ast.Call) -> bool:
        """Whether the call is such a question of what may be a tensor, and has been rewritten."""
        if not isinstance(node.func, ast.Name) or node.func.id in self.here.shadowed:
            return False
        if node.func.id == "callable":
            return self.asks_for_method(node)
        if node.func.id != "hasattr":
            return False
        name = text_of(node.args[1]) if len(node.args) == 2 and not node.keywords else None
        value = value_at(node.args[0]) if name is not None else NONE
        if not may_be_tensor(value, sure=True):
            return False
        key = next((key for key, names in tensor_names(self.target.folder).items() if name in names), "")
        rules = self.book.rules.get(key)
        if not rules:
            return False
        if isinstance(value, Tensor) and not value.assumed and isinstance(node.args[0], ast.Name):
            self.draft.record(node, key.partition(":")[0], Outcome.INLINED, f"torch's tensors have .{name}, or lack it")
            self.draft.replace(node, str(key == HAS))
            return True
        self.draft.record(node, key.partition(":")[0], Outcome.HELPER, rules[0].where)
        self.source.edit(self.source.start(node.func), self.source.end(node.func), self.draft.helper_text(rules))
        self.walk.visit(node.args[0])
        return True

    def asks_for_method(self, node: ast.Call) -> bool:
        """``callable(x.to)``, as it often stands behind ``hasattr(x, "to")``."""
        read = node.args[0] if len(node.args) == 1 and not node.keywords else None
        rules = self.book.rules.get(METHOD)
        if not isinstance(read, ast.Attribute) or not rules or not may_be_tensor(value_at(read.value)):
            return False
        known = entry(f"torch.Tensor.{read.attr}") or {}
        if read.attr not in tensor_names(self.target.folder)[HAS] or known.get("kind") != "method":
            return False
        self.draft.record(node, METHOD.partition(":")[0], Outcome.HELPER, rules[0].where)
        self.source.edit(self.source.start(node.func), self.source.end(node.func), self.draft.helper_text(rules))
        self.walk.visit(read.value)
        self.source.edit(
            self.source.end(read.value), self.source.end(read), f", {self.draft.printer.text(ast.Constant(read.attr))}"
        )
        return True
