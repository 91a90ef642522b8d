"""torch.func: transforms of functions."""

import torch


def grads(a0_: "float32[3]", a1_: "float32[3]"):
    def f(x, y):
        return torch.sum(torch.sin(x) * y)

    return (
        torch.func.grad(f)(a0_, a1_),
        torch.func.grad(f, argnums=1)(a0_, a1_),
        torch.func.grad(f, argnums=(0, 1))(a0_, a1_),
        torch.func.grad_and_value(f)(a0_, a1_),
    )


def grads_with_more(a0_: "float32[3]"):
    def f(weights):
        out = weights["a"] * weights["b"]
        return torch.sum(out), out

    slopes, aux = torch.func.grad(f, has_aux=True)({"a": a0_, "b": a0_ + 1})
    return slopes["a"], slopes["b"], aux


def grad_of_grad(a0_: "float32[1]"):
    return torch.func.grad(torch.func.grad(lambda x: x**3))(a0_[0])


def of_no_gradient(a0_: "float32[3]"):
    with torch.no_grad():
        return torch.func.grad(lambda x: torch.sum(x * x))(a0_)


def products(a0_: "float32[3]", a1_: "float32[3]"):
    output, back = torch.func.vjp(lambda x: torch.sin(x), a0_)
    both, back_of_two = torch.func.vjp(lambda x, y: x * y, a0_, a1_)
    return output, back(a1_), back(a0_), both, back_of_two(a1_)


def forward_products(a0_: "float32[3]", a1_: "float32[3]"):
    output, tangent = torch.func.jvp(lambda x: torch.sin(x) * x, (a0_,), (a1_,))
    value, linear = torch.func.linearize(lambda x: torch.sin(x), a0_)
    return output, tangent, torch.func.jvp(lambda x, y: x * y, (a0_, a1_), (a1_, a0_)), value, linear(a1_)


def jacobians(a0_: "float32[3]", a1_: "float32[3]"):
    def f(x, y):
        return torch.sin(x) * y

    return (
        torch.func.jacrev(f)(a0_, a1_),
        torch.func.jacfwd(f)(a0_, a1_),
        torch.func.jacrev(f, argnums=(0, 1))(a0_, a1_),
        torch.func.hessian(lambda x: torch.sum(x**3))(a0_),
    )


def mapped(a0: "float32[4,3]", a1: "float32[4,3]", a2: "float32[3]"):
    return (
        torch.vmap(torch.dot)(a0, a1),
        torch.vmap(lambda x, y: x * y, in_dims=(0, None))(a0, a2),
        torch.func.vmap(lambda x: (torch.sum(x), x * 2), out_dims=(0, 1))(a0),
        torch.vmap(lambda x: x + 1, in_dims=1, out_dims=1)(a0),
    )


def each_sample(a0_: "float32[3]", a1_: "float32[4,3]"):
    return torch.func.vmap(torch.func.grad(lambda w, x: torch.sum(torch.sin(w * x))), in_dims=(None, 0))(a0_, a1_)


def called(module: "torch.nn.Linear(4, 3)", a0: "float32[5,4]"):
    weights = {name: value * 2 for name, value in module.named_parameters()}
    return torch.func.functional_call(module, weights, (a0,)), module(a0)


def called_with_gradient(
    module: "torch.nn.Sequential(torch.nn.LayerNorm(4), torch.nn.ReLU(), torch.nn.LayerNorm(4))", a0_: "float32[5,4]"
):
    def loss(weights):
        return torch.sum(torch.func.functional_call(module, weights, a0_) ** 2)

    found = torch.func.grad(loss)({name: value.detach() for name, value in module.named_parameters()})
    return found["0.weight"], found["2.bias"]


def stacked(module: "torch.nn.LayerNorm(4)"):
    parameters, buffers = torch.func.stack_module_state([module, module])
    return parameters["weight"], parameters["bias"], len(buffers)


def unchanged(a0: "float32[3]"):
    return torch.func.functionalize(lambda x: x * 2)(a0), torch.func.debug_unwrap(a0)
