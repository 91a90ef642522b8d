"""Makes ``silent.json`` of a target: methods of its tensors that don't take torch's arguments for what they mean.

Beside it ``alike.json``: forms of calls that were tried and gave what torch gives, wherever the target took them.

    python -m rewriters.tables.silent paddle --python PATH_TO_THE_TARGET'S_INTERPRETER

Run it with an interpreter that has torch. Methods that take numbers or tensors are called as torch calls them, in
torch and, as they stand, in the target. Where the target gives something else, be it another dtype, and raises
nothing, what is left alone because its receiver is unknown would be silently wrong: such a call goes through a helper
that looks at run time.
A form is the number of positional arguments, "@" if there is a tensor among them, and the names of the others; after
"=", only what such a call gives differs, not what it does to the tensor; after ".", only of tensors without axes.
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
from rewriters.target import load_target

Results = dict[tuple[str, ...], Any]

PROBE = r"""
import ast, contextlib, faulthandler, importlib, io, itertools, json, sys
import numpy
asked = json.load(sys.stdin)
own_calls = ast.literal_eval(asked["own"])
exec(asked["setting"])
package = importlib.import_module(asked["package"])
def make(values):
    if asked["package"] == "paddle":
        return package.to_tensor(values)
    if hasattr(package, "tensor"):
        return package.tensor(values)
    made = package.array(values)  # of numpy's kind, where numbers with a fraction are of float64
    return made.astype("float32") if made.dtype == "float64" else made
Tensor = type(make([1.0]))
arrays = {
    "f": [[3.5, -1.25, 2.0, 0.5], [0.75, 4.0, -2.5, 1.5], [1.0, 0.25, 5.0, -3.0], [2.25, -0.5, 1.75, 6.0]],
    "i": [[3, 1, 2, 5], [7, 4, 9, 1], [1, 8, 5, 3], [2, 6, 1, 6]],
    "b": [[True, False, True, True], [False, False, True, False], [True] * 4, [False] * 4],
}
values = [0, 1, 2, -1, (1, 0), True]
forms = [((), {})] + [((a,), {}) for a in values] + [((a, b), {}) for a in values for b in values]
forms += [((a, b, c), {}) for a in (0, 1) for b in (0, 1) for c in (1, 2)]
words = {"dim": [0, 1, -1, (0, 1)], "keepdim": [True], "descending": [True], "axis": [1], "unbiased": [False]}
for name, choices in words.items():
    forms += [((), {name: c}) for c in choices] + [((1,), {name: c}) for c in choices]
forms += [((), {"p": p, **more}) for p in (1, 2) for more in ({}, {"dim": 1}, {"dim": (0, 1)})]
forms += [((), {"dim": 1, word: True}) for word in ("keepdim", "descending")] + [((2,), {"dim": d}) for d in (0, 1)]
def shown(value):
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)) or type(value).__module__.startswith("torch.return_types"):
        return [shown(part) for part in value]
    if hasattr(value, "numpy") or isinstance(value, Tensor):
        dtype = str(value.dtype).rpartition(".")[2]
        if dtype == "bfloat16":  # which numpy has not
            value = value.cast("float32") if hasattr(value, "cast") else value.float()
        array = value.detach().numpy() if hasattr(value, "detach") else numpy.asarray(value)
        return ["tensor", list(array.shape), [round(float(x), 4) for x in array.reshape(-1).tolist()], dtype]
    return type(value).__name__
arrays["v"] = arrays["f"][0]
vectors = ("v", "further")
arrays["n"] = 3.5  # without axes
# views: one that begins further on, one whose axes are exchanged, every other column
views = {
    "further": lambda: make([7.0, *arrays["v"]])[1:],
    "exchanged": lambda: make(arrays["f"]).transpose(*((1, 0) if asked["package"] != "paddle" else ([1, 0],))),
    "other": lambda: make([[x for x in row for _ in (0, 1)] for row in arrays["f"]])[:, ::2],
}
arrays |= {"further": arrays["v"], "exchanged": [list(row) for row in zip(*arrays["f"])], "other": arrays["f"]}
# tensors that are given: of the same shape, a mask, indices of one axis and of as many, a vector, one number
tensors = {
    "@same": lambda kind: make(1.25 if kind == "n" else arrays[kind][::-1]),
    "@mask": lambda kind: make([True, False, True, False] if kind in vectors else [[True, False, True, False]] * 4),
    "@row": lambda kind: make([0, 2]),
    "@rows": lambda kind: make([0, 1, 3] if kind in vectors else [[0, 1, 2, 3], [3, 2, 1, 0]]),
    "@vector": lambda kind: make(arrays[kind if kind in "ib" else "f"][1]),
    "@one": lambda kind: make(2 if kind == "i" else 2.5),
}
def actual(value, kind):
    if isinstance(value, tuple):
        return tuple(actual(part, kind) for part in value)
    if not isinstance(value, str):
        return value
    if value.startswith("%"):
        return getattr(package, value[1:])
    return tensors[value](kind) if value in tensors else value
def graph(kind):
    # a leaf, and what was computed of it
    leaf = make(arrays[kind])
    if asked["package"] == "paddle":
        leaf.stop_gradient = False
    else:
        leaf.requires_grad_(True)
    return leaf, leaf * leaf
