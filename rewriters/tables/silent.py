"""Makes ``silent.json`` of a target: methods of its tensors that don't take torch's arguments for what they mean.

Beside it ``alike.json``: forms of calls that were tried and gave what torch gives, wherever the target took them.

    python -m rewriters.tables.silent paddle --python PATH_TO_THE_TARGET'S_INTERPRETER

Run it with an interpreter that has torch. Methods that take numbers or tensors are called as torch calls them, in
torch and, as they stand, in the target. Where the target gives something else, be it another dtype, and raises
nothing, what is left alone because its receiver is unknown would be silently wrong: such a call goes through a helper
that looks at run time.
A form is the number of positional arguments, "@" if there is a tensor among them, and the names of the others; after
"=", only what such a call gives differs, not what it does to the tensor; after ".", only of tensors without axes.
"~" stands in the form of a call that gives a tensor of whole numbers a number with a fraction.
After "!", the target raises for each such call of a tensor of floating-point numbers; "!*" is a method that it lacks.
An attribute that is read, not called, is the form ""; one that is stored to, "set".
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import torch

from rewriters.storing import replace_text
from rewriters.tables.silent_calls import ALONE, DRAWING, OWN, REFUSING, STORED, UNTRIED
from rewriters.tables.silent_probe import PROBE
from rewriters.target import load_target

Results = dict[tuple[str, ...], Any]


def results(python: str, package: str, names: list[str], setting: str = "") -> tuple[Results, set[tuple[str, ...]]]:
    """What each call gives: (method, kind, form, arguments) -> value; ENDED for one that ends the process. And all that
    were tried.

    setting: a statement that is to run before the framework is used.
    After such a call of a method the next one is tried, after PATIENCE of them those that are chosen for it, up to
    MOST_ENDS that end it too.
    """
    found: Results = {}
    waiting = list(names)
    begin: dict[str, int] = {}
    ends: Counter[str] = Counter()
    tried: set[tuple[str, ...]] = set()
    while waiting:
        asked = json.dumps(
            {
                "package": package, "setting": setting, "names": waiting,
                "properties": sorted(PROPERTIES), "own": repr(OWN),
                "alone": sorted(ALONE), "drawing": sorted(DRAWING),
                "stored": STORED, "begin": begin, "refusing": REFUSING, "ends": ends, "patience": PATIENCE,
            }
        )  # fmt: skip
        ran = subprocess.run(
            [python, "-c", PROBE], input=asked, capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": ""}, check=False,
        )  # fmt: skip
        last: list[Any] = []
        for line in ran.stdout.splitlines():
            if line.startswith("GAVE "):
                name, kind, form, arguments, said = json.loads(line[5:])
                found[name, kind, form, arguments] = said
            elif line.startswith("HAS "):
                found[json.loads(line[4:]), HELD, "", ""] = None
            elif line.startswith("REFUSED "):
                name, form = json.loads(line[8:])
                found[name, REFUSED, form, ""] = None
            elif line.startswith("AT "):
                last = json.loads(line[3:])
                tried.add((last[0], *last[2:]))
        if ran.returncode == 0:
            break
        if not last:
            raise SystemExit(ran.stderr[-2000:])
        name, onwards, kind, form, arguments = last
        found[name, kind, form, arguments] = ENDED
        ends[name] += 1
        begin[name] = onwards
        if ends[name] > MOST_ENDS:
            found[name, ENDED, "", ""] = None
        waiting = waiting[waiting.index(name) + (ends[name] > MOST_ENDS) :]
    return found, tried


def alike(one: Any, other: Any) -> bool:
    """Equal values; numbers within rounding, lists and tuples alike; for torch's tensor of no axes also its number."""
    if isinstance(one, list) or not isinstance(other, list):
        one, other = number_of(one), number_of(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other or abs(one - other) <= 1e-3 * max(1.0, abs(one)) or (one != one and other != other)
    return bool(one == other)


def number_of(value: Any) -> Any:
    """The number of a tensor of no axes."""
    return value[2][0] if isinstance(value, list) and value[:2] == ["tensor", []] else value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("target")
    parser.add_argument("--python", required=True, help="the target's interpreter")
    parser.add_argument("--method", action="append", help="renew that one's entry alone; may be repeated")
    arguments = parser.parse_args()
    target = load_target(arguments.target)
    names = arguments.method or methods_of(torch.Tensor)
    ours = {call: said for call, said in results(sys.executable, "torch", names)[0].items() if said != ENDED}
    statement = target.setting[0]
    setting = f"import {target.package}\n{statement}" if statement else ""
    found, tried = results(arguments.python, target.modules["torch"], names, setting)
    theirs = {call: said for call, said in found.items() if said != ENDED}
    differing: dict[str, set[str]] = {}
    unequal: set[tuple[str, str]] = set()
    for (name, kind, form, given), said in ours.items():
        if kind in NO_CALLS:
            continue
        key = (name, kind, form, given)
        if key in theirs and not alike(said, theirs[key]):
            unequal.add((name, form))
            done = name.endswith("_") and alike(said[1], theirs[key][1])
            # of what has no axes: that is rare, but as a running value
            bare = kind == "n" and not name.endswith("_")
            if not (bare and "@" in form):
                differing.setdefault(name, set()).add(f".{form}" if bare else f"={form}" if done else form)
    for name, forms in raising(ours, theirs).items():
        differing.setdefault(name, set()).update(f"!{form}" for form in forms)
    path = target.records / "silent.json"
    methods = {name: sorted(forms) for name, forms in sorted(differing.items())}
    known: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if arguments.method:
        methods |= {name: forms for name, forms in known.items() if name not in names}
    keep_known(methods, known, {name for name, kind, *_ in theirs if kind == ENDED})
    replace_text(path, json.dumps(methods, indent=0, sort_keys=True) + "\n")
    print(f"{len(methods)} methods of {target.title} -> {path}")
    path = target.records / "alike.json"
    unequal |= {(name, form.lstrip("=.!")) for name, forms in methods.items() for form in forms}
    unequal |= {(name, form) for name, kind, form, given in ours if (name, kind, form, given) not in tried}
    even = tried_alike(ours, theirs, unequal)
    if arguments.method:
        known = json.loads(path.read_text(encoding="utf-8"))
        even |= {name: forms for name, forms in known.items() if name not in names}
    even |= {name: sorted({*even.get(name, ()), *forms}) for name, forms in UNTRIED.items()}
    replace_text(path, json.dumps(even, indent=0, sort_keys=True) + "\n")


def tried_alike(
    ours: dict[tuple[str, ...], Any], theirs: dict[tuple[str, ...], Any], unequal: set[tuple[str, str]]
) -> dict[str, list[str]]:
    """The forms of which some call gave in the target what it gives in torch, and none anything else."""
    found: dict[str, set[str]] = {}
    for name, kind, form, given in ours:
        if kind not in NO_CALLS and (name, kind, form, given) in theirs and (name, form) not in unequal:
            found.setdefault(name, set()).add(form)
    if not any(kind in SPARSE for _, kind, *_ in theirs):  # then torch's dense tensors raise as theirs do
        dense = {name for name, kind, form, _ in ours if kind not in SPARSE | NO_CALLS and form != "set"}
        for name, kind, form, _ in ours:
            if kind in SPARSE and name not in dense:
                found.setdefault(name, set()).add(form)
    return {name: sorted(forms) for name, forms in sorted(found.items())}


def keep_known(methods: dict[str, list[str]], known: dict[str, list[str]], ended: set[str]) -> None:
    """Of a method that has ended the process, what an earlier run saw stays: it was not tried to its end."""
    for name in ended & set(known):
        kept = {form for form in known[name] if form != "!*"}
        if kept:
            methods[name] = sorted({*methods.get(name, ()), *kept})


def raising(ours: dict[tuple[str, ...], Any], theirs: dict[tuple[str, ...], Any]) -> dict[str, set[str]]:
    """The forms of calls of floating-point tensors that all raise in the target, by method; "*" where none does not."""
    held = {name for name, kind, *_ in theirs if kind == HELD}
    lacked = {name for name, kind, *_ in ours if kind == HELD} - held
    ended = {name for name, kind, *_ in theirs if kind == ENDED}
    found: dict[str, set[str]] = {}
    taken = {(name, form) for name, kind, form, _ in theirs if kind in FLOATS}
    for name, kind, form, _ in theirs:
        if kind == REFUSED:
            found.setdefault(name, set()).add(form)
    found |= {name: {"*"} for name in lacked}
    for name, kind, form, _ in ours:
        if name not in lacked and kind in FLOATS and (name, form) not in taken and name not in ended:
            found.setdefault(name, set()).add(form)
    return found


PROPERTIES = {
    name for name in dir(torch.Tensor) if not name.startswith("_") and not callable(getattr(torch.Tensor, name, None))
}


def methods_of(kind: type) -> list[str]:
    """What is tried: those below, in their order, then the rest of a class's methods and its properties."""
    names = METHODS.split()
    others = [name for name in dir(kind) if not name.startswith("_")]
    return names + [name for name in others if name not in {*names, *LEFT_OUT.split()}]


ENDED = "ended"
"""In place of what a call gives: it ended the process. In place of a kind: what would have followed was not tried."""
HELD, REFUSED = "held", "refused"
"""In place of a kind: tensors have the method; they take no such words, whatever device there is."""
NO_CALLS = {ENDED, HELD, REFUSED}
MOST_ENDS = 24
PATIENCE = 16
FLOATS = {"f", "v", "c", "q", "u", "w"}
SPARSE = {"s", "z"}
LEFT_OUT = """
apply_ bernoulli cauchy_ cuda data_ptr dim_order dump eig exponential_ geometric_ hpu ipu is_pinned
is_shared istft log_normal_ lstsq map2_ map_ module_load mtia multinomial new_empty new_empty_strided
pin_memory random_ record_stream
register_hook register_post_accumulate_grad_hook reinforce resize resize_ resize_as_ set_ share_memory_ solve stft
storage storage_type symeig to_mkldnn to_padded_tensor to_sparse to_sparse_bsc to_sparse_bsr to_sparse_coo
to_sparse_csc to_sparse_csr untyped_storage xpu
"""
"""Methods that draw, that change what a tensor lies in, or that are about devices and other kinds of tensors."""

METHODS = """
all aminmax any argmax argmin argsort chunk clamp clip count_nonzero cummax cummin cumprod cumsum diag diagonal diff
dim div dot element_size expand fill_ flatten flip floor_divide fmod histc hsplit item kthvalue log_softmax
logcumsumexp logsumexp max mean median min mode moveaxis movedim nanmean nanmedian nansum narrow new_full new_ones
new_zeros nonzero norm numel numpy permute pow prod quantile ravel remainder repeat repeat_interleave reshape roll
rot90 round select size softmax sort split split_with_sizes squeeze squeeze_ std stride sum swapaxes swapdims t
tensor_split tile tolist topk trace transpose transpose_ tril triu trunc type unbind unflatten unfold unique
unique_consecutive unsqueeze unsqueeze_ var view vsplit
add add_ addmm addmm_ allclose atan2 baddbmm bincount bitwise_and bmm bucketize cdist copy_ copysign cross dist div_ dot
eq equal expand_as fmax fmin gather gcd ge gt heaviside hypot index_add index_add_ index_copy index_fill index_fill_
index_put index_select inner isclose kron lcm ldexp le lerp lerp_ logical_and lt masked_fill masked_fill_
masked_scatter masked_select matmul maximum minimum mm mul mul_ mv ne nextafter outer pow_ put_ reshape_as scatter
scatter_ scatter_add scatter_add_ scatter_reduce searchsorted sub sub_ take tensordot type_as view_as where xlogy
addcmul addcdiv addcmul_ addcdiv_ masked_scatter_ index_copy_ index_put_ scatter_reduce_
"""

if __name__ == "__main__":
    main()
