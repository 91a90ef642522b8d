"""What other libraries have for torch alone, ``from safetensors.torch import load_file``: theirs for the target, or a
rule's. Rules answer by the library's name of it; ``same`` says that it is in the library's module for the target.
"""

from __future__ import annotations

import ast

from rewriters.infer.values import External
from rewriters.report import Code, Outcome, Site
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rules.rulebook import dotted
from rewriters.torch.table import of_source


class Companions(Rewriting):
    """Rewrites the imports and names of such modules."""

    def imported(self, node: ast.Import | ast.ImportFrom) -> None:
        """An import statement that is not torch's."""
        if isinstance(node, ast.ImportFrom):
            if not node.level and not of_source(node.module or ""):
                self.names_imported(node)
            return
        for item in node.names:
            if item.name in self.target.companions and not any(of_source(one.name) for one in node.names):
                at = self.source.start(item)
                self.source.edit(at, at + len(item.name), self.target.companion(item.name))

    def names_imported(self, node: ast.ImportFrom) -> None:
        """``from safetensors.torch import load_file, save_model as save``: each from where it is."""
        of = node.module or ""
        companion = self.target.companions.get(of)
        keys = [f"{of}.{item.name}" for item in node.names]
        if companion is None and not any(key in self.book.rules for key in keys):
            return
        where = companion or of
        left, own, lines = [], [], []
        for item, key in zip(node.names, keys, strict=True):
            bound = item.asname or item.name
            if rules := self.book.rules.get(key):
                name = self.draft.helper.use(rules)
                own.append(name if name == bound else f"{name} as {bound}")
                self.tell(node, key, Outcome.HELPER, rules[0].where)
            elif companion is None or key in self.book.same or (companion and item.name == "*"):
                left.append(self.source.original(self.source.start(item), self.source.end(item)))
            else:
                self.draft.helper.stand_in = True
                lines += [self.known.helper_import, f'{bound} = {self.known.helper}.NotConverted("{key}")']
                detail = self.draft.no_rule(key)
                self.tell(node, key, Outcome.MARKED, detail)
                self.draft.above.setdefault(node.lineno, {})[detail] = Code.NO_RULE.comment(detail)
        if len(left) == len(keys):
            text = self.source.original(self.source.start(node), self.source.end(node)).encode()
            at = self.source.start(node) + text.index(of.encode())
            self.source.edit(at, at + len(of.encode()), where)
            return
        *words, stem = self.known.helper_import.split()
        helper = words[1] + stem if len(words) > 1 else stem
        lines += [f"from {helper} import {', '.join(own)}"] if own else []
        lines += [f"from {where} import {', '.join(left)}"] if left else []
        indent = self.source.newline + self.source.indentation(node.lineno)
        self.draft.replace(node, indent.join(dict.fromkeys(lines)))

    def tell(self, node: ast.stmt, key: str, outcome: Outcome, detail: str) -> None:
        self.draft.report.sites.append(Site(node.lineno, node.col_offset + 1, key, outcome, detail))

    def named(self, node: ast.expr) -> bool:
        """``safetensors.torch.load_file``: whether it is a name of such a module, written anew."""
        value = value_at(node)
        if not isinstance(node, ast.Attribute) or not isinstance(value, External):
            return False
        of, _, _ = value.name.rpartition(".")
        companion = self.target.companions.get(of)
        if rules := self.book.rules.get(value.name):
            self.draft.record(node, value.name, Outcome.HELPER, rules[0].where)
            self.draft.replace(node, self.draft.helper_text(rules))
        elif companion is None:
            return False
        elif value.name in self.book.same:
            self.draft.record(node, value.name, Outcome.SAME)
            if dotted(node.value) == of:
                self.draft.replace(node.value, companion)
        else:
            self.draft.mark(node, value.name, self.draft.no_rule(value.name))
            self.draft.stand_in(value.name)
            self.draft.replace(node, f'{self.known.helper}.NotConverted("{value.name}")')
        return True
