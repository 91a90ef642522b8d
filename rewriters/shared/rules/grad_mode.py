"""torch: inference mode, where a target has it as a mode without gradients alone."""

import framework
import torch

from rewriters.rule import note, rule

note(
    torch.is_inference_mode_enabled,
    "Framework has no inference mode beside that without gradients: true within no_grad() too, where torch says false",
)


@rule(torch.is_inference_mode_enabled)
def is_inference_mode_enabled():
    return not framework.is_grad_enabled()
