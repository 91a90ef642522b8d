"""torch."""

from rewriters.rule import shared

shared(
    {
        "framework": "paddle",
        "Framework": "Paddle",
        "framework.nn.Module": "paddle.nn.Layer",
        "framework.tensor": "paddle.to_tensor",
    }
)
