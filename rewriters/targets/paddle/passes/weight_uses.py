"""Whether a use of a weight is the same for the transposed matrix.

"" where it is; "surely" where only a matrix is used so, "maybe" where it may be something else from a checkpoint.
"""

from __future__ import annotations

import ast
from typing import Any

from rewriters.infer.values import Instance, Mapping, ObjectOf, Plain, Ref, Tensor
from rewriters.targets.paddle.passes.weight_flow import Flow
from rewriters.targets.paddle.passes.weight_holds import NOTHING, Held, of_kind, text_of
from rewriters.targets.paddle.passes.weight_makers import ANY, FUNCTIONS, LINEAR, is_unknown, value_of
from rewriters.targets.paddle.passes.weight_words import (
    ASK_NOTHING,
    CASTS,
    CONTAINERS_TAKE,
    CREATION,
    ELEMENTWISE,
    FILLING,
    FLAT,
    HAND_ON,
    INPLACE,
    KAIMING,
    LIKE,
    QUESTIONS,
    REDUCTIONS,
    SAFE_ATTRIBUTES,
    SCALAR_WORDS,
    TORCH_TAKES,
    WEIGHTS,
)
from rewriters.torch.table import entry

NUMBERS = {"int", "float", "bool", "str", "None", "number"}
SIZES = {"shape", "size"}
CONVOLUTIONS = tuple(f"torch.nn.{kind}{n}d" for kind in ("Conv", "ConvTranspose", "BatchNorm") for n in (1, 2, 3))


