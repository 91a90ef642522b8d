"""Uses left alone because their receiver is not known: what they would do of a tensor, and what would decide."""

from __future__ import annotations

import ast
import json
from collections.abc import Collection
from functools import cache
from pathlib import Path
from string import ascii_letters

from rewriters.infer.origins import Origin
from rewriters.report import Risk
from rewriters.rewrite.unknown_methods import forms_of, silent
from rewriters.text.tree import Nodes
from rewriters.torch.overloads import meant
from rewriters.torch.table import entry

ANNOTATIONS = {
    "tensor": "torch.Tensor",
    "tensors": "list[torch.Tensor]",
    "tensor-dict": "dict[str, torch.Tensor]",
}

# Parameters that take an axis.
AXES = {"dim", "start_dim", "end_dim", "dim0", "dim1"}

# The form of a store to an attribute in ``alike.json``.
SET = "set"
LETTERS = frozenset(ascii_letters)


@cache
def alike(folder: Path) -> dict[str, list[str]]:
    """Method -> forms of its calls that were tried and gave what torch gives (``alike.json``); "" is an attribute
    that is read, "set" one that is stored to."""
    path = folder / "records" / "alike.json"
    loaded: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return loaded


def risk_of(node: ast.Attribute, nodes: Nodes, folder: Path, stored: bool) -> Risk:
    """What the use would do if its receiver were a tensor.

    stored: whether the target has a rule for what is stored under the name.
    """
    name, known = node.attr, silent(folder).get(node.attr, [])
    if not isinstance(node.ctx, ast.Load):
        if SET in alike(folder).get(name, ()) or ("!*" in known and takes_any_attribute(folder)):
            return Risk.SAME
        return Risk.RAISES if f"!{SET}" in known else Risk.DIFFERS if stored else Risk.UNTRIED
    if "!*" in known:
        return Risk.RAISES
    around = nodes.parents.get(node)
    if not isinstance(around, ast.Call) or around.func is not node:
        if (entry(f"torch.Tensor.{name}") or {}).get("kind") == "property":
            return of_forms({""}, known, alike(folder).get(name, []))
        return Risk.DIFFERS if any(not form.startswith("!") for form in known) else Risk.UNTRIED
    even = alike(folder).get(name, [])
    if any(isinstance(part, ast.Starred) for part in around.args) or any(word.arg is None for word in around.keywords):
        # Without names, it is a call of a form that has none.
        possible = [form for form in known if around.keywords or not set(form) & LETTERS]
        if any(not form.startswith("!") for form in possible):
            return Risk.DIFFERS
        # So many sizes, or axes: of each number that was tried.
        alike_so = not around.keywords and not possible and {"1", "2", "3", "4"} <= set(even)
        return Risk.SAME if alike_so else Risk.UNTRIED
    forms = forms_of(name, around.args, around.keywords)
    if takes_tensors(around, name):
        forms = {form for form in forms if "@" in form} or {" ".join([str(len(around.args)), "@"])}
    if isinstance(nodes.parents.get(around), ast.Expr):  # what it gives is not looked at
        even = [*even, *(form[1:] for form in known if form.startswith("="))]
        known = [form for form in known if not form.startswith("=")]
    if names_an_axis(around, name) or has_axes(node.value):  # and those differ that have none
        even = [*even, *(form[1:] for form in known if form.startswith("."))]
        known = [form for form in known if not form.startswith(".")]
    tried = {form.lstrip("=.!") for form in (*known, *even)}
    # An argument of which nothing is known may be a tensor where torch has taken one.
    return of_forms(forms & tried or forms, known, even)


def takes_any_attribute(folder: Path) -> bool:
    """Whether an object may be stored to a tensor of the target's under a name that it has nothing under."""
    return any(SET in forms for forms in alike(folder).values())


def names_an_axis(call: ast.Call, name: str) -> bool:
    """Whether a call says by a number that there are more axes than one, or an axis behind the first."""
    given = [(meant(f"torch.Tensor.{name}", place), part) for place, part in enumerate(call.args)]
    named = [*((bool(found) and all(one.name in AXES for one in found), part) for found, part in given)]
    named += [(word.arg in AXES, word.value) for word in call.keywords]
    return any(is_axis and literal(part) not in {None, 0, -1} for is_axis, part in named)


def has_axes(node: ast.expr) -> bool:
    """Whether it has one, if it is a tensor: ``x[:, i]`` has one for each colon."""
    if not isinstance(node, ast.Subscript):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return any(isinstance(part, ast.Slice) for part in parts)


def takes_tensors(call: ast.Call, name: str) -> bool:
    """Whether a call gives one argument, where torch's method takes a tensor and nothing else."""
    found = meant(f"torch.Tensor.{name}", 0) if len(call.args) == 1 and not call.keywords else []
    return bool(found) and all(one.types == {"Tensor"} for one in found)


def literal(node: ast.expr) -> int | None:
    """A number that is written out."""
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    part = node.operand if isinstance(node, ast.UnaryOp) and negative else node
    value = part.value if isinstance(part, ast.Constant) else None
    return None if not isinstance(value, int) or isinstance(value, bool) else -value if negative else value


def of_forms(forms: Collection[str], known: Collection[str], even: Collection[str]) -> Risk:
    """The worst that one of the forms does."""
    silently = {form.lstrip("=.") for form in known if not form.startswith("!")}
    if not silently.isdisjoint(forms):
        return Risk.DIFFERS
    answered = {form for form in forms if form in even or f"!{form}" in known}
    if len(answered) < len(forms):
        return Risk.UNTRIED
    return Risk.SAME if all(form in even for form in forms) else Risk.RAISES


def mend_of(origin: Origin | None, text: str, name: str) -> str:
    """What a person may do so that the use is decided."""
    if origin is None:
        return f"what {text} is does not follow"
    place = f" ({origin.path}:{origin.line})" if origin.line else ""
    short = origin.name.rpartition(":")[2]
    called = short.endswith("()") and origin.what != "result of a function"
    of_modules = name in (entry("torch.nn.Module") or {}).get("methods", {}) and origin.kind == "tensor"
    kinds = ["module", "tensor"] if of_modules and not called else [origin.kind]
    asked = " or ".join(f"--assume '{kind}:{origin.name}'" for kind in kinds)
    said = "torch.nn.Module or torch.Tensor, whichever it is" if len(kinds) > 1 else ANNOTATIONS[origin.kind]
    if called or origin.what in {"library", "result of a library"}:
        return f"{short}{place} decides: {asked}"
    if origin.what == "result of a function":
        return f"{short}{place} decides: annotate what it returns, `-> {said}`, or {asked}"
    what = "" if origin.what == "variable" else f"the {origin.what} "
    return f"{what}{short}{place} decides: annotate it as {said}, or {asked}"
