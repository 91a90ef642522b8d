"""Rules that hand a call on under another name, said without a function, which would only restate parameters.

``becomes(torch.vstack, torch.row_stack, paddle.vstack)``: each of the keys, which come first, becomes the last. The
parameters are those that the table of torch's names has of the first key, in torch's order: handed on by position where
they must be given, by keyword where they have a default. ``dim="axis"`` is torch's ``dim`` under the target's keyword,
``device=None`` what is taken and means nothing to the target, ``dim="/"`` what goes by position all the same. What
belongs to a class of the target (``paddle.Tensor.floor_``) is a method of the first parameter. What can't be said so is
a function under ``@rule``.
"""

from __future__ import annotations

import ast
import re

from rewriters.text.parsing import expression_of
from rewriters.torch.table import canonical, entry

BECOMES = "becomes("
BY_POSITION = "/"
DOTTED = re.compile(r"\w+(?:\.\w+)+")


def rule_of(call: ast.Call) -> str:
    """The text of the rule that the declaration stands for. Raises ValueError."""
    keys = [ast.unparse(argument).replace("'", '"') for argument in call.args]
    target = keys.pop() if keys else ""
    words = {word.arg or "**": getattr(word.value, "value", 0) for word in call.keywords}
    key = keys[0].strip('"') if keys else ""
    if not DOTTED.fullmatch(key) or not DOTTED.fullmatch(target) or not all(map(is_word, words.values())):
        raise ValueError("becomes takes torch's names, last the target's, and words for parameters")
    parameters = parameters_of(key)
    taken = arguments_of(key, parameters)
    names = [parameter.arg for parameter in [*taken.args, *taken.kwonlyargs]]
    if unknown := [name for name in words if name not in names]:
        raise ValueError(f"{key} has no {unknown[0]}")
    words = {**dict.fromkeys(names[: len(taken.args) - len(taken.defaults)], BY_POSITION), **words}
    placed = [name for name in names if words.get(name) == BY_POSITION]
    named = [name for name in names if name not in placed and words.get(name, name) is not None]
    handed = [*placed, *(f"{words.get(name, name)}={name}" for name in named)]
    owner, _, method = target.rpartition(".")
    if owner.rpartition(".")[2][0].isupper():
        target = f"{handed.pop(0)}.{method}"
    head = f"@rule({', '.join(keys)})\ndef {key.rpartition('.')[2]}({', '.join(parameters)}):"
    return f"{head}\n    return {target}({', '.join(handed)})\n"


def is_word(said: object) -> bool:
    return said is None or said == BY_POSITION or (isinstance(said, str) and said.isidentifier())


def parameters_of(key: str) -> list[str]:
    """As rules have them: ``self`` of torch's functions is ``input`` in its documentation. Raises ValueError."""
    known = entry(canonical(key))
    if known is None or known.get("parameters") is None:
        raise ValueError(f"the table of torch's names has no parameters of {key}; write a rule")
    first = "input" if known["kind"] == "function" else "self"
    return [first if one == "self" else one.replace("'", '"') for one in known["parameters"] if one != "out=None"]


def arguments_of(key: str, parameters: list[str]) -> ast.arguments:
    """Raises ValueError."""
    try:
        made = expression_of(f"lambda {', '.join(parameters)}: 0")
    except SyntaxError:
        made = None
    if not isinstance(made, ast.Lambda) or made.args.vararg or made.args.kwarg or made.args.posonlyargs:
        raise ValueError(f"becomes cannot say what {key} takes; write a rule")
    return made.args
