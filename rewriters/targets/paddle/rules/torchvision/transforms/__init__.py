"""torchvision.transforms."""
