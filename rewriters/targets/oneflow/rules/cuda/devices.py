"""torch.cuda: devices."""

import oneflow
import torch

from rewriters.rule import alias, becomes, family, rule, same

becomes(torch.cuda.is_initialized, oneflow.cuda.is_available)

same("torch.cuda.is_available", "torch.cuda.empty_cache", "torch.cuda.device_count")


same("torch.cuda.current_device", "torch.cuda.set_device", "torch.cuda.synchronize")


same("torch.cuda.get_device_properties", "torch.cuda.get_device_capability")


same("torch.cuda.get_device_name")


@rule(torch.cuda.init)
def init():
    return None


@rule(torch.cuda.seed, torch.cuda.seed_all)
def cuda_seed():
    oneflow.seed()


# Without a GPU torch ignores these, and OneFlow's end the process.
@family("manual_seed manual_seed_all", "cuda_manual_seed cuda_manual_seed_all")
@rule(torch.cuda.manual_seed)
def cuda_manual_seed(seed):
    return oneflow.cuda.manual_seed(seed) if oneflow.cuda.is_available() else None


alias(torch.cuda.FloatTensor, "oneflow.cuda.FloatTensor")
alias(torch.cuda.DoubleTensor, "oneflow.cuda.DoubleTensor")
alias(torch.cuda.HalfTensor, "oneflow.cuda.HalfTensor")
alias(torch.cuda.IntTensor, "oneflow.cuda.IntTensor")
alias(torch.cuda.LongTensor, "oneflow.cuda.LongTensor")
alias(torch.cuda.CharTensor, "oneflow.cuda.CharTensor")
alias(torch.cuda.ByteTensor, "oneflow.cuda.ByteTensor")
alias(torch.cuda.BoolTensor, "oneflow.cuda.BoolTensor")


@rule(torch.cuda.is_current_stream_capturing)
def is_current_stream_capturing():
    return False  # OneFlow captures no calls
