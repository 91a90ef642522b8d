"""Optimizers that Paddle lacks or computes otherwise, as classes on its Optimizer: emitted whole into the helper.

Groups of parameters, schedulers, gradient clipping and ``state_dict`` are Paddle's own; the updates are written after
torch's documentation.
"""

import math

import paddle
import torch

from rewriters.rule import rule


@rule(torch.optim.ASGD)
class ASGD(paddle.optimizer.Optimizer):
    """Averages the parameters; Paddle's ASGD averages gradients. The averages are the accumulators "ax"."""

    def __init__(
        self,
        params,
        lr=1e-2,
        lambd=1e-4,
        alpha=0.75,
        t0=1e6,
        weight_decay=0,
        foreach=None,
        maximize=False,
        differentiable=False,
        capturable=False,
    ):
        super().__init__(learning_rate=lr, parameters=params)
        self.lambd, self.alpha, self.t0, self.decay = lambd, alpha, t0, weight_decay
        self.sign = -1 if maximize else 1

    def _create_accumulators(self, block, parameters):
        for parameter in parameters:
            self._add_accumulator("step", parameter, shape=[1])
            self._add_accumulator("eta", parameter, shape=[1], fill_value=self.get_lr())
            self._add_accumulator("mu", parameter, shape=[1], fill_value=1.0)
            self._add_accumulator("ax", parameter)

    def _append_optimize_op(self, block, param_and_grad):
        parameter, gradient = param_and_grad
        step, eta, mu, ax = (self._get_accumulator(name, parameter) for name in ("step", "eta", "mu", "ax"))
        step.add_(paddle.ones_like(step))
        gradient = self.sign * gradient + self.decay * parameter
        parameter.set_value(parameter * (1 - self.lambd * eta) - eta * gradient)
        ax.set_value(ax + (parameter - ax) * mu)
        lr = self.get_lr()
        eta.fill_(lr / (1 + self.lambd * lr * step.item()) ** self.alpha)
        mu.fill_(1 / max(1.0, step.item() - self.t0))


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


@rule(torch.optim.SparseAdam)
class SparseAdam(paddle.optimizer.Optimizer):
    """Updates the rows that a sparse gradient (``Embedding(sparse=True)``) has, and their moments alone."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        super().__init__(learning_rate=lr, parameters=params)
        self.betas, self.eps, self.sign = betas, eps, -1 if maximize else 1

    def _create_accumulators(self, block, parameters):
        for parameter in parameters:
            self._add_accumulator("step", parameter, shape=[1])
            self._add_accumulator("exp_avg", parameter)
            self._add_accumulator("exp_avg_sq", parameter)

    def _append_optimize_op(self, block, param_and_grad):
        parameter, gradient = param_and_grad
        if not gradient.is_selected_rows():
            raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")
        gradient = paddle._C_ops.merge_selected_rows(gradient)
        rows = paddle.to_tensor(gradient.rows())
        gradient = self.sign * gradient._get_tensor_from_selected_rows()
        counter, mean, square = (self._get_accumulator(name, parameter) for name in ("step", "exp_avg", "exp_avg_sq"))
        counter.add_(paddle.ones_like(counter))
        step, (beta1, beta2) = counter.item(), self.betas
        m = mean[rows] + (gradient - mean[rows]) * (1 - beta1)
        v = square[rows] + (gradient * gradient - square[rows]) * (1 - beta2)
        mean[rows], square[rows] = m, v
        rate = self.get_lr() * math.sqrt(1 - beta2**step) / (1 - beta1**step)
        parameter[rows] = parameter[rows] - rate * m / (v.sqrt() + self.eps)
