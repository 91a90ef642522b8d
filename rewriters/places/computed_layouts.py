"""Reshaping of what lies otherwise in the target than in torch: the one copies where the other gives a view.

What is computed of a transposed tensor lies as that does in torch, and in one piece in targets that compute so. What is
expanded is a view of no such layout in torch, and lies in one piece in targets that copy it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rewriters.infer.connected import connected
from rewriters.infer.values import FunctionOf, Method, ModuleInfo, Plain, Ref, Tensor
from rewriters.places.bindings import MOST_STEPS, Bindings, returned
from rewriters.places.by_text import changes_in, handed, names_holding, text
from rewriters.places.layout_asked import BY_COLUMNS
from rewriters.places.transpositions import after, is_quarter_turn, number_of, turning
from rewriters.text.tree import called_name, is_in_place

#: Whether an item or what a call gives lies transposed in the target, and in one piece in torch.
Turned = Callable[[ast.expr], bool]
VIEW = "torch.Tensor.view"
RESHAPING = {f"torch.Tensor.{name}" for name in ("reshape", "flatten", "ravel", "contiguous")} | {VIEW}
# Of these, what copies a single axis too, where its elements do not lie one after the other.
ASKING_ONE_PIECE = {"torch.Tensor.contiguous", "torch.Tensor.ravel", "torch.ravel"}
OF_TORCH = {"torch.reshape", "torch.flatten", "torch.ravel"}
TRANSPOSED = {
    "t",
    "transpose",
    "permute",
    "swapaxes",
    "swapdims",
    "movedim",
    "moveaxis",
    "adjoint",
    "T",
    "mT",
    "H",
    "mH",
}
# What these give shares the receiver's memory, and lies as it does; so does what a method gives that changes in place.
KEEPING = {"data", "detach", "cpu", "cuda"}
# With an underscore they transpose the receiver itself.
TURNED_IN_PLACE = {"t", "transpose", "swapaxes", "swapdims", "squeeze", "unsqueeze", "as_strided", "resize", "set"}
# Methods of containers that give what lies in them.
TAKEN = {"get", "pop", "setdefault"}
# Of lists, that put their last argument into it.
APPENDING = {"append", "appendleft", "insert"}
# Of these the result lies as the first operand does: found by calling all of PyTorch's samples with what is transposed.
BY_ELEMENT = {
    "abs", "add", "ceil", "clamp", "clip", "clone", "cos", "cosh", "div", "erf", "exp", "exp2", "expm1", "floor",
    "frac", "log", "log10", "log1p", "log2", "logical_not", "mul", "neg", "pow", "reciprocal", "relu", "round", "rsqrt",
    "sigmoid", "sign", "sin", "sinh", "sqrt", "square", "sub", "tan", "tanh", "trunc", "double", "float", "long", "int",
    "half", "gelu", "silu", "softplus", "leaky_relu", "elu", "bool", "eq", "ge", "gt", "isfinite", "isinf", "isnan",
    "le", "logical_and", "logical_or", "lt", "masked_fill", "ne", "asin", "acos", "atan", "asinh", "acosh", "atanh",
    "arcsin", "arccos", "arctan", "erfc", "erfinv", "lgamma", "digamma", "sgn", "nan_to_num", "negative", "absolute",
    "logit", "deg2rad", "rad2deg", "sinc", "fix", "zeros_like", "ones_like", "empty_like", "full_like", "rand_like",
    "randn_like", "signbit", "selu", "celu", "relu6", "hardtanh", "hardswish", "hardsigmoid", "mish", "softsign",
    "tanhshrink", "hardshrink", "softshrink", "maximum", "minimum", "fmod", "remainder", "floor_divide", "true_divide",
    "divide", "multiply", "subtract", "atan2", "hypot", "fmin", "fmax", "logaddexp", "copysign", "xlogy", "bitwise_and",
    "bitwise_or", "bitwise_xor", "float_power", "lerp", "not_equal", "greater", "greater_equal", "less", "less_equal",
    "logical_xor", "rsub", "isposinf", "isneginf", "addcmul", "addcdiv",
    "adaptive_avg_pool1d", "addr", "alpha_dropout", "angle", "argsort", "avg_pool1d", "bfloat16", "byte", "cdouble",
    "cfloat", "chalf", "char", "clamp_max", "clamp_min", "complex", "diagonal_scatter", "diff", "dropout", "dropout2d",
    "dropout3d", "feature_alpha_dropout", "fft", "fft2", "fftn", "flip", "fliplr", "flipud", "glu", "heaviside",
    "hfft", "hfft2", "hfftn", "huber_loss", "ifft", "ifft2", "ifftn", "igamma", "igammac", "ihfft", "ihfft2", "ihfftn",
    "index_fill", "index_put", "interpolate", "irfft", "irfft2", "irfftn", "isclose", "ldexp", "local_response_norm",
    "logaddexp2", "max", "max_pool1d", "min", "msort", "nextafter", "normalize", "polar", "polygamma", "prelu", "put",
    "randint_like", "rfft", "rfft2", "rfftn", "select_scatter", "short", "slice_scatter", "sort", "threshold",
    "xlog1py", "zeta",
}  # fmt: skip


# Functions that give several, each of which lies so.
SEVERAL = {"sort", "qr", "svd", "eigh", "lstsq", "cholesky_ex", "inv_ex", "lu_factor", "solve_ex", "triangular_solve"}


def gives_several(node: ast.expr) -> bool:
    """``x.sort(1)``, of which one part is taken"""
    called = getattr(node.func, "v", None) if isinstance(node, ast.Call) else None
    return isinstance(called, (Method, Ref)) and called.name.rpartition(".")[2] in SEVERAL


def never(node: ast.expr) -> bool:
    return False


@dataclass
class Reshaped:
    """Reshapings of a file where what comes out or what it is made of changes in place.

    keys: calls, with the rule's key: ``:copied`` where torch's copies, ``:torn`` where the target's does; and
          ``:shared`` of what expands, and is reshaped then.
    of:   the texts of what is reshaped so.
    """

    keys: dict[ast.AST, str] = field(default_factory=dict)
    of: set[str] = field(default_factory=set)


def reshaped_in(module: ModuleInfo, turned: Turned = never, spreading: Collection[str] = ()) -> Reshaped:
    """turned:    what lies transposed in the target, and in one piece in torch.
    spreading: names of torch's functions that expand, and that the target's copy.
    """
    found = Reshaped()
    changed: set[str] | None = None
    layout = Layout(module, turned, spreading)
    for node in module.nodes.of(ast.Call):
        called: Any = getattr(node.func, "v", None)
        if (of := reshaped_by(node)) is None:
            continue
        changed = with_others(module, changes_in(module)) if changed is None else changed
        around = module.nodes.parents.get(node)
        touched = names_holding(module, node) | {holder := text(untransposed(of))}
        if changed.isdisjoint(touched - {""}) and not changes(around):
            continue
        found.of.add(text(of))
        lies = layout.of(of)
        if lies.spread and lies.spread is not untransposed(of):  # which somebody may hold
            found.keys[lies.spread] = f"{lies.spread.func.v.name}:shared"  # type: ignore[attr-defined]
        elif getattr(getattr(of, "v", None), "ndim", None) == 1 and bool(lies.torch) != bool(lies.own):
            if called.name in ASKING_ONE_PIECE:  # others see a single axis as it is
                found.keys[node] = f"{called.name}:{'strided' if lies.torch else 'torn'}"
        elif lies.torch and not lies.own and called.name != VIEW:  # which torch refuses where it would copy
            found.keys[node] = f"{called.name}:copied"
        elif lies.own and not lies.torch and holder:
            found.keys[node] = f"{called.name}:torn"
    return found


def with_others(module: ModuleInfo, changed: set[str]) -> set[str]:
    """What changes, and what is bound to the same, or is what that is a part of: ``row = flat[1]``."""
    bound = [(text(target), text(one.value)) for one in module.nodes.of(ast.Assign) for target in one.targets]
    groups = connected({target, value} for target, value in bound if target and value)
    return changed.union(*(group for group in groups if not changed.isdisjoint(group)))


def reshaped_by(node: ast.Call) -> ast.expr | None:
    """What a call reshapes, as a method or as torch's function."""
    called = getattr(node.func, "v", None)
    if isinstance(called, Ref):
        return node.args[0] if called.name in OF_TORCH and node.args else None
    method = isinstance(called, Method) and called.name in RESHAPING
    return node.func.value if method and isinstance(node.func, ast.Attribute) else None


