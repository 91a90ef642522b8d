"""Methods of what may be a tensor."""

import framework

from rewriters.rule import rule


@rule("torch.Tensor:unknown")
def method(receiver, name, function):
    # Of a tensor the method is torch's; of anything else, its own.
    if isinstance(receiver, framework.Tensor):
        return lambda *args, **kwargs: function(receiver, *args, **kwargs)
    return getattr(receiver, name)
