"""Proof of rules on PyTorch's own samples: printed as source, run in torch and in the target, compared."""
