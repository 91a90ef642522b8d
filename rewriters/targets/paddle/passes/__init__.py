"""What single rules cannot see, so that another rule answers: the keys with a colon.

* A Linear whose weight the project's code looks at, or shares with an Embedding: it needs torch's (out, in) weight,
  which paddle.nn.Linear does not have (``linear_weights.py``).
* An optimizer whose parameters may be groups with learning rates of their own.
* Kaiming initialization of a matrix that the class itself made, which is (out, in) as in torch.
* ``next(model.parameters())``: Paddle's is a list; and such a list that may be gone through twice (``read_once.py``).
* Code that goes through parameters or buffers, where batch normalization's statistics are others than torch's
  (``norm_statistics.py``).
* Tensors that are plain attributes of a module (``plain_attributes.py``); resetting, filling views.
* The functional form with a Linear's own weight, which is Paddle's.
* The weight norm of a convolution, whose weight is laid out as torch's.
* A loss of classes where no label is ignored (``ignored_labels.py``).
* An index into what may be a strided view (``strided.py``).
* Stores by a mask, of which no graph would be told, and of a number at no places (``masked_stores.py``).
* Loaders of datasets whose items are texts (``loaders.py``).
* Functions without a second gradient (``second_gradients.py``).
* Changes in place of gradients, and of what a state_dict gives (``changed_leaves.py``).
* What puts a tensor in one piece (``one_piece.py``).
* Modules with a name of their own that Paddle's layers have too (``own_names.py``).
* Joining what may be an empty vector (``places/empties.py``).
* Modules and products given what may have no rows (``places/rowless.py``).
* What asks how a tensor lies in memory (``places/layout_asked.py``).
* Gradients that are kept while others are cleared (``kept_gradients.py``).
* Products of what may be a sparse matrix (``sparse_products.py``).
* Modes of training, where a layer of the project answers for itself (``modes.py``).
* Sums of what is of 8 bits at times (``byte_sums.py``), and what Paddle has no kernels for of these
  (``byte_kernels.py``).
* Padding by less than nothing (``cropping.py``).
* Changes of which torch tells no graph (``hidden_changes.py``).
* Scattering into what changes again (``scattered.py``).
* Numbers of what is of 16 bits, in a list (``halves.py``).
* What is made of truth values or narrow integers (``narrow_makers.py``).
* Reshaping what has no axes, where one of the two changes in place (``views_of_numbers.py``).
* Recurrent layers whose weights are exchanged or parametrized (``replaced_weights.py``).
* Casts to integers and truth values that go back to floating-point numbers (``places/whole_casts.py``).
* Layers of a Sequential by their places (``places_in_sequences.py``).
* The smooth L1 and the Huber loss of what may be of two shapes: Paddle's broadcasts nothing.
"""

from __future__ import annotations

import ast

from rewriters.hooks import chooses_rules
from rewriters.infer import Project
from rewriters.infer.joining import torch_class
from rewriters.infer.values import Bottom, Choice, Instance, ModuleInfo, ObjectOf, Ref, Tensor, Unknown
from rewriters.places import empties, layout_asked, rowless
from rewriters.places.calls import SPREADING
from rewriters.places.computed_layouts import reshaped_in
from rewriters.places.kept_results import kept
from rewriters.places.schedules import constructed
from rewriters.places.whole_casts import whole_casts
from rewriters.rewrite.fallbacks import may_broadcast
from rewriters.targets.paddle.passes.bare_norms import bare_norms
from rewriters.targets.paddle.passes.byte_kernels import byte_kernels
from rewriters.targets.paddle.passes.byte_sums import byte_sums
from rewriters.targets.paddle.passes.changed_leaves import changed_leaves
from rewriters.targets.paddle.passes.cropping import cropping
from rewriters.targets.paddle.passes.halves import halves
from rewriters.targets.paddle.passes.hidden_changes import hidden_changes
from rewriters.targets.paddle.passes.ignored_labels import labelled
from rewriters.targets.paddle.passes.kept_gradients import kept_gradients
from rewriters.targets.paddle.passes.linear_weights import FOREIGN, HANDED, LOOKED, Looks, looks_of
from rewriters.targets.paddle.passes.loaders import loaders
from rewriters.targets.paddle.passes.masked_stores import masked_stores, rowless_stores
from rewriters.targets.paddle.passes.modes import modes
from rewriters.targets.paddle.passes.narrow_makers import narrow_makers
from rewriters.targets.paddle.passes.norm_statistics import statistics_of
from rewriters.targets.paddle.passes.optimizers import (
    GROUPED,
    UNGROUPED,
    are_parameters,
    are_tensors,
    gives_parameters,
    optimizers_of,
)
from rewriters.targets.paddle.passes.own_names import own_names
from rewriters.targets.paddle.passes.places_in_sequences import places_in_sequences
from rewriters.targets.paddle.passes.plain_attributes import plains_of
from rewriters.targets.paddle.passes.read_once import Iterators
from rewriters.targets.paddle.passes.replaced_weights import replaced_weights
from rewriters.targets.paddle.passes.scattered import scattered
from rewriters.targets.paddle.passes.second_gradients import second_gradients
from rewriters.targets.paddle.passes.sparse_products import sparse_products
from rewriters.targets.paddle.passes.strided import strided
from rewriters.targets.paddle.passes.views_of_numbers import views_of_numbers
from rewriters.targets.paddle.passes.weight_makers import value_of
from rewriters.targets.paddle.passes.weight_uses import is_layer_of
from rewriters.text.tree import called_name