@dataclass(frozen=True)
class Lying:
    """The transpositions of its memory that a tensor is, in each framework; none of what lies in one piece.

    spread: the call that expands it, which the target's copies.
    """

    torch: tuple[object, ...] = ()
    own: tuple[object, ...] = ()
    spread: ast.Call | None = None

    def computed(self) -> Lying:
        """What is computed of it, by the elements."""
        return Lying(self.torch, ())

    def turned(self, by: object) -> Lying:
        return Lying(after(self.torch, by), after(self.own, by), self.spread)


def transposed(lies: Lying, node: ast.Call | ast.Attribute) -> Lying:
    """How ``x.t()`` lies, by how x does: a single axis is not turned."""
    value = getattr(node, "v", None)
    return lies if getattr(value, "ndim", None) in (0, 1) else lies.turned(turning(node, value))


def kept(node: ast.expr) -> ast.expr | None:
    """The tensor that an expression gives once more: ``x.data``, ``x.detach()``, ``x.add_(1)``."""
    part = node.func if isinstance(node, ast.Call) else node
    if not isinstance(part, ast.Attribute) or not isinstance(getattr(part.value, "v", None), Tensor):
        return None
    changing = isinstance(node, ast.Call) and is_in_place(part.attr)
    keeping = part.attr in KEEPING and isinstance(node, ast.Call) == (part.attr != "data")
    return part.value if keeping or (changing and part.attr[:-1] not in TURNED_IN_PLACE) else None


