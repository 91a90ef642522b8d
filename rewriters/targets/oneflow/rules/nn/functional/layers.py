"""torch.nn.functional: layers."""

from rewriters.rule import same

same("torch.nn.functional.relu")
