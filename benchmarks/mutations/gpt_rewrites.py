"""The GPT written otherwise: the same mathematics in another order of arithmetic.

The softmax as exp(log_softmax) is none of them: it goes through a logarithm, and OneFlow's is less exact than that.
"""

# ruff: noqa: E501 - a rewriting a line, where it fits one

from benchmarks.mutations.gpt_faults import (  # fmt: skip
    EMBED,
    FIRST,
    GELU,
    GROUPS,
    LOSS,
    MASK,
    MERGE,
    MODEL,
    OPTIM,
    SCORES,
    SECOND,
    SOFTMAX,
    SPLIT,
    VALUES,
)
from benchmarks.mutations.variant import Variant

LN_1, LN_F = "self.ln_1 = nn.LayerNorm(config.n_embd)", "self.ln_f = nn.LayerNorm(config.n_embd, eps=1e-5)"
PROJECTION = "self.c_proj = nn.Linear(4 * config.n_embd, config.n_embd, bias=config.bias)"
FC = "self.c_fc = nn.Linear(config.n_embd, 4 * config.n_embd, bias=config.bias)"


def rewrite(name: str, *edits: tuple[str, str], file: str = MODEL, added: str = "") -> Variant:
    return Variant(name, file, edits, added=added)


def layer(name: str, constructed: str, base: str, body: str) -> Variant:
    """A module whose forward is replaced: everything that is called keeps its name."""
    code = f"\nclass Other{base}(nn.{base}):\n    def forward(self, x):\n{body}\n"
    # Without the keyword: the converter names it as the target does for torch's own class alone.
    changed = constructed.replace(f"nn.{base}(", f"Other{base}(").replace(", bias=config.bias", "")
    return rewrite(name, (constructed, changed), added=code)


