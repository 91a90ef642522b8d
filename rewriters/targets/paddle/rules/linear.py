"""Linear and bilinear layers, embeddings, shape layers, distances: modules."""

import paddle
import torch

from rewriters.rule import alias, differs, flattened, rule, same_layout, shaped, transposed


@rule(torch.nn.Identity)
def Identity(*args, **kwargs):
    return paddle.nn.Identity()


@rule(torch.nn.Linear, layout={"weight": transposed, "weight_v": transposed, "weight_g": flattened})
def Linear(in_features, out_features, bias=True, device=None, dtype=None):
    if dtype is not None:
        return paddle.nn.Linear(in_features, out_features, bias_attr=None if bias else False).to(dtype=dtype)
    return paddle.nn.Linear(in_features, out_features, bias_attr=None if bias else False)


@rule("torch.nn.Linear:looked", layout={"weight": same_layout})
def looked_linear(in_features, out_features, bias=True, device=None, dtype=None):
    # keeps torch's (out, in) weight, which the project's code looks at, or an Embedding's takes its place
    return paddle.compat.nn.Linear(in_features, out_features, bias=bias, dtype=dtype)


alias("torch.nn.Linear:handed", "paddle.compat.nn.Linear")


@rule("torch.nn.Linear:base", layout={"weight": same_layout})
def derived_linear(in_features, out_features, bias=True, device=None, dtype=None):
    # a class derived from it hands on torch's arguments and reads torch's weight
    return paddle.compat.nn.Linear(in_features, out_features, bias=bias, dtype=dtype)


@rule("torch.nn.Linear.in_features")
def in_features(self):
    return self.weight.shape[0]


@rule("torch.nn.Linear.out_features")
def out_features(self):
    return self.weight.shape[1]


@rule("torch.nn.Linear.weight:foreign")
def foreign_weight(self):
    differs("a Linear that Paddle's own layers make keeps its weight (in, out); transpose what is looked at here")
    return self.weight


@rule("torch.nn.Linear.in_features:looked")
def looked_in_features(self):
    return self.in_features


@rule("torch.nn.Linear.out_features:looked")
def looked_out_features(self):
    return self.out_features


@rule("torch.nn.Linear.in_features:either")
def either_in_features(self):
    return self.weight.shape[0] if isinstance(self, paddle.nn.Linear) else self.in_features


@rule("torch.nn.Linear.out_features:either")
def either_out_features(self):
    return self.weight.shape[1] if isinstance(self, paddle.nn.Linear) else self.out_features


@rule(torch.nn.modules.linear.NonDynamicallyQuantizableLinear)
def NonDynamicallyQuantizableLinear(in_features, out_features, bias=True, device=None, dtype=None):
    # the projection inside of MultiheadAttention, which keeps torch's weight
    return paddle.compat.nn.Linear(in_features, out_features, bias=bias, dtype=dtype)


@rule(torch.nn.Bilinear, layout={"bias": shaped(1, -1)})
def Bilinear(in1_features, in2_features, out_features, bias=True, device=None):
    return paddle.nn.Bilinear(in1_features, in2_features, out_features, bias_attr=None if bias else False)


class PaddedEmbedding(paddle.nn.Embedding):
    """Gives the padding's row as it is, and no gradient to it; Paddle's own gives zeros for it."""

    def forward(self, x):
        rows = paddle.nn.functional.embedding(x, self.weight, sparse=self._sparse)
        return paddle.where((x == self._padding_idx % self._num_embeddings).unsqueeze(-1), rows.detach(), rows)


@rule(torch.nn.Embedding)
def Embedding(
    num_embeddings,
    embedding_dim,
    padding_idx=None,
    max_norm=None,
    norm_type=2.0,
    scale_grad_by_freq=False,
    sparse=False,
    device=None,
    dtype=None,
):
    if padding_idx is not None and max_norm is None and not scale_grad_by_freq:
        return PaddedEmbedding(num_embeddings, embedding_dim, padding_idx=padding_idx, sparse=sparse, dtype=dtype)
    return paddle.nn.Embedding(
        num_embeddings,
        embedding_dim,
        padding_idx=padding_idx,
        max_norm=max_norm,
        norm_type=norm_type,
        scale_grad_by_freq=scale_grad_by_freq,
        sparse=sparse,
        dtype=dtype,
    )


@rule("torch.nn.Embedding.from_pretrained")
def from_pretrained(embeddings, freeze=True, padding_idx=None, sparse=False):
    if padding_idx is not None:
        count, size = embeddings.shape
        layer = PaddedEmbedding(count, size, padding_idx=padding_idx % count, sparse=sparse)
        layer.weight.set_value(embeddings)
        layer.weight.stop_gradient = freeze
        return layer
    return paddle.nn.Embedding(
        embeddings.shape[0],
        embeddings.shape[1],
        padding_idx=padding_idx,
        sparse=sparse,
        weight_attr=paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(embeddings), trainable=not freeze),
    )


@rule(torch.nn.Flatten)
def Flatten(start_dim=1, end_dim=-1):
    return paddle.nn.Flatten(start_axis=start_dim, stop_axis=end_dim)


@rule(torch.nn.Unflatten)
def Unflatten(dim, unflattened_size):
    return paddle.nn.Unflatten(dim, unflattened_size)


@rule(torch.nn.Unfold)
def Unfold(kernel_size, dilation=1, padding=0, stride=1):
    return paddle.nn.Unfold(kernel_size, dilations=dilation, paddings=padding, strides=stride)


@rule(torch.nn.Fold)
def Fold(output_size, kernel_size, dilation=1, padding=0, stride=1):
    return paddle.nn.Fold(output_size, kernel_size, dilations=dilation, paddings=padding, strides=stride)


@rule(torch.nn.PixelShuffle)
def PixelShuffle(upscale_factor):
    return paddle.nn.PixelShuffle(upscale_factor)


@rule(torch.nn.PixelUnshuffle)
def PixelUnshuffle(downscale_factor):
    return paddle.nn.PixelUnshuffle(downscale_factor)


@rule(torch.nn.ChannelShuffle)
def ChannelShuffle(groups):
    return paddle.nn.ChannelShuffle(groups)


@rule(torch.nn.CosineSimilarity)
def CosineSimilarity(dim=1, eps=1e-08):
    return paddle.nn.CosineSimilarity(axis=dim, eps=eps)


@rule(torch.nn.PairwiseDistance)
def PairwiseDistance(p=2.0, eps=1e-06, keepdim=False):
    return paddle.nn.PairwiseDistance(p, epsilon=eps, keepdim=keepdim)


@rule(torch.nn.Upsample)
def Upsample(size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    if mode == "nearest-exact":
        raise NotImplementedError("Paddle's Upsample has no mode nearest-exact; use nearest")
    return paddle.nn.Upsample(
        size=size,
        scale_factor=scale_factor,
        mode=mode,
        align_corners=False if align_corners is None else align_corners,
        recompute_scale_factor=recompute_scale_factor,
    )


@rule(torch.nn.UpsamplingBilinear2d)
def UpsamplingBilinear2d(size=None, scale_factor=None):
    return paddle.nn.UpsamplingBilinear2D(size=size, scale_factor=scale_factor)


@rule(torch.nn.UpsamplingNearest2d)
def UpsamplingNearest2d(size=None, scale_factor=None):
    return paddle.nn.UpsamplingNearest2D(size=size, scale_factor=scale_factor)
