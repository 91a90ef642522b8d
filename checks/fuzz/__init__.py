"""Random programs in PyTorch, of ten to forty lines, that run: what a converter must not change."""
