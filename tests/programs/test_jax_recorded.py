"""To JAX: losses of what other functions have kept of modules' results, or hand on: they are recorded."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import namedtuple
from torch.distributions import Categorical


def filled(net: nn.Module, k=1.0):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + k) / 2)
    return net


def made(*sizes, k=1.0):
    return filled(nn.Sequential(nn.Linear(sizes[0], sizes[1]), nn.Tanh(), nn.Linear(sizes[1], sizes[2])), k)


"""
PROGRAMS = {
    "probabilities of actions in a policy": """
class Env:
    def __init__(self):
        self.t = 0

    def reset(self):
        self.t = 0
        return [0.1, 0.2, -0.1]

    def step(self, action):
        self.t += 1
        return [0.1 * self.t, float(action), -0.2], 1.0 + action, self.t >= 4


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(3, 8)
        self.affine2 = nn.Linear(8, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.affine2(x), dim=1)


policy = Policy()
filled(policy)
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
eps = 1e-6


def select_action(state):
    state = torch.tensor(state).float().unsqueeze(0)
    probs = policy(state)
    m = Categorical(probs)
    action = probs.argmax(1)
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()


def finish_episode():
    R = 0
    policy_loss = []
    returns = []
    for r in policy.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + eps)
    for log_prob, R in zip(policy.saved_log_probs, returns):
        policy_loss.append(-log_prob * R)
    optimizer.zero_grad()
    policy_loss = torch.cat(policy_loss).sum()
    policy_loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]
    return policy_loss.item()


env = Env()
for episode in range(3):
    state = env.reset()
    done = False
    while not done:
        action = select_action(state)
        state, reward, done = env.step(action)
        policy.rewards.append(reward)
    show(finish_episode())
show([p.detach() for p in policy.parameters()])
""",
    "an agent with its network": """
class Env:
    def reset(self):
        self.t = 0
        return torch.tensor([0.1, 0.2, -0.1])

    def step(self, action):
        self.t += 1
        return torch.tensor([0.1 * self.t, float(action), -0.2]), 1.0 + action, self.t >= 4


class Agent:
    def __init__(self, lr=0.01, gamma=0.9):
        self.policy = made(3, 8, 2)
        self.optimizer = torch.optim.SGD(self.policy.parameters(), lr=lr)
        self.gamma = gamma
        self.log_probs = []
        self.rewards = []

    def act(self, state):
        logits = self.policy(state)
        dist = Categorical(logits=logits)
        action = logits.argmax()
        self.log_probs.append(dist.log_prob(action))
        return action.item()

    def learn(self):
        returns, g = [], 0.0
        for r in reversed(self.rewards):
            g = r + self.gamma * g
            returns.insert(0, g)
        returns = torch.tensor(returns)
        loss = -(torch.stack(self.log_probs) * returns).sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.log_probs, self.rewards = [], []
        return loss.item()


env, agent = Env(), Agent()
for episode in range(3):
    state, done = env.reset(), False
    while not done:
        action = agent.act(state)
        state, reward, done = env.step(action)
        agent.rewards.append(reward)
    show(agent.learn())
show([p.detach() for p in agent.policy.parameters()])
""",
    "actions with values in a tuple of names": """
SavedAction = namedtuple("SavedAction", ["log_prob", "value"])


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(3, 8)
        self.action_head = nn.Linear(8, 2)
        self.value_head = nn.Linear(8, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        action_prob = F.softmax(self.action_head(x), dim=-1)
        state_values = self.value_head(x)
        return action_prob, state_values


model = Policy()
filled(model)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-2)
eps = 1e-6


def select_action(state):
    state = torch.tensor(state).float()
    probs, state_value = model(state)
    m = Categorical(probs)
    action = probs.argmax()
    model.saved_actions.append(SavedAction(m.log_prob(action), state_value))
    return action.item()


def finish_episode():
    R = 0
    saved_actions = model.saved_actions
    policy_losses = []
    value_losses = []
    returns = []
    for r in model.rewards[::-1]:
        R = r + 0.9 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + eps)
    for (log_prob, value), R in zip(saved_actions, returns):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([R])))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]
    return loss.item()


for episode in range(3):
    state = [0.1, 0.2, -0.1]
    for t in range(4):
        action = select_action(state)
        state, reward = [0.1 * t, float(action), -0.2], 1.0 + action * t
        model.rewards.append(reward)
    show(finish_episode())
show([p.detach() for p in model.parameters()])
""",
    "lists of a loop": """
net = made(3, 8, 2)
opt = torch.optim.Adam(net.parameters(), lr=0.01)


def step(t, action):
    return torch.tensor([0.1 * t, float(action), -0.2]), 1.0 + action


for episode in range(3):
    log_probs, rewards = [], []
    state = torch.tensor([0.1, 0.2, -0.1])
    for t in range(4):
        dist = Categorical(logits=net(state))
        action = dist.probs.argmax()
        log_probs.append(dist.log_prob(action))
        state, reward = step(t, action.item())
        rewards.append(reward)
    loss = -(torch.stack(log_probs) * torch.tensor(rewards)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    show(loss.item())
show([p.detach() for p in net.parameters()])
""",
    "two players by their methods": """
class GANLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("real_label", torch.tensor(1.0))
        self.register_buffer("fake_label", torch.tensor(0.0))
        self.loss = nn.MSELoss()

    def get_target_tensor(self, prediction, target_is_real):
        target_tensor = self.real_label if target_is_real else self.fake_label
        return target_tensor.expand_as(prediction)

    def __call__(self, prediction, target_is_real):
        return self.loss(prediction, self.get_target_tensor(prediction, target_is_real))


class BaseModel:
    def set_requires_grad(self, nets, requires_grad=False):
        if not isinstance(nets, list):
            nets = [nets]
        for net in nets:
            if net is not None:
                for param in net.parameters():
                    param.requires_grad = requires_grad


class Pix2PixModel(BaseModel):
    def __init__(self):
        self.netG = made(3, 4, 2)
        self.netD = made(5, 4, 1, k=2)
        self.criterionGAN = GANLoss()
        self.criterionL1 = torch.nn.L1Loss()
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), lr=0.01, betas=(0.5, 0.999))
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), lr=0.01, betas=(0.5, 0.999))

    def set_input(self, input):
        self.real_A = input["A"]
        self.real_B = input["B"]

    def forward(self):
        self.fake_B = self.netG(self.real_A)

    def backward_D(self):
        fake_AB = torch.cat((self.real_A, self.fake_B), 1)
        pred_fake = self.netD(fake_AB.detach())
        self.loss_D_fake = self.criterionGAN(pred_fake, False)
        real_AB = torch.cat((self.real_A, self.real_B), 1)
        pred_real = self.netD(real_AB)
        self.loss_D_real = self.criterionGAN(pred_real, True)
        self.loss_D = (self.loss_D_fake + self.loss_D_real) * 0.5
        self.loss_D.backward()

    def backward_G(self):
        fake_AB = torch.cat((self.real_A, self.fake_B), 1)
        pred_fake = self.netD(fake_AB)
        self.loss_G_GAN = self.criterionGAN(pred_fake, True)
        self.loss_G_L1 = self.criterionL1(self.fake_B, self.real_B) * 10.0
        self.loss_G = self.loss_G_GAN + self.loss_G_L1
        self.loss_G.backward()

    def optimize_parameters(self):
        self.forward()
        self.set_requires_grad(self.netD, True)
        self.optimizer_D.zero_grad()
        self.backward_D()
        self.optimizer_D.step()
        self.set_requires_grad(self.netD, False)
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()


model = Pix2PixModel()
for i in range(3):
    model.set_input({"A": torch.linspace(-1, 1 + i, 12).reshape(4, 3), "B": torch.linspace(1, -1, 8).reshape(4, 2)})
    model.optimize_parameters()
    show(model.loss_G.item(), model.loss_D.item(), float(model.loss_G_L1))
show([p.detach() for p in model.netG.parameters()], [p.detach() for p in model.netD.parameters()])
""",
    "functions that step": """
net = made(3, 4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def optimize(loss, opt, clip=None):
    opt.zero_grad()
    loss.backward()
    if clip is not None:
        torch.nn.utils.clip_grad_norm_(net.parameters(), clip)
    opt.step()


def train(net: nn.Module, x, y, steps):
    for i in range(steps):
        out = net(x)
        loss = F.cross_entropy(out, y)
        optimize(loss, opt, clip=1.0)
        show(loss.item(), out.argmax(1))


class Trainer:
    def __init__(self, model, opt):
        self.model, self.opt = model, opt
        self.losses = []

    def compute(self, x, y):
        self.loss = F.cross_entropy(self.model(x), y)
        return self.loss

    def backward(self):
        self.loss.backward()

    def step(self, x, y):
        self.opt.zero_grad()
        self.compute(x, y)
        self.backward()
        self.opt.step()
        self.losses.append(self.loss.item())


x, y = torch.linspace(-1, 1, 15).reshape(5, 3), torch.tensor([0, 1, 1, 0, 1])
train(net, x, y, 2)
trainer = Trainer(net, opt)
for i in range(2):
    trainer.step(x, y)
show(trainer.losses)
show([p.detach() for p in net.parameters()])
""",
    "collected without gradients": """
net = made(3, 4, 2)


class Buffer:
    def __init__(self):
        self.states, self.actions, self.logprobs = [], [], []


class PPO:
    def __init__(self):
        self.policy = net
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=0.01)
        self.buffer = Buffer()

    def select_action(self, state):
        with torch.no_grad():
            dist = Categorical(logits=self.policy(state))
            action = dist.probs.argmax()
            logprob = dist.log_prob(action)
        self.buffer.states.append(state)
        self.buffer.actions.append(action)
        self.buffer.logprobs.append(logprob)
        return action.item()

    def update(self):
        states = torch.stack(self.buffer.states).detach()
        actions = torch.stack(self.buffer.actions).detach()
        old = torch.stack(self.buffer.logprobs).detach()
        for _ in range(2):
            dist = Categorical(logits=self.policy(states))
            ratios = torch.exp(dist.log_prob(actions) - old)
            loss = -torch.min(ratios, torch.clamp(ratios, 0.8, 1.2)).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            show(loss.item())


ppo = PPO()
for t in range(4):
    ppo.select_action(torch.tensor([0.1 * t, 0.2, -0.1]))
ppo.update()
show([p.detach() for p in net.parameters()])
""",
    "a scaler of its own": """
net = made(3, 4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.cuda.amp.GradScaler(enabled=False)


class NativeScaler:
    def __init__(self):
        self._scaler = torch.cuda.amp.GradScaler(enabled=False)

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None, update_grad=True):
        self._scaler.scale(loss).backward()
        if update_grad:
            if clip_grad is not None:
                self._scaler.unscale_(optimizer)
                norm = torch.nn.utils.clip_grad_norm_(parameters, clip_grad)
            else:
                self._scaler.unscale_(optimizer)
                norm = None
            self._scaler.step(optimizer)
            self._scaler.update()
        else:
            norm = None
        return norm


loss_scaler = NativeScaler()
x, y = torch.linspace(-1, 1, 15).reshape(5, 3), torch.tensor([0, 1, 1, 0, 1])
for i in range(3):
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    norm = loss_scaler(loss, opt, clip_grad=1.0, parameters=net.parameters())
    show(loss.item(), norm)
show([p.detach() for p in net.parameters()])
""",
    "several results, in a dict": """
class Model:
    def __init__(self):
        self.enc, self.dec, self.side = made(3, 4, 4), made(2, 4, 3, k=2), made(2, 3, 1)
        self.opt = torch.optim.SGD([*self.enc.parameters(), *self.dec.parameters()], lr=0.05)
        self.cache, self.history = {}, []

    def forward(self, x):
        self.mu, self.logvar = self.enc(x).chunk(2, dim=1)
        z = self.mu + torch.exp(0.5 * self.logvar) * 0.1
        self.cache["recon"] = self.dec(z)
        self.history.append(self.mu.detach().sum().item())

    def backward(self, x):
        kl = -0.5 * (1 + self.logvar - self.mu.pow(2) - self.logvar.exp()).mean()
        loss = F.mse_loss(self.cache["recon"], x) + 0.1 * kl
        loss.backward()
        return loss

    def step(self, x):
        self.opt.zero_grad()
        self.forward(x)
        loss = self.backward(x)
        self.opt.step()
        return loss.item()


m = Model()
x = torch.linspace(-1, 1, 12).reshape(4, 3)
for i in range(3):
    show(m.step(x))
show([p.detach() for p in m.enc.parameters()], [p.detach() for p in m.dec.parameters()], m.history)
""",
    "what a model keeps while it runs": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 4), nn.Linear(4, 2)
        self.aux_loss = None

    def forward(self, x):
        h = torch.tanh(self.a(x))
        self.aux_loss = h.pow(2).mean()
        return self.b(h)


