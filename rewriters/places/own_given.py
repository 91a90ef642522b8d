"""Functions of the project that give what they are given, in one of torch and the target: ``return x.view_as(x)``.

What gives it there is noted where a caller makes the one of the two another tensor and the other is read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from rewriters.infer.values import FunctionInfo, FunctionOf, ModuleInfo
from rewriters.places.flow import Flow
from rewriters.places.given_out import Known
from rewriters.places.own_objects import alike, gives_itself, may_be_all
from rewriters.places.reached import reaches
from rewriters.places.sites import Site


def handed_itself(flow: Flow, names: frozenset[str], shape: bool = False) -> frozenset[str]:
    """Parameters that a function's result may be, by what gives what it is of; "" for what is not known.

    names: torch's of what may give that. shape: it is about what has its shape in common with that.
    """
    memory = flow.memory
    if not names:
        return frozenset()
    own = {site: name for name, site in memory.own.items()}
    found = {own.get(of, "") for site in given_back(flow, names) for of in alike(flow.changes, site, names)}
    for _, held, by_shape in memory.alike:
        if by_shape == shape:
            found |= {own.get(of, "") for of in held & memory.returned}
    return frozenset(found)


def given_back(flow: Flow, names: frozenset[str]) -> Iterator[Site]:
    """What a function gives that may be what it is of; what it made itself is of no one else."""
    for site in flow.memory.returned:
        found = alike(flow.changes, site, names) if gives_itself(flow.changes, site, names) else ()
        if any(of.outside or of in flow.memory.state.escaped for of in found):
            yield site


def itself_out(places: Known, modules: Iterable[ModuleInfo], names: frozenset[str]) -> dict[ast.AST, set[ast.AST]]:
    """What gives that in functions of the project whose callers make one of the two another tensor, by where it runs.

    names: torch's of what may.
    """
    found: dict[ast.AST, set[ast.AST]] = {}
    if not places.objects:
        return found
    modules = list(modules)
    makers = {module: frozenset(places.events(module).homes(making(module, names))) for module in modules}
    known: dict[ast.AST, bool] = {}
    for module in modules:
        places.thin_out()
        for function, called in places.events(module).called.items():
            if places.may_become_other(function, module) and any(
                reaches(places, info.node, info.module, known, lambda events: makers.get(events.module, ()))
                for info in called
            ):
                for info, node in made_inside(places, places.flow(function).changes.itself, names, set()):
                    found.setdefault(places.events(info.module).home(node), set()).add(node)
    return found


def making(module: ModuleInfo, names: frozenset[str]) -> Iterator[ast.AST]:
    """What in a file may give what it is of, by its looks."""
    called = {name.rpartition(".")[2] for name in names}
    yield from (node for node in module.nodes.of(ast.Attribute) if node.attr in called)
    yield from (node for node in module.nodes.of(ast.Subscript) if may_be_all(node.slice))


def made_inside(
    places: Known, nodes: Iterable[ast.AST], names: frozenset[str], seen: set[FunctionInfo]
) -> Iterator[tuple[FunctionInfo, ast.AST]]:
    """What gives it in the functions that these call, also in functions that those call; with the function."""
    for call in nodes:
        effect = places.effect(call) if isinstance(call, ast.Call) else None
        if isinstance(effect, FunctionOf) and effect.info not in seen:
            seen.add(effect.info)
            flow = places.flow(effect.info.node)
            yield from ((effect.info, site.node) for site in given_back(flow, names) if site.node is not None)
            inner = [node for node, held, _ in flow.memory.alike if not held.isdisjoint(flow.memory.returned)]
            yield from made_inside(places, inner, names, seen)
