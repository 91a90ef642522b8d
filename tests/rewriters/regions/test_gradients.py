"""Training steps for a target without a tape, which knows no JAX: derivatives of functions, taken by differences.

What the programs compute in torch they compute, converted, with the toy; and what is not understood is marked.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path, PurePosixPath
from textwrap import dedent

import pytest

from migrate.environments import Interpreter
from rewriters.convert import convert_sources
from rewriters.target import load_target

INIT = """
from rewriters.target import Environment, Target

TARGET = Target(
    name="pure", title="Pure", package="pure",
    environment=Environment(python="3.11", requirements=(), module="pure"),
    modules={"torch": "pure", "torch.nn": "pure", "torch.optim": "pure"},
)
"""

RULES = """
import pure
import torch
from rewriters.rule import alias, rule, same

alias(torch.Tensor, "pure.Number")
alias(torch.nn.Module, "pure.Module")
same("torch.nn.Module.parameters", "torch.Tensor.item", "torch.nn.Module.zero_grad")

@rule(torch.nn.Parameter)
def Parameter(data):
    return pure.Param(data)

@rule(torch.tensor)
def tensor(data):
    return pure.Number(data)

@rule(torch.Tensor.detach)
def detach(self):
    return pure.Number(self)

@rule(torch.optim.SGD)
def SGD(params, lr):
    return pure.Descent(params, lr)
"""

TRAINING = """
from rewriters.hooks import plans_training
from rewriters.regions.gradients.plan import plan_training


class Words:
    lays, held, number = False, "", ""

    def computed(self, what, draft):
        names = [*what.modules, *what.given]
        results = f"[{', '.join([what.final, *what.outputs])}]"
        lines = [f"def {what.function}({', '.join(names)}):", *("    " + line for line in what.body),
                 f"    return {results}"]
        call = f"pure.derive({', '.join([what.function, str(what.trained), *what.modules.values(), *what.given])})"
        bound = ", ".join([what.name or "_", *what.outputs])
        whole = what.trained > 1 and what.gradients.isidentifier()
        pattern = what.gradients if whole else f"({what.gradients.strip('()')},)"
        return [], [*lines, *what.notes, f"[{bound}], {pattern} = {call}", *what.update]

    def begun(self, function, modules, body, outputs, backward, draft):
        found = outputs[0] if len(outputs) == 1 else f"({', '.join(outputs)})"
        return [f"def {function}({', '.join(modules)}):", *("    " + line for line in body), f"    return {found}",
                f"{found}, {backward} = pure.begin({', '.join([function, *modules.values()])})"]

    def arrays(self, name, draft):
        return name

    def carried(self, what, draft):
        raise NotImplementedError

    def pulled(self, backward, by, value, constant, plain, draft):
        raise NotImplementedError

    def added(self, gradients, more, draft):
        return f"{gradients} = pure.add({gradients}, {more})"

    def cleared(self, gradients, draft):
        return f"{gradients} = None"

    def clipped(self, gradients, kind, name, arguments, draft):
        return f"{gradients}, {name or '_'} = pure.clip({gradients}, {arguments})"

    def unscaled(self, scaler, optimizer, gradients, draft):
        return f"{gradients} = {scaler}.unscale({optimizer}, {gradients})"

    def updated(self, optimizer, modules, gradients, scaler, draft):
        return f"{optimizer}.update({modules}, {gradients})"

    def constant(self, expression, sure, draft):
        return f"pure.constant({expression})"

    def same_gradient(self, before, name, draft):
        raise NotImplementedError

    def constant_in(self, mode, expression, draft):
        raise NotImplementedError

    def constant_changes(self, objects, draft):
        raise NotImplementedError

    def read(self, parameter, modules, gradients, draft):
        return f"pure.gradient({parameter}, {modules}, {gradients})"

    def changed(self, parameter, modules, gradients, value, draft):
        return f"{gradients} = pure.changed({parameter}, {modules}, {gradients}, {value})"


@plans_training
def plan(project, modules):
    return plan_training(project, list(modules), Words())
"""

FRAMEWORK = """
class Number(float):
    item = float.__float__
class Param:
    def __init__(self, value):
        self.value = float(value)
    def __mul__(self, other):
        return self.value * getattr(other, "value", other)
    __rmul__ = __mul__
    def __add__(self, other):
        return self.value + other
    __radd__ = __add__
class Module:
    def __call__(self, *given):
        return self.forward(*given)
    def parameters(self):
        return [part for part in vars(self).values() if isinstance(part, Param)]
def places(argument):
    return argument.parameters() if isinstance(argument, Module) else None
def derive(function, count, *given):
    found, step = [], 1e-4
    for place in range(count):
        params = places(given[place])
        def at(change, param):
            moved = list(given)
            if params is None:
                moved[place] = given[place] + change
                return float(function(*moved)[0])
            param.value += change
            result = float(function(*given)[0])
            param.value -= change
            return result
        slopes = [(at(step, param) - at(-step, param)) / (2 * step) for param in params or [None]]
        found.append(slopes[0] if params is None else slopes)
    return [Number(part) if isinstance(part, float) else part for part in function(*given)], found
