"""Questions whether torch has a name: ``hasattr(torch, "compile")``, ``getattr(torch, "svd", other)``."""

from __future__ import annotations

import ast

from rewriters.infer.values import Ref
from rewriters.report import GOES_ON, Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rewrite.tensor_questions import TensorQuestions
from rewriters.rules.given_values import is_none
from rewriters.rules.holes import hole
from rewriters.rules.refusal import Refusal
from rewriters.rules.rulebook import Rule, dotted
from rewriters.text.tree import walk
from rewriters.torch.table import canonical, entry, is_module


class Questions(Rewriting):
    """Rewrites them; ``Probes`` attempts to use what may be lacking."""

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        self.of_tensors = TensorQuestions(tools)

    def visit_question(self, node: ast.Call) -> bool:
        """Whether the call has been rewritten; what it asks for may have been found to stay as it is."""
        asked = self.asked_for_a_name(node)
        if not asked:
            return self.without(node) or self.of_tensors.asks(node)
        if self.is_called_so(asked):
            self.draft.tested.add(node.args[0])
            return False
        # As in torch: code behind the other answer may keep other buffers.
        self.draft.record(node, asked, Outcome.INLINED, "converted, though not under this name")
        self.names.count_load(node.args[0])
        self.draft.replace(node, self.asked_here(node, asked))
        return True

    def compared(self, node: ast.Compare) -> bool:
        """Whether a comparison is such a question, and has been answered."""
        return self.compares(node) or self.listed(node)

    def compares(self, node: ast.Compare) -> bool:
        """``getattr(torch.backends, "mps", None) is not None`` where what is in the module is answered by itself."""
        call = node.left
        if (
            len(node.ops) != 1
            or not isinstance(node.ops[0], (ast.Is, ast.IsNot))
            or is_none(node.comparators[0]) is not True
        ):
            return False
        if not isinstance(call, ast.Call) or len(call.args) != 3 or is_none(call.args[2]) is not True:
            return False
        key = self.name_asked(call, "getattr")
        if not is_module(key) or self.draft.table.mapped(key) is not None or not self.book.answers_below(key):
            return False
        self.names.count_load(call.args[0])
        self.draft.record(node, key, Outcome.INLINED, "converted, though not under this name")
        self.draft.replace(node, str(isinstance(node.ops[0], ast.IsNot)))
        return True

    def listed(self, node: ast.Compare) -> bool:
        """``"silu" in dir(F)``, ``not in``: as ``hasattr(F, "silu")``, where that has an answer."""
        call = node.comparators[0]
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)) or not isinstance(call, ast.Call):
            return False
        name, called = node.left, call.func
        if not isinstance(called, ast.Name) or called.id != "dir" or len(call.args) != 1 or call.keywords:
            return False
        module = value_at(call.args[0])
        if not (isinstance(module, Ref) and is_module(module.name)) or not isinstance(name, ast.Constant):
            return False
        key = canonical(f"{module.name}.{name.value!s}")
        there = self.book.answers(key) and key not in self.book.refusals
        if not there and not self.draft.lacks(key) and not self.is_no_ones(key):
            return False
        if there or not self.draft.lacks(key):
            self.draft.record(node, key, Outcome.INLINED, "as torch answers")
        else:
            reason = self.book.refusals.get(key) or self.draft.no_rule(key)
            self.draft.mark(node, key, f"{reason}: {GOES_ON}")
        self.names.count_load(call.args[0])
        self.draft.replace(node, str(there == isinstance(node.ops[0], ast.In)))
        return True

    def without(self, node: ast.Call) -> bool:
        """With no such name here the program's own way is taken."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if len(node.args) != {"hasattr": 2, "getattr": 3}.get(name) or node.keywords:
            return False
        module, wanted = value_at(node.args[0]), node.args[1]
        if not (isinstance(module, Ref) and is_module(module.name) and isinstance(wanted, ast.Constant)):
            return False
        key = canonical(f"{module.name}.{wanted.value!s}")
        lacked = not self.draft.lacks(key)
        if lacked and not self.is_no_ones(key):
            return False
        text = "False"
        if name == "getattr":
            with self.source.collect() as inner:
                self.walk.visit(node.args[2])
            try:
                text = self.placing.fitted(node, hole(self.placing.argument(node.args[2], 0, inner)))
            except Refusal:  # in an f-string that has no quotes left
                return False
        if lacked:
            self.draft.record(node, key, Outcome.INLINED, "torch has no such name either")
        else:
            reason = self.book.refusals.get(key) or self.draft.no_rule(key)
            self.draft.mark(node, key, f"{reason}: {GOES_ON}")
        self.names.count_load(node.args[0])
        self.draft.replace(node, text)
        return True

    def is_no_ones(self, key: str) -> bool:
        """Whether torch itself has no such public name, as ``torch.npu``, and the target no module to be asked."""
        asked = bool(self.target.imports) and not is_module(key) and entry(key) is None
        return asked and not any(part.startswith("_") for part in key.split("."))

    def asked_for_a_name(self, node: ast.Call) -> str:
        """The canonical name in ``hasattr(F, "scaled_dot_product_attention")``, if it is converted; else ""."""
        key = self.name_asked(node, "hasattr") if len(node.args) == 2 else ""
        if is_module(key) and (self.draft.table.mapped(key) is not None or self.book.answers_below(key)):
            return key
        return key if self.book.answers(key) and key not in self.book.refusals else ""

    def name_asked(self, node: ast.Call, function: str) -> str:
        """The canonical name of torch's that a call of the function asks for, "" where it is no such call."""
        if not isinstance(node.func, ast.Name) or node.func.id != function or node.keywords:
            return ""
        module, name = value_at(node.args[0]), node.args[1]
        if not isinstance(module, Ref) or not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
            return ""
        return canonical(f"{module.name}.{name.value}")

    def is_called_so(self, key: str) -> bool:
        """Whether the target has the name itself, in the module that takes torch's module's place."""
        if self.target.imports:
            return False
        name = self.names.map_name(key)
        parts = (part for rule in self.book.rules.get(key, ()) for part in walk(rule.node))
        return key in self.book.same or self.book.aliases.get(key) == name or any(dotted(p) == name for p in parts)

    def asked_here(self, node: ast.Call, key: str) -> str:
        """``hasattr(paddle.jit, "to_static")`` where one call of the target's is what the name becomes; else "True"."""
        rules = self.book.rules.get(key, [])
        name = self.book.aliases.get(key) or (called_by(rules[0], self.target.package) if len(rules) == 1 else "")
        module, _, last = name.rpartition(".")
        if not module:
            return "True"
        quote = self.source.text(node.args[1])[-1]
        with self.draft.within(style=self.names.binding_of(node.args[0])):
            return f"hasattr({self.draft.spell(module)}, {quote}{last}{quote})"


def called_by(rule: Rule, package: str) -> str:
    """The target's function that a rule is a call of, "" where it is more, or calls what is the rule file's."""
    body = [part for part in rule.node.body if not isinstance(getattr(part, "value", None), ast.Constant)]
    value = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    name = (dotted(value.func) or "") if isinstance(value, ast.Call) else ""
    return name if name.partition(".")[0] == package else ""
