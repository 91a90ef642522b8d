"""MLX. Weights only."""

from rewriters.target import Environment, Target

TARGET = Target(
    name="mlx",
    title="MLX",
    package="mlx",
    environment=Environment(python="3.11", requirements=("mlx[cpu]==0.32.4", "numpy"), module="mlx.core"),
    modules={},
    weights_only=True,
)
