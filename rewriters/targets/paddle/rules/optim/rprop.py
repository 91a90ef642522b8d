"""torch.optim: Rprop."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.optim.Rprop)
class Rprop(paddle.optimizer.Rprop):
    """Begins with steps as large as the rate is at the first one; Paddle's with the rate that it was made with."""

    def __init__(
        self,
        params,
        lr=1e-2,
        etas=(0.5, 1.2),
        step_sizes=(1e-06, 50),
        *,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        if differentiable:
            raise NotImplementedError("Paddle's steps are in no graph; write the update out")
        if maximize:
            raise NotImplementedError("Paddle's optimizers minimize; negate the loss")
        super().__init__(learning_rate=lr, learning_rate_range=step_sizes, parameters=params, etas=etas)

    def _create_accumulators(self, block, parameters):
        self._initial_learning_rate = self.get_lr()
        super()._create_accumulators(block, parameters)
