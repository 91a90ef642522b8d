"""torch."""

from rewriters.rule import shared

shared(
    {
        "framework": "paddle",
        "Framework": "Paddle",
        "framework.nn.Module": "paddle.nn.Layer",
        "framework.nn.ModuleList": "paddle.nn.LayerList",
        "framework.nn.ModuleDict": "paddle.nn.LayerDict",
        "framework.tensor": "paddle.to_tensor",
    }
)
