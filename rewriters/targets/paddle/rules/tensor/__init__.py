"""torch.Tensor."""
