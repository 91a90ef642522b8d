"""JAX, through Flax NNX. Weights only."""

from rewriters.target import Environment, Target

TARGET = Target(
    name="jax",
    title="Flax NNX",
    package="jax",
    environment=Environment(python="3.11", requirements=("flax==0.12.8", "jax==0.10.2", "safetensors"), module="flax"),
    modules={"torch": "jax.numpy", "torch.nn": "flax.nnx", "torch.nn.functional": "jax.nn", "torch.optim": "optax"},
    ambient={"rngs": "rngs"},
)
