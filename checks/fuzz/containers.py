"""Lists, dicts, tuples, named tuples and small objects that hold tensors; loops and comprehensions over them."""

from __future__ import annotations

import contextlib

from checks.fuzz.assigning import change, compute
from checks.fuzz.builder import Builder, Dry, indented
from checks.fuzz.expressions import expression, grow, kind, scalar


def alikes(b: Builder) -> list[str]:
    """Two or three tensors of one shape and dtype."""
    _, x = b.tensor(lambda x: kind(x) == "float" and x.numel() <= 40)
    found: list[str] = []
    for _ in range(b.one([2, 2, 3])):
        with contextlib.suppress(Dry):
            text, value = b.tensor(lambda y: y.shape == x.shape and y.dtype == x.dtype)
            if b.chance(0.4):
                wider, other = grow(b, text, value, 1, ("pointwise",))
                if other.shape == x.shape and other.dtype == x.dtype:
                    text = wider
            found.append(text)
    if len(found) < 2:
        raise Dry
    return found


def hold(b: Builder) -> None:
    """A container of tensors; what it holds is at hand through it from then on."""
    parts = alikes(b) if b.chance(0.7) else [expression(b)[0], expression(b)[0]]
    form = b.random.randrange(7)
    if form in (0, 1):
        name = b.name("items xs outs layers_out feats_list history chunks")
        brackets = "[{}]" if form == 0 or len(parts) < 2 else "({})"
        b.must(f"{name} = {brackets.format(', '.join(parts))}")
        b.add(*(f"{name}[{index}]" for index in range(len(parts))), f"{name}[-1]")
        b.plain.append(name)
    elif form == 2:
        name = b.name("batch cache state info params d")
        keys = ["x", "y", "mask"][: len(parts)] if b.chance(0.5) else ["input", "target", "extra"][: len(parts)]
        if b.chance(0.7):
            b.must(f"{name} = {{{', '.join(f'{key!r}: {part}' for key, part in zip(keys, parts, strict=True))}}}")
        else:
            b.must(f"{name} = dict({', '.join(f'{key}={part}' for key, part in zip(keys, parts, strict=True))})")
        b.add(*(f"{name}[{key!r}]" for key in keys), f"{name}.get({keys[0]!r})")
        b.plain.append(name)
    elif form == 3:
        kind_, name = b.name("Pair Output Sample Point"), b.name("pair output sample item")
        fields = ["first", "second", "third"][: len(parts)]
        types = "\n".join(f"    {field}: torch.Tensor" for field in fields)
        words = [f"{field}={part}" if b.chance(0.5) else part for field, part in zip(fields, parts, strict=True)]
        words.sort(key=lambda word: "=" in word.split("(")[0])
        if any("=" in w.split("(")[0] for w in words) and "=" not in words[-1].split("(")[0]:
            raise Dry
        b.must(f"class {kind_}(NamedTuple):\n{types}")
        b.must(f"{name} = {kind_}({', '.join(f'{field}={part}' for field, part in zip(fields, parts, strict=True))})")
        b.add(*(f"{name}.{field}" for field in fields), f"{name}[0]")
    elif form == 4:
        kind_, name = b.name("Config State Batch Args"), b.name("cfg st batch args")
        fields = ["data", "size", "weight"][: len(parts)]
        annotated = b.one(["torch.Tensor", "object", "torch.Tensor"])
        types = "\n".join(f"    {field}: {annotated}" for field in fields)
        b.must(f"@dataclass\nclass {kind_}:\n{types}")
        b.must(f"{name} = {kind_}({', '.join(parts)})")
        b.add(*(f"{name}.{field}" for field in fields))
    elif form == 5:
        name = b.name("history stack outs")
        b.must(f"{name} = []")
        for part in parts:
            b.must(f"{name}.append({part})")
        b.add(*(f"{name}[{index}]" for index in range(len(parts))))
        b.plain.append(name)
    else:
        name = b.name("groups nested table")
        b.must(f"{name} = {{'a': [{parts[0]}], 'b': ({', '.join(parts)},)}}")
        b.add(f"{name}['a'][0]", f"{name}['b'][0]", f"{name}['b'][-1]")


