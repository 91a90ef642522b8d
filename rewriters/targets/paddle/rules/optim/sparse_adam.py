"""torch.optim: SparseAdam."""

import math

import paddle
import torch

from rewriters.rule import rule


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
