"""What torch raises is caught: where the target raises another class, the handler has both."""

from __future__ import annotations

import pytest

PROGRAMS = {
    "shapes": """
        import torch

        def tried(function):
            try:
                function()
            except RuntimeError as error:
                return len(str(error)) > 0
            return "no error"

        x = torch.ones(2, 3)
        found = []
        for n in range(6):
            try:
                if n == 0:
                    x @ x
                elif n == 1:
                    x.view(4, 2)
                elif n == 2:
                    torch.cat([x, torch.ones(3, 4)])
                elif n == 3:
                    x + torch.ones(2, 4)
                elif n == 4:
                    torch.nn.functional.linear(x, torch.ones(2, 5))
                else:
                    x.expand(4, 3)
            except RuntimeError as e:
                found.append((n, isinstance(e, Exception)))
        show(found)
    """,
    "several classes": """
        import torch

        x = torch.ones(2, 3)
        try:
            y = x.mm(x)
        except (RuntimeError, TypeError):
            show("caught")
        try:
            torch.stack([x, x[0]])
        except KeyError:
            show("key")
        except RuntimeError:
            show("stacked")
        finally:
            show("done")
        try:
            try:
                x.reshape(7)
            except RuntimeError as e:
                raise KeyError("reshaped") from e
        except KeyError as e:
            show(str(e), e.__cause__ is not None)
    """,
    "in functions and modules": """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 2)

            def forward(self, x):
                return self.fc(x)

        def apply(net, x):
            return net(x)

        net = Net()
        for size in (3, 4):
            try:
                show(tuple(apply(net, torch.ones(1, size)).shape))
            except RuntimeError:
                show("size", size)
        batch = 16
        while batch > 2:
            try:
                torch.ones(4, 2).view(batch, -1)
                break
            except RuntimeError as e:
                if "out of memory" in str(e):
                    raise
                batch //= 2
        show(batch)
    """,
    "of a function handed in": """
        import torch

        def tried(function, *arguments):
            try:
                return function(*arguments)
            except RuntimeError:
                return "refused"

        x = torch.ones(2, 3)
        show(tried(torch.matmul, x, x), tried(lambda: x.view(5)), tried(torch.add, x, x), tried(x.reshape, 7))
    """,
    "gradients": """
        import torch

        w = torch.ones(2, requires_grad=True)
        y = (w * w).sum()
        y.backward()
        try:
            y.backward()
        except RuntimeError:
            show("a second time")
        try:
            w.add_(1)
        except RuntimeError:
            show("a leaf")
    """,
    "other code": """
        import torch

        try:
            int("x")
        except RuntimeError:
            show("runtime")
        except ValueError:
            show("value")

        def number(text):
            try:
                return int(text)
            except RuntimeError:
                return -1

        try:
            number("y")
        except ValueError:
            show("handed on", torch.ones(1))
    """,
    "contexts": """
        import contextlib
        import torch

        with contextlib.suppress(RuntimeError):
            torch.ones(2, 3) @ torch.ones(2, 3)
            show("not here")
        show("suppressed")
    """,
    "axes": """
        import torch

        try:
            torch.ones(2).sum(dim=4)
        except IndexError:
            show("axis")
        try:
            torch.ones(2)[7]
        except IndexError:
            show("index")
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_errors(agrees, name, target):
    agrees(PROGRAMS[name], target)


def test_a_class_that_is_caught_for_another_reason_is_marked(outcome):
    program = """
        import torch

        try:
            torch.ones(int("2"), 3).view(7)
        except ValueError:
            show("no number")
        except RuntimeError:
            show("no such shape")
    """
    found = outcome(program, "paddle")
    assert [site for site in found.sites if site.outcome == "differs"], str(found)


OF_BACKWARD = """
    import contextlib
    import torch
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    z = (x**2).sum()
    z.backward()
    try:
        z.backward()
        show("again")
    except RuntimeError:
        show("freed")
    def safe(loss):
        try:
            loss.backward()
            return True
        except RuntimeError as error:
            if "out of memory" in str(error):
                return None
            return False
    show(safe((x * 2).sum()), safe(torch.ones(1).sum()))
    with contextlib.suppress(RuntimeError):
        z.backward()
    try:
        torch.autograd.grad(z, [torch.ones(1, requires_grad=True)])
    except (RuntimeError, KeyError):
        show("unused")
"""


def test_oneflows_errors_of_backward(agrees) -> None:
    agrees(OF_BACKWARD, "oneflow")


def test_what_oneflow_refuses_of_what_is_a_tensor_at_times_is_not_handled_as_torchs(agrees) -> None:
    agrees(
        """
        import torch
        items = torch.linspace(1.0, 2.0, steps=2)
        try:
            found = (0.25 if items.sum() > 10 else items[0]).argmax()
        except RuntimeError:
            found = items
        show(found)
        """,
        "oneflow",
    )
