"""torch.nn.modules."""
