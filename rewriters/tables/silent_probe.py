"""What ``silent`` has a framework's interpreter run: it calls the methods of tensors, and prints what each gives."""

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
        cut = kind in "ib" and any(isinstance(value, float) and value % 1 for value in given)
        form = " ".join([str(len(given)), *given_tensors, *(["~"] if cut else []), *sorted(named)])
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
