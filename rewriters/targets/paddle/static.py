"""What ``--static`` writes for Paddle: ``@paddle.jit.to_static`` on the forward of each model that is called.

Control flow that depends on a tensor's values becomes part of the program, and code that a program cannot hold runs
between two programs. What only an exported program (``paddle.jit.save``) would freeze is marked.
"""

from __future__ import annotations

from collections.abc import Iterable

from rewriters.hooks import plans_graphs
from rewriters.infer import Project
from rewriters.infer.values import ClassInfo, FunctionInfo, ModuleInfo
from rewriters.regions import hazards
from rewriters.regions.loops import called
from rewriters.regions.plan import Draft, Plan
from rewriters.regions.tracing import traced
from rewriters.report import Outcome


@plans_graphs
def plan(project: Project, modules: Iterable[ModuleInfo]) -> dict[ModuleInfo, Plan]:
    """What to do with each file of a component."""
    modules = list(modules)
    plans = {module: Plan() for module in modules}
    for info in called(modules):
        forward = next((f for f in map(own_forward, info.linear()) if f is not None), None)
        if forward is None or forward.module not in plans:
            continue
        target = plans[forward.module]
        if any(isinstance(site.detail, str) and site.line == forward.node.lineno for site in target.sites):
            continue  # two models share it
        target.site(forward.node, Outcome.STATIC, f"{info.node.name}.forward is a static program")
        target.edits.append(Decorate(forward))
        for function in traced(info):
            for hazard in hazards.in_function(function):
                if hazard.kind in ("state", "random") and function.module in plans:
                    reason = f"paddle.jit.save keeps what this is at export: {hazard.reason}"
                    plans[function.module].mark(hazard.statement, reason)
    return plans


def own_forward(owner: ClassInfo | str) -> FunctionInfo | None:
    """The forward that a class itself defines."""
    return owner.functions.get("forward") if isinstance(owner, ClassInfo) else None


class Decorate:
    """Puts the decorator above a forward."""

    def __init__(self, function: FunctionInfo) -> None:
        self.node = function.node

    def __call__(self, draft: Draft) -> None:
        source = draft.source
        at = source.line_start(self.node.lineno)
        decorator = draft.spell("paddle.jit.to_static")
        source.edit(at, at, f"{source.indentation(self.node.lineno)}@{decorator}{source.newline}")