net = Net()
filled(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.linspace(-1, 1, 15).reshape(5, 3), torch.tensor([0, 1, 1, 0, 1])


def train(net: Net, opt):
    for i in range(3):
        opt.zero_grad()
        loss = F.cross_entropy(net(x), y) + 0.5 * net.aux_loss
        loss.backward()
        opt.step()
        show(loss.item())


train(net, opt)
show([p.detach() for p in net.parameters()])
""",
    "a state that is carried and cut": """
class Runner:
    def __init__(self):
        self.cell = filled(nn.Linear(5, 2))
        self.opt = torch.optim.SGD(self.cell.parameters(), lr=0.1)
        self.h = torch.zeros(4, 2)

    def forward(self, x):
        self.h = torch.tanh(self.cell(torch.cat([x, self.h], 1)))

    def learn(self, y):
        loss = F.mse_loss(self.h, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.h = self.h.detach()
        return loss.item()


r = Runner()
for i in range(3):
    r.forward(torch.linspace(-1, 1 + i, 12).reshape(4, 3))
    r.forward(torch.linspace(1, 1 - i, 12).reshape(4, 3))
    show(r.learn(torch.ones(4, 2)))
show([p.detach() for p in r.cell.parameters()])
""",
    "two losses of the same results": """
net = filled(nn.Linear(3, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)


class Memory:
    def __init__(self):
        self.outs = []


memory = Memory()


def collect(x):
    out = net(x)
    memory.outs.append(out)
    return out.argmax(1)


def first(y):
    loss = sum(F.cross_entropy(o, y) for o in memory.outs)
    loss.backward(retain_graph=True)
    return loss.item()


def second():
    loss = 0.1 * torch.stack(memory.outs).pow(2).mean()
    loss.backward()
    return loss.item()


y = torch.tensor([0, 1, 1, 0])
for i in range(3):
    memory.outs.clear()
    opt.zero_grad()
    show(collect(torch.linspace(-1, 1 + i, 12).reshape(4, 3)), collect(torch.linspace(1, -1 + i, 12).reshape(4, 3)))
    show(first(y), second(), [p.grad for p in net.parameters()])
    opt.step()
show([p.detach() for p in net.parameters()])
""",
    "a loss that is handed on": """
net = filled(nn.Linear(3, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def update(loss):
    opt.zero_grad()
    (loss * 2).backward()
    opt.step()


def losses(model: nn.Module, x, y):
    return F.cross_entropy(model(x), y)


x, y = torch.linspace(-1, 1, 15).reshape(5, 3), torch.tensor([0, 1, 1, 0, 1])
for i in range(2):
    loss = losses(net, x, y)
    update(loss)
    update(F.cross_entropy(net(x + 1), y))
    show(loss.item())
show([p.detach() for p in net.parameters()])
""",
    "losses that the object keeps": """
class Agent:
    def __init__(self):
        self.actor = filled(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)))
        self.critic = filled(nn.Sequential(nn.Linear(5, 4), nn.ReLU(), nn.Linear(4, 1)), 2)
        self.target = filled(nn.Sequential(nn.Linear(5, 4), nn.ReLU(), nn.Linear(4, 1)), 2)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-2)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-2)
        self.log = []

    def update(self, s, r, s2):
        a = self.actor(s)
        with torch.no_grad():
            y = r + 0.9 * self.target(torch.cat([s2, self.actor(s2)], 1))
        q = self.critic(torch.cat([s, a.detach()], 1))
        self.critic_loss = F.mse_loss(q, y)
        self.critic_opt.zero_grad()
        self.critic_loss.backward()
        self.critic_opt.step()
        self.actor_loss = -self.critic(torch.cat([s, self.actor(s)], 1)).mean()
        self.actor_opt.zero_grad()
        self.actor_loss.backward()
        self.actor_opt.step()
        for p, t in zip(self.critic.parameters(), self.target.parameters()):
            t.data.mul_(0.9).add_(0.1 * p.data)
        self.log.append((self.critic_loss.item(), self.actor_loss.item()))


agent = Agent()
for i in range(3):
    states, after = torch.linspace(-1, 1 + i, 12), torch.linspace(1, -1, 12)
    agent.update(states.reshape(4, 3), torch.ones(4, 1) * i, after.reshape(4, 3))
show(agent.log, [p.detach() for n in (agent.actor, agent.critic, agent.target) for p in n.parameters()])
""",
    "a trainer that keeps what comes out": """
class Trainer:
    def __init__(self, model, criterion, optimizer):
        self.model, self.criterion, self.optimizer = model, criterion, optimizer

    def train_batch(self, x, y):
        self.optimizer.zero_grad()
        self.output = self.model(x)
        self.loss = self.criterion(self.output, y)
        self.loss.backward()
        self.optimizer.step()
        return self.loss.item(), self.output.argmax(1)

    def fit(self, batches):
        for self.x, self.y in batches:
            show(self.train_batch(self.x, self.y))


model = filled(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 2)))
t = Trainer(model, nn.CrossEntropyLoss(), torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9))
t.fit([(torch.linspace(-1, 1 + i, 15).reshape(5, 3).sin(), torch.tensor([0, 1, 1, 0, 1])) for i in range(3)])
show([p.detach() for p in model.parameters()], model[1].running_mean)
""",
    "results that go through a method into a list that a loop trains by": """
