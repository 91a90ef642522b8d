"""torch.nn.modules: containers."""

from rewriters.rule import same

same(
    "torch.nn.Sequential",
    "torch.nn.ModuleList.append",
    "torch.nn.ModuleList.extend",
    "torch.nn.ModuleList.insert",
    "torch.nn.ModuleDict.keys",
    "torch.nn.ModuleDict.items",
    "torch.nn.ModuleDict.values",
    "torch.nn.ModuleDict.pop",
    "torch.nn.ModuleDict.update",
    "torch.nn.ModuleDict.clear",
    "torch.nn.ParameterList.append",
    "torch.nn.ParameterList.extend",
    "torch.nn.ParameterDict.keys",
    "torch.nn.ParameterDict.items",
    "torch.nn.ParameterDict.values",
    "torch.nn.ParameterDict.pop",
)
