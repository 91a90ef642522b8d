"""torch.optim: ASGD."""

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
        if differentiable:
            raise NotImplementedError("Paddle's steps are in no graph; write the update out")
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
