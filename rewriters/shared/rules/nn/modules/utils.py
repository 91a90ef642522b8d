"""torch.nn.modules.utils: keys of checkpoints."""

import torch

from rewriters.rule import rule


@rule(torch.nn.modules.utils.consume_prefix_in_state_dict_if_present)
def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    for key in list(state_dict):
        if key.startswith(prefix):
            state_dict[key[len(prefix) :]] = state_dict.pop(key)
