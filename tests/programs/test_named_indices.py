"""Indices that are held by a name, or put together: ``at = (slice(None), rows); x[at]``, ``x[(*pre, rows)]``."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from migrate.programs import Outcome

TARGETS = ("paddle", "oneflow", "jax")
HEAD = "import json\nimport numpy as np\nimport torch\nx = torch.arange(24.0).reshape(2, 3, 4)\n"
TAKEN = {
    "of a strided view": """
        at = (slice(None), [0, 2])
        rows = (slice(None), torch.tensor([1, 0]))
        y = x.permute(2, 0, 1)
        show(y[at[:1] + ([1, 0],)], y[rows], x.permute(1, 2, 0)[at])
        show(x.transpose(0, 1)[(Ellipsis, torch.tensor([0, 2]))])
    """,
    "put together": """
        def along(x, axis, places):
            at = [slice(None)] * x.ndim
            at[axis] = places
            return x[tuple(at)]

        pre = (slice(None),) * 2
        y = x.permute(2, 0, 1)
        show(along(y, 1, torch.tensor([1, 0])), along(y, 2, [1, 0]), along(x, 0, 1), along(y, 0, slice(1, 3)))
        show(y[pre + (torch.tensor([1, 0]),)], y[(slice(None), *[[1, 0]])], y[(*pre, [1, 0])], y[(*pre, None)])
    """,
    "of an object, of a loop": """
        class Table:
            def __init__(self):
                self.at = (slice(None), torch.tensor([0, 1]))
                self.x = x.permute(2, 0, 1)

        show(Table().x[Table().at])
        for at in (slice(None), 1), (slice(None), [0, 1]), (0, slice(None), [1, 2]):
            show(x.permute(1, 0, 2)[at])
    """,
    "a number beside places": """
        at = (0, slice(None), torch.tensor([1, 0]))
        places = [slice(None)] * 3
        places[0], places[2] = 1, torch.tensor([1, 0, 3])
        show(x[at], x[tuple(places)], x[(0, *at[1:])], x[tuple(json.loads("[1, 2]"))])
    """,
    "a list": """
        where, deep = [0], [[0, 1], [1, 0]]
        mask = [True, False]
        show(x[where], x[[]], x[range(2)], x[:, where], x[where, 1], x[deep], x[mask], x[torch.tensor([1, 0]).tolist()])
    """,
    "lists of lists": """
        for at in [np.array([0, 1]), np.array([1, 0])], [range(2), range(2)], [(0, 1, 0), (1, 0, 1)]:
            show(x[at])
        arrays, ranges = [np.array([0, 1]), np.array([1, 0])], [range(2), range(2)]
        pairs, many = [(0, 1, 0), (1, 0, 1)], [[0, 1]] * 40
        zipped = list(zip([0, 1, 1], [1, 0, 0]))
        show(x[arrays], x[ranges], x[pairs], x[zipped[:2]], x[many].shape)
        named = {"a": [[0, 1, 0], [1, 0, 1]], "b": [0, 1]}
        show([x[named[name]] for name in named], [x[at] for at in named.values()])
        of_tensor = torch.tensor([[0, 1, 0], [1, 0, 1]]).tolist()
        flat = torch.tensor([1, 0]).tolist()
        show(x[of_tensor], x[flat])
    """,
    "made by numpy's index": """
        y = x.permute(2, 0, 1)
        at, part = np.index_exp[1:, torch.tensor([0, 1])], np.s_[..., 1:]
        show(y[np.index_exp[1:, [0, 1]]], y[np.s_[1:, [0, 1]]], y[at], y[part], y[np.index_exp[0]], y[np.s_[1:3]])
    """,
}
READ = """
    lists = json.loads("[[0, 1, 0], [1, 0, 1]]")
    arrays = np.array([[0, 1, 0], [1, 0, 1]]).tolist()
    show(x[lists], x[arrays])
"""
BY_NAME = """
    import operator
    y = x.permute(2, 0, 1)
    at = (slice(1, None), [0, 1])
    show(y.__getitem__((slice(1, None), torch.tensor([0, 1]))), y.__getitem__(at), y.__getitem__(1))
    show(operator.getitem(y, (slice(1, None), [0, 1])), operator.getitem(y, 1), operator.getitem({"a": 1}, "a"))
