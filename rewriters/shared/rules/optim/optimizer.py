"""torch.optim.optimizer: what optimizers of a project's own take from there."""

from rewriters.rule import rule


@rule("torch.optim.optimizer.required")
class required:
    """An option that has to be given."""
