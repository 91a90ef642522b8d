"""torch.nn.utils: parameters as one vector, and back."""

import oneflow
import torch

from rewriters.rule import note, rule


@rule(torch.nn.utils.parameters_to_vector)
def parameters_to_vector(parameters):
    return oneflow.cat([parameter.reshape(-1) for parameter in parameters])


@rule(torch.nn.utils.vector_to_parameters)
def vector_to_parameters(vec, parameters):
    start = 0
    for parameter in parameters:
        count = parameter.numel()
        parameter.data = oneflow.narrow(vec, 0, start, count).reshape(parameter.shape).clone()
        start += count


note(
    torch.nn.utils.vector_to_parameters,
    "torch's parameters share the vector's memory afterwards, here they are copies: change the parameters themselves",
)
