"""What ``--static`` writes for JAX: ``jax.lax.cond`` and loops of values, so that what runs in a model may be compiled.

Training steps are compiled without it, where no value decides in them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.hooks import plans_graphs
from rewriters.infer import Project
from rewriters.infer.values import ModuleInfo
from rewriters.regions.control.plan import plan_control
from rewriters.regions.control.words import Chosen, Repeated, Way
from rewriters.regions.gradients.plan import find_training
from rewriters.regions.plan import Draft, Plan
from rewriters.targets.jax.training import planned
from rewriters.text.parsing import expression_of

WIDE = 100  # columns of a line that two lambdas may take


class Words:
    """JAX's."""

    def chosen(self, what: Chosen, draft: Draft) -> list[str]:
        function = draft.spell("flax.nnx.cond" if what.modules else "jax.lax.cond")
        parameters = ", ".join([*what.modules, *what.operands])
        given = [*what.modules.values(), *what.operands]
        bound = {"return": "return ", "": ""}.get(what.results, f"{what.results} = ")
        ways = [as_lambda(parameters, way) for way in (what.one, what.other)]
        short = f"{bound}{function}({', '.join([what.test, *filter(None, ways), *given])})"
        if all(ways) and (len(short) <= WIDE or not bound):
            return [short]
        lines = []
        for name, way in zip(what.names, (what.one, what.other), strict=True):
            lines += [*as_function(name, parameters, way), ""]
        return [*lines, f"{bound}{function}({', '.join([what.test, *what.names, *given])})"]

    def repeated(self, what: Repeated, draft: Draft) -> list[str]:
        carried, start = [*what.modules, *what.carried], [*what.modules.values(), *what.start]
        bound = ", ".join([*("_" for _ in what.modules), *what.bound])
        turn = Way(what.turn.lines, ", ".join([*what.modules, what.turn.final]))
        counter = [what.counter] if what.counter else []
        function = helper("for_loop" if what.counter else "while_loop", draft)
        ways = [] if what.counter else [(what.names[0], unpacked([], carried, Way([], what.test)))]
        ways.append((what.names[1], unpacked(counter, carried, turn)))
        given = start[0] if len(start) == 1 else f"({', '.join(start)})"
        short = [as_lambda(*way) for _, way in ways]
        call = f"{bound} = {function}({', '.join([*what.bounds, *short, given])})"
        if all(short) and len(call) <= WIDE:
            return [call]
        lines = [line for name, way in ways for line in [*as_function(name, *way), ""]]
        return [*lines, f"{bound} = {function}({', '.join([*what.bounds, *(name for name, _ in ways), given])})"]

    def scalar(self, text: str, draft: Draft) -> str:
        return f"{held(text)}.reshape(())"

    def exact(self, text: str, draft: Draft) -> str:
        return f"{held(text)}.astype({draft.spell('jax.numpy.float64')})"

    def both(self, parts: list[str], draft: Draft) -> str:
        return self.joined("jax.numpy.logical_and", parts, draft)

    def either(self, parts: list[str], draft: Draft) -> str:
        return self.joined("jax.numpy.logical_or", parts, draft)

    def joined(self, name: str, parts: list[str], draft: Draft) -> str:
        found = parts[0]
        for part in parts[1:]:
            found = f"{draft.spell(name)}({found}, {part})"
        return found

    def negated(self, text: str, draft: Draft) -> str:
        return f"{draft.spell('jax.numpy.logical_not')}({text})"

    def nonzero(self, text: str, draft: Draft) -> str:
        return f"{held(text)} != 0"


def held(text: str) -> str:
    """An expression of which a method may be called."""
    plain = text.replace("_", "").replace(".", "").isalnum() or (text.endswith(")") and closes(text))
    return text if plain else f"({text})"


def closes(text: str) -> bool:
    """Whether it is a chain of calls and nothing around them."""
    depth = 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if depth == 0 and not (sign.isalnum() or sign in "_.)]"):
            return False
    return True


def as_lambda(parameters: str, way: Way) -> str:
    """A way that is an expression; "" where it is more."""
    if way.lines or not way.final:
        return ""
    final = f"({way.final})" if is_tuple(way.final) else way.final
    return f"lambda {parameters}: {final}" if parameters else f"lambda: {final}"


def is_tuple(text: str) -> bool:
    return isinstance(expression_of(text), ast.Tuple) and not text.startswith("(")


def as_function(name: str, parameters: str, way: Way) -> list[str]:
    lines = [f"    {line}" if line else "" for line in way.lines]
    return [f"def {name}({parameters}):", *lines, *([f"    return {way.final}"] if way.final else [])]


def unpacked(counter: list[str], carried: list[str], way: Way) -> tuple[str, Way]:
    """The parameters of a function of what is carried: one thing, or a tuple."""
    if len(carried) == 1:
        return ", ".join([*counter, *carried]), way
    return ", ".join([*counter, "carried"]), Way([f"{', '.join(carried)} = carried", *way.lines], way.final)


def helper(name: str, draft: Draft) -> str:
    """A function of the helper module: what rules/control.py has under this key."""
    return draft.helper_text([draft.book.rules[f"torch.Tensor.__bool__:{name}"][0]])


@plans_graphs
def plan(project: Project, modules: Iterable[ModuleInfo]) -> dict[ModuleInfo, Plan]:
    """What becomes of branches, loops and training steps in each file of a component."""
    modules = list(modules)
    found = find_training(project, modules)
    plans, held_ = plan_control(project, modules, found, Words())
    for module, training in planned(project, modules, found, held_).items():
        plans[module].then(training)
    return plans
