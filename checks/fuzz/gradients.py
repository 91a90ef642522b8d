"""Autograd: leaves, ``backward``, ``grad``, ``no_grad``, ``detach``, own functions."""

from __future__ import annotations

from checks.fuzz.builder import Builder, Dry
from checks.fuzz.creation import floats, literal
from checks.fuzz.expressions import scalar

BACKWARD = ("pointwise", "binary", "matrices")


def leaf(b: Builder) -> str:
    shape = b.one([(3,), (2, 2), (2, 3), (3, 2), (4,)])
    name = b.name("w p theta weight param v")
    ways = [
        f"{name} = torch.tensor({literal(b, shape)}, requires_grad=True)",
        f"{name} = ({floats(b, shape)}).clone().float().requires_grad_()",
        f"{name} = torch.linspace(-1, 1.3, {b.value('torch.Size(' + str(shape) + ').numel()')}).view({shape}).requires_grad_(True)",
        f"{name} = nn.Parameter(torch.tensor({literal(b, shape)}))",
        f"{name} = torch.tensor({literal(b, shape)})\n{name}.requires_grad = True",
    ]
    b.must(b.one(ways))
    b.add(name)
    return name


def backward(b: Builder) -> None:
    """A scalar of a leaf, differentiated in one of the ways."""
    name = leaf(b)
    body = b.child().keep(name, name, name)
    text = scalar(body)
    if not b.value(text).requires_grad:
        raise Dry
    loss = b.name("loss out_sum obj_value")
    way = b.random.randrange(6)
    if way <= 2:
        b.must(f"{loss} = {text}\n{loss}.backward()")
        b.must(f"show({loss}, {name}.grad)")
        if b.chance(0.4):
            again = scalar(b.child().keep(name, name, name))
            b.emit(f"({again}).backward()\nshow({name}.grad)")
        after = [
            f"{name}.grad.zero_()",
            f"{name}.grad = None",
            f"{name}.grad *= 0.5",
            f"{name}.grad.mul_(2)",
            f"{name}.grad.data.zero_()",
        ]
        if b.chance(0.5):
            b.emit(b.one(after))
            b.emit(f"show({name}.grad)")
    elif way == 3:
        found = b.name("g grads dw")
        b.must(
            b.one(
                [
                    f"{found}, = torch.autograd.grad({text}, {name})",
                    f"{found} = torch.autograd.grad({text}, [{name}])[0]",
                    f"{found} = torch.autograd.grad(outputs={text}, inputs={name}, create_graph=True)[0]",
                    f"({found},) = torch.autograd.grad({text}, ({name},), retain_graph=True)",
                ]
            )
        )
        b.add(found)
        b.emit(f"show({found})")
    elif way == 4:
        inner, outer = b.name("hid mid inner"), b.name("loss total")
        b.must(
            f"{inner} = ({name} * 1.5).tanh()\n{inner}.retain_grad()\n{outer} = ({inner} ** 2).sum()\n{outer}.backward(retain_graph=True)"
        )
        b.emit(f"show({name}.grad, {inner}.grad, {inner}.is_leaf, {name}.is_leaf)")
    else:
        b.must(
            f"with torch.no_grad():\n    {name} {b.one(['*=', '+=', '-='])} 0.5"
            if b.chance(0.6)
            else f"with torch.no_grad():\n    {name}.{b.one(['add_', 'mul_', 'sub_', 'fill_'])}(0.5)"
        )
        b.must(
            f"({scalar(b.child().keep(name, name))}).backward()"
            if b.chance(0.5)
            else f"({name} * {name}).sum().backward()"
        )
        b.emit(f"show({name}, {name}.grad, {name}.requires_grad)")


def by_hand(b: Builder) -> None:
    """A few steps of gradient descent, written out."""
    name = leaf(b)
    body = b.child().keep(name, name, name)
    text = scalar(body)
    if not b.value(text).requires_grad:
        raise Dry
    updates = [
        f"with torch.no_grad():\n        {name} -= 0.1 * {name}.grad\n        {name}.grad.zero_()",
        f"with torch.no_grad():\n        {name}.sub_({name}.grad, alpha=0.1)\n    {name}.grad = None",
        f"with torch.no_grad():\n        {name}.add_({name}.grad * -0.1)\n    {name}.grad.zero_()",
        f"{name}.data -= 0.1 * {name}.grad\n    {name}.grad.data.zero_()",
        f"{name}.data = {name}.data - 0.1 * {name}.grad\n    {name}.grad = None",
        f"{name}.data.add_({name}.grad.data, alpha=-0.1)\n    {name}.grad.zero_()",
        f"with torch.no_grad():\n        {name}.copy_({name} - 0.1 * {name}.grad)\n    {name}.grad = None",
        f"{name} = ({name} - 0.1 * {name}.grad).detach().requires_grad_()",
        f"with torch.no_grad():\n        for q in [{name}]:\n            q -= 0.1 * q.grad\n            q.grad.zero_()",
    ]
    loss = b.name("loss err")
    b.must(
        f"for _ in range({b.one([2, 3])}):\n    {loss} = {text}\n    {loss}.backward()\n    {b.one(updates)}\n    show({loss}.item(), {name})",
        replay=True,
    )


def own_function(b: Builder) -> None:
    """An autograd.Function with a backward of its own."""
    title = b.name("Scale Clip Sign Square")
    bodies = [
        ("ctx.save_for_backward(x)\n        return x * x", "x, = ctx.saved_tensors\n        return grad * 3 * x"),
        ("ctx.s = 2.5\n        return x * 2.5", "return grad * ctx.s"),
        ("return x.clamp(-0.5, 0.5)", "return grad"),
        (
            "ctx.save_for_backward(x)\n        return x.abs()",
            "(x,) = ctx.saved_tensors\n        return grad * x.sign() * 0.5",
        ),
    ]
    forward, back = b.one(bodies)
    b.must(
        f"class {title}(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        {forward}\n\n    @staticmethod\n    def backward(ctx, grad):\n        {back}"
    )
    name = leaf(b)
    apply_ = b.name("fn op custom")
    call = f"{title}.apply({name})"
    if b.chance(0.4):
        b.must(f"{apply_} = {title}.apply")
        call = f"{apply_}({name})"
    b.must(f"({call} * 1.5).sum().backward()\nshow({name}.grad, {call})")


def detach(b: Builder) -> None:
    name = leaf(b)
    other = b.name("fixed const det")
    b.must(
        b.one(
            [
                f"{other} = {name}.detach()",
                f"{other} = {name}.data",
                f"{other} = {name}.detach().clone()",
                f"{other} = {name}.clone().detach()",
                f"with torch.no_grad():\n    {other} = {name} * 2",
            ]
        )
    )
    b.add(other)
    if b.chance(0.6):
        b.emit(
            b.one(
                [f"{other} += 1", f"{other}.mul_(2)", f"{other}[0] = 0.5", f"{other}.zero_()", f"{other}[0].fill_(1.5)"]
            )
        )
    b.emit(f"show({name}, {other}, {other}.requires_grad, ({name} * {other}).requires_grad)")
    b.emit(f"(({name} * {other}).sum()).backward()\nshow({name}.grad)")