VIEWED = {
    f"torch.nn.init.{name}_"
    for name in (
        *("normal", "uniform", "trunc_normal", "xavier_normal", "xavier_uniform", "kaiming_normal", "kaiming_uniform"),
        *("orthogonal", "eye"),
    )
}
ASKED = "torch.nn.Module.reset_parameters:asked"
OWN = {f"torch.nn.init.kaiming_{kind}_": f"torch.nn.init.kaiming_{kind}_:own" for kind in ("normal", "uniform")}
WEIGHT_NORM = ("torch.nn.utils.weight_norm",)
LINEAR = "torch.nn.functional.linear"
SMOOTH = {"torch.nn.functional.smooth_l1_loss", "torch.nn.functional.huber_loss"}
# Whose gradients need what they were given, in Paddle alone, beside divisions of a number.
KEPT_INPUTS = {
    f"torch.{owner}{name}"
    for owner in ("", "Tensor.")
    for name in ("cumsum", "fmod", "kron", "kthvalue", "median", "remainder", "repeat_interleave", "tan", "topk")
}
# Whose gradients need what they gave, in Paddle alone, beside divisions.
POOLS = {f"{kind}_pool{axes}d" for kind in ("max", "avg", "adaptive_avg", "adaptive_max") for axes in (1, 2, 3)}
POOL_LAYERS = {f"{kind}Pool{axes}d" for kind in ("Max", "Avg", "AdaptiveAvg", "AdaptiveMax") for axes in (1, 2, 3)}
FUNCTIONS = (
    "elu",
    "selu",
    "hardsigmoid",
    "relu6",
    "normalize",
    "group_norm",
    "local_response_norm",
    "cosine_similarity",
)
METHODS = ("var", "quantile", "cov", "erfinv", "scatter_add", "median")
KEPT_RESULTS = {
    *(f"torch.{owner}{name}" for owner in ("", "nn.functional.") for name in (*FUNCTIONS, *POOLS)),
    *(f"torch.nn.{name}" for name in ("ELU", "SELU", "Hardsigmoid", "ReLU6", "GroupNorm", "LocalResponseNorm")),
    *(f"torch.nn.{name}" for name in ("CosineSimilarity", *POOL_LAYERS)),
    *(f"torch.{owner}{name}" for owner in ("", "Tensor.") for name in METHODS),
}
# What torch's modules give one after another, and Paddle's at once.
LISTS = {"parameters", "buffers", "modules"}


