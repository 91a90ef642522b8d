"""To JAX: steps as people write them: losses of what is bound late, functions of their own, masks, detached sums."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from migrate.programs import Outcome

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(net):
    for i, p in enumerate(net.parameters()):
        p.data = (torch.arange(p.numel()).view_as(p) * 0.53 + i).sin()
    return net


x = torch.arange(6.).view(2, 3).cos()
"""


def test_what_a_loss_reads_may_be_bound_behind_the_model(agrees: Callable[..., object]) -> None:
    program = """
        net = filled(nn.Linear(3, 2))
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        crit = nn.MSELoss()


        def step(k):
            opt.zero_grad()
            out = net(x)
            scale = torch.ones(2, 2) * k
            target = scale + 1
            crit(out, target).backward()
            opt.step()
            return out


        show(step(1), step(2))
        for k in range(2):
            out = net(x)
            target = torch.ones(2, 2) * k
            opt.zero_grad()
            crit(out, target).backward()
            opt.step()
            show(out)


        class Player:
            def __init__(self):
                self.kept = []

            def play(self, net, k):
                probs = torch.softmax(net(x), -1)
                chosen = torch.tensor([[k], [1 - k]])
                self.kept.append(probs.gather(1, chosen).log())

            def learn(self):
                loss = -torch.cat(self.kept).sum()
                opt.zero_grad()
                loss.backward()
                opt.step()
                self.kept.clear()
                return loss.item()


        player = Player()
        for k in range(2):
            player.play(net, 0)
            player.play(net, k)
            show(player.learn())
        show(net.weight)
    """
    agrees(HEAD + dedent(program), "jax")


def test_stores_by_masks_are_not_compiled(agrees: Callable[..., object]) -> None:
    program = """
        class Clip(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x.clamp(0, 1)

            @staticmethod
            def backward(ctx, grad):
                x, = ctx.saved_tensors
                grad = grad.clone()
                grad[x < 0] = 0
                return grad


        class Clipping(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 4)

            def forward(self, x):
                return Clip.apply(self.fc(x))


        class Masking(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 4)

            def forward(self, x):
                h = self.fc(x).clone()
                h[h < 0] = 0
                return h


        def step(net, opt, x):
            opt.zero_grad()
            loss = net(x).pow(2).sum()
            loss.backward()
            opt.step()
            return loss.item()


        for made in (Clipping, Masking):
            net = filled(made())
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            show(step(net, opt, x), step(net, opt, x))


        for net in [filled(Clipping())]:
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            for i in range(2):
                opt.zero_grad()
                loss = net(x).pow(2).sum()
                loss.backward()
                opt.step()
                show(loss.item())
    """
    agrees(HEAD + dedent(program), "jax")


def test_a_loss_of_a_detached_sum_may_stand_under_a_condition(agrees: Callable[..., object]) -> None:
    program = """
        class Agent:
            def __init__(self, auto):
                self.net, self.auto, self.alpha = filled(nn.Linear(3, 2)), auto, 0.2
                self.opt = torch.optim.Adam(self.net.parameters(), lr=0.01)
                self.log_alpha = torch.zeros(1, requires_grad=True)
                self.alpha_opt = torch.optim.Adam([self.log_alpha], lr=0.01)

            def update(self, x):
                logs = F.log_softmax(self.net(x), -1)
                loss = (self.alpha * logs).mean() + logs.pow(2).mean()
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                if self.auto:
                    alpha_loss = -(self.log_alpha * (logs + 2.0).detach()).mean()
                    self.alpha_opt.zero_grad()
                    alpha_loss.backward()
                    self.alpha_opt.step()
                    self.alpha = self.log_alpha.exp()
                    logged = self.alpha.clone()
                else:
                    alpha_loss, logged = torch.tensor(0.0), torch.tensor(self.alpha)
                return loss.item(), alpha_loss.item(), logged.item()


        for agent in (Agent(True), Agent(False)):
            show(agent.update(x), agent.update(x))
    """
    agrees(HEAD + dedent(program), "jax")