gamma = 0.9


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.data = []
        self.fc1, self.fc2 = nn.Linear(3, 8), nn.Linear(8, 2)
        filled(self)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=0.01)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        return F.softmax(self.fc2(x), dim=0)

    def put_data(self, item):
        self.data.append(item)

    def train_net(self):
        R = 0
        self.optimizer.zero_grad()
        for r, prob in self.data[::-1]:
            R = r + gamma * R
            loss = -torch.log(prob) * R
            loss.backward()
        self.optimizer.step()
        self.data = []


def main():
    pi = Policy()
    for episode in range(3):
        s = torch.tensor([0.1, 0.2, -0.1])
        for t in range(4):
            prob = pi(s)
            m = Categorical(prob)
            a = prob.argmax()
            s, r = torch.tensor([0.1 * t, float(a.item()), -0.2]), 1.0 + a.item() * t
            pi.put_data((r, prob[a]))
        pi.train_net()
    show([p.detach() for p in pi.parameters()])


main()
""",
    "a method that is given what another computes": """
class Model:
    def __init__(self):
        self.enc, self.dec = filled(nn.Linear(3, 4)), filled(nn.Linear(4, 3), 2)
        self.opt = torch.optim.SGD([*self.enc.parameters(), *self.dec.parameters()], lr=0.1)

    def decode(self, z):
        self.recon = torch.sigmoid(self.dec(z))

    def step(self, x):
        z = torch.tanh(self.enc(x))
        self.decode(z)
        return self.learn(x)

    def learn(self, x):
        loss = F.mse_loss(self.recon, x)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