def reordered(node: ast.Call) -> ast.expr | None:
    """What is taken in windows, or along a diagonal, where the axis that is put last lies before others in memory."""
    called, name, args = getattr(node.func, "v", None), called_name(node), node.args
    if name not in PLACED_LAST or not isinstance(called, (Method, Ref)) or not called.name.startswith(OF_TENSORS):
        return None
    whole, *rest = args if isinstance(called, Ref) else [node.func.value, *args]  # type: ignore[attr-defined]
    count = getattr(getattr(whole, "v", None), "ndim", None)
    given = dict(zip(PLACED_LAST[name], map(number_of, rest), strict=False))
    given |= {word.arg or "": number_of(word.value) for word in node.keywords}
    axes: dict[str, int | None] = {"dim1": 0, "dim2": 1} if name == "diagonal" else {}
    axes |= {key: axis for key, axis in given.items() if key.startswith("dim")}
    known = [axis for axis in axes.values() if axis is not None]
    if not count or not known or len(known) < len(axes):
        return None
    taken = {axis % count for axis in known}
    return whole if any(axis > min(taken) for axis in range(count) if axis not in taken) else None


# Methods whose last axis is another's, or of two; what they are given in order.
PLACED_LAST = {"unfold": ("dimension", "size", "step"), "diagonal": ("offset", "dim1", "dim2")}
OF_TENSORS = ("torch.Tensor.", "torch.diagonal")


