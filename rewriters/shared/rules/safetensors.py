"""safetensors.torch: models to and from files."""

import os

from rewriters.rule import rule
from rewriters.targets.framework.rules.safetensors import load_file, save_file


def one_of_each(state, names=()):
    """Of what a state holds under several names: each -> the one that it is saved under, from ``names`` if any is."""
    kept = {}
    for group in {id(value): [n for n in sorted(state) if state[n] is value] for value in state.values()}.values():
        first = next((name for name in group if name in names), group[0])
        kept.update((name, first) for name in group if name != first)
    return kept


@rule("safetensors.torch.save_model")
def save_model(model, filename, metadata=None, force_contiguous=True):
    state = model.state_dict()
    kept = one_of_each(state)
    if kept:
        metadata = {**kept, **(metadata or {})}
    values = {name: value for name, value in state.items() if name not in kept}
    if force_contiguous:
        values = {name: value.contiguous() for name, value in values.items()}
    save_file(values, os.fspath(filename), metadata=metadata)


@rule("safetensors.torch.load_model")
def load_model(model, filename, strict=True, device="cpu", *, backend="mmap"):
    state = load_file(filename, device=device)
    kept = one_of_each(model.state_dict(), state)
    found = model.load_state_dict(state, strict=False)
    missing, unexpected = set(found.missing_keys), list(found.unexpected_keys)
    unexpected += [name for name in kept if name not in missing]
    missing -= set(kept)
    if strict and (missing or unexpected):
        wrong = [f"{what}: {', '.join(sorted(names))}" for what, names in
                 (("missing", missing), ("unexpected", unexpected)) if names]  # fmt: skip
        raise RuntimeError(f"Error(s) in loading state_dict for {type(model).__name__}: {'; '.join(wrong)}")
    return missing, unexpected
