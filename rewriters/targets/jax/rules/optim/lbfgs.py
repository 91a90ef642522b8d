"""L-BFGS, which calls a closure several times in each step: gradients lie at the parameters."""

import types

import jax.numpy as jnp
import torch

from rewriters.rule import rule, same
from rewriters.targets.jax.rules.laid_gradients import gradient_at
from rewriters.targets.jax.rules.optim.optimizer import Optimizer

same("torch.optim.LBFGS.step")


@rule(torch.optim.LBFGS)
class LBFGS(Optimizer):
    """torch's: a two-loop recursion over the last directions, with fixed steps or a search by the strong Wolfe
    conditions. What is kept in between lies as the parameters are laid out here.
    """

    def __init__(
        self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9, history_size=100,
        line_search_fn=None,
    ):  # fmt: skip
        options = {
            "lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change, "history_size": history_size,
            "line_search_fn": line_search_fn,
        }  # fmt: skip
        super().__init__(params, options)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self.memory = types.SimpleNamespace(state={})

    def kept(self):
        return {0: dict(self.memory.state)} if self.memory.state else {}

    def load_state_dict(self, state_dict):
        super().load_state_dict({**state_dict, "state": {}})
        self.memory.state = dict(state_dict["state"].get(0, {}))

    def values(self):
        return [param[...] for param in self.param_groups[0].params]

    def gradient(self):
        """All gradients in one vector, zeros where there is none."""
        found = [(param, gradient_at(param)) for param in self.param_groups[0].params]
        return jnp.concatenate([jnp.ravel(jnp.zeros_like(p[...]) if grad is None else grad) for p, grad in found])

    def move(self, values, size, direction):
        """Have the parameters be what they were, and a step of a size from there."""
        place = 0
        for param, value in zip(self.param_groups[0].params, values, strict=True):
            part = direction[place : place + value.size].reshape(value.shape)
            place += value.size
            param[...] = (value + size * part).astype(value.dtype)

    def evaluate(self, closure, values, size, direction):
        self.move(values, size, direction)
        loss = float(closure())
        gradient = self.gradient()
        self.move(values, 0.0, direction)
        return loss, gradient

    def direction(self, state, gradient, history):
        """Minus the gradient by the inverse Hessian that the last steps tell."""
        state["n_iter"] += 1
        if state["n_iter"] == 1:
            state.update(d=-gradient, old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return
        change, step = gradient - state["prev_flat_grad"], state["d"] * state["t"]
        both = float(change @ step)
        if both > 1e-10:
            kept = state["old_dirs"], state["old_stps"], state["ro"]
            for items, new in zip(kept, (change, step, 1.0 / both), strict=True):
                if len(items) == history:
                    items.pop(0)
                items.append(new)
            state["H_diag"] = both / float(change @ change)
        found, weights = -gradient, []
        steps = list(zip(state["old_dirs"], state["old_stps"], state["ro"], strict=True))
        for other, own, weight in reversed(steps):
            weights.insert(0, own @ found * weight)
            found = found - weights[0] * other
        found = found * state["H_diag"]
        for (other, own, weight), first in zip(steps, weights, strict=True):
            found = found + own * (first - other @ found * weight)
        state["d"] = found

    def step(self, closure):
        group, state = self.param_groups[0], self.memory.state
        rate, most, calls = group["lr"], int(group["max_iter"]), int(group["max_eval"])
        change, search = group["tolerance_change"], group["line_search_fn"]
        if search not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        first = closure()
        loss, gradient, evaluated = float(first), self.gradient(), 1
        state.update(func_evals=state.get("func_evals", 0) + 1, n_iter=state.get("n_iter", 0))
        if float(jnp.abs(gradient).max()) <= group["tolerance_grad"]:
            return first
        for turn in range(1, most + 1):
            self.direction(state, gradient, int(group["history_size"]))
            state.update(prev_flat_grad=gradient, prev_loss=loss)
            begun = state["n_iter"] == 1
            size = min(1.0, 1.0 / float(jnp.abs(gradient).sum())) * rate if begun else rate
            slope, values = float(gradient @ state["d"]), self.values()
            state["t"] = size
            if slope > -change:
                break
            more = 0
            if search is not None:
                loss, gradient, size, more = strong_wolfe(
                    lambda by: self.evaluate(closure, values, by, state["d"]),  # noqa: B023
                    size, state["d"], (loss, gradient, slope), change, calls - evaluated,
                )  # fmt: skip
            self.move(values, size, state["d"])
            if search is None and turn != most:
                loss, gradient, more = float(closure()), self.gradient(), 1
            evaluated += more
            state.update(t=size, func_evals=state["func_evals"] + more)
            small = float(jnp.abs(gradient).max()) <= group["tolerance_grad"]
            still = float(jnp.abs(state["d"] * size).max()) <= change or abs(loss - state["prev_loss"]) < change
            if evaluated >= calls or small or still:
                break
        return first


def cubic(one, other, low, high):
    """Where a cubic through two points, each (place, value, slope), is least, kept between two places."""
    if one[0] > other[0]:
        one, other = other, one
    (x1, f1, g1), (x2, f2, g2) = one, other
    first = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = first**2 - g1 * g2
    if not square >= 0:
        return (low + high) / 2.0
    root = square**0.5
    return min(max(x2 - (x2 - x1) * ((g2 + root - first) / (g2 - g1 + 2 * root)), low), high)


def strong_wolfe(evaluate, size, direction, begun, change, most):
    """(loss, gradient, size, evaluations) of a step that fulfils the strong Wolfe conditions.

    begun: loss, gradient and slope where the search begins.
    """
    loss, gradient, slope = begun
    low_enough = lambda place, value: value <= loss + 1e-4 * place * slope  # noqa: E731
    point = lambda place, found: (place, found[0], float(found[1] @ direction), found[1])  # noqa: E731
    old, new = (0.0, loss, slope, gradient), point(size, evaluate(size))
    count, turn, bracket, done = 1, 0, None, False
    while turn < most:
        if not low_enough(new[0], new[1]) or (turn > 1 and new[1] >= old[1]):
            bracket = [old, new]
            break
        if abs(new[2]) <= -0.9 * slope:
            bracket, done = [new], True
            break
        if new[2] >= 0:
            bracket = [old, new]
            break
        next_place = cubic(old[:3], new[:3], new[0] + 0.01 * (new[0] - old[0]), new[0] * 10)
        old, new = new, point(next_place, evaluate(next_place))
        count, turn = count + 1, turn + 1
    if bracket is None:
        bracket = [(0.0, loss, slope, gradient), new]
    low = 0 if bracket[0][1] <= bracket[-1][1] else 1
    slow, width = False, float(jnp.abs(direction).max())
    while not done and turn < most:
        if abs(bracket[1][0] - bracket[0][0]) * width < change:
            break
        ends = sorted(one[0] for one in bracket)
        place = cubic(bracket[0][:3], bracket[1][:3], *ends)
        margin = 0.1 * (ends[1] - ends[0])
        near = min(ends[1] - place, place - ends[0]) < margin
        if near and (slow or place >= ends[1] or place <= ends[0]):
            place = ends[1] - margin if abs(place - ends[1]) < abs(place - ends[0]) else ends[0] + margin
            near = False
        slow, new = near, point(place, evaluate(place))
        count, turn = count + 1, turn + 1
        if not low_enough(new[0], new[1]) or new[1] >= bracket[low][1]:
            bracket[1 - low] = new
            low = 0 if bracket[0][1] <= bracket[1][1] else 1
            continue
        done = abs(new[2]) <= -0.9 * slope
        if not done and new[2] * (bracket[1 - low][0] - bracket[low][0]) >= 0:
            bracket[1 - low] = bracket[low]
        bracket[low] = new
    place, value, _, found = bracket[low]
    return value, found, place, count
