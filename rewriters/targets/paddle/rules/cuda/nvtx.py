"""torch.cuda.nvtx."""

import paddle
import torch

from rewriters.rule import becomes, rule

becomes(torch.cuda.nvtx.range_push, paddle.cuda.nvtx.range_push)
becomes(torch.cuda.nvtx.range_pop, paddle.cuda.nvtx.range_pop)


@rule(torch.cuda.nvtx.mark)
def nvtx_mark(msg):
    # a range without length
    paddle.cuda.nvtx.range_push(msg)
    paddle.cuda.nvtx.range_pop()


@rule(torch.cuda.nvtx.range)
class nvtx_range:
    """A part of the program with a name in the profile."""

    def __init__(self, msg, *args, **kwargs):
        self.msg = msg.format(*args, **kwargs)

    def __enter__(self):
        paddle.cuda.nvtx.range_push(self.msg)

    def __exit__(self, *failure):
        paddle.cuda.nvtx.range_pop()