"""
# Of an index nothing says whether it is one part, several, or a list of places.
UNSAID = {
    "of a parameter": """
        def first(x, at): return x[at]
        def second(x: torch.Tensor, at): return x[at]
        def last(x: torch.Tensor, at, value): x[at] = value
        def added(x: torch.Tensor, at): x[at] += 1

        def run(name, *given): return globals()[name](*given)
        y, z = x.permute(2, 0, 1), x.clone().permute(2, 0, 1)
        for at in 1, slice(1, 3), (slice(None), [1, 0]), [True, False, True, False], (slice(None), [True, False]):
            show(first(y, at), run("second", y, at))
            run("last", z, at, 5.0)
            run("added", z, at)
            show(z)
        show(first(x, [[0, 1], [1, 0]]), run("second", x, [[0, 1], [1, 0]]))
    """,
    "of an item asked for": """
        class Part:
            def __init__(self, x: torch.Tensor):
                self.x = x

            def __getitem__(self, at):
                return Part(self.x[at])

        show(Part(x.permute(2, 0, 1))[:, [1, 0]].x, Part(x.permute(2, 0, 1))[1].x)
    """,
    "of what is read or held": """
        box = json.loads('{"a": [[0, 1], [1, 0]], "b": [1, 0], "c": [true, false], "d": 1}')
        show(x[box["a"]], x[box["b"]], x[box["c"]], x[box["d"]], [x[box[name]] for name in "abcd"])
        places = {"a": (slice(None), [1, 0]), "b": 1}
        show([x.permute(2, 0, 1)[at] for at in places.values()])
    """,
    "of a function": """
        import operator
        y, z, kept = x.permute(2, 0, 1), x.clone().permute(2, 0, 1), {}
        at, places = (slice(None), torch.tensor([1, 0])), torch.tensor([1, 3])
        show(torch.Tensor.__getitem__(y, at), torch.Tensor.__getitem__(x, [[0, 1], [1, 0]]), operator.getitem(y, 1))
        torch.Tensor.__setitem__(z, places, 7.0)
        operator.setitem(z, (slice(None), places[:1]), 5.0)
        operator.setitem(kept, "a", 1)
        show(z, kept, list(map(operator.getitem, [y, y, [1, 2]], [at, 1, 0])))
        take, store = y.__getitem__, z.__setitem__
        store(at, 3.0)
        show(z, take(at), list(map(y.__getitem__, [1, at])))
    """,
}
CHANGED = {
    "a view by slices": """
        at = tuple(slice(0, 1) for _ in x.shape)
        y = x[at]
        y += 1
        pad = [slice(None)] * 2
        pad[1] = slice(0, 2)
        z = x[tuple(pad)]
        z *= 2
        show(x, y, z)
    """,
    "a view or a copy": """
        def changed(x, at):
            y = x[at]
            y += 1
            return y

        def with_one_more(x, *at):
            y = x[at]
            y.add_(1)
            return y

        show(changed(x, (0,)), changed(x, (slice(None), 1)), changed(x.permute(2, 0, 1), (slice(None), [1, 0])), x)
        show(with_one_more(x, 1), with_one_more(x.permute(2, 0, 1), slice(None), torch.tensor([1, 0])), x)
    """,
    "a column by an unknown place": """
        def changed(y: torch.Tensor, place):
            part = y[:, place]
            part += 1

        changed(x.permute(2, 0, 1), json.loads("1"))
        changed(x.permute(2, 0, 1), json.loads("[0]"))
        show(x)
    """,
}
STORED = {
    "by places": """
        at = (slice(None), torch.tensor([1, 0]))
        x[at] += 1
        x[at[:1] + (0,)] *= 2
        x[[0]] -= 1
        where = [1]
        x[where] = 5
        x[:, where] += 1
        show(x)
    """,
    "by what is computed": """
        x[x == 5] += 100
        x[x.sum((1, 2)) > 100] *= 2
        x[torch.arange(2), torch.arange(2)] += 100
        m = x[:, :, 0] > 3
        x[torch.where(m)] -= 1
        x[tuple(m.nonzero().t())] += 3
        x[torch.tensor([1, 0]).int()] /= 2
        show(x)
    """,
    "into a copy": """
        m = torch.tensor([True, False])
        x[torch.tensor([1, 0]).tolist()].add_(100)
        x[torch.tensor([1, 0]).numpy()].mul_(2)
        x[m.nonzero()[:, 0]].fill_(0)
        x[m.nonzero(as_tuple=True)].zero_()
        x[True].add_(3)
        x[[torch.tensor([1]), torch.tensor([2])]].fill_(-3)
        show(x)
    """,
}
GRADIENTS = """
    def gradients(at):
        x = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
        w = torch.ones(2, 2, 4, requires_grad=True)
        y = x * 2
        y[at] = w * 3
        (y * y).sum().backward()
        return x.grad, w.grad

    at = [slice(None)] * 3
    at[1] = torch.tensor([0, 2])
    show(gradients((slice(None), torch.tensor([0, 2]))), gradients(tuple(at)))
