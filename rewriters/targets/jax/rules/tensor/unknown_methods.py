"""Methods of what may be a tensor."""

import jax
from flax import nnx

from rewriters.rule import rule


@rule("torch.Tensor:unknown")
def method(receiver, name, function):
    # Of an array the method is torch's; of anything else, its own.
    if isinstance(receiver, nnx.Variable):
        receiver = receiver[...]
    if isinstance(receiver, jax.Array):
        return lambda *args, **kwargs: function(receiver, *args, **kwargs)
    return getattr(receiver, name)