class Uses:
    """Weighs uses.

    alike:  weights that are computed with each other.
    unsure: those of which all must be laid out alike, whichever it is.
    """

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.alike: set[frozenset[Any]] = set()
        self.unsure: set[frozenset[Any]] = set()

    # What is one weight, or may be.

    def look_at_one(self, node: ast.expr, parent: Any, loose: bool) -> str:
        """ "" where the use is the same for a transposed matrix; "surely" where only a matrix is used so."""
        held = self.flow.held(node)
        if isinstance(parent, ast.Attribute):
            return self.look_by_attribute(parent, loose)
        if isinstance(parent, ast.Subscript):
            return self.look_by_subscript(node, parent, loose)
        if isinstance(parent, ast.BinOp):
            if isinstance(parent.op, ast.MatMult):
                return "surely"
            other = parent.right if parent.left is node else parent.left
            return "" if self.is_even(other, held) else "maybe"
        if isinstance(parent, ast.AugAssign):
            other = parent.value if parent.target is node else parent.target
            return "" if self.is_even(other, held) and not isinstance(parent.op, ast.MatMult) else "maybe"
        if isinstance(parent, ast.Compare):
            if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in parent.ops):
                return ""
            return "" if all(self.is_even(part, held) for part in [parent.left, *parent.comparators]) else "maybe"
        if isinstance(parent, (ast.Call, ast.keyword)):
            call = parent if isinstance(parent, ast.Call) else self.flow.parents[parent]
            return self.look_by_call(node, call, loose) if isinstance(call, ast.Call) else ""
        if (
            isinstance(parent, (ast.Assign, ast.AnnAssign))
            and isinstance(node, ast.Subscript)
            and parent.value is not node
        ):
            return self.look_by_item(node, parent.value)
        if isinstance(parent, (ast.Assign, ast.AnnAssign)):
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            if parent.value is node:
                return "maybe" if any(self.stores_elsewhere(target) for target in targets) else ""
            return "" if parent.value is None or self.stored_alike(node, parent.value) else "maybe"
        if isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node:
            return "" if loose else "maybe"
        if isinstance(parent, (ast.FormattedValue, ast.Delete)):
            return "maybe" if isinstance(parent, ast.FormattedValue) and not loose else ""
        if isinstance(parent, (ast.Return, ast.Lambda)):
            return self.look_by_return(parent, loose)
        return ""

    def look_by_attribute(self, parent: ast.Attribute, loose: bool) -> str:
        name = parent.attr
        around = self.flow.parents.get(parent)
        is_called = isinstance(around, ast.Call) and around.func is parent
        if name in SIZES and (name == "shape" or is_called):
            whole = around if name == "size" else parent
            return "" if self.is_whole_size(whole) else "surely"
        if not is_called:
            if name in SAFE_ATTRIBUTES or entry(f"torch.Tensor.{name}") is None:
                return ""
            return "surely" if name in {"T", "mT", "H", "mH"} else "maybe"
        assert isinstance(around, ast.Call)
        if name in QUESTIONS or (name in REDUCTIONS and not self.is_by_axis(around, name)):
            return ""
        if name in CASTS or (name.endswith("_") and name[:-1] in FILLING):
            return ""
        if name in ELEMENTWISE or (name.endswith("_") and name[:-1] in INPLACE):
            given = [*around.args, *(word.value for word in around.keywords)]
            held = self.flow.held(parent.value)
            return "" if all(self.is_even(part, held) for part in given) else "maybe"
        if name in FLAT and self.is_reduced(around):
            return ""
        if name in {"numpy", "register_buffer", "register_parameter"} or entry(f"torch.Tensor.{name}") is None:
            return ""
        return "surely" if name in {"t", "transpose", "permute", "view", "reshape", "matmul", "mm"} else "maybe"

    def is_whole_size(self, node: Any) -> bool:
        """Whether a weight's shape is only used as such: held against another's, counted, given to a new tensor."""
        parent = self.flow.parents.get(node)
        if isinstance(parent, ast.Starred):
            parent = self.flow.parents.get(parent)
        if isinstance(parent, ast.Compare):
            return all(self.is_size(part) for part in [parent.left, *parent.comparators])
        if isinstance(parent, ast.Attribute):
            return parent.attr == "numel"
        if isinstance(parent, ast.Call):
            called = value_of(parent.func)
            name = called.name if isinstance(called, Ref) else getattr(parent.func, "id", "")
            method = parent.func.attr if isinstance(parent.func, ast.Attribute) else ""
            is_new = method.startswith("new_") and bool(self.flow.held(parent))
            return name in {"len", "math.prod"} or method == "prod" or name.rpartition(".")[2] in CREATION or is_new
        return False

    def is_size(self, node: ast.expr) -> bool:
        """``w.shape`` or ``w.size()`` of a weight."""
        inner = node.func if isinstance(node, ast.Call) and not node.args else node
        return isinstance(inner, ast.Attribute) and inner.attr in SIZES and bool(self.flow.held(inner.value))

    def is_by_axis(self, call: ast.Call, name: str) -> bool:
        words = {word.arg for word in call.keywords}
        if words & {"dim", "axis", None}:
            return True
        numbers = call.args[1:] if name in {"norm", "quantile"} else call.args
        return bool(numbers) and name not in {"item", "histc", "unique"}

    def is_reduced(self, call: ast.Call) -> bool:
        """``w.view(-1).norm()``"""
        outer = self.flow.parents.get(call)
        whole = self.flow.parents.get(outer) if isinstance(outer, ast.Attribute) else None
        return (
            isinstance(outer, ast.Attribute)
            and isinstance(whole, ast.Call)
            and (outer.attr in REDUCTIONS and not self.is_by_axis(whole, outer.attr))
        )

    def look_by_subscript(self, node: ast.expr, parent: ast.Subscript, loose: bool) -> str:
        if parent.slice is node:
            base = self.flow.held(parent.value)
            is_key = bool(of_kind(base, "many")) or isinstance(value_of(parent.value), Mapping) or loose
            return "" if is_key or (base and isinstance(parent.ctx, ast.Store)) else "maybe"
        if text_of(parent.slice) is not None:
            return ""
        if isinstance(parent.ctx, ast.Store) and not loose:
            whole = isinstance(parent.slice, ast.Slice) and parent.slice.lower is parent.slice.upper is None
            whole |= isinstance(parent.slice, ast.Constant) and parent.slice.value is ...
            if whole or self.flow.held(parent.slice):
                around = self.flow.parents.get(parent)
                value = around.value if isinstance(around, (ast.Assign, ast.AugAssign)) else None
                return "" if value is not None and self.is_even(value) else "maybe"
        if loose:
            # A name in a container of containers: only numbers can tell.
            is_weight = isinstance(node, ast.Subscript) and (text_of(node.slice) or "").rpartition(".")[2] in WEIGHTS
            return "surely" if is_weight else ""
        return "surely"

    def look_by_item(self, target: ast.Subscript, value: ast.expr | None) -> str:
        """``state["fc.weight"] = value``"""
        key = text_of(target.slice)
        if value is None or (key is not None and key.rpartition(".")[2] not in WEIGHTS):
            return ""
        return "" if self.stored_alike(target, value) or self.is_even(value) else "maybe"

    def stores_elsewhere(self, target: ast.expr) -> bool:
        """Whether a weight is stored where torch's layout is expected: as another layer's, or into a tensor."""
        if isinstance(target, ast.Attribute):
            if target.attr in WEIGHTS:
                is_own = isinstance(value_of(target.value), ObjectOf)
                return not is_own and not self.flow.weight_of(target.value)
            return target.attr in {"data", "grad"} and not self.flow.held(target.value)
        if isinstance(target, ast.Subscript):
            held = of_kind(self.flow.held(target.value), "one")
            is_whole = isinstance(target.slice, ast.Constant) and target.slice.value is ...
            return isinstance(value_of(target.value), Tensor) and not (held and is_whole)
        return False

    def stored_alike(self, target: ast.expr, value: ast.expr) -> bool:
        """Whether what is stored as a weight is laid out as one."""
        held = of_kind(self.flow.held(value), "one")
        if held:
            self.alike.add(frozenset(origin for _, origin in held | self.flow.held(target)))
        return bool(held) or is_nothing(value)

    def look_by_return(self, parent: ast.AST, loose: bool) -> str:
        if loose:
            return ""
        if isinstance(parent, ast.Lambda):
            around = self.flow.parents.get(parent)
            name = getattr(getattr(around, "func", None), "attr", "") or getattr(
                getattr(around, "func", None), "id", ""
            )
            return "" if name in {"register_hook", "map", "_apply"} else "maybe"
        scope = self.flow.scope_of(parent)
        info = next((info for info in self.flow.called if info.node is scope), None)
        is_property = isinstance(scope, FUNCTIONS) and any(
            getattr(decorator, "id", "") == "property" for decorator in getattr(scope, "decorator_list", ())
        )
        return "" if info is not None or is_property else "maybe"

    # Operands and arguments.

    def is_even(self, node: ast.expr, beside: Held = NOTHING) -> bool:
        """Whether an operand beside a weight is the same for all its elements, or laid out as a weight."""
        value = value_of(node)
        if held := self.flow.held(node):
            self.alike.add(frozenset(origin for _, origin in held | beside))
            return True
        if isinstance(node, (ast.Constant, ast.Compare, ast.BoolOp)):
            return True
        if isinstance(value, Plain):
            return value.kind in NUMBERS or self.is_scalar_word(node)
        if isinstance(value, Tensor):
            if value.ndim == 0:
                return True
            return value.assumed and self.is_scalar_word(node)
        if isinstance(value, (Ref, Instance)):
            return True  # a dtype, a device
        if isinstance(node, ast.UnaryOp):
            return self.is_even(node.operand)
        if isinstance(node, ast.BinOp):
            return not isinstance(node.op, ast.MatMult) and self.is_even(node.left) and self.is_even(node.right)
        if isinstance(node, ast.IfExp):
            return self.is_even(node.body) and self.is_even(node.orelse)
        return (is_unknown(value) or isinstance(value, ObjectOf)) and self.is_scalar_word(node)

    def is_scalar_word(self, node: ast.expr) -> bool:
        """Whether a name of which nothing is known is by its word a number's."""
        if isinstance(node, ast.Subscript):
            word = text_of(node.slice) or ""
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            return name in {"float", "int", "item", "sqrt", "pow", "min", "max", "len", "get_lr"} or (
                isinstance(value_of(node.func), Plain)
            )
        else:
            word = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        word = word.lower()
        return 0 < len(word) <= 2 or any(part in word for part in SCALAR_WORDS)

    def look_by_call(self, node: ast.expr, call: ast.Call, loose: bool) -> str:
        """A weight as an argument."""
        func = call.func
        if func is node:
            return ""
        called = value_of(func)
        if isinstance(called, Ref):
            return self.look_by_torch(node, call, called.name)
        if self.flow.function_of(called)[0] is not None:
            return ""
        given = [*call.args, *(word.value for word in call.keywords)]
        name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        if isinstance(func, ast.Attribute):
            receiver = func.value
            if self.flow.held(receiver) and (name in ELEMENTWISE or (name.endswith("_") and name[:-1] in INPLACE)):
                return ""
            if isinstance(value_of(receiver), Tensor):
                return "maybe"
            if name == "copy_" or name in {"copy_data", "set_value"}:
                return "maybe"
            return "" if name in CONTAINERS_TAKE | HAND_ON or "clip" in name else "maybe"
        if name in ASK_NOTHING | HAND_ON:
            if name == "setattr" and len(given) > 2 and text_of(given[1]) in WEIGHTS:
                return "" if self.stored_alike(node, given[2]) and self.flow.weight_of(given[0]) else "maybe"
            return ""
        is_text = loose and name in {"str", "repr", "print"}
        return "" if is_text or f"torch.nn.init.{name}" in TORCH_TAKES else "maybe"

    def look_by_torch(self, node: ast.expr, call: ast.Call, name: str) -> str:
        last = name.rpartition(".")[2]
        if name == "torch.nn.functional.linear" and len(call.args) > 1 and call.args[1] is node:
            # The target's own function takes its own layer's weight: see the passes.
            is_own = isinstance(node, ast.Attribute) and value_of(node.value) == Instance(LINEAR)
            made = self.flow.made_by(node.value) if isinstance(node, ast.Attribute) else frozenset()
            self.alike.add(made)
            self.unsure.add(made)
            return "" if is_own and ANY not in made else "surely"
        if name in KAIMING:
            made = frozenset(origin for _, origin in self.flow.held(node))
            self.alike.add(made)
            self.unsure.add(made)
            return "" if is_layer_of(self.flow, node) else "maybe"
        given = [*call.args, *(word.value for word in call.keywords)]
        if name in TORCH_TAKES or last in LIKE or name.startswith("torch.optim."):
            by_axis = len(call.args) > 2 or any(word.arg in {"dim", "axis"} for word in call.keywords)
            return "maybe" if last in {"norm", "vector_norm"} and by_axis else ""
        if last in ELEMENTWISE or last in INPLACE or last.removesuffix("_") in INPLACE:
            return "" if all(self.is_even(part, self.flow.held(node)) for part in given) else "maybe"
        if last in REDUCTIONS and name.startswith("torch."):
            by_axis = len(call.args) > (2 if last == "norm" else 1)
            return "maybe" if by_axis or any(word.arg in {"dim", "axis"} for word in call.keywords) else ""
        return "surely" if last in {"transpose", "matmul", "mm"} else "maybe"

    # What holds many weights.

    def look_at_many(self, node: ast.expr, parent: Any) -> str:
        if isinstance(parent, ast.FormattedValue):
            return "maybe"
        if isinstance(parent, ast.keyword):
            parent = self.flow.parents.get(parent)
        if not isinstance(parent, ast.Call) or parent.func is node:
            return ""
        called = value_of(parent.func)
        func = parent.func
        if isinstance(called, Ref):
            name = called.name
            taken = name in TORCH_TAKES or name.startswith(
                ("torch.optim.", "torch.nn.P", "torch.func", "torch._foreach")
            )
            return "" if taken or name.startswith("torch.jit") else "maybe"
        if self.flow.function_of(called)[0] is not None:
            return ""
        name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        if (
            name in ASK_NOTHING | HAND_ON | CONTAINERS_TAKE
            or "clip" in name
            or name in {"save", "dump", "dumps", "all_reduce", "__init__"}
        ):
            return ""
        # An optimizer, an average of parameters: a class that nothing is known of.
        return "" if name[:1].isupper() else "maybe"


def is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def is_layer_of(flow: Flow, node: ast.expr) -> bool:
    """Whether a weight is known to be a Linear's or a convolution's, by its class or by the test around it."""
    while isinstance(node, ast.Attribute) and node.attr == "data":
        node = node.value
    if not isinstance(node, ast.Attribute):
        return False
    value = value_of(node.value)
    if isinstance(value, Instance) and value.name in (LINEAR, *CONVOLUTIONS):
        return True
    part: ast.AST | None = node
    while part is not None and not isinstance(part, FUNCTIONS):
        inner, part = part, flow.parents.get(part)
        test = part.test if isinstance(part, ast.If) and inner in part.body else None
        if isinstance(test, ast.Call) and getattr(test.func, "id", "") == "isinstance" and len(test.args) == 2:
            classes = test.args[1].elts if isinstance(test.args[1], ast.Tuple) else [test.args[1]]
            same = ast.dump(test.args[0]) == ast.dump(node.value)
            if same and all(value_of(one) in [Ref(name) for name in (LINEAR, *CONVOLUTIONS)] for one in classes):
                return True
    return False