def begin(function, *modules):
    def backward(tangent):
        _, found = derive(lambda *given: [function(*given) * tangent], len(modules), *modules)
        return found[0] if len(found) == 1 else found
    return Number(function(*modules)), backward
def add(one, other):
    if one is None or other is None:
        return other if one is None else one
    return [add(a, b) if isinstance(a, list) else a + b for a, b in zip(one, other)]
def clip(gradients, most):
    norm = sum(part * part for part in gradients) ** 0.5
    return [part * min(1.0, most / (norm + 1e-6)) for part in gradients], Number(norm)
def gradient(param, module, gradients):
    found = dict(zip(map(id, module.parameters()), gradients or []))
    return Number(found[id(param)]) if id(param) in found else None
def changed(param, module, gradients, value):
    places = list(map(id, module.parameters()))
    return [value if place == id(param) else one for place, one in zip(places, gradients)]
constant = Number
class Descent:
    def __init__(self, params, rate):
        self.params, self.rate = list(params), rate
    def update(self, modules, gradients):
        for module, each in zip(modules, gradients) if isinstance(modules, tuple) else [(modules, gradients)]:
            for param, slope in zip(module.parameters(), each or []):
                if any(param is one for one in self.params):
                    param.value -= self.rate * slope
"""

PROGRAM = """
import torch
from torch import nn


class Line(nn.Module):
    def __init__(self, slope: float):
        super().__init__()
        self.slope = nn.Parameter(torch.tensor(slope))
        self.height = nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        return self.slope * x + self.height


def squared(net: Line, x: float, y: float):
    off = net(x) - y
    return off * off


def plain():
    net, seen = Line(0.2), []
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in range(4):
        out = net(x)
        seen.append(out.item())
        loss = (out - 1) * (out - 1)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
        seen += [loss.item(), norm.item()]
    return seen


def accumulated():
    net, seen = Line(0.2), []
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    optimizer.zero_grad()
    for i in range(7):
        loss = squared(net, 0.3 * i, 1.0) / 2
        loss.backward()
        if (i + 1) % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
        seen.append(loss.item())
    return seen


def skipped():
    net, seen = Line(0.2), []
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(6):
        optimizer.zero_grad()
        loss = squared(net, 0.3 * i, 1.0)
        if i % 3:
            loss.backward()
        optimizer.step()
        seen.append(loss.item())
    return seen


def summed():
    net, seen = Line(0.2), []
    optimizer = torch.optim.SGD(net.parameters(), lr=0.02)
    for i in range(4):
        losses = []
        for x in range(3):
            losses.append(squared(net, 0.5 * x, 1.0))
        loss = sum(losses)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen.append(loss.item())
    return seen


def changed():
    net, seen = Line(0.2), []
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in range(3):
        for p in net.parameters():
            p.grad = None
        loss = squared(net, 0.5 * x, 1.0)
        loss.backward()
        for p in net.parameters():
            p.grad /= 1 + 1
            p.grad = p.grad * 0.5
        optimizer.step()
        seen.append(loss.item())
    return seen


def two_losses():
    net, seen = Line(0.2), []
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(4):
        out = net(0.5 * i)
        first = (out - 1) * (out - 1)
        second = out * out
        optimizer.zero_grad()
        first.backward(retain_graph=True)
        second.backward()
        optimizer.step()
        seen += [first.item(), second.item()]
    return seen


def game():
    maker, judge, seen = Line(0.2), Line(-0.4), []
    making = torch.optim.SGD(maker.parameters(), lr=0.1)
    judging = torch.optim.SGD(judge.parameters(), lr=0.05)
    for i in range(5):
        judge.zero_grad()
        real = judge(0.3 * i)
        loss_real = (real - 1) * (real - 1)
        loss_real.backward()
        fake = maker(0.1 * i)
        out = judge(fake.detach())
        loss_fake = out * out
        loss_fake.backward()
        judging.step()
        maker.zero_grad()
        out = judge(fake)
        loss = (out - 1) * (out - 1)
        loss.backward()
        making.step()
        seen += [loss_real.item(), loss_fake.item(), loss.item(), fake.item()]
    return seen


def two_optimizers():
    first, second, seen = Line(0.2), Line(0.7), []
    one = torch.optim.SGD(first.parameters(), lr=0.1)
    other = torch.optim.SGD(second.parameters(), lr=0.01)
    for i in range(4):
        loss = second(first(0.5 * i)) * 0.5
        loss = loss * loss
        one.zero_grad()
        other.zero_grad()
        loss.backward()
        one.step()
        other.step()
        seen.append(loss.item())
    return seen


def together():
    first, second, seen = Line(0.2), Line(0.7), []
    both = torch.optim.SGD(list(first.parameters()) + list(second.parameters()), lr=0.1)
    for i in range(4):
        both.zero_grad()
        loss = second(first(0.5 * i)) * 0.5
        loss = loss * loss
        loss.backward()
        both.step()
        seen.append(loss.item())
    return seen


