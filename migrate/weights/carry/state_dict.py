"""Which of a checkpoint's dictionaries is the model's state_dict, and under which names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from migrate.errors import Unusable
from migrate.weights.readers.checkpoint import Checkpoint
from migrate.weights.readers.pickled import Opaque
from migrate.weights.readers.pickled_module import is_module, module_state
from migrate.weights.readers.tensor import TensorRef, Unreadable

RESAVE = "torch.save(model.state_dict(), PATH) writes one that can be read"
DATA_PARALLEL, COMPILED = "module.", "_orig_mod."
AVERAGED = ("ema", "swa", "averag", "teacher", "shadow")
"""In the names of running averages, which a checkpoint holds beside the model itself."""


@dataclass(frozen=True)
class StateDict:
    """The tensors of a model.

    tensors:   name, without wrappers' prefixes -> tensor, in the checkpoint's order.
    sources:   name -> the name in the checkpoint.
    key:       dotted path of the dictionary in the checkpoint, "" for the checkpoint itself.
    notes:     what was chosen and stripped, a sentence each.
    leftovers: what else the checkpoint holds and is not carried, a few words each.
    """

    tensors: dict[str, TensorRef]
    sources: dict[str, str]
    key: str
    notes: list[str] = field(default_factory=list)
    leftovers: list[str] = field(default_factory=list)

    def tied(self) -> list[list[str]]:
        """Groups of names that show the very same elements of one storage."""
        groups: dict[tuple[TensorRef, int], list[str]] = {}
        for name, tensor in self.tensors.items():
            if tensor.size:
                groups.setdefault((tensor, id(tensor.reader)), []).append(name)
        return [names for names in groups.values() if len(names) > 1]


def find_state_dict(checkpoint: Checkpoint, key: str | None = None, wanted: Collection[str] = ()) -> StateDict:
    """The model's tensors in ``checkpoint``.

    key:    dotted path of the dictionary; None to find the only one that has tensors.
    wanted: names of the model's own, where they are known: a prefix that is one of them is not stripped.

    Raises Unusable when there is none, when there are several, or when a tensor in it cannot be read.
    """
    path, root = checkpoint.path, checkpoint.tree
    if isinstance(root, (TensorRef, Unreadable)):
        raise Unusable(f"{path}: holds a single tensor, not a model's state_dict", RESAVE)
    found = candidates(root)
    if isinstance(root, Opaque) and not found:
        raise Unusable(f"{path}: holds an object of class {root.name}, not a state_dict", RESAVE)
    other: list[str] = []
    if key is None:
        chosen, other = _choose(checkpoint, found)
    else:
        chosen = key
        if key not in found:
            raise Unusable(f"{path}: no dictionary of tensors under --key {key}", _choices(found))
    entries = found[chosen]
    broken = {name: value for name, value in entries.items() if isinstance(value, Unreadable)}
    if broken:
        name, value = next(iter(broken.items()))
        others = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
        raise Unusable(f"{path}: tensor {name!r} is {value.kind}{others}", value.mend)
    tensors = {name: value for name, value in entries.items() if isinstance(value, TensorRef) and isinstance(name, str)}
    if odd := next((name for name in tensors if not name.isprintable()), None):
        raise Unusable(f"{path}: a tensor's name has control characters: {odd!a}", RESAVE)
    names, notes = _strip(checkpoint, list(tensors), wanted)
    if module := _module_at(root, chosen):
        notes.insert(
            0, f"the state_dict was put together from a whole pickled {module.name}: its class may do otherwise"
        )
    if chosen:
        also = f"; --key takes {', '.join(other)} instead" if other else ""
        notes.insert(0, f"the state_dict is the checkpoint's {chosen!r}{also}")
    notes[:0] = checkpoint.notes
    return StateDict(
        tensors=dict(zip(names, tensors.values(), strict=True)),
        sources=dict(zip(names, tensors, strict=True)),
        key=chosen,
        notes=notes,
        leftovers=_leftovers(root, chosen, found),
    )


def _mapping(node: Any) -> Mapping[Any, Any] | None:
    if is_module(node):
        return module_state(node)
    if isinstance(node, Opaque):
        return node.entries or None
    return node if isinstance(node, dict) else None


def _children(node: Any) -> Iterator[tuple[str, Any]]:
    mapping = _mapping(node)
    if mapping is not None:
        yield from ((str(key), value) for key, value in mapping.items() if isinstance(key, (str, int)))
    elif isinstance(node, (list, tuple)):
        yield from ((str(index), value) for index, value in enumerate(node))


def candidates(root: Any) -> dict[str, Mapping[Any, Any]]:
    """Dotted path and dictionary of every state_dict, outermost first; an optimizer's is not one."""
    seen: set[int] = set()  # a pickle can share one node a billion times
    pending = [("", root)]
    found: dict[str, Mapping[Any, Any]] = {}
    while pending:
        path, node = pending.pop()
        if id(node) in seen or _is_optimizer(node):
            continue
        seen.add(id(node))
        mapping = _mapping(node)
        if mapping is not None and any(is_tensor(value) for value in mapping.values()):
            found[path] = mapping
            if is_module(node) or any("." in str(name) for name, value in mapping.items() if is_tensor(value)):
                continue  # dotted names are a model's: what is nested in it is its extra state
        pending.extend((f"{path}.{name}" if path else name, child) for name, child in reversed(list(_children(node))))
    # Tensors beside a state_dict (a loss, the generator's state) do not make their dictionary one.
    outer = {
        ".".join(steps[:count]) for steps in (path.split(".") for path in found if path) for count in range(len(steps))
    }
    return {path: mapping for path, mapping in found.items() if path not in outer}


