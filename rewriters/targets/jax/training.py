"""Training steps: ``nnx.value_and_grad`` of a function of the modules, ``optimizer.update(model, grads)``."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from rewriters.hooks import plans_training
from rewriters.infer import Project
from rewriters.infer.values import ModuleInfo
from rewriters.regions.gradients.hidden import HELD
from rewriters.regions.gradients.leaves import ALL
from rewriters.regions.gradients.plan import Found, plan_training
from rewriters.regions.gradients.words import Carried, Computation, Recording
from rewriters.regions.plan import Draft, Plan
from rewriters.targets.jax.passes import autocast


class Words:
    """Flax NNX's."""

    lays, held, number = True, "[...]", ".item()"

    def computed(self, what: Computation, draft: Draft) -> tuple[list[str], list[str]]:
        spell, step = draft.spell, draft.source.step
        modules, given = list(what.modules), [name for name in what.given if name not in what.modules]
        aux = what.outputs[0] if len(what.outputs) == 1 else f"({', '.join(what.outputs)})"
        inner = [
            f"def {what.function}({', '.join([*modules, *given])}):",
            *(f"{step}{line}" if line else "" for line in what.body),
            f"{step}return {what.final}, {aux}" if what.outputs else f"{step}return {what.final}",
            "",
            *what.notes,
        ]
        words = [f"argnums={argnums(what.trained)}"] if what.trained > 1 else []
        words += ["has_aux=True"] if what.outputs else []
        kind = "value_and_grad_in_place" if what.hidden else "value_and_grad"
        made = f"{helper(kind, draft)}({', '.join([what.function, *words])})"
        loss = what.name or "_"
        found = f"({loss}, {aux})" if what.outputs else loss
        if not what.step:
            arguments = [*(named(path, draft) for path in what.modules.values()), *given]
            return [], [*inner, f"{found}, {what.gradients} = {made}({', '.join(arguments)})"]
        inputs = {name: path for name, path in what.inputs.items() if name not in what.modules}
        parameters = [*modules, *inputs]
        jit = helper("ordered_jit", draft) if what.ordered else spell("flax.nnx.jit")
        if what.fixed:
            jit = f"{spell('functools.partial')}({jit}, static_argnames={tuple(what.fixed)!r})"
        head = [f"@{jit}", f"def {what.step}({', '.join(parameters)}):"]
        inner_call = f"{made}({', '.join([*modules, *given])})"
        outer_call = f"{what.step}({', '.join([*what.modules.values(), *inputs.values()])})"
        gives = [*([what.name] if what.name else []), *what.outputs, *what.left]
        if not what.update:
            gives.append(what.gradients)
        if not what.update and not what.outputs and what.name and what.gradients.isidentifier():
            body = [*inner, f"return {inner_call}"]
        else:
            last = [f"return {', '.join(gives)}"] if gives else []
            body = [*inner, f"{found}, {what.gradients} = {inner_call}", *what.update, *last]
        call = f"{', '.join(gives)} = {outer_call}" if gives else outer_call
        return [*head, *(f"{step}{line}" if line else "" for line in body)], [call]

    def begun(
        self, function: str, modules: dict[str, str], body: list[str], outputs: list[str], backward: str, draft: Draft
    ) -> list[str]:
        found = outputs[0] if len(outputs) == 1 else f"({', '.join(outputs)})"
        given = [named(path, draft) for path in modules.values()]
        made = f"{helper('forward_with_gradients', draft)}({', '.join([function, *given])})"
        return [
            f"def {function}({', '.join(modules)}):",
            *(f"{draft.source.step}{line}" if line else "" for line in body),
            f"{draft.source.step}return {found}",
            "",
            f"{found}, {backward} = {made}",
        ]

    def arrays(self, name: str, draft: Draft) -> str:
        return f"{helper('arrays_of', draft)}({name})"

    def carried(self, what: Carried, draft: Draft) -> list[str]:
        found = what.outputs[0] if len(what.outputs) == 1 else f"({', '.join(what.outputs)})"
        parameters = [*what.inputs, *(f"{name}={name}" for name in what.given)]
        bound = f"{what.value}, {what.backward}{f', {found}' if what.outputs else ''}"
        vjp = helper("ordered_vjp", draft) if what.ordered else draft.spell("jax.vjp")
        vjp = helper("vjp_of_parameters", draft) if what.module else vjp
        made = f"{vjp}({', '.join([what.function, *what.arguments])}"
        return [
            f"def {what.function}({', '.join(parameters)}):",
            *(f"{draft.source.step}{line}" if line else "" for line in what.body),
            f"{draft.source.step}return {what.final}{f', {found}' if what.outputs else ''}",
            "",
            f"{bound} = {made}{', has_aux=True' if what.outputs else ''})",
        ]

    def recorded(self, what: Recording, draft: Draft) -> list[str]:
        function, bound = what.function, f"{', '.join(what.bound)} = " if what.bound else ""
        lines: list[str] = []
        if what.body:
            parameters = [*what.inputs, *(f"{name}={name}" for name in what.given)]
            lines = [
                f"def {what.function}({', '.join(parameters)}):",
                *(f"{draft.source.step}{line}" if line else "" for line in what.body),
                f"{draft.source.step}return {', '.join(what.results)}",
                "",
            ]
        else:
            result = what.results[0] if len(what.results) == 1 else f"({', '.join(what.results)})"
            function = f"lambda {', '.join(what.inputs)}: {result}"
        given = [named(path, draft) for path in what.inputs.values()]
        return [
            *lines,
            f"{bound}{helper('recorded', draft)}({', '.join([function, *given])})",
        ]

    def backward(self, loss: str, draft: Draft) -> str:
        return f"{helper('backward', draft)}({loss})"

    def traced(self, value: str, given: dict[str, str], bound: list[str], modules: list[str], draft: Draft) -> str:
        parameters = [*given, *(f"{name}={name}" for name in bound)]
        names = f" {', '.join(parameters)}" if parameters else ""
        of = [f"of=({', '.join(modules)}{',' if len(modules) == 1 else ''})"] if modules else []
        function = f"lambda{names}: {value}"
        return f"{helper('traced', draft)}({', '.join([function, *given.values(), *of])})"

    def gradients_of(self, given: dict[str, str], draft: Draft) -> str:
        words = [
            f"{name}={given[name]}" for name in ("create_graph", "allow_unused", "materialize_grads") if name in given
        ]
        by = [] if given.get("grad_outputs", "None") == "None" else [given["grad_outputs"]]
        return f"{helper('gradients_of', draft)}({', '.join([given['outputs'], given['inputs'], *by, *words])})"

    def pulled(self, backward: str, by: str, value: str, constant: bool, plain: bool, draft: Draft) -> str:
        ones = draft.spell("jax.numpy.ones_like")
        found = f"{backward}({by or f'{ones}({value})'})"
        found = found if plain else f"{helper('each_gradient', draft)}({found})"
        return f"{draft.spell('jax.lax.stop_gradient')}({found})" if constant else found

    def added(self, gradients: str, more: str, draft: Draft) -> str:
        return f"{gradients} = {helper('add_gradients', draft)}({gradients}, {more})"

    def cleared(self, gradients: str, draft: Draft) -> str:
        return f"{gradients} = None"

    def clipped(self, gradients: str, kind: str, name: str, arguments: str, draft: Draft) -> str:
        function = helper(f"clip_gradient_{kind}", draft)
        found = f"{gradients}, {name or '_'}" if kind == "norm" else gradients
        return f"{found} = {function}({', '.join(filter(None, [gradients, arguments]))})"

    def unscaled(self, scaler: str, optimizer: str, gradients: str, draft: Draft) -> str:
        return f"{gradients} = {scaler}.unscale({optimizer}, {gradients})"

    def updated(self, optimizer: str, modules: str, gradients: str, scaler: str, draft: Draft) -> str:
        if scaler:
            return f"{scaler}.step({optimizer}, {modules}, {gradients})"
        return f"{optimizer}.update({modules}, {gradients})"

    def constant(self, expression: str, sure: bool, draft: Draft) -> str:
        return f"{draft.spell('jax.lax.stop_gradient') if sure else helper('constant', draft)}({expression})"

    def same_gradient(self, before: str, name: str, draft: Draft) -> str:
        return f"{helper('same_gradient', draft)}({before}, {name})"

    def constant_in(self, mode: str, expression: str, draft: Draft) -> str:
        return f"{helper('constant_in', draft)}({mode}, {expression})"

    def constant_changes(self, objects: list[str], draft: Draft) -> str:
        return f"{helper('constant_changes', draft)}({', '.join(objects)})"

    def read(self, parameter: str, modules: str, gradients: str, draft: Draft) -> str:
        if not modules:
            return f"{helper('gradient_at', draft)}({parameter})"
        return f"{helper('gradient_of', draft)}({parameter}, {modules}, {gradients})"

    def changed(self, parameter: str, modules: str, gradients: str, value: str, draft: Draft) -> str:
        if not modules:
            return f"{helper('lay_gradient', draft)}({parameter}, {value})"
        return f"{gradients} = {helper('with_gradient', draft)}({parameter}, {modules}, {gradients}, {value})"

    def stored(self, array: str, index: str, value: str) -> str:
        return f"{array}.at[{index}].set({value})"

    def laid(self, modules: str, gradients: str, draft: Draft) -> str:
        return f"{helper('lay_gradients', draft)}({named(modules, draft)}, {gradients})"

    def cleared_at(self, owner: str, draft: Draft) -> str:
        return f"{helper('clear_gradients', draft)}({owner})"

    def clipped_at(self, kind: str, arguments: str, draft: Draft) -> str:
        return f"{helper(f'clip_laid_{kind}', draft)}({arguments})"


