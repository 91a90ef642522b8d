"""A training step: what is known of it, and where each node of a file stands."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from rewriters.infer.values import ModuleInfo

Function = ast.FunctionDef | ast.AsyncFunctionDef
SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign)


class NotUnderstood(Exception):
    """Why a training step stays as it is; the message is for people."""


def position(node: ast.AST) -> tuple[int, int]:
    """Where a node begins: several statements may stand in one line."""
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


@dataclass(eq=False)
class Step:
    """A training step.

    backward:  the statement.
    inside:    statements that compute the loss from the inputs, in order.
    gone:      statements that the graph does by itself: setting gradients to zero, clipping, the optimizer's step.
    optimizer: as it is written, ``optimizer`` or ``self.optimizer``.
    schedule:  the statement that steps a scheduler with each step, and the scheduler as it is written.
    clip:      the call of clip_grad_norm_.
    members:   modules and functions that ``inside`` uses, as written -> name in the graph.
    inputs:    names of the tensors that go in; outputs: of what comes out, the loss among them.
    function:  the function around, None at module level; top: the module's statement that holds it all.
    loop:      the innermost loop around, None where the block is a function's own.
    """

    backward: ast.stmt
    body: list[ast.stmt]
    function: Function | None
    top: ast.stmt
    loop: ast.stmt | None
    loss: str = ""
    optimizer: str = ""
    optimizer_node: ast.expr | None = None
    inside: list[ast.stmt] = field(default_factory=list)
    gone: list[ast.stmt] = field(default_factory=list)
    schedule: ast.stmt | None = None
    scheduler: str = ""
    scheduler_node: ast.expr | None = None
    clip: ast.Call | None = None
    members: dict[str, str] = field(default_factory=dict)
    member_nodes: dict[str, ast.expr] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)


class Parents:
    """Where each node of a file stands."""

    def __init__(self, module: ModuleInfo) -> None:
        self.of = module.nodes.parents
        self.nodes = module.nodes

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The list of statements that holds this one."""
        parent = self.of[statement]
        for name in ("body", "orelse", "finalbody"):
            block = getattr(parent, name, None)
            if isinstance(block, list) and any(item is statement for item in block):
                return block
        return [statement]

    def around(self, node: ast.AST) -> list[ast.AST]:
        """Whatever holds a node, from the inside out."""
        found = []
        while node in self.of:
            node = self.of[node]
            found.append(node)
        return found
