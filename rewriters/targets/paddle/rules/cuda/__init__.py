"""torch.cuda."""
