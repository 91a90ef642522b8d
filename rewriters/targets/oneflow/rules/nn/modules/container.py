"""torch.nn.modules: containers."""

from rewriters.rule import same

same(
    "torch.nn.ModuleList",
    "torch.nn.ModuleDict",
    "torch.nn.ParameterList",
    "torch.nn.ParameterDict",
)
