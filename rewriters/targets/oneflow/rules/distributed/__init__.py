"""torch.distributed."""