class Layout:
    """How values of a file lie. turned, spreading: as of ``reshaped_in``."""

    def __init__(self, module: ModuleInfo, turned: Turned, spreading: Collection[str] = ()) -> None:
        self.module, self.turned, self.spreading = module, turned, spreading
        self.bindings = Bindings(module)
        self.found: dict[tuple[ast.expr, int], Lying] = {}

    def of(self, node: ast.expr, depth: int = 0) -> Lying:
        """How a value lies, by what it was computed of; what nothing is known of lies in one piece."""
        key = (node, depth)
        if key not in self.found:
            self.found[key] = self.followed(node, depth)
        return self.found[key]

    def followed(self, node: ast.expr, depth: int) -> Lying:
        if isinstance(node, ast.Name) and depth < MOST_STEPS:
            if len(tensors := self.gone_through.get(node.id, [])) == 1:
                return self.row_of(tensors[0], depth + 1)
            bound = self.bindings.values(node) or self.unpacked(node) or handed(self.module, node)
            return self.alike(bound, depth + 1)
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            left = getattr(node.left, "v", None)
            first = node.right if isinstance(left, Plain) or getattr(left, "ndim", None) == 0 else node.left
            return self.of(first, depth).computed()
        if isinstance(node, ast.Compare):
            plain = isinstance(getattr(node.left, "v", None), Plain)
            return self.of(node.comparators[0] if plain else node.left, depth).computed()
        if isinstance(node, ast.UnaryOp):
            return self.of(node.operand, depth).computed()
        if isinstance(node, (ast.Subscript, ast.Attribute)) and gives_several(node.value):
            return self.of_call(node.value, depth)  # type: ignore[arg-type]
        if isinstance(node, ast.Subscript):
            if depth < MOST_STEPS and (items := self.written_out(node)):
                return self.alike(items, depth + 1)
            return Lying((), ("picked",)) if self.turned(node) else self.row_of(node.value, depth, node.slice)
        if isinstance(node, ast.Attribute) and node.attr in TRANSPOSED:
            return transposed(self.of(node.value, depth), node)
        if (whole := kept(node)) is not None:
            return self.of(whole, depth)
        if isinstance(node, ast.Attribute) and depth < MOST_STEPS:
            return self.alike(self.bindings.stored(f".{node.attr}"), depth + 1)
        return self.of_call(node, depth) if isinstance(node, ast.Call) else Lying()

    def unpacked(self, name: ast.Name) -> list[ast.expr]:
        """``values, places = x.sort(1)``: the call that gives a name its part."""
        bound = self.bindings.latest(name, self.bindings.stores.get(name.id, []))
        return [one.value for one in bound if len(one.way) == 1 and gives_several(one.value)]

    @cached_property
    def gone_through(self) -> dict[str, list[ast.expr]]:
        """Name -> the tensors that loops go through which bind it to each row."""
        found: dict[str, list[ast.expr]] = {}
        for loop in self.module.nodes.of(ast.For):
            if isinstance(loop.target, ast.Name) and isinstance(getattr(loop.iter, "v", None), Tensor):
                found.setdefault(loop.target.id, []).append(loop.iter)
        return found

    def row_of(self, whole: ast.expr, depth: int, index: ast.expr | None = None) -> Lying:
        """How a part lies: a row of a matrix that lies transposed is strided, a column of it lies in one piece."""
        value = getattr(whole, "v", None)
        if not isinstance(value, Tensor) or value.ndim is None or value.ndim < 2:
            return Lying()
        lies = self.of(whole, depth)
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        *before, last = [part is None or isinstance(getattr(part, "v", None), Plain) for part in parts]
        ranges = [isinstance(part, ast.Slice) for part in parts]
        if not before and (last or ranges[0]):
            return lies if value.ndim > 2 or not last or bool(lies.torch) != bool(lies.own) else Lying()
        column = value.ndim == len(parts) == 2 and ranges == [True, False] and last and is_whole(parts[0])
        return Lying((), lies.torch) if column and not lies.own else Lying()

    def of_call(self, node: ast.Call, depth: int) -> Lying:
        called = getattr(node.func, "v", None)
        if not isinstance(getattr(node, "v", None), Tensor) and not gives_several(node):
            return Lying()
        if isinstance(called, FunctionOf) and depth < MOST_STEPS:
            return self.alike(returned(self.module, called), depth + 1)
        name = called_name(node)
        if name in TAKEN and depth < MOST_STEPS and (items := self.taken(node)):
            return self.alike(items, depth + 1)
        if self.turned(node):
            return Lying((), (name,))
        if name in BY_COLUMNS or is_quarter_turn(node):
            return Lying((name,), ())
        if (whole := reordered(node)) is not None:
            return self.of(whole, depth).turned(node)
        plain = isinstance(called, Ref) or isinstance(node.func, ast.Name)  # ``abs(x)`` too
        operands = node.args if plain else [node.func.value] if isinstance(node.func, ast.Attribute) else []
        operands = [word.value for word in node.keywords if word.arg == "input"] or operands
        spread = getattr(called, "name", "") in self.spreading
        if not operands or not (spread or name in TRANSPOSED or name in BY_ELEMENT):
            return Lying()
        found = self.of(operands[0], depth)
        if spread:
            return Lying(found.torch, (), node)
        return transposed(found, node) if name in TRANSPOSED else found.computed()

    def alike(self, values: Iterable[ast.expr], depth: int) -> Lying:
        """How all of them lie, where they lie alike."""
        ways = {self.of(value, depth) for value in values}  # each is asked for, which notes what it comes to
        return ways.pop() if len(ways) == 1 else Lying()

    def written_out(self, item: ast.Subscript) -> list[ast.expr]:
        """What may lie in a list, tuple or dict that is written out, there or where a name is bound to it; and what is
        stored as that item of it.
        """
        return self.held_in(item.value, item.slice) + self.bindings.stored(ast.unparse(item))

    def taken(self, node: ast.Call) -> list[ast.expr]:
        """``cache.get("a")``, ``parts.pop()``: as ``written_out``."""
        if not isinstance(node.func, ast.Attribute) or len(node.args) > 1:
            return []
        holder, index = node.func.value, node.args[0] if node.args else ast.Constant(-1)
        stored = ast.unparse(ast.Subscript(holder, index, ast.Load()))
        return self.held_in(holder, index) + self.bindings.stored(stored)

    def held_in(self, holder: ast.expr, index: ast.expr) -> list[ast.expr]:
        """What may lie in a container under an index, where it is written out."""
        values = [holder]
        if isinstance(getattr(holder, "v", None), Tensor):
            return []
        if isinstance(holder, (ast.Name, ast.Attribute)):
            values = self.bindings.stored(ast.unparse(holder))
        values = [part for value in values for part in self.results(value)]
        number = number_of(index)
        key = getattr(index, "value", None) if number is None else number
        found = [part for value in values for part in picked(value, key)]
        found += self.appended.get(text(holder), [])
        return [part for part in found if not isinstance(getattr(part, "v", None), Plain)]

    def results(self, value: ast.expr) -> list[ast.expr]:
        """What a function of the file gives, where it is called; else the value."""
        called = getattr(value.func, "v", None) if isinstance(value, ast.Call) else None
        return returned(self.module, called) if isinstance(called, FunctionOf) else [value]

    @cached_property
    def appended(self) -> dict[str, list[ast.expr]]:
        """The text of a name or an attribute -> what methods put into its list, anywhere in the file."""
        found: dict[str, list[ast.expr]] = {}
        for call in self.module.nodes.of(ast.Call):
            if isinstance(call.func, ast.Attribute) and call.func.attr in APPENDING and call.args:
                found.setdefault(text(call.func.value), []).append(call.args[-1])
        found.pop("", None)
        return found


