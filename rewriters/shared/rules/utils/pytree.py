"""torch.utils._pytree: nested containers, taken apart and put together; its own kinds of nodes, None is a leaf."""

import collections
import dataclasses

from rewriters.rule import alias, rule

alias("torch.utils._pytree.PyTree", "object")

PARTS = {
    tuple: (lambda tree: (list(tree), None), lambda parts, context: tuple(parts)),
    list: (lambda tree: (list(tree), None), lambda parts, context: list(parts)),
    dict: (lambda tree: (list(tree.values()), list(tree)), lambda parts, keys: dict(zip(keys, parts, strict=True))),
    collections.OrderedDict: (
        lambda tree: (list(tree.values()), list(tree)),
        lambda parts, keys: collections.OrderedDict(zip(keys, parts, strict=True)),
    ),
    collections.defaultdict: (
        lambda tree: (list(tree.values()), [tree.default_factory, list(tree)]),
        lambda parts, context: collections.defaultdict(context[0], zip(context[1], parts, strict=True)),
    ),
    collections.deque: (
        lambda tree: (list(tree), tree.maxlen),
        lambda parts, maxlen: collections.deque(parts, maxlen=maxlen),
    ),
}


def is_named_tuple(tree):
    return isinstance(tree, tuple) and hasattr(tree, "_fields")


@rule("torch.utils._pytree.register_pytree_node", "torch.utils._pytree._register_pytree_node")
def register_pytree_node(cls, flatten_fn, unflatten_fn, **options):
    PARTS[cls] = (flatten_fn, unflatten_fn)


@rule("torch.utils._pytree.register_dataclass")
def register_dataclass(cls, *, field_names=None, drop_field_names=None, serialized_type_name=None):
    names = [field.name for field in dataclasses.fields(cls) if field.init] if field_names is None else field_names
    kept = [name for name in names if name not in (drop_field_names or ())]
    PARTS[cls] = (
        lambda tree: ([getattr(tree, name) for name in kept], None),
        lambda parts, context: cls(**dict(zip(kept, parts, strict=True))),
    )


@rule("torch.utils._pytree.register_constant")
def register_constant(cls):
    # part of how a tree is put together: no leaf
    PARTS[cls] = (lambda tree: ([], tree), lambda parts, tree: tree)


@rule("torch.utils._pytree.TreeSpec", "torch.utils._pytree.PyTreeSpec")
class TreeSpec:
    """How a tree is put together. type: of its container, None for a leaf."""

    def __init__(self, type, context, children_specs):
        self.type, self.context, self.children_specs = type, context, list(children_specs)
        self.num_nodes = 1 + sum(child.num_nodes for child in self.children_specs)
        self.num_leaves = 1 if type is None else sum(child.num_leaves for child in self.children_specs)
        self.num_children = len(self.children_specs)

    def is_leaf(self):
        return self.type is None

    def children(self):
        return list(self.children_specs)

    def child(self, index):
        return self.children_specs[index]

    def unflatten(self, leaves):
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree "
                f"that holds {self.num_leaves} items"
            )
        return self.filled(iter(leaves))

    def filled(self, leaves):
        if self.type is None:
            return next(leaves)
        parts = [child.filled(leaves) for child in self.children_specs]
        if self.type is collections.namedtuple:
            return self.context(*parts)
        return PARTS[self.type][1](parts, self.context)

    def flatten_up_to(self, tree):
        """The parts of a tree that stand where this one has leaves."""
        if self.type is None:
            return [tree]
        kind, parts, context = taken_apart(tree, None)
        if kind is not self.type or len(parts) != self.num_children or context != self.context:
            raise ValueError(f"a {type(tree).__name__} does not match {self}")
        return [
            part for child, one in zip(self.children_specs, parts, strict=True) for part in child.flatten_up_to(one)
        ]

    def __eq__(self, other):
        if not isinstance(other, TreeSpec):
            return NotImplemented
        own, others = ((one.type, one.context, one.children_specs) for one in (self, other))
        return own == others

    def __hash__(self):
        return hash((self.type, self.num_leaves, self.num_children))

    def __repr__(self):
        if self.type is None:
            return "*"
        return f"TreeSpec({self.type.__name__}, {self.context}, {self.children_specs})"


def taken_apart(tree, is_leaf):
    """The kind of a container, its parts, and what else there is to it; the kind is None for a leaf."""
    if is_leaf is not None and is_leaf(tree):
        return None, [], None
    kind = type(tree)
    if kind not in PARTS:
        return (collections.namedtuple, list(tree), kind) if is_named_tuple(tree) else (None, [], None)
    parts, context = PARTS[kind][0](tree)
    return kind, list(parts), context


def flattened(tree, is_leaf, leaves):
    kind, parts, context = taken_apart(tree, is_leaf)
    if kind is None:
        leaves.append(tree)
    return TreeSpec(kind, context, [flattened(part, is_leaf, leaves) for part in parts])


@rule("torch.utils._pytree.tree_flatten")
def tree_flatten(tree, is_leaf=None):
    leaves = []
    spec = flattened(tree, is_leaf, leaves)
    return leaves, spec


@rule("torch.utils._pytree.tree_unflatten")
def tree_unflatten(leaves, treespec):
    return treespec.unflatten(leaves)


@rule("torch.utils._pytree.tree_leaves", "torch.utils._pytree.tree_iter")
def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


@rule("torch.utils._pytree.tree_structure")
def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


@rule("torch.utils._pytree.tree_map")
def tree_map(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    return spec.unflatten(map(func, leaves, *(spec.flatten_up_to(rest) for rest in rests)))


@rule("torch.utils._pytree.tree_map_")
def tree_map_(func, tree, *rests, is_leaf=None):
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def accepts(types_or_pred, leaf):
    """Whether a leaf is of one of the types; or what a function says of it."""
    if callable(types_or_pred) and not isinstance(types_or_pred, type):
        return types_or_pred(leaf)
    return isinstance(leaf, types_or_pred)


@rule("torch.utils._pytree.tree_map_only")
def tree_map_only(type_or_types_or_pred, func, tree, is_leaf=None):
    return tree_map(lambda leaf: func(leaf) if accepts(type_or_types_or_pred, leaf) else leaf, tree, is_leaf=is_leaf)


@rule("torch.utils._pytree.tree_map_only_")
def tree_map_only_(type_or_types_or_pred, func, tree, is_leaf=None):
    tree_map_only(type_or_types_or_pred, func, tree, is_leaf=is_leaf)
    return tree


@rule("torch.utils._pytree.tree_any")
def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_leaves(tree, is_leaf)))


@rule("torch.utils._pytree.tree_all")
def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_leaves(tree, is_leaf)))


@rule("torch.utils._pytree.tree_any_only")
def tree_any_only(type_or_types, pred, tree, is_leaf=None):
    return any(pred(leaf) for leaf in tree_leaves(tree, is_leaf) if isinstance(leaf, type_or_types))


@rule("torch.utils._pytree.tree_all_only")
def tree_all_only(type_or_types, pred, tree, is_leaf=None):
    return all(pred(leaf) for leaf in tree_leaves(tree, is_leaf) if isinstance(leaf, type_or_types))
