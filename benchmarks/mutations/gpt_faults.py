"""Faults in the GPT: what converters, and people who convert by hand, get wrong."""

# ruff: noqa: E501 - a fault a line

from benchmarks.mutations.variant import Variant

MODEL, OPTIM = "model.py", "optim.py"
ATTENTION, MLP, BLOCK = ("h.0.attn",), ("h.0.mlp",), ("h.0", "h.0.ln_1", "h.0.ln_2", "h.0.attn", "h.0.mlp")
FORWARD, BACKWARD, TRAINING = "activations", "gradients", "steps"

SCORES = "att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))"
MASK = 'att = att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))'
SOFTMAX = "att = F.softmax(att, dim=-1)\n        att"
SPLIT = "q, k, v = self.c_attn(x).split(self.n_embd, dim=2)"
MERGE = "y = y.transpose(1, 2).contiguous().view(B, T, C)"
VALUES = "y = att @ v  #"
PROJECT = "return self.resid_dropout(self.c_proj(y))"
GELU = "self.gelu = nn.GELU()"
EMBED = "x = self.drop(self.wte(idx) + self.wpe(pos))"
LOSS = "loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)"
FIRST = "x = x + self.attn(self.ln_1(x))"
SECOND = "x = x + self.mlp(self.ln_2(x))"
GROUPS = "return torch.optim.AdamW(groups, lr=learning_rate, betas=betas, eps=1e-8)"
WARMUP = "return (step + 1) / warmup_steps"


def fault(name: str, old: str, new: str, level: str, layers: tuple[str, ...], file: str = MODEL) -> Variant:
    return Variant(name, file, ((old, new),), level, layers)