def named(path: str, draft: Draft) -> str:
    """Paths of modules, in which those of all tensors that are trained by themselves, and of what lists and dicts hold,
    are what the helper gives."""
    path = path.replace(ALL, f"{helper('leaves', draft)}()")
    return path.replace(HELD, f"{helper('modules_in', draft)}(") if HELD in path else path


def argnums(count: int) -> str:
    return f"({', '.join(map(str, range(count)))})"


def helper(name: str, draft: Draft) -> str:
    """A function of the helper module: what rules/gradients.py has under this key."""
    return draft.helper_text([draft.book.rules[f"torch.Tensor.grad:{name}"][0]])


@plans_training
def plan(project: Project, modules: Iterable[ModuleInfo]) -> dict[ModuleInfo, Plan]:
    """What becomes of the training steps of each file of a component."""
    return planned(project, list(modules))


def planned(
    project: Project, modules: list[ModuleInfo], found: Found | None = None, held: Collection[ast.AST] = ()
) -> dict[ModuleInfo, Plan]:
    """The same; found, held: as of ``plan_training``."""
    plans = plan_training(project, modules, Words(), found, held)
    if autocast.is_used(project):
        for module in modules:
            plans.setdefault(module, Plan(of="TRAINING")).given |= autocast.given(module)
    return plans
