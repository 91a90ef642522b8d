"""torch.nn.modules: embeddings."""

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import rule, same
from rewriters.targets.jax.rules.generator import rngs
from rewriters.targets.jax.rules.nn.functional.linear import embedding_bag
from rewriters.targets.jax.rules.nn.modules.module import Module, TorchMethods
from rewriters.targets.jax.rules.nn.modules.stored import View
from rewriters.targets.jax.rules.nn.parameter import set_trained

same(
    "torch.nn.Embedding.reset_parameters",
    "torch.nn.Embedding.weight", "torch.nn.Embedding.num_embeddings", "torch.nn.Embedding.padding_idx",
    "torch.nn.EmbeddingBag.weight", "torch.nn.EmbeddingBag.num_embeddings", "torch.nn.EmbeddingBag.embedding_dim",
    "torch.nn.EmbeddingBag.mode", "torch.nn.EmbeddingBag.padding_idx", "torch.nn.EmbeddingBag.include_last_offset",
)  # fmt: skip


@rule(torch.nn.Embedding)
class Embedding(TorchMethods, nnx.Embed):
    """nnx.Embed with torch's first weights; a row of padding is zero and takes no gradient."""

    torchs = {"embedding": ("weight", None)}

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
        _weight=None,
        _freeze=False,
        device=None,
        dtype=None,
        *,
        rngs=rngs,
    ):
        if max_norm is not None or scale_grad_by_freq:
            raise NotImplementedError("nnx.Embed has no max_norm, no scale_grad_by_freq; normalise the weight yourself")
        super().__init__(
            num_embeddings,
            embedding_dim,
            param_dtype=dtype or jnp.float32,
            embedding_init=nnx.initializers.normal(1.0),
            rngs=rngs,
        )
        self.embedding_dim = embedding_dim
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        if _weight is not None:
            self.weight = _weight
        elif padding_idx is not None:
            self.embedding.set_value(self.embedding[...].at[padding_idx].set(0))
        if _freeze:
            set_trained(self.embedding, False)
        if _weight is None and type(self).reset_parameters is not Embedding.reset_parameters:  # of a derived class
            self.reset_parameters()

    def reset_parameters(self):
        drawn = jax.random.normal(rngs.params(), self.embedding.shape, self.embedding.dtype)
        self.weight.set_value(drawn if self.padding_idx is None else drawn.at[self.padding_idx].set(0))

    @property
    def weight(self):
        return self.embedding

    @weight.setter
    def weight(self, value):
        if isinstance(value, View):
            # a Linear keeps it transposed: it takes the embedding's instead, with its own values
            if value.owner is None or value.variable.get_metadata().get("shared"):
                raise NotImplementedError("others share this weight: write linear.weight = embedding.weight for each")
            self.embedding = nnx.Param(value.get_value())
            value.owner.weight = self.embedding
        elif isinstance(value, nnx.Variable):
            self.embedding = value
        else:
            self.embedding.set_value(value)

    def __call__(self, input):
        found = self.embedding[input]
        if self.padding_idx is None:
            return found
        return jnp.where((input == self.padding_idx)[..., None], jax.lax.stop_gradient(found), found)


@rule("torch.nn.Embedding.embedding_dim")
def embedding_dim(self):
    return self.features


@rule(torch.nn.EmbeddingBag)
class EmbeddingBag(Module):
    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        mode="mean",
        sparse=False,
        _weight=None,
        include_last_offset=False,
        padding_idx=None,
        device=None,
        dtype=None,
        *,
        rngs=rngs,
    ):
        super().__init__()
        if max_norm is not None or scale_grad_by_freq:
            raise NotImplementedError("JAX has no embedding_bag; normalise the weight, scale the gradient yourself")
        self.num_embeddings, self.embedding_dim, self.mode = num_embeddings, embedding_dim, mode
        self.include_last_offset = include_last_offset
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        if _weight is None:
            shape, dtype = (num_embeddings, embedding_dim), dtype or jnp.float32
            _weight = nnx.initializers.normal(1.0)(rngs.params(), shape, dtype)
            _weight = _weight if padding_idx is None else _weight.at[padding_idx].set(0)
        self.weight = nnx.Param(_weight)

    def __call__(self, input, offsets=None, per_sample_weights=None):
        return embedding_bag(
            input,
            self.weight[...],
            offsets,
            mode=self.mode,
            per_sample_weights=per_sample_weights,
            include_last_offset=self.include_last_offset,
            padding_idx=self.padding_idx,
        )
