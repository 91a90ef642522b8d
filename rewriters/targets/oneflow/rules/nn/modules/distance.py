"""torch.nn.modules: distances."""

from rewriters.rule import same

same("torch.nn.CosineSimilarity", "torch.nn.PairwiseDistance")
