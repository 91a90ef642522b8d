"""torch.nn.modules: what every layer has."""

from rewriters.rule import rule, same

same(
    "torch.nn.Module._buffers",
    "torch.nn.Module._parameters",
    "torch.nn.Module.apply",
    "torch.nn.Module.children",
    "torch.nn.Module.cpu",
    "torch.nn.Module.cuda",
    "torch.nn.Module.eval",
    "torch.nn.Module.extra_repr",
    "torch.nn.Module.float",
    "torch.nn.Module.forward",
    "torch.nn.Module.load_state_dict",
    "torch.nn.Module.named_children",
    "torch.nn.Module.requires_grad_",
    "torch.nn.Module.train",
    "torch.nn.Module.training",
)


@rule("torch.nn.Module:any_rank")
def of_any_rank(self, *args, **kwargs):
    return self(*args, **kwargs)