def test_data_of_a_layers_weight_is_an_array_wherever_it_goes(agrees: Callable[..., object]) -> None:
    program = """
        def shown(net):
            w = net.weight.data
            show(net.weight.data, [net.weight.data], {"w": net.weight.data}, torch.tanh(w), w.sum())
            show(max([net.weight.data.max(), net.weight.data.min()]), net.weight.data[0])
            return net.weight.data


        show(shown(filled(nn.Linear(3, 2))))
    """
    agrees(HEAD + dedent(program), "jax")


def test_a_part_and_a_name_are_stored_at_once(agrees: Callable[..., object]) -> None:
    program = """
        def gae(rewards, values, dones, last):
            advantages = torch.zeros_like(rewards)
            so_far = 0
            for t in reversed(range(len(rewards))):
                following = last if t == len(rewards) - 1 else values[t + 1]
                delta = rewards[t] + 0.9 * following * (1 - dones[t]) - values[t]
                advantages[t] = so_far = delta + 0.9 * 0.95 * (1 - dones[t]) * so_far  # the usual
            return advantages, so_far


        r = torch.arange(8.).view(4, 2).sin()
        show(gae(r, r.cos(), (r > 0.5).float(), r[0]))
        last = r[1, 0] = torch.ones(()) * 2
        show(r, last)
    """
    agrees(HEAD + dedent(program), "jax")


def test_parameters_are_scaled_by_their_attributes(agrees: Callable[..., object]) -> None:
    program = """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.ModuleList([filled(nn.Linear(3, 2)), filled(nn.Linear(2, 2))])
                self.gain = nn.Parameter(torch.ones(2))
                with torch.no_grad():
                    self.gain *= 2
                    self.layers[0].weight *= 0.5
                    for layer in self.layers:
                        layer.bias -= layer.bias
                        layer.weight /= torch.ones(2, 1, dtype=torch.float64) * 2

            def forward(self, x):
                for layer in self.layers:
                    x = layer(x)
                return x * self.gain


        net = Net()
        fc = filled(nn.Linear(2, 2))
        with torch.no_grad():
            fc.weight *= 0
            fc.weight += torch.eye(2)
            fc.bias += 3
            net.layers[-1].weight *= 0.1
        show(fc.weight, fc.bias, net.gain, net.layers[0].bias, net.layers[0].weight)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        loss = net(x).sum()
        loss.backward()
        opt.step()
        show(loss.item(), net.gain, net.layers[1].bias)
    """
    agrees(HEAD + dedent(program), "jax")


def test_fast_weights_begin_as_a_models_parameters(agrees: Callable[..., object]) -> None:
    """MAML: the first of a list of weights are held, what they become are arrays."""
    program = """
        class Meta(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc1, self.fc2 = nn.Linear(3, 4), nn.Linear(4, 1)

            def forward(self, x, weights):
                return F.linear(torch.tanh(F.linear(x, weights[0], weights[1])), weights[2], weights[3])


        net = filled(Meta())
        opt = torch.optim.Adam(net.parameters(), lr=0.01)
        for it in range(2):
            meta_loss = 0.0
            for k in range(2):
                fast = list(net.parameters())
                for _ in range(2):
                    loss = F.mse_loss(net(x + k, fast), x[:, :1])
                    grads = torch.autograd.grad(loss, fast, create_graph=True)
                    fast = [w - 0.1 * g for w, g in zip(fast, grads)]
                meta_loss = meta_loss + F.mse_loss(net(x - k, fast), x[:, 1:2])
            opt.zero_grad()
            meta_loss.backward()
            opt.step()
            show(meta_loss.item())
        for p in net.parameters():
            show(p.data)
    """
    agrees(HEAD + dedent(program), "jax")


