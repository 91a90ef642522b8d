"""``type(m).__name__``, ``function.__name__``: the target's are called otherwise, where the program may tell."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache

from rewriters.rewrite.torch_class import made_classes
from rewriters.rules.rulebook import Rulebook
from rewriters.text.tree import Nodes, Parents
from rewriters.torch.table import entry

NAMES = {"__name__", "__qualname__"}
METHODS: Mapping[str, Callable[[str, str], object]] = {
    "find": str.find,
    "rfind": str.rfind,
    "startswith": str.startswith,
    "endswith": str.endswith,
    "count": str.count,
    "__contains__": str.__contains__,
}


OTHERWISE = {"torch.nn.functional.logsigmoid": "log_sigmoid", "torch.nn.functional.threshold": "_threshold"}
PREFIXED = ("torch.special.", "torch.linalg.", "torch.fft.")


def name_of_function(key: str) -> str:
    """What a function of torch's has as its ``__name__``."""
    if key.startswith(PREFIXED):
        return "_".join(key.split(".")[1:])
    return OTHERWISE.get(key, key.rpartition(".")[2])


def is_function(name: str) -> bool:
    return (entry(name) or {}).get("kind") == "function"


@cache
def torch_names(book: Rulebook) -> Mapping[str, str]:
    """Names of the target's classes, and of those emitted for it -> torch's, where they are others and sure."""
    found: dict[str, set[str]] = {}
    usual: dict[str, str] = {}
    for key in sorted({*book.rules, *book.aliases}):
        name = key.partition(":")[0]
        known = entry(name)
        if not known or known["kind"] != "class" or not key.startswith(("torch.nn.", "torch.optim.")):
            continue
        torchs = name.rpartition(".")[2]
        for index, (made, _) in enumerate(made_classes(book, key)):
            short = made.rpartition(".")[2]
            found.setdefault(short, set()).add(torchs)
            if index == 0 and ":" not in key and not torchs.startswith("_"):
                usual.setdefault(short, torchs)
    single = {short: next(iter(torchs)) for short, torchs in found.items() if len(torchs) == 1}
    same = {name.rpartition(".")[2] for name in {*book.rules, *book.same}}
    return {own: name for own, name in sorted({**single, **usual}.items()) if own != name and own not in same}


def of_a_class(node: ast.expr) -> ast.expr | None:
    """The ``m`` of ``type(m)`` or ``m.__class__``."""
    if isinstance(node, ast.Attribute):
        return node.value if node.attr == "__class__" else None
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"
    return node.args[0] if isinstance(node, ast.Call) and called and len(node.args) == 1 else None


def asks(nodes: Nodes) -> dict[ast.AST, list[tuple[str, str]] | None]:
    """What is asked of each ``type(m).__name__``, as (method, text); None where it may be anything."""
    wanted = [n for n in nodes.of(ast.Attribute) if n.attr in NAMES and of_a_class(n.value) is not None]
    if not wanted:
        return {}
    parents = nodes.parents
    found: dict[ast.AST, list[tuple[str, str]] | None] = {}
    for node in wanted:
        parent = parents.get(node)
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
            name = parent.targets[0].id
            reads = [n for n in nodes.of(ast.Name) if n.id == name and isinstance(n.ctx, ast.Load)]
            each = [asked(read, parents) for read in reads]
        else:
            each = [asked(node, parents)]
        found[node] = None if None in each else [question for group in each for question in group or ()]
    return found


def asked(node: ast.expr, parents: Parents) -> list[tuple[str, str]] | None:
    """What is asked of a name, where its use is one of those that are understood."""
    parent = parents.get(node)
    if isinstance(parent, ast.Compare) and len(parent.ops) == 1:
        op, left, right = parent.ops[0], parent.left, parent.comparators[0]
        other = right if node is left else left
        texts = [getattr(part, "value", None) for part in getattr(other, "elts", [other])]
        if not texts or not all(isinstance(text, str) for text in texts):
            return None
        if isinstance(op, (ast.Eq, ast.NotEq)) or (isinstance(op, (ast.In, ast.NotIn)) and hasattr(other, "elts")):
            return [("==", str(text)) for text in texts]
        if isinstance(op, (ast.In, ast.NotIn)) and node is right:
            return [("__contains__", str(text)) for text in texts]
        return None
    call = parents.get(parent) if isinstance(parent, ast.Attribute) else None
    if isinstance(parent, ast.Attribute) and isinstance(call, ast.Call) and call.func is parent:
        given = getattr(call.args[0], "value", None) if len(call.args) == 1 and not call.keywords else None
        if parent.attr in METHODS and isinstance(given, str):
            found = parent.attr in {"find", "rfind"} and is_whether(parents.get(call))
            return [("__contains__" if found else parent.attr, given)]
    return None


def is_whether(node: ast.AST | None) -> bool:
    """Whether a position is only compared with -1, or with 0 from above: found or not."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return False
    limit = ast.unparse(node.comparators[0])
    unequal = (ast.NotEq, ast.Eq, ast.Gt, ast.LtE)
    return isinstance(node.ops[0], unequal if limit == "-1" else (ast.GtE, ast.Lt)) and limit in {"-1", "0"}


def is_the_same(question: tuple[str, str], names: Mapping[str, str]) -> bool:
    """Whether the answer is the same for the target's names as for torch's."""
    method, text = question
    if method == "==":
        return all((own == text) == (torch == text) for own, torch in names.items())
    ask = METHODS[method]
    return all(ask(own, text) == ask(torch, text) for own, torch in names.items())


TORCH_NAME = "torch_name"
TEXT = '''
def torch_name(kind, *default):
    """What a class or a function is called: torch's name, where it is one of the framework's."""
    names = {NAMES}
    own = getattr(kind, "__name__", *default)
    where = getattr(kind, "__module__", None) or ""
    if where != __name__ and where.partition(".")[0] not in {PACKAGES}:
        return own
    return names.get(own, own if isinstance(kind, type) else own.lstrip("_"))
'''


def torch_name_text(book: Rulebook, packages: frozenset[str], functions: Mapping[str, str]) -> str:
    """The helper that the output calls. functions: those that the helper module has -> torch's names."""
    named = {**torch_names(book), **{own: name for own, name in functions.items() if own != name}}
    rows = "".join(f'\n        "{own}": "{torch}",' for own, torch in sorted(named.items()))
    shown = ", ".join(f'"{package}"' for package in sorted(packages))
    text = TEXT.replace("{NAMES}", f"{{{rows}\n    }}").replace("{PACKAGES}", f"{{{shown}}}")
    return text.strip("\n")