def read():
    net, seen = Line(0.2), []
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        optimizer.zero_grad()
        loss = squared(net, 0.5 * i, 1.0)
        loss.backward()
        for p in net.parameters():
            seen.append(p.grad.item())
        optimizer.step()
    return seen


def looked_at():
    net = Line(0.2)
    out = net(0.5)
    loss = (out - 1) * (out - 1)
    loss.backward()
    slope, height = net.slope.grad.item(), net.height.grad is None
    net.zero_grad()
    return [slope, height, net.slope.grad is None]


def constants():
    net, teacher, seen = Line(0.2), Line(0.9), []
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        with torch.no_grad():
            # of the teacher
            wanted = teacher(0.5 * i)
        loss = squared(net, 0.5 * i, wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen.append(loss.item())
    return seen


ALL = [plain, accumulated, skipped, summed, changed, two_losses, game, two_optimizers, together, read]
ALL += [looked_at, constants]
"""

SHOW = "import json, program; print(json.dumps({one.__name__: [float(v) for v in one()] for one in program.ALL}))"


@pytest.fixture
def pure(tmp_path: Path) -> Path:
    folder = tmp_path / "targets" / "pure"
    (folder / "rules").mkdir(parents=True)
    (folder / "__init__.py").write_text(INIT)
    (folder / "rules" / "all.py").write_text(RULES)
    (folder / "training.py").write_text(TRAINING)
    (tmp_path / "pure.py").write_text(FRAMEWORK)
    return folder


def shown(python: str, folder: Path) -> dict[str, list[float]]:
    ran = subprocess.run([python, "-c", SHOW], cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found: dict[str, list[float]] = json.loads(ran.stdout)
    return found


def test_what_trains_in_torch_trains_by_functions(pure: Path, tmp_path: Path, torch_python: Interpreter) -> None:
    done = convert_sources({PurePosixPath("program.py"): PROGRAM.encode()}, load_target(str(pure)))
    text = done.files[PurePosixPath("program.py")]
    assert text is not None
    marked = [(site.line, site.detail) for report in done.reports for site in report.sites if site.outcome == "marked"]
    assert not marked, text.decode()
    folders = tmp_path / "torch", tmp_path
    folders[0].mkdir()
    (folders[0] / "program.py").write_text(PROGRAM)
    (folders[1] / "program.py").write_bytes(b"import pure\n" + text)
    expected, found = shown(str(torch_python.python), folders[0]), shown(sys.executable, folders[1])
    for name, values in expected.items():
        assert found[name] == pytest.approx(values, abs=2e-3), f"{name}\n{text.decode()}"


STEP = """
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x


class Trainer:
    def __init__(self):
        self.net = Net()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

        self.parts = [Net(), Net()]

    def loss_of(self, x):
        return self.parts[0](x)


def step(net: Net, other: Net, optimizer: torch.optim.SGD, trainer: Trainer, x: torch.Tensor):
"""

REFUSED = {
    "backward alone": ("loss = net(x)\nloss.backward()", "no optimizer steps in the same function"),
    "step alone": ("optimizer.step()", "the optimizer steps in another function than backward"),
    "given inputs": ("loss = net(x)\nloss.backward(inputs=[x])\noptimizer.step()", "leave all but the gradient out"),
    "of gradients": ("loss = net(x)\nloss.backward(create_graph=True)\noptimizer.step()", "gradients of gradients"),
    "a closure": ("loss = net(x)\nloss.backward()\noptimizer.step(lambda: loss)", "runs a closure several times"),
    "hidden": (
        "loss = trainer.loss_of(x)\nloss.backward()\ntrainer.optimizer.step()",
        "no Module that the function has a name for",
    ),
    "left over": ("loss = net(x)\nloss.backward()\noptimizer.step()", "gradients are left when the function returns"),
    "whose": (
        "optimizer.zero_grad()\nloss = net(x) + other(x)\nloss.backward()\noptimizer.step()",
        "it is not known which",
    ),
    "changed in place": (
        "optimizer.zero_grad()\nloss = net(x)\nloss.backward()\nfor p in net.parameters():\n    y = p.grad.mul_(2)\n"
        "optimizer.step()",
        "changes a gradient in place",
    ),
    "stored": (
        "optimizer.zero_grad()\nloss = net(x)\nloss.backward()\nx.grad = None\noptimizer.step()",
        "changes the gradient of what goes into the loss",
    ),
    "an attribute": (
        "optimizer.zero_grad()\nnet(x)\ntrainer.loss.backward()\noptimizer.step()",
        "is an attribute: give the loss a name",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_understood_is_marked_with_its_reason(name: str, pure: Path) -> None:
    body, reason = REFUSED[name]
    source = STEP + "\n".join(f"    {line}" for line in dedent(body).splitlines()) + "\n"
    done = convert_sources({PurePosixPath("program.py"): source.encode()}, load_target(str(pure)))
    reasons = [site.detail for one in done.reports for site in one.sites if site.api == "TRAINING"]
    assert any(reason in one for one in reasons), reasons
