"""Which gradients are taken of what other functions have computed (``handed``): where ``derived`` does not find that in
the function itself, and where a caller computes one of its parameters from another."""

from __future__ import annotations

import ast

from rewriters.infer.syntax import all_arguments
from rewriters.infer.values import ModuleInfo
from rewriters.regions.gradients.derived import WORDS, Derivative, Understood, given_to
from rewriters.regions.gradients.handed import Handed
from rewriters.regions.gradients.names import names_of
from rewriters.regions.gradients.reads import is_parameter
from rewriters.regions.plan import Plan
from rewriters.text.tree import FUNCTIONS


def handed_on(modules: list[ModuleInfo]) -> Handed:
    """The gradients that are taken of what other functions have computed."""
    found, begun = Handed(modules), set[ast.Call]()
    grads: dict[ModuleInfo, list[tuple[ast.Call, ast.expr, ast.expr]]] = {}
    local: list[Derivative] = []
    for module in modules:
        understood, failed = Understood(module, Plan()).understand()
        local += understood
        for call in [*(one.call for one in understood), *failed]:
            given = given_to(call) if call not in failed or "starred" not in failed[call] else {}
            plain = {"outputs", "inputs"} <= set(given) <= {*WORDS, "materialize_grads"}
            if plain and not is_stored(given["inputs"], modules):
                grads.setdefault(module, []).append((call, given["outputs"], given["inputs"]))
                begun |= {call} & failed.keys()
    if grads:
        found.look()
    begun |= {one.call for one in local if meets(one, found)}
    if begun:
        found.find(grads, begun)
    return found


def is_stored(inputs: ast.expr, modules: list[ModuleInfo]) -> bool:
    """Whether gradients are taken with respect to what other code has stored in an object, as hooks do."""
    parts = inputs.elts if isinstance(inputs, (ast.List, ast.Tuple)) else [inputs]
    names = {one.attr for one in parts if isinstance(one, ast.Attribute) and not is_parameter(one)}
    homes = [
        module.nodes.around(node, *FUNCTIONS)
        for module in (modules if names else ())
        for node in module.nodes.of(ast.Attribute)
        if node.attr in names and isinstance(node.ctx, ast.Store)
    ]
    return any(getattr(home, "name", "") != "__init__" for home in homes)


def meets(one: Derivative, handed: Handed) -> bool:
    """Whether outputs are computed from what a caller computes from the inputs, too."""
    home = one.home
    if not isinstance(home, FUNCTIONS):
        return False
    own = {argument.arg for argument in all_arguments(home.args)}
    others = names_of(*one.inside, one.final).reads & own - set(one.inputs)
    return any(handed.meet(home, name, other) for name in one.inputs if name in own for other in sorted(others))