REWRITES = [
    rewrite("query scaled before the product", (SCORES, "att = (q * (1.0 / math.sqrt(k.size(-1)))) @ k.transpose(-2, -1)")),
    rewrite("scores divided, not multiplied", (SCORES, "att = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))")),
    rewrite("scale shared by query and key", (SCORES, "root = k.size(-1) ** -0.25\n        att = (q * root) @ (k * root).transpose(-2, -1)")),
    rewrite("scores as (k q^T)^T", (SCORES, "att = (k @ q.transpose(-2, -1)).transpose(-2, -1) * (1.0 / math.sqrt(k.size(-1)))")),
    rewrite("scores by einsum", (SCORES, 'att = torch.einsum("bhid,bhjd->bhij", q, k) * (1.0 / math.sqrt(k.size(-1)))')),
    rewrite("mask added as -inf", (MASK, 'att = att + torch.zeros(T, T).masked_fill(self.mask[0, 0, :T, :T] == 0, float("-inf"))')),
    rewrite("masked with -1e9", (MASK, MASK.replace('float("-inf")', "-1e9"))),
    rewrite("mask by where", (MASK, 'att = torch.where(self.mask[:, :, :T, :T] == 0, torch.full((1,), float("-inf")), att)')),
    rewrite("softmax as exp over its sum", (SOFTMAX, SOFTMAX.replace("att = F.softmax(att, dim=-1)", "att = torch.exp(att - att.detach().amax(-1, keepdim=True))\n        att = att / att.sum(-1, keepdim=True)"))),
    rewrite("softmax in double precision", (SOFTMAX, SOFTMAX.replace("F.softmax(att, dim=-1)", "F.softmax(att.double(), dim=-1).float()"))),
    rewrite("values by einsum", (VALUES, 'y = torch.einsum("bhij,bhjd->bhid", att, v)  #')),
    rewrite("values summed in two halves", (VALUES, "y = att[..., : T // 2] @ v[:, :, : T // 2] + att[..., T // 2 :] @ v[:, :, T // 2 :]  #")),
    rewrite("values as (v^T att^T)^T", (VALUES, "y = (v.transpose(-2, -1) @ att.transpose(-2, -1)).transpose(-2, -1)  #")),
    rewrite("one head after another", (SCORES, "att = torch.cat([q[:, i : i + 1] @ k[:, i : i + 1].transpose(-2, -1) for i in range(self.n_head)], dim=1) * (1.0 / math.sqrt(k.size(-1)))")),
    rewrite("query, key and value by slices", (SPLIT, "qkv = self.c_attn(x)\n        q, k, v = qkv[..., :C], qkv[..., C : 2 * C], qkv[..., 2 * C :]")),
    rewrite("heads joined by cat", (MERGE, "y = torch.cat([y[:, i] for i in range(self.n_head)], dim=-1)")),
    layer("Linear in two halves", PROJECTION, "Linear", "        half = x.size(-1) // 2\n        none = torch.zeros_like(x[..., :half])\n        first = super().forward(torch.cat([x[..., :half], none], dim=-1))\n        return first + (super().forward(torch.cat([none, x[..., half:]], dim=-1)) - self.bias)"),
    rewrite("residual the other way round", (FIRST, "x = self.attn(self.ln_1(x)) + x"), (SECOND, "x = self.mlp(self.ln_2(x)) + x")),
    rewrite("examples one at a time", (SCORES, "att = torch.cat([q[i : i + 1] @ k[i : i + 1].transpose(-2, -1) for i in range(B)], dim=0) * (1.0 / math.sqrt(k.size(-1)))")),
    layer("LayerNorm from mean and variance", LN_1, "LayerNorm", "        c = x - x.mean(-1, keepdim=True)\n        return c / torch.sqrt((c * c).mean(-1, keepdim=True) + 1e-5) * self.weight + self.bias"),
    layer("LayerNorm with rsqrt", LN_F, "LayerNorm", "        c = x - x.mean(-1, keepdim=True)\n        return c * torch.rsqrt((c * c).mean(-1, keepdim=True) + 1e-5) * self.weight + self.bias"),
    layer("LayerNorm by sums", LN_F, "LayerNorm", "        n = x.size(-1)\n        m = x.sum(-1, keepdim=True) / n\n        s = ((x - m) ** 2).sum(-1, keepdim=True) / n\n        return (x - m) * (s + 1e-5) ** -0.5 * self.weight + self.bias"),
    layer("LayerNorm in double precision", LN_F, "LayerNorm", "        return F.layer_norm(x.double(), (x.size(-1),), self.weight.double(), self.bias.double(), 1e-5).float()"),
    layer("GELU from erf", GELU, "GELU", "        return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))"),
    layer("GELU from erf, associated otherwise", GELU, "GELU", "        return 0.5 * (x * (1.0 + torch.erf(x * 0.7071067811865476)))"),
    layer("Linear with its bias added at the end", FC, "Linear", "        return (super().forward(x) - self.bias) + self.bias"),
    layer("Linear over rows laid end to end", FC, "Linear", "        return super().forward(x.reshape(-1, x.size(-1))).reshape(x.size(0), x.size(1), -1)"),
    layer("Linear position by position", FC, "Linear", "        return torch.cat([super(OtherLinear, self).forward(x[:, i : i + 1]) for i in range(x.size(1))], dim=1)"),
    rewrite("embedding as a product with one-hot rows", (EMBED, EMBED.replace("self.wpe(pos)", "F.one_hot(pos, self.config.block_size).float() @ self.wpe.weight"))),
    rewrite("positions sliced from their table", (EMBED, EMBED.replace("self.wpe(pos)", "self.wpe.weight[:T]"))),
    rewrite("embeddings summed the other way round", (EMBED, EMBED.replace("self.wte(idx) + self.wpe(pos)", "self.wpe(pos) + self.wte(idx)"))),
    rewrite("loss from log_softmax and the targets' places", (LOSS, "p = F.log_softmax(logits, dim=-1)\n            loss = -p.gather(-1, targets.unsqueeze(-1)).mean()")),
    rewrite("loss from logsumexp", (LOSS, "hit = logits.gather(-1, targets.unsqueeze(-1)).squeeze(-1)\n            loss = (torch.logsumexp(logits, dim=-1) - hit).mean()")),
    rewrite("loss summed, then divided", (LOSS, LOSS.replace("ignore_index=-1", 'ignore_index=-1, reduction="sum"') + " / targets.numel()")),
    rewrite("groups of the optimizer in the other order", ("{\"params\": decay, \"weight_decay\": weight_decay},\n        {\"params\": no_decay, \"weight_decay\": 0.0},", "{\"params\": no_decay, \"weight_decay\": 0.0},\n        {\"params\": decay, \"weight_decay\": weight_decay},"), file=OPTIM),
    rewrite("rate passed through the schedule", (GROUPS, GROUPS.replace("lr=learning_rate", "lr=2 * learning_rate")), ("return (step + 1) / warmup_steps", "return 0.5 * (step + 1) / warmup_steps"), ("return min_ratio + (1.0 - min_ratio) * 0.5", "return 0.5 * min_ratio + (1.0 - min_ratio) * 0.25"), file=OPTIM),
]  # fmt: skip
