"""Methods of optimizers: steps, gradients, states, groups."""

import math
import weakref

import paddle
import torch

from rewriters.rule import alias, differs, rule, same
from rewriters.targets.paddle.rules.optim.groups import set_state_by_place


@rule(torch.optim.Optimizer.step)
def step(self):
    return self.step()


def step_with(optimizer, closure):
    if closure is None:
        return optimizer.step()
    if isinstance(optimizer, paddle.optimizer.LBFGS) or getattr(optimizer, "has_torchs_groups", False):
        return optimizer.step(closure)
    loss = closure()
    optimizer.step()
    return loss


@rule(torch.optim.Optimizer.step)
def step(self, closure=None):
    return step_with(self, closure)


@rule("torch.optim.Optimizer:rate")
def rate(lr):
    """A rate that is a whole number, which Paddle's optimizers refuse."""
    return float(lr)


@rule("torch.optim.Optimizer.param_groups[][lr]")
def group_lr(self):
    return self.get_lr()


@rule(torch.optim.Adafactor)
class Adafactor(paddle.optimizer.Optimizer):
    """Second moments as an outer product of what rows and columns have."""

    def __init__(
        self,
        params,
        lr=1e-2,
        beta2_decay=-0.8,
        eps=(None, 1e-3),
        d=1.0,
        weight_decay=0.0,
        *,
        foreach=None,
        maximize=False,
    ):
        super().__init__(learning_rate=lr, parameters=params)
        self.beta2_decay, self.eps, self.d, self.decay = beta2_decay, eps, d, weight_decay
        self.sign = -1 if maximize else 1

    def _create_accumulators(self, block, parameters):
        for parameter in parameters:
            shape = parameter.shape
            self._add_accumulator("step", parameter, shape=[1])
            if parameter.ndim > 1:
                self._add_accumulator("row_var", parameter, shape=[*shape[:-1], 1])
                self._add_accumulator("col_var", parameter, shape=[*shape[:-2], 1, shape[-1]])
            else:
                self._add_accumulator("variance", parameter)

    def _append_optimize_op(self, block, param_and_grad):
        parameter, gradient = param_and_grad[0], self.sign * param_and_grad[1]
        counter = self._get_accumulator("step", parameter)
        counter.add_(paddle.ones_like(counter))
        step, lr = counter.item(), self.get_lr()
        eps1 = paddle.finfo(parameter.dtype).eps if self.eps[0] is None else self.eps[0]
        size = math.sqrt(parameter.size)
        alpha = max(self.eps[1], parameter.norm().item() / size) * min(lr, 1 / math.sqrt(step))
        share = step**self.beta2_decay
        if parameter.ndim > 1:
            row = self._get_accumulator("row_var", parameter)
            column = self._get_accumulator("col_var", parameter)
            squares = gradient * gradient
            row.set_value(row + (squares.mean(axis=-1, keepdim=True) - row) * share)
            column.set_value(column + (squares.mean(axis=-2, keepdim=True) - column) * share)
            estimate = row @ column / row.mean(axis=-2, keepdim=True).clip(min=eps1)
        else:
            estimate = self._get_accumulator("variance", parameter)
            estimate.set_value(estimate + (gradient * gradient - estimate) * share)
        update = gradient * estimate.clip(min=eps1 * eps1).rsqrt()
        clipping = max(1.0, update.norm().item() / (size * self.d))
        parameter.set_value(parameter * (1 - lr * self.decay) - alpha / clipping * update)


@rule(torch.optim.Muon)
class Muon(paddle.optimizer.Optimizer):
    """Momentum made orthogonal by Newton-Schulz iterations in bfloat16; for matrices alone."""

    def __init__(
        self,
        params,
        lr=1e-3,
        weight_decay=0.1,
        momentum=0.95,
        nesterov=True,
        ns_coefficients=(3.4445, -4.775, 2.0315),
        eps=1e-7,
        ns_steps=5,
        adjust_lr_fn=None,
    ):
        super().__init__(learning_rate=lr, parameters=params)
        self.decay, self.momentum, self.nesterov, self.adjust_lr_fn = weight_decay, momentum, nesterov, adjust_lr_fn
        self.ns_coefficients, self.ns_steps, self.eps = ns_coefficients, ns_steps, eps

    def _create_accumulators(self, block, parameters):
        for parameter in parameters:
            if parameter.ndim != 2:
                raise ValueError(f"Muon takes matrices, not {parameter.name} of shape {parameter.shape}")
            self._add_accumulator("momentum_buffer", parameter)

    def _append_optimize_op(self, block, param_and_grad):
        parameter, gradient = param_and_grad
        buffer = self._get_accumulator("momentum_buffer", parameter)
        buffer.set_value(paddle.lerp(buffer, gradient, 1 - self.momentum))
        update = paddle.lerp(gradient, buffer, self.momentum) if self.nesterov else buffer
        # Paddle keeps a Linear's weight transposed, and names parameters after their layer.
        rows, columns = parameter.shape[::-1] if "linear" in parameter.name else parameter.shape
        if self.adjust_lr_fn in (None, "original"):
            factor = math.sqrt(max(1, rows / columns))
        else:  # match_rms_adamw
            factor = 0.2 * math.sqrt(max(rows, columns))
        lr = self.get_lr()
        kept = parameter * (1 - lr * self.decay)
        parameter.set_value(kept - lr * factor * self.orthogonal(update))

    def orthogonal(self, matrix):
        """The nearest orthogonal matrix, roughly: each product is rounded to bfloat16."""
        a, b, c = self.ns_coefficients
        wide = matrix.shape[0] <= matrix.shape[1]
        x = in_bfloat16(matrix if wide else matrix.T)
        x = in_bfloat16(x / in_bfloat16(x.norm()).clip(min=self.eps))
        for _ in range(self.ns_steps):
            gram = in_bfloat16(x @ x.T)
            x = in_bfloat16(a * x + in_bfloat16(b * gram + c * (gram @ gram)) @ x)
        return x if wide else x.T


def in_bfloat16(value):
    """Rounded; Paddle multiplies no matrices of bfloat16 on CPUs."""
    return value.astype("bfloat16").astype("float32")


alias(torch.optim.Optimizer, "paddle.optimizer.Optimizer")


same("torch.optim.Optimizer.state_dict", "torch.optim.Optimizer.zero_grad")


def tell_of_sharing(optimizer, state):
    """Say so where another optimizer was given the same tensors before, by ``load_state_dict``, and is still there."""
    inner = state.get("state", state)
    parts = [part for held in inner.values() for part in (held.values() if isinstance(held, dict) else [held])]
    tensors = [part for part in parts if isinstance(part, paddle.Tensor)]
    optimizer = getattr(optimizer, "__self__", optimizer)  # super() is asked as well
    before = [tensor.loaded_by() for tensor in tensors if hasattr(tensor, "loaded_by")]
    for tensor in tensors:
        tensor.loaded_by = weakref.ref(optimizer)
    if any(other not in (None, optimizer) for other in before):
        differs("torch's optimizers share what one state holds, here each has its own; load copy.deepcopy(state_dict)")


# Told at run time alone: nearly all programs load a state once.
@rule(torch.optim.Optimizer.load_state_dict)
def load_optimizer(self, state_dict):
    tell_of_sharing(self, state_dict)
    return set_state_by_place(self, state_dict)
