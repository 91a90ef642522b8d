"""einops: layers, which it has for each framework."""

from rewriters.rule import same

same("einops.layers.torch.Rearrange", "einops.layers.torch.Reduce", "einops.layers.torch.EinMix")