def is_tensor(value: Any) -> TypeGuard[TensorRef | Unreadable]:
    return isinstance(value, (TensorRef, Unreadable))


def _is_optimizer(node: Any) -> bool:
    return isinstance(node, dict) and "param_groups" in node and "state" in node


def _module_at(root: Any, path: str) -> Opaque | None:
    """The whole module that is the chosen dictionary."""
    node, here = root, ""
    while here != path:
        step = next(
            (
                (child, f"{here}.{name}" if here else name)
                for name, child in _children(node)
                if f"{path}.".startswith(f"{here}.{name}." if here else f"{name}.")
            ),
            None,
        )
        if step is None:
            return None
        node, here = step
    return node if is_module(node) else None


def _choose(checkpoint: Checkpoint, candidates: Mapping[str, Mapping[Any, Any]]) -> tuple[str, list[str]]:
    """The only one, or the only one that is no running average; and the others."""
    if not candidates:
        raise Unusable(f"{checkpoint.path}: holds no dictionary of tensors", RESAVE)
    found = list(candidates)
    if len(found) > 1:
        found = [path for path in found if not any(word in path.lower() for word in AVERAGED)]
    if len(found) != 1:
        raise Unusable(f"{checkpoint.path}: holds {len(candidates)} dictionaries of tensors", _choices(candidates))
    return found[0], [path for path in candidates if path != found[0]]


def _choices(candidates: Mapping[str, Mapping[Any, Any]]) -> str:
    listed = [
        f"{path} ({sum(map(is_tensor, entries.values()))} tensors)" for path, entries in candidates.items() if path
    ]
    return f"choose with --key: {', '.join(listed[:8])}" if listed else "the checkpoint is one itself: leave out --key"


def _strip(checkpoint: Checkpoint, names: list[str], wanted: Collection[str]) -> tuple[list[str], list[str]]:
    """The names without what DataParallel and torch.compile put before them, and notes on it."""
    notes = []
    for _ in range(4):  # compiled and parallel in either order, perhaps nested once more
        if not set(names).isdisjoint(wanted):
            break
        if any(COMPILED in name for name in names):
            names = [name.replace(COMPILED, "") for name in names]
            notes.append(f"{COMPILED!r} (torch.compile) was stripped from the names")
        elif names and all(name.startswith(DATA_PARALLEL) for name in names):
            names = [name.removeprefix(DATA_PARALLEL) for name in names]
            notes.append(f"{DATA_PARALLEL!r} (DataParallel) was stripped from the names")
        else:
            break
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise Unusable(f"{checkpoint.path}: {twice!r} is there twice once prefixes are stripped", RESAVE)
    return names, notes


def _leftovers(root: Any, chosen: str, candidates: Mapping[str, Mapping[Any, Any]]) -> list[str]:
    """What is beside the chosen dictionary, and what in it is no tensor."""
    left: list[str] = []
    node, path = root, ""
    while path != chosen:
        step = None
        for name, child in _children(node):
            here = f"{path}.{name}" if path else name
            if chosen == here or chosen.startswith(f"{here}."):
                step = (here, child)
            else:
                left.append(_leftover(here, child))
        assert step is not None, chosen
        path, node = step
    left += [_leftover(str(name), value) for name, value in candidates[chosen].items() if not is_tensor(value)]
    return left


def _leftover(path: str, value: Any) -> str:
    path = path if path.isprintable() else ascii(path)  # it goes to a terminal
    if _is_optimizer(value):
        return f"{path} (optimizer state: --optimizer)"
    if isinstance(value, (list, tuple)) and value and all(map(_is_optimizer, value)):
        return f"{path} (optimizer state: --optimizer)"
    if isinstance(value, (bool, int, float)):
        return f"{path} = {value!r}" if abs(value) < 1 << 53 or value != value else path
    return path
