"""Layers that are NNX's own classes, in projects that ask all parts of a model for what torch's modules answer to."""

from __future__ import annotations

import ast
from functools import lru_cache

from rewriters.infer import Project
from rewriters.infer.values import Bottom, Instance, ModuleInfo, Unknown
from rewriters.places.made_layers import made_layers
from rewriters.regions.tracing import value_of

LAYERS = {"torch.nn.Dropout", "torch.nn.Dropout2d"}
ASKED = {
    *("parameters", "named_parameters", "buffers", "named_buffers", "modules", "named_modules", "children"),
    *("named_children", "state_dict", "load_state_dict", "get_submodule", "get_parameter", "requires_grad_"),
    *("register_buffer", "register_parameter", "add_module", "register_module"),
}


@lru_cache(maxsize=1)
def are_asked(project: Project) -> bool:
    """Whether a module of which nobody knows what it is, or such a layer, is asked anywhere in the project, or its
    mode is asked for or stored.
    """
    return any(
        isinstance(node.func, ast.Attribute) and node.func.attr in ASKED and may_be_layer(node.func.value)
        for module in project.modules.values()
        for node in module.nodes.of(ast.Call)
    ) or any(
        node.attr == "training" and may_be_layer(node.value)
        for module in project.modules.values()
        for node in module.nodes.of(ast.Attribute)
    )


def may_be_layer(node: ast.expr) -> bool:
    value = value_of(node)
    if isinstance(value, Instance):
        return value.name in LAYERS or value.name == "torch.nn.Module"
    return isinstance(value, (Unknown, Bottom))


def layers(module: ModuleInfo) -> dict[ast.AST, str]:
    """Such layers that are made here, or whose classes are handed on."""
    return made_layers(module, LAYERS, "asking")
