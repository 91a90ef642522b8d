"""Batch normalization that keeps its statistics as torch does: for projects whose code looks at them."""

import paddle

from rewriters.rule import family, rule
from rewriters.targets.paddle.rules.nn.functional.normalization import with_gradients


class TorchStatistics:
    """Statistics in buffers of torch's names, and torch's unbiased variance; beside one of Paddle's BatchNorms.

    ``_mean`` and ``_variance`` are where Paddle's own code looks for them.
    """

    def make(self, base, num_features, eps, momentum, affine, track_running_stats, bias):
        given = {"weight_attr": None if affine else False, "bias_attr": None if affine and bias else False}
        base.__init__(self, num_features, epsilon=eps, **given)
        for name in ("_mean", "_variance"):
            del self._parameters[name]
        self.num_features, self.affine = num_features, affine
        self.momentum = momentum
        self.track_running_stats = track_running_stats
        self.register_buffer("running_mean", paddle.zeros([num_features]) if track_running_stats else None)
        self.register_buffer("running_var", paddle.ones([num_features]) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", paddle.zeros([], "int64") if track_running_stats else None)
        if not affine:
            self.weight = None
        if not (affine and bias):
            self.bias = None

    # Set and read under Paddle's names, as of a BatchNorm of its own.

    @property
    def eps(self):
        return self._epsilon

    @eps.setter
    def eps(self, value):
        self._epsilon = value

    @property
    def momentum(self):
        return None if self._momentum is None else round(1 - self._momentum, 12)

    @momentum.setter
    def momentum(self, value):
        self._momentum = None if value is None else 1 - value

    def __getattr__(self, name):
        statistic = {"_mean": "running_mean", "_variance": "running_var"}.get(name)
        if statistic is not None and statistic in self.__dict__.get("_buffers", {}):
            return self._buffers[statistic]
        return super().__getattr__(name)

    def reset_running_stats(self):
        if self.track_running_stats:
            with paddle.no_grad():
                self.running_mean.zero_()
                self.running_var.fill_(1.0)
                self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            with paddle.no_grad():
                self.weight.fill_(1.0)
                if self.bias is not None:
                    self.bias.zero_()

    def forward(self, input):
        mean, variance = self.running_mean, self.running_var
        weight, bias = with_gradients(self.weight, self.bias)
        words = {"weight": weight, "bias": bias, "epsilon": self.eps}
        if not self.training and mean is not None:
            return paddle.nn.functional.batch_norm(input, mean, variance, **words)
        wide = paddle.float64 if input.dtype == paddle.float64 else paddle.float32  # what Paddle's own writes
        zeros, ones = paddle.zeros([self.num_features], wide), paddle.ones([self.num_features], wide)
        normed = paddle.nn.functional.batch_norm(input, zeros, ones, training=True, momentum=0.0, **words)
        if self.training and mean is not None:
            with paddle.no_grad():
                count = input.size // input.shape[1]
                self.num_batches_tracked.add_(paddle.ones([], "int64"))
                kept = 1 - 1 / self.num_batches_tracked.item() if self._momentum is None else self._momentum
                if count:  # of nothing torch learns nothing
                    paddle.assign(kept * mean + (1 - kept) * zeros, mean)
                    paddle.assign(kept * variance + (1 - kept) * ones * (count / (count - 1)), variance)
        return normed


@family("1d 2d 3d")
@rule("torch.nn.BatchNorm1d:looked")
class TorchBatchNorm1d(TorchStatistics, paddle.nn.BatchNorm1D):
    """Keeps its statistics as torch does."""

    def __init__(
        self,
        num_features,
        eps=1e-05,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        self.make(paddle.nn.BatchNorm1D, num_features, eps, momentum, affine, track_running_stats, bias)
        if dtype is not None:
            self._to_impl(dtype=dtype, floating_only=True)  # to() would cast the count too