FAULTS = [
    fault("LayerNorm eps 1e-6 for 1e-5", "nn.LayerNorm(config.n_embd, eps=1e-5)", "nn.LayerNorm(config.n_embd, eps=1e-6)", FORWARD, ("ln_f",)),
    fault("LayerNorm eps 1e-12 for the default", "self.ln_1 = nn.LayerNorm(config.n_embd)", "self.ln_1 = nn.LayerNorm(config.n_embd, eps=1e-12)", FORWARD, ("h.0.ln_1",)),
    fault("tanh GELU for erf", GELU, 'self.gelu = nn.GELU(approximate="tanh")', FORWARD, ("h.0.mlp.gelu",)),
    fault("SiLU for GELU", GELU, "self.gelu = nn.SiLU()", FORWARD, ("h.0.mlp.gelu",)),
    fault("attention scaled by the width, not the head", SCORES, SCORES.replace("k.size(-1)", "C"), FORWARD, ATTENTION),
    fault("attention scale squared", SCORES, SCORES.replace("math.sqrt(k.size(-1))", "k.size(-1)"), FORWARD, ATTENTION),
    fault("attention not scaled", SCORES, "att = q @ k.transpose(-2, -1)", FORWARD, ATTENTION),
    fault("mask off by one", MASK, MASK.replace("[:, :, :T, :T]", "[:, :, 1 : T + 1, :T]"), FORWARD, ATTENTION),
    fault("mask transposed", MASK, MASK.replace("[:, :, :T, :T]", "[:, :, :T, :T].transpose(2, 3)"), FORWARD, ATTENTION),
    fault("no mask", MASK, "att = att", FORWARD, ATTENTION),
    fault("masked with 0 in place of -inf", MASK, MASK.replace('float("-inf")', "0.0"), FORWARD, ATTENTION),
    fault("softmax over the wrong axis", SOFTMAX, SOFTMAX.replace("dim=-1", "dim=-2"), FORWARD, ATTENTION),
    fault("softmax before the mask", MASK, "att = F.softmax(att, dim=-1).masked_fill(self.mask[:, :, :T, :T] == 0, 0.0)", FORWARD, ATTENTION),
    fault("query and key swapped", SPLIT, SPLIT.replace("q, k, v", "k, q, v"), FORWARD, ATTENTION),
    fault("key and value swapped", SPLIT, SPLIT.replace("q, k, v", "q, v, k"), FORWARD, ATTENTION),
    fault("heads and positions interleaved", MERGE, "y = y.contiguous().view(B, T, C)", FORWARD, ATTENTION),
    fault("attention weights transposed", VALUES, "y = att.transpose(-2, -1) @ v  #", FORWARD, ATTENTION),
    # The matrix is what the layer makes of the unit vectors: however the target lays it out.
    fault("square weight transposed", PROJECT, "w = self.c_proj(torch.eye(C)) - self.c_proj.bias\n        return self.resid_dropout(y @ w.t() + self.c_proj.bias)", FORWARD, ("h.0.attn.c_proj", *ATTENTION)),
    fault("bias dropped", PROJECT, "return self.resid_dropout(self.c_proj(y) - self.c_proj.bias)", FORWARD, ATTENTION),
    fault("dropout of 0.1 also when evaluating", PROJECT, "return F.dropout(self.c_proj(y), p=0.1, training=True)", FORWARD, ATTENTION),
    fault("no residual around the attention", FIRST, "x = self.attn(self.ln_1(x))", FORWARD, BLOCK),
    fault("norm after the MLP, not before", SECOND, "x = x + self.ln_2(self.mlp(x))", FORWARD, BLOCK),
    fault("norms swapped", SECOND, "x = x + self.mlp(self.ln_1(x))", FORWARD, BLOCK),
    fault("residual from the normed input", SECOND, "x = self.ln_2(x) + self.mlp(self.ln_2(x))", FORWARD, BLOCK),
    fault("positions off by one", "torch.arange(0, T, dtype", "torch.arange(1, T + 1, dtype", FORWARD, ("",)),
    fault("no positions", EMBED, "x = self.drop(self.wte(idx))", FORWARD, ("",)),
    fault("embedding scaled as in the Transformer's paper", EMBED, "x = self.drop(self.wte(idx) * math.sqrt(self.config.n_embd) + self.wpe(pos))", FORWARD, ("",)),
    fault("activations through half precision", SECOND, "x = x + self.mlp(self.ln_2(x).half().float())", FORWARD, BLOCK),
    fault("loss summed, not averaged", LOSS, LOSS.replace("ignore_index=-1", 'ignore_index=-1, reduction="sum"'), FORWARD, ("",)),
    fault("label smoothing of 0.05", LOSS, "p = F.log_softmax(logits, dim=-1)\n            hit = F.one_hot(targets, logits.size(-1)).float()\n            loss = -(p * (hit * 0.95 + 0.05 / logits.size(-1))).sum(-1).mean()", FORWARD, ("",)),
    fault("targets off by one", LOSS, LOSS.replace("targets.view(-1)", "targets.roll(1, 1).view(-1)"), FORWARD, ("",)),
    fault("padding index 0 ignored in the loss", LOSS, LOSS.replace("ignore_index=-1", "ignore_index=int(targets.view(-1)[0])"), FORWARD, ("",)),
    fault("loss left out", LOSS, "loss = None", FORWARD, ("",)),
    fault("gradient detached in the attention", SOFTMAX, SOFTMAX.replace("F.softmax(att, dim=-1)", "F.softmax(att, dim=-1).detach()"), BACKWARD, ("h.0.attn.c_attn", "h.0.ln_1", "wte", "wpe")),
    fault("gradient detached in the residual", SECOND, "x = x.detach() + self.mlp(self.ln_2(x))", BACKWARD, ("h.0", "wte", "wpe")),
    fault("tied weights come apart", "        self.lm_head.weight = self.wte.weight  # weight tying, https://arxiv.org/abs/1608.05859\n", "", BACKWARD, ("wte", "lm_head")),
    fault("weight decay 0.01 for 0.1", GROUPS, GROUPS.replace("groups,", 'groups if weight_decay == 0.0 else [{**groups[0], "weight_decay": 0.01}, groups[1]],'), TRAINING, ("",), OPTIM),
    fault("vectors decayed as well", '"weight_decay": 0.0}', '"weight_decay": weight_decay}', TRAINING, ("",), OPTIM),
    fault("Adam's coupled decay for AdamW's", GROUPS, GROUPS.replace("AdamW", "Adam"), TRAINING, ("",), OPTIM),
    fault("beta2 0.999 for 0.95", "betas=(0.9, 0.95)", "betas=(0.9, 0.999)", TRAINING, ("",), OPTIM),
    fault("Adam eps 1e-6 for 1e-8", "eps=1e-8", "eps=1e-6", TRAINING, ("",), OPTIM),
    fault("no bias correction", WARMUP, "return (step + 1) / warmup_steps * (1 - 0.9 ** (step + 1)) / math.sqrt(1 - 0.95 ** (step + 1))", TRAINING, ("",), OPTIM),
    fault("warmup off by one", WARMUP, "return (step + 2) / warmup_steps", TRAINING, ("",), OPTIM),
    fault("cosine to 0, not to a tenth", "min_ratio=0.1", "min_ratio=0.0", TRAINING, ("",), OPTIM),
]  # fmt: skip
