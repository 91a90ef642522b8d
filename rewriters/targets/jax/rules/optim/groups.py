"""What is given to optimizers: groups of parameters, and states of them."""

from flax import nnx

from rewriters.targets.jax.rules.nn.parameter import variable_of


def groups_in(params):
    """The groups that an optimizer is made of, each a dict."""
    params = list(params)
    if not params:
        raise ValueError("optimizer got an empty parameter list")
    return params if isinstance(params[0], dict) else [{"params": params}]


def parameters_in(given):
    """The parameters of a group: of one, of several, of several with names."""
    given = [given] if isinstance(variable_of(given), nnx.Variable) else list(given)
    params = [one[1] if isinstance(one, tuple) else one for one in given]
    for param in params:
        if not isinstance(variable_of(param), nnx.Variable):
            raise TypeError(f"optimizer can only optimize parameters of a model, but one is {type(param).__name__}")
    return params


def check_sizes(groups, given):
    """That a state's groups are as large as the optimizer's."""
    if [len(group["params"]) for group in given] != [len(group["params"]) for group in groups]:
        raise ValueError(
            "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
        )
