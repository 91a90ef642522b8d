"""Rules for torch.optim."""
