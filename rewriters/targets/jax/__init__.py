"""JAX, through Flax NNX and Optax: arrays do not change, and gradients are values."""

from rewriters.target import Environment, Target

TARGET = Target(
    name="jax",
    title="Flax NNX",
    package="jax",
    part="whole.at[index]",
    cast="tensor.astype(like.dtype)",
    environment=Environment(
        python="3.11", requirements=("flax==0.12.8", "jax==0.10.2", "optax==0.2.8", "safetensors"), module="flax"
    ),
    modules={
        "torch": "jax.numpy",
        "torch.nn": "flax.nnx",
        "torch.nn.functional": "jax.nn",
        "torch.optim": "optax",
        "torch.linalg": "jax.numpy.linalg",
        "torch.fft": "jax.numpy.fft",
        "torch.utils.tensorboard": "tensorboardX",
    },
    imports={
        "jax": "import jax",
        "jax.numpy": "import jax.numpy as jnp",
        "flax.nnx": "from flax import nnx",
        "optax": "import optax",
        "jax.experimental.sparse": "from jax.experimental import sparse",
    },
    # flax brings jax and optax along
    requirements={"torch": "flax>=0.12.8", "tensorboard": "tensorboardX"},
    setting=('jax.config.update("jax_enable_x64", True)', "64-bit dtypes, as torch has them"),
    ambient={"rngs": "helper.rngs"},
    methods={"torch.nn.Module.forward": "__call__"},
    held="[...]",
    errors={
        "RuntimeError": {"TypeError": (), "ValueError": ()},
        "IndexError": {
            "ValueError": (
                "dim",
                "unsqueeze",
                "flatten",
                "transpose",
                "permute",
                "sum",
                "mean",
                "softmax",
                "cat",
                "stack",
            )
        },
    },
    unraised=frozenset({"IndexError", "LookupError"}),
    companions={"einops.layers.torch": "", "safetensors.torch": ""},
)
