"""``getattr(nn, name)``: what torch's modules are asked for by a text, as the target has it."""

from __future__ import annotations

import ast

from rewriters.infer.values import Ref
from rewriters.report import Code, Outcome
from rewriters.rewrite.resolving import Callee, value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.torch.table import canonical, entry, is_module

MOST = 16


class LookUps(Rewriting):
    """Rewrites look-ups of names in torch's modules."""

    def looks_up(self, node: ast.Call) -> bool:
        """Whether it is such a call; it has been rewritten then."""
        module = self.looked_into(node)
        return module is not None and not self.here.quotes and self.look_up(node, module)

    def looked_into(self, node: ast.Call) -> str | None:
        """The module of ``getattr(module, name)`` and ``getattr(module, name, default)``; None for other calls."""
        if not isinstance(node.func, ast.Name) or node.func.id != "getattr" or len(node.args) not in (2, 3):
            return None
        value = value_at(node.args[0])
        known = isinstance(value, Ref) and is_module(value.name) and self.names.binding_of(node.args[0]) is not None
        return value.name if isinstance(value, Ref) and known and not node.keywords else None

    def look_up(self, node: ast.Call, module: str) -> bool:
        """Whether it is written as the object itself, or as a table of those that the project names."""
        name = node.args[1]
        given = name.value if isinstance(name, ast.Constant) else None
        if isinstance(given, str):
            key = canonical(f"{module}.{given}")
            if not self.is_converted(key, ("class", "function", "value")):
                return False
            self.names.count_load(node.args[0])
            self.draft.replace(node, self.text_of(node, key))
            return True
        names = sorted(word for word in self.shared.travel.words if self.is_converted(canonical(f"{module}.{word}")))
        if not names or len(names) > MOST:
            return False
        self.names.count_load(node.args[0])
        rows = ", ".join(f'"{word}": {self.text_of(node, canonical(f"{module}.{word}"))}' for word in names)
        with self.source.collect() as inner:
            for part in node.args[1:]:
                self.walk.visit(part)
        shown = [self.source.text(part, inner) for part in node.args[1:]]
        self.draft.mark(
            node,
            module,
            f"of what is looked up in {module}, only what this project names as a text is converted",
            Code.UNSUPPORTED,
        )
        self.draft.replace(node, f"{{{rows}}}" + (f"[{shown[0]}]" if len(shown) == 1 else f".get({', '.join(shown)})"))
        return True

    def is_converted(self, key: str, kinds: tuple[str, ...] = ("class", "function")) -> bool:
        known = entry(key)
        if known is None or known["kind"] not in kinds or key in self.book.refusals:
            return False
        return self.book.answers(key)

    def text_of(self, node: ast.Call, key: str) -> str:
        callee = Callee(key, None, self.names.binding_of(node.args[0]))
        outcome, text, detail = self.names.value_text(key, callee, as_class=False)
        if outcome == Outcome.MARKED:
            self.draft.mark(node, key, detail)
        else:
            self.draft.record(node, key, outcome, detail)
        return text
