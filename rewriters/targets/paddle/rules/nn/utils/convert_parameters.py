"""torch.nn.utils: parameters as one vector, and back."""

import torch

from rewriters.rule import note, same

same("torch.nn.utils.parameters_to_vector", "torch.nn.utils.vector_to_parameters")
note(
    torch.nn.utils.vector_to_parameters,
    "torch's parameters share the vector's memory afterwards, here they are copies: change the parameters themselves",
)
