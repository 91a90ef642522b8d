"""torch.cuda.nvtx."""

import paddle
import torch

from rewriters.rule import rule


@rule(torch.cuda.nvtx.mark)
def nvtx_mark(msg):
    # a range without length
    paddle.cuda.nvtx.range_push(msg)
    paddle.cuda.nvtx.range_pop()


@rule(torch.cuda.nvtx.range_push)
def range_push(msg):
    return paddle.cuda.nvtx.range_push(msg)


@rule(torch.cuda.nvtx.range_pop)
def range_pop():
    return paddle.cuda.nvtx.range_pop()


@rule(torch.cuda.nvtx.range)
class nvtx_range:
    """A part of the program with a name in the profile."""

    def __init__(self, msg, *args, **kwargs):
        self.msg = msg.format(*args, **kwargs)

    def __enter__(self):
        paddle.cuda.nvtx.range_push(self.msg)

    def __exit__(self, *failure):
        paddle.cuda.nvtx.range_pop()
