"""MindSpore. Weights only."""

from rewriters.target import Environment, Target

TARGET = Target(
    name="mindspore",
    title="MindSpore",
    package="mindspore",
    environment=Environment(
        python="3.11", requirements=("mindspore==2.10.0", "numpy<2", "setuptools"), module="mindspore"
    ),
    modules={},
    weights_only=True,
)
