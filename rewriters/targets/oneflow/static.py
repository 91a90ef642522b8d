"""What ``--static`` writes for OneFlow: an nn.Graph for each training step, inference graphs where models are called
without gradients; ``graphs.py`` is the module that the output imports for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from rewriters.hooks import plans_graphs
from rewriters.infer import Project
from rewriters.infer.values import ClassInfo, Items, Method, ModuleInfo, Ref, Series, Tensor
from rewriters.regions import hazards
from rewriters.regions.emit import Member, rename, under_no_grad
from rewriters.regions.loops import backwards, called, understand
from rewriters.regions.plan import Draft, Plan, lines_of, remove, replace, whole_lines
from rewriters.regions.renaming import free
from rewriters.regions.step import NotUnderstood, Parents, Step
from rewriters.regions.tracing import classes_in, is_module, path_of, traced, value_of
from rewriters.regions.used_names import bound, instance_of, is_a, is_data, read
from rewriters.report import Outcome
from rewriters.text.source_text import Source

SCHEDULES = {
    f"torch.optim.lr_scheduler.{name}"
    for name in ("CosineAnnealingLR", "ExponentialLR", "MultiStepLR", "StepLR", "ConstantLR", "LinearLR")
}
"""Schedulers that OneFlow's graphs compute by themselves, and as torch's (see test_graphs.py)."""

OPTIMIZERS = {"torch.optim.SGD", "torch.optim.Adam", "torch.optim.AdamW", "torch.optim.Adagrad", "torch.optim.RMSprop"}


@plans_graphs
def plan(project: Project, modules: Iterable[ModuleInfo]) -> dict[ModuleInfo, Plan]:
    """What to do with each file of a component."""
    return Planner(list(modules)).run()


class Planner:
    """Finds training steps, models and inference calls of all files together."""

    def __init__(self, modules: list[ModuleInfo]) -> None:
        self.modules = modules
        self.plans = {module: Plan() for module in modules}
        self.parents = {module: Parents(module) for module in modules}
        self.known: dict[ClassInfo, str] = {}  # a model's class -> why no graph holds it, "" where one does
        self.calls = [(module, node) for module in modules for node in module.nodes.of(ast.Call)]

    def run(self) -> dict[ModuleInfo, Plan]:
        steps: list[tuple[ModuleInfo, ast.Expr, Step]] = []
        eager = False
        for module in self.modules:
            for statement in backwards(module):
                try:
                    step = understand(statement, module, self.parents[module])
                    self.check(step)
                    steps.append((module, statement, step))
                except NotUnderstood as reason:
                    self.plans[module].mark(statement, f"stays eager: {reason}")
                    eager = True
        handled = {id(node) for _, _, step in steps for gone in step.gone for node in ast.walk(gone)}
        for module, statement, step in steps:
            other = self.eager_step(step, handled) if eager else ""
            if other:
                self.plans[module].mark(statement, f"stays eager: {other}, perhaps with the same optimizer")
                continue
            Training(module, step, self.plans[module], self.watched(step)).plan()
        for info in called(self.modules):
            self.reason(info)
        for module, node in self.calls:
            self.inference(module, node)
            if steps:
                self.state(module, node)
        return self.plans

    # -- training -----------------------------------------------------------------------------------------------

    def check(self, step: Step) -> None:
        """What OneFlow's graphs can do. Raises NotUnderstood."""
        optimizer = instance_of(step.optimizer_node)
        if optimizer not in OPTIMIZERS:
            raise NotUnderstood(f"{optimizer or step.optimizer} is not known to train alike in a graph of OneFlow")
        schedule = instance_of(step.scheduler_node)
        if step.schedule is not None and schedule not in SCHEDULES:
            raise NotUnderstood(
                f"{schedule or step.scheduler} has no form in a graph of OneFlow, which has "
                f"{', '.join(sorted(name.rpartition('.')[2] for name in SCHEDULES))}; or step it once in an epoch"
            )
        if step.schedule is not None and self.rates_set():
            raise NotUnderstood("the learning rate is set by hand too (param_groups), which a graph's schedule ignores")
        for path, node in step.member_nodes.items():
            for info in classes_in(value_of(node)):
                reason = self.reason(info)
                if reason:
                    raise NotUnderstood(f"`{path}` runs code that no graph holds: {reason}")
        if step.clip is not None:
            self.check_clip(step, optimizer)

    def check_clip(self, step: Step, optimizer: str) -> None:
        assert step.clip is not None
        call = step.clip
        name = getattr(value_of(call.func), "name", "")
        if name not in ("torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad.clip_grad_norm_"):
            raise NotUnderstood(f"`{hazards.short(call)}`: a graph of OneFlow clips the norm alone")
        words = {word.arg for word in call.keywords}
        if len(call.args) > 3 or not words <= {"max_norm", "norm_type"}:
            raise NotUnderstood(f"`{hazards.short(call)}`: a graph takes max_norm and norm_type")
        made = [
            node
            for _, node in self.calls
            if isinstance(value_of(node.func), Ref) and is_a(getattr(value_of(node.func), "name", ""), optimizer)
        ]
        if not made or not all(node.args and one_group(node.args[0]) for node in made):
            raise NotUnderstood("a graph of OneFlow clips each group of parameters by itself, and there are several")
        names = {name for node in [*call.args[1:], *(word.value for word in call.keywords)] for name in read(node)}
        if step.loop is not None and names & bound(step.loop):
            raise NotUnderstood(f"`{hazards.short(call)}`: the norm to clip to changes; in a graph it is a constant")

    def rates_set(self) -> bool:
        """Whether something of the project stores to an optimizer's groups."""
        for module in self.modules:
            stores = [node for node in module.nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Store)]
            groups = [node for node in module.nodes.of(ast.For) if "param_groups" in ast.unparse(node.iter)]
            if any("param_groups" in ast.unparse(node) for node in stores):
                return True
            if any(node in stores for loop in groups for node in ast.walk(loop)):
                return True
        return False

    def watched(self, step: Step) -> bool:
        """Whether the rate that a scheduler set, or its state, is looked at somewhere."""
        for _module, node in self.calls:
            value = value_of(node.func)
            name = value.name if isinstance(value, Method) else ""
            if name.startswith("torch.optim.lr_scheduler.") and name.rpartition(".")[2] not in ("step", "__init__"):
                return True
        return any(
            node.attr in ("param_groups", "last_epoch", "_last_lr")
            for module in self.modules
            for node in module.nodes.of(ast.Attribute)
        )

    def eager_step(self, step: Step, handled: set[int]) -> str:
        """Where an optimizer that may be the same steps outside of graphs, ""."""
        own = instance_of(step.optimizer_node)
        for module, node in self.calls:
            value = value_of(node.func)
            if not isinstance(node.func, ast.Attribute) or node.func.attr != "step" or id(node) in handled:
                continue
            name = instance_of(node.func.value)
            known = isinstance(value, Method) and value.name.startswith("torch.optim.")
            if known and "lr_scheduler" not in getattr(value, "name", "") and (is_a(name, own) or is_a(own, name)):
                return f"{module.path}:{node.lineno} steps outside of a graph"
        return ""

    # -- models -------------------------------------------------------------------------------------------------

    def reason(self, info: ClassInfo) -> str:
        """Why no graph holds a model of this class, with file:line; "" where one does. Marked once."""
        if info in self.known:
            return self.known[info]
        self.known[info] = found = ""
        for function in traced(info):
            for hazard in hazards.in_function(function):
                if function.module in self.plans:
                    self.plans[function.module].mark(hazard.statement, f"no graph holds this: {hazard.reason}")
                found = found or f"{function.module.path}:{hazard.statement.lineno}: {hazard.reason}"
        self.known[info] = found
        return found

    def inference(self, module: ModuleInfo, node: ast.Call) -> None:
        """``model(x)`` without gradients, outside of models: its graph is called."""
        value = value_of(node.func)
        infos = [info for info in classes_in(value) if info.is_module]
        if not infos or not is_module(value) or path_of(node.func) is None:
            return
        around = self.parents[module].around(node)
        classes = [part for part in around if isinstance(part, ast.ClassDef)]
        if not under_no_grad(around) or any(owner is info.node for info in self.classes() for owner in classes):
            return
        plan = self.plans[module]
        statement = next(part for part in around if isinstance(part, ast.stmt))
        reasons = [reason for reason in map(self.reason, infos) if reason]
        if reasons:
            plan.mark(statement, f"stays eager: the model runs code that no graph holds: {reasons[0]}")
            return
        given = [*node.args, *(word.value for word in node.keywords)]
        other = next((part for part in given if not (is_data(value_of(part)) or is_none(part))), None)
        if other is not None or any(word.arg is None for word in node.keywords):
            what = hazards.short(other) if other is not None else "**"
            plan.mark(
                statement, f"stays eager: a graph takes tensors, and `{what}` is not known to be one; annotate it"
            )
            return
        plan.site(node, Outcome.STATIC, "inference graph")
        plan.uses.add("inference_graph")
        plan.wraps[node.func] = "inference_graph(", ")"

    def classes(self) -> list[ClassInfo]:
        """The project's Modules."""
        values = [value for module in self.modules for value in module.scope.values()]
        return [info for value in values for info in classes_in(value) if info.is_module]

    def state(self, module: ModuleInfo, node: ast.Call) -> None:
        """``optimizer.state_dict()`` and its way back: what a checkpoint holds is in the graph."""
        value = value_of(node.func)
        name = value.name if isinstance(value, Method) else ""
        if not name.startswith("torch.optim.") or "lr_scheduler" in name or not isinstance(node.func, ast.Attribute):
            return
        functions = {"state_dict": "training_state", "load_state_dict": "load_training_state"}
        function = functions.get(name.rpartition(".")[2])
        if function is None or instance_of(node.func.value) not in OPTIMIZERS:
            return
        plan = self.plans[module]
        plan.uses.add(function)
        plan.site(node, Outcome.STATIC, f"{function}: the state is in the graph")
        plan.calls[node] = function


