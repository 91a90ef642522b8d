"""One sample without its batch axis, which some of OneFlow's layers do not take: where the rank is known."""

from rewriters.rule import Rank, family, rule


@rule("torch.nn.Linear:call", "torch.nn.LayerNorm:call")
def one_vector(self, input: Rank[1]):
    return self(input.unsqueeze(0)).squeeze(0)


@family("1d 3d", "sequence volume", "2 4")
@rule("torch.nn.Conv1d:call", "torch.nn.ConvTranspose1d:call")
def one_sequence(self, input: Rank[2]):
    return self(input.unsqueeze(0)).squeeze(0)


@rule(
    "torch.nn.Conv2d:call",
    "torch.nn.ConvTranspose2d:call",
    "torch.nn.InstanceNorm2d:call",
    "torch.nn.AvgPool2d:call",
    "torch.nn.AdaptiveAvgPool2d:call",
    "torch.nn.Unfold:call",
)
def one_image(self, input: Rank[3]):
    return self(input.unsqueeze(0)).squeeze(0)


@rule("torch.nn.ConvTranspose1d:call", "torch.nn.ConvTranspose2d:call", "torch.nn.ConvTranspose3d:call")
def of_a_size(self, input, output_size):
    raise NotImplementedError("OneFlow's transposed convolutions take output_padding instead of output_size")


@rule("torch.nn.Softmax:call")
def of_one_number(self, input: Rank[0]):
    # OneFlow ends the process over an input without axes
    return self(input.reshape(1)).reshape(())


@rule("torch.nn.Module:named")
def named(self, input):
    # OneFlow's layers name it x
    return self(input)
