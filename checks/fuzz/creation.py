"""Tensors to begin with."""

from __future__ import annotations

from checks.fuzz.builder import Builder

SHAPES = ((2, 3), (3, 2), (2, 2), (4,), (3,), (6,), (2, 3, 2), (3, 4), (1, 4), (), (2, 4))
NAMES = "x y z a h w feats logits target scores out base grid mask weights state pos query"


def literal(b: Builder, shape: tuple[int, ...]) -> str:
    """Nested lists of numbers of a few digits, no two alike."""
    if not shape:
        return f"{b.random.randrange(-200, 200) / 100 + 0.003:.3f}".rstrip("0")
    return "[" + ", ".join(literal(b, shape[1:]) for _ in range(shape[0])) + "]"


def count(shape: tuple[int, ...]) -> int:
    total = 1
    for size in shape:
        total *= size
    return total


def floats(b: Builder, shape: tuple[int, ...] | None = None) -> str:
    """An expression that makes a float tensor."""
    size = b.one(SHAPES) if shape is None else shape
    many, dims = count(size), ", ".join(map(str, size))
    ways = [f"torch.tensor({literal(b, size)})"] * 4
    if size:
        ways += [
            f"torch.linspace(-1, 1.5, {many}).view({dims})",
            f"torch.linspace(-1.0, 2.0, steps={many}).reshape({dims})",
            f"(torch.arange({many}.0) * 0.3 - 0.7).view({dims})",
            f"torch.arange({many}, dtype=torch.float32).reshape({dims}) / {many}",
            f"torch.arange({many}).float().view(({dims},)) * 0.21 - 0.5",
            f"torch.full(({dims},), {b.one(['0.5', '1.5', '-0.3'])})",
            f"torch.ones({dims}) * {b.one(['0.5', '1.5'])}",
            f"torch.zeros({dims})",
            f"torch.zeros(({dims},), dtype=torch.float32)",
            f"torch.empty({dims}).fill_(0.7)",
            f"torch.sin(torch.arange({many}) * 1.3).view({dims})",
            f"torch.tensor({literal(b, size)}, dtype=torch.float64)",
            f"torch.from_numpy(np.linspace(-1, 1, {many}, dtype=np.float32).reshape({dims}))",
            f"torch.tensor(np.linspace(-1, 1, {many}).reshape({dims}))" if b.chance(0.3) else f"torch.ones({dims})",
            f"torch.FloatTensor({literal(b, size)})",
            f"torch.eye({size[0]})" if len(size) == 2 else f"torch.randn({dims}) * 0 + 0.4",
        ]
    return str(b.one(ways))


def integers(b: Builder, shape: tuple[int, ...] | None = None) -> str:
    size = b.one([(3,), (4,), (2, 3), (2, 2), ()]) if shape is None else shape
    many, dims = count(size), ", ".join(map(str, size))
    values = [b.random.randrange(0, 6) for _ in range(many)]
    flat = f"torch.tensor({values})" if size else f"torch.tensor({values[0]})"
    ways = [f"{flat}.view({dims})" if len(size) > 1 else flat]
    if size:
        ways += [
            f"torch.arange({many}).view({dims})",
            f"torch.arange(1, {many + 1}).reshape({dims})",
            f"torch.ones({dims}, dtype=torch.long)",
            f"torch.full(({dims},), 3)",
            f"torch.LongTensor({values}).view({dims})",
            f"torch.tensor({values}, dtype=torch.int32).reshape({dims})",
        ]
    return str(b.one(ways))


def masks(b: Builder, shape: tuple[int, ...] | None = None) -> str:
    size = b.one([(3,), (4,), (2, 3), (2, 2)]) if shape is None else shape
    many, dims = count(size), ", ".join(map(str, size))
    values = [b.chance(0.5) for _ in range(many)]
    return str(
        b.one(
            [
                f"torch.tensor({values}).view({dims})",
                f"torch.tensor({values}).reshape(({dims},))",
                f"torch.arange({many}).view({dims}) % 2 == 0",
            ]
        )
    )


def begin(b: Builder) -> None:
    """The first few tensors: enough that templates find partners."""
    shape = b.one([(2, 3), (3, 2), (2, 2), (4,), (3,), (2, 3, 2), (3, 4)])
    shapes = [shape, shape]
    if b.chance(0.6):
        shapes.append(shape[-1:])
    if len(shape) == 2 and b.chance(0.5):
        shapes.append((shape[1], b.one([2, 3])))
    for size in shapes:
        name = b.name(NAMES)
        if b.emit(f"{name} = {floats(b, size)}"):
            b.add(name)
    if b.chance(0.4):
        name = b.name("idx ids labels tokens counts lengths")
        if b.emit(f"{name} = {integers(b, b.one([shape, shape[:1], None]))}"):
            b.add(name)
    if b.chance(0.3):
        name = b.name("mask keep valid pad_mask")
        if b.emit(f"{name} = {masks(b, shape)}"):
            b.add(name)
    if b.chance(0.4):
        name = b.name("scale lr eps alpha momentum")
        b.emit(f"{name} = {b.one(['0.5', '0.1', '1.5', '0.25'])}")
        b.plain.append(name)
    if b.chance(0.3):
        name = b.name("flag training use_bias verbose")
        b.emit(f"{name} = {b.one(['True', 'False'])}")
        b.plain.append(name)


def create(b: Builder) -> None:
    """One more."""
    if b.chance(0.4):
        shape = None
    else:
        _, x = b.tensor()
        shape = tuple(x.shape)
    make, words = b.one(
        [(floats, NAMES), (floats, NAMES), (integers, "idx ids labels counts"), (masks, "mask keep valid")]
    )
    name = b.name(words)
    b.must(f"{name} = {make(b, shape)}")
    b.add(name)
