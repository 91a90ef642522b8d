"""All variants: faults first, then rewritings."""

from benchmarks.mutations import gpt_faults, gpt_rewrites, resnet_faults, resnet_rewrites

FAULTS = [*gpt_faults.FAULTS, *resnet_faults.FAULTS]
REWRITES = [*gpt_rewrites.REWRITES, *resnet_rewrites.REWRITES]
VARIANTS = [*FAULTS, *REWRITES]
