"""Functions, lambdas, closures, decorators; arguments by name, in odd orders, with effects that are counted."""

from __future__ import annotations

import contextlib

from checks.fuzz.assigning import change, compute
from checks.fuzz.builder import Builder, Dry, indented
from checks.fuzz.expressions import expression, grow, kind
from checks.fuzz.tables import templates


def body_of(
    b: Builder, names: list[str], texts: list[str], extra: dict[str, object] | None = None
) -> tuple[list[str], str]:
    """(statements, the expression that is returned) over parameters that are first given these tensors."""
    values = dict(zip(names, b.copies(*texts), strict=True))
    body = b.child(**values, **(extra or {}))
    body.pool = [*names, *names]
    for _ in range(b.one([0, 1, 1, 2])):
        with contextlib.suppress(Dry):
            b.one([compute, compute, change])(body)
    text, _ = expression(body, depth=b.one([1, 1, 2]))
    if b.chance(0.15):
        other, _ = expression(body, depth=1)
        text = f"{text}, {other}"
    return body.lines, text


def signature(b: Builder, names: list[str]) -> str:
    words = []
    for name in names:
        annotation = b.one(["", "", "", ": torch.Tensor", ": 'torch.Tensor'"])
        words.append(name + annotation)
    return ", ".join(words)


def call(b: Builder, name: str, names: list[str], texts: list[str]) -> str:
    """A call with arguments by place or by name."""
    if b.chance(0.3):
        words = [f"{n}={t}" for n, t in zip(names, texts, strict=True)]
        b.random.shuffle(words)
        return f"{name}({', '.join(words)})"
    if len(names) > 1 and b.chance(0.2):
        return f"{name}({', '.join(texts[:-1])}, {names[-1]}={texts[-1]})"
    if b.chance(0.08):
        return f"{name}(*[{', '.join(texts)}])"
    if b.chance(0.06):
        return f"{name}(**dict({', '.join(f'{n}={t}' for n, t in zip(names, texts, strict=True))}))"
    return f"{name}({', '.join(texts)})"


def function(b: Builder) -> None:
    """A function, called once or twice."""
    count = b.one([1, 2, 2])
    texts = [b.tensor(lambda x: kind(x) != "complex" and x.numel() <= 60)[0] for _ in range(count)]
    names = [b.name("x y a h inp feats q k"), b.name("y other w weight mask")][:count]
    name = b.name("f step combine block scale_up encode mix head_fn loss_fn")
    lines, result = body_of(b, names, texts)
    head = f"def {name}({signature(b, names)}):"
    if b.chance(0.2):
        head = f"def {name}({signature(b, names)}, s={b.one(['2', '0.5', 'None'])}):"
        if "None" in head:
            lines = [f"if s is None:\n    s = {names[0]}.sum()", *lines]
        result = f"{result}, s" if "," in result else f"({result}) * s"
    if b.chance(0.12):
        head = head.replace("):", ") -> torch.Tensor:") if "," not in result else head
    if b.chance(0.1):
        head = "@torch.no_grad()\n" + head
    b.must(f"{head}\n{indented([*lines, f'return {result}'])}", replay=True)
    out = b.name("r out got z")
    try:
        pair = "," in result and isinstance(b.value(call(b, name, names, texts)), tuple)
    except Exception:  # torch refuses it with these arguments
        raise Dry from None
    if pair:
        b.replay()
        other = b.name("aux extra more")
        b.must(f"{out}, {other} = {call(b, name, names, texts)}", replay=True)
        b.add(out, other)
    else:
        b.must(f"{out} = {call(b, name, names, texts)}", replay=True)
        b.add(out)
    if b.chance(0.3):
        with contextlib.suppress(Dry):
            again = [like_first(b, text) for text in texts]
            b.emit(f"show({call(b, name, names, again)})")


def like_first(b: Builder, text: str) -> str:
    """Another tensor of that shape and dtype."""
    x = b.value(text)
    return b.tensor(lambda y: y.shape == x.shape and y.dtype == x.dtype)[0]


def lambdas(b: Builder) -> None:
    """A lambda, a closure, a partial, a function in a table."""
    text, x = b.tensor(lambda x: kind(x) == "float" and x.numel() <= 60)
    item = b.name("t v u")
    body = b.child(**{item: x}).keep(item)
    result, _ = grow(body, *grow(body, item, x))
    name = b.name("act fn op transform g")
    forms = [
        f"{name} = lambda {item}: {result}",
        f"{name} = lambda {item}, s=2: ({result}) * s",
        f"def {name}_maker(p):\n    def inner({item}):\n        return ({result}) * p\n    return inner\n{name} = {name}_maker(0.5)",
        f"def {name}_base({item}, p):\n    return ({result}) - p\n{name} = partial({name}_base, p=0.5)",
        f"{name} = {{'a': lambda {item}: {result}}}['a']",
        f"{name} = {b.one(['torch.tanh', 'torch.relu', 'F.relu', 'torch.sigmoid', 'F.gelu', 'torch.abs', 'nn.Tanh()', 'nn.ReLU()', 'torch.neg'])}",
        f"{name} = {b.one(['torch.Tensor.tanh', 'torch.Tensor.neg', 'torch.Tensor.relu'])}",
        f"{name} = getattr(torch, {b.one(['tanh', 'sin', 'sigmoid', 'neg'])!r})",
        f"{name} = {text}.{b.one(['mul', 'add', 'sub', 'maximum'])}",
        f"def {name}_counted(inner):\n    def wrapper(*args, **kwargs):\n        {name}_calls.append(len(args))\n        return inner(*args, **kwargs)\n    return wrapper\n{name}_calls = []\n@{name}_counted\ndef {name}({item}):\n    return {result}",
    ]
    b.must(b.one(forms))
    out = b.name("r out got z")
    b.must(f"{out} = {name}({text})")
    b.add(out)
    if f"{name}_calls" in b.space:
        b.plain.append(f"{name}_calls")


