"""torchvision.ops."""
