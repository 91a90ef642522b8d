"""All variants: faults first, then rewritings."""

from benchmarks.mutations import gpt_faults, gpt_rewrites, resnet_faults, resnet_rewrites

FAULTS = [*resnet_faults.FAULTS, *gpt_faults.FAULTS]
REWRITES = [*resnet_rewrites.REWRITES, *gpt_rewrites.REWRITES]
VARIANTS = [*FAULTS, *REWRITES]