m = Model()
x = torch.linspace(-1, 1, 12).reshape(4, 3)
for i in range(3):
    show(m.step(x))
show([p.detach() for p in m.enc.parameters()], [p.detach() for p in m.dec.parameters()])
""",
    "a code that is kept with and without gradients": """
class World:
    def __init__(self):
        self.enc, self.dec = filled(nn.Linear(3, 4)), filled(nn.Linear(4, 3), 2)
        self.opt = torch.optim.Adam(list(self.enc.parameters()) + list(self.dec.parameters()), lr=0.01)
        self.codes = []

    @torch.no_grad()
    def evaluate(self, x):
        self.code = torch.tanh(self.enc(x))
        return self.dec(self.code).sum()

    def encode(self, x):
        self.code = torch.tanh(self.enc(x))

    def learn(self, x):
        recon = self.dec(self.code)
        loss = F.mse_loss(recon, x)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


w = World()
x = torch.linspace(-1, 1, 12).reshape(4, 3)
for i in range(3):
    show(w.evaluate(x))
    w.encode(x)
    show(w.learn(x))
show([p.detach() for p in w.enc.parameters()], [p.detach() for p in w.dec.parameters()])
w.evaluate(x)
show(w.learn(x))
show([p.detach() for p in w.enc.parameters()], [p.detach() for p in w.dec.parameters()])
""",
    "features with and without gradients": """
