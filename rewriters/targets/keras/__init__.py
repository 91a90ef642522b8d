"""Keras 3. Weights only."""

from rewriters.target import Environment, Target

TARGET = Target(
    name="keras",
    title="Keras",
    package="keras",
    environment=Environment(python="3.11", requirements=("keras==3.15.0", "tensorflow-cpu==2.21.0"), module="keras"),
    modules={},
    weights_only=True,
)
