"""Rules for torch.optim.lr_scheduler."""
