"""L-BFGS, which OneFlow lacks: emitted whole into the helper, written after the method's publications."""

import oneflow
import torch

from rewriters.rule import rule


@rule(torch.optim.LBFGS)
class LBFGS(oneflow.optim.Optimizer):
    """Nocedal and Wright's Numerical Optimization, algorithm 7.5; the state has torch's names, beside "step"."""

    def __init__(
        self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9, history_size=100,
        line_search_fn=None,
    ):  # fmt: skip
        super().__init__(
            params,
            {
                "lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
                "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change, "history_size": history_size,
                "line_search_fn": line_search_fn,
            },
        )  # fmt: skip
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        if line_search_fn not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")

    def step(self, closure):
        closure, group, state = oneflow.enable_grad()(closure), self.param_groups[0], self._state
        with oneflow.no_grad():
            first = closure()
            loss, grad = float(first.item()), self.gradient()
            evaluations, searched = 1, group["line_search_fn"] is not None
            for iteration in range(group["max_iter"]):
                if largest(grad) <= group["tolerance_grad"]:
                    break
                state["n_iter"] = state.get("n_iter", 0) + 1
                direction = state["d"] = self.direction(grad, group, state)
                state["prev_flat_grad"], state["prev_loss"], rate = grad, loss, group["lr"]
                if state["n_iter"] == 1:
                    rate = rate * min(1.0, 1.0 / oneflow.sum(oneflow.abs(grad)).item())
                state["t"], slope = rate, inner(grad, direction)
                if slope > -group["tolerance_change"]:
                    break
                count = 0
                if searched:
                    most = group["max_eval"] - evaluations
                    loss, grad, state["t"], count = self.search(closure, direction, rate, loss, grad, slope, most)
                self.move(direction, state["t"])
                if not searched and iteration + 1 < group["max_iter"]:
                    loss, grad, count = float(closure().item()), self.gradient(), 1
                evaluations += count
                still = largest(direction * state["t"]), abs(loss - state["prev_loss"])
                if evaluations >= group["max_eval"] or still[0] <= group["tolerance_change"]:
                    break
                if still[1] < group["tolerance_change"]:
                    break
            state["step"] += 1
            state["func_evals"] = state.get("func_evals", 0) + evaluations
        return first

    def gradient(self):
        """Of all parameters, as a vector."""
        pairs = [(param, param.grad) for param in self.param_groups[0].parameters]
        return oneflow.cat([(oneflow.zeros_like(param) if grad is None else grad).reshape(-1) for param, grad in pairs])

    def move(self, direction, rate):
        start = 0
        for param in self.param_groups[0].parameters:
            count = param.numel()
            param.copy_(param + rate * direction[start : start + count].reshape(*param.shape))
            start += count

    def direction(self, grad, group, state):
        """Down, by the inverse Hessian that the last changes of gradient and parameters speak of (two loops)."""
        if state["n_iter"] == 1:
            state["old_dirs"], state["old_stps"], state["H_diag"] = [], [], 1.0
            return -grad
        bend, moved = grad - state["prev_flat_grad"], state["d"] * state["t"]
        curvature = inner(bend, moved)
        if curvature > 1e-10:
            kept = 1 - group["history_size"]
            state["old_dirs"] = [*(state["old_dirs"][kept:] if kept else []), bend]
            state["old_stps"] = [*(state["old_stps"][kept:] if kept else []), moved]
            state["H_diag"] = curvature / inner(bend, bend)
        pairs, result, factors = list(zip(state["old_dirs"], state["old_stps"])), -grad, []  # noqa: B905
        for bend, moved in reversed(pairs):
            factors.append(inner(moved, result) / inner(bend, moved))
            result = result - factors[-1] * bend
        result = result * state["H_diag"]
        for bend, moved in pairs:
            result = result + moved * (factors.pop() - inner(bend, result) / inner(bend, moved))
        return result

    def search(self, closure, direction, rate, loss, grad, slope, most):
        """A step that fulfils the strong Wolfe conditions (algorithms 3.5 and 3.6), after so many tries at most."""
        values = [param.clone() for param in self.param_groups[0].parameters]

        def point(rate):
            self.move(direction, rate)
            loss, grad = float(closure().item()), self.gradient()
            for param, value in zip(self.param_groups[0].parameters, values):  # noqa: B905
                param.copy_(value)
            return rate, loss, inner(grad, direction), grad

        def too_high(new):
            return new[1] > loss + 1e-4 * new[0] * slope

        def flat(new):
            return abs(new[2]) <= -0.9 * slope

        start = last = (0.0, loss, slope, grad)
        new, tries, ends = point(rate), 0, None
        while tries < most:
            if too_high(new) or (tries > 1 and new[1] >= last[1]):
                ends = [last, new]
            elif flat(new):
                return new[1], new[3], new[0], tries + 1
            elif new[2] >= 0:
                ends = [last, new]
            if ends:
                break
            bounds = new[0] + 0.01 * (new[0] - last[0]), new[0] * 10
            last, new = new, point(lowest(last, new, bounds))
            tries += 1
        ends = sorted(ends or [start, new], key=lambda end: end[1])  # the lower one first
        least, stuck = self.param_groups[0]["tolerance_change"], False
        while tries < most:
            low, high = sorted((ends[0][0], ends[1][0]))
            if (high - low) * largest(direction) < least:
                break
            rate = lowest(*ends, (low, high))
            margin = 0.1 * (high - low)
            near = min(high - rate, rate - low) < margin
            if near and (stuck or not low < rate < high):
                rate = high - margin if high - rate < rate - low else low + margin
                near = False
            stuck, new = near, point(rate)
            tries += 1
            if too_high(new) or new[1] >= ends[0][1]:
                ends = sorted((ends[0], new), key=lambda end: end[1])
                continue
            if flat(new):
                ends[0] = new
                break
            ends = [new, ends[0] if new[2] * (ends[1][0] - ends[0][0]) >= 0 else ends[1]]
        return ends[0][1], ends[0][3], ends[0][0], tries + 1


def inner(one, other):
    return oneflow.sum(one * other).item()


def largest(vector):
    return oneflow.max(oneflow.abs(vector)).item()


def lowest(one, other, bounds):
    """Where the cubic through two points (place, value, slope) is lowest, within the bounds."""
    (x1, f1, g1, *_), (x2, f2, g2, *_) = (one, other) if one[0] <= other[0] else (other, one)
    middle = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = middle * middle - g1 * g2
    if square < 0 or g2 - g1 + 2 * square**0.5 == 0:
        return (bounds[0] + bounds[1]) / 2
    place = x2 - (x2 - x1) * (g2 + square**0.5 - middle) / (g2 - g1 + 2 * square**0.5)
    return min(max(place, bounds[0]), bounds[1])
