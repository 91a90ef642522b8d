"""To JAX: losses of methods and functions that come to their modules by themselves (``self.model``)."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from migrate.programs import Outcome
from tests.programs.model_head import HEAD


def test_a_trainer_of_a_derived_class_and_what_its_module_keeps(agrees: Callable[..., object]) -> None:
    program = """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.l = nn.Linear(3, 4)
                self.bn = nn.BatchNorm1d(4)
                self.o = nn.Linear(4, 2)
                self.feat = None

            def forward(self, x):
                self.feat = torch.tanh(self.bn(self.l(x)))
                return self.o(self.feat)


        class BaseTrainer:
            def __init__(self, model, lr=0.1):
                self.model = model
                self.optimizer = self.make_optimizer(lr)
                self.steps = 0

            def make_optimizer(self, lr):
                return torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)

            def compute_loss(self, x, y):
                raise NotImplementedError

            def step(self, x, y):
                self.model.train()
                self.optimizer.zero_grad()
                loss, logs = self.compute_loss(x, y)
                loss.backward()
                self.optimizer.step()
                self.steps += 1
                return logs


        class ClsTrainer(BaseTrainer):
            def __init__(self, *a, weight=0.1, **k):
                super().__init__(*a, **k)
                self.weight = weight
                self.last_pred = None

            def compute_loss(self, x, y):
                logits = self.model(x)
                self.last_pred = logits.argmax(1)
                ce = F.cross_entropy(logits, y)
                reg = self.weight * self.model.feat.pow(2).mean()
                accuracy = (self.last_pred == y).float().mean().item()
                return ce + reg, {"ce": ce.item(), "reg": reg.item(), "acc": accuracy}


        t = ClsTrainer(init(Net()), lr=0.2)
        x, y = torch.linspace(-1, 1, 18).reshape(6, 3).sin(), torch.arange(6) % 2
        for _ in range(3):
            show(t.step(x, y))
        show(t.last_pred, t.model.feat, t.model.bn.running_mean, t.model.bn.num_batches_tracked, t.steps)
    """
    agrees(HEAD + dedent(program), "jax")


def test_a_function_that_reads_the_files_model(agrees: Callable[..., object]) -> None:
    program = """
        model = init(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1)))
        criterion = nn.MSELoss()
        optimizer = torch.optim.Adam(model.parameters(), lr=0.05)


        def loss_on(x, y):
            return criterion(model(x), y)


        def train(data):
            losses = []
            for x, y in data:
                optimizer.zero_grad()
                loss = loss_on(x, y)
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            return losses


        data = [(torch.linspace(-1, 1, 6).reshape(2, 3) * k, torch.full((2, 1), k * 1.0)) for k in range(1, 4)]
        for e in range(2):
            show(train(data))
        show(model[0].bias)
    """
    agrees(HEAD + dedent(program), "jax")


def test_two_players_and_an_object_that_is_called(agrees: Callable[..., object]) -> None:
    program = """
        class GAN:
            def __init__(self):
                self.G = init(nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 3)))
                self.D = init(nn.Sequential(nn.Linear(3, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1)))
                self.opt_g = torch.optim.Adam(self.G.parameters(), lr=0.01, betas=(0.5, 0.999))
                self.opt_d = torch.optim.Adam(self.D.parameters(), lr=0.01, betas=(0.5, 0.999))
                self.bce = nn.BCEWithLogitsLoss()

            def d_loss(self, real, z):
                fake = self.G(z).detach()
                r, f = self.D(real), self.D(fake)
                return self.bce(r, torch.ones_like(r)) + self.bce(f, torch.zeros_like(f))

            def g_loss(self, z):
                out = self.D(self.G(z))
                return self.bce(out, torch.ones_like(out))

            def train_step(self, real, z):
                ld = self.d_loss(real, z)
                self.opt_d.zero_grad()
                ld.backward()
                self.opt_d.step()
                self.opt_g.zero_grad()
                lg = self.g_loss(z)
                lg.backward()
                self.opt_g.step()
                return ld.item(), lg.item()


        gan = GAN()
        for i in range(3):
            show(gan.train_step(torch.linspace(-1, 1, 12).reshape(4, 3) + i, torch.linspace(-1, 1, 8).reshape(4, 2)))
        show(gan.G[0].weight, gan.D[2].weight)
    """
    agrees(HEAD + dedent(program), "jax")


def test_a_loss_that_is_an_object(agrees: Callable[..., object]) -> None:
    program = """
        class ContrastiveLoss:
            def __init__(self, encoder, tau=0.5):
                self.encoder = encoder
                self.tau = tau

            def __call__(self, a, b):
                za, zb = F.normalize(self.encoder(a), dim=1), F.normalize(self.encoder(b), dim=1)
                sim = za @ zb.t() / self.tau
                return F.cross_entropy(sim, torch.arange(len(a)))


        encoder = init(nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 4)))
        loss_fn = ContrastiveLoss(encoder)
        opt = torch.optim.AdamW(encoder.parameters(), lr=0.02)
        a = torch.linspace(-1, 1, 12).reshape(4, 3)
        b = a + 0.1 * a.cos()
        for _ in range(3):
            loss = loss_fn(a, b)
            opt.zero_grad()
            loss.backward()
            opt.step()
            show(loss.item())
        show(encoder[2].bias)
    """
    agrees(HEAD + dedent(program), "jax")


def test_functions_inside_of_others(agrees: Callable[..., object]) -> None:
    program = """
        def make_closure_trainer(net, lr):
            opt = torch.optim.SGD(net.parameters(), lr=lr)

            def forward_loss(x, y):
                out = net(x)
                return F.mse_loss(out, y), out

            def step(x, y):
                opt.zero_grad()
                loss, out = forward_loss(x, y)
                loss.backward()
                opt.step()
                return loss.item(), out.detach()

            return step


        step = make_closure_trainer(init(nn.Linear(3, 2)), 0.1)
        x, y = torch.linspace(-1, 1, 12).reshape(4, 3), torch.ones(4, 2)
        for _ in range(3):
            show(step(x, y))


        def main():
            net = init(nn.Linear(3, 1))
            head = init(nn.Linear(1, 1))
            opt = torch.optim.Adam([*net.parameters(), *head.parameters()], lr=0.1)

            def objective(x):
                return head(torch.sigmoid(net(x))).mean()

            for i in range(3):
                opt.zero_grad()
                obj = -objective(x * (i + 1))
                obj.backward()
                opt.step()
                show(obj.item())


        main()
    """
    agrees(HEAD + dedent(program), "jax")


def test_errors_of_a_target_network(agrees: Callable[..., object]) -> None:
    program = """
        class Agent:
            def __init__(self):
                self.q = init(nn.Linear(3, 2))
                self.target = init(nn.Linear(3, 2))
                self.sync()
                self.opt = torch.optim.Adam(self.q.parameters(), lr=0.05)
                self.n = 0

            def sync(self):
                self.target.load_state_dict(self.q.state_dict())

            def td_error(self, s, a, r, ns, done):
                q = self.q(s).gather(1, a.unsqueeze(1)).squeeze(1)
                with torch.no_grad():
                    best = self.q(ns).argmax(1, keepdim=True)
                    nq = self.target(ns).gather(1, best).squeeze(1)
                    target = r + 0.9 * nq * (1 - done.float())
                return q - target

            def learn(self, batch):
                err = self.td_error(*batch)
                loss = (err ** 2).mean()
                self.opt.zero_grad()
                loss.backward()
                for p in self.q.parameters():
                    p.grad.data.clamp_(-1, 1)
                self.opt.step()
                self.n += 1
                if self.n % 2 == 0:
                    self.sync()
                return loss.item(), err.detach().abs()


        agent = Agent()
        s = torch.linspace(-1, 1, 12).reshape(4, 3)
        done = torch.tensor([False, False, True, False])
        batch = (s, torch.tensor([0, 1, 1, 0]), torch.tensor([1.0, 0.0, -1.0, 2.0]), s.roll(1, 0), done)
        for _ in range(4):
            l, e = agent.learn(batch)
            show(l, e)
    """
    agrees(HEAD + dedent(program), "jax")


def test_modules_in_a_dict(agrees: Callable[..., object]) -> None:
    program = """
        class Trainer:
            def __init__(self):
                self.nets = {"a": init(nn.Linear(3, 3)), "b": init(nn.Linear(3, 2))}
                self.opts = [torch.optim.SGD(n.parameters(), lr=0.1) for n in self.nets.values()]

            def loss(self, x):
                return self.nets["b"](torch.tanh(self.nets["a"](x))).pow(2).mean()

            def step(self, x):
                loss = self.loss(x)
                loss.backward()
                for one in self.opts:
                    one.step()
                return loss.item()


        show(Trainer().step(torch.ones(2, 3)))
    """
    agrees(HEAD + dedent(program), "jax")


def test_what_a_function_leaves_in_names_of_the_file(agrees: Callable[..., object]) -> None:
    program = """
        model = init(nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.0), nn.LayerNorm(4), nn.Linear(4, 2)))
        opt = torch.optim.AdamW(model.parameters(), lr=0.1)
        state = {"step": 0, "best": float("inf"), "log": []}
        cfg = {"accum": 2, "clip": 0.5}


        def compute_loss(x, y):
            state["step"] += 1
            logits = model(x)
            loss = F.cross_entropy(logits, y) / cfg["accum"]
            state["log"].append(loss)
            return loss, logits.argmax(1)


        def optimize():
            n = nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
            opt.step()
            opt.zero_grad()
            return n


        x, y = torch.linspace(-1, 1, 18).reshape(6, 3).sin(), torch.arange(6) % 2
        for i in range(4):
            loss, pred = compute_loss(x[i:i + 3], y[i:i + 3])
            loss.backward()
            if (i + 1) % cfg["accum"] == 0:
                show(optimize(), pred, (pred == y[i:i + 3]).float().mean())
        show(state["step"], torch.stack([l.detach() for l in state["log"]]), model[0].weight)
    """
    agrees(HEAD + dedent(program), "jax")


def test_objects_that_hold_others_of_their_kind(outcome: Callable[..., Outcome]) -> None:
    """Of such a chain no end is known: it has no names to whom calls the first, and looking for these never ended."""
    program = """
        class Stage:
            def __init__(self, left=None, right=None):
                self.net = init(nn.Linear(3, 3))
                self.left, self.right = left, right

            def loss(self, x):
                y = self.net(x).pow(2).mean()
                y = y if self.left is None else y + self.left.loss(x)
                return y if self.right is None else y + self.right.loss(x)


        stage = Stage(Stage(), Stage(Stage()))
        opt = torch.optim.SGD(stage.net.parameters(), lr=0.1)
        loss = stage.loss(torch.ones(2, 3))
        loss.backward()
        opt.step()
        show(loss, stage.net.weight.sum())
    """
    found = outcome(HEAD + dedent(program), "jax")
    assert found.verdict == "marked"
    assert any("comes to `self.net` by itself" in site.detail for site in found.sites)