def change_held(b: Builder) -> None:
    """What a container holds is replaced, or changes in place."""
    held = [text for text in b.pool if ("[" in text or "." in text) and "(" not in text]
    text = b.one(held)
    x = b.held(text)
    if x is None or kind(x) != "float" or x.requires_grad:
        raise Dry
    if b.chance(0.5):
        change(b, text)
    else:
        other, _ = expression(b, lambda y: y.shape == x.shape and y.dtype == x.dtype)
        b.must(
            b.one(
                [
                    f"{text} = {other}",
                    f"{text} = {text} + 1",
                    f"{text} += 1",
                    f"{text} *= 2",
                    f"{text} = {text}.mul(0.5)",
                ]
            )
        )


def lists(b: Builder) -> tuple[str, str]:
    """A list or tuple of tensors that are alike: (its name, the expression of its first)."""
    names = [
        name
        for name in b.plain
        if isinstance(b.space.get(name), (list, tuple))
        and len(b.space[name]) > 1
        and all(hasattr(item, "dtype") for item in b.space[name])
        and len({(item.shape, item.dtype) for item in b.space[name]}) == 1
    ]
    if names:
        name = b.one(names)
        return name, f"{name}[0]"
    parts = alikes(b)
    name = b.name("xs items seq frames")
    b.must(f"{name} = [{', '.join(parts)}]")
    b.plain.append(name)
    b.add(f"{name}[0]", f"{name}[-1]")
    return name, f"{name}[0]"


def loop(b: Builder) -> None:
    """A loop over tensors, over rows of one, or over numbers."""
    form = b.random.randrange(6)
    if form == 0:
        name, first = lists(b)
        item = b.name("t item piece v")
        heads = [
            (f"for {item} in {name}:", {}),
            (f"for i, {item} in enumerate({name}):", {"i": 0}),
            (f"for {item} in reversed({name}):", {}),
        ]
        head, extra = b.one(heads)
        body = inside(b, {item: first}, extra, [item])
        b.must(f"{head}\n{indented(body)}", replay=True)
    elif form == 1:
        text, x = b.tensor(lambda x: x.dim() > 0 and 0 < x.shape[0] <= 4 and kind(x) == "float" and not x.requires_grad)
        item = b.name("row line sample vec")
        body = inside(b, {item: f"{text}[0]"}, {}, [item])
        b.must(f"for {item} in {text}:\n{indented(body)}", replay=True)
    elif form in (2, 3):
        name = b.name("total acc running loss_sum")
        start = b.one(["0", "0.0", "torch.zeros(())", "torch.tensor(0.0)", "None"])
        loop_, first = lists(b)
        item = b.name("t part term")
        term = scalar(b.child(**{item: b.value(first)}).keep(item))
        steps = [f"{name} = {name} + {term}", f"{name} += {term}"]
        if start == "None":
            steps = [f"{name} = {term} if {name} is None else {name} + {term}"]
        elif start.startswith("torch"):
            steps += [f"{name}.add_({term})" if "requires" not in term else steps[0]]
        b.must(f"{name} = {start}")
        b.must(f"for {item} in {loop_}:\n    {b.one(steps)}", replay=True)
        b.add(name)
    elif form == 4:
        text, x = b.tensor(lambda x: kind(x) == "float" and not x.requires_grad and x.dim() > 0 and x.shape[0] <= 4)
        index = b.name("i j step")
        body = b.one(
            [
                f"{text}[{index}] = {text}[{index}] * {index}",
                f"{text}[{index}] += {index}",
                f"{text}[{index}].mul_({index} + 0.5)",
                f"{text} = {text} * 0.5 + {index}",
                f"{text} += {index} * 0.1",
                f"{text} = torch.cat([{text}[1:], {text}[:1]])",
                f"{text}[{index}] = {text}[{index} - 1].clone()",
            ]
        )
        count = b.one(
            [f"range({x.shape[0]})", f"range(len({text}))", f"range({text}.shape[0])", f"range({text}.size(0))"]
        )
        b.must(f"for {index} in {count}:\n    {body}", replay=True)
    else:
        text, x = b.tensor(lambda x: kind(x) == "float" and not x.requires_grad)
        other = b.name("n count left")
        body = b.one([f"{text} = {text} * 0.5", f"{text} *= 0.5", f"{text}.mul_(0.5)", f"{text} = {text}.sub(0.3)"])
        stop = b.one(
            [f"{other} < 3", f"({text}.abs().sum() > 0.517) and {other} < 4", f"{text}.max() > 0.137 and {other} < 3"]
        )
        b.must(f"{other} = 0\nwhile {stop}:\n    {body}\n    {other} += 1", replay=True)
        b.plain.append(other)


