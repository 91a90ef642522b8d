"""torch.nn.modules.attributes."""
