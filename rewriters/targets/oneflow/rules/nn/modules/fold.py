"""torch.nn.modules: Fold and Unfold."""

from rewriters.rule import same

same("torch.nn.Fold", "torch.nn.Unfold")