def picked(value: ast.expr, key: object) -> list[ast.expr]:
    """Of what is written out, what lies under that key; all where that does not follow."""
    if isinstance(value, ast.Dict):
        found = [
            part for name, part in zip(value.keys, value.values, strict=True) if getattr(name, "value", ...) == key
        ]
        return found or value.values
    if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "dict" and not value.args:
        return [word.value for word in value.keywords if word.arg == key] or [word.value for word in value.keywords]
    parts = value.elts if isinstance(value, (ast.List, ast.Tuple)) else []
    return [parts[key]] if isinstance(key, int) and -len(parts) <= key < len(parts) else parts


def untransposed(node: ast.expr) -> ast.expr:
    """What it is a transposition of, which may be held by a name."""
    while True:
        inner: ast.expr | None = None
        if isinstance(node, ast.Call) and called_name(node) in TRANSPOSED:
            of_torch = isinstance(getattr(node.func, "v", None), Ref)
            own = node.func.value if isinstance(node.func, ast.Attribute) else None
            inner = next(iter(node.args), None) if of_torch else own
        elif is_property(node):
            inner = getattr(node, "value", None)
        if inner is None:
            return node
        node = inner


def is_property(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in TRANSPOSED


def is_whole(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Slice) and node.lower is node.upper is node.step is None


def changes(around: ast.AST | None) -> bool:
    """Whether a reshaped tensor changes at once: ``x.reshape(-1)[0] = 1``, ``x.flatten().add_(1)``."""
    if isinstance(around, ast.Subscript):
        return isinstance(around.ctx, ast.Store)
    return isinstance(around, ast.Attribute) and around.attr.endswith("_") and not around.attr.startswith("_")
