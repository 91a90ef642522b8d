"""torch."""

from rewriters.rule import shared

shared(
    {"framework": "jax", "Framework": "JAX"},
    files=[
        "backends",
        "build",
        "compiler",
        "control_flow",
        "jit",
        "nn/modules/utils",
        "nn/utils/init",
        "special_polynomials",
        "utils/tensorboard",
        "version",
        "xpu",
    ],
)