def drawn(x):
    # of many numbers drawn, what says how they lie
    return [list(x.shape), round(float(x.mean()), 1), round(float(x.std()), 1), str(x.dtype).rpartition(".")[2]]
given = list(tensors)
more = [((a,), {}) for a in given] + [((a, b), {}) for a in given for b in [*given, 2, 0.5]]
more += [((a, b, *c), {}) for a in (0, 1) for b in given for c in [()] + [(d,) for d in [*given, 2, 0.5]]]
more += [((1, "@rows", "@same"), {"reduce": "add"}), (("@same",), {"alpha": 2}), (("@same", "@same"), {"value": 2})]
# of three axes, calls that name three of them or their sizes
arrays["c"] = [[[1.5, -2.0, 0.5], [3.0, 4.5, -1.0]], [[2.5, 0.25, 6.0], [-3.5, 1.0, 7.0]]]
shapes = [(0, 2, 1), (2, 0, 1), (-1, 0, -2), (2, 3, 2), (2, -1, 2), (2, 2, 3), (4, 3), (4, -1), (-1,), (3, 4)]
of_three = [(shape, {}) for shape in shapes] + [((shape,), {}) for shape in shapes]
of_three += [((a, b), {}) for a in (0, 1, 2) for b in (1, 2, -1)] + [((a,), {}) for a in (0, 1, 2, -1)] + [((), {})]
calls = {kind: of_three if kind == "c" else [*forms, *more] for kind in arrays}
arrays["q"] = [arrays["c"], arrays["c"][::-1]]  # of four axes
arrays["u"] = [arrays["q"]]  # of five
arrays["w"] = [arrays["u"], arrays["u"]]  # of six
arrays["s"] = None  # sparse, with two values at one place
def sparse():
    of = package.sparse if asked["package"] == "paddle" else package
    return of.sparse_coo_tensor(make([[0, 0, 1], [1, 1, 0]]), make([1.0, 2.0, 3.0]), [2, 2])
views["s"] = sparse
arrays["z"] = None  # sparse, as ``coalesce`` leaves it
views["z"] = lambda: sparse().coalesce()
SET = ((), {"set": None})  # an object is stored under a method's name
everywhere = [(kind, call) for kind in calls for call in calls[kind]]
for name, given, named in asked["refusing"]:
    try:
        getattr(make(arrays["f"]), name)(*given, **named)
    except TypeError as error:
        if "keyword" in str(error):  # it takes no such word, on whatever device
            print("\nREFUSED", json.dumps([name, " ".join([str(len(given)), *sorted(named)])]), flush=True)
    except Exception:
        continue
for name in asked["names"]:
    if hasattr(type(make(arrays["f"])), name):
        print("\nHAS", json.dumps(name), flush=True)
    own = [(kind, call) for kind in arrays for call in own_calls.get((name, kind), ())]
    pairs = own if name in asked["alone"] else [*everywhere, *own]
    pairs = pairs if name in asked["properties"] else [("f", SET), *pairs]
    chosen = next((number for number, (kind, _) in enumerate(pairs) if kind == "c"), 0)
    chosen = chosen if asked["ends"].get(name, 0) >= asked["patience"] else 0
    for number, (kind, (given, named)) in enumerate(pairs):
        if number < asked["begin"].get(name, 0):
            continue
        onwards = max(number + 1, chosen)
        given_tensors = ["@"] if any(isinstance(value, str) and value in tensors for value in given) else []
        form = " ".join([str(len(given)), *given_tensors, *sorted(named)])
        print("\nAT", json.dumps([name, onwards, kind, form, repr((given, named))]), flush=True)
        try:
            x = views[kind]() if kind in views else make(arrays[kind])
            if not hasattr(x, name):
                break
            if (given, named) == SET:
                said = []
                for value in (True, 3, "x", [make(arrays["v"])]):
                    setattr(x, name, value)
                    said.append(getattr(x, name) is value)
                print("\nGAVE", json.dumps([name, kind, "set", "", said]), flush=True)
                continue
            if name in asked["properties"]:
                said = [shown(getattr(x, name)), shown(x)]
                print("\nGAVE", json.dumps([name, kind, "", "", said]), flush=True)
                said = []
                for value in asked["stored"].get(name, ()):
                    setattr(x, name, value)
                    said.append([shown(getattr(x, name)), getattr(x * x, name)])
                if said:
                    print("\nGAVE", json.dumps([name, kind, "set", "", said]), flush=True)
                continue
            faulthandler.dump_traceback_later(30, exit=True)
            with contextlib.redirect_stdout(io.StringIO()):
                positional = [actual(value, kind) for value in given]
                words = {word: actual(value, kind) for word, value in named.items()}
                if name == "backward":
                    leaf, x = graph(kind)
                    x = x if given or "gradient" in named else x.sum()
                    said = [x.backward(*positional, **words), shown(leaf.grad)]
                elif name in asked["drawing"]:
                    x = package.zeros([400, 500])
                    said = [drawn(getattr(x, name)(*positional, **words)), drawn(x)]
                else:
                    said = [shown(getattr(x, name)(*positional, **words)), shown(x) if kind not in "sz" else None]
        except Exception as error:
            continue
        finally:
            faulthandler.cancel_dump_traceback_later()
        print("\nGAVE", json.dumps([name, kind, form, repr((given, named)), said]), flush=True)
"""


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
