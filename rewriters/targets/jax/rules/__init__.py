"""torch."""

from rewriters.rule import shared

shared(
    {"framework": "jax", "Framework": "JAX", "framework.Tensor": "jax.Array"},
    files=[
        "backends",
        "build",
        "compiler",
        "control_flow",
        "fx",
        "hub",
        "jit",
        "nn/modules/kept_hooks",
        "nn/modules/utils",
        "nn/utils/init",
        "optim/optimizer",
        "special_polynomials",
        "tensor/attributes_asked",
        "tensor/functions_of_numpys",
        "tensor/membership",
        "tracing",
        "usage",
        "utils/hooks",
        "utils/pytree",
        "utils/tensorboard",
        "version",
        "xpu",
    ],
)
