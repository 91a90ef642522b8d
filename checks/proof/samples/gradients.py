"""Gradients: modes, torch.autograd, functions with a backward of their own."""

import torch


def modes(a0: "float32[2,3]"):
    with torch.no_grad():
        first = (a0 * 2).requires_grad
    with torch.enable_grad():
        second = (a0 * 2).requires_grad
    with torch.inference_mode():
        third = torch.is_inference_mode_enabled()
    with torch.set_grad_enabled(False):
        fourth = torch.is_grad_enabled()
    return first, second, third, fourth, torch.is_grad_enabled()


@torch.no_grad()
def decorated(a0: "float32[2,3]"):
    return (a0 * 2).requires_grad


def of_a_sum(a0_: "float32[2,3]", a1_: "float32[2,3]"):
    a0_.requires_grad_()
    a1_.requires_grad_()
    first, second = torch.autograd.grad((a0_ * a1_).sum(), [a0_, a1_])
    return first, second


def with_vector(a0_: "float32[3]", a1_: "float32[3]"):
    a0_.requires_grad_()
    return torch.autograd.grad(a0_ * a0_, a0_, grad_outputs=a1_, retain_graph=True)[0]


def penalty(a0_: "float32[4,3]"):
    a0_.requires_grad_()
    out = (a0_**3).sum()
    (slope,) = torch.autograd.grad(outputs=out, inputs=a0_, create_graph=True)
    torch.mean((torch.norm(slope, 2, dim=1) - 1) ** 2).backward()
    return a0_.grad


def unused(a0_: "float32[3]", a1_: "float32[3]"):
    a0_.requires_grad_()
    a1_.requires_grad_()
    found = torch.autograd.grad(a0_.sum(), (a0_, a1_), allow_unused=True)
    return found[0], found[1] is None


def backward_twice(a0_: "float32[3]"):
    a0_.requires_grad_()
    out = (a0_ * a0_).sum()
    out.backward(retain_graph=True)
    out.backward()
    return a0_.grad


def backward_of_many(a0_: "float32[3]", a1_: "float32[3]"):
    a0_.requires_grad_()
    torch.autograd.backward([(a0_ * 2).sum(), a0_ * a0_], [None, a1_])
    return a0_.grad


def backward_with_gradient(a0_: "float32[3]", a1_: "float32[3]"):
    a0_.requires_grad_()
    (a0_ * a0_).backward(a1_)
    (a0_ * a0_).backward(gradient=a1_)
    return a0_.grad


def retained(a0_: "float32[3]"):
    a0_.requires_grad_()
    middle = a0_ * 2
    middle.retain_grad()
    (middle * middle).sum().backward()
    return middle.grad, a0_.grad


def hooked(a0_: "float32[3]"):
    a0_.requires_grad_()
    middle = a0_ * 2
    handle = middle.register_hook(lambda grad: grad * 3)
    middle.sum().backward()
    handle.remove()
    return a0_.grad


def cut_off(a0_: "float32[3]"):
    a0_.requires_grad_()
    copy = (a0_ * 2).detach_()
    return copy.requires_grad, a0_.detach().requires_grad, torch.detach(a0_)


def zeroed(a0_: "float32[3]"):
    a0_.requires_grad_()
    (a0_ * 2).sum().backward()
    with torch.no_grad():
        a0_.grad.zero_()
    first = a0_.grad.clone()
    a0_.grad = None
    return first, a0_.grad is None


def data_written(a0_: "float32[3]", a1_: "float32[3]"):
    a0_.requires_grad_()
    a0_.data.mul_(2)
    first = a0_.detach().clone()
    a0_.data = a1_
    return first, a0_.detach(), a0_.requires_grad


def leaves(a0_: "float32[3]"):
    a0_.requires_grad_()
    return a0_.is_leaf, (a0_ * 2).is_leaf


def own_function(a0_: "float32[3]"):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.save_for_backward(x)
            ctx.factor = factor
            return x * x * factor

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * 2 * x * ctx.factor, None

    a0_.requires_grad_()
    out = Scale.apply(a0_, 3.0)
    torch.autograd.backward(torch.sum(out))
    return torch.detach(out), a0_.grad


def own_function_of_two(a0_: "float32[3]", a1_: "float32[3]"):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            first = grad * y if ctx.needs_input_grad[0] else None
            return first, grad * x

    a0_.requires_grad_()
    a1_.requires_grad_()
    torch.autograd.backward(torch.sum(Product.apply(a0_, a1_)))
    return a0_.grad, a1_.grad


def straight_through(a0_: "float32[5]"):
    class Sign(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return torch.sign(x)

        @staticmethod
        def backward(ctx, grad):
            return grad

    a0_.requires_grad_()
    torch.autograd.backward(torch.sum(Sign.apply(a0_)))
    return a0_.grad


def matrices(a0_: "float32[3]"):
    return (
        torch.autograd.functional.jacobian(lambda x: x * x, a0_),
        torch.autograd.functional.hessian(lambda x: torch.sum(x**3), a0_),
    )


def jacobians_of_two(a0_: "float32[3]", a1_: "float32[3]"):
    return torch.autograd.functional.jacobian(lambda x, y: x * y, (a0_, a1_))


def products(a0_: "float32[3]", a1_: "float32[3]"):
    return (
        torch.autograd.functional.vjp(lambda x: x * x, a0_, a1_),
        torch.autograd.functional.jvp(lambda x: x * x, a0_, a1_),
        torch.autograd.functional.vhp(lambda x: torch.sum(x**3), a0_, a1_),
        torch.autograd.functional.hvp(lambda x: torch.sum(x**3), a0_, a1_),
    )


def variables(a0_: "float32[2, 3]"):
    a0_.requires_grad_()
    cut = torch.autograd.Variable(a0_ * 2)
    leaf = torch.autograd.Variable(a0_ * 2, requires_grad=True)
    torch.sum(leaf * leaf + a0_ * cut).backward()
    return cut, leaf, leaf.grad, a0_.grad
