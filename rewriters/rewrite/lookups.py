"""``getattr(nn, name)``: what torch's modules are asked for by a text, as the target has it."""

from __future__ import annotations

import ast
import re

from rewriters.infer.values import Ref
from rewriters.report import Code, Outcome
from rewriters.rewrite.resolving import Callee, value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rewrite.torch_class import stands_for_class
from rewriters.text.tree import FUNCTIONS
from rewriters.torch.table import canonical, entry, is_module, star_names

MOST = 24
DTYPE = "torch.dtype:named"


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
        return None if node.keywords else self.module_named(node.args[0])

    def module_named(self, node: ast.expr) -> str | None:
        """The module of torch's that a dotted name is, or ``getattr(torch, "compiler", None)``."""
        if isinstance(node, ast.Call):
            around = self.looked_into(node)
            name = getattr(node.args[1], "value", None) if around else None
            found = canonical(f"{around}.{name}") if isinstance(name, str) else ""
            return found if is_module(found) else None
        value = value_at(node)
        known = isinstance(value, Ref) and is_module(value.name) and self.names.binding_of(node) is not None
        return value.name if isinstance(value, Ref) and known else None

    def look_up(self, node: ast.Call, module: str) -> bool:
        """Whether it is written as the object itself, or as a table of those that the project names."""
        name = node.args[1]
        given = name.value if isinstance(name, ast.Constant) else None
        if isinstance(given, str):
            key = canonical(f"{module}.{given}")
            if not self.is_converted(key, ("class", "function", "value")):
                return False
            self.names.count_load(root_of(node))
            self.draft.replace(node, self.text_of(node, key))
            return True
        if module == "torch" and len(node.args) == 2 and self.book.rules.get(DTYPE) and self.asks_for_dtype(node):
            self.names.count_load(root_of(node))
            rule = self.book.rules[DTYPE]
            with self.source.collect() as inner:
                self.walk.visit(name)
            self.draft.record(node, DTYPE, Outcome.HELPER, rule[0].where)
            self.draft.replace(node, f"{self.draft.helper_text(rule)}({self.source.text(name, inner)})")
            return True
        names = self.names_of(name, module)
        if not names or len(names) > MOST:
            return False
        self.names.count_load(root_of(node))
        rows = ", ".join(f'"{word}": {self.text_of(node, canonical(f"{module}.{word}"))}' for word in names)
        with self.source.collect() as inner:
            for part in node.args[1:]:
                self.walk.visit(part)
        shown = [self.source.text(part, inner) for part in node.args[1:]]
        if self.is_whole(name, module, names):
            self.draft.record(node, module, Outcome.INLINED, "all that a text of this form names")
        else:
            self.draft.mark(
                node,
                module,
                f"of what is looked up in {module}, only what this project names as a text is converted",
                Code.UNSUPPORTED,
            )
        self.draft.replace(node, f"{{{rows}}}" + (f"[{shown[0]}]" if len(shown) == 1 else f".get({', '.join(shown)})"))
        return True

    def asks_for_dtype(self, node: ast.Call) -> bool:
        """Whether what is looked up is a dtype: ``x.to(getattr(torch, name))``, ``dtype=getattr(torch, name)``."""
        around = self.source.nodes.parents.get(node)
        if isinstance(around, ast.Call) and node in around.args:
            called = around.func.attr if isinstance(around.func, ast.Attribute) else ""
            return called in {"to", "type", "finfo", "iinfo"} or is_dtypes_name(node.args[1])
        if isinstance(around, ast.Assign):
            return is_dtypes_name(node.args[1], *around.targets)
        if isinstance(around, (ast.AnnAssign, ast.AugAssign)):
            return is_dtypes_name(node.args[1], around.target)
        return is_dtypes_name(node.args[1]) or (isinstance(around, ast.keyword) and "dtype" in (around.arg or ""))

    def named_by_text(self, node: ast.Constant) -> None:
        """``"torch.nn.Linear"`` where the program imports by texts: what stands for it here."""
        text = node.value
        if not self.shared.travel.by_text or not isinstance(text, str) or not DOTTED.fullmatch(text):
            return
        key = canonical(text)
        if not isinstance(self.source.nodes.parents.get(node), HOLDING) or not self.is_converted(key):
            return
        rules = self.book.rules.get(key, [])
        if key in self.book.aliases or key in self.book.same:
            found = self.book.aliases.get(key) or self.names.map_name(key)
        elif stands_for_class(key, self.book):
            found = self.names.handed_on(key, rules)[1]
        else:
            found = self.draft.helper_text(rules)
        if found.startswith(f"{self.known.helper}.") and self.known.helper_import.startswith("from ."):
            found = f"{self.known.module.name.partition('.')[0]}.{found}"
        self.draft.record(node, key, Outcome.HELPER, "imported by this text")
        self.draft.replace(node, self.draft.printer.text(ast.Constant(found)))

    def names_of(self, node: ast.expr, module: str) -> list[str]:
        """What a computed name may be: of what the project says as a text, or is put together of such texts."""
        words, patterns = self.shared.travel.words, patterns_of([node, *self.bound_to(node)])
        if not patterns:
            return sorted(word for word in words if self.is_converted(canonical(f"{module}.{word}")))
        every: dict[str, None] = {}
        for pattern in patterns:
            found = {name: match for name in star_names(module) if (match := pattern.fullmatch(name))}
            names = [name for name in found if self.is_converted(canonical(f"{module}.{name}"))]
            said = [name for name in names if all(part.isdigit() or part in words for part in found[name].groups())]
            every |= dict.fromkeys(said or names)
        return list(every)

    def is_whole(self, node: ast.expr, module: str, names: list[str]) -> bool:
        """Whether these are all that the module has under names of such a form."""
        made = self.bound_to(node) if isinstance(node, ast.Name) else [node]
        if isinstance(node, ast.Name) and not self.is_bound_so(node):
            return False
        if not made or any(not pattern_text(one).replace(HOLE, "") for one in made):
            return False
        patterns = patterns_of(made)
        meant = {one for one in star_names(module) if any(pattern.fullmatch(one) for pattern in patterns)}
        return bool(patterns) and meant <= set(names)

    def is_bound_so(self, node: ast.Name) -> bool:
        """Whether a name is a function's own, and bound by assignments alone."""
        nodes = self.source.nodes
        home = nodes.around(node, *FUNCTIONS)
        named = (*nodes.of(ast.Name), *nodes.of(ast.arg))
        same = [one for one in named if getattr(one, "id", getattr(one, "arg", "")) == node.id]
        own = [one for one in same if nodes.around(one, *FUNCTIONS) is home]
        bound = [one for one in own if not isinstance(getattr(one, "ctx", None), ast.Load)]
        return home is not None and all(isinstance(nodes.parents.get(one), ast.Assign) for one in bound)

    def bound_to(self, node: ast.expr) -> list[ast.expr]:
        """What a name is bound to in the same function."""
        if not isinstance(node, ast.Name):
            return []
        nodes = self.source.nodes
        home = nodes.around(node, *FUNCTIONS)
        made = [
            one
            for one in nodes.of(ast.Assign)
            if nodes.around(one, *FUNCTIONS) is home
            and any(getattr(target, "id", "") == node.id for target in one.targets)
        ]
        around = nodes.around(node, ast.stmt)
        block = nodes.parents.get(around) if around is not None else None
        before = [one for one in made if nodes.parents.get(one) is block and one.lineno < node.lineno]
        last = max(before, key=lambda one: one.lineno, default=None)
        others = [one for one in made if last is not None and last.lineno < one.lineno < node.lineno]
        return [one.value for one in ([last] if last is not None and not others else made)]

    def is_converted(self, key: str, kinds: tuple[str, ...] = ("class", "function")) -> bool:
        known = entry(key)
        if known is None or known["kind"] not in kinds or key in self.book.refusals:
            return False
        return self.book.answers(key)

    def text_of(self, node: ast.Call, key: str) -> str:
        callee = Callee(key, None, self.names.binding_of(root_of(node)))
        outcome, text, detail = self.names.value_text(key, callee, as_class=False)
        if outcome == Outcome.MARKED:
            self.draft.mark(node, key, detail)
        else:
            self.draft.record(node, key, outcome, detail)
        return text


