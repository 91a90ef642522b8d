"""torch.nn.utils: parameters as one vector, and back."""

from rewriters.rule import same

same("torch.nn.utils.parameters_to_vector", "torch.nn.utils.vector_to_parameters")
