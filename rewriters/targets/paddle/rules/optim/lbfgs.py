"""torch.optim: LBFGS."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.optim.LBFGS)
def LBFGS(
    params,
    lr=1,
    max_iter=20,
    max_eval=None,
    tolerance_grad=1e-7,
    tolerance_change=1e-9,
    history_size=100,
    line_search_fn=None,
):
    return paddle.optimizer.LBFGS(
        learning_rate=lr,
        max_iter=max_iter,
        max_eval=max_eval,
        tolerance_grad=tolerance_grad,
        tolerance_change=tolerance_change,
        history_size=history_size,
        line_search_fn=line_search_fn,
        parameters=params,
    )


@rule(torch.optim.LBFGS.step)
def lbfgs_step(self, closure):
    return self.step(closure)