@chooses_rules
def keys(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Constructor calls of this module that a special rule answers for, with the rule's key."""
    found: dict[ast.AST, str] = {}
    looks = looks_of(project)
    for node in module.nodes.of(ast.Call):
        name = constructed(node) or ""
        if name.startswith("torch."):
            key = special(node, looks) if node.args or node.keywords else None
            if key:
                found[node] = key
            found.update(filled(node, looks))
        if name in SMOOTH and may_broadcast(module.nodes, node):
            found[node] = f"{name}:mixed"
        if reset := resets(node):
            found[node] = reset
        if isinstance(node.func, ast.Name) and node.func.id == "next" and node.args:
            first = node.args[0]
            if isinstance(first, ast.Call) and isinstance(first.func, ast.Attribute) and first.func.attr in LISTS:
                found[first] = f"torch.nn.Module.{first.func.attr}:next"
    once = Iterators(project, LISTS).keys(module)
    for node, key in statistics_of(project, looks.flow.parents).keys(module).items():
        found.setdefault(node, f"{key}_once" if node in once and key.endswith("parameters:torchs") else key)
    for node, key in once.items():
        found.setdefault(node, key)
    found.update(optimizers_of(project).keys(module))
    found.update(plains_of(project).keys(module))
    found.update(modes(project, module))
    found.update(dict.fromkeys(looks.sites_in(module), LOOKED))
    found.update(dict.fromkeys(looks.handed_on(module), HANDED))
    if looks.at_all:
        found[module.tree] = LOOKED  # also for the Linears that are made by a variable
    found.update(looks.transformers_in(module))
    found.update(dict.fromkeys(looks.elsewhere(module), FOREIGN))
    found.update(linear_sizes(looks, module))
    found.update(labelled(project, module))
    found.update(rowless_stores(module))
    found.update(masked_stores(module))
    found.update(strided(module))
    found.update(reshaped_in(module, spreading=SPREADING).keys)
    found.update(loaders(project, module))
    found.update(layout_asked.keys(module))
    found.update(layout_asked.reordered(module))
    found.update(empties.keys(module))
    found = rowless.keys(module) | found
    found.update(bare_norms(module))
    found.update(byte_sums(module))
    found = byte_kernels(module) | found
    found.update(cropping(module))
    found.update(hidden_changes(project, module))
    found = scattered(project, module) | found
    found.update(halves(module))
    found.update(narrow_makers(module))
    found.update(views_of_numbers(module))
    found.update(own_names(project, module))
    found.update(places_in_sequences(project, module))
    found.update(second_gradients(project, module))
    found.update(sparse_products(project, module))
    found.update(replaced_weights(project, module, looks.flow.parents))
    for node, key in changed_leaves(module).items():
        found.setdefault(node, key)
    for node, key in kept_gradients(project, module).items():
        found.setdefault(node, key)
    found.update(gradients_of(module))
    for node, key in whole_casts(module).items():
        found[node] = f"{found.get(node, '')}{key}"
    needed = kept(project, module, KEPT_RESULTS, KEPT_INPUTS, by_number=True, binds_anew=True)
    for node, key in needed.items():
        found[node] = f"{found.get(node, '')}{key}"
    return found


def linear_sizes(looks: Looks, module: ModuleInfo) -> dict[ast.AST, str]:
    """``layer.in_features``: Paddle's Linear tells them by its weight, torch's by their names."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Attribute):
        if node.attr not in {"in_features", "out_features"}:
            continue
        owner = value_of(node.value)
        is_derived = isinstance(owner, ObjectOf) and "torch.nn.Linear" in owner.info.linear()
        is_linear = class_of(node.value) == "torch.nn.Linear"
        if isinstance(owner, Choice) and any(torch_class(one) == "torch.nn.Linear" for one in owner.values):
            found[node] = f"torch.nn.Linear.{node.attr}:either"
            continue
        kind = "looked" if is_derived else looks.kind_of(node.value) if is_linear else ""
        if kind:
            found[node] = f"torch.nn.Linear.{node.attr}:{kind}"
    return found


def gradients_of(module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of torch.autograd.grad whose tuple is handed on, or that are given another iterable than a list or tuple:
    Paddle's takes and gives lists. Parts of it are the same.
    """
    calls = {
        node
        for node in module.nodes.of(ast.Call)
        if isinstance(called := getattr(node.func, "v", None), Ref) and called.name == "torch.autograd.grad"
    }
    found: dict[ast.AST, str] = {}
    if calls:
        found = {node: "torch.autograd.grad:iterable" for node in calls if is_iterable(node)}
        calls -= {node.value for node in module.nodes.of(ast.Subscript, ast.Starred)}
        calls -= {node.iter for node in module.nodes.of(ast.For, ast.comprehension)}
        for node in module.nodes.of(ast.Assign):
            if all(isinstance(target, (ast.Tuple, ast.List)) for target in node.targets):
                calls.discard(node.value)
    return dict.fromkeys(calls, "torch.autograd.grad:kept") | found


def is_iterable(call: ast.Call) -> bool:
    """``torch.autograd.grad(loss, weights.values())``, or of a generator."""
    words = {word.arg: word.value for word in call.keywords}
    inputs = call.args[1] if len(call.args) > 1 else words.get("inputs")
    if isinstance(inputs, ast.Call):
        return called_name(inputs) in {"values", "filter", "map", "chain"}
    return isinstance(inputs, ast.GeneratorExp)


def special(call: ast.Call, looks: Looks) -> str | None:
    """The key for a call that its first argument decides."""
    name = constructed(call) or "" if isinstance(call.func, (ast.Name, ast.Attribute)) else ""
    first = call.args[0] if call.args else call.keywords[0].value
    value = getattr(first, "v", None)
    if name in GROUPED and not are_parameters(value) and not gives_parameters(first):
        return GROUPED[name]
    if name in UNGROUPED and not are_tensors(value) and not gives_parameters(first):
        return UNGROUPED[name]
    if name in OWN and has_torch_layout(first, looks):
        return OWN[name]
    if name == LINEAR and len(call.args) > 1 and is_weight_of_linear(call.args[1], looks):
        return f"{LINEAR}:layer"
    if name in WEIGHT_NORM and isinstance(value, Instance) and value.name.startswith("torch.nn.Conv"):
        return "torch.nn.utils.weight_norm:convolution"
    return None


def is_weight_of_linear(node: ast.expr, looks: Looks) -> bool:
    """``self.proj.weight`` of what is known to be an nn.Linear, and becomes Paddle's own."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "weight"
        and class_of(node.value) == "torch.nn.Linear"
        and not looks.kind_of(node.value)
    )


def filled(call: ast.Call, looks: Looks) -> dict[ast.AST, str]:
    """``nn.init.normal_(w.data)``: most of Paddle's functions give a tensor new memory, which a view does not share."""
    name = constructed(call) or ""
    if not name.startswith("torch.nn.init.") or not call.args:
        return {}
    first = call.args[0]
    if isinstance(first, ast.Attribute) and first.attr == "data":
        return {first: "torch.Tensor.data:init"}
    return {call: f"{name}:view"} if name in VIEWED and looks.views.is_view(first) else {}


def resets(call: ast.Call) -> str | None:
    """``m.reset_parameters()`` and ``hasattr(m, "reset_parameters")`` of what may be a layer of torch's."""
    func = call.func
    if isinstance(func, ast.Name) and func.id == "hasattr" and len(call.args) == 2:
        value = getattr(call.args[0], "v", None)
        is_layer = isinstance(value, (Instance, Unknown, Bottom))
        return ASKED if is_layer and getattr(call.args[1], "value", None) == "reset_parameters" else None
    if not (isinstance(func, ast.Attribute) and func.attr == "reset_parameters"):
        return None
    value = getattr(func.value, "v", None)
    is_module = isinstance(value, Instance) and value.name == "torch.nn.Module"
    return "torch.nn.Linear.reset_parameters" if is_module or isinstance(value, (Unknown, Bottom)) else None


def has_torch_layout(node: ast.expr, looks: Looks) -> bool:
    """Whether a tensor, if it is a matrix, is (out, in) as torch's: all but the weight of Paddle's own Linear."""
    while isinstance(node, ast.Attribute) and node.attr == "data":
        node = node.value
    value = getattr(node, "v", None)
    if isinstance(value, Tensor) and value.ndim is not None and value.ndim != 2:
        return False
    if not isinstance(node, ast.Attribute):
        return True
    owner = getattr(node.value, "v", None)
    if isinstance(owner, ObjectOf):
        return not (owner.info.torch_base() or "").startswith("torch.nn.Conv")
    if is_layer_of(looks.flow, node):
        return (class_of(node.value) or "").startswith("torch.nn.Conv") < bool(looks.kind_of(node.value))
    return not (class_of(node.value) or "").startswith(("torch.nn.Conv", "torch.nn.BatchNorm"))


def class_of(node: ast.expr) -> str | None:
    """The torch class that an expression is an instance of, as far as it follows."""
    value = getattr(node, "v", None)
    return value.name if isinstance(value, Instance) else None
