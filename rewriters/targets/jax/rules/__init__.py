"""torch."""

from rewriters.rule import shared

shared(
    {"framework": "jax", "Framework": "JAX"},
    files=[
        "backends",
        "build",
        "compiler",
        "control_flow",
        "fx",
        "hub",
        "jit",
        "nn/modules/utils",
        "nn/utils/init",
        "special_polynomials",
        "tracing",
        "usage",
        "utils/tensorboard",
        "version",
        "xpu",
    ],
)
