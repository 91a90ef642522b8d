"""Which tensor becomes which: decided by the owner's class, never by a shape."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from migrate.errors import Unusable
from migrate.weights.carry.carry import Layouts, carry, keep
from migrate.weights.carry.model import Model, ModelEntry
from migrate.weights.readers.tensor import TensorRef
from rewriters.rules.layouts import dotted
from rewriters.weights.layout import dropped, permuted, renamed, split, transposed
from rewriters.weights.recipe import Block, Module, Recipe, part, summed, take

MODULE = "torch.nn.Module"
CLASSES = {
    MODULE: {},  # a base class may have a rule of its own
    "torch.nn.Linear": {"weight": transposed},
    "torch.nn.Embedding": {},
    "torch.nn.Conv2d": {"weight": permuted(2, 3, 1, 0, name="kernel")},
    "torch.nn.BatchNorm2d": {"running_mean": renamed("_mean"), "num_batches_tracked": dropped("not used")},
    "torch.nn.MultiheadAttention": {
        "in_proj_weight": split("q_proj.weight", "k_proj.weight", "v_proj.weight", axes=(1, 0))
    },
}
LAYOUTS = Layouts(CLASSES)


class Memory:
    def __init__(self) -> None:
        self.arrays: dict[str, np.ndarray] = {}

    def refer(self, name: str, array: np.ndarray) -> TensorRef:
        self.arrays[name] = array
        strides = tuple(stride // array.itemsize for stride in array.strides)
        return TensorRef(array.dtype.name, array.shape, strides, 0, name, self)

    def load(self, tensor: TensorRef) -> np.ndarray:
        return self.arrays[tensor.storage]


def tensors(**shapes: tuple[int, ...]) -> dict[str, TensorRef]:
    memory, dice = Memory(), np.random.default_rng(0)
    return {
        name.replace("__", "."): memory.refer(name.replace("__", "."), dice.random(shape, np.float32))
        for name, shape in shapes.items()
    }


def model(*entries: tuple[str, tuple[int, ...], str], tied: tuple[tuple[str, ...], ...] = ()) -> Model:
    described = []
    for name, shape, classes in entries:
        path, _, attribute = name.rpartition(".")
        described.append(ModelEntry(name, shape, "float32", path, attribute, (*classes.split(), MODULE)))
    return Model("nets:net", tuple(described), tied)


def carried(given, described, layouts=LAYOUTS):
    return {entry.name: array for move in carry(given, described, layouts, "Toy") for entry, array in move.load()}


def test_square_weights_are_laid_out_by_their_class():
    given = tensors(a__weight=(4, 4), b__weight=(4, 4), scale=(4, 4))
    out = carried(
        given,
        model(
            ("a.weight", (4, 4), "torch.nn.Linear"),
            ("b.weight", (4, 4), "torch.nn.Embedding"),
            ("scale", (4, 4), "nets.Net"),
        ),
    )
    assert np.array_equal(out["a.weight"], given["a.weight"].load().T)
    assert np.array_equal(out["b.weight"], given["b.weight"].load())
    assert np.array_equal(out["scale"], given["scale"].load())


def test_renamed_permuted_split_and_dropped():
    given = tensors(
        conv__weight=(2, 3, 4, 5), bn__running_mean=(2,), bn__num_batches_tracked=(), att__in_proj_weight=(6, 2)
    )
    described = model(
        ("conv.weight", (2, 3, 4, 5), "torch.nn.Conv2d"),
        ("bn.running_mean", (2,), "torch.nn.BatchNorm2d"),
        ("bn.num_batches_tracked", (), "torch.nn.BatchNorm2d"),
        ("att.in_proj_weight", (6, 2), "torch.nn.MultiheadAttention"),
    )
    moves = carry(given, described, LAYOUTS, "Toy")
    assert [(entry.name, entry.shape) for move in moves for entry in move.entries] == [
        ("conv.kernel", (4, 5, 3, 2)),
        ("bn._mean", (2,)),
        *((f"att.{part}_proj.weight", (2, 2)) for part in "qkv"),
    ]
    for move in moves:
        for entry, array in move.load():
            assert (array.shape, array.dtype) == (entry.shape, entry.dtype)
    out = carried(given, described)
    assert np.array_equal(out["att.k_proj.weight"], given["att.in_proj_weight"].load()[2:4].T)


def test_what_the_target_drops_may_be_missing():
    assert carried({}, model(("num_batches_tracked", (), "torch.nn.BatchNorm2d"))) == {}


def test_the_first_class_of_the_mro_with_a_rule_decides():
    given = tensors(weight=(2, 3))
    mine = model(("weight", (2, 3), "nets.Mine torch.nn.Linear"))
    private = model(("weight", (2, 3), "torch.nn.modules.linear.NonDynamicallyQuantizableLinear torch.nn.Linear"))
    assert carried(given, mine)["weight"].shape == carried(given, private)["weight"].shape == (3, 2)


@pytest.mark.parametrize("classes", ["torch.nn.GRU", "nets.Mine torch.nn.GRU", "torch.ao.nn.Odd"])
def test_a_class_without_a_rule_is_refused_by_name(classes):
    with pytest.raises(Unusable, match=rf"{classes.split()[-1]}, for which Toy has no rule"):
        carried(tensors(weight=(2, 3)), model(("weight", (2, 3), classes)))


def test_without_layouts_names_and_shapes_are_compared_and_no_more():
    given, described = tensors(weight=(2, 3)), model(("weight", (2, 3), "torch.nn.GRU"))
    assert carried(given, described, None)["weight"].shape == (2, 3)
    with pytest.raises(Unusable, match="2x3 in the checkpoint, 3x3 in nets:net"):
        carried(given, model(("weight", (3, 3), "torch.nn.GRU")), None)


def test_another_head_is_refused_with_both_shapes():
    with pytest.raises(Unusable, match=r"fc\.weight: 10x4 in the checkpoint, 1000x4 in nets:net") as error:
        carried(tensors(fc__weight=(10, 4)), model(("fc.weight", (1000, 4), "torch.nn.Linear")))
    assert "num_classes" in error.value.mend


def test_names_that_differ_are_listed_with_their_likely_cause():
    linear = "torch.nn.Linear"
    with pytest.raises(
        Unusable, match=r"1 of the model's .* fc\.weight; 1 of the checkpoint's .* net\.fc\.weight"
    ) as e:
        carried(tensors(net__fc__weight=(2, 2)), model(("fc.weight", (2, 2), linear)))
    assert "checkpoint's names begin with 'net'" in e.value.mend
    with pytest.raises(Unusable) as e:
        carried(tensors(fc__weight=(2, 2)), model(("net.fc.weight", (2, 2), linear)))
    assert "model's names begin with 'net'" in e.value.mend
    with pytest.raises(Unusable) as e:
        carried(
            tensors(a__weight=(2, 2)),
            model(("a.weight", (2, 2), linear), ("b.weight", (2, 2), linear), tied=(("a.weight", "b.weight"),)),
        )
    assert "tied" in e.value.mend
    many = {f"w{n}": (1,) for n in range(9)}
    with pytest.raises(Unusable, match=r"9 of the checkpoint's are not in nets:net: w0, w1, w2, w3, \.\.\."):
        carried(tensors(**many), model())


def test_two_that_would_become_one_are_refused():
    described = model(("running_mean", (2,), "torch.nn.BatchNorm2d"), ("_mean", (2,), "torch.nn.BatchNorm2d"))
    with pytest.raises(Unusable, match="running_mean and _mean would both become _mean"):
        carry(tensors(running_mean=(2,), _mean=(2,)), described, LAYOUTS, "Toy")


def test_a_layout_of_another_rank_is_refused():
    with pytest.raises(Unusable, match="3 axes"):
        carried(tensors(weight=(2, 2, 2)), model(("weight", (2, 2, 2), "torch.nn.Linear")))


def test_kept_as_torch_has_it():
    given = tensors(a__weight=(4, 3))
    assert [(m.source, m.changes(), m.entries[0].shape) for m in keep(given)] == [("a.weight", [""], (4, 3))]


def test_tied_parameters_of_other_layouts_keep_torchs_where_code_is_converted_and_else_each_its_own():
    given = tensors(embed__weight=(3, 2), head__weight=(3, 2))
    described = model(
        ("embed.weight", (3, 2), "torch.nn.Embedding"),
        ("head.weight", (3, 2), "torch.nn.Linear"),
        tied=(("embed.weight", "head.weight"),),
    )
    assert carried(given, described)["head.weight"].shape == (3, 2)
    assert carried(given, described, Layouts(CLASSES, keeps_ties=False))["head.weight"].shape == (2, 3)


def paired(module):
    module.need("depth", 1, "it is deep", "make it shallow")
    return {
        "sum": summed("a", "b"),
        "both": Recipe(((Block("a"),), (Block("b"),)), zero=((Block("c", 1, 2), "c has a tail", "cut it"),)),
        "c": part("c", 0, 2),
        "inner": take("child.weight", 1, 0, shape=(-1,)),
        "gone": dropped("not used"),
    }


PAIRED = Layouts({"torch.nn.Pair": paired, "torch.nn.Linear": {"weight": transposed}})


def pair(depth=1):
    described = model(
        *((f"p.{name}", shape, "torch.nn.Pair") for name, shape in (("a", (2,)), ("b", (2,)), ("c", (4,)))),
        ("p.gone", (), "torch.nn.Pair"),
        ("p.child.weight", (2, 3), "torch.nn.Linear"),
    )
    classes = ("torch.nn.Pair", MODULE)
    return replace(
        described, modules={"": Module("", ("nets.Net", MODULE)), "p": Module("p", classes, {"depth": depth})}
    )


def test_a_function_lays_out_a_module_and_its_children():
    given = tensors(p__a=(2,), p__b=(2,), p__c=(4,), p__gone=(), p__child__weight=(2, 3))
    array = {name.removeprefix("p."): tensor.load() for name, tensor in given.items()}
    array["c"][2:] = 0
    moves = carry(given, pair(), PAIRED, "Toy")
    out = {entry.name: found for move in moves for entry, found in move.load()}
    assert np.array_equal(out["p.sum"], array["a"] + array["b"])
    assert np.array_equal(out["p.both"], np.concatenate([array["a"], array["b"]]))
    assert np.array_equal(out["p.c"], array["c"][:2])
    assert np.array_equal(out["p.inner"], array["child.weight"].T.reshape(-1))
    assert {kept["source"] for move in moves for kept in move.kept()} == {"p.a", "p.b", "p.c", "p.gone"}
    assert [move.merged for move in moves if move.source == "p.a"] == [False]  # three become three


def test_what_a_function_refuses_names_the_module_and_what_has_no_place_must_be_zero():
    given = tensors(p__a=(2,), p__b=(2,), p__c=(4,), p__gone=(), p__child__weight=(2, 3))
    with pytest.raises(Unusable, match=r"p \(torch.nn.Pair\) in Toy: it is deep") as error:
        carry(given, pair(depth=2), PAIRED, "Toy")
    assert error.value.mend == "make it shallow"
    with pytest.raises(Unusable, match="c has a tail"):
        list(carry(given, pair(), PAIRED, "Toy")[0].load())


def test_children_of_a_sequential_are_where_the_target_has_them():
    given = tensors(seq__0__weight=(2, 3))
    described = model(("seq.0.weight", (2, 3), "torch.nn.Linear"))
    modules = {"": ("nets.Net", MODULE), "seq": ("torch.nn.Sequential", MODULE), "seq.0": ("torch.nn.Linear", MODULE)}
    described = replace(described, modules={path: Module(path, classes) for path, classes in modules.items()})
    moved = Layouts(CLASSES, lambda modules: dotted(modules, {"torch.nn.Sequential": "layers"}))
    assert list(carried(given, described, moved)) == ["seq.layers.0.weight"]


def test_one_under_two_names_is_repeated():
    layouts = Layouts({"torch.nn.Twice": lambda module: {"one": take("weight"), "two": take("weight")}})
    (move,) = carry(tensors(weight=(2, 2)), model(("weight", (2, 2), "torch.nn.Twice")), layouts, "Toy")
    assert [(entry.name, entry.same_as) for entry in move.entries] == [("one", ""), ("two", "one")]
    assert move.copies is move.sources[0][1]