def root_of(node: ast.expr) -> ast.expr:
    """What ``getattr`` is called with first, of one within another the inner one's."""
    while isinstance(node, ast.Call):
        node = node.args[0]
    return node


def is_dtypes_name(*nodes: ast.expr) -> bool:
    """Whether one of these is called so: ``args.dtype``, ``config["torch_dtype"]``."""
    words = [getattr(part, "attr", None) or getattr(part, "id", None) for part in nodes]
    words += [getattr(part.slice, "value", None) for part in nodes if isinstance(part, ast.Subscript)]
    return any(isinstance(word, str) and "dtype" in word.lower() for word in words)


def patterns_of(nodes: list[ast.expr]) -> list[re.Pattern[str]]:
    """What texts that are put together look like, ``f"{kind}Norm{dims}d"``; none of those of which nothing is known."""
    texts = (text for text in map(pattern_text, nodes) if text.replace(HOLE, ""))
    return [re.compile(text) for text in dict.fromkeys(texts)]


DOTTED = re.compile(r"torch(\.\w+)+")
HOLDING = (ast.Call, ast.keyword, ast.Dict, ast.List, ast.Tuple, ast.Assign, ast.AnnAssign, ast.arguments, ast.Return)
HOLE = "(.*?)"


def pattern_text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(pattern_text, node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return pattern_text(node.left) + pattern_text(node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return with_holes(node.left, r"%[-+ #0]*[\d.]*[sdi]")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return with_holes(node.func.value, r"\{\w*\}")
    return HOLE


def with_holes(node: ast.expr, places: str) -> str:
    """A text with places that something is put into."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return HOLE
    return HOLE.join(map(re.escape, re.split(places, node.value)))