def test_gradients_of_sure_probabilities_are_finite(agrees: Callable[..., object]) -> None:
    """A sigmoid that is exactly 0 or 1 had NaN for gradients of binary_cross_entropy, silently."""
    program = """
        logits = torch.tensor([-120., -40., 0., 20., 40., 120.], requires_grad=True)
        target = torch.tensor([0.3, 0.0, 0.5, 0.3, 1.0, 0.7])
        loss = F.binary_cross_entropy(torch.sigmoid(logits), target, reduction="sum")
        show(loss, torch.autograd.grad(loss, logits)[0])


        def mean(p):
            return nn.BCELoss()(p, target)


        sure = torch.tensor([0.0, 1.0, 0.5, 1.0, 0.0, 0.25])
        show(torch.func.grad(mean)(sure), mean(sure))
    """
    agrees(HEAD + dedent(program), "jax")


def test_what_looks_at_values_in_a_model_is_not_compiled(outcome: Callable[..., Outcome]) -> None:
    """A step is run as it stands where sizes, numbers or truth values of Python's come from a tensor."""
    bodies = {
        "classes as they come": "return (h * F.one_hot(n).float()).sum()",
        "two that are equal": "return (h * 2 if torch.equal(n, n + 0) else h).sum()",
        "two that are close": "return h.sum() * (2 if torch.allclose(h, h) else 3)",
        "counted to a tensor": "return (h * (torch.arange(n.max() + 1)[None] < n[:, None] + 1)).sum()",
        "a slice up to a tensor": "return h[:, : n.max()].sum()",
        "so many turns": "return sum(h[:, i].sum() for i in range(n.max()))",
        "the largest by Python": "return h[:, max(n)].sum() + h[n[0], 0]",
        "zeros of a tensor's size": "return torch.zeros(n.max() + 1, 3).index_add(0, n, h).pow(2).sum()",
        "places by a condition": "return h[[i for i in range(4) if n[i] > 0]].sum()",
        "packed": "return pack_padded_sequence(h[:, None], n + 1, True, enforce_sorted=False).data.pow(2).sum()",
    }
    for name, body in bodies.items():
        found = outcome(
            f"""
            import torch
            from torch import nn
            import torch.nn.functional as F
            from torch.nn.utils.rnn import pack_padded_sequence

            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.fc = nn.Linear(3, 3)

                def forward(self, x, n):
                    h = self.fc(x)
                    {body.replace("n + 1, True", "n * 0 + 1, True")}

            net = Net()
            with torch.no_grad():
                net.fc.weight.copy_(torch.arange(9.0).view(3, 3) * 0.1)
                net.fc.bias.fill_(0.1)
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            for k in range(2):
                loss = net(torch.cos(torch.arange(12.0) + k).view(4, 3), torch.tensor([1, 2, 0, 2]))
                opt.zero_grad()
                loss.backward()
                opt.step()
                show(loss)
            """,
            "jax",
        )
        assert found.verdict == "agrees", (name, str(found))


def test_steps_on_one_line(agrees: Callable[..., Outcome]) -> None:
    found = agrees(
        """
        import torch
        from torch import nn

        net = nn.Linear(3, 2); x = torch.ones(2, 3)
        with torch.no_grad():
            net.weight.fill_(0.3); net.bias.zero_()
        opt = torch.optim.SGD(net.parameters(), lr=0.1); n = 0
        for _ in range(2):
            out = net(x); loss = (out - 1).abs().mean(); n += 1
            opt.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(net.parameters(), 0.5); opt.step(); show(n)

        def train(net, opt):
            for i in range(2):
                opt.zero_grad(); y = net(x)
                loss = y.sum(); loss.backward(); n = i
                opt.step(); show(y, n)  # shown

        train(net, opt)
        opt.zero_grad(); loss = net(x).sum(); loss.backward(); opt.step()
        show(loss, net.weight.clone(), net.bias.clone())
        """,
        "jax",
    )
    assert "nnx.jit" in found.converted["program.py"]


