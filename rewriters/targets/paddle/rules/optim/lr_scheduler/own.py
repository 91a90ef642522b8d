"""torch.optim.lr_scheduler: what a program's own schedules derive from, with torch's interface.

Paddle's schedules are made before the optimizer and give one number, torch's are made of the optimizer and give the
rate of each of its groups. What is asked of schedules in general lies in optim/groups.py.
"""

import paddle

from rewriters.rule import rule, same
from rewriters.targets.paddle.rules.optim.groups import param_groups


@rule("torch.optim.lr_scheduler.LRScheduler:base", "torch.optim.lr_scheduler._LRScheduler:base")
class Schedule(paddle.optimizer.lr.LRScheduler):
    """torch's: ``get_lr`` gives the rate of each of the optimizer's groups at the step ``last_epoch``."""

    def __init__(self, optimizer, last_epoch=-1, verbose=False):
        self.optimizer, self.last_epoch, self._step_count = optimizer, last_epoch, 0
        groups = param_groups(optimizer)
        for group in groups:
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError("param 'initial_lr' is not specified when resuming an optimizer")
        self.base_lrs = [group["initial_lr"] for group in groups]
        self.step()

    @property
    def last_lr(self):
        """What Paddle asks its schedules for."""
        return self._last_lr[0]

    def step(self, epoch=None):
        self._step_count += 1
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        closed = epoch is not None and hasattr(self, "_get_closed_form_lr")
        rates = self._get_closed_form_lr() if closed else self.get_lr()
        groups = param_groups(self.optimizer)
        for group, rate in zip(groups, rates, strict=False):
            group["lr"] = rate
        self._last_lr = [group["lr"] for group in groups]

    def get_last_lr(self):
        return self._last_lr

    def state_dict(self):
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)


same(
    "torch.optim.lr_scheduler.LRScheduler.get_last_lr:own",
    "torch.optim.lr_scheduler.LRScheduler.get_lr:own",
    "torch.optim.lr_scheduler.LRScheduler.load_state_dict:own",
    "torch.optim.lr_scheduler.LRScheduler.base_lrs:own",
)