"""


@pytest.mark.parametrize("program", [*TAKEN.values(), *STORED.values()], ids=[*TAKEN, *STORED])
@pytest.mark.parametrize("target", TARGETS)
def test_agrees(agrees: Callable[..., object], target: str, program: str) -> None:
    agrees(HEAD + dedent(program), target)


@pytest.mark.parametrize("program", UNSAID.values(), ids=UNSAID)
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_of_which_nothing_is_known(agrees: Callable[..., object], target: str, program: str) -> None:
    agrees(HEAD + dedent(program), target)


@pytest.mark.parametrize("change", ["setitem(x, 0, 5.0)", "iadd(x, 1)"])
def test_functions_that_change_what_does_not(announced: Callable[..., object], change: str) -> None:
    announced(f"import operator\nimport torch\nx = torch.zeros(3)\noperator.{change}\nshow(x)", "jax")


def test_stores_of_what_is_unknown_raise(outcome: Callable[..., Outcome]) -> None:
    program = """
        import operator
        kept = {}
        operator.setitem(globals()["kept"], "a", 1)
        show(kept)
        operator.setitem(globals()["x"], 0, 5.0)
    """
    found = outcome(HEAD + dedent(program), "jax")
    assert found.verdict == "marked", str(found)
    assert "does not change; write x[index] = value" in found.detail, str(found)


@pytest.mark.parametrize("program", CHANGED.values(), ids=CHANGED)
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_is_taken_changes_with_its_whole(agrees: Callable[..., object], target: str, program: str) -> None:
    agrees(HEAD + dedent(program), target)


@pytest.mark.parametrize("program", CHANGED.values(), ids=CHANGED)
def test_where_arrays_do_not_change_that_is_said(announced: Callable[..., object], program: str) -> None:
    announced(HEAD + dedent(program), "jax")


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_gradients_of_what_is_stored(agrees: Callable[..., object], target: str) -> None:
    agrees(HEAD + dedent(GRADIENTS), target)


def test_parts_of_a_list_that_one_changes(announced: Callable[..., object]) -> None:
    announced(HEAD + "n = torch.tensor(1)\ny = x[[n, 0]]\nx.add_(100)\nshow(y)", "jax")


def test_lists_that_are_read_are_looked_at(agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(READ), "paddle")


def test_items_asked_for_by_name(agrees: Callable[..., object]) -> None:
    for target in ("paddle", "oneflow"):
        agrees(HEAD + dedent(BY_NAME), target)


def test_items_stored_by_name(agrees: Callable[..., object]) -> None:
    program = """
        turned, kept = x[0].t(), {}
        turned.__setitem__(torch.tensor([0, 2]), 5.0)
        turned.__setitem__((slice(None), [0]), torch.ones(4, 1))
        x.__setitem__(1, 7.0)
        kept.__setitem__("a", 1)
        def stored(x: torch.Tensor, at, value): x.__setitem__(at, value)
        stored(turned, [0, 1], 3.0)
        show(x, turned, kept)
    """
    agrees(HEAD + dedent(program), "paddle")
