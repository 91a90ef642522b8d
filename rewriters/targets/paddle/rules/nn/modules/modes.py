"""Training and evaluation where layers of the project answer for themselves: Paddle's sets all layers below at once."""

import paddle

from rewriters.rule import rule


@rule("torch.nn.Module.train:own")
def train(self, mode=True):
    # as torch does: each layer's own method, which goes on to its children
    if not isinstance(self, paddle.nn.Layer) or type(self).train is not paddle.nn.Layer.train:
        return self.train(mode)
    self.train(mode)
    for child in self.children():
        train(child, mode)
    return self


@rule("torch.nn.Module.eval:own")
def evaluate(self):
    own = isinstance(self, paddle.nn.Layer) and type(self).eval is paddle.nn.Layer.eval
    return train(self, False) if own else self.eval()


@rule("torch.nn.Module.train:super")
def train_below(self, mode=True):
    # of super(): Paddle's own, and what the layers below do besides
    result = self.train(mode)
    for child in self.children():
        train(child, mode)
    return result
