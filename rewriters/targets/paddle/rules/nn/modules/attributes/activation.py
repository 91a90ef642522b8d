"""torch.nn: what activations, losses and recurrent layers remember of how they were made."""

from rewriters.rule import differs, family, rule


@rule(
    "torch.nn.ReLU.inplace",
    "torch.nn.ReLU6.inplace",
    "torch.nn.LeakyReLU.inplace",
    "torch.nn.RReLU.inplace",
    "torch.nn.ELU.inplace",
    "torch.nn.SELU.inplace",
    "torch.nn.CELU.inplace",
    "torch.nn.SiLU.inplace",
    "torch.nn.Mish.inplace",
    "torch.nn.Hardsigmoid.inplace",
    "torch.nn.Hardswish.inplace",
    "torch.nn.Hardtanh.inplace",
    "torch.nn.Threshold.inplace",
    "torch.nn.Dropout2d.inplace",
    "torch.nn.Dropout3d.inplace",
    "torch.nn.AlphaDropout.inplace",
    "torch.nn.FeatureAlphaDropout.inplace",
)
def inplace(self):
    raise NotImplementedError("Paddle's layer does not know whether it was to work in place; keep that yourself")


@rule(
    "torch.nn.ReLU.inplace=",
    "torch.nn.ReLU6.inplace=",
    "torch.nn.LeakyReLU.inplace=",
    "torch.nn.RReLU.inplace=",
    "torch.nn.ELU.inplace=",
    "torch.nn.SELU.inplace=",
    "torch.nn.CELU.inplace=",
    "torch.nn.SiLU.inplace=",
    "torch.nn.Mish.inplace=",
    "torch.nn.Hardsigmoid.inplace=",
    "torch.nn.Hardswish.inplace=",
    "torch.nn.Hardtanh.inplace=",
    "torch.nn.Threshold.inplace=",
    "torch.nn.Dropout2d.inplace=",
    "torch.nn.Dropout3d.inplace=",
    "torch.nn.AlphaDropout.inplace=",
    "torch.nn.FeatureAlphaDropout.inplace=",
)
def set_inplace(self, value):
    if value:
        differs("Paddle's layer gives a new tensor: what else holds its input does not see the change")


@family("LeakyReLU PReLU NLLLoss PoissonNLLLoss", "negative num ignore log", "slope parameters index input")
@rule("torch.nn.LeakyReLU.negative_slope")
def negative_slope(self):
    return self._negative_slope


@rule("torch.nn.LeakyReLU.negative_slope=")
def set_negative_slope(self, value):
    self._negative_slope = value


@family("PReLU RReLU RReLU Softplus Threshold CosineSimilarity PoissonNLLLoss", "init lower upper beta value eps full")
@rule("torch.nn.PReLU.init")
def init(self):
    return self._init


@family("ELU Softplus", "alpha threshold", "CELU Threshold")
@rule("torch.nn.ELU.alpha", "torch.nn.CELU.alpha")
def alpha(self):
    return self._alpha


@rule("torch.nn.GELU.approximate")
def approximate(self):
    return "tanh" if self._approximate else "none"


@family("min max")
@rule("torch.nn.Hardtanh.min_val")
def min_val(self):
    return self._min


@family("min max", ("return 0.", "return 6."))
@rule("torch.nn.ReLU6.min_val")
def relu6_min_val(self):
    return 0.0


@rule("torch.nn.Softmax.dim", "torch.nn.LogSoftmax.dim", "torch.nn.CosineSimilarity.dim")
def dim(self):
    return self._axis


# Losses.
@rule("torch.nn.NLLLoss.reduction", "torch.nn.PoissonNLLLoss.reduction")
def reduction(self):
    return self._reduction


@rule("torch.nn.SmoothL1Loss.beta")
def smooth_beta(self):
    return self.delta


@rule("torch.nn.PoissonNLLLoss.eps")
def poisson_eps(self):
    return self._epsilon


@rule("torch.nn.TripletMarginLoss.eps")
def triplet_eps(self):
    return self.epsilon


# Recurrent layers.
@rule("torch.nn.RNN.nonlinearity", "torch.nn.RNNCell.nonlinearity")
def nonlinearity(self):
    return self.activation


@rule("torch.nn.RNNBase.batch_first")
def batch_first(self):
    return not self.time_major


@rule("torch.nn.RNNBase.bidirectional")
def bidirectional(self):
    return self.num_directions == 2


@rule("torch.nn.RNNBase.bias")
def bias(self):
    return getattr(self, "bias", True)  # those that have none say so
