"""torch.utils.hooks: what a hook's handle is asked for."""

from rewriters.rule import same

same("torch.utils.hooks.RemovableHandle.remove")