class Training:
    """Writes the graph of one training step and its call."""

    def __init__(self, module: ModuleInfo, step: Step, plan: Plan, watched: bool) -> None:
        self.module, self.step, self.plan_, self.watched = module, step, plan, watched

    def plan(self) -> None:
        self.plan_.site(self.step.backward, Outcome.STATIC, f"training graph of {', '.join(self.step.members)}")
        self.plan_.uses |= {"configure", "train_step"}
        self.plan_.edits.append(self.edit)

    def edit(self, draft: Draft) -> None:
        step, source = self.step, draft.source
        removed = [*step.inside, step.backward, *step.gone]
        if step.schedule is not None and not self.watched:
            removed.append(step.schedule)
        spans = {statement: whole_lines(source, statement) for statement in removed}
        marked = [line for line in draft.above for s in removed if s.lineno <= line <= (s.end_lineno or s.lineno)]
        if None in spans.values() or marked:
            why = "it holds what has no equivalent" if marked else "several statements share a line"
            self.plan_.mark(step.backward, f"stays eager: {why}")
            return
        names = {node.id for node in self.module.nodes.of(ast.Name)} | set(self.module.scope)
        taken = self.plan_.names
        graph = free("TrainGraph", names | taken)
        taken.add(graph)
        local = free("train_graph", names)
        indent = source.indentation(step.inside[-1].lineno)
        parts = [graph, f"[{', '.join(step.members)}]", step.optimizer, *self.more(source)]
        made = f"{local} = train_step({', '.join(parts)})"
        call = f"{', '.join(step.outputs)} = {local}({', '.join(step.inputs)})"
        text = self.text(draft, graph, spans)
        newline = source.newline
        place = spans[step.inside[-1]]
        assert place is not None
        remove(source, [span for statement, span in spans.items() if span and statement is not step.inside[-1]])
        roots = {path.partition(".")[0] for path in (*step.members, step.optimizer, step.scheduler)}
        outside = step.loop is not None and not roots & bound(step.loop)
        before = "" if outside else f"{indent}{made}{newline}"
        replace(source, place, f"{before}{indent}{call}{newline}")
        first = (getattr(step.top, "decorator_list", None) or [step.top])[0]
        line = first.lineno
        while line > 1 and source.original(source.line_start(line - 1), source.line_start(line)).startswith("#"):
            line -= 1
        at = source.line_start(line)
        source.edit(at, at, text.replace("\n", newline))
        if outside:  # behind the class, where the loop is the file's
            assert step.loop is not None
            at = source.line_start(step.loop.lineno)
            source.edit(at, at, f"{source.indentation(step.loop.lineno)}{made}{newline}")
        if step.schedule is not None and self.watched:
            note = "# the graph has the same schedule; this one keeps the rate that is printed and saved"
            draft.above.setdefault(step.schedule.lineno, {})[note] = note

    def more(self, source: Source) -> list[str]:
        found = [self.step.scheduler] if self.step.schedule is not None else []
        if self.step.clip is not None:
            call = self.step.clip
            given = dict(zip(("max_norm", "norm_type"), call.args[1:], strict=False))
            given |= {word.arg or "": word.value for word in call.keywords}
            found += [f"{name}={source.text(node, source.edits)}" for name, node in given.items()]
        return found

    def text(self, draft: Draft, graph: str, spans: dict[ast.stmt, Any]) -> str:
        """The class of the graph."""
        step, source = self.step, draft.source
        members = [Member(path, name) for path, name in step.members.items()]
        body: list[str] = []
        for statement in step.inside:
            body += rename("\n".join(lines_of(source, spans[statement])), members).split("\n")
        update = sorted([*step.gone, step.backward], key=lambda statement: statement.lineno)
        comments = [line for part in update for line in lines_of(source, spans[part]) if line.startswith("#")]
        body += [*comments, f"{step.loss}.backward()"]
        body.append(f"return {', '.join(step.outputs)}")
        parameters = ", ".join(["self", *step.members.values(), "optimizer", "scheduler=None"])
        lines = [
            f"class {graph}({draft.spell('oneflow.nn.Graph')}):",
            '    """One step of training as a static graph: forward, loss, backward, update."""',
            "",
            f"    def __init__({parameters}):",
            "        super().__init__()",
            *(f"        self.{name} = {name}" for name in step.members.values()),
            "        self.add_optimizer(optimizer, lr_sch=scheduler)",
            "        configure(self)",
            "",
            f"    def build({', '.join(['self', *step.inputs])}):",
            *(f"        {line}" if line else "" for line in body),
        ]
        return "\n".join(lines) + "\n\n\n"


def one_group(node: ast.expr) -> bool:
    """Whether an optimizer's first argument is known to be parameters, not groups of them."""
    value = value_of(node)
    if isinstance(value, Items):
        return all(isinstance(item, Tensor) for item in value.values)
    return isinstance(value, Series) and isinstance(value.element, Tensor)


def is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
