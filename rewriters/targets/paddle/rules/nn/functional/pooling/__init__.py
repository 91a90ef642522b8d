"""torch.nn.functional.pooling."""
