"""What becomes of each tensor: the model that owns it, its layout in torch and in the target. Imports readers."""
