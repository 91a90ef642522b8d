"""torchvision.models."""