net, head = filled(nn.Linear(3, 4)), filled(nn.Linear(4, 2), 2)
opt = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)


def train_head(head: nn.Module, features, y):
    loss = F.cross_entropy(head(features), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


x, y = torch.linspace(-1, 1, 15).reshape(5, 3), torch.tensor([0, 1, 1, 0, 1])
for i in range(2):
    show(train_head(head, net(x), y))
    show(train_head(head, net(x).detach(), y))
    show(train_head(head, torch.ones(5, 4), y))
    with torch.no_grad():
        f = net(x)
    show(train_head(head, f, y))
    g = torch.relu(net(x))
    show(train_head(head, features=g, y=y))
show([p.detach() for p in [*net.parameters(), *head.parameters()]])
""",
    "a deque and a dict": """
from collections import deque


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = filled(nn.Linear(3, 2))
        self.history = deque(maxlen=3)
        self.entropies = {}

    def forward(self, x):
        return F.log_softmax(self.fc(x), dim=-1)

    def act(self, x, t):
        logp = self(x)
        self.history.append(logp[t % 2])
        self.entropies[t] = -(logp.exp() * logp).sum()
        return int(logp.argmax())


policy = Policy()
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
for episode in range(2):
    for t in range(4):
        policy.act(torch.linspace(-1, 1 + t, 3), t)
    loss = -torch.stack(list(policy.history)).sum() - 0.1 * sum(policy.entropies.values())
    opt.zero_grad()
    loss.backward()
    opt.step()
    policy.history.clear()
    policy.entropies.clear()
    show(loss.item())
show([p.detach() for p in policy.parameters()])
""",
    "a state that goes from turn to turn": """
net = filled(nn.Linear(3, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def train(net: nn.Module, opt):
    h = torch.zeros(4, 2)
    for i in range(3):
        opt.zero_grad()
        h = torch.tanh(net(torch.linspace(-1, 1 + i, 12).reshape(4, 3)) + h.detach())
        loss = h.pow(2).mean()
        loss.backward()
        opt.step()
        show(loss.item())


train(net, opt)


x = torch.tensor([1.0, 2.0], requires_grad=True)
h = torch.zeros(2)


def run_on(x, h):
    for i in range(3):
        h = torch.tanh(x * (i + 1) + h.detach())
        y = h.pow(2).sum()
        g, = torch.autograd.grad(y, x)
        show(g, y.item())


run_on(x, h)
""",
    "a batch that the model makes of what it has kept": """
gamma = 0.9


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.data = []
        self.fc1, self.fc_pi, self.fc_v = nn.Linear(3, 8), nn.Linear(8, 2), nn.Linear(8, 1)
        filled(self, 0.5)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=0.01)

    def pi(self, x, softmax_dim=0):
        return F.softmax(self.fc_pi(F.relu(self.fc1(x))), dim=softmax_dim)

    def v(self, x):
        return self.fc_v(F.relu(self.fc1(x)))

    def put_data(self, transition):
        self.data.append(transition)

    def make_batch(self):
        s_lst, a_lst, r_lst, s_prime_lst = [], [], [], []
        for transition in self.data:
            s, a, r, s_prime = transition
            s_lst.append(s)
            a_lst.append([a])
            r_lst.append([r / 100.0])
            s_prime_lst.append(s_prime)
        s_batch, a_batch = torch.tensor(s_lst, dtype=torch.float), torch.tensor(a_lst)
        r_batch, s_prime_batch = torch.tensor(r_lst, dtype=torch.float), torch.tensor(s_prime_lst, dtype=torch.float)
        self.data = []
        return s_batch, a_batch, r_batch, s_prime_batch

    def train_net(self):
        s, a, r, s_prime = self.make_batch()
        td_target = r + gamma * self.v(s_prime)
        delta = td_target - self.v(s)

        pi = self.pi(s, softmax_dim=1)
        pi_a = pi.gather(1, a)
        loss = -torch.log(pi_a) * delta.detach() + F.smooth_l1_loss(self.v(s), td_target.detach())

        self.optimizer.zero_grad()
        loss.mean().backward()
        self.optimizer.step()
        return loss.mean().item()


model = ActorCritic()
for episode in range(3):
    s = [0.1, 0.2, -0.1]
    for t in range(4):
        prob = model.pi(torch.tensor(s).float())
        a = prob.argmax().item()
        s_prime, r = [0.1 * t, float(a), -0.2], 1.0 + a * t
        model.put_data((s, a, r, s_prime))
        s = s_prime
    show(model.train_net())
show([p.detach() for p in model.parameters()])
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_go_back_through_what_is_kept(name: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + PROGRAMS[name], "jax")


SUMMED = """
net = filled(nn.Linear(3, 2))


class Trainer:
    def __init__(self, net):
        self.net, self.opt = net, torch.optim.SGD(net.parameters(), lr=0.1)
        self.total = 0.0
        self.loss = None

    def compute_loss(self, x, y):
        return F.cross_entropy(self.net(x), y)

    def accumulate(self, x, y):
        self.total += F.cross_entropy(self.net(x), y)

    def backward(self):
        self.total.backward()
        self.opt.step()
        self.opt.zero_grad()
        self.total = 0.0


t = Trainer(net)
x, y = torch.linspace(-1, 1, 15).reshape(5, 3), torch.tensor([0, 1, 1, 0, 1])
for i in range(2):
    t.accumulate(x, y)
    t.accumulate(x + 1, y)
    t.backward()
show([p.detach() for p in net.parameters()])
"""


def test_what_cannot_be_recorded_is_marked(outcome: Callable[..., Outcome]) -> None:
    found = outcome(HEAD + SUMMED, "jax")
    assert found.verdict == "raises"
    assert [site.detail for site in found.sites if "as one expression" in site.detail], found