def test_a_batch_of_the_last_turn_is_part_of_no_loss(agrees: Callable[..., Outcome]) -> None:
    agrees(
        """
        import torch
        from torch import nn, autograd

        def gradient_penalty(critic, real, fake, alpha):
            mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
            score = critic(mixed)
            grads = autograd.grad(score, mixed, torch.ones_like(score), create_graph=True, retain_graph=True)[0]
            return ((grads.view(grads.size(0), -1).norm(2, dim=1) - 1) ** 2).mean()

        critic, gen = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)), nn.Linear(2, 3)
        with torch.no_grad():
            for i, p in enumerate([*critic.parameters(), *gen.parameters()]):
                p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view_as(p))
        oc = torch.optim.RMSprop(critic.parameters(), lr=0.01)
        og = torch.optim.RMSprop(gen.parameters(), lr=0.01)
        for epoch in range(2):
            for k in range(2):
                real = torch.cos(torch.arange(12.0) + k).view(4, 3)
                z = torch.sin(torch.arange(8.0) * (k + 1)).view(4, 2)
                with torch.no_grad():
                    fake = gen(z)
                oc.zero_grad()
                gp = gradient_penalty(critic, real, fake, torch.linspace(0, 1, 4).view(4, 1))
                wd = critic(fake).mean() - critic(real).mean()
                (wd + gp).backward()
                oc.step()
                show(wd, gp)
            og.zero_grad()
            gl = -critic(gen(z)).mean()
            gl.backward()
            og.step()
            show(gl)
        show(list(gen.parameters()))
        """,
        "jax",
    )


def test_a_module_that_a_function_gives_is_made_above_the_step(agrees: Callable[..., Outcome]) -> None:
    program = """
        net = filled(nn.Linear(3, 2))
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        loss = net(x).pow(2).sum()
        loss.backward()
        opt.step()
        show(loss, net.bias, net.weight)
    """
    agrees(HEAD + dedent(program), "jax")


def test_labels_of_alignments_one_behind_the_other(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn

        net = nn.Linear(3, 5)
        with torch.no_grad():
            net.weight.copy_(torch.linspace(-1, 1, 15).reshape(5, 3))
            net.bias.zero_()
        loss_of, opt = nn.CTCLoss(blank=0, zero_infinity=True), torch.optim.SGD(net.parameters(), lr=0.1)
        x = torch.linspace(-1, 1, 48).reshape(8, 2, 3)
        targets, lengths = torch.tensor([1, 2, 3, 4, 1]), torch.tensor([3, 2])
        for i in range(3):
            log_probs = net(x).log_softmax(-1)
            loss = loss_of(log_probs, targets, torch.full((2,), 8, dtype=torch.long), lengths)
            opt.zero_grad()
            loss.backward()
            opt.step()
            show(loss.item())
        show(net.weight)
    """
    agrees(program, "jax")


def test_a_loss_on_several_lines(agrees: Callable[..., Outcome]) -> None:
    found = agrees(
        """
        import torch
        import torch.nn as nn


        class Learner:
            def __init__(self):
                self.net = nn.Linear(2, 1)
                nn.init.constant_(self.net.weight, 0.5)
                nn.init.zeros_(self.net.bias)
                self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
                self.weight = 0.5

            def update(self, x, y):
                value = self.net(x)
                loss, penalty = ((value - y) ** 2).mean(), value.abs().mean()
                self.opt.zero_grad()
                (loss * self.weight + penalty -
                 0.1 * value.mean()).backward()
                self.opt.step()
                (loss  # once more
                 * 2).item()
                return loss.item()


        learner = Learner()
        for _ in range(3):
            show(learner.update(torch.ones(3, 2), torch.zeros(3, 1)))
        show(learner.net.weight)
        """,
        "jax",
    )
    assert "# migrate" not in found.converted["program.py"]
