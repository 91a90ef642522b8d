"""To JAX: networks of plain classes whose tensors are trained by themselves, found by the lists that give them."""

from __future__ import annotations

from collections.abc import Callable


def test_layers_of_a_list_that_is_gone_through(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn.functional as F

        g = torch.Generator().manual_seed(42)


        def lin(*shape, k=1.0):
            n = 1
            for s in shape:
                n *= s
            return (torch.arange(n, dtype=torch.float32) * 0.7).sin().reshape(shape) * k


        class Linear:
            def __init__(self, fan_in, fan_out, bias=True):
                self.weight = lin(fan_in, fan_out) / fan_in**0.5
                self.bias = torch.zeros(fan_out) if bias else None

            def __call__(self, x):
                self.out = x @ self.weight
                if self.bias is not None:
                    self.out += self.bias
                return self.out

            def parameters(self):
                return [self.weight] + ([] if self.bias is None else [self.bias])


        class BatchNorm1d:
            def __init__(self, dim, eps=1e-5, momentum=0.1):
                self.eps = eps
                self.momentum = momentum
                self.training = True
                self.gamma = torch.ones(dim)
                self.beta = torch.zeros(dim)
                self.running_mean = torch.zeros(dim)
                self.running_var = torch.ones(dim)

            def __call__(self, x):
                if self.training:
                    xmean = x.mean(0, keepdim=True)
                    xvar = x.var(0, keepdim=True)
                else:
                    xmean = self.running_mean
                    xvar = self.running_var
                xhat = (x - xmean) / torch.sqrt(xvar + self.eps)
                self.out = self.gamma * xhat + self.beta
                if self.training:
                    with torch.no_grad():
                        self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * xmean
                        self.running_var = (1 - self.momentum) * self.running_var + self.momentum * xvar
                return self.out

            def parameters(self):
                return [self.gamma, self.beta]


        class Tanh:
            def __call__(self, x):
                self.out = torch.tanh(x)
                return self.out

            def parameters(self):
                return []


        C = lin(7, 3)
        layers = [
            Linear(6, 8, bias=False), BatchNorm1d(8), Tanh(),
            Linear(8, 7, bias=True),
        ]
        with torch.no_grad():
            layers[-1].weight *= 0.1
            for layer in layers[:-1]:
                if isinstance(layer, Linear):
                    layer.weight *= 5 / 3

        parameters = [C] + [p for layer in layers for p in layer.parameters()]
        print(sum(p.nelement() for p in parameters))
        for p in parameters:
            p.requires_grad = True

        X = torch.arange(20).reshape(10, 2) % 7
        Y = (torch.arange(10) * 3) % 7
        lossi = []
        for i in range(5):
            emb = C[X]
            x = emb.view(emb.shape[0], -1)
            for layer in layers:
                x = layer(x)
            loss = F.cross_entropy(x, Y)
            for p in parameters:
                p.grad = None
            loss.backward()
            lr = 0.1 if i < 3 else 0.01
            for p in parameters:
                p.data += -lr * p.grad
            lossi.append(loss.log10().item())
        show(lossi)
        for layer in layers:
            layer.training = False
        with torch.no_grad():
            x = C[X].view(10, -1)
            for layer in layers:
                x = layer(x)
            show(F.cross_entropy(x, Y).item(), C.sum().item())
    """
    agrees(program, "jax")


def test_layers_in_a_container_that_gives_their_tensors(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn.functional as F


        class Linear:
            def __init__(self, fan_in, fan_out):
                self.weight = torch.linspace(-1, 1, fan_in * fan_out).reshape(fan_in, fan_out) / fan_in**0.5
                self.bias = torch.zeros(fan_out)

            def __call__(self, x):
                self.out = x @ self.weight + self.bias
                return self.out

            def parameters(self):
                return [self.weight, self.bias]


        class Embedding:
            def __init__(self, n, d):
                self.weight = torch.linspace(-1, 1, n * d).sin().reshape(n, d)

            def __call__(self, ix):
                self.out = self.weight[ix]
                return self.out

            def parameters(self):
                return [self.weight]


        class Flatten:
            def __call__(self, x):
                self.out = x.view(x.shape[0], -1)
                return self.out

            def parameters(self):
                return []


        class Relu:
            def __call__(self, x):
                return torch.relu(x)

            def parameters(self):
                return []


        class Sequential:
            def __init__(self, layers):
                self.layers = layers

            def __call__(self, x):
                for layer in self.layers:
                    x = layer(x)
                self.out = x
                return self.out

            def parameters(self):
                return [p for layer in self.layers for p in layer.parameters()]


        model = Sequential([Embedding(5, 4), Flatten(), Linear(12, 6), Relu(), Linear(6, 5)])
        parameters = model.parameters()
        for p in parameters:
            p.requires_grad = True

        X = (torch.arange(24) % 5).reshape(8, 3)
        Y = torch.arange(8) % 5
        for step in range(4):
            logits = model(X)
            loss = F.cross_entropy(logits, Y)
            for p in parameters:
                p.grad = None
            loss.backward()
            for p in parameters:
                p.data += -0.2 * p.grad
            show(loss.item())
        show(*[p.detach() for p in model.parameters()])
    """
    agrees(program, "jax")


def test_neurons_one_by_one(agrees: Callable[..., object]) -> None:
    program = """
        import torch

        torch.manual_seed(0)


        class Neuron:
            def __init__(self, n, seed):
                self.w = ((torch.arange(n).float() + seed) * 1.7).sin().requires_grad_()
                self.b = torch.zeros(1, requires_grad=True)

            def __call__(self, x):
                return torch.tanh((self.w * x).sum() + self.b)

            def parameters(self):
                return [self.w, self.b]


        class Layer:
            def __init__(self, nin, nout):
                self.neurons = [Neuron(nin, i) for i in range(nout)]

            def __call__(self, x):
                outs = [n(x) for n in self.neurons]
                return outs[0] if len(outs) == 1 else torch.cat(outs)

            def parameters(self):
                return [p for n in self.neurons for p in n.parameters()]


        class MLP:
            def __init__(self, nin, nouts):
                sz = [nin] + nouts
                self.layers = [Layer(sz[i], sz[i + 1]) for i in range(len(nouts))]

            def __call__(self, x):
                for layer in self.layers:
                    x = layer(x)
                return x

            def parameters(self):
                return [p for layer in self.layers for p in layer.parameters()]


        n = MLP(3, [4, 1])
        xs = torch.tensor([[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0]])
        ys = [1.0, -1.0, -1.0]
        print(len(n.parameters()))
        for k in range(4):
            ypred = [n(x) for x in xs]
            loss = sum((yout - ygt) ** 2 for ygt, yout in zip(ys, ypred))
            for p in n.parameters():
                p.grad = None
            loss.backward()
            for p in n.parameters():
                p.data -= 0.05 * p.grad
            print(k, f"{loss.item():.5f}")
        show(torch.stack([y.detach() for y in ypred]), n.layers[0].neurons[0].w.grad)
    """
    agrees(program, "jax")


def test_a_regression_that_trains_itself(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn.functional as F


        class LogReg:
            def __init__(self, d, c):
                self.W = torch.zeros(d, c, requires_grad=True)
                self.b = torch.zeros(c, requires_grad=True)

            def forward(self, x):
                return F.log_softmax(x @ self.W + self.b, dim=1)

            __call__ = forward

            def loss(self, x, y):
                return F.nll_loss(self.forward(x), y)

            def fit(self, x, y, lr=0.5, n=5):
                for i in range(n):
                    loss = self.loss(x, y)
                    loss.backward()
                    with torch.no_grad():
                        self.W -= lr * self.W.grad
                        self.b -= lr * self.b.grad
                        self.W.grad.zero_()
                        self.b.grad.zero_()
                    show(loss.item())


        m = LogReg(3, 2)
        x = torch.linspace(-1, 1, 18).reshape(6, 3).sin()
        y = torch.tensor([0, 1, 1, 0, 1, 0])
        m.fit(x, y)
        show(m.W, m.b, m(x).argmax(1))
    """
    agrees(program, "jax")


def test_parameters_that_a_generator_gives(agrees: Callable[..., object]) -> None:
    program = """
        import torch


        class Linear:
            def __init__(self, a, b):
                self.w = torch.nn.Parameter(torch.linspace(-1, 1, a * b).reshape(a, b))
                self.b = torch.nn.Parameter(torch.zeros(b))

            def __call__(self, x):
                return x @ self.w + self.b

            def params(self):
                yield self.w
                yield self.b


        class Net:
            def __init__(self):
                self.l1, self.l2 = Linear(2, 4), Linear(4, 1)

            def __call__(self, x):
                return self.l2(torch.relu(self.l1(x)))

            def params(self):
                return list(self.l1.params()) + list(self.l2.params())


        net = Net()
        opt = torch.optim.Adam(net.params(), lr=0.05)
        x = torch.tensor([[0.0, 0], [0, 1], [1, 0], [1, 1]])
        y = torch.tensor([[0.0], [1], [1], [0]])
        for i in range(4):
            opt.zero_grad()
            loss = ((net(x) - y) ** 2).mean()
            loss.backward()
            opt.step()
            show(loss.item())
        show(net.l1.w, net.l2.b.grad)
    """
    agrees(program, "jax")


def test_cells_moved_by_a_function(agrees: Callable[..., object]) -> None:
    program = """
        import torch


        class RNN:
            def __init__(self, n_in, n_h):
                k = torch.linspace(-0.5, 0.5, n_in * n_h)
                self.Wx = k.reshape(n_in, n_h).clone()
                self.Wh = torch.eye(n_h) * 0.5
                self.b = torch.zeros(n_h)
                for p in self.params():
                    p.requires_grad_(True)

            def params(self):
                return [self.Wx, self.Wh, self.b]

            def step(self, x, h):
                return torch.tanh(x @ self.Wx + h @ self.Wh + self.b)

            def run(self, xs):
                h = torch.zeros(xs.shape[1], self.b.shape[0])
                hs = []
                for x in xs:
                    h = self.step(x, h)
                    hs.append(h)
                return torch.stack(hs)


        def sgd(params, lr):
            with torch.no_grad():
                for p in params:
                    p -= lr * p.grad
                    p.grad.zero_()


        rnn = RNN(2, 3)
        xs = torch.linspace(-1, 1, 20).reshape(5, 2, 2)
        for i in range(3):
            out = rnn.run(xs)
            loss = (out[-1] - 0.3).pow(2).mean()
            loss.backward()
            sgd(rnn.params(), 0.5)
            show(loss.item())
        show(rnn.Wh, rnn.b)
    """
    agrees(program, "jax")


def test_lists_that_objects_keep_and_what_their_losses_leave(agrees: Callable[..., object]) -> None:
    """A loop over `v.params` wrote arrays into the list, silently."""
    program = """
        import torch
        import torch.nn as nn
        import torch.nn.functional as F


        class Value:
            def __init__(self, net):
                self.net = net
                self.params = list(net.parameters())
                self.opt = torch.optim.SGD(self.params, lr=0.1)
                self.log = []

            def reg(self):
                return sum(p.abs().sum() for p in self.params)

            def objective(self, x):
                self.out = self.net(x)
                self.stats = {"max": self.out.max(), "pair": (self.out.mean(), 3)}
                l = self.out.pow(2).mean() + 0.01 * self.reg()
                self.log.append(l)
                return l

            def step(self, x):
                l = self.objective(x)
                self.opt.zero_grad()
                l.backward()
                self.opt.step()
                return l.item()


        torch.manual_seed(0)
        v = Value(nn.Linear(3, 2))
        with torch.no_grad():
            for p in v.params:
                p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
        for i in range(2):
            show(v.step(torch.ones(2, 3)))
            show(v.out.sum().item(), v.stats["max"].item(), v.stats["pair"][0].detach())
            show(torch.stack([l.detach() for l in v.log]))
    """
    agrees(program, "jax")
