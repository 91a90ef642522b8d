"""torchvision.ops: blocks of layers, and dropout of rows and of blocks."""

import paddle

from rewriters.rule import family, rule


@rule("torchvision.ops.FrozenBatchNorm2d")
class FrozenBatchNorm2d(paddle.nn.Layer):
    """Statistics, weight and bias are fixed."""

    def __init__(self, num_features, eps=1e-05):
        super().__init__()
        self.eps = eps
        for name, value in (("weight", 1.0), ("bias", 0.0), ("running_mean", 0.0), ("running_var", 1.0)):
            self.register_buffer(name, paddle.full([num_features], value))

    def forward(self, x):
        scale = self.weight * (self.running_var + self.eps).rsqrt()
        shift = self.bias - self.running_mean * scale
        return x * scale.reshape([1, -1, 1, 1]) + shift.reshape([1, -1, 1, 1])


def dropped_rows(x, p, mode, training):
    if not training or p == 0.0:
        return x
    shape = [x.shape[0] if mode == "row" else 1] + [1] * (x.ndim - 1)
    return x * paddle.bernoulli(paddle.full(shape, 1.0 - p, dtype=x.dtype)) / (1.0 - p)


@rule("torchvision.ops.stochastic_depth")
def stochastic_depth(input, p, mode, training=True):
    return dropped_rows(input, p, mode, training)


@rule("torchvision.ops.StochasticDepth")
class StochasticDepth(paddle.nn.Layer):
    def __init__(self, p, mode):
        super().__init__()
        self.p, self.mode = p, mode

    def forward(self, x):
        return dropped_rows(x, self.p, self.mode, self.training)


def conv_norm_activation(
    conv, in_channels, out_channels, size, stride, padding, groups, norm, activation, dilation, bias
):
    """The layers; the padding keeps the size where the stride is 1."""
    if padding is None:
        sizes = [size] * 3 if isinstance(size, int) else size
        spread = [dilation] * len(sizes) if isinstance(dilation, int) else dilation
        padding = [(side - 1) // 2 * step for side, step in zip(sizes, spread, strict=True)]
        padding = padding[0] if isinstance(size, int) else padding
    options = {} if (norm is None if bias is None else bias) else {"bias_attr": False}
    layers = [conv(in_channels, out_channels, size, stride, padding, dilation=dilation, groups=groups, **options)]
    layers += [] if norm is None else [norm(out_channels)]
    return layers + ([] if activation is None else [activation()])


@family("2d 3d")
@rule("torchvision.ops.Conv2dNormActivation")
class Conv2dNormActivation(paddle.nn.Sequential):
    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size=3,
        stride=1,
        padding=None,
        groups=1,
        norm_layer=paddle.nn.BatchNorm2D,
        activation_layer=paddle.nn.ReLU,
        dilation=1,
        inplace=True,
        bias=None,
    ):
        super().__init__(
            *conv_norm_activation(
                paddle.nn.Conv2D,
                in_channels,
                out_channels,
                kernel_size,
                stride,
                padding,
                groups,
                norm_layer,
                activation_layer,
                dilation,
                bias,
            )
        )
        self.out_channels = out_channels


@rule("torchvision.ops.SqueezeExcitation")
class SqueezeExcitation(paddle.nn.Layer):
    def __init__(self, input_channels, squeeze_channels, activation=paddle.nn.ReLU, scale_activation=paddle.nn.Sigmoid):
        super().__init__()
        self.avgpool = paddle.nn.AdaptiveAvgPool2D(1)
        self.fc1 = paddle.nn.Conv2D(input_channels, squeeze_channels, 1)
        self.fc2 = paddle.nn.Conv2D(squeeze_channels, input_channels, 1)
        self.activation, self.scale_activation = activation(), scale_activation()

    def forward(self, input):
        scale = self.activation(self.fc1(self.avgpool(input)))
        return input * self.scale_activation(self.fc2(scale))


@rule("torchvision.ops.MLP")
class MLP(paddle.nn.Sequential):
    def __init__(
        self,
        in_channels,
        hidden_channels,
        norm_layer=None,
        activation_layer=paddle.nn.ReLU,
        inplace=None,
        bias=True,
        dropout=0.0,
    ):
        layers, options = [], {} if bias else {"bias_attr": False}
        for channels in hidden_channels[:-1]:
            layers.append(paddle.nn.Linear(in_channels, channels, **options))
            layers += [] if norm_layer is None else [norm_layer(channels)]
            layers += [activation_layer(), paddle.nn.Dropout(dropout)]
            in_channels = channels
        layers.append(paddle.nn.Linear(in_channels, hidden_channels[-1], **options))
        super().__init__(*layers, paddle.nn.Dropout(dropout))


@rule("torchvision.ops.Permute")
class Permute(paddle.nn.Layer):
    def __init__(self, dims):
        super().__init__()
        self.dims = dims

    def forward(self, x):
        return x.transpose(self.dims)


def dropped_blocks(x, p, size, eps, training):
    """Blocks around random centers are set to zero, the rest is scaled so that the mean stays."""
    if not training or p == 0.0:
        return x
    axes = x.ndim - 2
    size = min(size, *x.shape[2:])
    rate = p
    for side in x.shape[2:]:
        rate *= side / (size * (side - size + 1))
    # centers lie where a whole block has room
    centers = paddle.bernoulli(paddle.full([*x.shape[:2], *(side - size + 1 for side in x.shape[2:])], rate))
    centers = paddle.nn.functional.pad(
        centers, [size // 2, size - 1 - size // 2] * axes, data_format="NCDHW" if axes == 3 else "NCHW"
    )
    pool = paddle.nn.functional.max_pool3d if axes == 3 else paddle.nn.functional.max_pool2d
    grown = pool(centers, size, stride=1, padding=size // 2)
    kept = (1 - grown).astype(x.dtype)
    return x * kept * (kept.size / (kept.sum() + eps))


@rule("torchvision.ops.drop_block2d", "torchvision.ops.drop_block3d")
def drop_block(input, p, block_size, inplace=False, eps=1e-06, training=True):
    return dropped_blocks(input, p, block_size, eps, training)


@rule("torchvision.ops.DropBlock2d", "torchvision.ops.DropBlock3d")
class DropBlock(paddle.nn.Layer):
    def __init__(self, p, block_size, inplace=False, eps=1e-06):
        super().__init__()
        self.p, self.block_size, self.eps = p, block_size, eps

    def forward(self, x):
        return dropped_blocks(x, self.p, self.block_size, self.eps, self.training)