def inside(b: Builder, bound: dict[str, str], extra: dict[str, object], pool: list[str]) -> list[str]:
    """Statements of a body, tried on copies of what its names are first bound to."""
    values = dict(zip(bound, b.copies(*bound.values()), strict=True))
    body = b.child(**values, **extra)
    body.pool = [*body.pool[-4:], *pool, *pool]
    kept = len(body.pool)
    for _ in range(b.one([1, 1, 2])):
        with contextlib.suppress(Dry):
            b.one([change, change, compute])(body)
    if not body.lines:
        raise Dry
    if len(body.pool) > kept or b.chance(0.3):
        body.lines.append(f"show({body.pool[-1]})")
    return body.lines


def comprehend(b: Builder) -> None:
    """Comprehensions, generators, ``map``, ``zip``, ``sum``."""
    name, first = lists(b)
    item = b.name("t u v")
    body = b.child(**{item: b.value(first)})
    body.pool = [item, item, *body.pool[-3:]]
    text, _ = grow(body, item, body.value(item))
    out = b.name("outs mapped res parts")
    ways = [
        f"{out} = [{text} for {item} in {name}]",
        f"{out} = tuple({text} for {item} in {name})",
        f"{out} = list(map(lambda {item}: {text}, {name}))",
        f"{out} = torch.stack([{text} for {item} in {name}])",
        f"{out} = sum({text} for {item} in {name})",
        f"{out} = {{i: {text} for i, {item} in enumerate({name})}}",
        f"{out} = [{text} for {item}, _ in zip({name}, range(5))]",
        f"{out} = torch.cat([({text}).reshape(-1) for {item} in {name}])",
        f"{out} = max(({text}).sum().item() for {item} in {name})",
        f"{out} = [f for f in (({text}).sum() for {item} in {name})][0]",
        f"{out} = sorted([({text}).mean() for {item} in {name}], key=lambda s: s.item())",
        f"{out} = reduce(lambda p, q: p + q, [{text} for {item} in {name}])",
    ]
    b.must(b.one(ways))
    if b.held(out) is not None:
        b.add(out)
    else:
        b.plain.append(out)
        b.add(f"{out}[0]") if isinstance(b.space[out], (list, tuple, dict)) else None


def branch(b: Builder) -> None:
    """One of two ways, as a number, a flag or a tensor says."""
    text, _ = b.tensor(lambda x: kind(x) == "float" and not x.requires_grad)
    flags = [name for name in b.plain if isinstance(b.space.get(name), bool)]
    tests = [
        f"{text}.sum() > 0.137",
        f"{text}.dim() == 2",
        f"{text}.shape[-1] > 2",
        f"len({text}.shape) > 1",
        f"isinstance({text}, torch.Tensor)",
        f"{text} is not None",
        f"{text}.numel() > 3",
        f"{text}.dtype == torch.float32",
        f"({text} > 0.137).any()",
        *flags,
    ]
    name = b.name("res out chosen r") if b.chance(0.6) else text

    def way() -> str:
        if name == text and b.chance(0.6):
            return str(b.one([f"{text} += 1", f"{text}.mul_(2)", f"{text} = {text}.abs()", f"{text} = {text} - 0.5"]))
        return f"{name} = {expression(b)[0]}"

    if not name.isidentifier():
        raise Dry
    one, other = way(), way()
    test = b.one(tests)
    forms = [f"if {test}:\n    {one}\nelse:\n    {other}"]
    if name == text:
        forms.append(f"if {test}:\n    {one}")
    else:
        caught = b.one(["RuntimeError", "Exception", "(ValueError, RuntimeError)", "AttributeError"])
        forms.append(f"try:\n    {one}\nexcept {caught}:\n    {other}")
    b.must(b.one(forms), replay=True)
    if name != text:
        b.add(name)
