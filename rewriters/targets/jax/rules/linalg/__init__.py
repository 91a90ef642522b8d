"""torch.linalg."""