COUNTED = templates("""
torch.sub({x}, {y}) | torch.sub(other={y}, input={x}) | torch.add({x}, {y}, alpha={k})
torch.add({x}, alpha={k}, other={y}) | {x}.sub({y}) | {x}.add({y}, alpha={k}) | {x} - {y} * {k}
torch.where({x} > 0.1373, {x}, {y}) | {x}.mul({y}.add({k})) | {x}.clamp(min={k} - 2, max={k})
torch.clamp(max={k}, min=-1, input={x}) | torch.addcmul({x}, {y}, {x}, value={k})
torch.addcmul({x}, value={k}, tensor1={y}, tensor2={x}) | torch.lerp({x}, {y}, {k})
torch.stack([{x}, {y}], dim={k} - 1) | torch.cat(({x}, {y}), dim={k} - 1) | torch.div({x}, {y}.abs() + {k})
{x}.masked_fill({x} > 0.1373, {k}) | F.leaky_relu({x}, {k}) | F.mse_loss({x}, {y}) | F.mse_loss(target={y}, input={x})
torch.maximum({x}, {y}) | {x}.type_as({y}) | {x}.expand_as({y}) | {x}.view_as({y}) | {x}.copy_({y}) | {x}.add_({y})
{x}.sub_({y}, alpha={k}) | {x}.mul_({k}) | {x}.clone().copy_({y}) | {x}.reshape({y}.shape) | torch.full_like({x}, {k})
{x}.new_full({y}.shape, {k}) | torch.pow({x}, {k} + 1) | {x}.sum({k} - 1) | {x}.softmax(dim={k} - 1)
F.softmax({x}, dim={k} - 1) | {x}[{k} - 1] | {x}.rsub({y}) if False else {x} | {x} // ({y}.abs() + {k} + 0.0137)
{x}.eq({y}) | {x} == {y} | torch.equal({x}, {y}) | torch.allclose({x}, {y}) | {x}.to({y}.dtype) | {x}.cumsum({k} - 1)
torch.flatten({x}, {k} - 1) | {x}.transpose({k} - 1, 0) | {x}.unsqueeze({k} - 1) | torch.hypot({x}, {y})
{x}.index_select({k} - 1, torch.tensor([0])) | torch.square({x}) | {x}.norm() | {x}.std() | torch.logaddexp({x}, {y})
F.dropout({x}, {k} * 0, True) | F.normalize({x}, dim={k} - 1) | F.layer_norm({x}, {x}.shape[-1:])
""")


def effects(b: Builder) -> None:
    """Arguments that are counted: how often each is evaluated, and in which order."""
    if "tick" not in b.space:
        b.must("calls = []\n\ndef tick(what, value):\n    calls.append(what)\n    return value")
        b.plain.append("calls")
    x, one = b.tensor(lambda x: kind(x) == "float" and not x.requires_grad)
    y, _ = b.tensor(lambda y: y.shape == one.shape and y.dtype == one.dtype)
    if b.chance(0.4) and "Src" not in b.space:
        b.must(
            "class Src:\n    def __init__(self, value):\n        self._value = value\n        self.reads = 0\n\n    @property\n    def value(self):\n"
            "        self.reads += 1\n        return self._value\n\n    def __getitem__(self, index):\n        calls.append(('item', index))\n        return self._value\n\n"
            "    def get(self, what='get'):\n        calls.append(what)\n        return self._value"
        )
    ways = {"x": f"tick('x', {x})", "y": f"tick('y', {y})", "k": f"tick('k', {b.one([1, 1, 1])})"}
    if "Src" in b.space:
        name = b.name("src holder box")
        b.must(f"{name} = Src({x})")
        b.plain.append(f"{name}.reads")
        ways["x"] = b.one([f"{name}.value", f"{name}[0]", f"{name}.get()", ways["x"]])
        ways["y"] = b.one([f"{name}.value", f"{name}[1]", f"{name}.get('other')", ways["y"], y])
    for _ in range(4):
        template = b.one(COUNTED)
        if b.emit(f"show({template.format(**ways)}, list(calls))"):
            return
    raise Dry
